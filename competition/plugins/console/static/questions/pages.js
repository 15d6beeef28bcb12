// The bank of questions, and the editor of a question.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Act, confirm } from "../../../pages/static/pieces/dialog.js";
import { reportFailures } from "../../../pages/static/pieces/each.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Options } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, When } from "../../../pages/static/pieces/page.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { config } from "../../../pages/static/pieces/start.js";
import { Export, filtersOf } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { author, Cell, Corrected, difficulties, Difficulty, ExamChooser, Fields, Images, InExams, named, Preview, Right, Uses, uses } from "./pieces.js";

/** @import { Image, NewQuestion, Question, QuestionInBank } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Selection } from "../../../pages/static/pieces/list.js" */

const BANK = "/console/questions";
// The API archives or adds at most this many questions at once.
const MOST = 500;
const EMPTY = { text: "", option_a: "", option_b: "", option_c: "", option_d: "", correct_answer: "", difficulty: "moderate" };

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

/**
 * @param {QuestionInBank[]} questions
 * @param {number} id
 */
function nameOf(questions, id) {
  const found = questions.find((each) => each.id === id);
  return found ? named(found) : String(id);
}

/** @param {PageProps} props */
export function NewQuestion({ query }) {
  const source = query.get("from");
  const reading = useRead(async () => (source ? (await calls.question(source)).question : null), [source]);
  return h(Page, { title: t("questions.new"), crumbs: [{ href: BANK, text: t("questions") }] },
    loaded(reading, (original) => h(Editor, {
      original,
      initial: original ? values(original) : EMPTY,
      draft: `question.new.${source ?? ""}`,
      verb: t("questions.create"),
      send: (typed, key) => calls.create(typed, key),
      done: async (created) => {
        await go(`${BANK}/${created.id}`);
        notice({ text: t("questions.created") });
      },
    })));
}

/** @param {PageProps} props */
export function OneQuestion({ params, query }) {
  const id = params.id ?? "";
  const reading = useRead(() => calls.question(id), [id]);
  const [saved, setSaved] = useState(/** @type {{ question: Question, etag: string | null } | null} */ (null));
  const known = saved?.question.id === Number(id) ? saved : reading.value;
  const question = known?.question;

  async function archive() {
    const exams = await calls.examsOf(id, null);
    const open = exams.results.filter((each) => ["draft", "scheduled"].includes(each.status));
    const done = await confirm({
      title: t("questions.archiveTitle", { count: 1 }),
      what: open.length ? t("questions.archivesFrom", { count: open.length }) : t("questions.archives", { count: 1 }),
      items: open.map((each) => each.title),
      verb: t("questions.archiveThem", { count: 1 }),
      danger: true,
      act: async () => {
        await calls.archive(Number(id));
        return true;
      },
    });
    if (!done) return;
    if (await go(BANK)) notice({ text: t("questions.archivedThem", { count: 1 }) });
  }

  return h(Page, {
    title: question ? t("questions.number", { number: String(question.id) }) : t("questions.question"),
    crumbs: [{ href: BANK, text: t("questions") }],
    lead: question && html`${question.updated_by ? t("questions.by", { name: author(question.updated_by) }) : t("questions.changed")} ${h(When, { at: question.updated_at })}`,
    actions: question && html`<a class="button" href=${`${BANK}/new`}>${t("questions.another")}</a>
      <a class="button" href=${`${BANK}/new?from=${question.id}`}>${t("questions.copy")}</a>
      ${!question.is_archived && h(Act, { act: archive, kind: "bad" }, t("questions.archive"))}`,
  },
    loaded(reading, (read) => read.question.is_archived
      ? html`${h(Note, { kind: "info" }, html`<p>${t("questions.isArchived")} ${h(When, { at: read.question.archived_at })}</p>`)}
        <div class="sheet pad">${h(Options, { question: read.question, chosen: null, right: [read.question.correct_answer] })}</div>`
      : h(Editor, {
          key: id,
          original: read.question,
          initial: values(read.question),
          etag: (known ?? read).etag,
          verb: t("questions.save"),
          send: async (typed, _key, ifMatch) => {
            const changed = await calls.change(id, typed, ifMatch);
            setSaved(changed);
            return changed.question;
          },
          reread: async () => {
            const now = await calls.question(id);
            return { values: values(now.question), etag: now.etag };
          },
          done: () => notice({ text: t("questions.saved") }),
        })),
    question && isAtLeast("admin") && config().plugins.includes("regrades") && h(Corrected, { question }),
    question && h(Uses, { id, page: query.get("page"), question }));
}

/** @param {Question} question */
const values = ({ text, option_a, option_b, option_c, option_d, correct_answer, difficulty }) => ({ text, option_a, option_b, option_c, option_d, correct_answer, difficulty });

/**
 * The fields of a question, with its preview beside them.
 *
 * @param {object} props
 * @param {string} [props.key]
 * @param {Question | null} props.original The question that the fields begin with.
 * @param {Record<string, string>} props.initial
 * @param {string} props.verb
 * @param {string} [props.draft]
 * @param {string | null} [props.etag]
 * @param {(values: NewQuestion, key: string, ifMatch: string | undefined) => Promise<Question>} props.send
 * @param {() => Promise<{ values: Record<string, any>, etag: string | null }>} [props.reread]
 * @param {(question: Question) => unknown} props.done
 */
function Editor({ original, initial, verb, draft, etag = null, send, reread, done }) {
  const [version, setVersion] = useState(0);
  const [inserting, setInserting] = useState(/** @type {{ choose: (image: Image) => void } | null} */ (null));
  return html`<div class="editor">
    ${h(Form, {
      initial, verb, etag,
      ...(draft && { draft }),
      ...(reread && { reread }),
      send: (typed, { key, ifMatch }) => send(/** @type {NewQuestion} */ (typed), key, ifMatch),
      done,
    }, html`<div class="editor-columns">
      ${h(Fields, {
        insert: (name, at, set, typed) => setInserting({
          choose: (image) => {
            const text = String(typed[name] ?? "");
            set(name, `${text.slice(0, at)}[image:${image.id}]${text.slice(at)}`);
            setInserting(null);
          },
        }),
      })}
      ${h(Preview, { saved: original, version })}
    </div>`)}
    ${inserting && h(Images, { onClose: () => setInserting(null), choose: inserting.choose, changed: () => setVersion((before) => before + 1) })}
  </div>`;
}
