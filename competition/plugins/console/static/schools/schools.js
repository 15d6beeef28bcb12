// The list of schools, and the published leaderboards of schools.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Dialog } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { ALL, Cancel, hasTeachers, round, SchoolFields, schoolOf } from "./pieces.js";
import { t } from "./words.js";

/** @import { School as One } from "./calls.js" */

export function Schools() {
  const [adding, add] = useState(false);
  return h(Page, {
    title: t("schools.title"),
    lead: t("schools.lead"),
    actions: html`${isAtLeast("admin") && html`<button type="button" class="button first" onClick=${() => add(true)}>${t("schools.add")}</button>`}
      ${hasTeachers() && h(ImportLink, { kind: "teachers", from: "manager", text: t("schools.importTeachers") })}`,
  }, list({
    name: t("schools.title"),
    id: (/** @type {One} */ row) => row.id,
    call: calls.schools,
    filters: [
      { name: "search", label: t("schools.search") },
      { name: "region", label: t("schools.region") },
      { name: "listed", label: t("schools.listed"), options: [["true", t("schools.isListed")], ["false", t("schools.notListed")]] },
    ],
    columns: [
      { title: t("schools.name"), sort: "name", cell: (row) => html`<a href=${`${ALL}/${row.id}`}>${row.name}</a> <span class="small muted">${row.aliases.map((each) => each.name).join(", ")}</span>` },
      { title: t("schools.code"), sort: "code", cell: (row) => row.code ?? "" },
      { title: t("schools.region"), sort: "region", cell: (row) => row.region },
      { title: t("schools.candidates"), end: true, cell: (row) => row.candidates },
      { title: t("schools.verified"), end: true, cell: (row) => row.verified },
      ...(hasTeachers() ? [{ title: t("schools.teachers"), end: true, cell: (/** @type {One} */ row) => row.teachers ?? 0 }] : []),
    ],
    found: (count) => t("schools.found", { count }),
    empty: t("schools.none"),
  }), h(Boards, {}), adding && h(Dialog, { title: t("schools.add"), onClose: () => add(false) }, h(Form, {
    initial: { name: "", code: "", region: "" },
    verb: t("schools.add"),
    send: (values) => calls.add(schoolOf(values)),
    done: (/** @type {One} */ { id }) => go(`${ALL}/${id}`),
    actions: h(Cancel, { close: () => add(false) }),
  }, h(SchoolFields, {}))));
}

/** The published leaderboards of schools. */
function Boards() {
  const reading = useRead(calls.boards, []);
  const boards = reading.value ?? [];
  return html`${h(Unread, { readings: [reading] })}
    ${boards.length > 0 && h(Section, { title: t("schools.boards") }, html`<ul>
      ${boards.map((each) => html`<li><a href=${`/console/boards/${each.stage}/${each.round}/schools`}>${each.exam_title}</a> <span class="small muted">${round(each)}</span></li>`)}</ul>`)}`;
}
