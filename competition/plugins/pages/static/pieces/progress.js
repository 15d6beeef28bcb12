// How far a task is. This module is apart from `states.js`, because the page of an exam shows no progress, and must stay
// small.

import { html } from "../ground/html.js";
import { number } from "../ground/texts.js";
import { t } from "./words.js";

/**
 * Progress in words: "1,240 of 2,000 checked".
 *
 * @param {{ done: number, total: number | null, label: string, text?: (values: { done: string, total: string }) => string }} props
 */
export function Progress({ done, total, label, text = (values) => t("states.progress", values) }) {
  const words = total === null ? number(done) : text({ done: number(done), total: number(total) });
  return html`<div class="progress">
    <progress aria-label=${label} value=${total === null ? undefined : done} max=${total ?? undefined}></progress>
    <p class="small numbers">${t("page.labelled", { label, text: words })}</p>
  </div>`;
}
