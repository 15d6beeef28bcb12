// The requests of the pages about broadcasts. No other module of this folder names paths of the API.

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
 * @param {number} every How often to poll, in seconds.
 */
export const useBroadcast = (broadcast_id, every) => usePoll("/broadcasts/{broadcast_id}/", { broadcast_id }, every);

/**
 * @param {NewBroadcast} body
 * @param {string} key
 */
export const send = (body, key) => api.post("/broadcasts/", {}, body, { key });

/**
 * How many people would receive a broadcast now.
 *
 * @param {Schemas["Audience"]} audience
 */
const receivers = async (audience) => (await api.post("/broadcasts/preview/", {}, audience, { retry: true })).affected;

/**
 * @param {Stage} role
 * @param {boolean | null} joined True: count only those who have joined the season; false: only the others; null: all.
 */
export const candidates = (role, joined) => receivers({ target_roles: { candidate: [role] }, joined });

/** @param {Exclude<StaffRole, "sponsor">} role */
export const staff = (role) => receivers({ target_roles: { staff: [role] } });
