// The endpoints that leaderboards use.

import { api, Refused } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Ranking"]} Ranking */
/** @typedef {Schemas["AvailableLeaderboard"]} Available */
/** @typedef {Available["stage"]} Stage */
/** @typedef {Schemas["PerformanceDetail"]} Performance */

// How often the page polls, in seconds.
const EVERY = 60;

/** The leaderboards that the candidate may read. */
export const useBoards = () => usePoll("/leaderboard/", {}, EVERY);

/**
 * A page of a leaderboard.
 *
 * @param {Stage} stage
 * @param {number} round
 * @param {number} page
 */
export const useBoard = (stage, round, page) => usePoll("/leaderboard/", { stage, round, page }, EVERY);

/**
 * The candidate's own place, or null if the candidate is not on the leaderboard.
 *
 * @param {Stage} stage
 * @param {number} round
 * @param {string} candidate_id
 * @returns {Promise<Performance["candidate_performance"] | null>}
 */
export async function ownPlace(stage, round, candidate_id) {
  try {
    return (await api.get("/leaderboard/{stage}/{round}/candidate/{candidate_id}/", { stage, round, candidate_id })).candidate_performance;
  } catch (error) {
    if (error instanceof Refused && (error.status === 403 || error.status === 404)) return null;
    throw error;
  }
}
