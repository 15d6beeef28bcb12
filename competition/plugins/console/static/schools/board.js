// The page of the published leaderboard of schools of a stage and round, or of one exam. The service ranks the schools.

import { Refused } from "../../../pages/static/ground/api.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Filters, Pages } from "../../../pages/static/pieces/list.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Export } from "../exports.js";
import { isAtLeast } from "../ranks.js";
import { isClosed, seasonCrumbs, SeasonTag, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { round } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { RankedSchool, Rule, Stage } from "./calls.js" */

/** The rule by which schools are ranked, in words. @param {Rule} rule */
const inWords = ({ best, minimum }) => `${t("schools.rule", { count: best })}${minimum > 1 ? ` ${t("schools.fewer", { count: minimum })}` : ""}`;

/** @param {PageProps} props */
export function SchoolBoard({ params, query }) {
  const exam = Number(query.get("exam"));
  const which = { stage: /** @type {Stage} */ (params.stage), round: Number(params.round), ...(exam && { exam_id: exam }) };
  const asked = { ...which, region: query.get("region") ?? "", page: Number(query.get("page")) || 1 };
  const reading = useRead(() => calls.board(asked), [JSON.stringify(asked)]);
  useReturn(reading.again);
  // Without the id of an exam, a leaderboard is always of the current season.
  const found = useRead(async () => (exam ? calls.seasonOf(exam) : undefined), [exam]);
  const season = useSeason(found.value);
  const details = reading.value?.exam_details;
  const board = `/console/boards/${which.stage}/${which.round}${exam ? `?exam=${exam}` : ""}`;
  const isUnpublished = reading.error instanceof Refused && reading.error.code === "leaderboard_not_published";
  return h(Page, {
    title: t("schools.board"),
    crumbs: [...(isClosed(season) ? seasonCrumbs(season) : [{ href: "/console/boards", text: t("nav.boards") }]), { href: board, text: details?.title ?? t("schools.candidatesBoard") }],
    lead: details && html`${round(details)} ${h(SeasonTag, { season })}`,
    actions: details && isAtLeast("admin") && h(Export, { tables: [{ name: "schools", text: t("schools.board"), read: calls.exportedBoard(which) }] }),
  },
    isUnpublished ? h(Empty, { action: html`<a class="button" href="/console/boards">${t("nav.boards")}</a>` }, t("schools.notPublished")) : html`
      ${h(Unread, { readings: [found, season] })}
      ${h(Filters, { filters: [{ name: "region", label: t("schools.region") }] })}
      ${loaded(reading, ({ rule, results, pagination }) => html`<p>${inWords(rule)}</p>
        ${results.length === 0 ? h(Empty, {}, t(asked.region ? "schools.noneInRegion" : "schools.nobodyRanked")) : html`${table({
          caption: t("schools.board"),
          rows: results,
          id: (/** @type {RankedSchool} */ row) => row.school,
          columns: [
            { title: t("schools.rank"), end: true, cell: (row) => number(row.rank) },
            { title: t("schools.one"), cell: (row) => row.school },
            { title: t("schools.region"), cell: (row) => row.region },
            { title: t("schools.candidates"), end: true, cell: (row) => number(row.candidates) },
            { title: t("schools.counted"), end: true, cell: (row) => number(row.counted) },
            { title: t("schools.score"), end: true, cell: (row) => number(row.score, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) },
          ],
        })} ${h(Pages, { position: pagination })}`}
        ${h(AsOf, { at: reading.at })}`)}`);
}
