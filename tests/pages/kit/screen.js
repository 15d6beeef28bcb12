// What a person perceives and does: elements by role and name, clicks and typed texts.
//
//     await click(await screen.findByRole("button", { name: "Give time" }));
//     await fill(screen.getByLabelText("Extra minutes"), "10");
//
// Wait for each action, because the page draws what has changed only afterwards, and a person sees that before the
// next action.

import "../../support/vendor/dom/dom.umd.min.js";

const { configure, fireEvent, screen, waitFor, within } = /** @type {any} */ (globalThis).TestingLibraryDom;

configure({
  // How long `findBy…` and `waitFor` wait, in milliseconds.
  asyncUtilTimeout: 30_000,
  getElementError: (/** @type {string | null} */ message) => new Error(`${message?.split("\n\n")[0]}\nThe page says: ${document.body.textContent?.replace(/\s+/g, " ")}`),
});

export { fireEvent, screen, waitFor, within };

// The real timer, also while a test has stopped the clock.
const later = globalThis.setTimeout;

/** Wait until the page has drawn what the latest event has changed. A person can't act before that. */
export const drawn = () => new Promise((resolve) => later(resolve));

/**
 * Wait for the next frame of the browser. After it, components that were drawn listen to the keys of the page. If the
 * clock stands still, let no time pass (`passes(0)`) afterwards.
 */
export const frame = () => new Promise((resolve) => requestAnimationFrame(() => later(resolve)));

/** @param {HTMLElement} element */
export function click(element) {
  if (/** @type {HTMLButtonElement} */ (element).disabled) throw new Error("The button is disabled.");
  element.focus();
  element.click();
  return drawn();
}

/**
 * Type a text into a field, in place of the present one.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} text
 */
export function fill(field, text) {
  field.focus();
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return drawn();
}

/**
 * Choose an option of a select by its text.
 *
 * @param {HTMLSelectElement} select
 * @param {string} text
 */
export function choose(select, text) {
  const option = [...select.options].find((each) => each.text === text);
  if (!option) throw new Error(`There is no option ${text}: ${[...select.options].map((each) => each.text).join(", ")}`);
  select.value = option.value;
  select.dispatchEvent(new Event("input", { bubbles: true }));
  select.dispatchEvent(new Event("change", { bubbles: true }));
  return drawn();
}

/**
 * @param {string} key As in KeyboardEvent.key.
 * @param {HTMLElement} [element] By default, the element with the focus.
 * @param {KeyboardEventInit} [more]
 */
export function press(key, element = /** @type {HTMLElement} */ (document.activeElement ?? document.body), more = {}) {
  const event = { key, bubbles: true, cancelable: true, ...more };
  element.dispatchEvent(new KeyboardEvent("keydown", event));
  element.dispatchEvent(new KeyboardEvent("keyup", event));
  return drawn();
}

/** Choose files in a field. @param {HTMLInputElement} field @param {File[]} files */
export function pick(field, files) {
  const chosen = new DataTransfer();
  for (const each of files) chosen.items.add(each);
  field.files = chosen.files;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  return drawn();
}
