// The service itself: its health, the audit trail, features, API keys, jobs and emails.

import { city } from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { withQuery } from "../../../pages/static/ground/router.js";
import { Act, confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { ActOnRows, confirmEach } from "../../../pages/static/pieces/each.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Tag, When } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { settingOf } from "../../../pages/static/pieces/start.js";
import { Copy, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { actWords } from "../acts.js";
import { Export, filtersOf } from "../exports.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Backups, Changes, Details, Health, NewKey, PersonFilter, Preflights, short } from "./pieces.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Selection } from "../../../pages/static/pieces/list.js" */
/** @import { ApiKey, Flag, Job, Mail } from "./calls.js" */

export const ServicePage = () => h(Page, { title: t("nav.service"), lead: t("house.serviceLead") },
  h(Health, {}),
  isAtLeast("admin") && h(Preflights, {}),
  isAtLeast("superadmin") && h(Backups, {}));

/** @param {PageProps} props */
export function Audit({ query }) {
  const target = query.get("target_id");
  const staff = useRead(calls.staff, []);
  const names = new Map(staff.value?.results.map(({ user }) => [user.id, `${user.first_name} ${user.last_name}`]));
  /** @param {"actor_id" | "target_id"} filter @param {string | null} id @param {string | null} name @param {string} none */
  const person = (filter, id, name, none) => (id ? html`<a href=${withQuery({ [filter]: id, page: null })}>${name ?? t("house.account", { id: short(id) })}</a>` : none);
  const filters = filtersOf(query, ["search", "actor_id", "target_id", "from", "until"]);
  return h(Page, { title: t("nav.audit"), lead: t("house.auditLead"), actions: h(Export, { tables: [{ name: "audit", text: t("nav.audit"), read: calls.exported }], filters }) },
    h(Unread, { readings: [staff] }),
    h(PersonFilter, { chosen: target, name: (target && names.get(target)) || null }),
    target && staff.value && !names.has(target) && html`<p><a href=${`/console/candidates/${target}`}>${t("house.openCandidate")}</a></p>`,
    list({
      name: t("nav.audit"),
      id: (entry) => entry.id,
      call: calls.audit,
      empty: t("house.noEntries"),
      ...(target && { fixed: { target_id: target } }),
      filters: [
        { name: "search", label: t("house.actionOrSubject") },
        { name: "actor_id", label: t("house.actor"), options: [...names] },
        { name: "from", label: t("house.from", { city: city() }), type: "date" },
        { name: "until", label: t("house.until", { city: city() }), type: "date" },
      ],
      columns: [
        { title: t("house.action"), sort: "action", cell: (entry) => html`<a href=${withQuery({ search: entry.action, page: null })}>${actWords(entry.action)}</a> <span class="small muted">${[actWords(entry.action) !== entry.action && entry.action, entry.subject].filter(Boolean).join(" · ")}</span>` },
        { title: t("house.actor"), cell: (entry) => person("actor_id", entry.actor_id, entry.actor_name, t("house.theService")) },
        { title: t("house.person"), cell: (entry) => person("target_id", entry.target_id, entry.target_name, "-") },
        { title: t("house.change"), cell: (entry) => h(Changes, entry) },
        { title: t("house.at"), sort: "created_at", cell: (entry) => h(When, { at: entry.created_at }) },
        { title: t("house.chain"), cell: (entry) => html`<span class="chain">${h(Tag, { kind: entry.hash ? "ok" : "" }, entry.hash ? t("house.sealed") : t("house.notSealed"))}</span> ${h(Details, { entry })}` },
      ],
    }),
    h(Note, {}, html`<p>${t("house.chainWhat")}</p>`));
}

const FLAGS = /** @type {const} */ (["candidate_registration", "staff_registration", "leaderboard_visible", "score_publication"]);

/**
 * A feature in words. For features of third-party plugins, these are the words of the API.
 *
 * @param {Flag} flag
 */
function flagWords({ name, description }) {
  const known = FLAGS.find((each) => each === name);
  return known ? { name: t(`house.flag.${known}`), description: t(`house.flag.${known}.what`) } : { name, description };
}

export function Flags() {
  const reading = useRead(calls.flags, []);
  useReturn(reading.again);
  /** @param {Flag} flag */
  const turn = async (flag) => {
    const { enabled } = flag;
    const { name, description } = flagWords(flag);
    const done = await confirm({
      title: enabled ? t("house.switchOff", { name }) : t("house.switchOn", { name }),
      what: html`${description} ${enabled ? t("house.offWhat") : t("house.onWhat")}`,
      verb: enabled ? t("house.off") : t("house.on"),
      danger: enabled,
      act: () => calls.switchFlag(flag.name, !enabled),
    });
    if (!done) return;
    reading.again();
    notice({ text: enabled ? t("house.isOff", { name }) : t("house.isOn", { name }) });
  };
  return h(Page, { title: t("nav.flags"), lead: t("house.flagsLead") }, loaded(reading, (flags) => table({
    caption: t("nav.flags"),
    id: (flag) => flag.name,
    rows: flags,
    columns: [
      { title: t("house.feature"), cell: (flag) => html`${flagWords(flag).name} <span class="small muted">${flagWords(flag).description}</span>` },
      { title: t("house.state"), cell: (flag) => h(Tag, { kind: flag.enabled ? "ok" : "" }, flag.enabled ? t("house.on") : t("house.off")) },
      { title: t("house.default"), cell: (flag) => (flag.default ? t("house.on") : t("house.off")) },
      { title: t("house.do"), cell: (flag) => h(Act, { act: () => turn(flag) }, flag.enabled ? t("house.turnOff") : t("house.turnOn"), html` <span class="hide">${flagWords(flag).name}</span>`) },
    ],
  }), { empty: (flags) => flags.length === 0, nothing: h(Empty, {}, t("house.noFlags")) }));
}

/** @param {ApiKey} key */
function keyState({ revoked_at: revoked, expires_at: expires }) {
  if (revoked) return h(Tag, {}, t("house.revoked"));
  if (expires && new Date(expires).getTime() <= Date.now()) return h(Tag, {}, t("house.expired"));
  return h(Tag, { kind: "ok" }, t("house.valid"));
}

/** Whether the portal and the console use the key. The service creates these keys itself. @param {ApiKey} key */
const isOfPages = ({ name }) => /^pages [0-9a-f]{8}$/.test(name);

export function Keys() {
  const [isOpen, open] = useState(false);
  const [secret, show] = useState("");
  const [version, change] = useState(0);
  const again = () => change((before) => before + 1);
  /** @param {string} created */
  const created = (created) => {
    open(false);
    show(created);
    again();
  };
  /** @param {ApiKey} key */
  const revoke = async (key) => {
    const done = await confirm({
      title: t("house.revoke"),
      what: isOfPages(key) ? t("house.revokePages", { name: key.name }) : t("house.revokeWhat", { name: key.name }),
      verb: t("house.revokeOne", { name: key.name }),
      danger: true,
      act: async () => {
        await calls.revokeKey(key.id);
        return true;
      },
    });
    if (!done) return;
    again();
    notice({ text: t("house.revokedNow", { name: key.name }) });
  };
  return h(Page, { title: t("nav.keys"), lead: t("house.keysLead"), actions: html`<button type="button" class="button first" onClick=${() => open(true)}>${t("house.newKey")}</button>` },
    isOpen && h(Dialog, { title: t("house.newKey"), onClose: () => open(false) }, h(NewKey, { created, close: () => open(false) })),
    secret && h(Note, { kind: "ok", alert: true }, html`<p><strong>${t("house.created")}</strong> ${t("house.copyNow")}</p>
      ${h(Copy, { text: secret })}
      <button type="button" class="button" onClick=${() => show("")}>${t("house.copied")}</button>`),
    list({
      name: t("nav.keys"),
      id: (key) => key.id,
      call: calls.keys,
      version,
      empty: t("house.noKeys"),
      filters: [{ name: "search", label: t("house.keyName") }],
      columns: [
        { title: t("house.keyName"), cell: (key) => html`${key.name} <span class="small muted">${isOfPages(key) ? t("house.ofPages") : t("house.begins", { prefix: key.prefix })}</span>` },
        { title: t("house.state"), cell: keyState },
        { title: t("house.scopes"), cell: (key) => key.scopes.map((each) => t(`house.scope.${each}`)).join(", ") },
        { title: t("house.rates"), cell: (key) => key.rates ?? t("house.usualRates") },
        { title: t("house.createdAt"), sort: "created_at", cell: (key) => h(When, { at: key.created_at }) },
        { title: t("house.ends"), cell: (key) => h(When, { at: key.revoked_at ?? key.expires_at, none: t("house.never") }) },
        { title: t("house.do"), cell: (key) => !key.revoked_at && h(Act, { act: () => revoke(key) }, t("house.revoke"), html` <span class="hide">${key.name}</span>`) },
      ],
    }));
}

const JOB_STATES = /** @type {const} */ ({ pending: ["", "house.pending"], running: ["info", "house.running"], done: ["ok", "house.done"], failed: ["bad", "house.jobFailed"] });

/** @param {PageProps} props */
export function Jobs({ query }) {
  const [version, change] = useState(0);
  const all = query.get("tab") === "all";
  /** @param {Job} job */
  const retry = async (job) => {
    await calls.retryJob(job.id);
    change((before) => before + 1);
    notice({ text: t("house.retried", { name: job.name }) });
  };
  /** @param {Selection<Job>} selection */
  const retryAll = async (selection) => {
    const jobs = await selection.rows();
    const tried = await confirmEach({
      title: t("house.retryThem", { count: jobs.length }),
      what: t("house.retryWhat"),
      verb: t("house.retryThem", { count: jobs.length }),
      items: jobs,
      name: (job) => job.name,
      act: (job) => calls.retryJob(job.id),
      done: (count) => t("house.retriedThem", { count }),
    });
    if (!tried) return;
    selection.clear();
    change((before) => before + 1);
  };
  return h(Page, { title: t("nav.jobs"), lead: t("house.jobsLead", { count: settingOf("jobs.attempts") }) },
    h(Tabs, { label: t("house.state"), tabs: [{ value: "failed", text: t("house.failedJobs") }, { value: "all", text: t("house.allJobs") }] }),
    list({
      ...(!all && { fixed: { state: "failed" } }),
      name: t("nav.jobs"),
      id: (job) => job.id,
      call: calls.jobs,
      version,
      empty: all ? t("house.noJobs") : t("house.noFailedJobs", { count: settingOf("jobs.attempts") }),
      // Only failed jobs can be run again.
      select: !all && ((selection) => h(ActOnRows, { selection, act: () => retryAll(selection), text: t("house.retryThem", { count: selection.count }) })),
      filters: [{ name: "search", label: t("house.task") }, ...(all ? [{ name: "state", label: t("house.state"), options: states(JOB_STATES) }] : [])],
      columns: [
        { title: t("house.task"), cell: (job) => html`${job.name} <span class="small muted">${t("house.attempts", { count: job.attempts })}</span>` },
        { title: t("house.state"), cell: (job) => h(Tag, { kind: JOB_STATES[job.state][0] }, t(JOB_STATES[job.state][1])) },
        { title: t("house.reason"), cell: (job) => html`<span class="break">${job.last_error ?? "-"}</span>` },
        { title: t("house.at"), sort: "created_at", cell: (job) => h(When, { at: job.finished_at ?? job.created_at }) },
        { title: t("house.do"), cell: (job) => job.state === "failed" && h(Act, { act: () => retry(job) }, t("house.retry"), html` <span class="hide">${job.name}</span>`) },
      ],
    }));
}

/**
 * @param {Record<string, readonly [string, Parameters<typeof t>[0]]>} all
 * @returns {[string, string][]}
 */
const states = (all) => Object.entries(all).map(([value, [, words]]) => [value, t(words)]);

const MAIL_STATES = /** @type {const} */ ({ pending: ["", "house.pending"], sent: ["ok", "house.sent"], skipped: ["", "house.skipped"], failed: ["bad", "house.notSent"] });
/** @type {Record<string, () => string>} */
const TEMPLATES = {
  "accounts.email_code": () => t("house.mail.emailCode"),
  "accounts.invitation": () => t("house.mail.invitation"),
  "accounts.password_changed": () => t("house.mail.passwordChanged"),
  "accounts.password_code": () => t("house.mail.passwordCode"),
  "accounts.registration": () => t("house.mail.registration"),
  "accounts.second_factor_changed": () => t("house.mail.secondFactor"),
  "backups.backup_failed": () => t("house.mail.backup"),
  "broadcasts.broadcast": () => t("house.mail.broadcast"),
  "privacy.deletion": () => t("house.mail.deletion"),
  "privacy.export_ready": () => t("house.mail.export"),
  "notifications.notified": () => t("house.mail.notified"),
  "verification.lapsed": () => t("house.mail.lapsed"),
};
/** @param {Mail} mail */
const subject = ({ template }) => TEMPLATES[template]?.() ?? template;

export function Mails() {
  const [version, change] = useState(0);
  /** @param {Mail} mail */
  const resend = async (mail) => {
    const { recipient } = mail;
    const done = await confirm({
      title: t("house.resend"),
      what: mail.state === "sent" ? t("house.resendSent", { recipient }) : t("house.resendWhat", { recipient }),
      items: [subject(mail)],
      verb: t("house.resendOne", { count: 1 }),
      act: () => calls.resendMail(mail.id),
    });
    if (!done) return;
    change((before) => before + 1);
    notice({ text: t("house.resent", { recipient }) });
  };
  /** @param {Selection<Mail>} selection */
  const resendAll = async (selection) => {
    const chosen = await selection.rows();
    const tried = await confirmEach({
      title: t("house.resend"),
      what: chosen.some((each) => each.state === "sent") ? t("house.resendSome") : t("house.resendAll"),
      verb: t("house.resendOne", { count: chosen.length }),
      items: chosen,
      name: (mail) => t("house.mailTo", { subject: subject(mail), recipient: mail.recipient }),
      act: (mail) => calls.resendMail(mail.id),
      done: (count) => t("house.resentThem", { count }),
    });
    if (!tried) return;
    selection.clear();
    change((before) => before + 1);
  };
  return h(Page, { title: t("nav.mails"), lead: t("house.mailsLead") }, list({
    name: t("nav.mails"),
    id: (mail) => mail.id,
    call: calls.mails,
    version,
    empty: t("house.noMails"),
    select: (selection) => h(ActOnRows, { selection, act: () => resendAll(selection), text: t("house.resendOne", { count: selection.count }) }),
    filters: [{ name: "recipient", label: t("house.wholeAddress") }, { name: "state", label: t("house.state"), options: states(MAIL_STATES) }],
    columns: [
      { title: t("house.recipient"), sort: "recipient", cell: (mail) => html`<span class="break">${mail.recipient}</span> <span class="small muted">${subject(mail)}</span>` },
      { title: t("house.state"), cell: (mail) => h(Tag, { kind: MAIL_STATES[mail.state][0] }, t(MAIL_STATES[mail.state][1])) },
      { title: t("house.reason"), cell: (mail) => html`<span class="break">${mail.last_error ?? "-"}</span>` },
      { title: t("house.at"), sort: "created_at", cell: (mail) => h(When, { at: mail.sent_at ?? mail.created_at }) },
      { title: t("house.do"), cell: (mail) => mail.state !== "pending" && h(Act, { act: () => resend(mail) }, t("house.resend"), html` <span class="hide">${mail.recipient}</span>`) },
    ],
  }));
}
