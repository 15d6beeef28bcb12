// The requests of the pages where teachers manage their school. No other module of this folder names paths of the API.

import { api, Refused } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import { fetched } from "../../../pages/static/ground/files.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { seasons } from "../calls.js";

export { ownSchool as own } from "../calls.js";

/** All seasons, the newest first. None if the plugin `seasons` is disabled. */
export const useSeasons = () => useRead(async () => (config().plugins.includes("seasons") ? seasons() : []), []);

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["OwnSchool"]} School */
/** @typedef {Schemas["Pupil"]} Pupil */
/** @typedef {Schemas["AddedPupil"]} Entered */
/** @typedef {Schemas["SchoolExam"]} Exam */

/** @param {Parameters<typeof api.get<"/school/candidates/">>[1]} query */
export const pupils = (query) => api.get("/school/candidates/", query);

/** How many pupils without an email address have no code to sign in with. */
export const withoutCode = async () => (await pupils({ needs_code: true, limit: 1 })).pagination.count;

/** How many pupils have not joined the current season. Without the plugin `seasons`, all pupils have joined. */
export const notJoined = async () => (config().plugins.includes("seasons") ? (await pupils({ state: "not_joined", limit: 1 })).pagination.count : 0);

/** @param {Schemas["NewPupil"]} body */
export const enter = (body) => api.post("/school/candidates/", {}, body);

/**
 * @param {string} user_id
 * @param {Schemas["PupilChanges"]} body
 */
export const change = (user_id, body) => api.patch("/school/candidates/{user_id}/", { user_id }, body);

/** @param {string} user_id */
export const remove = (user_id) => api.delete("/school/candidates/{user_id}/", { user_id }, undefined);

/**
 * @param {string} user_id
 * @param {boolean} is_ours
 */
export const confirm = (user_id, is_ours) => api.post("/school/candidates/{user_id}/confirm/", { user_id }, { is_ours });

/** @param {Parameters<typeof api.get<"/school/exams/">>[1]} query */
export const exams = (query) => api.get("/school/exams/", query);

/**
 * @param {number} exam_id
 * @param {Record<string, string>} query
 */
export const states = (exam_id, query) => api.get("/school/exams/{exam_id}/", { ...query, exam_id });

/**
 * @param {number} exam_id
 * @param {Record<string, string>} query
 */
export const results = (exam_id, query) => api.get("/school/exams/{exam_id}/results/", { ...query, exam_id });

/**
 * The first results, or null as long as candidates can't see their own results.
 *
 * @param {number} exam_id
 */
export async function resultsIfVisible(exam_id) {
  try {
    return await results(exam_id, { limit: "1" });
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return null;
    throw error;
  }
}

/** @param {number} exam_id */
export const exported = (exam_id) => (/** @type {Record<string, any>} */ query) => fetched("/exports/school/exams/{exam_id}/results/", { ...query, exam_id });
