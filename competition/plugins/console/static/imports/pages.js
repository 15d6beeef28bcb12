// Imports: choose what a file contains, send it, see what each line would do, and apply it.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { Act, confirm } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, When } from "../../../pages/static/pieces/page.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded, Progress } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import {
  allRows, AnswerSheet, by, Cells, chosen, Columns, Dropped, explained, fieldsOf, fileOf, invites, keep, KindLink, kindName, Mapping, mapped, reached, states, StateTag, statuses, StatusTag, summary,
} from "./pieces.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Import, Kind } from "./calls.js" */

const IMPORTS = "/console/imports";
// How often the page polls, in seconds: while the service works on the import, and otherwise.
const WORKING = 2;
const WAITING = 60;

const crumbs = () => [{ href: IMPORTS, text: t("imports.title") }];

export function Imports() {
  const kinds = useRead(calls.kinds, []);
  return h(Page, { title: t("imports.title"), lead: t("imports.lead") },
    h(Section, { title: t("imports.choose") }, loaded(kinds, (found) => html`<ul class="import-kinds">${found.map((each) => html`<li>${h(KindLink, { kind: each.name })}</li>`)}</ul>`, {
      empty: (found) => !found.length,
      nothing: h(Empty, {}, t("imports.noKind")),
    })),
    h(Section, { title: t("imports.earlier") }, list({
      name: t("imports.earlier"),
      id: (row) => row.id,
      call: calls.imports,
      filters: [
        { name: "search", label: t("imports.search") },
        { name: "kind", label: t("imports.contents"), options: (kinds.value ?? []).map((each) => /** @type {[string, string]} */ ([each.name, kindName(each.name)])) },
        { name: "status", label: t("imports.status"), options: statuses() },
      ],
      columns: [
        { title: t("imports.file"), sort: "filename", cell: (row) => html`<a href=${`${IMPORTS}/${row.id}`}>${row.filename}</a>` },
        { title: t("imports.contents"), cell: (row) => kindName(row.kind) },
        { title: t("imports.status"), cell: (row) => html`<span class="together">${h(StatusTag, { status: row.status })}</span>` },
        { title: t("imports.does"), cell: (row) => (row.counts.rows ? summary(row.counts) : "-") },
        { title: t("imports.by"), cell: (row) => by(row.created_by) },
        { title: t("imports.sent"), sort: "created_at", cell: (row) => h(When, { at: row.created_at }) },
      ],
      found: (count) => t("imports.found", { count }),
      empty: t("imports.none"),
    })));
}

/** @param {PageProps} props */
export function NewImport({ params, query }) {
  const name = params.kind ?? "";
  const kinds = useRead(calls.kinds, []);
  return h(Page, { title: t("imports.newOf", { kind: kindName(name) }), lead: explained(name), crumbs: crumbs() },
    loaded(kinds, (found) => {
      const kind = found.find((each) => each.name === name);
      return kind ? h(Sending, { key: name, kind, exam: query.get("exam") ?? "" }) : h(Empty, { action: html`<a class="button" href=${IMPORTS}>${t("imports.choose")}</a>` }, t("imports.notYours"));
    }));
}

/**
 * The form for a file, its templates, and what its columns mean.
 *
 * @param {{ kind: Kind, exam: string }} props `exam` is the exam that the address names.
 */
