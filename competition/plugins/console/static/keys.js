// The keyboard shortcuts that work on all pages of the console. Each does the same as a link, a field or a button. The
// shortcuts of one page are in the module of that page.

import { go } from "../../pages/static/ground/router.js";
import { isAtLeast } from "./ranks.js";
import { t } from "./words.js";

/** @import { KeyMap } from "../../pages/static/pieces/keys.js" */
/** @import { Rank } from "./ranks.js" */

/** @type {[key: string, href: string, text: () => string, from: Rank][]} */
const PLACES = [
  ["g h", "/console/", () => t("home"), "volunteer"],
  ["g c", "/console/candidates", () => t("nav.candidates"), "moderator"],
  ["g d", "/console/documents", () => t("nav.documents"), "manager"],
  ["g x", "/console/exams", () => t("nav.exams"), "moderator"],
];

/**
 * @param {() => void} show Shows the list of the shortcuts.
 * @returns {KeyMap}
 */
export const keys = (show) => ({
  "/": { text: t("keys.search"), act: search },
  j: { text: t("keys.next"), act: () => move(1) },
  k: { text: t("keys.previous"), act: () => move(-1) },
  ...Object.fromEntries(PLACES.filter(([, , , from]) => isAtLeast(from)).map(([key, href, text]) => [key, { text: t("keys.go", { page: text() }), act: () => void go(href) }])),
  "?": { text: t("keys.show"), act: show },
});

const search = () => /** @type {HTMLInputElement | null} */ (document.querySelector("main [role=search] input[type=search]"))?.focus();

/**
 * Move the focus to the link of another row, which Enter then opens. Rows are those of tables, and the to-dos of the
 * home page (`.todos`).
 *
 * @param {1 | -1} by
 */
function move(by) {
  /** @type {NodeListOf<HTMLElement>} */
  const rows = document.querySelectorAll("main tbody th a, main .todos > li > a");
  const at = [...rows].findIndex((each) => each.closest("tr, li")?.contains(document.activeElement));
  (rows[at < 0 ? 0 : at + by] ?? rows[at])?.focus();
}
