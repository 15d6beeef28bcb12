// The people whose slips the next page issues. After a reload, that page asks whose.

import { go } from "../../pages/static/ground/router.js";

/** @typedef {{ user_id: string, full_name: string, has_code?: boolean | null }} Person `has_code` is missing if the page can't know it. */

/** @typedef {import("../../pages/static/types/api.js").components["schemas"]["CandidateItem"]} Candidate */

/** @type {Person[]} */
let chosen = [];

/** The people who were chosen. They are taken once: whoever opens the page later is asked whose slips to make. */
export function takeChosen() {
  const taken = chosen;
  chosen = [];
  return taken;
}

/**
 * Open the page of slips for these people.
 *
 * @param {string} href
 * @param {Person[]} people
 */
export async function openSlips(href, people) {
  chosen = people;
  // The user stays, and may open the page later.
  if (!(await go(href))) takeChosen();
}

/** Those of these candidates who get slips: they have no email address. @param {Candidate[]} candidates @returns {Person[]} */
export const peopleOf = (candidates) =>
  candidates.filter((each) => !each.has_email).map(({ user }) => ({ user_id: user.id, full_name: `${user.first_name} ${user.last_name}` }));