function Sending({ kind, exam }) {
  // Only admins may list exams, and import questions into one.
  const needsExam = kind.exam !== null && isAtLeast("admin");
  const exams = useRead(async () => (needsExam ? calls.exams(kind.name) : []), [kind.name]);
  const [progress, setProgress] = useState(/** @type {{ done: number, total: number | null } | null} */ (null));
  /** @param {import("../../../pages/static/pieces/form.js").FormValues} values */
  const send = async (values) => {
    try {
      return await calls.send(kind.name, /** @type {any} */ (values), (done, total) => setProgress({ done, total }));
    } finally {
      setProgress(null);
    }
  };
  return html`${loaded(exams, (found) => html`
      ${needsExam && kind.exam === "required" && !found.length && h(Note, { kind: "warn" }, t(kind.name === "answers" ? "imports.noExamOver" : "imports.noExam"))}
      ${h(Form, {
        initial: { file: null, exam: found.some((each) => String(each.id) === exam) ? exam : "" },
        verb: t("imports.check"),
        send,
        done: async (sent, values) => {
          keep(sent.id, values.file);
          await go(`${IMPORTS}/${sent.id}`);
        },
      },
        needsExam && h(Select, {
          name: "exam", label: t("imports.exam"), required: kind.exam === "required", ...(kind.exam === "optional" && { hint: t("imports.examHint") }),
          options: [["", t(kind.exam === "required" ? "imports.chooseExam" : "imports.onlyBank")], ...found.map((each) => /** @type {[string, string]} */ ([String(each.id), each.title]))],
        }),
        kind.name === "answers" && h(AnswerSheet, {}),
        h(Dropped, { kind, hint: t("imports.fileHint") }),
        h(Reading, { progress }))}`)}
    ${h(Section, { title: t("imports.template") }, html`<p>${t("imports.templateLead")}</p>
      <div class="acts">${h(Act, { act: () => calls.template(kind.name, "xlsx") }, t("imports.templateXlsx"))}
        ${h(Act, { act: () => calls.template(kind.name, "csv") }, t("imports.templateCsv"))}</div>`)}
    ${h(Section, { title: t("imports.columns") }, h(Columns, { kind }))}`;
}

/** @param {{ progress: { done: number, total: number | null } | null }} props */
const Reading = ({ progress }) => progress && h(Progress, { label: t("imports.uploading"), ...progress });

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
  const kinds = useRead(calls.kinds, []);
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
    ${one.status === "checked" && h(Decision, { one, reread: reading.again })}
    ${["checked", "failed"].includes(one.status) && (one.ignored_columns.length > 0 || Object.keys(one.columns).length > 0) && loaded(kinds, (all) => h(Mapped, { key: `${one.id} ${one.status}`, one, kind: all.find((each) => each.name === one.kind) }))}
    ${one.counts.rows > 0 && one.status !== "cancelled" && h(Section, { title: t("imports.rows") }, h(Rows, { one, kind: kinds.value?.find((each) => each.name === one.kind) }))}
    ${h(Unread, { readings: [exam] })}
    ${h(Section, { title: t("imports.about") }, h(Facts, { facts: [
      [t("imports.exam"), one.exam && (exam.value ? html`<a href=${`/console/exams/${one.exam}`}>${exam.value.title}</a>` : String(one.exam))],
      [t("imports.by"), by(one.created_by)],
      [t("imports.sent"), h(When, { at: one.created_at })],
      [t("imports.appliedBy"), one.applied_by && by(one.applied_by)],
      [t("imports.appliedAt"), one.applied_at && h(When, { at: one.applied_at })],
    ] }))}`));
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
  return href && html`<p><a href=${href}>${t("imports.see", { kind: kindName(kind) })}</a></p>`;
}

/**
 * What applying would do, and the button that does it.
 *
 * @param {{ one: Import, reread: () => void }} props
 */
function Decision({ one, reread }) {
  const { counts } = one;
  const count = counts.new + counts.changed;

  async function apply() {
    let invite = true;
    const may = invites(one) && html`<label class="choice"><input type="checkbox" checked onChange=${(/** @type {any} */ event) => {
      invite = event.currentTarget.checked;
    }} /><span>${t("imports.invite")}</span></label>`;
    const done = await confirm({
      title: t("imports.applyTitle", { file: one.filename }),
      what: html`${t("imports.applies", { count })} ${summary(counts)}. ${counts.invalid > 0 && t("imports.skips", { count: counts.invalid })} ${may}`,
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
 * The columns that were not recognised, each with the fields to choose from. The file is deleted once it is checked,
 * so it is sent again: this page still has it, unless the user has left it in the meantime.
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
        // The new import takes the place of this one. If this fails, the service cancels it after some days.
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
