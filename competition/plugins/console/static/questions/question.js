// The page of a question: its editor, corrections that the bank does not have, and the exams that ask it. `pieces.js`
// has the editor.

import { config } from "../../../pages/static/ground/config.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { language, number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { Pages } from "../../../pages/static/pieces/list.js";
import { LETTERS, Options } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { author, BANK, Editor, values } from "./pieces.js";
import { t } from "./words.js";

/** @import { Question, Change, ExamOfQuestion } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

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

/**
 * The exams that ask a question, and how candidates answered it.
 *
 * @param {{ id: string, page: string | null, question: Question }} props
 */
function Uses({ id, page, question }) {
  const reading = useRead(() => calls.examsOf(id, page), [id, page]);
  return h(Section, { title: t("questions.uses") }, loaded(reading, ({ results, pagination }) => html`${table({
    caption: t("questions.uses"),
    id: (row) => row.id,
    rows: results,
    columns: [
      { title: t("questions.exam"), cell: (row) => (isAtLeast("admin") ? html`<a href=${`/console/exams/${row.id}`}>${row.title}</a>` : row.title) },
      { title: t("questions.opens"), cell: (row) => h(When, { at: row.scheduled_date, none: t("questions.draft") }) },
      { title: t("questions.position"), end: true, cell: (row) => number(row.position) },
      { title: t("questions.answers"), cell: (row) => h(Answers, { row, question }) },
    ],
  })}
  ${h(Pages, { position: pagination })}`, { empty: (value) => !value.results.length, nothing: h(Empty, {}, t("questions.unused")) }));
}

/**
 * The corrections of this question in exams, if the bank does not have them.
 *
 * @param {{ question: Question }} props
 */
function Corrected({ question }) {
  const reading = useRead(() => calls.correctionsOf(question.id), [question.id]);
  const words = (/** @type {Change} */ { accept, credit_all: isForAll }) =>
    accept ? t("questions.nowRight", { letters: new Intl.ListFormat(language()).format(accept), count: accept.length }) : t(isForAll ? "questions.nowAll" : "questions.nowVoid");
  const others = reading.value?.filter(({ change: { accept } }) => accept?.join() !== question.correct_answer) ?? [];
  return html`${h(Unread, { readings: [reading] })}
    ${others.length > 0 && h(Note, { kind: "warn" }, html`<p>${t("questions.corrected", { right: question.correct_answer })}</p>
      <ul>${others.map(({ exam, change, regrade }) => html`<li><a href=${`/console/exams/${exam.id}/regrades/${regrade}`}>${exam.title}</a>: ${words(change)}</li>`)}</ul>`)}`;
}

/** @param {{ row: ExamOfQuestion, question: Question }} props */
function Answers({ row: { answers }, question }) {
  if (!answers) return html`<span class="muted">${t("questions.noAnswers")}</span>`;
  const share = (/** @type {number} */ count) => number(answers.candidates ? count / answers.candidates : 0, { style: "percent" });
  return html`<span>${answers.facility !== null && html`<strong>${t("questions.facility", { share: number(answers.facility, { style: "percent" }) })}</strong>`}
    <span class="small muted numbers question-shares">${LETTERS.map((each) => html`<span>${each}${each === question.correct_answer ? " ✓" : ""} ${share(answers[each])}</span>`)}
    <span>${t("questions.omitted", { share: share(answers.omitted) })}</span></span></span>`;
}
