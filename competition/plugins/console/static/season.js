// The season of an exam, for pages that must not offer changes once the season is closed. The service decides what a
// closed season forbids; this module only says so beforehand.

import { config } from "../../pages/static/ground/config.js";
import { h, html } from "../../pages/static/ground/html.js";
import { useRead } from "../../pages/static/ground/poll.js";
import { Note } from "../../pages/static/pieces/notice.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/**
 * The season with this id: undefined until it is known, and always without the plugin seasons.
 *
 * @param {number | undefined} id
 */
export function useSeason(id) {
  const isRead = id !== undefined && config().plugins.includes("seasons");
  return useRead(async () => (isRead ? (await calls.seasons()).find((each) => each.id === id) : undefined), [id, isRead]).value;
}

/** Whether a season is closed. A season that is not known yet counts as current. @param {ReturnType<typeof useSeason>} season */
export const isClosed = (season) => season?.status === "closed";

/** The note above an exam of a closed season; nothing for other exams. @param {{ season: ReturnType<typeof useSeason> }} props */
export const ClosedSeason = ({ season }) =>
  season && isClosed(season) && h(Note, {}, html`<p>${t("season.closed", { name: season.name })} <a href=${`/console/seasons/${season.id}`}>${t("season.toSeason", { name: season.name })}</a></p>`);
