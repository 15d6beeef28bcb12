// The page of the audit trail, with its filters. It changes nothing: the service writes the entries.

import { city } from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useId, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { setQuery, withQuery } from "../../../pages/static/ground/router.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Copy, loaded } from "../../../pages/static/pieces/states.js";
import { actWords } from "../acts.js";
import { Export, filtersOf } from "../exports.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { AuditItem } from "./calls.js" */

// How many changed fields are shown at first. The user can open the rest.
const FIELDS = 3;

// How long to wait after the last key press before a search begins, in milliseconds.
const TYPING = 300;

/** @param {PageProps} props */
export function Audit({ query }) {
  const target = query.get("target_id");
  const staff = useRead(calls.staff, []);
  const names = new Map(staff.value?.results.map(({ user }) => [user.id, `${user.first_name} ${user.last_name}`]));
  /** @param {"actor_id" | "target_id"} filter @param {string | null} id @param {string | null} name @param {string} none */
  const person = (filter, id, name, none) => (id ? html`<a href=${withQuery({ [filter]: id, page: null })}>${name ?? t("house.account", { id: short(id) })}</a>` : none);
  const filters = filtersOf(query, ["search", "actor_id", "target_id", "from", "until"]);
  return h(Page, { title: t("nav.audit"), lead: t("house.auditLead"), actions: h(Export, { tables: [{ name: "audit", text: t("nav.audit"), read: calls.exported }], filters }) },
    h(Unread, { readings: [staff] }),
    h(PersonFilter, { chosen: target, name: (target && names.get(target)) || null }),
    target && staff.value && !names.has(target) && html`<p><a href=${`/console/candidates/${target}`}>${t("house.openCandidate")}</a></p>`,
    list({
      name: t("nav.audit"),
      id: (entry) => entry.id,
      call: calls.audit,
      empty: t("house.noEntries"),
      ...(target && { fixed: { target_id: target } }),
      filters: [
        { name: "search", label: t("house.actionOrSubject") },
        { name: "actor_id", label: t("house.actor"), options: [...names] },
        { name: "from", label: t("house.from", { city: city() }), type: "date" },
        { name: "until", label: t("house.until", { city: city() }), type: "date" },
      ],
      columns: [
        { title: t("house.action"), sort: "action", cell: (entry) => html`<a href=${withQuery({ search: entry.action, page: null })}>${actWords(entry.action)}</a> <span class="small muted">${[actWords(entry.action) !== entry.action && entry.action, entry.subject].filter(Boolean).join(" · ")}</span>` },
        { title: t("house.actor"), cell: (entry) => person("actor_id", entry.actor_id, entry.actor_name, t("house.theService")) },
        { title: t("house.person"), cell: (entry) => person("target_id", entry.target_id, entry.target_name, "-") },
        { title: t("house.change"), cell: (entry) => h(Changes, entry) },
        { title: t("house.at"), sort: "created_at", cell: (entry) => h(When, { at: entry.created_at }) },
        { title: t("house.chain"), cell: (entry) => html`<span class="chain">${h(Tag, { kind: entry.hash ? "ok" : "" }, entry.hash ? t("house.sealed") : t("house.notSealed"))}</span> ${h(Details, { entry })}` },
      ],
    }),
    h(Note, {}, html`<p>${t("house.chainWhat")}</p>`));
}

/**
 * The change that an action made, in words: "role: screening → league".
 *
 * @param {Pick<AuditItem, "old" | "new">} entry
 */
