// The plan of an exam, in five steps. Each shows what is done, and what is missing. The service checks whether the exam
// is ready.

import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go, withQuery } from "../../../pages/static/ground/router.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { ask, confirm } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { Maths } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { Loading, loaded } from "../../../pages/static/pieces/states.js";
import { CopyExam } from "../copying.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import { inZone } from "../zone.js";
import * as calls from "./calls.js";
import { Basics, basics, crumbs, EXAMS, HOUR, mayOpen, stageOf, StateTag } from "./pieces.js";
import { t } from "./words.js";

/** @import { ExamChanges, Version, CheckReport, Exam, People, Preflight, Question } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Kind } from "../../../pages/static/pieces/notice.js" */

/**
 * @template T
 * @typedef {import("../../../pages/static/pieces/states.js").Reading<T>} Reading
 */

/** @typedef {"basics" | "paper" | "people" | "checks" | "results"} Step */
/** @typedef {{ kind: Kind | "", word: string, summary: Children }} Progress The progress of a step. */

const STEPS = /** @type {const} */ (["basics", "paper", "people", "checks", "results"]);

// The place where staff can solve the problem that a check has found, by the name of the check. The problems of checks
// that are not listed are for the operator of the service.
/** @type {Record<string, "dates" | "exams" | "people" | "paper">} */
const PLACES = {
  window: "dates", overlap: "exams", round: "dates", candidates: "people",
  questions: "paper", archived: "paper", duplicates: "paper", formulas: "paper", key: "paper", shared_questions: "paper", known_questions: "paper",
};

const KNOWN = /** @type {const} */ ([
  "window", "overlap", "round", "candidates", "questions", "archived", "duplicates", "formulas", "key", "shared_questions", "known_questions",
  "worker", "mail", "sockets", "redis", "storage", "capacity", "limits", "backups",
]);

// A check lists at most this many items openly. A copy of an exam can have a whole paper of them, in several checks.
const FEW = 3;

/** How a check names a question of the bank. */
const QUESTION = /^question (\d+)$/;

/** @param {PageProps} props */
export function Plan({ params, query }) {
  const id = params.id ?? "";
  const reading = calls.useExam(id);
  const [changed, setChanged] = useState(/** @type {Version | null} */ (null));
  const version = changed?.exam.id === Number(id) ? changed : reading.value;
  const exam = version?.exam;
  const season = useSeason(exam?.season);
  return h(Page, {
    title: exam?.title ?? t("exams.exam"),
    crumbs: crumbs(),
    lead: exam && html`${stageOf(exam)} ${h(StateTag, { of: exam.status })}`,
    actions: exam && html`${exam.status === "ongoing" && html`<a class="button first" href=${`${EXAMS}/${id}/day`}>${t("exams.day")}</a>`}
      ${exam.status === "concluded" && html`<a class="button first" href=${`${EXAMS}/${id}/results`}>${t("exams.theResults")}</a>
        ${!isClosed(season) && h(ImportLink, { kind: "answers", from: "admin", exam: id, text: t("exams.fromPaper") })}`}
      <a class="button" href=${`${EXAMS}/${id}/preview`}>${t("exams.preview")}</a>
      <a class="button" href=${`${EXAMS}/${id}/paper`}>${t("exams.printPaper")}</a>
      ${h(CopyExam, { exam })}`,
  }, h(ClosedSeason, { season }), loaded(reading, (read) => h(Planned, { version: version ?? read, query, setChanged, mayChange: !isClosed(season) })));
}

/**
 * The progress of each step of the plan.
 *
 * @param {Exam} exam
 * @param {Preflight | undefined} checks
 * @param {People | undefined} people
 * @returns {Record<Step, Progress>}
 */
