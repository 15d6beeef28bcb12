// The requests of the home page and of the page of notifications. No other module of this folder names paths of the
// API.

import { api } from "../../../pages/static/ground/api.js";
import { useEffect, useRef } from "../../../pages/static/ground/html.js";
import { usePoll } from "../../../pages/static/ground/poll.js";
import * as socket from "../../../pages/static/ground/socket.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["StaffDashboard"]} Dashboard */
/** @typedef {components["schemas"]["WaitingTodo"]} WaitingTodo */
/** @typedef {components["schemas"]["Notification"]} Notification */

// How often the page polls, in seconds.
const EVERY = 60;
const SHOWN = 5;

/** The dashboard. It is read again as soon as the user's to-dos have changed. */
export function useDashboard() {
  const reading = usePoll("/dashboard/staff/", {}, EVERY);
  const again = useRef(reading.again);
  again.current = reading.again;
  useEffect(() => {
    const stops = [
      socket.on("open", () => again.current()),
      socket.on("todo_activity", () => again.current()),
      socket.follow("follow_todo", {}, "unfollow_todo"),
    ];
    return () => stops.forEach((stop) => void stop());
  }, []);
  return reading;
}

/** The latest notifications. */
export const useNotifications = () => usePoll("/notifications/", { limit: SHOWN }, EVERY);

/** @param {Record<string, string>} query */
export const notifications = (query) => api.get("/notifications/", query);

/** @param {number} notification_id */
export const markAsRead = (notification_id) => api.patch("/notifications/{notification_id}/mark-as-read/", { notification_id }, undefined);

export const markAllAsRead = () => api.patch("/notifications/mark-all-as-read/", {}, undefined);
