// Fields of a form in which the user chooses among given values. They are in a module of their own, because the page of
// an exam has no such field, and has to stay small.

import { html } from "../ground/html.js";
import { around, useForm } from "./form.js";
import { t } from "./words.js";

/** @import { Common } from "./form.js" */

/**
 * A function that returns the text of a chosen value, or of several.
 *
 * @param {[value: string, text: string][]} options
 */
const inWords = (options) => (/** @type {any} */ value) => [value ?? []].flat().map((each) => options.find(([one]) => one === each)?.[1] ?? each).join(", ");

/**
 * A choice of one value, in a drop-down list.
 *
 * @param {Common & { options: [value: string, text: string][] }} props
 */
export function Select({ options, ...common }) {
  const { values, set } = useForm();
  return around(common, (attributes) => html`<select ...${attributes} class="field" value=${values[common.name] ?? ""} onChange=${(/** @type {any} */ event) => set(common.name, event.currentTarget.value)}>
    ${!options.some(([value]) => value === "") && !values[common.name] && html`<option value=""></option>`}
    ${options.map(([value, text]) => html`<option value=${value} selected=${value === values[common.name]}>${text}</option>`)}</select>`, inWords(options));
}

/**
 * A choice of one value (radio buttons) or, with `many`, of several values (checkboxes).
 *
 * @param {Common & { options: [value: string, text: string][], many?: boolean }} props
 */
export function Choice({ name, label, hint, options, required = false, many = false }) {
  const { values, errors, set, id, named } = useForm();
  named(name, label, inWords(options));
  const own = id(name);
  const wrong = errors[name];
  /** @type {string[]} */
  const chosen = [values[name] ?? []].flat();
  const described = [hint && `${own}-hint`, wrong && `${own}-error`].filter(Boolean).join(" ");
  return html`<fieldset class=${`row ${wrong ? "wrong" : ""}`} id=${own} aria-describedby=${described || undefined}>
    <legend>${label}${!required && html` <span class="muted small">${t("form.optional")}</span>`}</legend>
    ${hint && html`<div class="small muted" id=${`${own}-hint`}>${hint}</div>`}
    ${wrong && html`<p class="error small" id=${`${own}-error`}>${wrong.join(" ")}</p>`}
    ${options.map(([value, text]) => html`<label class="choice"><input type=${many ? "checkbox" : "radio"} name=${own} data-name=${name} value=${value} required=${required && !many}
      checked=${chosen.includes(value)} onChange=${() => set(name, !many ? value : chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])} /><span>${text}</span></label>`)}
  </fieldset>`;
}
