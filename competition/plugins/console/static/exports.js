// The button of a page whose tables can be downloaded as files. This module knows no table: the page passes the
// requests, and the filters of its list.

import { config } from "../../pages/static/ground/config.js";
import { h, html, useState } from "../../pages/static/ground/html.js";
import { save } from "../../pages/static/ground/save.js";
import { Choice } from "../../pages/static/pieces/choices.js";
import { Dialog } from "../../pages/static/pieces/dialog.js";
import { Check } from "../../pages/static/pieces/fields.js";
import { Form, useForm } from "../../pages/static/pieces/form.js";
import { notice } from "../../pages/static/pieces/notice.js";
import { t } from "./words.js";

/** @typedef {"csv" | "xlsx" | "gift" | "moodle_xml"} Format */
/**
 * A table that can be downloaded. `text` says what the file contains. With `bySchool`, there can be a file per school.
 *
 * @typedef {object} Table
 * @property {string} name
 * @property {string} text
 * @property {(query: any) => Promise<{ blob: Blob, name: string }>} read
 * @property {Format[]} [formats] Further formats, beside those of all tables.
 * @property {boolean} [bySchool]
 */

/** @type {Format[]} */
const FORMATS = ["xlsx", "csv"];

/** Whether tables can be downloaded. */
export const canExport = () => config().plugins.includes("exports");

/**
 * The filters of a list and its ordering, as far as the query of the page's address has them.
 *
 * @param {URLSearchParams} query
 * @param {string[]} names
 * @returns {Record<string, string>}
 */
export const filtersOf = (query, names) => Object.fromEntries([...names, "ordering"].flatMap((each) => (query.get(each) ? [[each, query.get(each) ?? ""]] : [])));

/**
 * A button that asks what to download, and in which format.
 *
 * @param {{ tables: Table[], filters?: Record<string, string> }} props `filters` are those of the page's list.
 */
export function Export({ tables, filters = {} }) {
  const [isOpen, open] = useState(false);
  const [first] = tables;
  if (!canExport() || !first) return null;
  const tableOf = (/** @type {string} */ name) => tables.find((each) => each.name === name) ?? first;
  const { ordering, ...narrow } = filters;
  return html`<button type="button" class="button" aria-haspopup="dialog" onClick=${() => open(true)}>${t("exports.export")}</button>
    ${isOpen && h(Dialog, { title: t("exports.title"), onClose: () => open(false) }, html`<div class="flow">
      <p>${Object.keys(narrow).length ? t("exports.filtered") : t("exports.whole")} ${t("exports.recorded")}</p>
      ${h(Form, {
        initial: { table: first.name, format: "xlsx", per_school: false },
        verb: t("exports.download"),
        stays: true,
        send: (values) => {
          const { read, bySchool, formats = [] } = tableOf(values.table);
          const format = [...FORMATS, ...formats].includes(values.format) ? values.format : "xlsx";
          return read({ ...filters, format, ...(bySchool && values.per_school && { per_school: true }) });
        },
        done: (/** @type {{ blob: Blob, name: string }} */ { blob, name }) => {
          save(blob, name);
          open(false);
          notice({ text: t("exports.saved", { name }) });
        },
        actions: html`<button type="button" class="button" onClick=${() => open(false)}>${t("exports.cancel")}</button>`,
      }, h(Choices, { tables, tableOf }))}</div>`)}`;
}

/** @param {{ tables: Table[], tableOf: (name: string) => Table }} props */
function Choices({ tables, tableOf }) {
  const { values } = useForm();
  const { formats = [], bySchool } = tableOf(values.table);
  return html`${tables.length > 1 && h(Choice, { name: "table", label: t("exports.what"), required: true, options: tables.map(({ name, text }) => /** @type {[string, string]} */ ([name, text])) })}
    ${h(Choice, { name: "format", label: t("exports.format"), required: true, options: [...FORMATS, ...formats].map((each) => /** @type {[string, string]} */ ([each, t(`exports.format.${each}`)])) })}
    ${bySchool && h(Check, { name: "per_school", label: t("exports.perSchool") })}`;
}
