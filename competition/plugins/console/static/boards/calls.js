// The requests of the pages about leaderboards and their publication. No other module of this folder names paths of the
// API.

import { api } from "../../../pages/static/ground/api.js";
import { fetched } from "../../../pages/static/ground/files.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["AvailableLeaderboard"]} Available A published leaderboard in the list. */
/** @typedef {Schemas["Ranking"]} Ranking */
/** @typedef {Schemas["ExamListItem"]} Exam */
/** @typedef {Schemas["PreviewedLeaderboard"]} Previewed */
/** @typedef {Schemas["Publication"]} Publication */
/** @typedef {{ stage: "screening" | "league" | "final", round: number, exam_id?: number, snapshot?: number, page?: number }} Which */

// The API lists at most this many items at once.
export const MOST = 100;

/** The published leaderboards. @param {number} every How often to poll, in seconds. */
export const useBoards = (every) => usePoll("/leaderboard/", {}, every);

/** The leaderboards of a season, as they were last published. @param {number} season */
export const boards = (season) => api.get("/leaderboard/", { season });

/**
 * One leaderboard.
 *
 * @param {Which} which
 * @param {number} every How often to poll, in seconds.
 */
export const useBoard = (which, every) => usePoll("/leaderboard/", which, every);

/**
 * All rows of a version of a leaderboard, the best first. They are read page by page. Without `snapshot`, a publication
 * in the meantime could mix two rankings.
 *
 * @param {Which & { snapshot: number }} which
 * @returns {Promise<Ranking[]>}
 */
export async function everyRank(which) {
  /** @type {Ranking[]} */
  const found = [];
  for (let page = 1; ; page++) {
    const { top_three: top = [], remaining_candidates: others = [], pagination } = await api.get("/leaderboard/", { ...which, page, page_size: MOST });
    found.push(...(page === 1 ? top : []), ...others);
    if (!pagination?.has_next) return found;
  }
}

/** The publications that are planned. @param {number} every How often to poll, in seconds. */
export const usePlanned = (every) => usePoll("/leaderboard/publications/", { status: "scheduled", ordering: "publish_at", page_size: MOST }, every);

/** @param {Parameters<typeof api.get<"/leaderboard/snapshots/">>[1]} query */
export const snapshots = (query) => api.get("/leaderboard/snapshots/", query);

/** The latest exams, for their titles and states. */
export const exams = () => api.get("/exams/", { ordering: "-scheduled_date", page_size: MOST });

/**
 * The leaderboards that would be published, with their numbers of candidates. Nothing is changed.
 *
 * @param {number[]} [exams] The ids of exams. Without them, all exams that are over and have no planned
 *   publication.
 */
export const preview = (exams) => api.post("/leaderboard/publish/preview/", {}, exams ? { exams } : {});

/**
 * @param {number[]} exams
 * @param {string | null} publish_at If it is null, the leaderboards are published now.
 * @param {string} key
 */
export const publish = (exams, publish_at, key) => api.post("/leaderboard/publish/", {}, { exams, publish_at }, { key });

/** @param {number} publication_id */
export const withdraw = (publication_id) => api.delete("/leaderboard/publications/{publication_id}/", { publication_id }, undefined);

/** @param {Which} which */
export const exported = (which) => (/** @type {Record<string, any>} */ query) => fetched("/exports/leaderboard/{stage}/{round}/", { ...query, ...which });
