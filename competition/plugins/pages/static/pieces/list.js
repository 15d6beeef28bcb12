// Lists: filters and the page in the address, sorting by the headings, selection, and rows as cards on a phone. A list
// knows how the API pages its replies, but not what the rows are: the caller passes the request and the columns.

import { Refused } from "../ground/api.js";
import { day } from "../ground/dates.js";
import { h, html, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "../ground/html.js";
import { useRead } from "../ground/poll.js";
import { left, setQuery, usePlace, withQuery } from "../ground/router.js";
import { t } from "./more/words.js";
import { table } from "./table.js";
import { useReturn } from "./readings.js";
import { AsOf, Empty, loaded } from "./states.js";

/** @import { Children } from "../ground/html.js" */
/**
 * @template T
 * @typedef {import("./table.js").Column<T>} Column
 */
/**
 * @typedef {{ name: string, label: string, options?: [value: string, text: string][], type?: "search" | "date" }} Filter A
 *   filter without options is a text search or, with the type `date`, a day such as 2026-12-12.
 */
/**
 * The selected rows: the rows with the ids in `keys` or, with `all`, every row that the filters find. `rows` reads them.
 *
 * @template [T=any]
 * @typedef {{ keys: string[], all: boolean, count: number, query: Record<string, string>, rows: () => Promise<T[]>, clear: () => void }} Selection
 */
/** @typedef {{ count: number, page: number, page_size: number, has_next: boolean, has_previous: boolean }} Position */
/**
 * @template T
 * @typedef {object} ListOptions
 * @property {string} name The caption of the table, which names the rows.
 * @property {(query: any) => Promise<{ results: T[], pagination: Position }>} call Reads a page. `query` has the
 *   filters, the page, and the ordering.
 * @property {Column<T>[]} columns Users can sort by a column with `sort`, its name for the API.
 * @property {Filter[]} [filters]
 * @property {(row: T) => string | number} id
 * @property {(count: number) => string} [found] The status line: "38 candidates found".
 * @property {Children} empty The text for an empty list: what will appear here, and how to get it.
 * @property {Children} [action] A link for an empty list: the next step.
 * @property {(query: Record<string, string>) => Children} [missing] What to say below "Nothing matches": why a row that
 *   the user looks for is not in the list.
 * @property {((selection: Selection<T>) => Children) | false} [select] Buttons for the selected rows, with the number in them.
 * @property {(rows: T[]) => void} [shown] Called with the rows of each page that is read to be shown.
 * @property {string} [ordering] The name of the ordering's parameter.
 * @property {Record<string, string>} [fixed] Parameters that the user can't change.
 * @property {unknown} [version] The list is read again when this value changes.
 */

// How long to wait after the last key press before a search begins, in milliseconds.
const TYPING = 300;
// The API lists at most this many rows at once.
const LARGEST_PAGE = 100;

/**
 * A list. It is read again when the user returns to the browser's tab. It is a function, not a component, so that tsc
 * knows the type of the rows.
 *
 * @template T
 * @param {ListOptions<T>} options
 */
export const list = (options) => h(/** @type {any} */ (List), options);

/** @param {ListOptions<any>} options */
function List(options) {
  const { name, call, columns, filters = [], id, found, empty, action, missing, select, ordering = "ordering", fixed } = options;
  const { query } = usePlace();
  const names = useId();
  const asked = { ...fixed, ...read(query, [...filters.map((each) => each.name), "page", ordering]) };
  const active = filters.filter((each) => query.get(each.name));
  // The rows of all pages that the user has seen.
  const seen = useRef(/** @type {Map<string, any>} */ (new Map()));
  const reading = useRead(async () => {
    const page = await call(asked);
    for (const row of page.results) seen.current.set(String(id(row)), row);
    options.shown?.(page.results);
    return page;
  }, [JSON.stringify(asked), options.version]);
  useReturn(reading.again);
  // The error of a page that does not exist, for example because an action has removed its only row. The list does not
  // show this error.
  const beyond = useRef(/** @type {unknown} */ (null));
  if (asked.page && reading.error instanceof Refused && reading.error.status === 404) beyond.current = reading.error;
  const isBeyond = reading.error !== null && reading.error === beyond.current;
  useEffect(() => {
    const before = Number(asked.page) - 1;
    // If no page has been shown before, the number in the address may be far too high, so go to the first page.
    if (isBeyond) setQuery({ page: reading.value && before > 1 ? String(before) : null });
  }, [reading.error]);
  const isRead = reading.value !== undefined;
  // After Back, the page can scroll to where the user was only once it has its rows again.
  useLayoutEffect(() => {
    const top = isRead && left();
    if (top) scrollTo(0, top);
  }, [isRead]);
  const selection = useSelection(JSON.stringify({ ...asked, page: null, [ordering]: null }), asked);
  const [field, descending] = order(query.get(ordering));

  /** @param {Column<any>} column */
  const heading = (column) => {
    if (!column.sort) return column.title;
    const next = column.sort === field && !descending ? `-${column.sort}` : column.sort;
    return html`<button type="button" onClick=${() => setQuery({ [ordering]: next, page: null })}>${column.title}</button>`;
  };
  const sorted = (/** @type {Column<any>} */ column) => (column.sort && column.sort === field ? (descending ? "descending" : "ascending") : undefined);

  const count = reading.value?.pagination.count;
  const nothing = active.length
    ? h(Empty, { action: html`${missing?.(asked)}<button type="button" class="button" onClick=${() => clear(filters)}>${t("list.clear")}</button>` },
        t("list.nothing", { filters: active.map((each) => t("page.labelled", { label: each.label, text: named(each, query.get(each.name)) })).join(", ") }))
    : h(Empty, { action }, empty);
  return html`<div class="list flow">
    ${filters.length > 0 && h(Filters, { filters })}
    <p class="line"><span class="small muted" role="status">${count !== undefined && !reading.busy && (found ?? ((/** @type {number} */ each) => t("list.found", { count: each })))(count)}</span>
      ${h(AsOf, { at: reading.at })}</p>
    ${loaded(isBeyond ? { ...reading, error: null } : reading, ({ results, pagination }) => html`
      ${table({
        caption: name, columns, rows: results, id, heading, sorted,
        ...(select && { beforeTitle: t("list.select"), names, before: (/** @type {any} */ row) => h(Check, { selection, id: String(id(row)), names }) }),
      })}
      ${select && h(Selected, { selection, select, call, seen: seen.current, total: pagination.count, ids: results.map((/** @type {any} */ row) => String(id(row))) })}
      ${h(Pages, { position: pagination })}`,
      { empty: (value) => value.results.length === 0, nothing })}
  </div>`;
}

/**
 * @param {URLSearchParams} query
 * @param {string[]} names
 * @returns {Record<string, string>}
 */
const read = (query, names) => Object.fromEntries(names.flatMap((each) => (query.get(each) ? [[each, query.get(each) ?? ""]] : [])));

/**
 * @param {string | null} text
 * @returns {[field: string, descending: boolean]}
 */
const order = (text) => [text?.replace("-", "") ?? "", text?.startsWith("-") ?? false];

/** @param {Filter[]} filters */
const clear = (filters) => setQuery({ page: null, ...Object.fromEntries(filters.map((each) => [each.name, null])) });

/**
 * @param {Filter} filter
 * @param {string | null} value
 */
const named = ({ options, type }, value) => {
  // The address may have any text in place of a date.
  if (type === "date" && value && Date.parse(value)) return day(value, "UTC");
  return options?.find(([each]) => each === value)?.[1] ?? value ?? "";
};

/**
 * Filters, whose values are in the address. A search begins when the user stops typing.
 *
 * @param {{ filters: Filter[] }} props
 */
export function Filters({ filters }) {
  const { query } = usePlace();
  const isFiltered = filters.some((each) => query.get(each.name));
  return html`<form class="filters" role="search" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    ${filters.map((each) => h(OneFilter, { key: each.name, filter: each, value: query.get(each.name) ?? "" }))}
    ${isFiltered && html`<button type="button" class="button" onClick=${() => clear(filters)}>${t("list.clear")}</button>`}
  </form>`;
}

/** @param {{ filter: Filter, value: string }} props */
function OneFilter({ filter: { name, label, options, type: kind = "search" }, value }) {
  const id = useId();
  const [typed, type] = useState(value);
  const timer = useRef(/** @type {any} */ (0));
  // Back and "Clear" change the address, so take the value from it again.
  useEffect(() => type(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** @param {string} text */
  const set = (text) => setQuery({ [name]: text.trim(), page: null });
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const input = ({ currentTarget }) => {
    type(currentTarget.value);
    clearTimeout(timer.current);
    timer.current = setTimeout(set, TYPING, currentTarget.value);
  };
  return html`<div class=${options || kind === "date" ? "" : "grow"}>
    <label class="small muted" for=${id}>${label}</label>
    ${options
      ? html`<select id=${id} class="field" value=${value} onChange=${(/** @type {any} */ event) => set(event.currentTarget.value)}>
          <option value="">${t("list.any")}</option>
          ${options.map(([each, text]) => html`<option value=${each} selected=${each === value}>${text}</option>`)}
        </select>`
      : html`<input id=${id} class="field" type=${kind} autocomplete="off" value=${typed} onInput=${input} />`}
  </div>`;
}

/**
 * The pages of a list. `before` counts the rows that precede the list on its first page, such as the first three of a
 * leaderboard.
 *
 * @param {{ position: Position, before?: number }} props
 */
export function Pages({ position: { count, page, page_size: size, has_next: next, has_previous: previous }, before = 0 }) {
  const from = page === 1 ? 1 : (page - 1) * size + 1 + before;
  const range = t("list.range", { from, to: Math.min(page * size, count) + before, count: count + before });
  /** @param {number} to */
  const href = (to) => withQuery({ page: to === 1 ? null : String(to) });
  return html`<nav class="pages small" aria-label=${t("list.pages")}><span class="numbers">${range}</span>
    <span class="acts">${previous && html`<a class="button" href=${href(page - 1)}>${t("list.previous")}</a>`}
    ${next && html`<a class="button" href=${href(page + 1)}>${t("list.next")}</a>`}</span></nav>`;
}

/**
 * The selection survives paging, and ends when the filters change.
 *
 * @param {string} scope
 * @param {Record<string, string>} query
 */
function useSelection(scope, query) {
  const [state, set] = useState({ scope, keys: /** @type {string[]} */ ([]), all: false });
  const own = state.scope === scope ? state : { scope, keys: [], all: false };
  return useMemo(() => {
    const { page: _, ...filters } = query;
    /**
     * @param {string[]} keys
     * @param {boolean} [all]
     */
    const change = (keys, all = false) => set({ scope, keys, all });
    return { keys: own.keys, all: own.all, query: filters, change };
  }, [state, scope]);
}
/** @typedef {ReturnType<typeof useSelection>} Selecting */

/** @param {{ selection: Selecting, id: string, names: string }} props */
function Check({ selection: { keys, all, change }, id, names }) {
  const own = useId();
  const toggle = () => change(keys.includes(id) ? keys.filter((each) => each !== id) : [...keys, id]);
  return html`<label><input type="checkbox" aria-labelledby=${`${own} ${names}-${id}`} checked=${all || keys.includes(id)} disabled=${all} onChange=${toggle} />
    <span class="hide" id=${own}>${t("list.selectOne")}</span></label>`;
}

/** @param {{ selection: Selecting, select: (selection: Selection) => Children, call: ListOptions<any>["call"], seen: Map<string, any>, total: number, ids: string[] }} props */
function Selected({ selection: { keys, all, query, change }, select, call, seen, total, ids }) {
  const count = all ? total : keys.length;
  const rows = async () => (all ? firstRows(call, query, count) : keys.map((each) => seen.get(each)));
  const isPage = ids.every((each) => keys.includes(each));
  return html`<div class="selected">
    <span class="small" role="status">${count > 0 && t("list.selected", { count })}</span>
    ${!all && !isPage && html`<button type="button" class="button" onClick=${() => change([...new Set([...keys, ...ids])])}>${t("list.selectPage")}</button>`}
    ${!all && total > ids.length && html`<button type="button" class="button" onClick=${() => change([], true)}>${t("list.selectAll", { count: total })}</button>`}
    ${count > 0 && html`<button type="button" class="button" onClick=${() => change([])}>${t("list.selectNone")}</button>
      <span class="acts">${select({ keys, all, count, query, rows, clear: () => change([]) })}</span>`}
  </div>`;
}

/**
 * The first rows that the filters find, at most `most`.
 *
 * @param {ListOptions<any>["call"]} call
 * @param {Record<string, string>} query
 * @param {number} most
 */
async function firstRows(call, query, most) {
  const found = [];
  for (let page = 1; found.length < most; page++) {
    const { results, pagination } = await call({ ...query, page, limit: LARGEST_PAGE });
    found.push(...results);
    if (!pagination.has_next) break;
  }
  return found.slice(0, most);
}
