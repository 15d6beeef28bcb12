// The requests of the pages about appeals. No other module of this folder names paths of the API.

import { api, Refused } from "../../../pages/static/ground/api.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Appeal"]} Appeal */
/** @typedef {Schemas["TakenAnswer"]} Taken */
/** @typedef {Schemas["ConcludedExam"]} Exam */

/** The exams that the candidate has taken and that are over, the latest first. */
export const taken = async () => (await api.get("/dashboard/candidate/")).concluded_exams.filter((each) => each.enrollment === "done");

// The API lists at most this many items at once.
const MOST = 100;

/**
 * The candidate's own appeals in all exams of a season, the newest first.
 *
 * @param {number | null} season The id of an earlier season, or null for the current one.
 */
export const appeals = async (season) => (await api.get("/appeals/", { limit: MOST, ...(season && { season }) })).results;

/**
 * The questions of the candidate's paper. Empty if staff gave the score, or if candidates can still submit the
 * exam.
 *
 * @param {number} exam_id
 * @returns {Promise<Taken[]>}
 */
export async function questions(exam_id) {
  try {
    return (await api.get("/exams/{exam_id}/submitted-answers/", { exam_id })).answers;
  } catch (error) {
    if (error instanceof Refused && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}

/**
 * @param {number} exam_id
 * @param {Schemas["NewAppeal"]} appeal
 */
export const make = (exam_id, appeal) => api.post("/exams/{exam_id}/appeals/", { exam_id }, appeal);
