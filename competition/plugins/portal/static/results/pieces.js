// The parts of a result: the candidate's paper, and the receipt.

import { day } from "../../../pages/static/ground/dates.js";
import { canCheck, check } from "../../../pages/static/ground/receipts.js";
import { save } from "../../../pages/static/ground/save.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { usePlace } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { LETTERS, Options } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Section, Sheet, Tag, When } from "../../../pages/static/pieces/page.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { PrintButton, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Letter, Question } from "../../../pages/static/pieces/maths.js" */
/** @import { Receipt, Reviewed, Taken } from "./calls.js" */
/** @import { Checked } from "../../../pages/static/ground/receipts.js" */

const SIGNED = /** @type {const} */ (["exam", "candidate", "submitted_at", "handed_in_by", "questions", "answered", "salt", "digest", "key_id", "signature"]);

/** @type {(answer: Reviewed | Taken) => answer is Reviewed} */
const isReviewed = (answer) => "withheld" in answer;

/**
 * The questions with the candidate's answers and, once they may be shown, the correct ones.
 *
 * @param {{ exam: number, answers: (Reviewed | Taken)[], canAppeal: boolean }} props
 */
export function Paper({ exam, answers, canAppeal }) {
  const { query } = usePlace();
  const numbered = answers.map((answer, at) => ({ answer, number: at + 1 }));
  const wrong = numbered.filter(({ answer }) => !answer.selected_option || (isReviewed(answer) && answer.is_correct === false));
  const isReview = answers.some(isReviewed);
  const shown = query.get("show") === "wrong" ? wrong : numbered;
  const withheld = answers.filter((each) => isReviewed(each) && each.withheld).length;
  return h(
    Section,
    { title: t("results.paper") },
    withheld > 0 && h(Note, { kind: "info" }, html`<p>${t("results.withheldNote", { count: withheld })}</p>`),
    isReview && h(Tabs, {
      label: t("results.show"),
      name: "show",
      tabs: [
        { value: "all", text: t("results.all"), count: answers.length },
        { value: "wrong", text: t("results.wrongOnly"), count: wrong.length },
      ],
    }),
    shown.length === 0 && h(Empty, {}, t("results.nothingWrong")),
    shown.map(({ answer, number }) => h(Answer, { key: answer.question_id, exam, answer, number, canAppeal })),
  );
}

/** @param {{ exam: number, answer: Reviewed | Taken, number: number, canAppeal: boolean }} props */
function Answer({ exam, answer, number, canAppeal }) {
  const chosen = /** @type {Letter | null} */ (answer.selected_option || null);
  const accepted = isReviewed(answer) ? answer.accepted : null;
  const right = accepted && LETTERS.filter((each) => accepted.includes(each));
  return h(
    Sheet,
    {},
    html`<div class="head"><h3>${t("results.question", { number })}</h3>${h(Mark, { answer })}</div>
      ${h(Options, { question: question(answer), chosen, ...(right && { right }) })}
      ${canAppeal && html`<p class="small"><a href=${`/appeals/new?exam=${exam}&question=${answer.question_id}`}>${t("results.appealQuestion", { number })}</a></p>`}`,
  );
}

/**
 * Whether an answer is correct, in one or two words. Blank and withheld answers say so.
 *
 * @param {{ answer: Reviewed | Taken }} props
 */
function Mark({ answer }) {
  const isBlank = !answer.selected_option;
  const blank = isBlank && h(Tag, {}, t("results.blank"));
  if (!isReviewed(answer)) return blank;
  if (!answer.withheld && answer.is_correct === false) return isBlank ? blank : h(Tag, { kind: "bad" }, t("results.wrong"));
  const verdict = answer.withheld ? h(Tag, { kind: "info" }, t("results.withheld"))
    : answer.is_correct ? h(Tag, { kind: "ok" }, t("results.correct")) : h(Tag, { kind: "info" }, t("results.void"));
  return html`<span class="acts">${blank}${verdict}</span>`;
}

/**
 * @param {Reviewed | Taken} answer
 * @returns {Question}
 */
const question = ({ question_text: text, ...rest }) => ({ ...rest, text });

/**
 * The receipt of the submission. It is verified as soon as it is shown.
 *
 * @param {{ title: string, receipt: Receipt, answers: { question_id: number, selected_option: string }[] | null }} props
 */
export function OwnReceipt({ title, receipt, answers }) {
  const verdict = useRead(() => verified(receipt, answers), [receipt.signature, answers !== null]);
  const keep = () => save(new Blob([JSON.stringify(receipt, null, 2)], { type: "application/json" }), `receipt-${receipt.exam}.json`);
  return h(
    Section,
    { title: t("results.receipt") },
    h(
      Sheet,
      {},
      html`<p>${t("results.receiptFor")}</p>
        ${loaded(verdict, (found) => h(Note, { kind: isFine(found) ? "ok" : "bad" }, html`<p>${said(found)}</p>`))}
        ${h(ReceiptFacts, { receipt })}
        <details><summary>${t("results.signed")}</summary>${h(Signed, { receipt })}</details>
        <div class="acts">
          <button type="button" class="button" onClick=${keep}>${t("results.save")}</button>
          ${h(PrintButton, { content: () => h(PrintSheet, { title: t("results.receiptOf", { title }), detail: day(receipt.submitted_at) },
            html`${verdict.value && html`<p>${said(verdict.value)}</p>`}${h(ReceiptFacts, { receipt, isPaper: true })}${h(Signed, { receipt })}`) }, t("results.print"))}
        </div>`,
    ),
  );
}

/** @param {{ receipt: Receipt, isPaper?: boolean }} props */
const ReceiptFacts = ({ receipt, isPaper = false }) => h(Facts, {
  facts: [
    [t("results.candidate"), isPaper && `${session.user()?.user.first_name} ${session.user()?.user.last_name}`],
    [t("results.submittedAt"), h(When, { at: receipt.submitted_at })],
    [t("results.submittedBy"), t(receipt.handed_in_by === "service" ? "results.byService" : receipt.handed_in_by === "staff" ? "results.byStaff" : isPaper ? "results.byCandidate" : "results.byYou")],
    [t("results.answered"), t("results.answeredOf", { answered: receipt.answered, count: receipt.questions })],
  ],
});

/** @param {{ receipt: Receipt }} props */
const Signed = ({ receipt }) => h(Facts, {
  // These names are the same in each language: they are the fields of the saved file.
  facts: SIGNED.map((each) => /** @type {[string, Children]} */ ([each, html`<code class="receipt">${String(receipt[each])}</code>`])),
});

/** @param {Checked} verdict */
const isFine = ({ isGenuine, isComplete }) => isGenuine && isComplete !== false;

/** @param {Checked} verdict */
function said({ isGenuine, isComplete }) {
  if (!isGenuine) return t("results.forged");
  if (isComplete === null) return t("results.genuine");
  return t(isComplete ? "results.matches" : "results.differs");
}

/**
 * Verify a receipt in the browser or, if it can't, by the service.
 *
 * @param {Receipt} receipt
 * @param {{ question_id: number, selected_option: string }[] | null} answers
 * @returns {Promise<Checked>}
 */
async function verified(receipt, answers) {
  const given = answers?.filter((each) => each.selected_option) ?? null;
  const sent = given?.map((each) => ({ question: each.question_id, selected_option: /** @type {Letter} */ (each.selected_option) })) ?? null;
  const checked = (await canCheck()) && (await check(receipt, await calls.receiptKeys(), sent));
  if (checked) return checked;
  const { valid, reason } = await calls.verify(receipt, sent);
  return { isGenuine: valid || reason === "answers", isComplete: sent && valid };
}
