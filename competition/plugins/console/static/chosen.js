// The people whose slips the next page issues. After a reload, that page asks whose.

import { go } from "../../pages/static/ground/router.js";

/** @typedef {{ user_id: string, full_name: string, has_code?: boolean | null }} Person `has_code` is missing if the page can't know it. */

/** @typedef {import("../../pages/static/types/api.js").components["schemas"]["CandidateItem"]} Candidate */

/** @type {Person[]} */
let chosen = [];

export const chosenPeople = () => chosen;

export const forgetPeople = () => {
  chosen = [];
};

/**
 * Open the page of slips for these people.
 *
 * @param {string} href
 * @param {Person[]} people
 */
export const openSlips = (href, people) => {
  chosen = people;
  return go(href);
};

/** Those of these candidates who get slips: they have no email address. @param {Candidate[]} candidates @returns {Person[]} */
export const peopleOf = (candidates) =>
  candidates.filter((each) => !each.has_email).map(({ user }) => ({ user_id: user.id, full_name: `${user.first_name} ${user.last_name}` }));
