// The page of an appeal: the text, the candidate's answer in the exam, and the answer to the appeal, which only admins
// give.

import { when } from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Choice, Select } from "../../../pages/static/pieces/choices.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { LETTERS, Maths } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { Status } from "./pieces.js";
import { t } from "./words.js";

/** @import { Appeal, Answer, Performance, Regrade } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

const LONGEST = 2_000;

/**
 * The page of the appeal whose id is in the address. The query has the filters of the list, for the link back to it.
 *
 * @param {PageProps} props
 */
export function OneOfAll({ params, query }) {
  const id = Number(params.id);
  const reading = useRead(() => calls.appeal(id), [id]);
  const row = reading.value;
  const back = `/console/appeals?${query}`;
  /** @param {Appeal} appeal */
  const answered = async (appeal) => {
    await go(back);
    notice({ text: t("appeals.answered", { name: appeal.candidate.full_name }) });
  };
  return h(
    Page,
    { title: row ? t("appeals.of", { name: row.candidate.full_name }) : t("appeals.one"), crumbs: [{ href: back, text: t("appeals.title") }] },
    loaded(reading, (appeal) => h(OneAppeal, { appeal, answered })),
  );
}

/** @param {{ appeal: Appeal, answered: (appeal: Appeal) => unknown }} props */
function OneAppeal({ appeal, answered }) {
  const name = isAtLeast("admin") ? html`<a href=${`/console/candidates/${appeal.candidate.user_id}`}><bdi>${appeal.candidate.full_name}</bdi></a>` : appeal.candidate.full_name;
  return html`<div class="appeal">
    <div class="flow">
      ${h(Section, { title: t("appeals.says") }, html`<blockquote class="sheet pad plain">${appeal.text}</blockquote>`,
        h(Facts, { facts: [
          [t("appeals.candidate"), name],
          [t("appeals.school"), appeal.candidate.school],
          [t("appeals.exam"), html`<a href=${`/console/boards/${appeal.stage}/${appeal.round}?exam=${appeal.exam}`}>${appeal.exam_title}</a>`],
          [t("appeals.sent"), h(When, { at: appeal.created_at })],
        ] }))}
      ${appeal.status === "open"
        ? isAtLeast("admin") ? h(Ruling, { appeal, answered }) : h(Note, {}, t("appeals.adminsAnswer"))
        : h(Section, { title: t("appeals.answer") }, html`<blockquote class="sheet pad plain">${appeal.answer}</blockquote>
            <p>${h(Status, { status: appeal.status })} <span class="small muted">${appeal.answered_at && whenInWords(appeal.answered_at, when)}</span></p>
            ${appeal.regrade !== null && html`<p>${regradeName(appeal, appeal.regrade)}</p>`}`)}
    </div>
    ${h(Evidence, { appeal })}
  </div>`;
}

/**
 * The number of the regrade with which an appeal was accepted. Only admins may open a regrade.
 *
 * @param {Appeal} appeal
 * @param {number} id
 */
function regradeName({ exam }, id) {
  const name = t("appeals.regradeNumber", { id: String(id) });
  return isAtLeast("admin") ? html`<a href=${`/console/exams/${exam}/regrades/${id}`}>${name}</a>` : name;
}

/** The candidate's answer to the question, and the options that count as right. @param {{ appeal: Appeal }} props */
function Evidence({ appeal }) {
  const reading = useRead(() => calls.answers(appeal), [appeal.id]);
  const heading = appeal.question === null ? t("appeals.result") : t("appeals.theQuestion");
  return h(Section, { title: heading }, loaded(reading, (found) => (found ? h(Found, { appeal, found }) : h(Note, { kind: "warn" }, t("appeals.notRanked")))));
}

/** @param {{ appeal: Appeal, found: Performance }} props */
function Found({ appeal, found }) {
  const { rank, score, submissions } = found.candidate_performance;
  const at = submissions.findIndex((each) => each.question_id === appeal.question);
  const answer = submissions[at];
  const hidden = submissions.filter(isHidden);
  const right = submissions.filter((each) => each.is_correct).length;
  return html`${!answer && hidden[0] && h(Hidden, { of: hidden[0], exam: appeal.exam })}
    ${answer && h(Question, { answer, exam: appeal.exam, position: at + 1, of: submissions.length })}
    ${h(Facts, { facts: [
      [t("appeals.score"), number(score, { minimumFractionDigits: 2 })],
      [t("appeals.rank"), number(rank)],
      [t("appeals.right"), submissions.length > 0 && !hidden.length && t("appeals.rightOf", { right: number(right), of: number(submissions.length) })],
    ] })}`;
}

