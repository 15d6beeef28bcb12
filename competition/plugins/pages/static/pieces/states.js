// The states of a page that waits for data, has none, or could not read it. This module reads nothing: the page passes
// its Reading.

import { Refused, Unreachable } from "../ground/api.js";
import { time } from "../ground/dates.js";
import { h, html, useEffect, useState } from "../ground/html.js";
import { refusal } from "../ground/texts.js";
import { t } from "./words.js";

/** @import { Children } from "../ground/html.js" */
/**
 * @template T
 * @typedef {import("../ground/poll.js").Reading<T>} Reading
 */

// After these times, in milliseconds, a page shows that it is loading, and that loading takes longer than
// usual.
const SOON = 300;
const LONG = 10_000;

/**
 * Show a reading: grey lines until it has a value, then the children. If a later try fails, the children stay,
 * and a line reports the failure.
 *
 * @template T
 * @param {Reading<T>} from
 * @param {(value: T) => Children} children
 * @param {{ empty?: (value: T) => boolean, nothing?: Children }} [options] `nothing` is shown if `empty` returns true.
 */
export function loaded(from, children, { empty, nothing } = {}) {
  const { value, error, again, at } = from;
  if (value === undefined) return error ? h(Failed, { error, again }) : h(Loading, {});
  return html`${Boolean(error) && h(Stale, { error, again, at })}
  ${empty?.(value) ? nothing : children(value)}`;
}

/** @param {{ error: unknown, again: () => void, at: number | null }} props */
function Stale({ error, again, at }) {
  const { what, next, requestId } = explained(error);
  return html`<div class="note warn" role="status">
    <p>${t("states.stale", { time: time(at ?? 0) })} ${what} ${next}</p>
    <button type="button" class="button" onClick=${again}>${t("states.again")}</button>${h(RequestId, { id: requestId })}
  </div>`;
}

/** @param {{ id: string | null }} props */
const RequestId = ({ id }) => html`${id && html`<p class="small">${t("states.id")} ${h(Copy, { text: id })}</p>`}`;

/** Shows nothing for 0.3 seconds, then grey lines, and after 10 seconds also a sentence. */
export function Loading() {
  const [waited, wait] = useState(0);
  useEffect(() => {
    const timers = [SOON, LONG].map((each) => setTimeout(() => wait(each), each));
    return () => timers.forEach(clearTimeout);
  }, []);
  return html`<div class="loading" aria-busy="true">
    <p role="status" class="small muted">
      ${waited > 0 && t("states.loading")} ${waited >= LONG && t("states.longer")}
    </p>
    ${waited > 0 && html`<div class="lines" aria-hidden="true"><span></span><span></span><span></span></div>`}
  </div>`;
}

/**
 * The text in place of an empty list. It says what will appear there, and how to get it.
 *
 * @param {{ children?: Children, action?: Children }} props
 */
export const Empty = ({ children, action }) => html`<div class="empty"><p>${children}</p>${action}</div>`;

/**
 * An error in words: what has happened, and what to do next.
 *
 * @param {unknown} error
 * @returns {{ what: string, next: string, requestId: string | null }}
 */
export function explained(error) {
  if (error instanceof Refused) {
    const { status, requestId, retryAfter } = error;
    const what = (error.code && refusal(error)) || t("states.refused", { status });
    const wait = retryAfter && t("states.wait", { count: retryAfter });
    const next = wait || (status >= 500 ? t("states.later") : status === 404 ? t("states.gone") : "");
    return { what, next, requestId };
  }
  if (error instanceof Unreachable) return { what: t("states.away"), next: t("states.connection"), requestId: error.requestId };
  return { what: t("states.broken"), next: t("states.reload"), requestId: null };
}

/**
 * A failure: the problem, the next step, "Try again", and the request id to copy. After a wrong password or code, the
 * id is left out.
 *
 * @param {{ error: unknown, again?: (() => void) | undefined }} props
 */
export function Failed({ error, again }) {
  const { what, next, requestId } = explained(error);
  // A wrong password or code needs no search in the service's log, so don't show the request id.
  const isClear = error instanceof Refused && error.status === 401;
  useEffect(() => {
    // Any other error is a mistake in the page. Log it for its developers.
    if (!(error instanceof Refused) && !(error instanceof Unreachable)) console.error(error);
  }, [error]);
  return html`<div class="note bad" role="alert">
    <p><strong>${what}</strong> ${next}</p>
    ${again && html`<button type="button" class="button" onClick=${again}>${t("states.again")}</button>`}
    ${h(RequestId, { id: isClear ? null : requestId })}
  </div>`;
}

/**
 * A short text with a button that copies it. Without a clipboard it can still be selected.
 *
 * @param {{ text: string }} props
 */
export function Copy({ text }) {
  const [copied, set] = useState(false);
  const copy = () => navigator.clipboard?.writeText(text).then(() => set(true), () => {});
  return html`<span class="copy"><code>${text}</code>
    ${Boolean(navigator.clipboard) && html`<button type="button" class="button small" onClick=${copy}>${t("states.copy")}</button>`}
    <span role="status" class="small">${copied && t("states.copied")}</span></span>`;
}

/**
 * When a list or a number was read: "as of 8:02".
 *
 * @param {{ at: number | null }} props
 */
export const AsOf = ({ at }) => html`<span class="small muted numbers">${at !== null && t("states.asOf", { time: time(at) })}</span>`;
