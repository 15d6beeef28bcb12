// The page of one season, on which nothing can be changed: its leaderboards and exams, and a link to its appeals.

import { Refused } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { seasons as all } from "../calls.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/** Whether a reading failed only because nothing is published yet. @param {{ error: unknown }} reading */
const isUnpublished = ({ error }) => error instanceof Refused && error.code === "leaderboard_not_published";

/** The page of one season, with its leaderboards and exams. @param {PageProps} props */
export function OneSeason({ params }) {
  const id = Number(params.id);
  const reading = useRead(async () => (await all()).filter((each) => each.id === id), [id]);
  const boards = useRead(() => calls.boards(id), [id]);
  const season = reading.value?.[0];
  const lead = season && (season.status === "current" ? t("seasons.isCurrent") : t("seasons.isClosed"));
  return h(Page, { title: season?.name ?? t("seasons.season"), crumbs: [{ href: "/console/seasons", text: t("nav.seasons") }], ...(lead && { lead }) },
    loaded(reading, () => html`
      ${h(Section, { title: t("nav.boards") }, isUnpublished(boards)
        ? h(Empty, {}, t("seasons.noBoards"))
        : loaded(boards, ({ available_leaderboards: rows = [] }) => table({
          caption: t("nav.boards"),
          id: (row) => row.exam_id,
          rows,
          columns: [
            { title: t("seasons.exam"), cell: (row) => html`<a href=${`/console/boards/${row.stage}/${row.round}?exam=${row.exam_id}`}>${row.exam_title}</a>` },
            { title: t("seasons.candidates"), end: true, cell: (row) => number(row.total_candidates) },
          ],
        }), { empty: ({ available_leaderboards: rows = [] }) => rows.length === 0, nothing: h(Empty, {}, t("seasons.noBoards")) }))}
      ${config().plugins.includes("appeals") && h(Section, { title: t("nav.appeals") }, html`<p><a href=${`/console/appeals?tab=all&season=${id}`}>${t("seasons.appeals")}</a></p>`)}
      ${isAtLeast("admin") && h(Section, { title: t("nav.exams") }, list({
        name: t("nav.exams"),
        id: (row) => row.id,
        call: calls.exams(id),
        fixed: { ordering: "-scheduled_date" },
        filters: [{ name: "search", label: t("seasons.search") }],
        columns: [
          { title: t("seasons.exam"), cell: (row) => html`<a href=${`/console/exams/${row.id}/results`}>${row.title}</a>` },
          { title: t("seasons.held"), cell: (row) => h(When, { at: row.scheduled_date, none: t("seasons.noDate") }) },
        ],
        found: (count) => t("seasons.found", { count }),
        empty: t("seasons.noExams"),
      }))}`, { empty: () => !season, nothing: h(Empty, {}, t("seasons.unknown")) }));
}
