// The candidate's own time in exams, for the pages that list exams: the minutes, the clocks, and the order by urgency.
// The page of an exam does not use them: it has a clock that works without a connection.

import { useRead } from "../../pages/static/ground/poll.js";
import { clock, ownMinutes } from "./calls.js";

/** @import { components } from "../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["AvailableExam"]} Open */
/** @typedef {Record<number, components["schemas"]["ExamTime"] | null>} Clocks The clocks by the id of the exam. Null if a clock could not be read. */

/**
 * The candidate's own minutes in an exam. Until they are read, or if they can't be read, the exam's usual
 * minutes.
 *
 * @param {{ id: number, countdown_minutes: number } | null | undefined} exam
 */
export function useOwnMinutes(exam) {
  const { value } = useRead(async () => (exam ? { of: exam.id, minutes: await ownMinutes(exam) } : null), [exam?.id]);
  return (value?.of === exam?.id && value?.minutes) || exam?.countdown_minutes || 0;
}

/**
 * The candidate's own minutes in several exams, by the id of the exam. Empty until they are read, and 0 for an exam
 * whose minutes can't be read.
 *
 * @param {{ id: number, countdown_minutes: number }[]} exams
 * @returns {Record<number, number>}
 */
export function useMinutes(exams) {
  const { value } = useRead(async () => Object.fromEntries(await Promise.all(exams.map(async (each) => [each.id, await ownMinutes(each).catch(() => 0)]))), [exams.map((each) => each.id).join()]);
  return value ?? {};
}

/**
 * The candidate's clocks in the exams that they can still take. Undefined until all of them are read.
 *
 * @param {Open[] | undefined} exams
 * @returns {Clocks | undefined}
 */
export function useClocks(exams = []) {
  const ids = exams.filter((each) => each.enrollment === "not_done").map((each) => each.id);
  const { value } = useRead(async () => /** @type {Clocks} */ (Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await clock(id).catch(() => null)])))), [ids.join()]);
  return value && ids.every((id) => id in value) ? value : undefined;
}

/**
 * Whether the candidate's time in an exam is `running` or `over`. It is `open` if the candidate has not started the
 * exam.
 *
 * @param {Clocks[number] | undefined} time
 */
export function progress(time) {
  if (!time?.started_at || !time.deadline) return "open";
  return Date.parse(time.deadline) <= Date.parse(time.server_time) ? "over" : "running";
}

const ORDER = { running: 0, open: 1, over: 2 };
const ends = (/** @type {string | null} */ at) => (at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at));

/**
 * The open exams in the order in which they concern the candidate: first the running exams, then those that the
 * candidate can start, then those whose time is over, and last the submitted ones. Within each of these groups, exams
 * are in the order in which they close.
 *
 * @param {Open[]} exams
 * @param {Clocks} [clocks]
 */
export function byUrgency(exams, clocks = {}) {
  const place = (/** @type {Open} */ { id, enrollment }) => (enrollment === "done" ? 3 : ORDER[progress(clocks[id])]);
  return exams.toSorted((one, other) => place(one) - place(other) || ends(one.closes_at) - ends(other.closes_at));
}
