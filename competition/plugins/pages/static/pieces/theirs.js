// The part of a form that shows another person's changes to the same data. `form.js` decides when to show it, and sends
// what the user chooses.

import { html } from "../ground/html.js";
import { t } from "./words.js";

/** @import { FormValues } from "./form.js" */

/** @param {any} one @param {any} other */
const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * The changes that another person has made in the meantime. It shows fields that the user has changed too, and
 * fields that only the other person has changed.
 *
 * @param {{ theirs: FormValues, before: FormValues, values: FormValues, labels: Record<string, string>, shows:
 *   Record<string, (value: any) => string>, take: (values: FormValues) => void, keep: () => void }} props
 *   `before` has the values that both people started with.
 */
export function Theirs({ theirs, before, values, labels, shows, take, keep }) {
  const shown = (/** @type {string} */ name, /** @type {any} */ value) => shows[name]?.(value) ?? "";
  const changed = Object.keys(labels).filter((each) => each in theirs && !isSame(theirs[each], before[each]));
  const different = changed.filter((each) => !isSame(theirs[each], values[each]));
  const taken = changed.filter((each) => isSame(theirs[each], values[each]));
  return html`<div class="note warn" role="alert">
    <p><strong>${t("form.changed")}</strong> ${different.length ? t("form.compare") : t("form.together")}</p>
    <dl class="facts">${different.map((each) => html`<div><dt>${labels[each]}</dt>
      <dd>${t("form.theirs", { value: shown(each, theirs[each]) })}<br />${t("form.yours", { value: shown(each, values[each]) })}</dd></div>`)}
      ${taken.map((each) => html`<div><dt>${labels[each]}</dt><dd>${t("form.taken", { value: shown(each, theirs[each]) })}</dd></div>`)}</dl>
    <div class="acts">${different.length > 0 && html`<button type="button" class="button" onClick=${() => take({ ...values, ...theirs })}>${t("form.takeTheirs")}</button>`}
    <button type="button" class="button" onClick=${keep}>${different.length ? t("form.keepYours") : t("form.saveBoth")}</button></div>
  </div>`;
}
