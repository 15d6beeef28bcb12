// The requests of the pages about login slips, of managers and of teachers. No other module of this folder names paths
// of the API.

import { api } from "../../../pages/static/ground/api.js";

export { ownSchool } from "../calls.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["SchoolSlip"] & { school?: string }} Slip A slip that a teacher issues has no `school`, because its school is the teacher's. */
/** @typedef {Schemas["CandidateItem"]} Candidate */
/** @typedef {Schemas["Pupil"]} Pupil */
/** @typedef {{ renew: boolean, unused: boolean }} How `renew`: replace codes. `unused`: replace only codes of people who have never signed in. */
/** @typedef {(candidates: string[], how: How) => Promise<Slip[]>} Order Issues slips, at most `MOST_SLIPS` at once. */

// The API lists at most this many rows at once.
const LARGEST_PAGE = 100;
/** The API issues at most this many slips at once. */
export const MOST_SLIPS = 50;

/** @type {Order} */
export const issue = async (candidates, how) => (await api.post("/candidates/slips/", {}, { candidates, ...how })).slips;

/** The candidates without an email address. @param {Parameters<typeof api.get<"/candidates/">>[1]} query */
export const candidates = (query) => api.get("/candidates/", { ...query, has_email: false });

/** The slips of a teacher's pupils. @type {Order} */
export const issueOfSchool = async (candidates, how) => (await api.post("/school/slips/", {}, { candidates, ...how })).slips;

/**
 * The pupils without an email address who have never signed in, and how many pupils have no email address.
 *
 * @param {string} group The group of the pupils. If it is empty, pupils of all groups.
 */
export async function neverSignedIn(group) {
  /** @type {Pupil[]} */
  const found = [];
  let listed = 0;
  for (let page = 1; ; page++) {
    const { results, pagination } = await api.get("/school/candidates/", { page, limit: LARGEST_PAGE, ...(group && { group }) });
    const withLogin = results.filter((each) => each.login !== null);
    listed += withLogin.length;
    found.push(...withLogin.filter((each) => !each.used));
    if (!pagination.has_next) return { found, listed };
  }
}
