// The requests about appeals.

import { api } from "../../../pages/static/ground/api.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Appeal"]} Appeal */
/** @typedef {Schemas["AvailableLeaderboard"]} Board */
/** @typedef {Schemas["PerformanceDetail"]} Performance */
/** @typedef {Schemas["ReviewedAnswer"]} Answer */
/** @typedef {Schemas["Regrade"]} Regrade */
/** @typedef {Schemas["AppealAnswer"]} Ruling */

/** @param {Parameters<typeof api.get<"/appeals/">>[1]} query */
export const appeals = (query) => api.get("/appeals/", query);

/**
 * @param {number} appeal_id
 * @param {Ruling} body
 */
export const answer = (appeal_id, body) => api.post("/appeals/{appeal_id}/answer/", { appeal_id }, body);

/** The published leaderboards, for the titles and rounds of exams. */
export const boards = async () => (await api.get("/leaderboard/")).available_leaderboards ?? [];

/**
 * The candidate's answers in an exam.
 *
 * @param {Board} board
 * @param {string} candidate_id
 */
export const answers = ({ stage, round }, candidate_id) => api.get("/leaderboard/{stage}/{round}/candidate/{candidate_id}/", { stage, round, candidate_id });

/** @param {number} exam_id */
export const regrades = async (exam_id) => (await api.get("/exams/{exam_id}/regrades/", { exam_id, status: "applied" })).results;
