// The API calls of the console's frame.

import { usePoll } from "../../pages/static/ground/poll.js";

// How often the page polls, in seconds. The home page polls the same address and shares the request.
const EVERY = 60;

/** @param {boolean} when */
export const useDashboard = (when) => usePoll("/dashboard/staff/", {}, EVERY, when);
