// The requests of the page of an exam. A Sitting gets them by `service`, and decides when to send them. No other module
// of the exam names paths of the API.

import { api } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import * as session from "../../../pages/static/ground/session.js";
import { ownMinutes } from "../calls.js";
import { isShared } from "../storages.js";

/** @import { Service } from "./sitting/sitting.js" */
/** @import { Message } from "./sitting/store.js" */

const PAGE = 100;

/**
 * The service for a Sitting of one candidate. The Sitting decides when to repeat a failed request, so these calls
 * don't.
 *
 * @param {number} exam_id
 * @param {string} user
 * @returns {Service}
 */
export function service(exam_id, user) {
  // Another candidate may have signed in to this browser. Then send nothing, because the answers are not those of
  // this candidate.
  const own = (/** @type {(...sent: any[]) => Promise<any>} */ call) => async (/** @type {any[]} */ ...sent) => {
    const now = session.user()?.user.id;
    if (now && now !== user) throw Object.assign(new Error("Another user has signed in."), { status: 401 });
    return call(...sent);
  };
  return /** @type {any} */ (Object.fromEntries(Object.entries(requests(exam_id)).map(([name, call]) => [name, own(call)])));
}

/**
 * @param {number} exam_id
 * @returns {Service}
 */
const requests = (exam_id) => ({
  time: () => api.get("/exams/{exam_id}/time/", { exam_id }, { retry: false }),
  // The OpenAPI document allows any string as an option of a draft. These are the options that this page has sent.
  open: async () => /** @type {any} */ (await api.get("/exams/{exam_id}/take-exam/", { exam_id }, { retry: false })),
  save: (changes, { keepalive = false } = {}) => api.put("/exams/{exam_id}/draft/", { exam_id }, changes, { retry: false, keepalive }),
  draft: async () => /** @type {any} */ (await api.get("/exams/{exam_id}/draft/", { exam_id }, { retry: false })),
  submit: (answers, key) => api.post("/exams/{exam_id}/submit-exam-answers/", { exam_id }, { answers }, { key, retry: false }),
  receipt: () => api.get("/exams/{exam_id}/receipt/", { exam_id }, { retry: false }),
  messages: () => messages(exam_id),
  keys: async () => /** @type {any} */ ((await api.get("/receipts/keys/")).keys),
  verify: async (receipt, answers) => {
    const { valid, reason } = await api.post("/receipts/verify/", {}, { receipt, answers }, { retry: true });
    return { isGenuine: valid || reason === "answers", isComplete: valid };
  },
});

/** Whether candidates can ask questions during an exam. */
export const canAsk = () => config().plugins.includes("clarifications");

/**
 * Ask the staff a question.
 *
 * @param {number} exam_id
 * @param {{ question: number | null, text: string }} asked
 * @param {string} key
 */
export const ask = (exam_id, asked, key) => api.post("/exams/{exam_id}/clarifications/", { exam_id }, asked, { key });

/**
 * The facts about an exam that a candidate sees before the start, with their own time in minutes. Null if the
 * exam is neither open nor announced for them.
 *
 * @param {number} exam_id
 */
export async function about(exam_id) {
  const { available_exams, upcoming_exams } = await api.get("/dashboard/candidate/");
  const found = [...available_exams, ...upcoming_exams].find((each) => each.id === exam_id);
  return found ? { ...found, minutes: await ownMinutes(found) } : null;
}

/**
 * Sign in again, without leaving the exam.
 *
 * @param {{ email: string, password: string }} login
 */
export const signIn = (login) => api.post("/auth/login/", {}, { ...login, shared_device: isShared() }, { anonymous: true });

/** @param {string} refresh */
export const logOut = (refresh) => api.post("/auth/logout/", {}, { refresh }, { anonymous: true });

/**
 * All announcements, and the answers to the candidate's questions.
 *
 * @param {number} exam_id
 * @returns {Promise<Message[]>}
 */
async function messages(exam_id) {
  if (!canAsk()) return [];
  const [announcements, clarifications] = await Promise.all([
    everything((page) => api.get("/exams/{exam_id}/announcements/", { exam_id, page, limit: PAGE })),
    everything((page) => api.get("/exams/{exam_id}/clarifications/", { exam_id, page, limit: PAGE })),
  ]);
  return [
    ...announcements.map(({ id, text, created_at: at }) => /** @type {Message} */ ({ kind: "announcement", id, text, at })),
    ...clarifications
      .filter((each) => each.status !== "open")
      .map(({ id, question, text: asked, answer: text, answered_at: at, asked_at: askedAt }) => /** @type {Message} */ ({ kind: "answer", id, question, asked, text, at: at ?? askedAt })),
  ];
}

/**
 * All items of a list, page by page.
 *
 * @template T
 * @param {(page: number) => Promise<{ results: T[], pagination: { has_next: boolean } }>} read
 */
async function everything(read) {
  /** @type {T[]} */
  const items = [];
  for (let number = 1, more = true; more; number++) {
    const page = await read(number);
    items.push(...page.results);
    more = page.pagination.has_next;
  }
  return items;
}
