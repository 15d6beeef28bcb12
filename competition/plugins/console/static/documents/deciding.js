// Decisions that can be undone. The API can't undo an approval, so a decision waits for some seconds before this module
// sends it. It is sent at once when the reviewer makes the next decision, leaves the review, or closes the page.
//
// The decisions are kept here, and not in a component, because the reviewer goes on before a decision is sent.
// This module has no user interface but notices: `useDecisions` passes the state to the components.

import { Refused } from "../../../pages/static/ground/api.js";
import { useEffect, useState } from "../../../pages/static/ground/html.js";
import { here, onPlace } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { explained } from "../../../pages/static/pieces/states.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { Decision } from "./calls.js" */
/** @typedef {{ id: string, text: string, kind: "info" | "bad" }} Outcome A text for the reviewer about a decision. */

// How long a decision can be undone, in milliseconds.
const WAIT = 4_000;
const REVIEW = "/console/documents";

/** @type {Decision | null} */
let waiting = null;
/** @type {Decision | null} */
let undone = null;
/** @type {Outcome[]} */
let outcomes = [];
/** @type {Set<string>} */
const decided = new Set();
/** @type {Set<string>} */
const skipped = new Set();
/** How many decisions have been sent. */
let sent = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {Set<() => void>} */
const listeners = new Set();

const changed = () => {
  for (const each of listeners) each();
};

/**
 * Record a decision. It is sent after `WAIT` milliseconds.
 *
 * @param {Decision} decision
 */
export function decide(decision) {
  flush();
  waiting = decision;
  decided.add(decision.id);
  outcomes = outcomes.filter((each) => each.id !== decision.id);
  timer = setTimeout(flush, WAIT);
  changed();
}

/** Take back the decision that is not sent yet, and return it. */
export function undo() {
  clearTimeout(timer);
  undone = waiting;
  if (waiting) decided.delete(waiting.id);
  waiting = null;
  changed();
  return undone;
}

/** Send the waiting decision now. */
export function flush() {
  clearTimeout(timer);
  const decision = waiting;
  waiting = null;
  if (decision) void send(decision);
}

/** @param {Decision} decision */
async function send(decision) {
  try {
    await calls.decide(decision);
    sent += 1;
  } catch (error) {
    const text = error instanceof Refused && error.status === 400 ? await decidedBefore(decision) : "";
    if (text === null) sent += 1;
    else say({ id: decision.id, kind: text ? "info" : "bad", text: text || failed(decision, error) });
    if (text === "") {
      decided.delete(decision.id);
      // Keep the decision, so that its typed reason is there when the reviewer opens the documents again.
      undone = decision;
    }
  }
  changed();
}

/**
 * Why a decision was not saved, and what to do next.
 *
 * @param {Decision} decision
 * @param {unknown} error
 */
function failed({ approve, name }, error) {
  const { what, next, requestId } = explained(error);
  const why = [what, next, requestId && t("documents.request", { id: requestId })].filter(Boolean).join(" ");
  return t(approve ? "documents.notApprovedNow" : "documents.notRejectedNow", { name, why });
}

/**
 * The text for a reviewer whose decision was rejected because the documents were decided before. Null if the
 * earlier decision was this reviewer's own, and its reply was lost. Empty if there is no decision, or if it
 * can't be read.
 *
 * @param {Decision} decision
 * @returns {Promise<string | null>}
 */
async function decidedBefore({ id, name, approve }) {
  const found = await calls.request(id).catch(() => null);
  if (!found || found.is_pending || found.changes?.length) return "";
  const by = found.reviewed_by?.user;
  if (by?.id === session.user()?.user.id && found.is_approved === approve) return null;
  return decidedByOther({ name, isApproved: found.is_approved, by: by ? `${by.first_name} ${by.last_name}` : null });
}

/**
 * The text for a reviewer if another manager has decided before.
 *
 * @param {{ name: string, isApproved: boolean, by: string | null }} decided
 */
export const decidedByOther = ({ name, isApproved, by }) =>
  by ? t(isApproved ? "documents.approvedBy" : "documents.rejectedBy", { name, by }) : t(isApproved ? "documents.approvedElsewhere" : "documents.rejectedElsewhere", { name });

/**
 * Show a text about a decision. It stays until the reviewer hides it, or leaves the review.
 *
 * @param {Outcome} outcome
 */
export function say(outcome) {
  if (isReview()) outcomes = [...outcomes.filter((each) => each.id !== outcome.id), outcome];
  else notice({ kind: outcome.kind, text: outcome.text });
  changed();
}

/** @param {Outcome} outcome */
export function hide(outcome) {
  outcomes = outcomes.filter((each) => each !== outcome);
  changed();
}

/** @param {string} id */
export function skip(id) {
  skipped.add(id);
  changed();
}

/** Review the skipped people again. */
export const restart = () => skipped.clear();

/**
 * The decision that was undone last, with its typed reason, or null. A second call returns null.
 *
 * @param {string} id
 */
export function takeUndone(id) {
  const found = undone?.id === id ? undone : null;
  if (found) undone = null;
  return found;
}

/** Whether this review has decided or skipped a person. @param {string} id */
export const isDone = (id) => decided.has(id) || skipped.has(id);

const isReview = () => `${here().path}/`.startsWith(`${REVIEW}/`);

/** The state of the decisions, for a component. */
export function useDecisions() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((before) => before + 1);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return { waiting, outcomes, sent };
}

onPlace(() => {
  if (isReview()) return;
  flush();
  outcomes = [];
  decided.clear();
  skipped.clear();
});
addEventListener("pagehide", flush);
document.addEventListener("visibilitychange", () => document.hidden && flush());
// The session may end right after a click on "Sign out" or on a link of the navigation, so send the decision
// first.
addEventListener("click", ({ target }) => void (target instanceof Element && !target.closest("main, dialog:not(.drawer)") && flush()), { capture: true });
session.onSession((change) => {
  if (change !== "signed out") return;
  clearTimeout(timer);
  waiting = undone = null;
  outcomes = [];
  decided.clear();
  skipped.clear();
});
