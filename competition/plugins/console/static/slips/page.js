// The page on which managers issue login slips to the candidates whom they choose.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { peopleOf, takeChosen } from "../chosen.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { Chosen, classOf, Issued, useSlips } from "./issuing.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Candidate } from "./calls.js" */

/** @param {PageProps} props */
export function Slips({ query }) {
  const [people, setPeople] = useState(takeChosen);
  const issuing = useSlips(calls.issue);
  const finish = () => {
    setPeople([]);
    issuing.clear();
  };
  // The filter finds all schools whose names contain the text. A link from the page of a school means only that school.
  const only = query.get("only") === query.get("school") ? query.get("only") : null;
  const choose = (/** @type {Candidate[]} */ rows) => {
    const found = peopleOf(rows.filter((each) => !only || each.school === only));
    if (found.length) setPeople(found);
    else notice({ kind: "warn", text: t("slips.noneOf", { school: only ?? "" }) });
  };
  const shown = () => {
    if (issuing.hasBegun) return h(Issued, { issuing, done: finish });
    return people.length ? h(Chosen, { people, issuing, others: finish }) : choosing(choose);
  };
  return h(Page, { title: t("slips.title"), lead: t("slips.lead"), crumbs: [{ href: "/console/candidates", text: t("nav.candidates") }] }, shown());
}

/** @param {Candidate} row */
const named = ({ user }) => {
  const name = `${user.first_name} ${user.last_name}`;
  // Only admins may open the page of a candidate.
  return isAtLeast("admin") ? html`<a href=${`/console/candidates/${user.id}`}>${name}</a>` : name;
};

/** @param {(rows: Candidate[]) => void} choose */
const choosing = (choose) => list({
  name: t("slips.candidates"),
  id: (/** @type {Candidate} */ row) => row.user.id,
  call: calls.candidates,
  filters: [{ name: "search", label: t("slips.search") }, { name: "school", label: t("slips.school") }],
  columns: [
    { title: t("slips.name"), sort: "last_name", cell: named },
    { title: t("slips.school"), sort: "school", cell: (row) => row.school },
    { title: t("slips.group"), cell: classOf },
    { title: t("slips.login"), cell: ({ user }) => html`<code>${user.email.split("@", 1)}</code>` },
  ],
  select: isAtLeast("manager") && ((selection) => h(Act, { act: async () => choose(await selection.rows()) }, t("slips.of", { count: selection.count }))),
  found: (count) => t("slips.found", { count }),
  empty: t("slips.none"),
});
