// Dialogs. `confirm` is the only way to ask before an action. This module knows no action: the caller passes a function,
// which sends the request.

import { newKey } from "../ground/api.js";
import { h, html, render, useExternal, useLayoutEffect, useRef, useState } from "../ground/html.js";
import { Failed } from "./states.js";
import { t } from "./words.js";

/** @import { Children } from "../ground/html.js" */

const SHOWN = 10;

// How many dialogs of `confirm` are open.
let asking = 0;
/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {1 | -1} more */
function changeAsking(more) {
  asking += more;
  for (const each of listeners) each();
}

/** Whether a dialog of `confirm` is open, so that nothing is being sent behind it. */
export const useAsking = () => useExternal((listener) => (listeners.add(listener), () => listeners.delete(listener)), () => asking > 0);

/**
 * A modal dialog. It is open as long as the component is shown. The browser moves the focus into the dialog,
 * and calls `onClose` on Escape. Afterwards the focus returns to where it was.
 *
 * @param {{ title: string, onClose: () => void, children?: Children, class?: string }} props
 */
export function Dialog({ title, onClose, children, class: kind = "" }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  // Move the focus back before the caller continues, because the caller may move it elsewhere.
  useLayoutEffect(() => {
    const own = dialog.current;
    const before = document.activeElement;
    own?.showModal();
    return () => {
      own?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  /** @param {Event} event */
  const cancel = (event) => {
    event.preventDefault();
    onClose();
  };
  // The title names the dialog without an id: Preact repeats ids if a dialog of `confirm` covers another dialog.
  return html`<dialog ref=${dialog} class=${kind} aria-label=${title} onCancel=${cancel}>
    <h2 tabindex="-1" autofocus>${title}</h2>
    ${children}
  </dialog>`;
}

/**
 * Ask the user before an action, and do it. Resolves to the result of `act`, or to null if the user declines. If
 * the action fails, the dialog stays and says why.
 *
 *     const done = await confirm({
 *       title: t("day.conclude"), what: t("day.concludes", { count: 212 }), items: names,
 *       verb: t("day.concludeFor", { count: 212 }), danger: true,
 *       act: (key) => api.post("/exams/{exam_id}/conclude/", { exam_id }, {}, { key }),
 *     });
 *
 * @template T
 * @param {object} options
 * @param {string} options.title
 * @param {Children} options.what The consequences, with the number of people or things concerned.
 * @param {string} options.verb The text of the button: a verb and the number, never "OK".
 * @param {string[]} [options.items] The people or things concerned. Ten are shown.
 * @param {number} [options.count] How many there are, if `items` has only the first ones.
 * @param {boolean} [options.danger] Whether the action can't be undone.
 * @param {string} [options.cancel] The text of the button that cancels.
 * @param {(key: string) => Promise<T> | T} options.act The action. `key` is an Idempotency-Key, the same for each try.
 * @returns {Promise<T | null>}
 */
export function confirm(options) {
  const place = document.createElement("div");
  document.body.append(place);
  changeAsking(1);
  return new Promise((resolve) => {
    /** @param {T | null} value */
    const close = (value) => {
      render(null, place);
      place.remove();
      changeAsking(-1);
      resolve(value);
    };
    render(h(/** @type {any} */ (Confirm), { ...options, key: "confirm", tries: newKey(), close }), place);
  });
}

/**
 * Ask a question without an action. Resolves to whether the user agrees.
 *
 * @param {Omit<Parameters<typeof confirm>[0], "act">} options
 */
export const ask = async (options) => (await confirm({ ...options, act: () => true })) !== null;

/**
 * The class of the button that does what a dialog or a form is for. It is red if the action can't be undone.
 *
 * @param {boolean} danger
 */
export const verbClass = (danger) => `button ${danger ? "bad" : "first"}`;

/** @param {Parameters<typeof confirm>[0] & { tries: string, close: (value: any) => void }} props */
function Confirm({ title, what, verb, items = [], count = items.length, danger = false, cancel, act, tries, close }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const run = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      close(await act(tries));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const more = count - Math.min(items.length, SHOWN);
  return h(
    Dialog,
    { title, onClose: () => busy || close(null) },
    html`<div class="flow">
      <p>${what}</p>
      ${items.length > 0 && html`<ul class="items">
        ${items.slice(0, SHOWN).map((each) => html`<li>${each}</li>`)}
        ${more > 0 && html`<li class="muted">${t("dialog.more", { count: more })}</li>`}
      </ul>`}
      ${Boolean(error) && h(Failed, { error })}
      <div class="acts">
        <button type="button" class=${verbClass(danger)} aria-disabled=${busy} onClick=${run}>${busy ? t("dialog.busy") : verb}</button>
        <button type="button" class="button" aria-disabled=${busy} onClick=${() => busy || close(null)}>${cancel ?? t("dialog.cancel")}</button>
      </div>
    </div>`,
  );
}
