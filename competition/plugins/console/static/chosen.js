// The people for whom the next page issues login slips. The pages that choose people and the pages that issue slips
// share only this module and the addresses. After a reload, the page that issues slips asks for the people.

import { go } from "../../pages/static/ground/router.js";

/** @typedef {{ user_id: string, full_name: string, has_code?: boolean | null }} Person `has_code` is missing if the page can't know it. */

/** @typedef {import("../../pages/static/types/api.js").components["schemas"]["CandidateItem"]} Candidate */

/** @type {Person[]} */
let chosen = [];

/** Take the people who were chosen. A second call returns none, so a later page of slips asks for the people. */
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
  // If the user stays, forget the people: the user may open the page of slips later for others.
  if (!(await go(href))) takeChosen();
}

/** The candidates without an email address: only these get slips. @param {Candidate[]} candidates @returns {Person[]} */
export const peopleOf = (candidates) =>
  candidates.filter((each) => !each.has_email).map(({ user }) => ({ user_id: user.id, full_name: `${user.first_name} ${user.last_name}` }));
