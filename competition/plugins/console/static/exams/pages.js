// The list of exams, and the plan, the paper and the preview of an exam.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go, withQuery } from "../../../pages/static/ground/router.js";
import { Act, ask, confirm } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Options } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, whenInWords } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { config } from "../../../pages/static/pieces/start.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { Export } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import {
  Basics, basics, Change, ChecksStep, columns, Freezing, Paper, PeopleStep, progress, ResultFields, stageOf, stages, states, StateTag, STEPS, Steps,
} from "./pieces.js";

/** @import { ExamChanges, Version } from "./calls.js" */
/** @import { Step } from "./pieces.js" */
/** @import { Letter } from "../../../pages/static/pieces/maths.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

const EXAMS = "/console/exams";
const HOUR = 3_600_000;
const NEW = { title: "", stage: "screening", round: "1", scheduled_date: null, open_duration_hours: "12", countdown_minutes: "60", description: "" };

const crumbs = () => [{ href: EXAMS, text: t("exams") }];
/** The page above the paper and the preview. @param {{ id: number, title: string }} exam */
const crumb = (exam) => ({ href: `${EXAMS}/${exam.id}`, text: exam.title });

/** @param {PageProps} props */
export function Exams({ query }) {
  if (!isAtLeast("admin")) return h(Current, {});
  const all = query.get("tab") === "all";
  return h(Page, {
    title: t("exams"),
    actions: html`<a class="button first" href=${`${EXAMS}/new`}>${t("exams.plan")}</a>`,
  },
    h(Tabs, { label: t("exams.parts"), tabs: [{ value: "coming", text: t("exams.coming") }, { value: "all", text: t("exams.all") }] }),
    all
      ? list({
          name: t("exams"),
          id: (row) => row.id,
          call: calls.exams,
          fixed: { ordering: "-scheduled_date" },
          filters: [
            { name: "search", label: t("exams.search") },
            { name: "stage", label: t("exams.stage"), options: stages() },
            { name: "status", label: t("exams.state"), options: states() },
          ],
          columns: columns(),
          found: (count) => t("exams.found", { count }),
          empty: t("exams.none"),
        })
      : h(Coming, {}));
}

/** The exams that are open, scheduled, or have no date yet. */
function Coming() {
  const readings = calls.useComing();
  const over = calls.useOver();
  const failed = readings.find((each) => each.error);
  const at = Math.min(...readings.map((each) => each.at ?? Infinity));
  const values = readings.map((each) => each.value);
  const count = values.reduce((sum, each) => sum + (each?.pagination.count ?? 0), 0);
  const whole = {
    value: values.every(Boolean) ? values.flatMap((each) => each?.results ?? []) : undefined,
    error: failed?.error ?? null,
    at: Number.isFinite(at) ? at : null,
    busy: readings.some((each) => each.busy),
    again: () => [...readings, over].forEach((each) => each.again()),
  };
  // The frame of the console polls the same address, and both share the request.
  const dashboard = calls.useCurrent();
  const unpublished = dashboard.value?.todo.find((each) => each.kind === "leaderboard.unpublished");
  return html`<p class="line">${h(AsOf, { at: whole.at })}</p>
    ${!failed && h(Unread, { readings: [dashboard] })}
    ${unpublished && h(Note, {}, html`<p>${t("exams.unpublished", { count: unpublished.count })} <a href=${`/console/${unpublished.link.replace(/^\//, "")}`}>${t("exams.toBoards")}</a></p>`)}
    ${loaded(whole, (rows) => html`${count > rows.length && h(Note, {}, html`<p>${t("exams.firstComing", { shown: rows.length, count })} <a href=${withQuery({ tab: "all" })}>${t("exams.all")}</a></p>`)}
      ${table({ caption: t("exams.coming"), columns: columns(), rows, id: (row) => row.id })}`, {
      empty: (rows) => !rows.length,
      nothing: h(Empty, { action: html`<a class="button" href=${`${EXAMS}/new`}>${t("exams.plan")}</a>` }, t("exams.noneComing")),
    })}
    ${!failed && h(Unread, { readings: [over] })}
    ${over.value && over.value.results.length > 0 && h(Section, { title: t("exams.justOver") }, table({ caption: t("exams.justOver"), columns: columns(), rows: over.value.results, id: (row) => row.id }))}`;
}

