// The requests of the pages about advancement plans. No other module of this folder names paths of the API.

import { api, Refused, request } from "../../../pages/static/ground/api.js";
import { fetched } from "../../../pages/static/ground/files.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["AdvancementPlan"]} Plan */
/** @typedef {Schemas["AdvancementPreview"]} Preview */
/** @typedef {Schemas["Contender"]} Contender */
/** @typedef {Schemas["AdvancedCandidate"]} Advanced */
/** @typedef {Schemas["ExamListItem"]} Exam */
/** @typedef {Schemas["NewPlan"]} NewPlan */

// The API lists at most this many items at once.
const MOST = 100;

/** @param {Parameters<typeof api.get<"/advancement/">>[1]} query */
export const plans = (query) => api.get("/advancement/", query);

/** @param {number} plan_id */
export const plan = (plan_id) => api.get("/advancement/{plan_id}/", { plan_id });

/**
 * A plan, and the version that a change is based on.
 *
 * @param {number} plan_id
 * @returns {Promise<{ plan: Plan, etag: string | null }>}
 */
export async function version(plan_id) {
  const { body, etag } = await request("get", "/advancement/{plan_id}/", { plan_id });
  return { plan: body, etag };
}

/**
 * @param {NewPlan} body
 * @param {string} key
 */
export const create = (body, key) => api.post("/advancement/", {}, body, { key });

/**
 * @param {number} plan_id
 * @param {NewPlan} body
 * @param {string} [ifMatch]
 */
export const change = (plan_id, body, ifMatch) => api.patch("/advancement/{plan_id}/", { plan_id }, body, ifMatch ? { ifMatch } : {});

/** @param {number} plan_id */
export const remove = (plan_id) => api.delete("/advancement/{plan_id}/", { plan_id }, undefined);

/**
 * @param {number} plan_id
 * @param {number} page
 */
export const preview = (plan_id, page) => api.get("/advancement/{plan_id}/preview/", { plan_id, page });

/** @param {number} plan_id */
export const apply = (plan_id) => api.post("/advancement/{plan_id}/apply/", { plan_id }, undefined);

/**
 * How many appeals against these exams are open.
 *
 * @param {number[]} exams
 */
export async function openAppeals(exams) {
  try {
    const found = await Promise.all(exams.map((exam_id) => api.get("/exams/{exam_id}/appeals/", { exam_id, status: "open", limit: 1 })));
    return found.reduce((sum, each) => sum + each.pagination.count, 0);
  } catch (error) {
    // The plugin `appeals` is disabled, so there are no appeals.
    if (error instanceof Refused && error.status === 404) return 0;
    throw error;
  }
}

/** @param {number} plan_id */
export const undo = (plan_id) => api.post("/advancement/{plan_id}/undo/", { plan_id }, undefined);

/**
 * The candidates who advanced by an applied plan.
 *
 * @param {number} plan_id
 * @param {Record<string, any>} query
 */
export const advanced = (plan_id, query) => api.get("/advancement/{plan_id}/candidates/", { plan_id, ...query });

/** All candidates who advanced by an applied plan, the best first. @param {number} plan_id */
export async function everyAdvanced(plan_id) {
  /** @type {Advanced[]} */
  const found = [];
  for (let page = 1; ; page++) {
    const { results, pagination } = await advanced(plan_id, { page, page_size: MOST });
    found.push(...results);
    if (!pagination.has_next) return found;
  }
}

/** Whether one of these exams was deleted. @param {number[]} exams */
export async function someDeleted(exams) {
  try {
    await Promise.all(exams.map((exam_id) => api.get("/exams/{exam_id}/", { exam_id })));
    return false;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return true;
    throw error;
  }
}

/** The latest exams, for their titles and stages. */
export const exams = async () => (await api.get("/exams/", { ordering: "-scheduled_date", page_size: MOST })).results;

/**
 * The title, the stage and the round of an exam whose leaderboard is published, even if the leaderboard of a later exam
 * has replaced it. Rejects with the status 404 if no leaderboard of the exam is published.
 *
 * @param {number} exam_id
 */
export const board = async (exam_id) => (await api.get("/leaderboard/", { exam_id })).exam_details;

/** @param {number} plan_id */
export const exported = (plan_id) => (/** @type {Record<string, any>} */ query) => fetched("/exports/advancement/{plan_id}/", { ...query, plan_id });
