// The API calls of the portal's frame.

import { usePoll } from "../../pages/static/ground/poll.js";

// How often the page polls if the browser has no socket, in seconds.
const EVERY = 60;

/** The number of unread notifications, among other things. @param {boolean} when */
export const useUnread = (when) => usePoll("/notifications/", { status: "unread", limit: 1 }, EVERY, when);
