// Components of the plan of an exam, and of its paper.

import { Refused } from "../../../pages/static/ground/api.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useLayoutEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { guard, withQuery } from "../../../pages/static/ground/router.js";
import { Act, ask } from "../../../pages/static/pieces/dialog.js";
import { DateTime } from "../../../pages/static/pieces/fields.js";
import { Choice, Select } from "../../../pages/static/pieces/choices.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { LETTERS, Maths } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Section, Tag, When, whenInWords } from "../../../pages/static/pieces/page.js";
import { PrintButton, PrintSheet } from "../../../pages/static/pieces/print.js";
import { config } from "../../../pages/static/pieces/start.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { EXAM_STAGES, isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import { inZone } from "../zone.js";
import * as calls from "./calls.js";

/** @import { CheckReport, Exam, ExamChanges, People, Preflight, Question, Version } from "./calls.js" */
/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Kind } from "../../../pages/static/pieces/notice.js" */
/**
 * @template T
 * @typedef {import("../../../pages/static/pieces/states.js").Reading<T>} Reading
 */
/** @typedef {"draft" | "scheduled" | "ongoing" | "concluded" | "cancelled"} State */
/** @typedef {"basics" | "paper" | "people" | "checks" | "results"} Step */
/** @typedef {{ kind: Kind | "", word: string, summary: Children }} Progress The progress of a step. */
/** @typedef {{ id: number, title: string, stage: "screening" | "league" | "final", round: number, status: State, scheduled_date: string | null, question_count: number }} Row */

export const STEPS = /** @type {const} */ (["basics", "paper", "people", "checks", "results"]);
const STATES = /** @type {const} */ (["scheduled", "ongoing", "draft", "concluded", "cancelled"]);
const KINDS = /** @type {const} */ ({ draft: "", scheduled: "info", ongoing: "ok", concluded: "", cancelled: "bad" });
const SHOWN = 80;
// The place where staff can solve the problem that a check has found, by the name of the check. Problems of all
// other checks are for the operator of the service.
/** @type {Record<string, "dates" | "exams" | "people" | "paper">} */
const PLACES = {
  window: "dates", overlap: "exams", round: "dates", candidates: "people",
  questions: "paper", archived: "paper", duplicates: "paper", formulas: "paper", key: "paper", shared_questions: "paper",
};
const KNOWN = /** @type {const} */ ([
  "window", "overlap", "round", "candidates", "questions", "archived", "duplicates", "formulas", "key", "shared_questions",
  "worker", "mail", "sockets", "redis", "storage", "capacity", "limits", "backups",
]);

/** @type {() => [string, string][]} */
export const stages = () => EXAM_STAGES.map((each) => [each, t(`exams.${each}`)]);
/** @type {() => [string, string][]} */
export const states = () => STATES.map((each) => [each, t(`exams.state.${each}`)]);

/** @param {{ of: State }} props */
export const StateTag = ({ of }) => h(Tag, { kind: KINDS[of] }, t(`exams.state.${of}`));

/** @param {{ stage: "screening" | "league" | "final", round: number }} exam */
export const stageOf = ({ stage, round }) => t("exams.stageRound", { stage: t(`exams.${stage}`), round });

/** The columns of a list of exams. @type {() => import("../../../pages/static/pieces/table.js").Column<Row>[]} */
export const columns = () => [
  { title: t("exams.exam"), sort: "title", cell: (row) => html`<a href=${`/console/exams/${row.id}`}>${row.title}</a><span class="small muted">${stageOf(row)}</span>` },
  { title: t("exams.state"), cell: (row) => h(StateTag, { of: row.status }) },
  { title: t("exams.opens"), sort: "scheduled_date", cell: (row) => h(When, { at: row.scheduled_date, none: t("exams.noDate") }) },
  { title: t("exams.questions"), end: true, cell: (row) => (row.question_count ? String(row.question_count) : html`<strong>${t("exams.noQuestions")}</strong>`) },
  { title: t("exams.go"), cell: (row) => html`<span class="acts">${row.status === "ongoing" && html`<a href=${`/console/exams/${row.id}/day`}>${t("exams.day")}</a>`}
    ${row.status === "concluded" && html`<a href=${`/console/exams/${row.id}/results`}>${t("exams.theResults")}</a>`}
    ${["draft", "scheduled", "cancelled"].includes(row.status) && html`<a href=${`/console/exams/${row.id}`}>${t("exams.continue")}</a>`}</span>` },
];

