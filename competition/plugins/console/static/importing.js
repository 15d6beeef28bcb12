// Links from pages to the import of the rows that they show, for users who may import them. This module knows only the
// address of the import.

import { config } from "../../pages/static/ground/config.js";
import { html } from "../../pages/static/ground/html.js";
import { isAtLeast } from "./ranks.js";

/**
 * A link to the import of a kind of rows, for users who may import it.
 *
 * @param {{ kind: string, from: import("./ranks.js").Rank, exam?: number | string, text: string }} props `from` is the lowest rank.
 */
export const ImportLink = ({ kind, from, exam, text }) =>
  config().plugins.includes("imports") && isAtLeast(from) && html`<a class="button" href=${`/console/imports/new/${kind}${exam ? `?exam=${exam}` : ""}`}>${text}</a>`;
