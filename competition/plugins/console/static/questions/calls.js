// The requests of the pages about questions and their images. No other module of this folder names paths of the API.

import { api, request } from "../../../pages/static/ground/api.js";
import { fetched, upload } from "../../../pages/static/ground/files.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["Question"]} Question */
/** @typedef {components["schemas"]["QuestionInBank"]} QuestionInBank */
/** @typedef {components["schemas"]["AnsweredQuestion"]} Answered */
/** @typedef {components["schemas"]["NewQuestion"]} NewQuestion */
/** @typedef {components["schemas"]["ExamOfQuestion"]} ExamOfQuestion */
/** @typedef {components["schemas"]["Change"]} Change */
/** @typedef {components["schemas"]["Image"]} Image */
/** @typedef {components["schemas"]["TextsToRender"]} Texts */
/** @typedef {components["schemas"]["TextWarning"]} TextWarning */

// The API reads at most this many items at once.
const LARGEST_PAGE = 100;

/** @param {Record<string, any>} query */
export const questions = (query) => api.get("/questions/", query);

/** @param {Record<string, any>} query */
export const exported = (query) => fetched("/exports/questions/", query);

/**
 * How candidates answered these questions, by their ids; null for a question without answers.
 *
 * @param {number[]} question_ids At most 100.
 * @returns {Promise<Map<number, Answered | null>>}
 */
export async function answered(question_ids) {
  if (!question_ids.length) return new Map();
  const { results } = await api.get("/questions/answers/", { question_ids: question_ids.join() });
  return new Map(question_ids.map((id) => [id, results.find((each) => each.question === id) ?? null]));
}

/**
 * A question, and the version that a change is based on.
 *
 * @param {string} question_id
 * @returns {Promise<{ question: Question, etag: string | null }>}
 */
export async function question(question_id) {
  const { body, etag } = await request("get", "/questions/{question_id}/", { question_id });
  return { question: body, etag };
}

/**
 * @param {NewQuestion} values
 * @param {string} key
 */
export const create = (values, key) => api.post("/questions/", {}, values, { key });

/**
 * Returns the changed question and its new version.
 *
 * @param {string} question_id
 * @param {NewQuestion} values
 * @param {string | undefined} ifMatch
 * @returns {Promise<{ question: Question, etag: string | null }>}
 */
export async function change(question_id, values, ifMatch) {
  const { body, etag } = await request("patch", "/questions/{question_id}/", { question_id }, values, ifMatch ? { ifMatch } : {});
  return { question: body, etag };
}

/** @param {number} question_id */
export const archive = (question_id) => api.delete("/questions/{question_id}/", { question_id }, undefined);

/**
 * @param {number[]} question_ids
 * @param {string} key
 */
export const archiveAll = (question_ids, key) => api.post("/questions/bulk-archive/", {}, { question_ids }, { key });

/**
 * @param {number[]} question_ids
 * @param {number[]} exam_ids
 * @param {string} key
 */
export const addToExams = (question_ids, exam_ids, key) =>
  api.post("/questions/bulk-add-to-exams/", {}, { question_ids, exam_ids }, { key });

/**
 * @param {string} question_id
 * @param {string | null} page
 */
export const examsOf = (question_id, page) =>
  api.get("/questions/{question_id}/exams/", { question_id: Number(question_id), ordering: "-scheduled_date", ...(page && { page: Number(page) }) });

/**
 * The corrections of a question in the exams that asked it and are over.
 *
 * @param {number} question
 * @returns {Promise<{ exam: ExamOfQuestion, change: Change, regrade: number }[]>}
 */
export async function correctionsOf(question) {
  const { results } = await examsOf(String(question), null);
  const found = await Promise.all(results.filter((each) => each.status === "concluded").map(async (exam) => {
    const regrades = await api.get("/exams/{exam_id}/regrades/", { exam_id: exam.id, status: "applied", ordering: "-applied_at" });
    // The latest correction of a question replaces the earlier ones.
    return regrades.results.flatMap(({ id, changes }) => changes.filter((each) => each.question === question).map((change) => ({ exam, change, regrade: id }))).slice(0, 1);
  }));
  return found.flat();
}

/** The exams that have not opened, the next exam first. Questions can be added to these exams only. */
export async function openToChange() {
  const [scheduled, drafts] = await Promise.all([
    api.get("/exams/", { status: "scheduled", ordering: "scheduled_date", limit: LARGEST_PAGE }),
    api.get("/exams/", { status: "draft", ordering: "-created_at", limit: LARGEST_PAGE }),
  ]);
  return [...scheduled.results, ...drafts.results];
}

/** The staff, for the filter by author. */
export const authors = () => api.get("/staff/", { limit: LARGEST_PAGE, ordering: "last_name" });

/**
 * @param {Texts} texts
 * @param {AbortSignal} signal
 */
export const render = (texts, signal) => api.post("/questions/render/", {}, { ...texts, show_mistakes: true }, { signal, retry: true });

/**
 * @param {string} search
 * @param {number} page
 */
export const images = (search, page) => api.get("/questions/images/", { search, page, limit: 6 });

/**
 * @param {File} file
 * @param {string} alt
 * @param {import("../../../pages/static/ground/files.js").Progress} progress
 * @returns {Promise<Image>}
 */
export function addImage(file, alt, progress) {
  const form = new FormData();
  form.set("file", file);
  form.set("alt", alt);
  return upload("/questions/images/", {}, form, { progress });
}

/**
 * Change the alternative text of an image, also in the questions of the bank that show it.
 *
 * @param {number} image_id
 * @param {string} alt
 */
export const describe = (image_id, alt) => api.patch("/questions/images/{image_id}/", { image_id }, { alt });

/** @param {number} image_id */
export const removeImage = (image_id) => api.delete("/questions/images/{image_id}/", { image_id }, undefined);
