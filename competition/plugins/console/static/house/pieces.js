// The parts of the pages about the service itself.

import { Refused } from "../../../pages/static/ground/api.js";
import { span } from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useId, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { setQuery, withQuery } from "../../../pages/static/ground/router.js";
import { Check } from "../../../pages/static/pieces/fields.js";
import { Choice, Select } from "../../../pages/static/pieces/choices.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Section, Tag, When } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { AsOf, Copy, Empty, Failed, loaded, Loading } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { KeyRateLimits } from "./calls.js" */
/** @import { AuditItem, Readiness, UpcomingExam } from "./calls.js" */

/** @type {Record<string, () => string>} */
const CHECKS = {
  database: () => t("house.database"),
  migrations: () => t("house.migrations"),
  redis: () => t("house.redis"),
  storage: () => t("house.storage"),
  disk: () => t("house.disk"),
};
const STATES = /** @type {const} */ ({ ok: ["ok", "house.works"], degraded: ["warn", "house.degraded"], failed: ["bad", "house.failed"] });
const WHOLE = /** @type {const} */ ({ ready: ["ok", "house.ready"], degraded: ["warn", "house.partly"], unavailable: ["bad", "house.unavailable"] });

/** Whether the service works. If it does not, the reply is an error with the same body. */
export function Health() {
  const { value, error, at, again } = calls.useReady();
  const refused = /** @type {Readiness | null} */ (error instanceof Refused && "checks" in error.body ? error.body : null);
  const report = refused ?? (error ? null : value);
  if (!report) return error ? h(Failed, { error, again }) : h(Loading, {});
  const [kind, words] = WHOLE[report.status];
  return html`<div class="flow">
    ${h(Note, { kind }, html`<p><strong>${t(words)}</strong></p>`)}
    ${table({
      caption: t("house.parts"),
      id: (each) => each.name,
      rows: report.checks,
      columns: [
        { title: t("house.part"), cell: (each) => CHECKS[each.name]?.() ?? each.name },
        { title: t("house.state"), cell: (each) => html`${h(Tag, { kind: STATES[each.status][0] }, t(STATES[each.status][1]))} ${each.message}` },
      ],
    })}
    <p class="line">${h(AsOf, { at })}</p></div>`;
}

/** The next exams, each with the problems that its checks have found. */
export function Preflights() {
  const reading = calls.useUpcoming();
  return h(Section, { title: t("house.preflight") }, loaded(reading, ({ upcoming_exams: exams }) => table({
    caption: t("house.preflight"),
    id: (exam) => exam.id,
    rows: exams,
    columns: [
      { title: t("house.exam"), cell: (exam) => html`<a href=${`/console/exams/${exam.id}`}>${exam.title}</a>` },
      { title: t("house.opens"), cell: (exam) => h(When, { at: exam.scheduled_date }) },
      { title: t("house.result"), cell: (exam) => h(Result, { exam }) },
    ],
  }), { empty: ({ upcoming_exams: exams }) => exams.length === 0, nothing: h(Empty, { action: html`<a class="button" href="/console/exams">${t("nav.exams")}</a>` }, t("house.noExams")) }));
}

/** @param {{ exam: UpcomingExam }} props */
function Result({ exam: { id } }) {
  const reading = useRead(() => calls.preflight(id), [id]);
  return html`<div class="result">${loaded(reading, ({ checks }) => {
    const errors = checks.filter((each) => each.level === "error");
    const warnings = checks.filter((each) => each.level === "warning");
    return html`<div class="acts">
        ${errors.length > 0 && h(Tag, { kind: "bad" }, t("house.errors", { count: errors.length }))}
        ${warnings.length > 0 && h(Tag, { kind: "warn" }, t("house.warnings", { count: warnings.length }))}
        ${!errors.length && !warnings.length && h(Tag, { kind: "ok" }, t("house.passed"))}</div>
      ${errors.length > 0 && html`<ul class="small">${errors.map((each) => html`<li>${each.message}</li>`)}</ul>`}`;
  })}</div>`;
}

const BACKUPS = /** @type {const} */ ({ success: ["ok", "house.succeeded"], first_failure: ["warn", "house.firstFailure"], final_failure: ["bad", "house.finalFailure"] });

export const Backups = () => h(Section, { title: t("house.backups") }, list({
  name: t("house.backups"),
  id: (each) => each.id,
  call: calls.backups,
  empty: t("house.noBackups"),
  columns: [
    { title: t("house.file"), cell: (each) => html`<span class="break">${each.backup_filename}</span>` },
    { title: t("house.made"), sort: "timestamp", cell: (each) => h(When, { at: each.timestamp }) },
    { title: t("house.result"), cell: (each) => html`${h(Tag, { kind: BACKUPS[each.status][0] }, t(BACKUPS[each.status][1]))} ${each.error_message}` },
  ],
}));

