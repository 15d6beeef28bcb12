// The requests of the list of exams, with the candidate's own times from `minutes.js`. No other module of this folder
// names paths of the API.

import { usePoll } from "../../../pages/static/ground/poll.js";

export { byUrgency, progress, useClocks, useOwnMinutes } from "../minutes.js";

/** @typedef {import("../minutes.js").Clocks} Clocks */
/** @typedef {import("../minutes.js").Open} Open */
/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]["AnnouncedExam"]} Announced */
/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]["ConcludedExam"]} Concluded */

// How often the page polls, in seconds.
const EVERY = 60;

/** The candidate's open, announced and past exams. */
export const useExams = () => usePoll("/dashboard/candidate/", {}, EVERY);
