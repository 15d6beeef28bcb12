// The requests of the console's frame, and requests about accounts and a teacher's school that pages in several folders
// send. The requests of a single folder are in its own `calls.js`.

import { api, Refused, request } from "../../pages/static/ground/api.js";
import { config } from "../../pages/static/ground/config.js";
import { useEffect, useRef } from "../../pages/static/ground/html.js";
import { changed, usePoll, useRead } from "../../pages/static/ground/poll.js";
import * as session from "../../pages/static/ground/session.js";
import * as socket from "../../pages/static/ground/socket.js";

/** How often the frame polls, in seconds. The home page polls the same path, and both share the request. */
export const EVERY = 60;

/**
 * The school whose teacher the user is, null for others, and undefined until it is known. Only volunteers are teachers.
 */
export function useOwnSchool() {
  const user = session.user();
  const mayTeach = user?.role === "volunteer" && config().plugins.includes("teachers");
  return useRead(async () => (mayTeach ? ownSchool() : null), [user?.user.id, mayTeach]).value;
}

/**
 * The school whose teacher the user is, or null.
 *
 * @returns {Promise<import("../../pages/static/types/api.js").components["schemas"]["OwnSchool"] | null>}
 */
export async function ownSchool() {
  try {
    return await api.get("/school/");
  } catch (error) {
    // The API rejects volunteers who are not teachers, or not verified yet.
    if (error instanceof Refused && [403, 404].includes(error.status)) return null;
    throw error;
  }
}

/**
 * The dashboard, for the frame. It is read again as soon as the user's to-dos have changed, also for the home page.
 *
 * @param {boolean} when
 */
export function useDashboard(when) {
  const reading = usePoll("/dashboard/staff/", {}, EVERY, when);
  const again = useRef(reading.again);
  again.current = reading.again;
  useEffect(() => {
    if (!when) return undefined;
    const stops = [
      socket.on("open", () => again.current()),
      socket.on("todo_activity", () => again.current()),
      socket.follow("follow_todo", {}, "unfollow_todo"),
    ];
    return () => stops.forEach((stop) => void stop());
  }, [when]);
  return reading;
}

/** Read the counts of the navigation again now, because the user has changed what they count. */
export const recount = () => changed("/dashboard/staff/");

/**
 * @param {string} user_id
 * @param {boolean} is_active
 */
export const activate = (user_id, is_active) => api.put("/account-management/{user_id}/activation/", { user_id }, { is_active });

/**
 * The sessions and exams that deactivating an account would interrupt. The request changes nothing.
 *
 * @param {string} user_id
 */
export const previewDeactivation = (user_id) => api.get("/account-management/{user_id}/activation/preview/", { user_id });

// The largest page of the API. A league has one season per year.
const MOST_SEASONS = 100;

/** All seasons, the newest first. */
export const seasons = async () => (await api.get("/seasons/", { limit: MOST_SEASONS })).results;

/**
 * A new exam of the current season, with the same questions and rules.
 *
 * @param {number} exam_id
 * @param {string} key
 */
export const copyExam = (exam_id, key) => api.post("/exams/{exam_id}/copy/", { exam_id }, {}, { key });

/** How long an account can be restored after its deletion was requested, in days. */
export const deletionDays = async () => (await api.get("/users/deletions/", { limit: 1 })).deletion_days;

/**
 * The account with its version, for a form. It is read without links to documents, because the service records each
 * link in the audit trail.
 *
 * @param {string} user_id
 */
export async function account(user_id) {
  const { body, etag } = await request("get", "/account-management/{user_id}/", { user_id, documents: false });
  const { user, ...profile } = /** @type {import("../../pages/static/types/api.js").components["schemas"]["Account"]} */ (body).profile;
  const own = profile.profile_type === "candidate" ? { school: profile.school ?? "" } : { occupation: profile.occupation ?? "" };
  return { values: { first_name: user.first_name, last_name: user.last_name, phone: user.phone, ...own }, etag };
}

/**
 * @param {string} user_id
 * @param {import("../../pages/static/pieces/form.js").FormValues} values
 * @param {{ ifMatch?: string }} options
 */
export const changeDetails = (user_id, values, { ifMatch }) => api.patch("/account-management/{user_id}/", { user_id }, values, { ...(ifMatch && { ifMatch }) });

/** @param {string} user_id */
export const remove = (user_id) => api.delete("/users/{user_id}/", { user_id }, undefined);
