// The requests of the first page and of the home page, with the candidate's own times from `minutes.js`. No other
// module of this folder names paths of the API.

import { api } from "../../../pages/static/ground/api.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

export { clock } from "../calls.js";
export { byUrgency, progress, useClocks, useMinutes } from "../minutes.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {import("../minutes.js").Clocks} Clocks */
/** @typedef {components["schemas"]} Schemas */
/** @typedef {Schemas["CandidateDashboard"]} Dashboard */
/** @typedef {Schemas["AnnouncedExam"] | Schemas["AvailableExam"]} Exam */
/** @typedef {Schemas["VerificationRecord"]} Verification */

export const registration = () => api.get("/registration/");
export const useDashboard = () => usePoll("/dashboard/candidate/", {}, 60);
/** @param {boolean} waits Whether a decision is expected. */
export const useVerification = (waits) => usePoll("/user/verification/status/", {}, waits ? 60 : 3600);
export const news = () => api.get("/notifications/", { status: "unread", limit: 3 });