function progress(exam, checks, people) {
  const problems = (/** @type {string} */ level) => (checks?.checks ?? []).filter((each) => each.level === level).length;
  const [errors, warnings] = [problems("error"), problems("warning")];
  const unknown = { kind: /** @type {const} */ (""), word: t("exams.checking"), summary: "" };
  const done = { kind: /** @type {const} */ ("ok"), word: t("exams.done") };
  const missing = { kind: /** @type {const} */ ("warn"), word: t("exams.missing") };
  return {
    basics: exam.scheduled_date
      ? { ...done, summary: t("exams.window", { from: inZone(exam.scheduled_date, dates.when), hours: exam.open_duration_hours, minutes: exam.countdown_minutes }) }
      : { ...missing, summary: t("exams.needsDate") },
    paper: exam.question_count ? { ...done, summary: t("exams.hasQuestions", { count: exam.question_count }) } : { ...missing, summary: t("exams.needsQuestions") },
    people: exam.status === "concluded"
      ? { kind: "", word: t("exams.state.concluded"), summary: t("exams.peopleOver") }
      : people ? { ...(people.verified ? done : missing), summary: t(people.notJoined ? "exams.peopleJoined" : "exams.peopleNow", people) } : unknown,
    checks: checks
      ? { kind: errors ? "bad" : warnings ? "warn" : "ok", word: errors ? t("exams.notReady") : warnings ? t("exams.look") : t("exams.done"),
          summary: errors || warnings ? `${t("exams.errors", { count: errors })}, ${t("exams.warnings", { count: warnings })}` : t("exams.allPassed") }
      : exam.status === "concluded" ? { kind: "", word: t("exams.state.concluded"), summary: t("exams.overChecks") } : unknown,
    results: { ...done, summary: t("exams.resultsNow", { visible: visible(exam.scores_visible), ranking: t(`exams.ranking.${exam.ranking}`) }) },
  };
}

/** @param {{ steps: Record<Step, Progress>, shown: Step | undefined }} props */
const Steps = ({ steps, shown }) => html`<nav aria-label=${t("exams.steps")}><ol class="sheet exam-steps">
  ${STEPS.map((each, at) => html`<li><a href=${withQuery({ step: each })} aria-current=${each === shown ? "step" : undefined}>
    <span class="numbers">${at + 1}</span><strong>${t(`exams.step.${each}`)}</strong>${h(Tag, { kind: steps[each].kind }, steps[each].word)}
    <span class="muted">${steps[each].summary}</span></a></li>`)}
</ol></nav>`;

/**
 * A form for some fields of the exam. It shows changes that another person has made in the meantime.
 *
 * @param {object} props
 * @param {Version} props.version
 * @param {(exam: Exam) => Record<string, any>} props.read The values of the fields.
 * @param {(values: Record<string, any>) => ExamChanges} props.write
 * @param {(changes: ExamChanges, closes_at: string | null, opens_at: string | null) => Promise<boolean>} [props.agree]
 *   Resolves to whether the user agrees to these changes. `closes_at` and `opens_at` are the times of the exam before
 *   the changes.
 * @param {(version: { etag: string | null, exam: any }) => void} props.saved
 * @param {Children} [props.children]
 */
function Change({ version, read, write, agree, saved, children }) {
  const id = String(version.exam.id);
  // Keep the version of the first reading. With a later version, the form would overwrite a change that it does
  // not show.
  const [etag, setEtag] = useState(version.etag);
  const before = useRef(version.exam);
  return h(Form, {
    initial: read(version.exam),
    etag,
    verb: t("exams.save"),
    send: async (values, { ifMatch }) => {
      const changes = write(values);
      return !agree || (await agree(changes, before.current.closes_at, before.current.scheduled_date)) ? calls.change(id, changes, ifMatch) : null;
    },
    reread: async () => {
      const now = await calls.exam(id);
      before.current = now.exam;
      return { values: read(now.exam), etag: now.etag };
    },
    done: (reply) => {
      setEtag(reply.etag);
      before.current = reply.exam;
      saved(reply);
      notice({ text: t("exams.saved") });
    },
  }, children);
}

/** When candidates see their scores in exams that follow the league's rule, a setting of the service. */
function visibleByDefault() {
  const rule = config().settings["scores.visible"];
  return t(`exams.visible.${rule === "at_conclusion" || rule === "at_publication" ? rule : "immediately"}`);
}

/** @param {Exam["scores_visible"]} rule */
const visible = (rule) => (rule ? t(`exams.visible.${rule}`) : t("exams.visible.default", { visible: visibleByDefault() }));

/** When and how results are shown. */
const ResultFields = () => html`
  ${h(Choice, { name: "scores_visible", label: t("exams.visible"), required: true, hint: t("exams.visibleHint"),
    options: [["default", t("exams.visibleDefault", { visible: visibleByDefault() })], ["immediately", t("exams.visibleNow")], ["at_conclusion", t("exams.visibleConclusion")], ["at_publication", t("exams.visiblePublication")]] })}
  ${h(Choice, { name: "ranking", label: t("exams.ranking"), required: true, hint: t("exams.rankingHint"),
    options: [["standard", t("exams.rankingStandard")], ["dense", t("exams.rankingDense")], ["time", t("exams.rankingTime")]] })}`;

