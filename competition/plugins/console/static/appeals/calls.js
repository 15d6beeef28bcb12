// The endpoints of appeals.

import { api } from "../../../pages/static/ground/api.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["Appeal"]} Appeal */

/** @param {Record<string, any>} query */
export const appeals = (query) => api.get("/appeals/", query);

/** An appeal with what it is about: the exam and, if there is one, the question. @param {Appeal} appeal */
export async function about(appeal) {
  const [exam, question] = await Promise.all([
    api.get("/exams/{exam_id}/", { exam_id: appeal.exam, limit: 1 }).catch(hidden),
    appeal.question === null ? null : api.get("/questions/{question_id}/", { question_id: appeal.question }).catch(hidden),
  ]);
  return { exam, question };
}

/** Some ranks may answer an appeal, but not read everything that it is about. @param {any} error */
function hidden(error) {
  if (error.status === 403 || error.status === 404) return null;
  throw error;
}

/** @param {number} exam_id */
export const regrades = async (exam_id) => (await api.get("/exams/{exam_id}/regrades/", { exam_id, limit: 50 })).results;

/** @param {number} appeal_id @param {components["schemas"]["AppealAnswer"]} answer */
export const answer = (appeal_id, answer) => api.post("/appeals/{appeal_id}/answer/", { appeal_id }, answer);
