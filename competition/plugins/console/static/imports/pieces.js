// The pieces of the pages of imports.

import { h, html, useRef, useState } from "../../../pages/static/ground/html.js";
import { save } from "../../../pages/static/ground/save.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { Act } from "../../../pages/static/pieces/dialog.js";
import { FileField } from "../../../pages/static/pieces/fields.js";
import { useForm } from "../../../pages/static/pieces/form.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { config } from "../../../pages/static/pieces/start.js";
import { table } from "../../../pages/static/pieces/table.js";
import { canExport } from "../exports.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Field, Import, Kind, Row } from "./calls.js" */

// The kinds whose new rows are accounts. Their people can be invited by email.
const PEOPLE = new Set(["candidates", "pupils", "staff", "teachers"]);
// Messages under this name are about the whole line.
const LINE = "line";

/**
 * The text with this key, or another text if the catalogue has none: other plugins have kinds and fields of their own.
 *
 * @param {string} key
 * @param {string} other
 */
function textOr(key, other) {
  const words = t(/** @type {"imports.title"} */ (key));
  // A catalogue returns the key of a text that it does not have.
  return words.includes(key) ? other : words;
}

/** @param {string} kind */
export const kindName = (kind) => textOr(`imports.kind.${kind}`, kind);

/** What a kind of import is for. @param {string} kind */
export const explained = (kind) => textOr(`imports.explains.${kind}`, "");

/** @param {string} name */
const fieldName = (name) => textOr(`imports.field.${name}`, name);

/**
 * What a column means, in the organiser's words.
 *
 * @param {Kind} kind
 * @param {Field} field
 */
const meaning = (kind, { name, description }) => textOr(`imports.means.${kind.name}.${name}`, textOr(`imports.means.${name}`, description));

/** @param {{ kind: string }} props */
export const KindLink = ({ kind }) => html`<a href=${`/console/imports/new/${kind}`}><strong>${kindName(kind)}</strong><span>${explained(kind)}</span></a>`;

/** @param {Import["created_by"]} person */
export const by = (person) => (person ? `${person.user.first_name} ${person.user.last_name}` : "-");

/** @param {Import["counts"]} counts */
export function summary(counts) {
  const states = /** @type {const} */ (["new", "changed", "unchanged", "invalid"]);
  return states.flatMap((each) => (counts[each] ? [t(`imports.count.${each}`, { count: counts[each] })] : [])).join(", ");
}

/** How many rows are applied. @param {Import} one */
export const reached = ({ counts }) => counts.new + counts.changed;

/** Whether applying can send invitations. @param {Import} one */
export const invites = ({ kind, counts }) => PEOPLE.has(kind) && counts.new > 0;

/** @param {number} count */
export const allRows = (count) => t("imports.rowsFound", { count });

const STATUSES = /** @type {const} */ (["checking", "checked", "applying", "applied", "failed", "cancelled"]);
const STATES = /** @type {const} */ (["new", "changed", "unchanged", "invalid"]);

/** @returns {[string, string][]} */
export const statuses = () => STATUSES.map((each) => [each, t(`imports.status.${each}`)]);

/** @returns {[string, string][]} */
export const states = () => STATES.map((each) => [each, t(`imports.state.${each}`)]);

const KINDS_OF_STATUS = /** @type {const} */ ({ checking: "", checked: "info", applying: "", applied: "ok", failed: "bad", cancelled: "" });
const KINDS_OF_STATE = /** @type {const} */ ({ new: "ok", changed: "info", unchanged: "", invalid: "bad" });

/** @param {{ status: Import["status"] }} props */
export const StatusTag = ({ status }) => h(Tag, { kind: KINDS_OF_STATUS[status] }, t(`imports.status.${status}`));

/** @param {{ state: Row["state"] }} props */
export const StateTag = ({ state }) => h(Tag, { kind: KINDS_OF_STATE[state] }, t(`imports.state.${state}`));

// The files that this page has sent, by the id of their import. They are lost when the page is left, as they should be.
/** @type {Map<number, File>} */
const files = new Map();

/**
 * @param {number} id
 * @param {File} file
 */
export const keep = (id, file) => void files.set(id, file);

/** @param {number} id */
export const fileOf = (id) => files.get(id) ?? null;

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

/** The sheet for answers from paper, with the candidates of the chosen exam. */
export function AnswerSheet() {
  const { values } = useForm();
  if (!canExport()) return null;
  if (!values.exam) return html`<p class="muted">${t("imports.sheetNeedsExam")}</p>`;
  /** @param {{ format: "csv" | "xlsx", per_school?: boolean }} query */
  const get = async (query) => {
    const { blob, name } = await calls.answerSheet(Number(values.exam), query);
    save(blob, name);
  };
  return html`<div class="sheet pad flow"><p>${t("imports.sheetLead")}</p>
    <div class="acts">${h(Act, { act: () => get({ format: "xlsx" }) }, t("imports.sheetXlsx"))}
      ${h(Act, { act: () => get({ format: "csv" }) }, t("imports.sheetCsv"))}
      ${h(Act, { act: () => get({ format: "xlsx", per_school: true }) }, t("imports.sheetSchools"))}</div></div>`;
}