/** @param {{ exam: Exam, people: Reading<People> }} props */
const PeopleStep = ({ exam, people }) => loaded(people, ({ verified, notJoined, others }) => {
  /** @param {string} text @param {string} filters */
  const row = (text, filters) => html`<li><strong class="numbers">${text}</strong> <a href=${`/console/candidates?role=${exam.stage}&${filters}`}>${t("exams.view")}</a></li>`;
  return html`
    <ul class="flow exam-people">
      ${row(t("exams.verified", { count: verified }), `verified=true${notJoined ? "&joined=true" : ""}`)}
      ${notJoined > 0 && row(t("exams.notJoined", { count: notJoined }), "verified=true&joined=false")}
      ${row(t("exams.unverified", { count: others }), "verified=false")}
    </ul>
    ${!verified && h(Note, { kind: "warn" }, html`<p>${t("exams.nobody")}</p><ul>
      ${!notJoined && !others && html`<li>${t("exams.nobodyInStage")} ${exam.stage !== "screening" && html`<a href="/console/advancement">${t("exams.toAdvancement")}</a>`}</li>`}
      ${notJoined > 0 && html`<li>${t("exams.nobodyJoined", { count: notJoined })} ${isAtLeast("manager") && html`<a href="/console/broadcasts/new">${t("exams.remind")}</a>`}</li>`}
      ${others > 0 && html`<li>${t("exams.nobodyApproved", { count: others })} ${isAtLeast("manager") && html`<a href="/console/documents">${t("exams.review")}</a>`}</li>`}
    </ul>`)}
    <p>${t("exams.extra")} <a href=${`/console/exams/${exam.id}/day`}>${t("exams.day")}</a></p>`;
});

/** @param {{ exam: Exam, reading: Reading<Preflight | undefined> }} props */
const ChecksStep = ({ exam, reading }) => loaded(reading, (found) => {
  const checks = found?.checks ?? [];
  const failed = ["error", "warning"].flatMap((level) => checks.filter((each) => each.level === level));
  const passed = checks.filter((each) => each.level === "ok");
  return html`
    ${failed.length ? html`<ul class="sheet exam-checks">${failed.map((each) => h(Finding, { exam, check: each }))}</ul>` : h(Note, { kind: "ok" }, t("exams.ready"))}
    ${passed.length > 0 && html`<details><summary>${t("exams.passed", { count: passed.length })}</summary>
      <ul class="exam-passed">${passed.map((each) => html`<li>${checkName(each.name)}${each.message && html` <span class="muted">${each.message}</span>`}</li>`)}</ul></details>`}
    <div class="acts"><button type="button" class="button" onClick=${reading.again} aria-disabled=${reading.busy}>${reading.busy ? t("exams.checking") : t("exams.checkAgain")}</button></div>`;
});

/** @param {string} name @returns {(typeof KNOWN)[number] | null} */
const known = (name) => KNOWN.find((each) => each === name) ?? null;

/**
 * The name of a check in the reader's language. A check of another plugin keeps the name that the plugin has given
 * it.
 *
 * @param {string} name
 */
function checkName(name) {
  const found = known(name);
  return found ? t(`exams.check.${found}`) : name.replaceAll("_", " ");
}

/** @param {{ exam: Exam, check: CheckReport }} props */
function Finding({ exam, check: { name, level, message, items } }) {
  const found = known(name);
  const isAboutQuestions = items.some((each) => QUESTION.test(each));
  const paper = useRead(async () => (isAboutQuestions ? calls.questions(String(exam.id)) : []), [exam.id, isAboutQuestions]).value ?? [];
  const place = PLACES[name] ?? "service";
  const href = {
    dates: withQuery({ step: "basics" }),
    exams: "/console/exams",
    people: withQuery({ step: "people" }),
    paper: `/console/exams/${exam.id}/paper`,
    service: "/console/house/service",
  }[place];
  const listed = () => html`<ul>${items.map((each) => html`<li>${item(each, paper)}</li>`)}</ul>`;
  return html`<li><div class="acts">${h(Tag, { kind: level === "error" ? "bad" : "warn" }, t(level === "error" ? "exams.error" : "exams.warning"))}<strong>${checkName(name)}</strong></div>
    <p>${message}</p>
    ${items.length > FEW ? html`<details><summary>${t("exams.allItems", { count: items.length })}</summary>${listed()}</details>` : items.length > 0 && listed()}
    <p><span class="muted">${t("exams.whatToDo")}</span> ${found ? t(`exams.do.${found}`) : t("exams.doOther")}
      ${" "}<a href=${href}>${t(`exams.go.${place}`)}</a></p></li>`;
}

