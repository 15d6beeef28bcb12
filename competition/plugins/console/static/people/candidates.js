// The list of candidates, which can be exported. Managers also choose here the candidates who get login slips.

import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { openSlips, peopleOf } from "../chosen.js";
import { Export, filtersOf } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { nameOf, stages, StateTag } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Row } from "./calls.js" */

/** @type {Row["status"][]} */
const STATES = ["active", "pending", "inactive", "deactivated"];

/** @param {PageProps} props */
export const Candidates = ({ query }) =>
  h(
    Page,
    {
      title: t("people.candidates"),
      actions: html`${h(ImportLink, { kind: "candidates", from: "manager", text: t("people.import") })}
        ${isAtLeast("admin") && h(Export, { tables: [{ name: "candidates", text: t("people.candidates"), read: calls.exported }], filters: filtersOf(query, ["search", "role", "school", "has_email", "verified", "status", "joined"]) })}`,
    },
    list({
      name: t("people.candidates"),
      id: (/** @type {Row} */ row) => row.user.id,
      call: calls.candidates,
      filters: [
        { name: "search", label: t("people.search") },
        { name: "role", label: t("people.stage"), options: stages() },
        { name: "school", label: t("people.school") },
        { name: "has_email", label: t("people.hasEmail"), options: [["true", t("people.withEmail")], ["false", t("people.withoutEmail")]] },
        { name: "verified", label: t("people.identity"), options: [["true", t("people.approved")], ["false", t("people.notApproved")]] },
        { name: "status", label: t("people.state"), options: states() },
        ...(config().plugins.includes("seasons") ? [{ name: "joined", label: t("people.season"), options: /** @type {[string, string][]} */ ([["true", t("people.season.joined")], ["false", t("people.season.notJoined")]]) }] : []),
      ],
      columns: [
        { title: t("people.name"), sort: "last_name", cell: named },
        { title: t("people.school"), sort: "school", cell: (row) => row.school },
        { title: t("people.stage"), sort: "role", cell: (row) => t(`people.stage.${row.role}`) },
        { title: t("people.state"), cell: (row) => h(StateTag, { status: row.status }) },
        { title: t("people.joined"), sort: "date_joined", cell: (row) => html`<span class="numbers">${dates.day(row.user.date_joined)}</span>` },
      ],
      select: isAtLeast("manager") && ((selection) => h(Act, { act: async () => openSlipsOf(await selection.rows()) }, t("people.slipsOf", { count: selection.count }))),
      found: (count) => t("people.found", { count }),
      empty: t("people.none"),
      action: h(ImportLink, { kind: "candidates", from: "manager", text: t("people.import") }),
    }),
  );

/** @returns {[string, string][]} */
const states = () => STATES.map((each) => [each, t(`people.state.${each}`)]);

/** @param {Row} row */
const named = ({ user }) => {
  const name = nameOf({ user });
  // Only admins may open the page of a candidate.
  return html`${isAtLeast("admin") ? html`<a href=${`/console/candidates/${user.id}`}>${name}</a>` : name}<span class="small muted">${user.email}</span>`;
};

/** Open the page of login slips for candidates without an email address. @param {Row[]} rows */
async function openSlipsOf(rows) {
  const people = peopleOf(rows);
  if (people.length) await openSlips("/console/slips", people);
  else notice({ kind: "warn", text: t("people.noSlips") });
}
