// The season of an exam, for pages that must not offer changes once the season is closed. The service decides what a
// closed season forbids; this module only says so beforehand.

import { config } from "../../pages/static/ground/config.js";
import { h, html } from "../../pages/static/ground/html.js";
import { useRead } from "../../pages/static/ground/poll.js";
import { Note } from "../../pages/static/pieces/notice.js";
import { Tag } from "../../pages/static/pieces/page.js";
import { Unread } from "../../pages/static/pieces/readings.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @typedef {ReturnType<typeof useSeason>} Season */

/**
 * Read the season with this id. The value is undefined until it is known, and always without the plugin seasons.
 *
 * @param {number | undefined} id
 */
export function useSeason(id) {
  const isRead = id !== undefined && config().plugins.includes("seasons");
  return useRead(async () => (isRead ? (await calls.seasons()).find((each) => each.id === id) : undefined), [id, isRead]);
}

/** Whether a season is closed. A season that is not known yet counts as current. @param {Season} season */
export const isClosed = (season) => season.value?.status === "closed";

/** The links above a page of a closed season: none if it is not closed. @param {Season} season */
export const seasonCrumbs = (season) => (season.value && isClosed(season)
  ? [{ href: "/console/seasons", text: t("nav.seasons") }, { href: `/console/seasons/${season.value.id}`, text: season.value.name }]
  : []);

/** The name of a closed season, beside the round of its leaderboard; nothing for the current season. @param {{ season: Season }} props */
export const SeasonTag = ({ season }) => html`${season.value && isClosed(season) && h(Tag, {}, t("season.name", { name: season.value.name }))}`;

/** The note above an exam of a closed season; nothing for other exams. @param {{ season: Season }} props */
export const ClosedSeason = ({ season }) => html`${h(Unread, { readings: [season] })}
  ${season.value && isClosed(season) && h(Note, {}, html`<p>${t("season.closed", { name: season.value.name })} <a href=${`/console/seasons/${season.value.id}`}>${t("season.toSeason", { name: season.value.name })}</a></p>`)}`;