/**
 * An item of a check's result. A question is a link with its position in the paper, and its first words.
 *
 * @param {string} text
 * @param {Question[]} paper
 */
function item(text, paper) {
  const id = QUESTION.exec(text)?.[1];
  if (!id) return text;
  const question = paper.find((each) => String(each.id) === id);
  const name = question ? t("exams.questionAt", { position: paper.indexOf(question) + 1 }) : t("exams.questionNumber", { number: id });
  return html`<a href=${`/console/questions/${id}`}>${name}</a>${question && html`<div class="exam-question small">${h(Maths, { of: question })}</div>`}`;
}

/**
 * The buttons to freeze the paper, and to unfreeze it. `again` reads the exam again.
 *
 * @param {{ exam: Exam, again: () => Promise<void> }} props
 */
function Freezing({ exam, again }) {
  const id = String(exam.id);
  const freeze = async (/** @type {string} */ key) => {
    await calls.freeze(id, key);
    await again();
    notice({ text: t("exams.frozen") });
  };
  const unfreeze = async () => {
    await calls.unfreeze(id);
    await again();
    notice({ text: t("exams.unfrozen") });
  };
  return h(Section, { title: t("exams.freezing") }, html`<p>${exam.frozen_at === null ? t("exams.freezingWhy") : t("exams.frozenAt", { at: whenInWords(exam.frozen_at, dates.when) })}</p>
    <div class="acts">${exam.frozen_at === null
      ? h(Act, { act: freeze, kind: "first" }, t("exams.freeze", { count: exam.question_count }))
      : h(Act, { act: unfreeze }, t("exams.unfreeze"))}</div>`);
}

/** @param {{ version: Version, query: URLSearchParams, setChanged: (version: Version) => void, mayChange: boolean }} props */
function Planned({ version, query, setChanged, mayChange }) {
  const { exam } = version;
  const id = String(exam.id);
  const isOver = exam.status === "concluded";
  const checks = useRead(async () => (isOver ? undefined : calls.checks(id)), [id, exam.updated_at, isOver]);
  // Don't count the candidates of the stage after the exam: they may have moved to another stage since.
  const people = useRead(async () => (isOver ? undefined : calls.people(exam.stage)), [exam.stage, isOver]);
  useReturn(checks.again);
  useReturn(people.again);
  // How often the date was removed. The form of the basics then begins again, because it would show the old date.
  const [removals, setRemovals] = useState(0);
  // The first step that is not done, undefined until it is known. The page stays at this step: if it went on after a
  // save, the next step would appear in place of the form.
  const begun = useRef(/** @type {Step | undefined} */ (undefined));
  begun.current ??= isOver ? "results" : !exam.scheduled_date ? "basics" : !exam.question_count ? "paper" : people.value?.verified === 0 ? "people" : people.value || people.error ? "checks" : undefined;
  const shown = STEPS.find((each) => each === query.get("step")) ?? begun.current;
  /** @param {{ exam: any, etag: string | null }} saved */
  const saved = (saved) => setChanged({ exam: { ...exam, ...saved.exam, questions: exam.questions }, etag: saved.etag });
  const again = async () => {
    setChanged(await calls.exam(id));
    checks.again();
  };
  const steps = h(Steps, { steps: progress(exam, checks.value, people.value), shown });
  if (!shown) return html`${steps}${h(Loading, {})}`;
  const next = STEPS[STEPS.indexOf(shown) + 1];
  return html`${steps}
    ${h(Unread, { readings: [...(shown === "checks" ? [] : [checks]), ...(shown === "people" ? [] : [people])] })}
    ${h(Section, { key: shown, title: t(`exams.step.${shown}`) }, html`<p class="muted">${t(`exams.why.${shown}`)}</p>
      ${shown === "basics" && html`<fieldset disabled=${!mayChange}>${h(Change, {
          key: `basics ${removals}`, version, saved, write: basics, agree: async (changes, before, opened) => (await mayRemove(changes, opened)) && (await mayOpen(changes, opened)) && mayClose(id, changes, before),
          read: ({ title, stage, round, scheduled_date, open_duration_hours, countdown_minutes, description }) =>
            ({ title, stage, round: String(round), scheduled_date, open_duration_hours: String(open_duration_hours), countdown_minutes: String(countdown_minutes), description }),
        }, h(Basics, {}))}</fieldset>
        ${mayChange && h(Stopping, { version, saved, undated: () => setRemovals(removals + 1) })}`}
      ${shown === "paper" && html`<p>${exam.question_count ? h(Difficulties, { exam }) : t("exams.needsQuestions")}</p>
        ${mayChange && html`<div class="acts"><a class="button first" href=${`${EXAMS}/${id}/paper`}>${exam.question_count ? t("exams.changePaper") : t("exams.choose")}</a></div>`}`}
      ${shown === "people" && isOver && h(Note, { kind: "info" }, html`<p>${t("exams.peopleOver")} <a href=${`${EXAMS}/${id}/results`}>${t("exams.theResults")}</a></p>`)}
      ${shown === "people" && !isOver && h(PeopleStep, { exam, people })}
      ${shown === "checks" && isOver && h(Note, { kind: "info" }, t("exams.overChecks"))}
      ${shown === "checks" && !isOver && html`${h(ChecksStep, { exam, reading: checks })}
        ${mayChange && exam.question_count > 0 && ["draft", "scheduled", "cancelled"].includes(exam.status) && h(Freezing, { exam, again })}`}
      ${shown === "results" && html`<fieldset disabled=${!mayChange}>${h(Change, {
        key: "results", version, saved,
        read: ({ scores_visible, ranking }) => ({ scores_visible: scores_visible ?? "default", ranking }),
        write: ({ scores_visible, ranking }) => ({ scores_visible: scores_visible === "default" ? null : scores_visible, ranking }),
      }, h(ResultFields, {}))}</fieldset>`}
      ${mayChange && shown === "results" && exam.question_count > 0 && ["ongoing", "concluded"].includes(exam.status) && html`<p><a href=${`${EXAMS}/${id}/printed`}>${t("results.toPrinted")}</a></p>`}
      ${next && html`<p><a href=${withQuery({ step: next })}>${t("exams.nextStep", { step: t(`exams.step.${next}`) })}</a></p>`}`)}`;
}