/** The exams that moderators may see: exams that are open, or open within a day. */
function Current() {
  const reading = calls.useCurrent();
  return h(Page, { title: t("exams"), lead: t("exams.currentLead") },
    html`<p class="line">${h(AsOf, { at: reading.at })}</p>`,
    loaded(reading, ({ current_exams: rows }) => table({
      caption: t("exams"),
      id: (row) => row.id,
      rows,
      columns: columns().slice(0, 3).map((each, at) => (at ? each : { ...each, cell: (row) => html`<a href=${`${EXAMS}/${row.id}/day`}>${row.title}</a><span class="small muted">${stageOf(row)}</span>` })),
    }), { empty: ({ current_exams: rows }) => !rows.length, nothing: h(Empty, {}, t("exams.noCurrent")) }));
}

export function NewExam() {
  return h(Page, { title: t("exams.plan"), lead: t("exams.planLead"), crumbs: crumbs() },
    h(Form, {
      initial: NEW,
      draft: "exam.new",
      verb: t("exams.create"),
      send: async (values, { key }) =>
        (await mayOpen(basics(values), null)) ? calls.create({ ...basics(values), is_active: true, ranking: "standard" }, key) : null,
      done: async (exam) => {
        // Nobody notices a wrong year in the form.
        const isOver = exam.status === "concluded";
        await go(`${EXAMS}/${exam.id}?step=${isOver ? "basics" : "paper"}`);
        notice(isOver ? { kind: "warn", text: t("exams.createdOver") } : { text: t("exams.created") });
      },
    }, h(Basics, {})));
}

/** @param {PageProps} props */
export function Plan({ params, query }) {
  const id = params.id ?? "";
  const reading = calls.useExam(id);
  const [changed, setChanged] = useState(/** @type {Version | null} */ (null));
  const version = changed?.exam.id === Number(id) ? changed : reading.value;
  const exam = version?.exam;
  return h(Page, {
    title: exam?.title ?? t("exams.exam"),
    crumbs: crumbs(),
    lead: exam && html`${stageOf(exam)} ${h(StateTag, { of: exam.status })}`,
    actions: exam && html`${exam.status === "ongoing" && html`<a class="button first" href=${`${EXAMS}/${id}/day`}>${t("exams.day")}</a>`}
      ${exam.status === "concluded" && html`<a class="button first" href=${`${EXAMS}/${id}/results`}>${t("exams.theResults")}</a>
        ${h(ImportLink, { kind: "answers", from: "admin", exam: id, text: t("exams.fromPaper") })}`}
      <a class="button" href=${`${EXAMS}/${id}/preview`}>${t("exams.preview")}</a>
      <a class="button" href=${`${EXAMS}/${id}/paper`}>${t("exams.printPaper")}</a>
      ${h(Act, { act: () => copy(id, exam.title) }, t("exams.copy"))}`,
  }, loaded(reading, (read) => h(Planned, { version: version ?? read, query, setChanged })));
}

/** Ask, copy the exam, and go to the copy. @param {string} id @param {string} title */
async function copy(id, title) {
  const made = await confirm({ title: t("exams.copyTitle", { title }), what: t("exams.copies"), verb: t("exams.copyVerb"), act: () => calls.copy(id) });
  if (!made) return;
  await go(`${EXAMS}/${made.id}`);
  notice({ text: `${t("exams.copied")} ${made.left_out.length ? t("exams.leftOut", { count: made.left_out.length }) : ""}` });
}