// How many changed fields are shown at first. The user can open the rest.
const FIELDS = 3;

/**
 * The change that an action made, in words: "role: screening → league".
 *
 * @param {Pick<AuditItem, "old" | "new">} entry
 */
export function Changes({ old, new: now }) {
  const isObject = (/** @type {unknown} */ each) => each !== null && typeof each === "object" && !Array.isArray(each);
  const [before, after] = /** @type {Record<string, unknown>[]} */ ([old ?? {}, now ?? {}]);
  if (!isObject(before) || !isObject(after)) return html`<span class="break">${change(old, now)}</span>`;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const lines = names.map((each) => [each, change(before?.[each], after?.[each])]).filter(([, text]) => text);
  const shown = (/** @type {(string | undefined)[][]} */ some) => html`<ul class="bare break">${some.map(([name, text]) => html`<li><span class="muted">${spaced(name ?? "")}:</span> ${text}</li>`)}</ul>`;
  if (lines.length <= FIELDS) return shown(lines);
  return html`<details><summary>${t("house.fields", { count: lines.length })}</summary>${shown(lines)}</details>`;
}

/** The name of a field, in words. @param {string} name */
const spaced = (name) => name.replaceAll("_", " ");

/**
 * @param {unknown} old
 * @param {unknown} now
 */
const change = (old, now) => [old, now].map(value).filter(Boolean).join(" → ");

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

/** The beginning of an id, to show if no name is known. @param {string} id */
export const short = (id) => id.slice(0, 8);

/**
 * More facts about an entry, which are hidden until the user opens them.
 *
 * @param {{ entry: AuditItem }} props
 */
export const Details = ({ entry }) => html`<details class="small"><summary>${t("house.details")}</summary>
  ${h(Facts, { facts: [
    [t("house.entry"), String(entry.id)],
    [t("house.address"), entry.address],
    [t("house.request"), h(Copy, { text: entry.request_id })],
    [t("house.hash"), entry.hash ? h(Copy, { text: entry.hash }) : t("house.notYet")],
  ] })}</details>`;

// How long to wait after the last key press before a search begins, in milliseconds.
const TYPING = 300;

/**
 * The filter by a person. The user types a name, and chooses one of the people found.
 *
 * @param {{ chosen: string | null, name: string | null }} props
 */
export function PersonFilter({ chosen, name }) {
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

const SCOPES = /** @type {const} */ (["client", "webhook", "metrics"]);

/**
 * The form for a new API key.
 *
 * @param {{ created: (secret: string) => void, close: () => void }} props
 */
export const NewKey = ({ created, close }) => h(Form, {
  initial: { name: "", scopes: ["client"], rates: "", expires: true, days: "365" },
  verb: t("house.createKey"),
  send: ({ name, scopes, rates, expires, days }, { key }) =>
    calls.createKey({ name, scopes, rates: rates || null, days: expires ? Number(days) : null }, key),
  done: (reply) => created(reply.key),
  actions: html`<button type="button" class="button" onClick=${close}>${t("house.cancel")}</button>`,
},
h(Field, { name: "name", label: t("house.keyName"), hint: t("house.keyNameHint"), required: true, maxlength: 100 }),
h(Choice, { name: "scopes", label: t("house.scopes"), required: true, many: true, options: SCOPES.map((each) => /** @type {[string, string]} */ ([each, t(`house.scope.${each}`)])) }),
h(KeyRates, {}),
h(Check, { name: "expires", label: t("house.expires") }),
h(Days, {}));

/** The rate limits of the new key. */
function KeyRates() {
  const reading = useRead(calls.keyRates, []);
  return loaded(reading, (all) => h(Select, {
    name: "rates",
    label: t("house.rates"),
    hint: t("house.ratesHint"),
    options: [["", t("house.usualRates")], ...all.map(rateOption)],
  }));
}

/** @param {KeyRateLimits} rates @returns {[value: string, text: string]} */
const rateOption = ({ name, authenticated }) => [
  name,
  t("house.rateOption", { name, rates: authenticated.map(({ limit, seconds }) => t("house.rate", { limit, time: span(seconds) })).join(", ") }),
];

function Days() {
  const { values } = useForm();
  return values.expires ? h(Field, { name: "days", label: t("house.days"), type: "number", required: true, inputmode: "numeric" }) : html``;
}
