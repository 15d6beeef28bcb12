// The API calls of the home page.

import { api } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["StaffDashboard"]} Dashboard */
/** @typedef {components["schemas"]["WaitingTodo"]} WaitingTodo */
/** @typedef {components["schemas"]["NotificationList"]} Notifications */

// In seconds.
const EVERY = 60;
const SHOWN = 5;

export const useDashboard = () => usePoll("/dashboard/staff/", {}, EVERY);

export const useNotifications = () => usePoll("/notifications/", { limit: SHOWN }, EVERY);

export const markAllAsRead = () => api.patch("/notifications/mark-all-as-read/", {}, undefined);
