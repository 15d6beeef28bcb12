// The parts of pages that also show earlier seasons. Such a page reads the chosen season from its address.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { seasons } from "./calls.js";
import { t } from "./words.js";

/** @import { Reading } from "../../../pages/static/ground/poll.js" */
/** @import { Season } from "./calls.js" */

/** Read all seasons, the newest first. @returns {Reading<Season[]>} */
export const useSeasons = () => useRead(seasons, []);

/** Read the season with this id. The value is null without an id. @param {number | null} id @returns {Reading<Season | null>} */
export const useSeason = (id) => useRead(async () => (id ? ((await seasons()).find((each) => each.id === id) ?? null) : null), [id]);

/** The id of the earlier season in the address of a page; null for the current season. @param {URLSearchParams} query */
export const chosen = (query) => Number(query.get("season")) || null;

/**
 * The same as `chosen`, but null also if the season in the address is not closed: it may be current again, because the
 * next one was undone. Undefined until the seasons are known.
 *
 * @param {URLSearchParams} query
 * @param {Reading<Season[]>} seasons
 */
export function chosenEarlier(query, { value: all }) {
  const id = chosen(query);
  return id ? all && (all.find((each) => each.id === id && each.status === "closed")?.id ?? null) : null;
}

/**
 * A tab for each season, the current one first. A league in its first season has no tabs.
 *
 * @param {{ reading: Reading<Season[]> }} props
 */
export function SeasonTabs({ reading }) {
  const all = reading.value ?? [];
  return html`${h(Unread, { readings: [reading] })}
    ${all.length > 1 && h(Tabs, { label: t("seasons.label"), name: "season", tabs: all.map(({ id, name }) => ({ value: String(id), text: name })) })}`;
}

/**
 * The line below the heading of a page about one exam: the season, if it is closed, and the given text.
 *
 * @param {Season | null | undefined} season
 * @param {string | null | undefined | false} text
 */
export const ofSeason = (season, text) => [season?.status === "closed" && t("seasons.of", { name: season.name }), text].filter(Boolean).join(" · ");
