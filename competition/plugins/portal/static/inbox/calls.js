// The requests of the page of notifications.

import { api } from "../../../pages/static/ground/api.js";
import { changed } from "../../../pages/static/ground/poll.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["Notification"]} Notification */

// The API sends at most this many notifications at once.
export const MOST = 100;

export const unread = () => api.get("/notifications/", { status: "unread", limit: MOST });

/** @param {Record<string, string>} query */
export const list = (query) => api.get("/notifications/", query);

/** @param {number} notification_id */
export const markAsRead = (notification_id) => api.patch("/notifications/{notification_id}/mark-as-read/", { notification_id }, undefined);

export const markAllAsRead = () => api.patch("/notifications/mark-all-as-read/", {}, undefined);

/** Let the navigation, which polls the same path, show at once how many notifications are unread. */
export const countAgain = () => changed("/notifications/");
