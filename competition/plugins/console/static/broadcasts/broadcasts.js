// The list of broadcasts, with their recipients and channels.

import { h, html } from "../../../pages/static/ground/html.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import * as calls from "./calls.js";
import { channels, groups } from "./pieces.js";
import { t } from "./words.js";

export function Broadcasts() {
  const action = html`<a class="button first" href="/console/broadcasts/new">${t("broadcasts.new")}</a>`;
  return h(
    Page,
    { title: t("broadcasts.title"), lead: t("broadcasts.lead"), actions: action },
    list({
      name: t("broadcasts.title"),
      id: (row) => row.id,
      call: calls.broadcasts,
      filters: [{ name: "search", label: t("broadcasts.search") }],
      columns: [
        { title: t("broadcasts.subject"), sort: "subject", cell: (row) => html`<a href=${`/console/broadcasts/${row.id}`}>${row.subject}</a>` },
        { title: t("broadcasts.to"), cell: (row) => groups(row.target_roles, row.joined).join(", ") },
        { title: t("broadcasts.channels"), cell: (row) => channels(row.mediums) },
        { title: t("broadcasts.by"), cell: (row) => `${row.created_by.user.first_name} ${row.created_by.user.last_name}` },
        { title: t("broadcasts.created"), sort: "created_at", cell: (row) => h(When, { at: row.created_at }) },
      ],
      found: (count) => t("broadcasts.found", { count }),
      empty: t("broadcasts.none"),
    }),
  );
}
