// The endpoints of broadcasts.

import { api } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["Broadcast"]} Broadcast */
/** @typedef {components["schemas"]["NewTargetRoles"]} Roles */

// In seconds: progress is read so often.
const SENDING = 5;

/** @param {Record<string, any>} query */
export const broadcasts = (query) => api.get("/broadcasts/", query);

/** @param {string} broadcast_id */
export const useBroadcast = (broadcast_id) => usePoll("/broadcasts/{broadcast_id}/", { broadcast_id: Number(broadcast_id) }, SENDING);

/** How many people would receive it, and the first of them. @param {Roles} target_roles */
export const preview = (target_roles) => api.post("/broadcasts/preview/", {}, { target_roles }, { retry: true });

/** @param {components["schemas"]["NewBroadcast"]} broadcast @param {string} key */
export const send = (broadcast, key) => api.post("/broadcasts/", {}, broadcast, { key });