/** @param {{ version: Version, query: URLSearchParams, setChanged: (version: Version) => void }} props */
function Planned({ version, query, setChanged }) {
  const { exam } = version;
  const id = String(exam.id);
  const isOver = exam.status === "concluded";
  const checks = useRead(async () => (isOver ? undefined : calls.checks(id)), [id, exam.updated_at, isOver]);
  // Candidates may have moved to another stage since the exam, so their number says nothing about it.
  const people = useRead(async () => (isOver ? undefined : calls.people(exam.stage)), [exam.stage, isOver]);
  useReturn(checks.again);
  useReturn(people.again);
  const first = isOver ? "results" : !exam.scheduled_date ? "basics" : !exam.question_count ? "paper" : "checks";
  const shown = STEPS.find((each) => each === query.get("step")) ?? first;
  const next = STEPS[STEPS.indexOf(shown) + 1];
  /** @param {{ exam: any, etag: string | null }} saved */
  const saved = (saved) => setChanged({ exam: { ...exam, ...saved.exam, questions: exam.questions }, etag: saved.etag });
  const again = async () => {
    setChanged(await calls.exam(id));
    checks.again();
  };
  return html`${h(Steps, { steps: progress(exam, checks.value, people.value), shown })}
    ${h(Unread, { readings: [...(shown === "checks" ? [] : [checks]), ...(shown === "people" ? [] : [people])] })}
    ${h(Section, { key: shown, title: t(`exams.step.${shown}`) }, html`<p class="muted">${t(`exams.why.${shown}`)}</p>
      ${shown === "basics" && html`${h(Change, {
          key: "basics", version, saved, write: basics, agree: async (changes, before, opened) => (await mayOpen(changes, opened)) && mayClose(id, changes, before),
          read: ({ title, stage, round, scheduled_date, open_duration_hours, countdown_minutes, description }) =>
            ({ title, stage, round: String(round), scheduled_date, open_duration_hours: String(open_duration_hours), countdown_minutes: String(countdown_minutes), description }),
        }, h(Basics, {}))}
        ${h(Stopping, { version, saved })}`}
      ${shown === "paper" && html`<p>${exam.question_count ? h(Difficulties, { exam }) : t("exams.needsQuestions")}</p>
        <div class="acts"><a class="button first" href=${`${EXAMS}/${id}/paper`}>${exam.question_count ? t("exams.changePaper") : t("exams.choose")}</a></div>`}
      ${shown === "people" && isOver && h(Note, { kind: "info" }, html`<p>${t("exams.peopleOver")} <a href=${`${EXAMS}/${id}/results`}>${t("exams.theResults")}</a></p>`)}
      ${shown === "people" && !isOver && h(PeopleStep, { exam, people })}
      ${shown === "checks" && isOver && h(Note, { kind: "info" }, t("exams.overChecks"))}
      ${shown === "checks" && !isOver && html`${h(ChecksStep, { exam, reading: checks })}
        ${exam.question_count > 0 && ["draft", "scheduled", "cancelled"].includes(exam.status) && h(Freezing, { exam, again })}`}
      ${shown === "results" && h(Change, {
        key: "results", version, saved,
        read: ({ scores_visible, ranking }) => ({ scores_visible: scores_visible ?? "default", ranking }),
        write: ({ scores_visible, ranking }) => ({ scores_visible: scores_visible === "default" ? null : scores_visible, ranking }),
      }, h(ResultFields, {}))}
      ${shown === "results" && exam.question_count > 0 && ["ongoing", "concluded"].includes(exam.status) && html`<p><a href=${`${EXAMS}/${id}/printed`}>${t("results.toPrinted")}</a></p>`}
      ${next && html`<p><a href=${withQuery({ step: next })}>${t("exams.nextStep", { step: t(`exams.step.${next}`) })}</a></p>`}`)}`;
}

/** @param {{ exam: Version["exam"] }} props */
function Difficulties({ exam }) {
  const { easy_questions_count: easy, moderate_questions_count: moderate, hard_questions_count: hard } = exam.questions.question_pool_data;
  return html`${t("exams.hasQuestions", { count: exam.question_count })} ${t("exams.difficulties", { easy, moderate, hard })}`;
}

/**
 * Ask before an exam opens at once, because its start is in the past: nobody notices a wrong day in the form. An exam
 * that has opened is not asked about. Resolves to whether the exam may be saved.
 *
 * @param {{ scheduled_date?: string | null, open_duration_hours?: number }} changes
 * @param {string | null} opened The start of the exam before these changes.
 */