/** The fields that every exam needs. */
export const Basics = () => html`
  ${h(Field, { name: "title", label: t("exams.title"), required: true, maxlength: 255, hint: t("exams.titleHint") })}
  ${h(Select, { name: "stage", label: t("exams.stage"), required: true, options: stages(), hint: t("exams.stageHint") })}
  ${h(Field, { name: "round", label: t("exams.round"), type: "number", inputmode: "numeric", required: true, hint: t("exams.roundHint") })}
  ${h(DateTime, { name: "scheduled_date", label: t("exams.opens"), hint: t("exams.opensHint") })}
  ${h(Field, { name: "open_duration_hours", label: t("exams.hours"), type: "number", inputmode: "numeric", required: true, hint: t("exams.hoursHint") })}
  ${h(Field, { name: "countdown_minutes", label: t("exams.minutes"), type: "number", inputmode: "numeric", required: true, hint: t("exams.minutesHint") })}
  ${h(Field, { name: "description", label: t("exams.description"), rows: 4, maxlength: 10_000, hint: t("exams.descriptionHint") })}`;

/**
 * The values of the form, as the API expects them.
 *
 * @param {Record<string, any>} typed
 */
export const basics = ({ title, stage, round, scheduled_date, open_duration_hours, countdown_minutes, description }) => ({
  title, stage, scheduled_date, description,
  round: Number(round),
  open_duration_hours: Number(open_duration_hours),
  countdown_minutes: Number(countdown_minutes),
});

/**
 * The progress of each step of the plan.
 *
 * @param {Exam} exam
 * @param {Preflight | undefined} checks
 * @param {People | undefined} people
 * @returns {Record<Step, Progress>}
 */
export function progress(exam, checks, people) {
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
      : people ? { ...(people.verified ? done : missing), summary: t("exams.peopleNow", people) } : unknown,
    checks: checks
      ? { kind: errors ? "bad" : warnings ? "warn" : "ok", word: errors ? t("exams.notReady") : warnings ? t("exams.look") : t("exams.done"),
          summary: errors || warnings ? `${t("exams.errors", { count: errors })}, ${t("exams.warnings", { count: warnings })}` : t("exams.allPassed") }
      : exam.status === "concluded" ? { kind: "", word: t("exams.state.concluded"), summary: t("exams.overChecks") } : unknown,
    results: { ...done, summary: t("exams.resultsNow", { visible: visible(exam.scores_visible), ranking: t(`exams.ranking.${exam.ranking}`) }) },
  };
}

