// The list of the candidate's results, and the page of one result with the paper and the receipt.

import { h, html, useEffect } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Sheet, Tag, When } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { OwnReceipt, Paper } from "./pieces.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Exam, Performance, Receipt, Result, Reviewed, Taken } from "./calls.js" */

export function Results() {
  const reading = useRead(calls.results, []);
  useNews(reading.again);
  // Before the first publication, a rank would be one among the few whose scores are known.
  const isPublished = useRead(calls.isStagePublished, []).value === true;
  return h(Page, { title: t("results") }, loaded(
    reading,
    ({ results, stats, ranking }) => html`
      ${stats.total_exams_taken > 0 && h(Sheet, {}, h(Facts, {
        facts: [
          [t("results.average"), t("results.percent", { score: stats.average_score })],
          [t("results.highest"), t("results.percent", { score: stats.highest_score })],
          [t("results.stageRank"), isPublished && ranking.current_rank !== null && t("results.rankOf", { rank: ranking.current_rank, count: ranking.total_candidates })],
        ],
      }))}
      ${table({
        caption: t("results"),
        rows: results,
        id: (row) => row.id,
        columns: [
          { title: t("results.exam"), cell: (row) => html`<a href=${`/results/${row.id}`}>${row.title}</a>${row.exam && html`<span class="small muted">${round(row.exam)}</span>`}` },
          { title: t("results.over"), cell: (row) => (row.exam?.isOpen ? t("results.stillOpen") : h(When, { at: row.exam?.over ?? row.score?.recorded_at ?? null })) },
          { title: t("results.score"), end: true, cell: score },
        ],
      })}`,
    { empty: (value) => value.results.length === 0, nothing: h(Empty, { action: html`<a class="button" href="/exams">${t("results.toExams")}</a>` }, t("results.none")) },
  ));
}

/**
 * Read again after each notification, because it may be about a new score or leaderboard.
 *
 * @param {() => void} again
 */
function useNews(again) {
  useReturn(again);
  useEffect(() => {
    const stop = socket.on("notification_activity", again);
    return () => void stop();
  }, [again]);
}

/** @param {Exam} exam */
const round = (exam) => t("exams.round", { stage: t(`exams.${exam.stage}`), round: exam.round });

/** @param {Result} row */
function score(row) {
  if (row.score) return html`<strong>${t("results.percent", { score: row.score.score })}</strong>`;
  return row.exam?.enrollment === "missed" ? h(Tag, { kind: "warn" }, t("results.missed")) : h(Tag, { kind: "info" }, t("results.notYet"));
}

/** @param {PageProps} props */
export function OneResult({ params }) {
  const id = Number(params.exam);
  const reading = useRead(() => calls.result(id, session.user()?.user.id ?? ""), [id]);
  useNews(reading.again);
  const own = reading.value?.own;
  const title = own?.title ?? reading.value?.performance?.exam_details.title ?? t("results.title");
  return h(
    Page,
    { title, lead: own?.exam && round(own.exam), crumbs: [{ href: "/results", text: t("results") }] },
    loaded(
      reading,
      ({ own, receipt, answers, performance }) => {
        const canAppeal = performance !== null;
        return html`
          ${h(Outcome, { own, receipt, answers, performance })}
          ${canAppeal && html`<div class="acts"><a class="button" href=${`/appeals/new?exam=${id}`}>${t("results.appeal")}</a>
            <a class="button" href=${`/boards/${performance.exam_details.stage}/${performance.exam_details.round}?exam=${id}`}>${t("results.board")}</a></div>`}
          ${receipt && h(OwnReceipt, { title, receipt, answers })}
          ${answers && h(Paper, { exam: id, answers, canAppeal })}`;
      },
      {
        empty: (value) => !value.own && !value.receipt,
        nothing: h(Empty, { action: html`<a class="button" href="/results">${t("results.toAll")}</a>` }, t("results.unknown")),
      },
    ),
  );
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
