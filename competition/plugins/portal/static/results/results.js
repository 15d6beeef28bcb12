// The list of the candidate's results in a season, with their average and, in the current season, the rank in the stage.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Facts, Page, Sheet, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { chosenEarlier, SeasonTabs, useSeasons } from "../seasons.js";
import * as calls from "./calls.js";
import { address, round, useNews } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Result } from "./calls.js" */

/** @param {PageProps} props */
export function Results({ query }) {
  const seasons = useSeasons();
  const season = chosenEarlier(query, seasons);
  return h(Page, { title: t("results") }, h(SeasonTabs, { reading: seasons }), season !== undefined && h(InSeason, { key: season, season }));
}

/** @param {{ season: number | null }} props The id of an earlier season, or null for the current one. */
function InSeason({ season }) {
  const reading = useRead(() => calls.results(season), []);
  useNews(reading.again);
  // Before the first publication, few scores are known, so the rank would be one among few candidates. An earlier season
  // has no rank.
  const isPublished = useRead(async () => !season && calls.isStagePublished(), []).value === true;
  return loaded(
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
          { title: t("results.exam"), cell: (row) => html`<a href=${address(row.id, season)}>${row.title}</a>${row.exam && html`<span class="small muted">${round(row.exam)}</span>`}` },
          { title: t("results.over"), cell: (row) => (row.exam?.isOpen ? t("results.stillOpen") : h(When, { at: row.exam?.over ?? row.score?.recorded_at ?? null })) },
          { title: t("results.score"), end: true, cell: score },
        ],
      })}`,
    {
      empty: (value) => value.results.length === 0,
      nothing: season ? h(Empty, {}, t("results.noneEarlier")) : h(Empty, { action: html`<a class="button" href="/exams">${t("results.toExams")}</a>` }, t("results.none")),
    },
  );
}

/** @param {Result} row */
function score(row) {
  if (row.score) return html`<strong>${t("results.percent", { score: row.score.score })}</strong>`;
  return row.exam?.enrollment === "missed" ? h(Tag, { kind: "warn" }, t("results.missed")) : h(Tag, { kind: "info" }, t("results.notYet"));
}