/**
 * What each column of a kind means.
 *
 * @param {{ kind: Kind }} props
 */
export const Columns = ({ kind }) => html`<p>${t("imports.columnsLead")}</p>
  ${kind.one_of.length > 0 && html`<p>${t("imports.oneOf", { names: kind.one_of.join(", ") })}</p>`}
  ${kind.numbered && html`<p>${t("imports.numbered", { name: kind.numbered })}</p>`}
  ${table({
    caption: t("imports.columns"),
    rows: kind.fields,
    id: (field) => field.name,
    columns: [
      { title: t("imports.column"), cell: (field) => html`<code>${field.name}</code> ${field.is_required && h(Tag, { kind: "info" }, t("imports.needed"))}` },
      { title: t("imports.meaning"), cell: (field) => meaning(kind, field) },
      { title: t("imports.example"), cell: (field) => field.example || "-" },
      { title: t("imports.alsoNamed"), cell: (field) => field.headers.join(", ") || "-" },
    ],
  })}`;

/** The names of all headers of a file, those that were not recognised first. @param {Import} one */
const headers = (one) => [...one.ignored_columns, ...Object.keys(one.columns)];

/** @param {number} at */
const fieldOf = (at) => `column-${at}`;

/**
 * The values of a form for the columns: the fields that were recognised.
 *
 * @param {Import} one
 * @returns {FormValues}
 */
export const chosen = (one) => Object.fromEntries(headers(one).map((header, at) => [fieldOf(at), one.columns[header] ?? ""]));

/**
 * The columns for the next upload: a field for each header, or null if the column is not to be read.
 *
 * @param {Import} one
 * @param {FormValues} values
 * @returns {Record<string, string | null>}
 */
export const mapped = (one, values) => Object.fromEntries(headers(one).map((header, at) => [header, values[fieldOf(at)] || null]));

/**
 * A list for each column, to choose its field from.
 *
 * @param {{ one: Import, kind: Kind }} props
 */
export function Mapping({ one, kind }) {
  const numbered = kind.numbered ? Object.values(one.columns).filter((each) => /^\d+$/.test(each)) : [];
  /** @type {[string, string][]} */
  const options = [
    ["", t("imports.notRead")],
    ...kind.fields.map(({ name }) => /** @type {[string, string]} */ ([name, t("imports.fieldChoice", { text: fieldName(name), name })])),
    ...numbered.map((each) => /** @type {[string, string]} */ ([each, t("imports.question", { number: each })])),
  ];
  const all = headers(one).map((header, at) => h(Select, { key: header, name: fieldOf(at), label: header, options }));
  const known = all.slice(one.ignored_columns.length);
  return html`${all.slice(0, one.ignored_columns.length)}
    ${known.length > 0 && html`<details><summary>${t("imports.recognised", { count: known.length })}</summary><div class="form">${known}</div></details>`}`;
}

/** The names of a kind's fields, in their order. @param {Kind} kind */
export const fieldsOf = (kind) => kind.fields.map((each) => each.name);

/** @param {unknown} value */
function shown(value) {
  if (value === null || value === undefined || value === "") return t("imports.empty");
  if (typeof value === "boolean") return t(value ? "imports.yes" : "imports.no");
  return String(value);
}

/**
 * The cells of a row: each value beside what it replaces, and each error beside its cell.
 *
 * @param {{ row: Row, order: string[] }} props
 */
export function Cells({ row: { values, before, errors, warnings }, order }) {
  const names = [...new Set([...order, ...Object.keys(values), ...Object.keys(before), ...Object.keys(errors)])].filter((each) => each !== LINE && (each in values || each in before || each in errors));
  const isAnswer = (/** @type {string} */ name) => /^\d+$/.test(name) && !(name in errors);
  const answers = names.filter(isAnswer);
  return html`<div class="import-row">
    ${errors[LINE] && html`<p class="error">${errors[LINE].join(" ")}</p>`}
    <dl class="import-cells">${names.filter((each) => !isAnswer(each)).map((name) => html`<div class=${name in errors ? "wrong" : ""}><dt>${fieldName(name)}</dt>
      <dd>${name in before
        ? html`<ins>${shown(values[name])}</ins> <span class="muted">${t("imports.instead", { value: shown(before[name]) })}</span>`
        : name in values ? shown(values[name]) : t("imports.empty")}
        ${errors[name] && html`<span class="error"><br />${errors[name].join(" ")}</span>`}</dd></div>`)}
      ${answers.length > 0 && html`<div><dt>${t("imports.field.answers")}</dt><dd class="numbers">${answers.map((each) => `${each} ${shown(values[each])}`).join(", ")}</dd></div>`}</dl>
    ${warnings.length > 0 && html`<ul class="import-messages small">${warnings.map((each) => html`<li>${h(Tag, { kind: "warn" }, t("imports.look"))} ${each}</li>`)}</ul>`}
  </div>`;
}