async function mayOpen({ scheduled_date, open_duration_hours = 0 }, opened) {
  const opens = Date.parse(scheduled_date ?? "");
  const isOver = opens + open_duration_hours * HOUR < Date.now();
  if (!(opens < Date.now()) || (opened && Date.parse(opened) <= Date.now())) return true;
  return ask({
    title: t(isOver ? "exams.isPastTitle" : "exams.opensNowTitle"),
    what: t(isOver ? "exams.isPast" : "exams.opensNow", { at: whenInWords(opens, dates.when), ago: dates.ago(opens) }),
    verb: t(isOver ? "exams.saveIt" : "exams.openNow"),
  });
}

/** How many candidates have not started yet, in words. @param {{ not_started: number }} preview */
const waiting = ({ not_started: count }) => (count ? t("exams.notStarted", { count }) : "");

/**
 * Ask before an open exam gets an earlier end. Resolves to whether the exam may be changed.
 *
 * @param {string} id
 * @param {ExamChanges} changes
 * @param {string | null} closes_at The end of the exam before these changes.
 */
async function mayClose(id, { scheduled_date, open_duration_hours = 0 }, closes_at) {
  const closes = Date.parse(scheduled_date ?? "") + open_duration_hours * HOUR;
  if (!closes_at || !(closes < Date.parse(closes_at))) return true;
  // The exam may have opened since the page was read.
  const [{ exam }, working] = await Promise.all([calls.exam(id), calls.working(id)]);
  if (exam.status !== "ongoing") return true;
  const before = whenInWords(closes_at, dates.when);
  const end = closes > Date.now() ? t("exams.closesAt", { at: whenInWords(closes, dates.when), before }) : t("exams.closesNow", { before });
  return ask({
    title: t("exams.closeTitle"),
    what: `${end} ${t(working.affected ? "exams.closesWorking" : "exams.closesNobody", { count: working.affected })} ${waiting(working)}`,
    items: working.people.map((each) => each.full_name),
    count: working.affected,
    verb: t(working.affected ? "exams.closeFor" : "exams.close", { count: working.affected }),
    danger: true,
  });
}

/**
 * Switch an exam off and on, and delete it.
 *
 * @param {{ version: Version, saved: (version: { exam: any, etag: string | null }) => void }} props
 */
function Stopping({ version: { exam, etag }, saved }) {
  const id = String(exam.id);
  const change = async (/** @type {boolean} */ is_active) => calls.change(id, { is_active }, etag);

  async function switchOff() {
    // The exam may have opened since the page was read.
    const working = await calls.working(id);
    const done = await confirm({
      title: t("exams.offTitle"),
      what: `${t(working.affected ? "exams.offWorking" : "exams.offNobody", { count: working.affected })} ${exam.status === "ongoing" ? waiting(working) : ""}`,
      items: working.people.map((each) => each.full_name),
      count: working.affected,
      verb: t(working.affected ? "exams.offFor" : "exams.off", { count: working.affected }),
      danger: exam.status === "ongoing",
      act: () => change(false),
    });
    if (!done) return;
    saved(done);
    notice({ text: t("exams.isOff") });
  }

  async function remove() {
    // The exam may have opened since the page was read.
    const [working, results] = await Promise.all([calls.working(id), config().plugins.includes("scores") ? calls.countScores(id) : 0]);
    if (working.affected) {
      notice({ text: t("exams.deletesWorking", { count: working.affected }), kind: "bad" });
      return;
    }
    const done = await confirm({
      title: t("exams.deleteTitle", { title: exam.title }),
      what: [
        exam.status === "ongoing" && waiting(working),
        t("exams.deletes", { count: exam.question_count }),
        results && t("exams.deletesResults", { count: results }),
      ].filter(Boolean).join(" "),
      verb: t("exams.deleteIt"),
      danger: true,
      act: async () => {
        await calls.remove(id);
        return true;
      },
    });
    if (done && (await go(EXAMS))) notice({ text: t("exams.deleted", { title: exam.title }) });
  }

  return h(Section, { title: t("exams.stop") }, html`<p class="muted">${t("exams.stopWhy")}</p><div class="acts">
    ${exam.is_active ? h(Act, { act: switchOff, kind: exam.status === "ongoing" ? "bad" : "" }, t("exams.off")) : h(Act, { act: async () => saved(await change(true)) }, t("exams.on"))}
    ${h(Act, { act: remove, kind: "bad" }, t("exams.delete"))}</div>`);
}

