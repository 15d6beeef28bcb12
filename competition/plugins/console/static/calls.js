// The requests of the console's frame, and requests about accounts that several pages send.

import { api } from "../../pages/static/ground/api.js";
import { usePoll } from "../../pages/static/ground/poll.js";

// How often the page polls, in seconds. The home page polls the same address and shares the request.
const EVERY = 60;

/** @param {boolean} when */
export const useDashboard = (when) => usePoll("/dashboard/staff/", {}, EVERY, when);

/**
 * @param {string} user_id
 * @param {boolean} is_active
 */
export const activate = (user_id, is_active) => api.put("/account-management/{user_id}/activation/", { user_id }, { is_active });

/** How long an account can be restored after its deletion was requested, in days. */
export const deletionDays = async () => (await api.get("/users/deletions/", { limit: 1 })).deletion_days;

/** @param {string} user_id */
export const remove = (user_id) => api.delete("/users/{user_id}/", { user_id }, undefined);
