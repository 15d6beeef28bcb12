// The endpoints of leaderboards and their publication.

import { api } from "../../../pages/static/ground/api.js";
import { useRead } from "../../../pages/static/ground/poll.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["AvailableLeaderboard"]} Board */
/** @typedef {components["schemas"]["PreviewedLeaderboard"]} Waiting An exam whose leaderboard can be published. */
/** @typedef {components["schemas"]["Publication"]} Publication */
/** @typedef {components["schemas"]["LeaderboardSummaryOrLeaderboard"]} Shown */

/** The published leaderboards; none before the first publication. @returns {Promise<Board[]>} */
export async function boards() {
  try {
    return (await api.get("/leaderboard/")).available_leaderboards ?? [];
  } catch (error) {
    if (/** @type {any} */ (error).code === "leaderboard_not_published") return [];
    throw error;
  }
}

/** The exams that are over, and would be published now. */
export const waiting = async () => (await api.post("/leaderboard/publish/preview/", {}, {}, { retry: true })).exams;

/**
 * What would be published for these exams.
 *
 * @param {number[]} exams
 */
export const preview = async (exams) => (await api.post("/leaderboard/publish/preview/", {}, { exams }, { retry: true })).exams;

export const planned = async () => (await api.get("/leaderboard/publications/", { status: "scheduled", ordering: "publish_at", limit: 100 })).results;

/** @param {Record<string, any>} query */
export const snapshots = (query) => api.get("/leaderboard/snapshots/", query);

/**
 * @param {number[]} exams
 * @param {string | null} publish_at
 */
export const publish = (exams, publish_at) => api.post("/leaderboard/publish/", {}, publish_at ? { exams, publish_at } : { exams });

/** @param {number} publication_id */
export const cancel = (publication_id) => api.delete("/leaderboard/publications/{publication_id}/", { publication_id }, undefined);

/**
 * A page of a leaderboard, as it is now or as it was in a snapshot.
 *
 * @param {{ stage: string, round: string, snapshot: string | null, page: string | null }} which
 */
export const useBoard = ({ stage, round, snapshot, page }) =>
  useRead(() => api.get("/leaderboard/", /** @type {any} */ ({ stage, round, snapshot, page })), [stage, round, snapshot, page]);

export const useBoards = () => useRead(boards, []);
export const useWaiting = () => useRead(waiting, []);
export const usePlanned = () => useRead(planned, []);