/** @param {{ steps: Record<Step, Progress>, shown: Step }} props */
export const Steps = ({ steps, shown }) => html`<nav aria-label=${t("exams.steps")}><ol class="sheet exam-steps">
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
 *   them.
 * @param {(version: { etag: string | null, exam: any }) => void} props.saved
 * @param {Children} [props.children]
 */
export function Change({ version, read, write, agree, saved, children }) {
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
export const ResultFields = () => html`
  ${h(Choice, { name: "scores_visible", label: t("exams.visible"), required: true, hint: t("exams.visibleHint"),
    options: [["default", t("exams.visibleDefault", { visible: visibleByDefault() })], ["immediately", t("exams.visibleNow")], ["at_conclusion", t("exams.visibleConclusion")], ["at_publication", t("exams.visiblePublication")]] })}
  ${h(Choice, { name: "ranking", label: t("exams.ranking"), required: true, hint: t("exams.rankingHint"),
    options: [["standard", t("exams.rankingStandard")], ["dense", t("exams.rankingDense")], ["time", t("exams.rankingTime")]] })}`;

/** @param {{ exam: Exam, people: Reading<People> }} props */
export const PeopleStep = ({ exam, people }) => loaded(people, ({ verified, others }) => html`
  <ul class="flow exam-people">
    <li><strong class="numbers">${t("exams.verified", { count: verified })}</strong> <a href=${`/console/candidates?role=${exam.stage}&verified=true`}>${t("exams.view")}</a></li>
    <li><strong class="numbers">${t("exams.unverified", { count: others })}</strong> <a href=${`/console/candidates?role=${exam.stage}&verified=false`}>${t("exams.view")}</a></li>
  </ul>
  ${!verified && h(Note, { kind: "warn" }, html`<p>${t("exams.nobody")} ${isAtLeast("manager") && html`<a href="/console/documents">${t("exams.review")}</a>`}</p>`)}
  <p>${t("exams.extra")} <a href=${`/console/exams/${exam.id}/day`}>${t("exams.day")}</a></p>`);

/** @param {{ exam: Exam, reading: Reading<Preflight | undefined> }} props */
export const ChecksStep = ({ exam, reading }) => loaded(reading, (found) => {
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
    people: `/console/candidates?role=${exam.stage}&verified=false`,
    paper: `/console/exams/${exam.id}/paper`,
    service: "/console/house/service",
  }[place];
  return html`<li><div class="acts">${h(Tag, { kind: level === "error" ? "bad" : "warn" }, t(level === "error" ? "exams.error" : "exams.warning"))}<strong>${checkName(name)}</strong></div>
    <p>${message}</p>
    ${items.length > 0 && html`<ul>${items.map((each) => html`<li>${item(each, paper)}</li>`)}</ul>`}
    <p><span class="muted">${t("exams.whatToDo")}</span> ${found ? t(`exams.do.${found}`) : t("exams.doOther")}
      ${" "}<a href=${href}>${t(`exams.go.${place}`)}</a></p></li>`;
}

/** How a check names a question of the bank. */
const QUESTION = /^question (\d+)$/;

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
export function Freezing({ exam, again }) {
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

/**
 * The beginning of a question, in words.
 *
 * @param {{ text: string, spoken: { text: string } | null }} question
 */
function named(question) {
  const text = (question.spoken?.text ?? question.text).replace(/\s+/g, " ");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/**
 * The editor of a paper. The user moves, removes and adds questions, and then saves all changes together.
 *
 * @param {{ version: Version, questions: Question[] }} props
 */
export function Paper({ version, questions }) {
  const { exam } = version;
  const [order, setOrder] = useState(questions);
  const [etag, setEtag] = useState(version.etag);
  const [saved, setSaved] = useState(questions);
  const [said, say] = useState("");
  const [dragged, drag] = useState(/** @type {number | null} */ (null));
  const [over, setOver] = useState(/** @type {number | null} */ (null));
  const [theirs, setTheirs] = useState(/** @type {{ questions: Question[], etag: string | null } | null} */ (null));
  const [fixed, setFixed] = useState(false);
  const focus = useRef(/** @type {string | null} */ (null));
  const ids = (/** @type {Question[]} */ all) => all.map((each) => each.id).join();
  const isChanged = ids(order) !== ids(saved);
  // A paper that was frozen before the page was opened. If it is frozen meanwhile, the changes stay on the page.
  const isFixed = exam.frozen_at !== null;

  useLayoutEffect(() => (isChanged ? guard(mayLeave) : undefined), [isChanged]);
  useEffect(() => {
    // Give the focus back, because the browser takes it from an element that is moved.
    if (focus.current) document.getElementById(focus.current)?.focus();
    focus.current = null;
  }, [order]);

  /**
   * @param {number} from
   * @param {number} to
   * @param {string} [button] The button that has the focus afterwards.
   */
  function move(from, to, button) {
    const question = order[from];
    const place = Math.max(0, Math.min(order.length - 1, to));
    if (!question || place === from) return;
    const rest = order.filter((each) => each !== question);
    if (button) focus.current = `${button}-${question.id}`;
    setOrder([...rest.slice(0, place), question, ...rest.slice(place)]);
    say(t("exams.moved", { name: named(question), position: place + 1, count: order.length }));
  }

  /** @param {number} at */
  function remove(at) {
    const question = order[at];
    if (!question) return;
    const next = order[at + 1] ?? order[at - 1];
    focus.current = next ? `remove-${next.id}` : "paper-title";
    setOrder(order.filter((each) => each !== question));
    say(t("exams.removed", { name: named(question) }));
  }

  /** @param {Question} question */
  function add(question) {
    // The button disappears, so the next one gets the focus.
    const buttons = [...document.querySelectorAll("button[id^=add-]")];
    const at = buttons.findIndex((each) => each.id === `add-${question.id}`);
    focus.current = (buttons[at + 1] ?? buttons[at - 1])?.id ?? "paper-title";
    setOrder([...order, question]);
    say(t("exams.addedAt", { name: named(question), position: order.length + 1 }));
  }

  /** @param {string | null} [ifMatch] */
  async function save(ifMatch = etag) {
    setFixed(false);
    try {
      const reply = await calls.change(String(exam.id), { questions: order.map((each) => each.id) }, ifMatch);
      setTheirs(null);
      setEtag(reply.etag);
      if (reply.exam.questions.join() !== ids(order)) return setFixed(true);
      setSaved(order);
      // The button that was pressed disappears.
      document.getElementById("paper-title")?.focus();
      notice({ text: t("exams.paperSaved", { count: order.length }) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === 412) {
        const [now, all] = await Promise.all([calls.exam(String(exam.id)), calls.questions(String(exam.id))]);
        return setTheirs({ questions: all, etag: now.etag });
      }
      if (error.errors.questions && !order.some((each) => each.is_archived)) return setFixed(true);
      throw error;
    }
  }

  function takeTheirs() {
    if (!theirs) return;
    setOrder(theirs.questions);
    setSaved(theirs.questions);
    setEtag(theirs.etag);
    setTheirs(null);
  }

  /** @param {KeyboardEvent} event @param {number} at */
  const key = (event, at) => {
    if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    const button = event.target instanceof HTMLElement ? event.target.id.split("-")[0] : undefined;
    move(at, at + (event.key === "ArrowUp" ? -1 : 1), button);
  };

  return html`<div class="exam-columns">
    <section class="flow" aria-labelledby="paper-title">
      <div class="head"><h2 id="paper-title" tabindex="-1">${t("exams.inPaper", { count: order.length })}</h2>
        <div class="acts">${!isChanged && saved.length > 0 && html`${h(PrintButton, { content: () => h(PrintedPaper, { exam, questions: saved }) }, t("exams.print"))}
          ${h(PrintButton, { content: () => h(PrintedKey, { exam, questions: saved }) }, t("exams.printKey"))}`}
        ${!isFixed && html`<a class="button exam-to-bank" href="#bank">${t("exams.bank")}</a>`}</div></div>
      <p class="hide" role="status">${said}</p>
      ${theirs && h(Note, { kind: "warn", alert: true }, html`<p>${t("exams.theirs", { count: theirs.questions.length })}</p>
        <div class="acts"><button type="button" class="button" onClick=${takeTheirs}>${t("exams.takeTheirs")}</button>
        ${h(Act, { act: () => save(theirs.etag) }, t("exams.keepMine"))}</div>`)}
      ${isFixed && !fixed && h(Note, {}, html`<p>${t("exams.paperFixed")} <a href=${`/console/exams/${exam.id}?step=checks`}>${t("exams.toFreezing")}</a></p>`)}
      ${fixed && h(Note, { kind: "bad", alert: true }, html`<p>${t("exams.isFrozen")} <a href=${`/console/exams/${exam.id}?step=checks`}>${t("exams.toFreezing")}</a></p>`)}
      ${order.length
        ? isFixed ? h(FixedPaper, { questions: order }) : html`<p class="small muted">${t("exams.howToMove")}</p><ol class="sheet exam-paper">
          ${order.map((question, at) => html`<li key=${question.id} class=${over === at && dragged !== null && dragged !== at ? `over ${dragged < at ? "after" : ""}` : ""} draggable
              onDragStart=${(/** @type {DragEvent} */ event) => {
                event.dataTransfer?.setData("text/plain", String(question.id));
                drag(at);
              }}
              onDragOver=${(/** @type {DragEvent} */ event) => {
                if (dragged === null) return;
                event.preventDefault();
                setOver(at);
              }}
              onDrop=${(/** @type {DragEvent} */ event) => {
                event.preventDefault();
                if (dragged !== null) move(dragged, at);
                drag(null);
              }}
              onDragEnd=${() => drag(null)} onKeyDown=${(/** @type {KeyboardEvent} */ event) => key(event, at)}>
            <input id=${`at-${question.id}`} class="field numbers" type="number" min="1" max=${order.length} value=${at + 1} aria-label=${t("exams.positionOf", { name: named(question) })}
              onChange=${(/** @type {any} */ event) => {
                const to = Number(event.currentTarget.value) - 1;
                event.currentTarget.value = String(at + 1);
                move(at, to, "at");
              }} />
            <div class="exam-question">${h(Maths, { of: question })}${question.is_archived && html` ${h(Tag, { kind: "bad" }, t("exams.archived"))}`}</div>
            <div class="acts">
              <button type="button" id=${`up-${question.id}`} class="button small" aria-label=${t("exams.upOf", { name: named(question) })} aria-disabled=${at === 0} onClick=${() => move(at, at - 1, "up")}>${t("exams.up")}</button>
              <button type="button" id=${`down-${question.id}`} class="button small" aria-label=${t("exams.downOf", { name: named(question) })} aria-disabled=${at === order.length - 1} onClick=${() => move(at, at + 1, "down")}>${t("exams.down")}</button>
              <button type="button" id=${`remove-${question.id}`} class="button small" aria-label=${t("exams.removeOf", { name: named(question) })} onClick=${() => remove(at)}>${t("exams.remove")}</button>
            </div></li>`)}</ol>`
        : h(Empty, {}, t("exams.emptyPaper"))}
      ${!isChanged && saved.length > 0 && html`<p><a href=${`/console/exams/${exam.id}?step=people`}>${t("exams.nextStep", { step: t("exams.step.people") })}</a></p>`}
      ${isChanged && html`<div class="exam-save acts">${h(Act, { act: () => save(), kind: "first" }, t("exams.savePaper", { count: order.length }))}
        <button type="button" class="button" onClick=${() => (setOrder(saved), say(t("exams.undone")))}>${t("exams.undo")}</button><span class="small muted">${t("exams.notSaved")}</span></div>`}
    </section>
    ${!isFixed && html`<div id="bank">${h(Section, { title: t("exams.bank") }, h(Bank, { order, add }))}</div>`}
  </div>`;
}

/** The questions of a paper that can't be changed. @param {{ questions: Question[] }} props */
const FixedPaper = ({ questions }) => html`<ol class="sheet exam-paper">${questions.map((question, at) => html`<li key=${question.id}>
  <span class="numbers">${at + 1}</span><div class="exam-question">${h(Maths, { of: question })}</div></li>`)}</ol>`;

/** @type {() => Promise<boolean>} */
const mayLeave = () => ask({ title: t("exams.leave"), what: t("exams.notSaved"), verb: t("exams.discard"), danger: true, cancel: t("exams.stay") });

/** @param {{ order: Question[], add: (question: Question) => void }} props */
function Bank({ order, add }) {
  const here = new Set(order.map((each) => each.id));
  return list({
    name: t("exams.bank"),
    id: (row) => row.id,
    call: calls.bank,
    filters: [
      { name: "search", label: t("questions.search") },
      { name: "difficulty", label: t("questions.difficulty"), options: [["easy", t("questions.easy")], ["moderate", t("questions.moderate")], ["hard", t("questions.hard")]] },
      { name: "used", label: t("questions.inExams"), options: [["true", t("questions.used")], ["false", t("questions.neverUsed")]] },
    ],
    columns: [
      { title: t("questions.question"), cell: (row) => html`<div class="exam-question">${h(Maths, { of: row })}</div><span class="small muted">${[t(`questions.${row.difficulty}`), row.exams.latest && t("exams.lastIn", { exam: row.exams.latest.title })].filter(Boolean).join(" · ")}</span>` },
      { title: t("exams.add"), cell: (row) => (here.has(row.id)
        ? html`<span class="muted">${t("exams.isIn")}</span>`
        : html`<button type="button" id=${`add-${row.id}`} class="button" aria-label=${t("exams.addOf", { name: named(row) })} onClick=${() => add(row)}>${t("exams.add")}</button>`) },
    ],
    empty: t("questions.none"),
    action: html`<a class="button" href="/console/questions/new">${t("questions.first")}</a>`,
  });
}

/**
 * The paper, for schools without a network.
 *
 * @param {{ exam: Exam, questions: Question[] }} props
 */
const PrintedPaper = ({ exam, questions }) => h(PrintSheet, { title: exam.title, detail: t("exams.sheet", { stage: stageOf(exam), minutes: exam.countdown_minutes, count: questions.length }) },
  html`<p class="lines-to-fill"><span>${t("exams.sheetName")}</span><span>${t("exams.sheetSchool")}</span><span>${t("exams.sheetSeat")}</span></p>
  ${exam.description && html`<p class="plain">${exam.description}</p>`}<ol class="printed-questions">${questions.map((question) => html`<li>
    <div>${h(Maths, { of: question })}</div>
    <ol>${LETTERS.map((each) => html`<li>${h(Maths, { of: question, part: /** @type {const} */ (`option_${/** @type {"a" | "b" | "c" | "d"} */ (each.toLowerCase())}`) })}</li>`)}</ol>
  </li>`)}</ol>`);

/**
 * The answer key, on a sheet of its own.
 *
 * @param {{ exam: Exam, questions: Question[] }} props
 */
const PrintedKey = ({ exam, questions }) => h(PrintSheet, { title: t("exams.keyOf", { title: exam.title }), detail: stageOf(exam) },
  html`<p><strong>${t("exams.secret")}</strong></p><ol class="printed-key">${questions.map((each) => html`<li>${each.correct_answer}</li>`)}</ol>`);
