// The requests of the pages about identity documents. No other module of this folder names paths of the API.

import { api, request as ask } from "../../../pages/static/ground/api.js";
import { follow } from "../../../pages/static/ground/files.js";
import { usePoll } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["VerificationItem"]} Item A request in the list. */
/** @typedef {Schemas["VerificationRecord"]} Verification The verification of a user's identity. */
/** @typedef {Schemas["Account"]["profile"]} Account */
/** @typedef {"face_id" | "id_card" | "verification_document"} Name */
/** @typedef {{ id: string, name: string, email: string, approve: boolean, reason: string, version: string | null }} Decision `version` is that of the account that was reviewed. */

/** @type {Name[]} */
export const DOCUMENTS = ["face_id", "id_card", "verification_document"];
// How many waiting requests a review reads at once.
const AHEAD = 50;
// How often the page polls, in seconds.
const EVERY = 60;

/** @param {Parameters<typeof api.get<"/user/verification/list/">>[1]} query */
export const requests = (query) => api.get("/user/verification/list/", query);

/** How many documents are waiting now. */
export const useWaiting = () => usePoll("/user/verification/list/", { is_pending: true, limit: 1 }, EVERY);

/**
 * The latest of the decisions that a list shows.
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
 * The requests that wait for this manager, the oldest first: documents, and changes of names and schools.
 *
 * @returns {Promise<{ items: Item[], count: number }>}
 */
export async function queue() {
  const { results, pagination } = await requests({ is_waiting: true, limit: AHEAD });
  // Nobody decides on their own documents.
  const items = results.filter((each) => each.user_id !== session.user()?.user.id);
  return { items, count: pagination.count - (results.length - items.length) };
}

/** A user's latest request, with the manager who has decided on it, or null. @param {string} user_id */
export const request = async (user_id) => (await requests({ user_id })).results[0] ?? null;

/**
 * An account with links to its documents, and its version.
 *
 * @param {string} user_id
 * @returns {Promise<{ profile: Account, version: string | null }>}
 */
export async function account(user_id) {
  const { body, etag } = await ask("get", "/account-management/{user_id}/", { user_id });
  return { profile: body.profile, version: etag };
}

/**
 * Read a document by the link in the account. The link works for some minutes.
 *
 * @param {string} link
 * @param {AbortSignal} signal
 */
export const read = (link, signal) => follow(link, { signal });

/**
 * Send a decision. A retry does no harm, because the service rejects a second decision on the same documents.
 * It also rejects a decision if the documents, the name or the school have changed since the review.
 *
 * @param {Decision} decision
 */
export const decide = ({ id: user_id, approve, reason, version }) =>
  api.post(
    "/user/verification/action/{user_id}/",
    { user_id },
    { is_approved: approve, is_rejected: !approve, ...(!approve && { rejection_reason: reason }) },
    { retry: true, keepalive: true, ...(version && { ifMatch: version }) },
  );
