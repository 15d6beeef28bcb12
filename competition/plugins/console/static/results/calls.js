// The requests of the pages about results and regrades. No other module of this folder names paths of the API.

import { api, request } from "../../../pages/static/ground/api.js";
import { download, fetched } from "../../../pages/static/ground/files.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["AnalysedQuestion"]} AnalysedQuestion */
/** @typedef {components["schemas"]["ExamAnalysis"]} ExamAnalysis */
/** @typedef {components["schemas"]["ExamResult"]} ExamResult */
/** @typedef {components["schemas"]["Question"]} PaperQuestion */
/** @typedef {components["schemas"]["Regrade"]} Regrade */
/** @typedef {components["schemas"]["RegradedScore"]} RegradedScore */
/** @typedef {components["schemas"]["Change"]} Change */

/** @param {number} exam_id */
export const exam = (exam_id) => api.get("/exams/{exam_id}/", { exam_id });

/** @param {number} exam_id */
export const paper = (exam_id) => api.get("/exams/{exam_id}/questions/", { exam_id });

/**
 * @param {number} exam_id
 * @param {Record<string, string>} query
 */
export const scores = (exam_id, query) => api.get("/exams/{exam_id}/scores/", { exam_id, ...query });

/** @param {number} exam_id */
export const countScores = async (exam_id) => (await api.get("/exams/{exam_id}/scores/", { exam_id, limit: 1 })).pagination.count;

/** @param {number} exam_id */
export const analysis = (exam_id) => /** @type {Promise<ExamAnalysis>} */ (api.get("/exams/{exam_id}/analysis/", { exam_id }));

/** @param {number} exam_id */
export const saveAnalysis = (exam_id) => download("/exams/{exam_id}/analysis/", { exam_id, format: "csv" });

/**
 * The answers that a candidate has saved. Each reading is recorded in the audit trail.
 *
 * @param {number} exam_id
 * @param {string} candidate_id
 */
export const draft = (exam_id, candidate_id) => api.get("/exams/{exam_id}/drafts/{candidate_id}/", { exam_id, candidate_id });

/** @param {string} candidate_id */
export const candidate = async (candidate_id) => {
  const { user, school } = await api.get("/candidates/{candidate_id}/", { candidate_id, documents: false });
  return { name: `${user.first_name} ${user.last_name}`, school };
};

/** @typedef {{ id: string, name: string, school: string, role: components["schemas"]["CandidateItem"]["role"], score: number | null }} Sitter A candidate, with the score in the exam. */

/**
 * The candidates whom a search finds, each with the score in the exam.
 *
 * @param {number} exam_id
 * @param {string} search
 * @param {number} limit
 * @returns {Promise<{ people: Sitter[], count: number }>}
 */
export async function searched(exam_id, search, limit) {
  const { results, pagination } = await api.get("/candidates/", { search, limit });
  const people = results.map(async ({ user, school, role }) => ({ id: user.id, name: `${user.first_name} ${user.last_name}`, school, role, score: await scoreOf(exam_id, user.id) }));
  return { people: await Promise.all(people), count: pagination.count };
}

/**
 * A candidate's score in an exam, or null.
 *
 * @param {number} exam_id
 * @param {string} candidate_id
 */
export const scoreOf = async (exam_id, candidate_id) =>
  (await api.get("/candidates/{candidate_id}/scores/", { candidate_id })).find((each) => each.exam.id === exam_id)?.score ?? null;

/**
 * Give a candidate a score in percent. It replaces an earlier one.
 *
 * @param {number} exam_id
 * @param {string} candidate_id
 * @param {number} score
 */
export const record = (exam_id, candidate_id, score) => api.put("/exams/{exam_id}/submit-exam-score/", { exam_id }, { candidate_id, score });

/**
 * @param {number} exam_id
 * @param {Record<string, string>} query
 */
export const regrades = (exam_id, query) => api.get("/exams/{exam_id}/regrades/", { exam_id, ...query });

/**
 * @param {number} exam_id
 * @param {number} regrade_id
 * @param {Record<string, string>} [query]
 */
export const regrade = (exam_id, regrade_id, query) => api.get("/exams/{exam_id}/regrades/{regrade_id}/", { exam_id, regrade_id, ...query });

/**
 * @param {number} exam_id
 * @param {Change[]} changes
 * @param {string} reason
 */
export const preview = (exam_id, changes, reason) => api.post("/exams/{exam_id}/regrades/", { exam_id }, { changes, reason });

/** Delete a preview. @param {number} exam_id @param {number} regrade_id */
export const remove = (exam_id, regrade_id) => api.delete("/exams/{exam_id}/regrades/{regrade_id}/", { exam_id, regrade_id }, undefined);

/** Read a question of the bank. `body` of the reply is the question, and `etag` its version. @param {number} question_id */
export const inBank = (question_id) => request("get", "/questions/{question_id}/", { question_id });

/**
 * Change the right answer in the bank.
 *
 * @param {number} question_id
 * @param {PaperQuestion["correct_answer"]} correct_answer
 * @param {string | null} etag The version that the user has seen.
 */
export const correctBank = (question_id, correct_answer, etag) =>
  request("patch", "/questions/{question_id}/", { question_id }, { correct_answer }, etag ? { ifMatch: etag } : {});

/**
 * @param {number} exam_id
 * @param {number} regrade_id
 */
export const apply = (exam_id, regrade_id) => api.post("/exams/{exam_id}/regrades/{regrade_id}/apply/", { exam_id, regrade_id }, undefined);

/**
 * @param {number} exam_id
 * @param {number} regrade_id
 */
export const revert = (exam_id, regrade_id) => api.post("/exams/{exam_id}/regrades/{regrade_id}/revert/", { exam_id, regrade_id }, undefined);

/** @param {number} exam_id */
export const results = (exam_id) => (/** @type {Record<string, any>} */ query) => fetched("/exports/exams/{exam_id}/results/", { ...query, exam_id });

/** @param {number} exam_id */
export const absent = (exam_id) => (/** @type {Record<string, any>} */ query) => fetched("/exports/exams/{exam_id}/results/", { ...query, exam_id, absent: true });

/** @param {number} exam_id */
export const answers = (exam_id) => (/** @type {Record<string, any>} */ query) => fetched("/exports/exams/{exam_id}/answers/", { ...query, exam_id });

/** @param {number} exam_id */
export const extraTime = (exam_id) => (/** @type {Record<string, any>} */ query) => fetched("/exports/exams/{exam_id}/allowances/", { ...query, exam_id });
