// The list of staff, with their roles and the states of their accounts.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import * as session from "../../../pages/static/ground/session.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { Export, filtersOf } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { ALL, nameOf, ROLES, StateTag } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Row } from "./calls.js" */

/** @param {PageProps} props */
export const Staff = ({ query }) =>
  h(
    Page,
    {
      title: t("staff.title"),
      actions: isAtLeast("manager") && html`<a class="button first" href=${`${ALL}/invite`}>${t("staff.invite")}</a>
        ${h(ImportLink, { kind: "staff", from: "manager", text: t("staff.import") })}
        ${h(Export, { tables: [{ name: "staff", text: t("staff.title"), read: calls.exported }], filters: filtersOf(query, ["search", "role"]) })}`,
    },
    list({
      name: t("staff.title"),
      id: (/** @type {Row} */ row) => row.user.id,
      call: calls.staff,
      filters: [
        { name: "search", label: t("staff.search") },
        { name: "role", label: t("staff.role"), options: ROLES.map((each) => [each, t(`staff.role.${each}`)]) },
      ],
      columns: [
        { title: t("staff.name"), sort: "last_name", cell: named },
        { title: t("staff.role"), sort: "role", cell: (row) => t(`staff.role.${row.role}`) },
        { title: t("staff.occupation"), sort: "occupation", cell: (row) => row.occupation },
        { title: t("staff.state"), cell: (row) => h(StateTag, { of: row }) },
        { title: t("staff.joined"), sort: "date_joined", cell: (row) => html`<span class="numbers">${dates.day(row.user.date_joined)}</span>` },
      ],
      found: (count) => (count === 1 ? t("staff.alone") : t("staff.found", { count })),
      empty: t("staff.none"),
    }),
  );

/** @param {Row} row */
const named = ({ user }) => {
  const name = nameOf(user);
  const isOwn = user.id === session.user()?.user.id;
  return html`${isAtLeast("manager") ? html`<a href=${`${ALL}/${user.id}`}>${name}</a>` : name}${isOwn && html` ${h(Tag, {}, t("staff.you"))}`}<span class="small muted">${user.email}</span>`;
};
