// The requests of the pages about leaderboards. No other module of this folder names paths of the API.

import { api, Refused } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Ranking"]} Ranking */
/** @typedef {Schemas["AvailableLeaderboard"]} Available */
/** @typedef {Schemas["ExamDetails"]} ExamDetails */
/** @typedef {Available["stage"]} Stage */
/** @typedef {Schemas["PerformanceDetail"]} Performance */
/** @typedef {{ stage: Stage, round: number, exam_id?: number }} Which If a round has several exams, the latest counts, or `exam_id`. */

// How often the page polls, in seconds.
const EVERY = 60;
// The API lists at most this many items at once.
const MOST = 100;

/** The leaderboards that the candidate may read. @param {number | null} season An earlier season, or null for the current one. */
export const useBoards = (season) => usePoll("/leaderboard/", season ? { season } : {}, EVERY);

/**
 * A page of a leaderboard.
 *
 * @param {Which} which
 * @param {number} page
 */
export const useBoard = (which, page) => usePoll("/leaderboard/", { ...which, page }, EVERY);

/**
 * All rows of a leaderboard, the best first. If another ranking is published in the meantime, it reads that one.
 *
 * @param {Which} which
 * @returns {Promise<Ranking[]>}
 */
export async function everyRank(which) {
  const read = (/** @type {number} */ page) => api.get("/leaderboard/", { ...which, page, page_size: MOST });
  const first = await read(1);
  const rows = [...(first.top_three ?? []), ...(first.remaining_candidates ?? [])];
  for (let page = 2, { pagination } = first; pagination?.has_next; page++) {
    const next = await read(page);
    if (JSON.stringify(next.exam_details) !== JSON.stringify(first.exam_details)) return everyRank(which);
    rows.push(...(next.remaining_candidates ?? []));
    ({ pagination } = next);
  }
  return rows;
}

/**
 * The candidate's own rank and score, or null if the candidate is not on the leaderboard.
 *
 * @param {Which} which
 * @param {string} candidate_id
 * @returns {Promise<Performance["candidate_performance"] | null>}
 */
export async function ownPlace(which, candidate_id) {
  try {
    return (await api.get("/leaderboard/{stage}/{round}/candidate/{candidate_id}/", { ...which, candidate_id })).candidate_performance;
  } catch (error) {
    if (error instanceof Refused && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