/** @param {{ exam: Version["exam"] }} props */
function Difficulties({ exam }) {
  const { easy_questions_count: easy, moderate_questions_count: moderate, hard_questions_count: hard } = exam.questions.question_pool_data;
  return html`${t("exams.hasQuestions", { count: exam.question_count })} ${t("exams.difficulties", { easy, moderate, hard })}`;
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

/** The question before the date of an exam is removed. */
const removal = () => ({ title: t("exams.removeDateTitle"), what: t("exams.removesDate"), verb: t("exams.removeDate") });

/**
 * Ask before an exam is saved without its date, for example because only one of the two fields is filled in. Resolves to
 * whether the exam may be changed.
 *
 * @param {ExamChanges} changes
 * @param {string | null} opens_at The start of the exam before these changes.
 */
const mayRemove = async ({ scheduled_date }, opens_at) => Boolean(scheduled_date) || !opens_at || ask(removal());

/**
 * Remove the date of an exam, switch the exam off and on, and delete it.
 *
 * @param {{ version: Version, saved: (version: { exam: any, etag: string | null }) => void, undated: () => void }} props `undated` is called when the
 *   date is removed.
 */
function Stopping({ version: { exam, etag }, saved, undated }) {
  const id = String(exam.id);
  const change = async (/** @type {boolean} */ is_active) => calls.change(id, { is_active }, etag);

  // Once a candidate has started, the date stays. Their start has frozen the paper.
  const hasDate = exam.scheduled_date && (["scheduled", "cancelled"].includes(exam.status) || exam.frozen_at === null);

  async function removeDate() {
    const done = await confirm({ ...removal(), act: () => calls.change(id, { scheduled_date: null }, etag) });
    if (!done) return;
    saved(done);
    undated();
    notice({ text: t("exams.isUndated") });
  }

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
    const has = (/** @type {string} */ plugin) => config().plugins.includes(plugin);
    const [working, results, appeals] = await Promise.all([calls.working(id), has("scores") ? calls.countScores(id) : 0, has("appeals") ? calls.countAppeals(id) : 0]);
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
        appeals && t("exams.deletesAppeals", { count: appeals }),
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
    ${hasDate && h(Act, { act: removeDate }, t("exams.removeDate"))}
    ${exam.is_active ? h(Act, { act: switchOff, kind: exam.status === "ongoing" ? "bad" : "" }, t("exams.off")) : h(Act, { act: async () => saved(await change(true)) }, t("exams.on"))}
    ${h(Act, { act: remove, kind: "bad" }, t("exams.delete"))}</div>`);
}
