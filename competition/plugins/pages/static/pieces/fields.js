// Fields of a form that the page of an exam does not need: dates, files, codes and checkboxes. They are in a module of
// their own, because that page has to stay small.

import * as dates from "../ground/dates.js";
import { html, useState } from "../ground/html.js";
import { t } from "./more/words.js";
import { around, useForm } from "./form.js";

/** @import { Common } from "./form.js" */

/**
 * A date and a time in the league's time zone, whose name is shown below. The value is a string in UTC for the
 * API, or null.
 *
 * @param {Common} props
 */
export function DateTime({ name, label, hint, required = false }) {
  const { values, errors, set, id, named } = useForm();
  named(name, label, (value) => (value ? dates.when(value, dates.leagueZone()) : "-"));
  const own = id(name);
  const wrong = errors[name];
  const [parts, setParts] = useState({ date: "", time: "", value: /** @type {unknown} */ (undefined) });
  const value = values[name] ?? null;
  // The form may have set another value, for example after a change by another person.
  const now = parts.value === value ? parts : { ...(value ? dates.fromUtc(value) : { date: "", time: "" }), value };
  /** @param {{ date?: string, time?: string }} change */
  const change = (change) => {
    const next = { ...now, ...change };
    const utc = next.date && next.time ? dates.toUtc(next.date, next.time) : null;
    setParts({ ...next, value: utc });
    set(name, utc);
  };
  const described = [`${own}-zone`, hint && `${own}-hint`, wrong && `${own}-error`].filter(Boolean).join(" ");
  const there = value && dates.leagueTime(value) !== null;
  return html`<fieldset class=${`row ${wrong ? "wrong" : ""}`} id=${own} aria-describedby=${described}>
    <legend>${label}${!required && html` <span class="muted small">${t("form.optional")}</span>`}</legend>
    ${hint && html`<div class="small muted" id=${`${own}-hint`}>${hint}</div>`}
    ${wrong && html`<p class="error small" id=${`${own}-error`}>${wrong.join(" ")}</p>`}
    <div class="joined"><label><span class="hide">${t("form.date")}</span><input class="field" type="date" data-name=${name} required=${required} value=${now.date} onInput=${(/** @type {any} */ event) => change({ date: event.currentTarget.value })} /></label>
    <label><span class="hide">${t("form.time")}</span><input class="field" type="time" data-name=${name} required=${required} value=${now.time} onInput=${(/** @type {any} */ event) => change({ time: event.currentTarget.value })} /></label></div>
    <p class="small muted" id=${`${own}-zone`}>${t("form.zone", { city: dates.city() })} ${there && t("form.here", { when: dates.when(value) })}</p>
  </fieldset>`;
}

/**
 * A file. Its value is a File, or null. A file that is larger than allowed is rejected before it is sent.
 *
 * @param {Common & { accept: string, largest: number }} props `accept` as in HTML; `largest` in bytes.
 */
export function FileField({ accept, largest, ...common }) {
  const { set } = useForm();
  const [problem, setProblem] = useState("");
  const mebibytes = Math.floor(largest / 2 ** 20);
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const choose = ({ currentTarget }) => {
    const file = currentTarget.files?.[0] ?? null;
    const isLarge = file !== null && file.size > largest;
    setProblem(isLarge ? t("form.large", { count: mebibytes }) : "");
    if (isLarge) currentTarget.value = "";
    set(common.name, isLarge ? null : file);
  };
  return html`${around(common, (attributes) => html`<input ...${attributes} class="field file" type="file" accept=${accept} onChange=${choose} />`)}
    <p role="status" class="error small">${problem}</p>`;
}

// Six digits of any script. The service ignores what is between them.
const SIX_DIGITS = "(\\P{Nd}*\\p{Nd}){6}\\P{Nd}*";

/**
 * A field for a one-time code of six digits. The code can be pasted, also with spaces.
 *
 * @param {Common & { maxlength?: number }} props
 */
export function Code({ maxlength = 12, ...common }) {
  const { values, set } = useForm();
  return around({ required: true, ...common }, (attributes) => html`<input ...${attributes} class="field code numbers" inputmode="numeric" autocomplete="one-time-code" data-secret
    maxlength=${maxlength} pattern=${SIX_DIGITS} value=${values[common.name] ?? ""} onInput=${(/** @type {any} */ event) => set(common.name, event.currentTarget.value.replace(/\s/g, ""))} />`);
}

/**
 * A single checkbox. Its value is true or false.
 *
 * @param {Common} props
 */
export function Check({ name, label, hint, required = false }) {
  const { values, errors, set, id, named } = useForm();
  named(name, label);
  const own = id(name);
  const wrong = errors[name];
  const described = [hint && `${own}-hint`, wrong && `${own}-error`].filter(Boolean).join(" ");
  return html`<div class=${`row ${wrong ? "wrong" : ""}`}>
    ${wrong && html`<p class="error small" id=${`${own}-error`}>${wrong.join(" ")}</p>`}
    <label class="choice"><input type="checkbox" id=${own} name=${name} required=${required} checked=${Boolean(values[name])} aria-describedby=${described || undefined}
      onChange=${(/** @type {any} */ event) => set(name, event.currentTarget.checked)} /><span>${label}</span></label>
    ${hint && html`<div class="small muted" id=${`${own}-hint`}>${hint}</div>`}
  </div>`;
}
