// The requests of a teacher about the own school.

import { api, Refused } from "../../../pages/static/ground/api.js";
import { fetched } from "../../../pages/static/ground/files.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["OwnSchool"]} School */
/** @typedef {Schemas["Pupil"]} Pupil */
/** @typedef {Schemas["SchoolSlip"]} Slip */
/** @typedef {Schemas["SchoolExam"]} Exam */

// The API lists at most this many rows at once, and issues at most this many slips.
const LARGEST_PAGE = 100;
const MOST_SLIPS = 50;

/**
 * The school whose teacher the user is, or null.
 *
 * @returns {Promise<School | null>}
 */
export async function own() {
  try {
    return await api.get("/school/");
  } catch (error) {
    // Other volunteers are no teachers, or not verified yet.
    if (error instanceof Refused && [403, 404].includes(error.status)) return null;
    throw error;
  }
}

/** @param {Parameters<typeof api.get<"/school/candidates/">>[1]} query */
export const pupils = (query) => api.get("/school/candidates/", query);

/**
 * The pupils without an email address who have never signed in.
 *
 * @param {string} group Only of this group, unless it is empty.
 */
export async function neverSignedIn(group) {
  /** @type {Pupil[]} */
  const found = [];
  for (let page = 1; ; page++) {
    const { results, pagination } = await pupils({ page, limit: LARGEST_PAGE, ...(group && { group }) });
    found.push(...results.filter((each) => each.login !== null && !each.used));
    if (!pagination.has_next) return found;
  }
}

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

/**
 * The slips of these pupils, which are issued in parts. `got` is called with each part, because a code is shown once.
 *
 * @param {string[]} ids
 * @param {boolean} renew
 * @param {(part: Slip[]) => void} got
 */
export async function slips(ids, renew, got) {
  for (let from = 0; from < ids.length; from += MOST_SLIPS) {
    got((await api.post("/school/slips/", {}, { candidates: ids.slice(from, from + MOST_SLIPS), renew })).slips);
  }
}

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
 * The first results, or null as long as candidates can't see theirs.
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
