// The requests of the pages about appeals. No other module of this folder names paths of the API.

import { api, Refused } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Appeal"]} Appeal */
/** @typedef {Schemas["PerformanceDetail"]} Performance */
/** @typedef {Schemas["ReviewedAnswer"]} Answer */
/** @typedef {Schemas["Regrade"]} Regrade */
/** @typedef {Schemas["AppealAnswer"]} Ruling */

// How often the page polls, in seconds.
const EVERY = 60;

/** How many appeals are open now. */
export const useOpen = () => usePoll("/appeals/", { status: "open", page_size: 1 }, EVERY);

/** @param {Parameters<typeof api.get<"/appeals/">>[1]} query */
export const appeals = (query) => api.get("/appeals/", query);

/**
 * @param {number} appeal_id
 * @param {Ruling} body
 */
export const answer = (appeal_id, body) => api.post("/appeals/{appeal_id}/answer/", { appeal_id }, body);

/** @param {number} appeal_id */
export const appeal = (appeal_id) => api.get("/appeals/{appeal_id}/", { appeal_id });

/**
 * The candidate's answers in the exam, or null if the candidate is on no leaderboard of it, for example after a
 * disqualification.
 *
 * Leaderboards hide the right answer to a question that another exam asks. The exam's paper shows it to staff. So if
 * the right answer to the appeal's question is hidden, it is taken from the paper.
 *
 * @param {Appeal} appeal
 */
export async function answers({ exam, stage, round, question, candidate: { user_id: candidate_id } }) {
  try {
    const found = await api.get("/leaderboard/{stage}/{round}/candidate/{candidate_id}/", { stage, round, candidate_id });
    // If the appeal's exam was deleted, this may be the leaderboard of another exam of the same stage and round.
    if (found.exam_details.id !== exam) return null;
    const answer = found.candidate_performance.submissions.find((each) => each.question_id === question);
    if (answer && answer.accepted === null) answer.accepted = await keyOfPaper(exam, answer.question_id);
    return found;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

/**
 * @param {number} exam_id
 * @param {number} question_id
 */
async function keyOfPaper(exam_id, question_id) {
  const { questions } = await api.get("/exams/{exam_id}/paper/", { exam_id });
  const asked = questions.find((each) => each.id === question_id);
  return asked ? [asked.correct_answer] : null;
}

/**
 * The other exams that ask a question and are not over, or, if all are over, all others.
 *
 * @param {number} question_id
 * @param {number} exam_id
 */
export async function otherExams(question_id, exam_id) {
  const { results } = await api.get("/questions/{question_id}/exams/", { question_id, limit: 100 });
  const others = results.filter((each) => each.id !== exam_id);
  const next = others.filter((each) => each.status !== "concluded");
  return next.length ? next : others;
}

/** @param {number} exam_id */
export const regrades = async (exam_id) => (await api.get("/exams/{exam_id}/regrades/", { exam_id, status: "applied" })).results;
