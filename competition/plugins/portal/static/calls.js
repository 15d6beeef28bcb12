// The requests that the navigation and pages in several folders of the portal send. The requests of a single folder are
// in its own `calls.js`.

import { api } from "../../pages/static/ground/api.js";
import { config } from "../../pages/static/ground/config.js";
import { usePoll } from "../../pages/static/ground/poll.js";

// How often the page polls if the browser has no socket, in seconds.
const EVERY = 60;

/** The newest unread notification, and how many are unread. @param {boolean} when Whether to poll now. */
export const useUnread = (when) => usePoll("/notifications/", { status: "unread", limit: 1 }, EVERY, when);

/** The candidate's clock in an exam. @param {number} exam_id */
export const clock = (exam_id) => api.get("/exams/{exam_id}/time/", { exam_id });

/**
 * How many minutes the candidate has in an exam. With extra time, these are more than the exam's usual minutes.
 * If the exam closes soon, they are fewer.
 *
 * @param {{ id: number, countdown_minutes: number }} exam
 */
export async function ownMinutes({ id: exam_id, countdown_minutes }) {
  if (!config().plugins.includes("allowances")) return countdown_minutes;
  const { minutes } = await api.get("/exams/{exam_id}/own-time/", { exam_id });
  return minutes;
}
