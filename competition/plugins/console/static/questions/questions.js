// The bank of questions. Admins archive questions here, and add them to exams.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { reportFailures } from "../../../pages/static/pieces/each.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Maths } from "../../../pages/static/pieces/maths.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { Export, filtersOf } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { author, BANK, difficulties, uses } from "./pieces.js";
import { t } from "./words.js";

/** @import { Question, QuestionInBank, Answered } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Selection } from "../../../pages/static/pieces/list.js" */

const KINDS = /** @type {const} */ ({ easy: "ok", moderate: "info", hard: "warn" });
const SHOWN = 80;

// The API archives or adds at most this many questions at once.
const MOST = 500;

/** @param {PageProps} props */
export function Questions({ query }) {
  const archived = query.get("archived") === "true";
  const [version, setVersion] = useState(0);
  const [adding, setAdding] = useState(/** @type {{ questions: QuestionInBank[], clear: () => void } | null} */ (null));
  const [shown, setShown] = useState(/** @type {number[]} */ ([]));
  const answered = useRead(() => calls.answered(shown), [shown.join()]);
  const isRead = shown.every((each) => answered.value?.has(each));
  const staff = useRead(calls.authors, []);
  const authors = (staff.value?.results ?? []).map(({ user }) => /** @type {[string, string]} */ ([user.id, `${user.first_name} ${user.last_name}`]));

  /** @param {Selection<QuestionInBank>} selection */
  async function archive(selection) {
    const questions = await selection.rows();
    const count = questions.length;
    const done = await confirm({
      title: t("questions.archiveTitle", { count }),
      what: t("questions.archives", { count }),
      items: questions.map(named),
      verb: t("questions.archiveThem", { count }),
      danger: true,
      act: (key) => calls.archiveAll(questions.map((each) => each.id), key),
    });
    if (!done) return;
    selection.clear();
    setVersion(version + 1);
    if (done.summary.successful_archives) notice({ text: t("questions.archivedThem", { count: done.summary.successful_archives }) });
    reportFailures(done.details.failed.map((each) => ({ name: nameOf(questions, each.question_id), reason: each.reason })));
  }

  /** @param {Selection<QuestionInBank>} selection */
  const add = async (selection) => setAdding({ questions: await selection.rows(), clear: selection.clear });

  /** @param {Awaited<ReturnType<typeof calls.addToExams>>} report */
  function added({ summary, details }) {
    const questions = adding?.questions ?? [];
    adding?.clear();
    setAdding(null);
    setVersion(version + 1);
    notice({ text: t("questions.added", { count: summary.successful }) + (summary.skipped ? ` ${t("questions.skipped", { count: summary.skipped })}` : "") });
    reportFailures([
      ...details.failed_questions.map((each) => ({ name: nameOf(questions, each.question_id), reason: each.reason })),
      ...details.failed_exams.map((each) => ({ name: t("questions.examNumber", { number: String(each.exam_id) }), reason: each.reason })),
    ]);
  }

  return h(Page, {
    title: t("questions"),
    lead: t("questions.lead"),
    actions: html`<a class="button first" href=${`${BANK}/new`}>${t("questions.new")}</a>
      ${h(ImportLink, { kind: "questions", from: "moderator", text: t("questions.import") })}
      ${h(Export, {
        tables: [{ name: "questions", text: t("questions"), formats: ["gift", "moodle_xml"], read: calls.exported }],
        filters: { ...(archived && { archived: "true" }), ...filtersOf(query, ["search", "difficulty", "used", "with_image", "created_by"]) },
      })}`,
  },
    h(Tabs, { label: t("questions.parts"), name: "archived", tabs: [{ value: "", text: t("questions.inBank") }, { value: "true", text: t("questions.archived") }] }),
    h(Unread, { readings: [staff, { ...answered, value: isRead ? answered.value : undefined }] }),
    list({
      name: t("questions"),
      id: (row) => row.id,
      version,
      fixed: archived ? { archived: "true" } : {},
      call: calls.questions,
      shown: (rows) => setShown(rows.map((each) => each.id)),
      filters: [
        { name: "search", label: t("questions.search") },
        { name: "difficulty", label: t("questions.difficulty"), options: difficulties() },
        { name: "used", label: t("questions.inExams"), options: uses() },
        { name: "with_image", label: t("questions.image"), options: [["true", t("questions.withImage")], ["false", t("questions.withoutImage")]] },
        { name: "created_by", label: t("questions.author"), options: authors },
      ],
      columns: [
        { title: t("questions.question"), sort: "text", cell: (row) => h(Cell, { question: row }) },
        { title: t("questions.difficulty"), sort: "difficulty", cell: (row) => h(Difficulty, { of: row.difficulty }) },
        { title: t("questions.inExams"), cell: (row) => h(InExams, { of: row.exams }) },
        { title: t("questions.right"), cell: (row) => h(Right, { answered: answered.value?.get(row.id) }) },
        { title: t("questions.changed"), sort: "updated_at", cell: (row) => html`${h(When, { at: row.updated_at })}
          ${row.created_by && html`<br /><span class="small muted">${t("questions.writtenBy", { name: author(row.created_by) })}</span>`}` },
      ],
      found: (count) => t("questions.found", { count }),
      empty: archived ? t("questions.noArchived") : t("questions.none"),
      action: !archived && html`<a class="button" href=${`${BANK}/new`}>${t("questions.first")}</a>`,
      ...(isAtLeast("admin") && !archived && {
        select: (selection) => selection.count > MOST
          ? html`<span class="small">${t("questions.tooMany", { count: MOST })}</span>`
          : html`${h(Act, { act: () => add(selection) }, t("questions.addThem", { count: selection.count }))}
            ${h(Act, { act: () => archive(selection), kind: "bad" }, t("questions.archiveThem", { count: selection.count }))}`,
      }),
    }),
    adding && h(ExamChooser, {
      count: adding.questions.length,
      onClose: () => setAdding(null),
      send: (exams, key) => calls.addToExams(adding.questions.map((each) => each.id), exams, key),
      done: added,
    }));
}

