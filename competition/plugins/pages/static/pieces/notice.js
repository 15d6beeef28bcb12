// Notices: the results of actions. A notice stays above the page until the user leaves the page or opens another tab of
// it, and never disappears on a timer. Notes, which belong to the content of a page, are here too.

import { h, html, useEffect, useState } from "../ground/html.js";
import { here, onPlace } from "../ground/router.js";
import { t } from "./words.js";

/** @import { Children } from "../ground/html.js" */
/** @typedef {"ok" | "info" | "warn" | "bad"} Kind */
/** @typedef {{ text: string, kind?: Kind, undo?: () => Promise<unknown> }} Notice */

/** @type {Notice[]} */
let notices = [];
let place = "";
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {Notice} notice */
const isSuccess = ({ kind = "ok" }) => kind === "ok";
const changed = () => {
  for (const each of listeners) each();
};
const current = () => `${here().path}?${here().query.get("tab") ?? ""}`;
onPlace(() => {
  if (current() === place) return;
  place = current();
  if (notices.length) notices = [];
  changed();
});

/**
 * Show the result of an action. `undo` undoes the action. A success replaces earlier successes, which may no longer be
 * true.
 *
 * @param {Notice} notice
 */
export function notice(notice) {
  place = current();
  if (isSuccess(notice)) notices = notices.filter((each) => each.undo || !isSuccess(each));
  notices = [...notices, notice];
  changed();
}

/** The notices of the page. h(Page) includes them. */
export function Notices() {
  const [, redraw] = useState(notices);
  useEffect(() => {
    const listener = () => redraw(notices);
    listeners.add(listener);
    listener();
    return () => {
      listeners.delete(listener);
    };
  }, []);
  /** @param {Notice} done */
  const undo = async (done) => {
    await done.undo?.();
    notices = notices.filter((each) => each !== done);
    changed();
  };
  return html`<div role="status" class="notices">
    ${notices.map((each) => h(Note, { kind: each.kind ?? "ok" }, each.text, each.undo && html` <button type="button" class="button" onClick=${() => undo(each)}>${t("notice.undo")}</button>`))}
  </div>`;
}

/**
 * A coloured note in a page. With `alert`, screen readers read it at once: for events that need action now.
 *
 * @param {{ kind?: Kind, alert?: boolean, children?: Children }} props
 */
export const Note = ({ kind = "info", alert = false, children }) =>
  html`<div class=${`note ${kind}`} role=${alert ? "alert" : undefined}>${children}</div>`;
