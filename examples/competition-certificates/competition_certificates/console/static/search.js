// The search for a candidate. The page imports only this plugin's modules and the shared modules of `pages`, and knows
// the console by its addresses.

import { h, html } from "../../pages/static/ground/html.js";
import { list } from "../../pages/static/pieces/list.js";
import { Page } from "../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { nameOf } from "./pieces.js";
import { t } from "./words.js";

export function Search() {
  return h(Page, { title: t("certificates"), lead: t("lead") }, list({
    name: t("certificates"),
    id: (row) => row.user.id,
    call: calls.candidates,
    filters: [{ name: "search", label: t("search") }],
    columns: [
      { title: t("candidate"), sort: "last_name", cell: (row) => html`<a href=${`/console/certificates/${row.user.id}`}>${nameOf(row.user)}</a>` },
      { title: t("school"), cell: (row) => row.school },
    ],
    found: (count) => t("candidates", { count }),
    empty: t("noCandidates"),
  }));
}
