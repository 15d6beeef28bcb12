// The requests about broadcasts.

import { api } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["Broadcast"]} Broadcast */
/** @typedef {Schemas["BroadcastLog"]} Delivery */
/** @typedef {Schemas["TargetRoles"]} Targets */
/** @typedef {Schemas["NewBroadcast"]} NewBroadcast */
/** @typedef {NonNullable<Targets["candidate"]>[number]} Stage */
/** @typedef {NonNullable<Targets["staff"]>[number]} StaffRole */

/** @param {Parameters<typeof api.get<"/broadcasts/">>[1]} query */
export const broadcasts = (query) => api.get("/broadcasts/", query);

/**
 * @param {number} broadcast_id
 * @param {number} every In seconds.
 */
export const useBroadcast = (broadcast_id, every) => usePoll("/broadcasts/{broadcast_id}/", { broadcast_id }, every);

/**
 * @param {NewBroadcast} body
 * @param {string} key
 */
export const send = (body, key) => api.post("/broadcasts/", {}, body, { key });

/**
 * How many candidates of a stage have an account that is not deactivated.
 *
 * @param {Stage} role
 */
export async function candidates(role) {
  const [all, deactivated] = await Promise.all([
    api.get("/candidates/", { role, page_size: 1 }),
    api.get("/candidates/", { role, status: "deactivated", page_size: 1 }),
  ]);
  return all.pagination.count - deactivated.pagination.count;
}

/**
 * How many members of staff have a role, with deactivated accounts: the API can't leave them out.
 *
 * @param {StaffRole} role
 */
export const staff = async (role) => (await api.get("/staff/", { role, page_size: 1 })).pagination.count;
