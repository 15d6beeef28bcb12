// The requests of the pages about the exam day. No other module of this folder names paths of the API.

import { api, Refused } from "../../../pages/static/ground/api.js";
import { useMemo, useRef } from "../../../pages/static/ground/html.js";
import { usePoll } from "../../../pages/static/ground/poll.js";
import { recount } from "../calls.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["CurrentExam"]} CurrentExam */
/** @typedef {components["schemas"]["NewAllowance"]} NewAllowance */
/** @typedef {components["schemas"]["Clarification"]} Clarification */
/** @typedef {components["schemas"]["Allowance"]} Allowance */

export const current = async () => (await api.get("/dashboard/staff/")).current_exams;

/**
 * The title and the season of an exam, and when it opens and closes. Moderators can read exams that have opened, or open within a
 * day.
 *
 * @param {number} exam_id
 * @param {boolean} mayRead Whether the user may read all exams.
 * @returns {Promise<{ title: string, season?: number, stage?: CurrentExam["stage"], closes_at: string | null, scheduled_date: string | null, scores_visible?: "immediately" | "at_conclusion" | "at_publication" | null }>}
 */
export async function exam(exam_id, mayRead) {
  if (mayRead) {
    const { concluded_at, ...found } = await api.get("/exams/{exam_id}/", { exam_id, limit: 1 });
    return { ...found, closes_at: concluded_at ?? found.closes_at };
  }
  const found = (await opened(exam_id)) ?? (await current()).find((each) => each.id === exam_id);
  return found ?? { title: "", closes_at: null, scheduled_date: null };
}

/** An exam with its questions, or null if it has not opened. @param {number} exam_id */
async function opened(exam_id) {
  try {
    return await api.get("/exams/{exam_id}/paper/", { exam_id });
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return null;
    throw error;
  }
}

/**
 * The counts of an exam, and its silent candidates.
 *
 * A poll that finds no change brings no new `server_time`. So add the time that has passed since the last change.
 * Otherwise, an outage whose time is given back would end too early.
 *
 * @param {number} exam_id
 * @param {number} every
 */
export function useSilent(exam_id, every) {
  const reading = usePoll("/exams/{exam_id}/invigilation/", { exam_id, state: "silent", limit: 100 }, every);
  const { value, at } = reading;
  const changed = useRef({ value, at });
  if (changed.current.value !== value) changed.current = { value, at };
  const since = changed.current.at ?? 0;
  const current = useMemo(() => value && { ...value, server_time: new Date(Date.parse(value.server_time) + (at ?? 0) - since).toISOString() }, [value, at, since]);
  return { ...reading, value: current };
}

/**
 * @param {number} exam_id
 * @param {Record<string, string>} query
 */
export const seats = (exam_id, query) => api.get("/exams/{exam_id}/invigilation/", { exam_id, ...query });

/**
 * The first candidates of an exam whom a search finds, and how many it finds.
 *
 * @param {number} exam_id
 * @param {string} search
 * @param {number} limit
 */
export async function sitters(exam_id, search, limit) {
  const { results, pagination } = await api.get("/exams/{exam_id}/invigilation/", { exam_id, search, limit });
  return { people: results.map(({ candidate: { user_id: id, full_name: name, school }, state }) => ({ id, name, school, state })), count: pagination.count };
}

/** The first candidates of the league whom a search finds, whether they can take an exam or not. @param {string} search */
export const anybody = async (search) => (await api.get("/candidates/", { search, limit: 5 })).results;

/**
 * How many candidates of a school are sitting and not silent.
 *
 * @param {number} exam_id
 * @param {string} school
 */
export const sitting = async (exam_id, school) =>
  (await api.get("/exams/{exam_id}/invigilation/", { exam_id, school, state: "sitting", limit: 1 })).pagination.count;

/**
 * The questions of candidates that nobody has answered, the oldest first.
 *
 * @param {number} exam_id
 * @param {number} every
 */
export const useOpenQuestions = (exam_id, every) =>
  usePoll("/exams/{exam_id}/clarifications/", { exam_id, status: "open", ordering: "asked_at", limit: 100 }, every);

/**
 * @param {number} exam_id
 * @param {Record<string, string>} query
 */
export const questions = (exam_id, query) => api.get("/exams/{exam_id}/clarifications/", { exam_id, ...query });

/**
 * @param {number} clarification_id
 * @param {{ answer: string, public: boolean, only_if_open: boolean } | { dismiss: true, only_if_open: true }} body
 */
export const answer = (clarification_id, body) =>
  api.post("/clarifications/{clarification_id}/answer/", { clarification_id }, /** @type {components["schemas"]["ClarificationAnswer"]} */ (body));

/** The open questions of all exams. @param {Record<string, string>} query */
export const openQuestions = (query) => api.get("/clarifications/", query);

/** @param {number} exam_id */
export const paper = async (exam_id) => (await opened(exam_id))?.questions ?? [];

/** @param {number} exam_id */
export const previewAnnouncement = (exam_id) => api.get("/exams/{exam_id}/announcements/preview/", { exam_id });

/**
 * @param {number} exam_id
 * @param {string} text
 * @param {string} key
 */
export const announce = (exam_id, text, key) => api.post("/exams/{exam_id}/announcements/", { exam_id }, { text }, { key });

/**
 * @param {number} exam_id
 * @param {Record<string, string>} query
 */
export const announcements = (exam_id, query) => api.get("/exams/{exam_id}/announcements/", { exam_id, ...query });

/**
 * @param {number} exam_id
 * @param {Record<string, string>} query
 */
export const allowances = (exam_id, query) => api.get("/exams/{exam_id}/allowances/", { exam_id, ...query });

/**
 * @param {number} exam_id
 * @param {NewAllowance} body
 */
export const previewTime = (exam_id, body) => api.post("/exams/{exam_id}/allowances/preview/", { exam_id }, body);

/**
 * @param {number} exam_id
 * @param {NewAllowance} body
 * @param {string} key
 */
export const giveTime = (exam_id, body, key) => api.post("/exams/{exam_id}/allowances/", { exam_id }, body, { key });

/**
 * @param {number} exam_id
 * @param {number} allowance_id
 */
export const takeBack = (exam_id, allowance_id) => api.delete("/exams/{exam_id}/allowances/{allowance_id}/", { exam_id, allowance_id }, undefined);

/** @param {string} candidate_id */
export const candidate = async (candidate_id) => {
  const { user, school } = await api.get("/candidates/{candidate_id}/", { candidate_id, documents: false });
  return { id: user.id, name: `${user.first_name} ${user.last_name}`, school };
};

/** @param {number} exam_id */
export const previewConclusion = (exam_id) => api.get("/exams/{exam_id}/conclude/preview/", { exam_id });

/** @param {number} exam_id */
export async function conclude(exam_id) {
  const concluded = await api.post("/exams/{exam_id}/conclude/", { exam_id }, {});
  recount();
  return concluded;
}

/** Names of schools that contain the typed text. @param {string} search */
export const schools = (search) => api.get("/schools/names/", { search });

/**
 * Take back a candidate's own submission.
 *
 * @param {number} exam_id
 * @param {string} candidate_id
 * @param {{ reason: string, extra_minutes: number }} body
 */
export const reopen = (exam_id, candidate_id, body) => api.post("/exams/{exam_id}/attempts/{candidate_id}/reopen/", { exam_id, candidate_id }, body);
