// The requests of the pages about results. No other module of this folder names paths of the API.

import { api, Refused } from "../../../pages/static/ground/api.js";
import * as session from "../../../pages/static/ground/session.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Receipt"]} Receipt */
/** @typedef {Schemas["ReviewedAnswer"]} Reviewed */
/** @typedef {Schemas["TakenAnswer"]} Taken */
/** @typedef {Schemas["PerformanceDetail"]} Performance */
/** @typedef {Schemas["Season"]} Season */
/** @typedef {{ id: number, title: string, stage: Schemas["ConcludedExam"]["stage"], round: number, enrollment: Schemas["ConcludedExam"]["enrollment"], isOpen: boolean, over: string | null }} Exam */
/** @typedef {{ id: number, title: string, exam: Exam | null, score: Schemas["AccountScore"] | null }} Result An exam that the candidate has taken or missed. */

/**
 * The candidate's results in a season, the latest first, with the totals.
 *
 * @param {number | null} season The id of an earlier season, or null for the current one.
 * @returns {Promise<{ results: Result[], stats: Schemas["ExamStats"], ranking: Schemas["LeaderboardRanking"] }>}
 */
export async function results(season) {
  const query = season ? { season } : {};
  const [dashboard, account] = await Promise.all([api.get("/dashboard/candidate/", query), api.get("/account-management/", query)]);
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

/**
 * All data about one result that the candidate may see now, with its season.
 *
 * @param {number} exam_id
 * @param {string} candidate_id
 * @param {number | null} hint The id of the season in which to look for the exam before all others. Null for the
 *   current one.
 * @param {() => Promise<Season[]>} seasons Reads all seasons, the newest first.
 */
export async function result(exam_id, candidate_id, hint, seasons) {
  const { own, season } = await findResult(exam_id, hint, seasons);
  const exam = own?.exam;
  const published = exam?.enrollment === "done" && !exam.isOpen ? exam : null;
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
  return { own, season, receipt, performance, answers: reviewed.length ? reviewed : (submitted?.answers ?? null) };
}

/**
 * The candidate's result in an exam, and its season if that is not the current one. A link need not name the season: if
 * the exam is not in the season where it is expected, the others are searched too.
 *
 * @param {number} exam_id
 * @param {number | null} hint
 * @param {() => Promise<Season[]>} seasons
 * @returns {Promise<{ own: Result | null, season: Season | null }>}
 */
async function findResult(exam_id, hint, seasons) {
  const find = async (/** @type {number | null} */ id) => (await results(id)).results.find((each) => each.id === exam_id) ?? null;
  const current = hint ? null : await find(null);
  if (current) return { own: current, season: null };
  const all = await seasons();
  // Without a hint, the current season has been searched already.
  const left = hint ? all.toSorted((one, other) => Number(other.id === hint) - Number(one.id === hint)) : all.filter((each) => each.status === "closed");
  for (const season of left) {
    const own = await find(season.id);
    if (own) return { own, season: season.status === "closed" ? season : null };
  }
  return { own: null, season: null };
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
