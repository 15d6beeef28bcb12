// The certificates of a candidate, which admins can revoke. The page imports only this plugin's modules and the shared
// modules of `pages`, and knows the console by its addresses.

import { h, html } from "../../pages/static/ground/html.js";
import { useRead } from "../../pages/static/ground/poll.js";
import { number } from "../../pages/static/ground/texts.js";
import { Act } from "../../pages/static/pieces/act.js";
import { confirm } from "../../pages/static/pieces/dialog.js";
import { notice } from "../../pages/static/pieces/notice.js";
import { Page } from "../../pages/static/pieces/page.js";
import { When } from "../../pages/static/pieces/when.js";
import { Empty, loaded } from "../../pages/static/pieces/states.js";
import { table } from "../../pages/static/pieces/table.js";
import * as calls from "./calls.js";
import { nameOf } from "./pieces.js";
import { t } from "./words.js";

export function OfCandidate({ params }) {
  const reading = useRead(() => calls.candidate(params.id), [params.id]);
  const name = reading.value ? nameOf(reading.value.user) : "";
  const revoke = async ({ code, exam_title: exam }) => {
    const done = await confirm({
      title: t("revoke"),
      what: t("revokes", { name, exam }),
      verb: t("revokeOne"),
      danger: true,
      act: () => calls.revoke(code),
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
