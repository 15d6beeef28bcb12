// The endpoints of advancement.

import { api } from "../../../pages/static/ground/api.js";
import { useRead } from "../../../pages/static/ground/poll.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["AdvancementPlan"]} Plan */
/** @typedef {components["schemas"]["AdvancementPreview"]} Preview */

/** @param {Record<string, any>} query */
export const plans = (query) => api.get("/advancement/", query);

/** @param {string} plan_id */
export const usePlan = (plan_id) => useRead(() => api.get("/advancement/{plan_id}/", { plan_id: Number(plan_id) }), [plan_id]);

/** @param {string} plan_id @param {string | null} page @param {string} status */
export const usePreview = (plan_id, page, status) =>
  useRead(() => api.get("/advancement/{plan_id}/preview/", /** @type {any} */ ({ plan_id: Number(plan_id), page })), [plan_id, page, status]);

/** The exams of a stage. @param {string} stage */
export const exams = async (stage) => (await api.get("/exams/", /** @type {any} */ ({ stage, ordering: "-scheduled_date", limit: 100 }))).results;

/** @param {components["schemas"]["NewPlan"]} plan @param {string} key */
export const create = (plan, key) => api.post("/advancement/", {}, plan, { key });

/** @param {number} plan_id */
export const apply = (plan_id) => api.post("/advancement/{plan_id}/apply/", { plan_id }, undefined);

/** @param {number} plan_id */
export const undo = (plan_id) => api.post("/advancement/{plan_id}/undo/", { plan_id }, undefined);
