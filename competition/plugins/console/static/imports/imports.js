// The first page of imports: the choice of what a file contains, and the earlier imports.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { by, explained, IMPORTS, kindName, StatusTag, summary } from "./pieces.js";
import { t } from "./words.js";

const STATUSES = /** @type {const} */ (["checking", "checked", "applying", "applied", "failed", "cancelled"]);

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

/** @param {{ kind: string }} props */
const KindLink = ({ kind }) => html`<a href=${`/console/imports/new/${kind}`}><strong>${kindName(kind)}</strong><span>${explained(kind)}</span></a>`;

/** @returns {[string, string][]} */
const statuses = () => STATUSES.map((each) => [each, t(`imports.status.${each}`)]);
