// The page of a leaderboard, with the candidate's own rank.

import { clock } from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { withQuery } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Pages } from "../../../pages/static/pieces/list.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { print, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { chosen, ofSeason, useSeason } from "../seasons.js";
import { everyRank, ownPlace, useBoard } from "./calls.js";
import { name, why } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { ExamDetails, Ranking, Stage } from "./calls.js" */

/** @param {PageProps} props */
export function Board({ params, query }) {
  const stage = /** @type {Stage} */ (params.stage);
  const round = Number(params.round);
  const id = Number(query.get("exam"));
  const season = chosen(query);
  const closed = useSeason(season);
  const which = { stage, round, ...(id && { exam_id: id }) };
  const me = session.user()?.user.id ?? "";
  const page = Math.max(1, Number(query.get("page")) || 1);
  const reading = useBoard(which, page);
  const exam = reading.value?.exam_details;
  // Read the candidate's rank again after a publication that has changed the leaderboard.
  const own = useRead(() => ownPlace(which, me), [stage, round, id, JSON.stringify(exam)]).value;
  const nothing = reading.value ? null : why(reading.error);
  const printAll = async (/** @type {ExamDetails} */ details) => {
    const rows = await everyRank(which);
    print(h(PrintSheet, { title: name(details), detail: ofSeason(closed.value, details.title) }, ranking(details, rows)));
  };
  return h(
    Page,
    {
      title: exam ? name(exam) : t("boards.title"),
      lead: ofSeason(closed.value, exam?.title),
      crumbs: [{ href: season ? `/boards?season=${season}` : "/boards", text: t("boards") }],
      actions: exam && h(Act, { act: () => printAll(exam) }, t("boards.print")),
    },
    h(Unread, { readings: [closed] }),
    nothing
      ? h(Empty, {}, nothing)
      : loaded(reading, ({ top_three: top = [], remaining_candidates: others = [], pagination }) => {
        const rows = page === 1 ? [...top, ...others] : others;
        return html`
          ${exam && own && h(Note, { kind: "ok" }, html`<p><strong>${t("boards.own", { rank: own.rank, count: exam.total_candidates, score: own.score })}</strong></p>
            <p class="acts"><a href=${`/results/${exam.id}${season ? `?season=${season}` : ""}`}>${t("boards.result")}</a>
            ${pagination && !rows.some((each) => each.candidate.user_id === me) && exam.ranking !== "dense" && h(Jump, { rank: own.rank, top: top.length, size: pagination.page_size })}</p>`)}
          ${exam && own === null && h(Note, {}, html`<p>${t("boards.notRanked")}</p>`)}
          ${exam && ranking(exam, rows, me)}
          ${pagination && h(Pages, { position: pagination, before: top.length })}
          <p class="line"><span class="small muted">${exam && t(`boards.by_${exam.ranking}`)}</span>${h(AsOf, { at: reading.at })}</p>`;
      }),
  );
}

/**
 * Rows of a leaderboard as a table.
 *
 * @param {ExamDetails} exam
 * @param {Ranking[]} rows
 * @param {string} [me] The id of the candidate whose row is marked.
 */
const ranking = (exam, rows, me) => table({
  caption: name(exam),
  rows,
  id: (row) => row.candidate.user_id,
  columns: [
    { title: t("boards.rankAndName"), cell: (row) => h(Place, { row, isOwn: row.candidate.user_id === me }) },
    { title: t("boards.score"), end: true, cell: (row) => t("boards.percent", { score: row.score }) },
    ...(exam.ranking === "time" ? [{ title: t("boards.time"), end: true, cell: (/** @type {Ranking} */ row) => clock(row.seconds_used ?? 0) }] : []),
  ],
});

/** @param {{ row: Ranking, isOwn: boolean }} props */
const Place = ({ row, isOwn }) => html`<span class="place"><span class="rank numbers">${row.rank}.</span>
  <span><strong><bdi>${row.candidate.full_name}</bdi></strong> ${isOwn && h(Tag, { kind: "info" }, t("boards.you"))}<span class="small muted"><bdi>${row.candidate.school}</bdi></span></span></span>`;

/**
 * A link to the page on which a rank begins. The ranking must skip ranks after equal scores. Then the rank is also the
 * position of the first row that has it.
 *
 * @param {{ rank: number, top: number, size: number }} props
 */
function Jump({ rank, top, size }) {
  const page = Math.max(1, Math.ceil((rank - top) / size));
  return html`<a href=${withQuery({ page: page === 1 ? null : String(page) })}>${t("boards.jump", { rank })}</a>`;
}
