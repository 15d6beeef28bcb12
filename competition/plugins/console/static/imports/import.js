// The page of an import: what each line would do, columns that were not recognised, and applying the import. The
// service reads and checks the file.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { Progress } from "../../../pages/static/pieces/progress.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { by, crumbs, Dropped, files, IMPORTS, keep, kindName, Reading, states, StatusTag, summary, textOr } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Import, Kind, Row } from "./calls.js" */
/** @import { FormValues } from "../../../pages/static/pieces/form.js" */

// Messages under this name are about the whole line.
const LINE = "line";
const KINDS_OF_STATE = /** @type {const} */ ({ new: "ok", changed: "info", unchanged: "", invalid: "bad" });

// How often the page polls, in seconds: while the service works on the import, and otherwise.
const WORKING = 2;
const WAITING = 60;

/** @param {PageProps} props */
export function OneImport({ params }) {
  const id = params.id ?? "";
  const [every, set] = useState(WORKING);
  const reading = calls.useImport(id, every);
  const found = reading.value;
  const isWorking = !found || ["checking", "applying"].includes(found.status);
  useEffect(() => {
    set(isWorking ? WORKING : WAITING);
  }, [isWorking]);
  useEffect(() => () => void files.delete(Number(id)), [id]);
  const kinds = useRead(calls.kinds, []);
  const kind = kinds.value?.find((each) => each.name === found?.kind);
  const exam = useRead(async () => (found?.exam && isAtLeast("admin") ? calls.exam(found.exam) : null), [found?.exam]);
  return h(Page, {
    title: found?.filename ?? t("imports.one"),
    crumbs: crumbs(),
    lead: found && html`${kindName(found.kind)} ${h(StatusTag, { status: found.status })}`,
  }, loaded(reading, (one) => html`
    ${one.status === "checking" && h(Progress, { label: t("imports.checking"), done: one.progress.done, total: one.progress.total || null, text: (values) => t("imports.checked", values) })}
    ${one.status === "applying" && html`<p role="status">${t("imports.applying", { count: reached(one) })}</p>`}
    ${one.status === "failed" && h(Note, { kind: "bad" }, html`<p><strong>${t("imports.failed")}</strong> ${one.detail}</p>
      <p><a href=${again(one)}>${t("imports.toTemplate")}</a></p>`)}
    ${one.status === "cancelled" && h(Note, { kind: "info" }, t("imports.cancelled"))}
    ${one.status === "applied" && h(Note, { kind: "ok" }, html`<p>${t("imports.applied", { count: one.counts.applied })}</p>${h(Next, { one })}`)}
    ${(one.status === "checked" || (one.status === "failed" && hasColumns(one))) && loaded(kinds, () => html`
      ${one.status === "checked" && h(Decision, { one, kind, reread: reading.again })}
      ${hasColumns(one) && h(Mapped, { key: `${one.id} ${one.status}`, one, kind })}`)}
    ${one.counts.rows > 0 && one.status !== "cancelled" && h(Section, { title: t("imports.rows") }, h(Rows, { one, kind }))}
    ${h(Unread, { readings: [exam] })}
    ${h(Section, { title: t("imports.about") }, h(Facts, { facts: [
      [t("imports.exam"), one.exam && (exam.value ? html`<a href=${`/console/exams/${one.exam}`}>${exam.value.title}</a>` : String(one.exam))],
      [t("imports.by"), by(one.created_by)],
      [t("imports.sent"), h(When, { at: one.created_at })],
      [t("imports.appliedBy"), one.applied_by && by(one.applied_by)],
      [t("imports.appliedAt"), one.applied_at && h(When, { at: one.applied_at })],
    ] }))}`));
}

/** @param {string} name */
const fieldName = (name) => textOr(`imports.field.${name}`, name);

/** How many rows applying the import would create or change. @param {Import} one */
const reached = ({ counts }) => counts.new + counts.changed;

/** Whether the file has columns with headers. @param {Import} one */
const hasColumns = (one) => headers(one).length > 0;

/**
 * Who gets an email when the import is applied, and the choice to send none.
 *
 * @param {{ one: Import, kind: Kind | undefined, choose: (invite: boolean) => void }} props
 */
function Invitations({ one: { counts, invitations: count }, kind, choose }) {
  const others = kind?.creates_without_email ? counts.new - count : 0;
  if (kind?.invites === "always") return count > 0 && t("imports.invites", { count });
  return html`${others > 0 && t("imports.withoutEmail", { count: others })}
    ${count > 0 && html`<label class="choice"><input type="checkbox" checked onChange=${(/** @type {any} */ event) => choose(event.currentTarget.checked)} /><span>${t("imports.invite", { count })}</span></label>`}`;
}

/** @param {number} count */
const allRows = (count) => t("imports.rowsFound", { count });

/** @param {{ state: Row["state"] }} props */
const StateTag = ({ state }) => h(Tag, { kind: KINDS_OF_STATE[state] }, t(`imports.state.${state}`));

/** @param {number} id */
const fileOf = (id) => files.get(id) ?? null;

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
const chosen = (one) => Object.fromEntries(headers(one).map((header, at) => [fieldOf(at), one.columns[header] ?? ""]));

/**
 * The columns for the next upload: a field for each header, or null if the column is not to be read.
 *
 * @param {Import} one
 * @param {FormValues} values
 * @returns {Record<string, string | null>}
 */
const mapped = (one, values) => Object.fromEntries(headers(one).map((header, at) => [header, values[fieldOf(at)] || null]));

/**
 * A list for each column, to choose its field from.
 *
 * @param {{ one: Import, kind: Kind }} props
 */
