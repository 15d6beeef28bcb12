// The list of identity documents, and the page to review them one by one.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/dialog.js";
import { KeyList, useKeys } from "../../../pages/static/pieces/keys.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, Tag, When } from "../../../pages/static/pieces/page.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Failed, loaded } from "../../../pages/static/pieces/states.js";
import { Arrivals, useArrivals } from "../arrivals.js";
import { STAGES } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import * as deciding from "./deciding.js";
import { Changes, Decisions, Papers, Earlier, FIT, larger, Reasons, reasonOf, Rejected, Similar, smaller, turned } from "./pieces.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Item, Name } from "./calls.js" */
/** @import { View } from "./pieces.js" */

/** @type {Record<string, Record<string, string>>} */
const TABS = {
  waiting: { is_pending: "true" },
  changes: { has_changes: "true" },
  approved: { is_approved: "true", ordering: "-reviewed_at" },
  rejected: { is_rejected: "true", ordering: "-reviewed_at" },
};
const ALL = "/console/documents";

/** The person to review next, or null. @param {Item[]} items */
const nextOf = (items) => items.find((each) => !deciding.isDone(each.user_id)) ?? null;

/** @param {PageProps} props */
export function Documents({ query }) {
  const tab = query.get("tab") ?? "waiting";
  const waits = tab === "waiting" || tab === "changes";
  const poll = calls.useWaiting();
  const count = poll.value?.pagination.count;
  const { waiting, sent } = deciding.useDecisions();
  const { shown, more, show } = useArrivals(poll, sent);
  // After each decision, one fewer request is waiting.
  useEffect(() => {
    if (sent) poll.again();
  }, [sent]);
  // Other managers decide too. Only lists of decided requests are read again automatically, because nobody
  // works on their rows.
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

/** @param {string} role */
const roleOf = (role) =>
  STAGES.some((each) => each === role) ? t(`people.stage.${/** @type {"screening"} */ (role)}`) : t(`staff.role.${/** @type {"volunteer"} */ (role)}`);

/** @param {Item} row */
const reviewer = ({ reviewed_by: by }) => (by ? `${by.user.first_name} ${by.user.last_name}` : null);

/** @param {{ row: Item, isLeaving: boolean }} props */
function State({ row, isLeaving }) {
  if (isLeaving) return h(Tag, { kind: "info" }, t("documents.deciding"));
  if (row.changes?.length) return h(Tag, { kind: "info" }, t("documents.changed"));
  if (row.is_pending) return h(Tag, { kind: "info" }, t("documents.new"));
  return row.is_approved ? h(Tag, { kind: "ok" }, t("documents.approved")) : h(Tag, { kind: "bad" }, t("documents.rejected"));
}

// The person whom the review opened next.
let expected = "";

/** @param {PageProps} props */
export function Review({ params }) {
  const id = params.id ?? "";
  const account = useRead(() => calls.account(id), [id]);
  const verification = calls.useVerification(id);
  const queue = useRead(calls.queue, [id]);
  const profile = account.value?.profile;
  const record = verification.value;
  const name = profile ? `${profile.user.first_name} ${profile.user.last_name}` : "";
  const waits = record !== undefined && (record.is_pending || Boolean(record.changes?.length));
  const [hasWaited, setWaited] = useState(expected === id);
  const isOwn = id === session.user()?.user.id;
  useEffect(() => {
    if (waits && !isOwn) setWaited(true);
  }, [waits]);

  const isHere = useRef(true);
  useEffect(() => () => {
    isHere.current = false;
  }, []);
  const move = async () => {
    // If the queue can't be read, go to the list, which says why.
    const { items } = queue.value ?? (await calls.queue().catch(() => ({ items: [] })));
    // The user may have opened another page in the meantime.
    if (!isHere.current) return;
    const next = nextOf(items.filter((each) => each.user_id !== id));
    expected = next?.user_id ?? "";
    await go(next ? `${ALL}/${next.user_id}` : ALL);
  };
  const gone = record !== undefined && !waits;
  useEffect(() => {
    // Another manager has decided while this page was shown, or just before. Show that, and open the next
    // review.
    if (!gone || !hasWaited || !profile) return;
    let isShown = true;
    deciding.skip(id);
    void calls
      .request(id)
      .catch(() => null)
      .then((found) => {
        deciding.say({ id, kind: "info", text: deciding.decidedByOther({ name, isApproved: record.is_approved, by: found && reviewer(found) }) });
        if (isShown) void move();
      });
    return () => {
      isShown = false;
    };
  }, [gone, hasWaited, profile === undefined]);

  const items = (queue.value?.items ?? []).filter((each) => each.user_id === id || !deciding.isDone(each.user_id));
  const at = items.findIndex((each) => each.user_id === id);
  const count = Math.max(items.length, (queue.value?.count ?? 0) - ((queue.value?.items.length ?? 0) - items.length));
  return h(
    Page,
    {
      title: name || t("documents.review"),
      crumbs: [{ href: ALL, text: t("documents.title") }],
      lead: profile && html`${[profile.school || profile.occupation, profile.user.email, t("documents.registered", { day: dates.day(profile.user.date_joined) })].filter(Boolean).join(" · ")}
        ${waits && at >= 0 && html` · <strong class="numbers">${t("documents.position", { at: at + 1, count })}</strong>`}`,
      actions: profile && (profile.profile_type === "candidate"
        ? html`<a class="button" href=${`/console/candidates/${id}`}>${t("documents.open")}</a>`
        : html`<a class="button" href=${`/console/staff/${id}`}>${t("documents.openStaff")}</a>`),
    },
    h(Decisions, {}),
    account.error !== null && profile ? h(Failed, { error: account.error, again: account.again }) : null,
    loaded(account, (found) => loaded(verification, () => html`${h(Unread, { readings: [queue] })}${h(Case, { id, name, ...found, record: /** @type {calls.Verification} */ (record), waits, isOwn, move, again: account.again })}`)),
  );
}

/** @param {{ id: string, name: string, profile: calls.Account, version: string | null, record: calls.Verification, waits: boolean, isOwn: boolean, move: () => Promise<void>, again: () => void }} props */
function Case({ id, name, profile, version, record, waits, isOwn, move, again }) {
  const mayDecide = waits && !isOwn;
  const [before] = useState(() => deciding.takeUndone(id));
  const isChange = Boolean(record.changes?.length);
  const [active, activate] = useState(/** @type {Name} */ ("id_card"));
  const [views, setViews] = useState(/** @type {Partial<Record<Name, View>>} */ ({}));
  const [reason, setReason] = useState(before && !before.approve ? { choice: "other", details: before.reason } : { choice: "", details: "" });
  const [isMissing, setMissing] = useState(false);
  const [keys, showKeys] = useState(false);
  const reasons = useRef(/** @type {HTMLElement | null} */ (null));

  /** @param {(view: View) => View} change */
  const look = (change, own = active) => setViews((all) => ({ ...all, [own]: change(all[own] ?? FIT) }));
  /** @param {boolean} approve */
  const decide = (approve) => {
    if (!mayDecide) return;
    const text = approve ? "" : reasonOf(reason, isChange);
    if (!approve && !text) {
      setMissing(true);
      reasons.current?.querySelector("input")?.focus();
      return;
    }
    deciding.decide({ id, name, email: profile.user.email, approve, reason: text, version });
    void move();
  };
  const skip = () => {
    if (!mayDecide) return;
    deciding.skip(id);
    void move();
  };
  useKeys({
    a: { text: t("documents.approve"), act: () => decide(true) },
    r: { text: t("documents.reject"), act: () => decide(false) },
    s: { text: t("documents.skip"), act: skip },
    1: { text: t("documents.face_id"), act: () => activate("face_id") },
    2: { text: t("documents.id_card"), act: () => activate("id_card") },
    3: { text: t("documents.verification_document"), act: () => activate("verification_document") },
    "+": { text: t("documents.larger"), act: () => look(larger) },
    "-": { text: t("documents.smaller"), act: () => look(smaller) },
    f: { text: t("documents.fit"), act: () => look(() => FIT) },
    t: { text: t("documents.rotate"), act: () => look(turned) },
  });

  const isCandidate = profile.profile_type === "candidate";
  return html`
    ${!waits && h(Note, { kind: "info" }, record.is_approved ? t("documents.isApproved") : record.is_rejected ? h(Rejected, { name, email: profile.user.email, reason: record.rejection_reason }) : t("documents.isNothing"))}
    ${waits && isOwn && h(Note, { kind: "info" }, t("documents.isOwn"))}
    ${waits && record.earlier_decision && h(Earlier, { decision: record.earlier_decision })}
    ${h(Similar, { accounts: record.similar_accounts ?? [] })}
    ${isChange && h(Changes, { changes: record.changes ?? [] })}
    ${h(Papers, { profile, name, active, activate, views, look, again })}
    ${mayDecide && html`<div ref=${reasons}>${h(Reasons, { value: reason, set: (value) => { setReason(value); setMissing(false); }, isMissing, isChange })}</div>
      <p class="small muted">${isChange ? t("documents.thenChanged", { name }) : isCandidate ? t("documents.thenCandidate", { name, stage: roleOf(profile.role) }) : t("documents.thenStaff", { name, role: roleOf(profile.role) })} ${t("documents.mail")}</p>
      <div class="doc-acts acts">
        <button type="button" class="button" onClick=${() => decide(false)}>${t("documents.reject")} <kbd aria-hidden="true">R</kbd></button>
        <button type="button" class="button" onClick=${skip}>${t("documents.skip")} <kbd aria-hidden="true">S</kbd></button>
        <button type="button" class="button first" onClick=${() => decide(true)}>${t("documents.approve")} <kbd aria-hidden="true">A</kbd></button>
        <button type="button" class="button plain doc-keys" onClick=${() => showKeys(true)}>${t("documents.keys")} <kbd aria-hidden="true">?</kbd></button>
      </div>`}
    ${!mayDecide && html`<div class="acts">${h(Act, { act: move, kind: "first" }, t("documents.next"))}</div>`}
    ${keys && h(KeyList, { onClose: () => showKeys(false) })}`;
}
