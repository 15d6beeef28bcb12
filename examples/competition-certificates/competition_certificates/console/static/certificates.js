// The two pages of certificates: the search for a candidate, and the certificates of one. They import only the shared
// modules of `pages`, and know the console by its addresses.

import { api, request } from "../../pages/static/ground/api.js";
import { h, html } from "../../pages/static/ground/html.js";
import { useRead } from "../../pages/static/ground/poll.js";
import { number } from "../../pages/static/ground/texts.js";
import { Act, confirm } from "../../pages/static/pieces/dialog.js";
import { list } from "../../pages/static/pieces/list.js";
import { notice } from "../../pages/static/pieces/notice.js";
import { Page, When } from "../../pages/static/pieces/page.js";
import { table } from "../../pages/static/pieces/table.js";
import { Empty, loaded } from "../../pages/static/pieces/states.js";
import { t } from "./words.js";

const nameOf = ({ first_name, last_name }) => `${first_name} ${last_name}`;

export function Search() {
  return h(Page, { title: t("certificates"), lead: t("lead") }, list({
    name: t("certificates"),
    id: (row) => row.user.id,
    call: (query) => api.get("/candidates/", query),
    filters: [{ name: "search", label: t("search") }],
    columns: [
      { title: t("candidate"), sort: "last_name", cell: (row) => html`<a href=${`/console/certificates/${row.user.id}`}>${nameOf(row.user)}</a>` },
      { title: t("school"), cell: (row) => row.school },
    ],
    found: (count) => t("candidates", { count }),
    empty: t("noCandidates"),
  }));
}

export function OfCandidate({ params }) {
  const reading = useRead(() => api.get("/candidates/{candidate_id}/", { candidate_id: params.id, documents: false }), [params.id]);
  const name = reading.value ? nameOf(reading.value.user) : "";
  const revoke = async ({ code, exam_title: exam }) => {
    const done = await confirm({
      title: t("revoke"),
      what: t("revokes", { name, exam }),
      verb: t("revokeOne"),
      danger: true,
      // `api` has types for the endpoints of the service. `request` takes any path.
      act: () => request("post", "/certificates/{code}/revoke/", { code }),
    });
    if (!done) return;
    notice({ text: t("revoked") });
    reading.again();
  };
  return h(
    Page,
    { title: name ? t("of", { name }) : t("certificates"), crumbs: [{ href: "/console/certificates", text: t("certificates") }] },
    loaded(reading, ({ certificates }) => table({
      caption: t("certificates"),
      rows: certificates,
      id: (row) => row.code,
      columns: [
        { title: t("exam"), cell: (row) => row.exam_title },
        { title: t("rank"), end: true, cell: (row) => number(row.rank) },
        { title: t("awarded"), cell: (row) => h(When, { at: row.awarded_at }) },
        { title: t("code"), cell: (row) => html`<a href=${`/certificates/${row.code}/`}>${row.code}</a>` },
        { title: t("action"), cell: (row) => h(Act, { act: () => revoke(row) }, t("revoke")) },
      ],
    }), { empty: ({ certificates }) => certificates.length === 0, nothing: h(Empty, {}, t("none")) }),
  );
}