function Mapping({ one, kind }) {
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

/** The names of the fields of a kind of import, in their order. @param {Kind} kind */
const fieldsOf = (kind) => kind.fields.map((each) => each.name);

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
function Cells({ row: { values, before, errors, warnings }, order }) {
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

/** The address of the page to send another file of the same kind. @param {Import} one */
const again = ({ kind, exam }) => `${IMPORTS}/new/${kind}${exam ? `?exam=${exam}` : ""}`;

/** Where to go after an import. @param {{ one: Import }} props */
function Next({ one: { kind, exam } }) {
  const places = /** @type {Record<string, string>} */ ({
    candidates: "/console/candidates",
    staff: "/console/staff",
    pupils: "/console/school/slips",
    teachers: "/console/schools",
    questions: exam ? `/console/exams/${exam}/paper` : "/console/questions",
    scores: `/console/exams/${exam}/results`,
    answers: `/console/exams/${exam}/results`,
  });
  const href = places[kind];
  return href && html`<p><a href=${href}>${t("imports.see", { kind: kind === "pupils" ? t("imports.slips") : kindName(kind) })}</a></p>`;
}

/**
 * The effect of applying the import, and the button that applies it.
 *
 * @param {{ one: Import, kind: Kind | undefined, reread: () => void }} props
 */
function Decision({ one, kind, reread }) {
  const { counts } = one;
  const count = counts.new + counts.changed;

  async function apply() {
    let invite = true;
    const choose = (/** @type {boolean} */ chosenNow) => {
      invite = chosenNow;
    };
    const done = await confirm({
      title: t("imports.applyTitle", { file: one.filename }),
      what: html`${t("imports.applies", { count })} ${summary(counts)}. ${counts.invalid > 0 && t("imports.skips", { count: counts.invalid })} ${h(Invitations, { one, kind, choose })}`,
      verb: t("imports.apply", { count }),
      act: (key) => calls.apply(one.id, { invalid: counts.invalid ? "skip" : "refuse", invite }, key),
    });
    if (done) reread();
  }

  async function discard() {
    const done = await confirm({
      title: t("imports.discardTitle", { file: one.filename }),
      what: t("imports.discards"),
      verb: t("imports.discard"),
      danger: true,
      act: async () => {
        await calls.cancel(one.id);
        return true;
      },
    });
    if (!done) return;
    if (await go(IMPORTS)) notice({ text: t("imports.discarded", { file: one.filename }) });
  }

  return html`<div class="sheet pad flow"><p class="import-summary" role="status">${summary(counts)}</p>
    <p class="muted">${t(count ? "imports.nothingYet" : "imports.nothingToDo")}</p>
    ${counts.invalid > 0 && html`<p>${t("imports.mend", { count: counts.invalid })}</p>`}
    <div class="acts">${count > 0 && h(Act, { act: apply, kind: "first" }, t("imports.apply", { count }))}
      ${h(Act, { act: discard, kind: "bad" }, t("imports.discard"))}
      <a class="button" href=${again(one)}>${t("imports.another")}</a></div></div>`;
}

/**
 * The columns that were not recognised, each with the fields to choose from. The service deletes the file once it is
 * checked, so the form sends the file again. This tab still has it, unless the user has left the page, or loaded the
 * console again, in the meantime.
 *
 * @param {{ one: Import, kind: Kind | undefined }} props
 */
function Mapped({ one, kind }) {
  const file = fileOf(one.id);
  const [progress, setProgress] = useState(/** @type {{ done: number, total: number | null } | null} */ (null));
  if (!kind) return null;
  /** @param {import("../../../pages/static/pieces/form.js").FormValues} values */
  const send = async (values) => {
    try {
      return await calls.send(one.kind, { file: values.file, exam: one.exam, columns: mapped(one, values) }, (done, total) => setProgress({ done, total }));
    } finally {
      setProgress(null);
    }
  };
  return h(Section, { title: one.ignored_columns.length ? t("imports.unread", { count: one.ignored_columns.length }) : t("imports.readColumns") },
    html`<p>${t(one.ignored_columns.length ? "imports.unreadLead" : "imports.readLead")}</p>
    ${h(Form, {
      initial: { file, ...chosen(one) },
      draft: `import.${one.id}`,
      verb: t("imports.checkAgain"),
      quiet: one.status === "checked",
      send,
      done: async (sent, values) => {
        keep(sent.id, values.file);
        // The new import replaces this one. If cancelling fails, the service cancels this import after some days.
        if (one.status === "checked") await calls.cancel(one.id).catch(() => {});
        await go(`${IMPORTS}/${sent.id}`);
      },
    }, h(Mapping, { one, kind }), !file && h(Dropped, { kind, hint: t("imports.sendAgain") }), h(Reading, { progress }))}`);
}

/** @param {{ one: Import, kind: Kind | undefined }} props */
const Rows = ({ one, kind }) => list({
  name: t("imports.rows"),
  id: (row) => row.line,
  version: one.status,
  call: (query) => calls.rows(String(one.id), query),
  filters: [
    { name: "search", label: t("imports.searchRows") },
    { name: "state", label: t("imports.state"), options: states() },
  ],
  columns: [
    { title: t("imports.line"), sort: "line", cell: (row) => html`<span class="numbers together">${t("imports.lineNumber", { number: String(row.line) })}</span>` },
    { title: t("imports.state"), cell: (row) => html`<span class="together">${h(StateTag, { state: row.state })}</span>` },
    { title: t("imports.contents"), cell: (row) => h(Cells, { row, order: kind ? fieldsOf(kind) : [] }) },
  ],
  found: allRows,
  empty: t("imports.noRows"),
});
