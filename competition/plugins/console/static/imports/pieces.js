// The parts that the pages of imports share: kinds, states and what a file would do, in words; the field for a file;
// and the files that this tab has sent. This module sends no requests.

import { config } from "../../../pages/static/ground/config.js";
import { h, html, useRef, useState } from "../../../pages/static/ground/html.js";
import { FileField } from "../../../pages/static/pieces/fields.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { Progress } from "../../../pages/static/pieces/progress.js";
import { t } from "./words.js";

/** @import { Import, Kind } from "./calls.js" */

/**
 * The text with this key, or `other` if the catalogue has no such text. It has none for kinds of import and fields of
 * third-party plugins.
 *
 * @param {string} key
 * @param {string} other
 */
export function textOr(key, other) {
  const words = t(/** @type {"imports.title"} */ (key));
  // A catalogue returns the key of a text that it does not have.
  return words.includes(key) ? other : words;
}

/** @param {string} kind */
export const kindName = (kind) => textOr(`imports.kind.${kind}`, kind);

/** The purpose of a kind of import, in words. @param {string} kind */
export const explained = (kind) => textOr(`imports.explains.${kind}`, "");

/** @param {Import["created_by"]} person */
export const by = (person) => (person ? `${person.user.first_name} ${person.user.last_name}` : "-");

/** @param {Import["counts"]} counts */
export function summary(counts) {
  const states = /** @type {const} */ (["new", "changed", "unchanged", "invalid"]);
  return states.flatMap((each) => (counts[each] ? [t(`imports.count.${each}`, { count: counts[each] })] : [])).join(", ");
}

const STATES = /** @type {const} */ (["new", "changed", "unchanged", "invalid"]);

/** @returns {[string, string][]} */
export const states = () => STATES.map((each) => [each, t(`imports.state.${each}`)]);

const KINDS_OF_STATUS = /** @type {const} */ ({ checking: "", checked: "info", applying: "", applied: "ok", failed: "bad", cancelled: "" });

/** @param {{ status: Import["status"] }} props */
export const StatusTag = ({ status }) => h(Tag, { kind: KINDS_OF_STATUS[status] }, t(`imports.status.${status}`));

// The files that this tab has sent, by the id of their import. They are only in memory, because they have personal
// data, and only until the user leaves the page of the import, or loads the console again.
/** @type {Map<number, File>} */
export const files = new Map();

/**
 * @param {number} id
 * @param {File} file
 */
export const keep = (id, file) => void files.set(id, file);

/**
 * A field for a file, which can also be dropped onto it.
 *
 * @param {{ kind: Kind, hint: string }} props
 */
export function Dropped({ kind, hint }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [isOver, setOver] = useState(false);
  const rule = config().files.import ?? { largest_bytes: Infinity };
  /** @param {DragEvent} event */
  const over = (event) => {
    event.preventDefault();
    setOver(true);
  };
  /** @param {DragEvent} event */
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    const input = place.current?.querySelector("input");
    if (!input || !event.dataTransfer?.files.length) return;
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  return html`<div ref=${place} class=${`import-drop ${isOver ? "over" : ""}`} onDragOver=${over} onDragLeave=${() => setOver(false)} onDrop=${drop}>
    ${h(FileField, { name: "file", label: t("imports.chooseFile"), required: true, hint, accept: kind.endings.map((each) => `.${each}`).join(), largest: rule.largest_bytes })}
  </div>`;
}

export const IMPORTS = "/console/imports";

export const crumbs = () => [{ href: IMPORTS, text: t("imports.title") }];

/** @param {{ progress: { done: number, total: number | null } | null }} props */
export const Reading = ({ progress }) => progress && h(Progress, { label: t("imports.uploading"), ...progress });
