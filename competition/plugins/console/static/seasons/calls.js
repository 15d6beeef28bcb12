// The requests of the pages about seasons. No other module of this folder names paths of the API.

import { api } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";
import { recount } from "../calls.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Season"]} Season */
/** @typedef {Schemas["OpeningPreview"]} Preview */
/** @typedef {Preview["blockers"][number]} Blocker */
/** @typedef {Schemas["UndoPreview"]} UndoPreview */
/** @typedef {{ name: string, join: "confirm" | "everybody" }} Order */

/** @param {number} season_id @param {string} name */
export const rename = (season_id, name) => api.patch("/seasons/{season_id}/", { season_id }, { name });

/** The things that block the next season, and how many people it would concern. The request changes nothing. @param {Order} order */
export const preview = (order) => api.post("/seasons/preview/", {}, order);

/** @param {Order} order @param {string} key */
export const open = (order, key) => recounted(api.post("/seasons/", {}, order, { key }));

export const undo = () => recounted(api.post("/seasons/undo/", {}, {}));

/**
 * The counts of the navigation are those of the current season.
 *
 * @template T
 * @param {Promise<T>} changing
 */
async function recounted(changing) {
  const season = await changing;
  recount();
  return season;
}

// The API lists at most this many items at once.
const MOST = 100;

/**
 * The publications of leaderboards that are planned.
 *
 * @param {number} every How often to poll, in seconds.
 * @param {boolean} when
 */
export const usePlanned = (every, when) => usePoll("/leaderboard/publications/", { status: "scheduled", ordering: "publish_at", page_size: MOST }, every, when);

/** @param {number} publication_id */
export const withdraw = (publication_id) => api.delete("/leaderboard/publications/{publication_id}/", { publication_id }, undefined);

/** The exams of a season. @param {number} season */
export const exams = (season) => (/** @type {Record<string, any>} */ query) => api.get("/exams/", { ...query, season });

/** The leaderboards of a season, as they were last published. @param {number} season */
export const boards = (season) => api.get("/leaderboard/", { season });
