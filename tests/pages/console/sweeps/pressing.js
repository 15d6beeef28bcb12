// Press the buttons of a page, and fill in what they send.

import { t } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { click, fill, pick } from "../../kit/screen.js";
import { settled } from "../../kit/front-end.js";

/** @import { Service } from "../../kit/service.js" */

// How many dialogs and steps may precede a request.
const STEPS = 4;
/** @type {Record<string, string>} */
const VALUES = { email: "new@example.org", date: "2030-12-14", time: "18:00", tel: "+2348012345678", password: "correct horse" };

/** @template {HTMLElement} E @param {ParentNode} scope @param {string} selector @returns {E[]} */
const all = (scope, selector) => /** @type {E[]} */ ([...scope.querySelectorAll(selector)]).filter((each) => each.checkVisibility());

/** The buttons of the page. Headings of lists only sort. */
export const buttons = () => all(document, "#page button:not([aria-disabled=true])").filter((each) => !each.closest("th"));

const dialog = () => /** @type {HTMLElement | undefined} */ ([...document.querySelectorAll("dialog[open]")].at(-1));
const forms = () => all(document, "#page form:not([role=search])");

/** What the user has typed or chosen, by the names of the fields. Options in previews of questions are disabled. */
export const typed = () =>
  [...document.querySelectorAll("#page :is(input, textarea, select):enabled, dialog :is(input, textarea, select):enabled")].map((/** @type {any} */ each) =>
    `${each.name || each.id}: ${each.type === "file" ? each.files.length : ["checkbox", "radio"].includes(each.type) ? `${each.value} ${each.checked}` : each.value}`);

/** Fill in the fields that are empty. @param {HTMLElement} scope */
export async function fillIn(scope) {
  for (const set of all(scope, "fieldset")) {
    const options = /** @type {HTMLInputElement[]} */ (all(set, "input:is([type=checkbox], [type=radio])"));
    if (options.length && !options.some((each) => each.checked)) options[0]?.click();
  }
  // A choice may show further fields.
  for (const each of /** @type {HTMLInputElement[]} */ (all(scope, "input[type=file]"))) if (!each.files?.length) pick(each, [await picture()]);
  for (let turn = 0; turn < 2; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    for (const each of /** @type {HTMLInputElement[]} */ (all(scope, "input, textarea, select"))) fillOne(each);
  }
}

/** A picture of 600 by 600 pixels. */
async function picture() {
  const canvas = new OffscreenCanvas(600, 600);
  canvas.getContext("2d")?.fillRect(0, 0, 600, 600);
  return new File([await canvas.convertToBlob()], "a.png", { type: "image/png" });
}

/** @param {HTMLInputElement} field */
function fillOne(field) {
  if (["checkbox", "radio", "search", "file"].includes(field.type) || field.value) return;
  if (field instanceof HTMLSelectElement) {
    const last = [...field.options].at(-1);
    if (!field.required || !last) return;
    field.value = last.value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  } else fill(field, field.autocomplete === "one-time-code" ? "123456" : (VALUES[field.type] ?? "3"));
}

/** Whether a form says that it is being sent, behind a dialog that still asks for a confirmation. */
const isSentTooEarly = () => document.querySelector("body > div > dialog") !== null && all(document, "#page form button").some((each) => each.textContent === t("form.busy"));

/**
 * Press a button, and the buttons of the dialogs and forms that appear, until a request is sent.
 *
 * @param {Service} service
 * @param {HTMLElement} button
 * @param {() => boolean} isSent
 * @returns {Promise<{ button: HTMLElement, before: string[] } | null>} The button of that request, and what was typed
 *   before it was pressed. Null if nothing is sent.
 */
export async function press(service, button, isSent) {
  const form = button.closest("form");
  if (form) await fillIn(form);
  let count = forms().length;
  for (let step = 0; step < STEPS; step += 1) {
    const before = typed();
    click(button);
    await settled(service);
    if (isSent()) return { button, before };
    if (isSentTooEarly()) throw new Error(`${location.pathname}: “${button.textContent}” asks while the form says that it is being sent.`);
    const scope = dialog() ?? (forms().length > count ? forms().at(-1) : undefined);
    if (!scope) return null;
    count = forms().length;
    await fillIn(scope);
    const next = [...scope.querySelectorAll("button.first, button.bad")].at(-1);
    if (!next) return null;
    button = /** @type {HTMLElement} */ (next);
  }
  return null;
}

/** Close all dialogs, as Escape does. */
export async function closeDialogs() {
  for (let open = dialog(); open; open = dialog()) {
    open.dispatchEvent(new Event("cancel", { cancelable: true }));
    await new Promise((resolve) => setTimeout(resolve));
    if (dialog() === open) open.remove();
  }
}
