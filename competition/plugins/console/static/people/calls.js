// The requests of the pages about candidates. No other module of this folder names paths of the API.

import { api } from "../../../pages/static/ground/api.js";
import { fetched } from "../../../pages/static/ground/files.js";

export { deletionDays, remove } from "../calls.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["CandidateItem"]} Row A candidate in the list. */
/** @typedef {Schemas["CandidateDetail"]} Candidate */
/** @typedef {Schemas["ExamTaken"]} Taken An exam with the candidate's score and answers. */
/** @typedef {Schemas["GivenTime"]} Given Extra time in one exam. */
/** @typedef {Schemas["AuditItem"]} Entry An entry of the audit trail. */
/** @typedef {Schemas["OpenClarification"]} Asked A question that the candidate has asked about an exam. */
/** @typedef {NonNullable<Candidate["seasons"]>[number]} Past An earlier season of the candidate. */
/** @typedef {Candidate["role"]} Stage */

/** @param {Parameters<typeof api.get<"/candidates/">>[1]} query */
export const candidates = (query) => api.get("/candidates/", query);

/** @param {Record<string, any>} query */
export const exported = (query) => fetched("/exports/candidates/", query);

/**
 * The candidate, without links to documents, because the service records each link in the audit trail. Only the review
 * of documents needs links.
 *
 * @param {string} candidate_id
 * @param {number} [season] The season of the exams and scores. Without it, they are of the current season.
 */
export const candidate = (candidate_id, season) => api.get("/candidates/{candidate_id}/", { candidate_id, documents: false, ...(season && { season }) });

// How many questions, appeals and plans of a candidate a page shows.
const MOST = 50;

/** The candidate's latest questions in all exams. @param {string} candidate */
export const asked = async (candidate) => (await api.get("/clarifications/", { candidate, limit: MOST })).results;

/** The candidate's latest appeals in a season, by default the current one. @param {string} candidate @param {number} [season] */
export const appeals = async (candidate, season) => (await api.get("/appeals/", { candidate, limit: MOST, ...(season && { season }) })).results;

/** The plans by which the candidate has advanced in a season, by default the current one. @param {string} candidate @param {number} [season] */
export const advancements = async (candidate, season) => (await api.get("/advancement/", { candidate, limit: MOST, ...(season && { season }) })).results;

/** @param {string} user_id */
export const verification = (user_id) => api.get("/user/verification/status/{user_id}/", { user_id });

/**
 * The candidate's progress in an open exam, or null if the candidate can't take it.
 *
 * @param {number} exam_id
 * @param {Candidate} candidate
 */
export async function seat(exam_id, { user }) {
  const found = await api.get("/exams/{exam_id}/invigilation/", { exam_id, candidate: user.id });
  const [own] = found.results;
  return own ? { ...own, now: found.server_time } : null;
}

/**
 * The planned and open exams of this stage. Only in these can a candidate of the stage get extra time.
 *
 * @param {Stage} stage
 */
export async function examsOf(stage) {
  if (stage === "winner") return [];
  const lists = await Promise.all([
    api.get("/exams/", { stage, status: "ongoing" }),
    api.get("/exams/", { stage, status: "scheduled", ordering: "scheduled_date" }),
  ]);
  return lists.flatMap((each) => each.results);
}

/**
 * @param {string} candidate_id
 * @param {Stage} role
 */
export const assign = (candidate_id, role) => api.put("/candidates/{candidate_id}/roles/assign/", { candidate_id }, { role });

/**
 * @param {string} candidate_id
 * @param {{ percent: number, reason: string }} body
 */
export const extend = (candidate_id, body) => api.put("/candidates/{candidate_id}/allowance/", { candidate_id }, body);

/**
 * @param {number} exam_id
 * @param {{ candidate_id: string, extra_minutes: number, reason: string }} body
 * @param {string} key
 */
export const give = (exam_id, body, key) => api.post("/exams/{exam_id}/allowances/", { exam_id }, { ...body, everyone: false }, { key });

/** @param {Given} given */
export const takeBack = ({ exam, id }) => api.delete("/exams/{exam_id}/allowances/{allowance_id}/", { exam_id: exam, allowance_id: id }, undefined);

/**
 * The audit entries about a candidate, the latest first.
 *
 * @param {string} target_id
 * @param {Record<string, string>} query
 */
export const history = (target_id, query) => api.get("/audit/", { ...query, target_id });
