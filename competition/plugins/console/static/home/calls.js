// The requests of the home page and of the page of notifications. No other module of this folder names paths of the
// API.

import { api } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";
import { EVERY } from "../calls.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["StaffDashboard"]} Dashboard */
/** @typedef {components["schemas"]["WaitingTodo"]} WaitingTodo */
/** @typedef {components["schemas"]["Notification"]} Notification */

const SHOWN = 5;

/** The dashboard. The frame reads it again as soon as the user's to-dos have changed. */
export const useDashboard = () => usePoll("/dashboard/staff/", {}, EVERY);

/** The latest notifications. */
export const useNotifications = () => usePoll("/notifications/", { limit: SHOWN }, EVERY);

/** @param {Record<string, string>} query */
export const notifications = (query) => api.get("/notifications/", query);

/** @param {number} notification_id */
export const markAsRead = (notification_id) => api.patch("/notifications/{notification_id}/mark-as-read/", { notification_id }, undefined);

export const markAllAsRead = () => api.patch("/notifications/mark-all-as-read/", {}, undefined);
