// The list of candidates, and the page of one candidate.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Act, confirm } from "../../../pages/static/pieces/dialog.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag, When } from "../../../pages/static/pieces/page.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { config } from "../../../pages/static/pieces/start.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { switchAccount } from "../activation.js";
import { Details } from "../details.js";
import { Export, filtersOf } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Advancements, Appeals, Exams, Extra, History, Identity, Minutes, nameOf, Now, Questions, StageOf, stages, StateTag, states, Time } from "./pieces.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Candidate as One, Row } from "./calls.js" */

/** @param {string} name */
const isEnabled = (name) => config().plugins.includes(name);

/** @param {Row} row */
const named = ({ user }) => {
  const name = nameOf({ user });
  // Only admins may open the page of a candidate.
  return html`${isAtLeast("admin") ? html`<a href=${`/console/candidates/${user.id}`}>${name}</a>` : name}<span class="small muted">${user.email}</span>`;
};

/** @param {PageProps} props */
export const Candidates = ({ query }) =>
  h(
    Page,
    {
      title: t("people.candidates"),
      actions: html`${h(ImportLink, { kind: "candidates", from: "manager", text: t("people.import") })}
        ${isAtLeast("admin") && h(Export, { tables: [{ name: "candidates", text: t("people.candidates"), read: calls.exported }], filters: filtersOf(query, ["search", "role", "school", "verified", "status"]) })}`,
    },
    list({
      name: t("people.candidates"),
      id: (/** @type {Row} */ row) => row.user.id,
      call: calls.candidates,
      filters: [
        { name: "search", label: t("people.search") },
        { name: "role", label: t("people.stage"), options: stages() },
        { name: "school", label: t("people.school") },
        { name: "verified", label: t("people.identity"), options: [["true", t("people.approved")], ["false", t("people.notApproved")]] },
        { name: "status", label: t("people.state"), options: states() },
      ],
      columns: [
        { title: t("people.name"), sort: "last_name", cell: named },
        { title: t("people.school"), sort: "school", cell: (row) => row.school },
        { title: t("people.stage"), sort: "role", cell: (row) => t(`people.stage.${row.role}`) },
        { title: t("people.state"), cell: (row) => h(StateTag, { status: row.status }) },
        { title: t("people.joined"), sort: "date_joined", cell: (row) => html`<span class="numbers">${dates.day(row.user.date_joined)}</span>` },
      ],
      found: (count) => t("people.found", { count }),
      empty: t("people.none"),
      action: h(ImportLink, { kind: "candidates", from: "manager", text: t("people.import") }),
    }),
  );

/** @param {PageProps} props */
export function Candidate({ params }) {
  const id = params.id ?? "";
  const reading = useRead(() => calls.candidate(id), [id]);
  const [editing, edit] = useState(/** @type {"stage" | "percent" | "minutes" | "details" | null} */ (null));
  const [version, setVersion] = useState(0);
  const candidate = reading.value;
  const refresh = () => {
    reading.again();
    setVersion((before) => before + 1);
  };
  useReturn(refresh);
  /** @param {string} [text] */
  const close = (text) => {
    edit(null);
    if (!text) return;
    notice({ text });
    refresh();
  };
  return h(
    Page,
    {
      title: candidate ? nameOf(candidate) : t("people.candidate"),
      crumbs: [{ href: "/console/candidates", text: t("people.candidates") }],
      lead: candidate?.school ?? "",
      actions: candidate && html`
        ${candidate.is_user_verified && html`<button type="button" class="button" onClick=${() => edit("stage")}>${t("people.assign")}</button>`}
        <button type="button" class="button" onClick=${() => edit("minutes")}>${t("people.give")}</button>
        ${isAtLeast("manager") && html`<button type="button" class="button" onClick=${() => edit("details")}>${t("people.edit")}</button>`}`,
    },
    loaded(reading, (value) => html`
      ${h(About, { candidate: value })}
      ${h(Section, { title: t("people.now") }, h(Now, { candidate: value, version }))}
      ${isAtLeast("manager") && h(Section, { title: t("people.documents") }, h(Identity, { id, version }))}
      ${h(Section, { title: t("people.time"), actions: html`<button type="button" class="button" onClick=${() => edit("percent")}>${t("people.changePercent")}</button>` },
        h(Time, { candidate: value, done: close }))}
      ${h(Section, { title: t("people.exams") }, h(Exams, { candidate: value }))}
      ${isEnabled("clarifications") && h(Section, { title: t("people.asked") }, h(Questions, { id, version }))}
      ${isEnabled("appeals") && h(Section, { title: t("appeals.title") }, h(Appeals, { id, version }))}
      ${isEnabled("advancement") && h(Section, { title: t("advancement.title") }, h(Advancements, { id, version }))}
      ${isAtLeast("manager") && h(Section, { title: t("people.history") }, h(History, { candidate: value, version }))}
      ${isAtLeast("manager") && h(Section, { title: t("people.account") }, h(AccountLead, {}), html`
        <div class="acts">${h(Act, { act: () => activate(value, close), kind: value.is_active ? "bad" : "" }, value.is_active ? t("activation.deactivate") : t("activation.activate"))}
        ${h(Act, { act: () => remove(value, close), kind: "bad" }, t("people.delete"))}</div>`)}
      ${editing === "stage" && h(StageOf, { candidate: value, done: close })}
      ${editing === "percent" && h(Extra, { candidate: value, done: close })}
      ${editing === "minutes" && h(Minutes, { candidate: value, done: close })}
      ${editing === "details" && h(Details, { user: value.user, isCandidate: true, done: close })}`),
  );
}

function AccountLead() {
  const reading = useRead(calls.deletionDays, []);
  return html`<p>${t("people.accountLead")}</p>${loaded(reading, (count) => html`<p>${t("people.erasedAfter", { count })}</p>`)}`;
}

/** @param {{ candidate: One }} props */
const About = ({ candidate: { user, role, status, is_user_verified: isVerified } }) => html`<div class="sheet pad">${h(Facts, {
  facts: [
    [t("people.stage"), t(`people.stage.${role}`)],
    [t("people.state"), h(StateTag, { status })],
    [t("people.identity"), h(Tag, { kind: isVerified ? "ok" : "warn" }, isVerified ? t("people.approved") : t("people.notApproved"))],
    [t("people.email"), html`${user.email} ${!user.is_email_verified && h(Tag, { kind: "warn" }, t("people.unconfirmed"))}`],
    [t("people.phone"), user.phone],
    [t("people.joined"), h(When, { at: user.date_joined })],
  ],
})}</div>`;

/**
 * @param {One} candidate
 * @param {(text: string) => void} done
 */
async function activate(candidate, done) {
  const text = await switchAccount(candidate, true);
  if (text) done(text);
}

/**
 * @param {One} candidate
 * @param {(text: string) => void} done
 */
async function remove(candidate, done) {
  const name = nameOf(candidate);
  const count = await calls.deletionDays();
  const removed = await confirm({
    title: t("people.deleteOne", { name }),
    what: t("people.deletes", { name, count }),
    verb: t("people.delete"),
    danger: true,
    act: () => calls.remove(candidate.user.id),
  });
  if (removed) done(t("people.deleted", { name, day: dates.day(removed.erase_at) }));
}
