// The parts that the pages of results and regrades share: addresses, scores, alarms, and corrections in words. This
// module sends no requests.

import { Refused } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { t } from "./words.js";

/** @import { ExamResult } from "./calls.js" */
/** @import { components } from "../../../pages/static/types/api.js" */

/** @typedef {components["schemas"]["AnalysedQuestion"]} AnalysedQuestion */
/** @typedef {components["schemas"]["Question"]} PaperQuestion */
/** @typedef {components["schemas"]["Regrade"]} Regrade */
/** @typedef {components["schemas"]["Change"]} Change */

/** @param {string} exam */
export const resultsOf = (exam) => `/console/exams/${exam}/results`;

/** @param {string} exam */
export const regradesOf = (exam) => `/console/exams/${exam}/regrades`;

/** @param {string} exam */
export const printedOf = (exam) => `/console/exams/${exam}/printed`;

/**
 * @param {string} exam
 * @param {number} question
 */
export const correct = (exam, question) => `${regradesOf(exam)}/new?question=${question}`;

/** @param {number} value */
export const score = (value) => number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {number | null} value */
export const percent = (value) => (value === null ? "-" : number(value, { style: "percent", maximumFractionDigits: 0 }));

// Alarms that mean a wrong answer key. All other alarms mean that a question is easy, hard or unusual.
/** @type {string[]} */
export const SERIOUS = ["key_suspected", "negative_discrimination"];

/** @param {{ of: AnalysedQuestion }} props */
export const Alarms = ({ of }) =>
  html`<span class="acts">${of.alarms.map((each) => h(Tag, { key: each, kind: SERIOUS.includes(each) ? "bad" : "warn" }, t(`results.alarm.${each}`)))}</span>`;

/**
 * A correction in words: "Question 12: B and C count as right".
 *
 * @param {Change} change
 * @param {PaperQuestion[]} paper
 */
export function described(change, paper) {
  const position = paper.findIndex((each) => each.id === change.question) + 1;
  if (change.void) return t("results.voids", { position });
  if (change.credit_all) return t("results.credits", { position });
  return t("results.accepts", { position, letters: (change.accept ?? []).join(", ") });
}

/** @type {Record<Regrade["status"], "ok" | "warn" | "">} */
const KINDS = { preview: "warn", applied: "ok", reverted: "" };

/** @param {{ of: Regrade }} props */
export const RegradeState = ({ of }) => h(Tag, { kind: KINDS[of.status] }, t(`results.${of.status}`));

/**
 * The score in percent, or null if the text is not a valid number.
 *
 * @param {string} unit `right` if the text counts right answers, otherwise it is the score in percent.
 * @param {string} written
 * @param {number} count The number of questions.
 */
export function percentOf(unit, written, count) {
  const value = /^\d+([.,]\d+)?$/.test(written.trim()) ? Number(written.trim().replace(",", ".")) : NaN;
  const most = unit === "right" ? count : 100;
  if (!(value <= most) || (unit === "right" && !Number.isInteger(value))) return null;
  return Math.round((value / most) * 10_000) / 100;
}

/**
 * @template T
 * @typedef {import("../../../pages/static/pieces/table.js").Column<T>} Column
 */

/** @param {string} name */
export const isEnabled = (name) => config().plugins.includes(name);

/**
 * The result of a request, or null if its object does not exist.
 *
 * @template T
 * @param {Promise<T>} reading
 */
export async function orNothing(reading) {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

/**
 * The links to the pages above this one.
 *
 * @param {string} id
 * @param {{ value?: { title: string } | undefined }} about
 */
export const crumbs = (id, about) => [
  { href: "/console/exams", text: t("results.exams") },
  { href: `/console/exams/${id}`, text: about.value?.title ?? t("results.exam") },
];

/** @type {Column<ExamResult>} */
export const CANDIDATE = { title: "", cell: (row) => html`<a href=${`/console/candidates/${row.candidate_id}`}><bdi>${row.candidate_name}</bdi></a><span class="small muted"> <bdi>${row.candidate_school}</bdi></span>` };

/** The source of a score. @param {ExamResult} row */
export function source(row) {
  if (!row.auto_score) return h(Tag, { kind: "info" }, t("results.byHand", { name: row.score_submitted_by }));
  if (row.handed_in_by === "staff") return h(Tag, {}, t("results.byStaff"));
  return row.handed_in_by === "service" ? h(Tag, {}, t("results.byService")) : t("results.byCandidate");
}
