// The page of a result: the score, the receipt, and the paper. The browser verifies the receipt; only if it can't, the
// service does.

import { day } from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { canCheck, check } from "../../../pages/static/ground/receipts.js";
import { usePlace } from "../../../pages/static/ground/router.js";
import { save } from "../../../pages/static/ground/save.js";
import * as session from "../../../pages/static/ground/session.js";
import { LETTERS, Options } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Sheet, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { PrintButton, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { chosen, ofSeason, seasons } from "../seasons.js";
import * as calls from "./calls.js";
import { address, round, useNews } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Performance, Receipt, Result, Reviewed, Taken } from "./calls.js" */
/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Letter, Question } from "../../../pages/static/pieces/maths.js" */
/** @import { Checked } from "../../../pages/static/ground/receipts.js" */

const SIGNED = /** @type {const} */ (["exam", "candidate", "submitted_at", "handed_in_by", "questions", "answered", "salt", "digest", "key_id", "signature"]);

/** @param {PageProps} props */
export function OneResult({ params, query }) {
  const id = Number(params.exam);
  const reading = useRead(() => calls.result(id, session.user()?.user.id ?? "", chosen(query), seasons), [id]);
  useNews(reading.again);
  const { own, season } = reading.value ?? {};
  const title = own?.title ?? reading.value?.performance?.exam_details.title ?? t("results.title");
  return h(
    Page,
    { title, lead: ofSeason(season, own?.exam && round(own.exam)), crumbs: [{ href: address(null, season?.id), text: t("results") }] },
    loaded(
      reading,
      ({ own, season, receipt, answers, performance }) => {
        const canAppeal = performance !== null && season === null;
        return html`
          ${h(Outcome, { own, receipt, answers, performance })}
          ${performance && html`<div class="acts">${canAppeal && html`<a class="button" href=${`/appeals/new?exam=${id}`}>${t("results.appeal")}</a>`}
            <a class="button" href=${`/boards/${performance.exam_details.stage}/${performance.exam_details.round}?exam=${id}${season ? `&season=${season.id}` : ""}`}>${t("results.board")}</a></div>`}
          ${receipt && h(OwnReceipt, { title, receipt, answers })}
          ${answers && h(Paper, { exam: id, answers, canAppeal })}`;
      },
      {
        empty: (value) => !value.own && !value.receipt && !value.performance,
        nothing: h(Empty, { action: html`<a class="button" href="/results">${t("results.toAll")}</a>` }, t("results.unknown")),
      },
    ),
  );
}

/** @type {(answer: Reviewed | Taken) => answer is Reviewed} */
const isReviewed = (answer) => "withheld" in answer;

/**
 * The questions with the candidate's answers and, once they may be shown, the correct ones.
 *
 * @param {{ exam: number, answers: (Reviewed | Taken)[], canAppeal: boolean }} props
 */
function Paper({ exam, answers, canAppeal }) {
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
        // If answers are withheld, the page does not know how many are wrong, so it never shows 0.
        { value: "wrong", text: withheld ? t("results.wrongWithheld", { count: withheld }) : t("results.wrongOnly"), ...((wrong.length > 0 || !withheld) && { count: wrong.length }) },
      ],
    }),
    shown.length === 0 && h(Empty, {}, t(withheld ? "results.nothingKnown" : "results.nothingWrong")),
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
function OwnReceipt({ title, receipt, answers }) {
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

/**
 * The score and the rank, or why one of them can't be seen yet.
 *
 * @param {{ own: Result | null, receipt: Receipt | null, answers: (Reviewed | Taken)[] | null, performance: Performance | null }} props
 */
function Outcome({ own, receipt, answers, performance }) {
  const ranked = performance?.candidate_performance;
  const value = own?.score?.score ?? ranked?.score;
  const isMissed = own?.exam?.enrollment === "missed";
  return html`
    ${(value !== undefined || ranked) && h(Sheet, {}, h(Facts, {
      facts: [
        [t("results.score"), value !== undefined && html`<strong class="figure numbers">${t("results.percent", { score: value })}</strong>`],
        [t("results.rank"), ranked && t("results.rankOf", { rank: ranked.rank, count: performance.exam_details.total_candidates })],
        [t("results.averageOfAll"), performance && t("results.percent", { score: performance.exam_details.average_score })],
        [t("results.givenBy"), own?.score && !own.score.auto_score ? own.score.score_submitted_by || t("results.staff") : null],
      ],
    }))}
    ${isMissed && h(Note, { kind: "warn" }, html`<p>${t("results.missedNote")}</p>`)}
    ${own?.exam && !isMissed && value === undefined && h(Note, {}, html`<p>${t("results.embargo")}</p>`)}
    ${receipt && !answers && own?.exam && h(Note, {}, html`<p>${t("results.answersLater")}</p>`)}
    ${answers && !performance && h(Note, {}, html`<p>${t("results.keyLater")}</p>`)}
    ${receipt?.handed_in_by === "service" && h(Note, {}, html`<p>${t("results.automatic")}</p>`)}`;
}