/** Whether the service hides the answers, because another exam asks the question. @param {Answer} answer */
const isHidden = (answer) => answer.withheld || answer.answer_hidden;

/**
 * Why answers are hidden, until when, and because of which exams.
 *
 * @param {{ of: Answer, exam: number }} props
 */
function Hidden({ of, exam }) {
  const reading = useRead(() => calls.otherExams(of.question_id, exam), [of.question_id, exam]);
  return h(Note, { kind: "warn" }, html`<p>${t("appeals.withheld")}</p>`, loaded(reading, (exams) => html`<ul>${exams.map((each) => html`<li key=${each.id}>
    ${each.scheduled_date ? t("appeals.withheldBy", { title: each.title, when: whenInWords(each.scheduled_date, when) }) : t("appeals.withheldByDraft", { title: each.title })}</li>`)}</ul>`));
}

/** @param {{ answer: Answer, exam: number, position: number, of: number }} props */
function Question({ answer, exam, position, of }) {
  const question = { ...answer, text: answer.question_text };
  return html`<div class="sheet pad flow">
    <p class="small muted">${t("appeals.position", { position: number(position), of: number(of) })}</p>
    <div>${h(Maths, { of: question })}</div>
    <ol class="choices">${LETTERS.map((letter) => html`<li><kbd>${letter}</kbd> <span>${h(Maths, { of: question, part: /** @type {"option_a"} */ (`option_${letter.toLowerCase()}`) })}</span>
      ${answer.accepted?.includes(letter) && h(Tag, { kind: "ok" }, t("appeals.isRight"))}
      ${answer.selected_option === letter && h(Tag, { kind: answer.is_correct === false ? "bad" : "info" }, t("appeals.chosen"))}</li>`)}</ol>
    ${isHidden(answer) ? h(Hidden, { of: answer, exam }) : !answer.selected_option && html`<p>${t("appeals.blank")}</p>`}
    ${answer.accepted?.length === 0 && html`<p>${t("appeals.void")}</p>`}
  </div>`;
}

/** @param {{ appeal: Appeal, answered: (appeal: Appeal) => unknown }} props */
function Ruling({ appeal, answered }) {
  const regrades = useRead(() => calls.regrades(appeal.exam), [appeal.exam]);
  return h(
    Section,
    { title: t("appeals.answer") },
    loaded(regrades, (found) => h(
      Form,
      {
        initial: { status: "", answer: "", regrade: "" },
        draft: `appeal.${appeal.id}`,
        verb: t("appeals.send"),
        danger: true,
        send: (values) => confirm({
          title: t(values.status === "accepted" ? "appeals.accept" : "appeals.reject"),
          what: t(values.status === "accepted" ? "appeals.accepts" : "appeals.rejects", { name: appeal.candidate.full_name }),
          verb: t(values.status === "accepted" ? "appeals.acceptOne" : "appeals.rejectOne"),
          danger: true,
          act: () => calls.answer(appeal.id, { status: values.status, answer: values.answer, ...(values.regrade && { regrade: Number(values.regrade) }) }),
        }),
        done: (reply) => reply && answered(reply),
      },
      h(Choice, { name: "status", label: t("appeals.ruling"), required: true, options: [["accepted", t("appeals.ruling.accepted")], ["rejected", t("appeals.ruling.rejected")]] }),
      h(Field, { name: "answer", label: t("appeals.text"), hint: t("appeals.textHint"), rows: 5, maxlength: LONGEST, required: true }),
      html`<p class="small">${t("appeals.correctFirst")} <a href=${`/console/exams/${appeal.exam}/regrades`}>${t("appeals.correct")}</a></p>`,
      found.length > 0 && h(Select, { name: "regrade", label: t("appeals.regrade"), hint: t("appeals.regradeHint"), options: [["", t("appeals.noRegrade")], ...found.map(option)] }),
    )),
  );
}

/** @param {Regrade} regrade @returns {[string, string]} */
const option = (regrade) => [String(regrade.id), `${regrade.reason} (${whenInWords(regrade.applied_at ?? regrade.created_at, when)})`];