/** @param {{ of: "easy" | "moderate" | "hard" }} props */
const Difficulty = ({ of }) => h(Tag, { kind: KINDS[of] }, t(`questions.${of}`));

/**
 * The beginning of a question, in words.
 *
 * @param {Question} question
 */
function named(question) {
  const text = (question.spoken?.text ?? question.text).replace(/\s+/g, " ");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/**
 * The latest exam that asks a question, and how many others ask it.
 *
 * @param {{ of: QuestionInBank["exams"] }} props
 */
function InExams({ of: { count, latest } }) {
  if (!latest) return html`<span class="muted">${t("questions.inNoExam")}</span>`;
  return html`${isAtLeast("admin") ? html`<a href=${`/console/exams/${latest.id}`}>${latest.title}</a>` : latest.title}
    ${count > 1 && html`<br /><span class="small muted">${t("questions.andOthers", { count: count - 1 })}</span>`}`;
}

/**
 * The share of right answers to a question in all exams that are over.
 *
 * @param {{ answered: Answered | null | undefined }} props `answered` is undefined until the answers are read.
 */
function Right({ answered }) {
  // The cell keeps its size when the answers arrive, so that no link moves.
  return html`<span class="question-right">${answered === null && html`<span class="muted">${t("questions.notAnswered")}</span>`}
    ${answered && html`<span class="numbers">${number(answered.facility, { style: "percent" })}</span><br /><span class="small muted">${t("questions.ofCandidates", { count: answered.candidates })}</span>`}</span>`;
}

/**
 * Choose the exams that questions are added to.
 *
 * @param {{ count: number, onClose: () => void, send: (exams: number[], key: string) => Promise<any>, done: (report: any) => void }} props
 */
function ExamChooser({ count, onClose, send, done }) {
  const reading = useRead(calls.openToChange, []);
  return h(Dialog, { title: t("questions.addTitle", { count }), onClose }, html`<div class="flow">
    ${loaded(reading, (exams) => h(Form, {
      initial: { exams: [] },
      verb: t("questions.addThem", { count }),
      stays: true,
      check: (values) => (values.exams.length ? /** @type {Record<string, string>} */ ({}) : { exams: t("questions.chooseExam") }),
      send: (values, { key }) => send(values.exams.map(Number), key),
      done,
      actions: html`<button type="button" class="button" onClick=${onClose}>${t("questions.cancel")}</button>`,
    }, h(Choice, { name: "exams", label: t("questions.intoExams"), hint: t("questions.intoHint"), many: true, required: true,
        options: exams.map((each) => /** @type {[string, string]} */ ([String(each.id), t("questions.examChoice", { title: each.title, count: each.question_count })])) })),
    { empty: (exams) => !exams.length, nothing: h(Empty, { action: html`<a class="button" href="/console/exams/new">${t("exams.plan")}</a>` }, t("questions.noExams")) })}
  </div>`);
}

/** A question in a list. Its number is the link, because screen readers don't read formulas in a link well. @param {{ question: Question }} props */
const Cell = ({ question }) => html`<a href=${`/console/questions/${question.id}`}>${t("questions.number", { number: String(question.id) })}</a>
  <div class="question-excerpt">${h(Maths, { of: question })}</div>`;

/**
 * @param {QuestionInBank[]} questions
 * @param {number} id
 */
function nameOf(questions, id) {
  const found = questions.find((each) => each.id === id);
  return found ? named(found) : String(id);
}