/** @param {PageProps} props */
export function PaperPage({ params }) {
  const id = params.id ?? "";
  const reading = useRead(async () => {
    const [version, questions] = await Promise.all([calls.exam(id), calls.questions(id)]);
    return { version, questions };
  }, [id]);
  const exam = reading.value?.version.exam;
  return h(Page, {
    title: t("exams.paper"),
    crumbs: [...crumbs(), ...(exam ? [crumb(exam)] : [])],
    lead: t("exams.paperLead"),
    actions: html`<a class="button" href=${`${EXAMS}/${id}/preview`}>${t("exams.preview")}</a>
      ${exam && ["draft", "scheduled"].includes(exam.status) && h(ImportLink, { kind: "questions", from: "admin", exam: id, text: t("questions.import") })}
      ${exam && exam.question_count > 0 && h(Export, { tables: [{ name: "questions", text: t("exams.paper"), formats: ["gift", "moodle_xml"], read: (query) => calls.exported({ ...query, exam: id }) }] })}`,
  }, loaded(reading, (read) => h(Paper, read)));
}

/** @param {PageProps} props */
export function Preview({ params, query }) {
  const id = params.id ?? "";
  const reading = useRead(() => calls.preview(id), [id]);
  useReturn(reading.again);
  const [chosen, choose] = useState(/** @type {Record<number, Letter>} */ ({}));
  const paper = reading.value;
  return h(Page, {
    title: t("exams.preview"),
    crumbs: [...crumbs(), ...(paper ? [crumb(paper)] : [])],
  },
    h(Note, { kind: "info" }, t("exams.previewNote")),
    loaded(reading, ({ title, questions, description, countdown_minutes: minutes, stage, round }) => {
      const at = Math.min(Math.max(Number(query.get("question")) || 1, 1), questions.length);
      const question = questions[at - 1];
      const link = (/** @type {number} */ to) => withQuery({ question: to === 1 ? null : String(to) });
      if (!question) return null;
      return html`<div class="sheet pad flow">
        <p class="line"><strong>${title}</strong> <span class="muted">${stageOf({ stage, round })}</span> <span class="numbers">${t("exams.timeLeft", { time: dates.clock(minutes * 60) })}</span></p>
        ${at === 1 && description && html`<p class="exam-description">${description}</p>`}
        <nav aria-label=${t("exams.allQuestions")}><ol class="exam-numbers">${questions.map((each, index) => html`<li>
          <a class="button numbers" href=${link(index + 1)} aria-label=${t(chosen[each.id] ? "exams.questionAnswered" : "exams.questionOpen", { number: String(index + 1) })} aria-current=${index + 1 === at ? "true" : undefined}>${index + 1}${chosen[each.id] ? " ✓" : ""}</a></li>`)}</ol></nav>
        <h2>${t("exams.questionOf", { number: at, count: questions.length })}</h2>
        ${h(Options, { key: question.id, question, chosen: chosen[question.id] ?? null, choose: (letter) => choose({ ...chosen, [question.id]: letter }) })}
        <div class="acts">${at > 1 && html`<a class="button" href=${link(at - 1)}>${t("exams.previous")}</a>`}
          ${at < questions.length && html`<a class="button" href=${link(at + 1)}>${t("exams.next")}</a>`}</div>
      </div>`;
    }, { empty: (value) => !value.questions.length, nothing: h(Empty, { action: html`<a class="button" href=${`${EXAMS}/${id}/paper`}>${t("exams.choose")}</a>` }, t("exams.emptyPaper")) }));
}
