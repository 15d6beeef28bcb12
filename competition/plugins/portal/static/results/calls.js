// The requests of the pages about results. No other module of this folder names paths of the API.

import { api, Refused } from "../../../pages/static/ground/api.js";
import * as session from "../../../pages/static/ground/session.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Receipt"]} Receipt */
/** @typedef {Schemas["ReviewedAnswer"]} Reviewed */
/** @typedef {Schemas["TakenAnswer"]} Taken */
/** @typedef {Schemas["PerformanceDetail"]} Performance */
/** @typedef {{ id: number, title: string, stage: Schemas["ConcludedExam"]["stage"], round: number, enrollment: Schemas["ConcludedExam"]["enrollment"], isOpen: boolean, over: string | null }} Exam */
/** @typedef {{ id: number, title: string, exam: Exam | null, score: Schemas["AccountScore"] | null }} Result An exam that the candidate has taken or missed. */

/**
 * The candidate's results, the latest first, with the totals.
 *
 * @returns {Promise<{ results: Result[], stats: Schemas["ExamStats"], ranking: Schemas["LeaderboardRanking"] }>}
 */
export async function results() {
  const [dashboard, account] = await Promise.all([api.get("/dashboard/candidate/"), api.get("/account-management/")]);
  const scores = new Map((account.profile.scores?.scores ?? []).map((each) => [each.exam_id, each]));
  /** @type {Exam[]} */
  const exams = [
    ...dashboard.available_exams.filter((each) => each.enrollment === "done").map((each) => ({ ...each, isOpen: true, over: null })),
    ...dashboard.concluded_exams.map((each) => ({ ...each, isOpen: false, over: each.concluded_at })),
  ];
  const known = new Set(exams.map((each) => each.id));
  return {
    results: [
      // An exam that a candidate could not take is not a result.
      ...exams.filter((each) => each.enrollment !== "not_done").map((exam) => ({ id: exam.id, title: exam.title, exam, score: scores.get(exam.id) ?? null })),
      ...[...scores.values()].filter((each) => !known.has(each.exam_id)).map((score) => ({ id: score.exam_id, title: score.exam_title, exam: null, score })),
    ],
    stats: dashboard.exam_stats,
    ranking: dashboard.leaderboard_ranking,
  };
}

/** Whether a leaderboard of the candidate's stage is published. */
export async function isStagePublished() {
  const found = await ifAllowed(api.get("/leaderboard/"));
  const role = session.user()?.role;
  return (found?.available_leaderboards ?? []).some((each) => each.stage === role);
}

/** @typedef {{ stage: Exam["stage"], round: number }} Place The stage and the round of an exam. */

/**
 * All data about one result that the candidate may see now.
 *
 * @param {number} exam_id
 * @param {string} candidate_id
 * @param {Place | null} earlier The place of an exam of an earlier season, whose results are published.
 */
export async function result(exam_id, candidate_id, earlier) {
  const own = (await results()).results.find((each) => each.id === exam_id) ?? null;
  const exam = own?.exam;
  const published = exam?.enrollment === "done" && !exam.isOpen ? exam : earlier;
  const nothing = Promise.resolve(null);
  const [receipt, found] = await Promise.all([
    // A receipt remains even if the exam was deleted.
    exam?.enrollment === "missed" ? nothing : ifAllowed(api.get("/exams/{exam_id}/receipt/", { exam_id })),
    published ? ifAllowed(api.get("/leaderboard/{stage}/{round}/candidate/{candidate_id}/", { stage: published.stage, round: published.round, candidate_id, exam_id })) : nothing,
  ]);
  // A service of the previous release ignores `exam_id`, and finds the latest exam of the round.
  const performance = found?.exam_details.id === exam_id ? found : null;
  const reviewed = performance?.candidate_performance.submissions ?? [];
  const needsAnswers = receipt !== null && !reviewed.length && exam?.isOpen === false;
  const submitted = needsAnswers ? await ifAllowed(api.get("/exams/{exam_id}/submitted-answers/", { exam_id })) : null;
  return { own, receipt, performance, answers: reviewed.length ? reviewed : (submitted?.answers ?? null) };
}

export const receiptKeys = async () => (await api.get("/receipts/keys/")).keys;

/**
 * Let the service check a receipt, for browsers that can't.
 *
 * @param {Receipt} receipt
 * @param {Schemas["GivenAnswer"][] | null} answers
 */
export const verify = (receipt, answers) => api.post("/receipts/verify/", {}, { receipt, ...(answers && { answers }) }, { retry: true });

/**
 * Resolves to the reply, or to null if the candidate may not see it now.
 *
 * @template T
 * @param {Promise<T>} reply
 * @returns {Promise<T | null>}
 */
const ifAllowed = (reply) => reply.catch((error) => {
  if (error instanceof Refused && (error.status === 403 || error.status === 404)) return null;
  throw error;
});
