// The requests of the pages about exams, their papers and checks. No other module of this folder names paths of the
// API.

import { api, request } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import { fetched } from "../../../pages/static/ground/files.js";
import { usePoll, useRead } from "../../../pages/static/ground/poll.js";
import { recount } from "../calls.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["ExamDetail"]} Exam */
/** @typedef {components["schemas"]["ExamListItem"]} ExamListItem */
/** @typedef {components["schemas"]["CurrentExam"]} CurrentExam */
/** @typedef {components["schemas"]["NewExam"]} NewExam */
/** @typedef {components["schemas"]["ExamChanges"]} ExamChanges */
/** @typedef {components["schemas"]["Question"]} Question */
/** @typedef {components["schemas"]["Preflight"]} Preflight */
/** @typedef {components["schemas"]["CheckReport"]} CheckReport */
/** @typedef {{ exam: Exam, etag: string | null }} Version An exam, and the version that a change is based on. */
/** @typedef {{ verified: number, notJoined: number, others: number }} People */

// How often the page polls, in seconds.
const MINUTE = 60;
// The overview shows at most this many exams per status. The list of all exams has the rest.
const SHOWN = 50;
// Below the exams to come, the overview shows this many of the latest exams that are over.
const JUST_OVER = 3;

/** The exams that are open, scheduled, or have no date yet, in this order. */
export const useComing = () => [
  usePoll("/exams/", { status: "ongoing", ordering: "scheduled_date", limit: SHOWN }, MINUTE),
  usePoll("/exams/", { status: "scheduled", ordering: "scheduled_date", limit: SHOWN }, MINUTE),
  usePoll("/exams/", { status: "draft", ordering: "-created_at", limit: SHOWN }, MINUTE),
];

/** The exams that are over, the latest first. */
export const useOver = () => usePoll("/exams/", { status: "concluded", ordering: "-scheduled_date", limit: JUST_OVER }, MINUTE);

/** The exams that are open, or open within a day. Moderators can read only these exams. */
export const useCurrent = () => usePoll("/dashboard/staff/", {}, MINUTE);

/** @param {Record<string, any>} query */
export const exams = (query) => api.get("/exams/", query);

/**
 * @param {string} exam_id
 * @returns {Promise<Version>}
 */
export async function exam(exam_id) {
  const { body, etag } = await request("get", "/exams/{exam_id}/", { exam_id, limit: 1 });
  return { exam: body, etag };
}

/** @param {string} exam_id */
export const useExam = (exam_id) => useRead(() => exam(exam_id), [exam_id]);

/**
 * @param {NewExam} values
 * @param {string} key
 */
export const create = (values, key) => api.post("/exams/", {}, values, { key });

/**
 * Change an exam. Returns it with its questions in their new order, and its new version.
 *
 * @param {string} exam_id
 * @param {ExamChanges} values
 * @param {string | null | undefined} ifMatch
 * @returns {Promise<{ exam: components["schemas"]["ExamShape"], etag: string | null }>}
 */
export async function change(exam_id, values, ifMatch) {
  const { body, etag } = await request("patch", "/exams/{exam_id}/", { exam_id }, values, ifMatch ? { ifMatch } : {});
  recount();
  return { exam: body, etag };
}

/** @param {string} exam_id */
export async function remove(exam_id) {
  await api.delete("/exams/{exam_id}/", { exam_id: Number(exam_id) }, undefined);
  recount();
}

/** The candidates who are working on the exam. @param {string} exam_id */
export const working = (exam_id) => api.get("/exams/{exam_id}/conclude/preview/", { exam_id: Number(exam_id) });

/** How many results the exam has. @param {string} exam_id */
export const countScores = async (exam_id) => (await api.get("/exams/{exam_id}/scores/", { exam_id: Number(exam_id), limit: 1 })).pagination.count;

/** How many appeals in the exam have no answer yet. @param {string} exam_id */
export const countAppeals = async (exam_id) => (await api.get("/exams/{exam_id}/appeals/", { exam_id: Number(exam_id), status: "open", limit: 1 })).pagination.count;

/** All questions of the paper, in its order. @param {string} exam_id */
export const questions = (exam_id) => api.get("/exams/{exam_id}/questions/", { exam_id: Number(exam_id) });

/** @param {Record<string, any>} query */
export const bank = (query) => api.get("/questions/", query);

/** @param {string} exam_id */
export const checks = (exam_id) => api.get("/exams/{exam_id}/preflight/", { exam_id: Number(exam_id) });

/**
 * @param {string} exam_id
 * @param {string} key
 */
export const freeze = (exam_id, key) => api.post("/exams/{exam_id}/prepare/", { exam_id: Number(exam_id) }, undefined, { key });

/** @param {string} exam_id */
export const unfreeze = (exam_id) => api.delete("/exams/{exam_id}/prepare/", { exam_id: Number(exam_id) }, undefined);

/** @param {string} exam_id */
export const preview = (exam_id) => api.get("/exams/{exam_id}/preview/", { exam_id: Number(exam_id) });

/**
 * How many candidates of a stage can take its exams, how many of the others only have to join the season, and how many
 * are not verified.
 *
 * @param {"screening" | "league" | "final"} role
 * @returns {Promise<People>}
 */
export async function people(role) {
  // Without the plugin seasons there is one season, which everybody has joined.
  const [joined, waiting] = config().plugins.includes("seasons") ? [{ joined: true }, [{ status: /** @type {const} */ ("active"), joined: false }]] : [{}, []];
  const asked = [{ status: /** @type {const} */ ("active"), ...joined }, { status: /** @type {const} */ ("pending") }, { status: /** @type {const} */ ("inactive") }, ...waiting];
  const counts = await Promise.all(asked.map((each) => api.get("/candidates/", { role, ...each, limit: 1 })));
  const [verified = 0, pending = 0, inactive = 0, notJoined = 0] = counts.map((each) => each.pagination.count);
  return { verified, notJoined, others: pending + inactive };
}

/** @param {Record<string, any>} query */
export const exported = (query) => fetched("/exports/questions/", query);
