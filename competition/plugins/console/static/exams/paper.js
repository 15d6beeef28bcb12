// The page of an exam's paper: its questions in their order, the question bank beside them, and printed sheets of the
// paper and its answer key. The changes are saved together.

import { Refused } from "../../../pages/static/ground/api.js";
import { h, html, useEffect, useLayoutEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { guard } from "../../../pages/static/ground/router.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { ask } from "../../../pages/static/pieces/dialog.js";
import { list } from "../../../pages/static/pieces/list.js";
import { LETTERS, Maths } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { PrintButton, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { Export } from "../exports.js";
import { ImportLink } from "../importing.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { crumb, crumbs, EXAMS, stageOf } from "./pieces.js";
import { t } from "./words.js";

/** @import { Version, Exam, Question } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

const SHOWN = 80;

/** @param {PageProps} props */
export function PaperPage({ params }) {
  const id = params.id ?? "";
  const reading = useRead(async () => {
    const [version, questions] = await Promise.all([calls.exam(id), calls.questions(id)]);
    return { version, questions };
  }, [id]);
  const exam = reading.value?.version.exam;
  const season = useSeason(exam?.season);
  return h(Page, {
    title: t("exams.paper"),
    crumbs: [...crumbs(), ...(exam ? [crumb(exam)] : [])],
    lead: t("exams.paperLead"),
    actions: html`<a class="button" href=${`${EXAMS}/${id}/preview`}>${t("exams.preview")}</a>
      ${exam && !isClosed(season) && ["draft", "scheduled"].includes(exam.status) && h(ImportLink, { kind: "questions", from: "admin", exam: id, text: t("questions.import") })}
      ${exam && exam.question_count > 0 && h(Export, { tables: [{ name: "questions", text: t("exams.paper"), formats: ["gift", "moodle_xml"], read: (query) => calls.exported({ ...query, exam: id }) }] })}`,
  }, h(ClosedSeason, { season }), loaded(reading, (read) => !isClosed(season) && h(Paper, read)));
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
function Paper({ version, questions }) {
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
  // Whether the paper was frozen before the page was opened. If it is frozen later, the user's changes stay on the
  // page.
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
    // The button that was pressed disappears, so give the focus to the next one.
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
      // The button that was pressed disappears, so give the focus to the heading.
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
