// Tables. They are in a module of their own, because the page of an exam has none, and has to stay small.

import * as dates from "../ground/dates.js";
import { h, html, useState } from "../ground/html.js";
import { inTable } from "./when.js";
import { t } from "./words.js";

/** @import { Children } from "../ground/html.js" */

/**
 * A column of a table. `cell` returns the content of a row's cell.
 *
 * @template T
 * @typedef {{ title: string, cell: (row: T) => Children, end?: boolean, sort?: string }} Column
 */
/**
 * A table. The first column names the row. On a phone, rows are cards.
 *
 * @template T
 * @param {object} options
 * @param {string} options.caption
 * @param {Column<T>[]} options.columns
 * @param {T[]} options.rows
 * @param {(row: T) => string | number} options.id
 * @param {(column: Column<T>) => Children} [options.heading] The content of a column's heading, if it is not the title.
 * @param {(column: Column<T>) => "ascending" | "descending" | undefined} [options.sorted]
 * @param {string} [options.names] The beginning of the ids of the cells with the rows' names, for references to them.
 * @param {(row: T) => Children} [options.before] A cell before the others: a checkbox.
 * @param {Children} [options.beforeTitle]
 */
export function table({ caption, columns, rows, id, heading, sorted, names, before, beforeTitle }) {
  const end = (/** @type {Column<T>} */ column) => (column.end ? "end numbers" : undefined);
  // On a phone, CSS shows the rows as cards. Browsers then drop the roles of a table, so the template sets
  // them.
  return h(Zoned, {}, html`<div class="sheet table"><table role="table">
    <caption class="hide">${caption}</caption>
    <thead role="rowgroup"><tr role="row">
      ${before && html`<th scope="col" role="columnheader"><span class="hide">${beforeTitle}</span></th>`}
      ${columns.map((each) => html`<th scope="col" role="columnheader" class=${end(each)} aria-sort=${sorted?.(each)}>${heading ? heading(each) : each.title}</th>`)}
    </tr></thead>
    <tbody role="rowgroup">
      ${rows.map((row) => html`<tr role="row" key=${id(row)}>
        ${before && html`<td role="cell" class="check">${before(row)}</td>`}
        ${columns.map((each, at) => (at ? html`<td role="cell" data-label=${each.title} class=${end(each)}><span>${each.cell(row)}</span></td>` : html`<th scope="row" role="rowheader" id=${names && `${names}-${id(row)}`}>${each.cell(row)}</th>`))}
      </tr>`)}
    </tbody></table></div>`);
}

/** A table, and below it the zone of its times in brackets. @param {{ children?: Children }} props */
function Zoned({ children }) {
  const [hasLeagueTime, tell] = useState(false);
  return h(inTable.Provider, { value: tell }, children, hasLeagueTime && html`<p class="small muted">${t("page.inBrackets", { city: dates.city() })}</p>`);
}
