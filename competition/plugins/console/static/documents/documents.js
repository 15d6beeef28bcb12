// The list of identity documents, by the state of the decision.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { Arrivals, useArrivals } from "../arrivals.js";
import * as calls from "./calls.js";
import * as deciding from "./deciding.js";
import { ALL, Decisions, nextOf, reviewer, roleOf } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Item } from "./calls.js" */

/** @type {Record<string, Record<string, string>>} */
const TABS = {
  waiting: { is_pending: "true" },
  changes: { has_changes: "true" },
  approved: { is_approved: "true", ordering: "-reviewed_at" },
  rejected: { is_rejected: "true", ordering: "-reviewed_at" },
};

/** @param {PageProps} props */
export function Documents({ query }) {
  const tab = query.get("tab") ?? "waiting";
  const waits = tab === "waiting" || tab === "changes";
  const poll = calls.useWaiting();
  const count = poll.value?.pagination.count;
  const { waiting, sent } = deciding.useDecisions();
  const { shown, more, show } = useArrivals(poll, sent);
  // Count the waiting requests again after each decision.
  useEffect(() => {
    if (sent) poll.again();
  }, [sent]);
  // Other managers decide too. Only the lists of decided requests are read again automatically, because nobody works on
  // these rows.
  const latest = calls.useLatest(TABS[tab] ?? {}, !waits).value;
  return h(
    Page,
    {
      title: t("documents.title"),
      lead: t("documents.lead"),
      actions: h(Act, { act: begin, kind: "first" }, t("documents.begin")),
    },
    h(Decisions, {}),
    h(Tabs, {
      label: t("documents.tabs"),
      tabs: [
        { value: "waiting", text: t("documents.waiting"), ...(count !== undefined && { count }) },
        { value: "changes", text: t("documents.changes") },
        { value: "approved", text: t("documents.approved") },
        { value: "rejected", text: t("documents.rejected") },
      ],
    }),
    h(Arrivals, { text: tab === "waiting" && more > 0 && t("documents.arrived", { count: more }), show }),
    html`<div key=${tab}>${list({
      name: t("documents.title"),
      id: (/** @type {Item} */ row) => row.user_id,
      call: calls.requests,
      fixed: TABS[tab] ?? {},
      filters: [{ name: "search", label: t("documents.search") }],
      columns: [
        { title: t("documents.name"), cell: (row) => html`<a href=${`${ALL}/${row.user_id}`}><bdi>${row.full_name}</bdi></a><span class="small muted">${row.email}</span>` },
        { title: t("documents.role"), cell: (row) => roleOf(row.role) },
        {
          title: t("documents.state"),
          cell: (row) => html`<span class="acts">${h(State, { row, isLeaving: waiting?.id === row.user_id })}
            ${row.similar_accounts.length > 0 && h(Tag, { kind: "warn" }, t("documents.similarTag"))}</span>`,
        },
        waits
          ? { title: t("documents.since"), sort: "created_at", cell: (row) => html`<time datetime=${row.created_at}>${dates.ago(row.created_at)}</time>` }
          : { title: t("documents.decided"), sort: "reviewed_at", cell: (row) => html`${h(When, { at: row.reviewed_at })}${row.reviewed_by && html` <span class="small muted">${reviewer(row)}</span>`}` },
      ],
      found: (found) => t("documents.found", { count: found }),
      empty: tab === "waiting" ? t("documents.noneWaiting") : tab === "changes" ? t("documents.noneChanged") : t("documents.noneDecided"),
      version: `${sent} ${shown} ${latest?.pagination.count} ${latest?.results[0]?.reviewed_at}`,
    })}</div>`,
  );
}

/** Open the review of the first person who is waiting. */
async function begin() {
  deciding.restart();
  const { items } = await calls.queue();
  const next = nextOf(items);
  if (next) await go(`${ALL}/${next.user_id}`);
  else deciding.say({ id: "", kind: "info", text: t("documents.noneWaiting") });
}

/** @param {{ row: Item, isLeaving: boolean }} props */
function State({ row, isLeaving }) {
  if (isLeaving) return h(Tag, { kind: "info" }, t("documents.deciding"));
  if (row.changes?.length) return h(Tag, { kind: "info" }, t("documents.changed"));
  if (row.is_pending) return h(Tag, { kind: "info" }, t("documents.new"));
  return row.is_approved ? h(Tag, { kind: "ok" }, t("documents.approved")) : h(Tag, { kind: "bad" }, t("documents.rejected"));
}
