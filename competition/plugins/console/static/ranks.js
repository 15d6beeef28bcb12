// The ranks of staff and the stages of candidates. Pages use them to hide actions that the API would reject. Only the
// API decides.

import * as session from "../../pages/static/ground/session.js";

/** @typedef {"volunteer" | "moderator" | "admin" | "manager" | "superadmin"} Rank */

/** @type {Rank[]} */
export const RANKS = ["volunteer", "moderator", "admin", "manager", "superadmin"];
/** The stages that have exams. */
export const EXAM_STAGES = /** @type {const} */ (["screening", "league", "final"]);
export const STAGES = /** @type {const} */ ([...EXAM_STAGES, "winner"]);

/** @param {string} role */
const rankOf = (role) => RANKS.findIndex((each) => each === role);

/**
 * Whether the user who is signed in has this rank or a higher one.
 *
 * @param {Rank} rank
 */
export const isAtLeast = (rank) => rankOf(session.user()?.role ?? "") >= rankOf(rank);
