// The requests of the pages about imports. No other module of this folder names paths of the API.

import { api } from "../../../pages/static/ground/api.js";
import { download, fetched, upload } from "../../../pages/static/ground/files.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Import"]} Import */
/** @typedef {Schemas["RowOfImport"]} Row */
/** @typedef {Schemas["KindOfImport"]} Kind */
/** @typedef {Schemas["FieldOfImport"]} Field */
/** @typedef {{ id: number, title: string }} Exam */

// The API reads at most this many items at once.
const LARGEST_PAGE = 100;

/** The kinds of rows that the user may import, such as candidates or questions. */
export const kinds = async () => (await api.get("/imports/kinds/")).results;

/** @param {Parameters<typeof api.get<"/imports/">>[1]} query */
export const imports = (query) => api.get("/imports/", query);

/**
 * @param {string} id
 * @param {number} every How often to poll, in seconds.
 */
export const useImport = (id, every) => usePoll("/imports/{kind_or_id}/", { kind_or_id: id }, every);

/**
 * @param {string} id
 * @param {Record<string, string>} query
 */
export const rows = (id, query) => api.get("/imports/{import_id}/rows/", { ...query, import_id: Number(id) });

/**
 * @param {string} kind
 * @param {{ file: File, exam?: string | number | null, columns?: Record<string, string | null> }} sent
 * @param {import("../../../pages/static/ground/files.js").Progress} progress
 * @returns {Promise<Import>}
 */
export function send(kind, { file, exam, columns }, progress) {
  const form = new FormData();
  form.set("file", file);
  if (exam) form.set("exam", String(exam));
  if (columns) form.set("columns", JSON.stringify(columns));
  return upload("/imports/{kind_or_id}/", { kind_or_id: kind }, form, { progress });
}

/**
 * @param {number} import_id
 * @param {{ invalid: "refuse" | "skip", invite: boolean }} how
 * @param {string} key
 */
export const apply = (import_id, how, key) => api.post("/imports/{import_id}/apply/", { import_id }, how, { key });

/** @param {number} id */
export const cancel = (id) => api.delete("/imports/{kind_or_id}/", { kind_or_id: String(id) }, undefined);

/**
 * @param {string} kind
 * @param {"csv" | "xlsx"} format
 */
export const template = (kind, format) => download("/imports/templates/{kind}/", { kind, format });

/**
 * An empty sheet with the candidates and the questions of an exam.
 *
 * @param {number} exam_id
 * @param {{ format: "csv" | "xlsx", per_school?: boolean }} query
 */
export const answerSheet = (exam_id, query) => fetched("/exports/exams/{exam_id}/answer-sheet/", { ...query, exam_id });

/**
 * The exams that an import of this kind can belong to. Answers from paper belong to an exam that is over, and
 * questions to one that has not opened.
 *
 * @param {string} kind
 * @returns {Promise<Exam[]>}
 */
export async function exams(kind) {
  const statuses = /** @type {Record<string, ("concluded" | "scheduled" | "draft" | undefined)[]>} */ ({ answers: ["concluded"], questions: ["scheduled", "draft"] })[kind] ?? [undefined];
  const lists = await Promise.all(statuses.map((status) => api.get("/exams/", { ordering: "-scheduled_date", limit: LARGEST_PAGE, ...(status && { status }) })));
  return lists.flatMap((each) => each.results);
}

/** @param {number} exam_id */
export const exam = (exam_id) => api.get("/exams/{exam_id}/", { exam_id, limit: 1 });
