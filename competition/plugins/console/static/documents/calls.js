// The requests about identity documents.

import { api } from "../../../pages/static/ground/api.js";
import { follow } from "../../../pages/static/ground/files.js";
import { usePoll } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["VerificationItem"]} Item A request in the list. */
/** @typedef {Schemas["VerificationRecord"]} Verification The verification of a user's identity. */
/** @typedef {Schemas["Account"]["profile"]} Account */
/** @typedef {"face_id" | "id_card" | "verification_document"} Name */
/** @typedef {{ id: string, name: string, email: string, approve: boolean, reason: string }} Decision */

/** @type {Name[]} */
export const DOCUMENTS = ["face_id", "id_card", "verification_document"];
// How many waiting requests a review reads at once. The list shows all of them.
const AHEAD = 50;
// How often the page polls, in seconds.
const EVERY = 60;

/** @param {Parameters<typeof api.get<"/user/verification/list/">>[1]} query */
export const requests = (query) => api.get("/user/verification/list/", query);

/** How many documents are waiting now. */
export const useWaiting = () => usePoll("/user/verification/list/", { is_pending: true, limit: 1 }, EVERY);

/**
 * The latest decision of those that a list shows.
 *
 * @param {Record<string, string>} query
 * @param {boolean} when
 */
export const useLatest = (query, when) => usePoll("/user/verification/list/", { ...query, limit: 1 }, EVERY, when);

/**
 * A user's verification, polled because another manager may decide at the same time.
 *
 * @param {string} user_id
 */
export const useVerification = (user_id) => usePoll("/user/verification/status/{user_id}/", { user_id }, EVERY);

/**
 * The requests that wait for this manager, the oldest first: documents, and then changes of names and schools.
 *
 * @returns {Promise<{ items: Item[], count: number }>}
 */
export async function queue() {
  const lists = await Promise.all([requests({ is_pending: true, limit: AHEAD }), requests({ has_changes: true, limit: AHEAD })]);
  const all = lists.flatMap((each) => each.results);
  // Nobody decides on their own documents.
  const items = all.filter((each, at) => each.user_id !== session.user()?.user.id && all.findIndex((other) => other.user_id === each.user_id) === at);
  return { items, count: lists.reduce((sum, each) => sum + each.pagination.count, 0) - (all.length - items.length) };
}

/**
 * The request of a user, with the manager who decided it.
 *
 * @param {{ id: string, email: string }} user
 */
export async function request({ id, email }) {
  const { results } = await requests({ search: email });
  return results.find((each) => each.user_id === id) ?? null;
}

/** @param {string} user_id */
export const account = async (user_id) => (await api.get("/account-management/{user_id}/", { user_id })).profile;

/**
 * A document, by the link in the account, which works for some minutes.
 *
 * @param {string} link
 * @param {AbortSignal} signal
 */
export const read = (link, signal) => follow(link, { signal });

/**
 * Send a decision. It may be sent twice, because the service rejects a second one for the same documents.
 *
 * @param {Decision} decision
 */
export const decide = ({ id: user_id, approve, reason }) =>
  api.post(
    "/user/verification/action/{user_id}/",
    { user_id },
    { is_approved: approve, is_rejected: !approve, ...(!approve && { rejection_reason: reason }) },
    { retry: true, keepalive: true },
  );