function Changes({ old, new: now }) {
  const isObject = (/** @type {unknown} */ each) => each !== null && typeof each === "object" && !Array.isArray(each);
  const [before, after] = /** @type {Record<string, unknown>[]} */ ([old ?? {}, now ?? {}]);
  if (!isObject(before) || !isObject(after)) return html`<span class="break">${change(old, now)}</span>`;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = (/** @type {string} */ name) => (after && name in after && isRemoved(before?.[name], after[name]) ? t("house.removed", { value: value(before?.[name]) }) : change(before?.[name], after?.[name]));
  const lines = names.map((each) => [each, text(each)]).filter(([, found]) => found);
  const shown = (/** @type {(string | undefined)[][]} */ some) => html`<ul class="bare break">${some.map(([name, text]) => html`<li><span class="muted">${spaced(name ?? "")}:</span> ${text}</li>`)}</ul>`;
  if (lines.length <= FIELDS) return shown(lines);
  return html`<details><summary>${t("house.fields", { count: lines.length })}</summary>${shown(lines)}</details>`;
}

/**
 * @param {unknown} old
 * @param {unknown} now
 */
const change = (old, now) => [old, now].map(value).filter(Boolean).join(" → ");

/**
 * Whether an action has removed a value. The old value alone would read as if the action had set it.
 *
 * @param {unknown} old
 * @param {unknown} now
 */
const isRemoved = (old, now) => Boolean(value(old)) && !value(now);

/** The beginning of an id, to show if no name is known. @param {string} id */
const short = (id) => id.slice(0, 8);

/**
 * More facts about an entry, which are hidden until the user opens them.
 *
 * @param {{ entry: AuditItem }} props
 */
const Details = ({ entry }) => html`<details class="small"><summary>${t("house.details")}</summary>
  ${h(Facts, { facts: [
    [t("house.entry"), String(entry.id)],
    [t("house.address"), entry.address],
    [t("house.request"), h(Copy, { text: entry.request_id })],
    [t("house.hash"), entry.hash ? h(Copy, { text: entry.hash }) : t("house.notYet")],
  ] })}</details>`;

/**
 * The filter by a person. The user types a name, and chooses one of the people found.
 *
 * @param {{ chosen: string | null, name: string | null }} props
 */
function PersonFilter({ chosen, name }) {
  const id = useId();
  const [typed, type] = useState("");
  const [search, find] = useState("");
  const timer = useRef(/** @type {any} */ (0));
  useEffect(() => () => clearTimeout(timer.current), []);
  const found = useRead(async () => (search ? (await calls.people(search)).results : []), [search]);
  if (chosen) {
    return html`<p class="acts"><span>${t("house.onlyPerson", { name: name ?? t("house.account", { id: short(chosen) }) })}</span>
      <a class="button" href=${withQuery({ target_id: null, page: null })}>${t("house.everybody")}</a></p>`;
  }
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const input = ({ currentTarget: { value } }) => {
    type(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => find(value.trim()), TYPING);
  };
  /** @param {string} target */
  const choose = (target) => {
    type("");
    find("");
    setQuery({ target_id: target, page: null });
  };
  return html`<div class="person">
    <label class="small muted" for=${id}>${t("house.person")}</label>
    <input id=${id} class="field" type="search" autocomplete="off" value=${typed} onInput=${input} />
    <div role="status">${search && loaded(found, (people) => (people.length
      ? html`<ul class="bare acts">${people.map((each) => {
          const { id: target = "", first_name: first, last_name: last, email } = each.user ?? each;
          return html`<li><button type="button" class="button" onClick=${() => choose(target)}>${first} ${last} <span class="small muted">${email}</span></button></li>`;
        })}</ul>`
      : html`<p class="small muted">${t("house.nobody")}</p>`))}</div></div>`;
}

/**
 * @param {unknown} each
 * @returns {string}
 */
function value(each) {
  if (each === null || each === undefined) return "";
  if (Array.isArray(each)) return each.map(value).join(", ");
  if (typeof each === "object") return Object.entries(each).map(([name, inner]) => t("house.named", { name: spaced(name), value: value(inner) })).join(", ");
  return typeof each === "boolean" ? t(each ? "house.yes" : "house.no") : String(each);
}

/** The name of a field, in words. @param {string} name */
const spaced = (name) => name.replaceAll("_", " ");
