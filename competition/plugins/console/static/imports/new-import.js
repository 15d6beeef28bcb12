// The page that sends a file for an import, with templates, and the meaning of each column.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { save } from "../../../pages/static/ground/save.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { Form, useForm } from "../../../pages/static/pieces/form.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { canExport } from "../exports.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { crumbs, Dropped, explained, IMPORTS, keep, kindName, Reading, textOr } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Kind, Field } from "./calls.js" */

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
 * The meaning of a column: a text of the catalogue or, if there is none, the description of the API.
 *
 * @param {Kind} kind
 * @param {Field} field
 */
const meaning = (kind, { name, description }) => textOr(`imports.means.${kind.name}.${name}`, textOr(`imports.means.${name}`, description));

/** The sheet for answers from paper, with the candidates of the chosen exam. */
function AnswerSheet() {
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
 * The meaning of each column of a kind of import.
 *
 * @param {{ kind: Kind }} props
 */
const Columns = ({ kind }) => html`<p>${t("imports.columnsLead")}</p>
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

/**
 * The form for a file, its templates, and what its columns mean.
 *
 * @param {{ kind: Kind, exam: string }} props `exam` is the exam that the address names.
 */
function Sending({ kind, exam }) {
  // Only admins may list exams, and import questions into an exam.
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
