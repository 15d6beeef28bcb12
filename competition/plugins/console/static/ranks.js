// The ranks of staff. Pages hide the actions that the API would reject. Only the API decides.

import * as session from "../../pages/static/ground/session.js";

/** @typedef {"volunteer" | "moderator" | "admin" | "manager" | "superadmin"} Rank */

/** @type {string[]} */
const RANKS = ["volunteer", "moderator", "admin", "manager", "superadmin"];

/**
 * Whether the user who is signed in has this rank or a higher one.
 *
 * @param {Rank} rank
 */
export const isAtLeast = (rank) => RANKS.indexOf(session.user()?.role ?? "") >= RANKS.indexOf(rank);
