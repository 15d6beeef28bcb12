// Broadcasts: announcements to everybody with certain roles.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import { number } from "../../../pages/static/ground/texts.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { Choice, Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, table, Tag, When } from "../../../pages/static/pieces/page.js";
import { config } from "../../../pages/static/pieces/start.js";
import { loaded, Progress } from "../../../pages/static/pieces/states.js";
import { t } from "../words.js";
import * as calls from "./calls.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Broadcast, Roles } from "./calls.js" */

const BROADCASTS = "/console/broadcasts";
const CANDIDATES = /** @type {const} */ (["screening", "league", "final", "winner"]);
const STAFF = /** @type {const} */ (["volunteer", "moderator", "admin", "manager", "superadmin"]);
// In milliseconds: the number of people is asked for when nobody has changed the audience for so long.
const PAUSE = 400;
const KINDS = /** @type {const} */ ({ pending: "info", sent: "ok", failed: "bad" });

/** Roles in words. @param {Partial<Record<string, readonly string[]>>} roles */
const named = (roles) => [...(roles.candidate ?? []).map((each) => t("broadcasts.stage", { stage: stage(each) })), ...(roles.staff ?? []).map((each) => t(/** @type {"rank.admin"} */ (`rank.${each}`)))].join(", ");

/** @param {string} name */
const stage = (name) => t(/** @type {"stage.screening"} */ (`stage.${name}`));

/** @param {readonly string[]} mediums */
const through = (mediums) => mediums.map((each) => t(/** @type {"broadcasts.medium.email"} */ (`broadcasts.medium.${each}`))).join(", ");

export function Broadcasts() {
  return h(Page, { title: t("nav.broadcasts"), lead: t("broadcasts.lead"), actions: html`<a class="button first" href=${`${BROADCASTS}/new`}>${t("broadcasts.new")}</a>` },
    list({
      name: t("nav.broadcasts"),
      id: (row) => row.id,
      call: calls.broadcasts,
      filters: [{ name: "search", label: t("broadcasts.search") }],
      columns: [
        { title: t("broadcasts.subject"), cell: (row) => html`<a href=${`${BROADCASTS}/${row.id}`}>${row.subject}</a>`, sort: "subject" },
        { title: t("broadcasts.to"), cell: (row) => named(row.target_roles) },
        { title: t("broadcasts.by"), cell: (row) => through(row.mediums) },
        { title: t("broadcasts.at"), cell: (row) => h(When, { at: row.created_at }), sort: "created_at" },
      ],
      empty: t("broadcasts.none"),
      action: html`<a class="button" href=${`${BROADCASTS}/new`}>${t("broadcasts.new")}</a>`,
    }));
}

/** The chosen roles, as the API has them. @param {Record<string, any>} values @returns {Roles} */
const roles = ({ candidate, staff }) => ({ ...(candidate.length && { candidate }), ...(staff.length && { staff }) });

/** How many people will receive it. */
function Audience() {
  const { values } = useForm();
  const chosen = roles(values);
  const key = JSON.stringify(chosen);
  const [found, set] = useState(/** @type {{ key: string, count: number, names: string[] } | null} */ (null));
  useEffect(() => {
    if (key === "{}") return undefined;
    const timer = setTimeout(async () => {
      try {
        const { affected, people } = await calls.preview(chosen);
        set({ key, count: affected, names: people.map((each) => each.full_name) });
      } catch {
        set(null); // The number is asked for again before sending.
      }
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [key]);
  return html`<p role="status">${key === "{}" ? t("broadcasts.nobody") : found?.key === key ? t("broadcasts.people", { count: found.count }) : t("broadcasts.counting")}</p>`;
}

/** The message as recipients see it. */
function Preview() {
  const { values } = useForm();
  return html`<section class="sheet pad flow" aria-label=${t("broadcasts.preview")}>
    <p class="small muted">${t("broadcasts.preview")} · ${config().name}</p>
    <h2>${values.subject || t("broadcasts.subject")}</h2><p class="plain">${values.message || t("broadcasts.message")}</p>
  </section>`;
}

export function NewBroadcast() {
  return h(Page, { title: t("broadcasts.new"), crumbs: [{ href: BROADCASTS, text: t("nav.broadcasts") }] },
    h(Form, {
      initial: { candidate: [], staff: [], subject: "", message: "", mediums: ["platform"] },
      verb: t("broadcasts.review"),
      draft: "broadcast",
      check: (values) => /** @type {Record<string, string>} */ (values.candidate.length || values.staff.length ? {} : { candidate: t("broadcasts.nobody") }),
      send: async (values, { key }) => {
        const target = roles(values);
        const { affected, people } = await calls.preview(target);
        return confirm({
          title: t("broadcasts.sendTitle", { subject: values.subject }),
          what: t("broadcasts.sends", { count: affected, mediums: through(values.mediums) }),
          items: people.map((each) => each.full_name),
          count: affected,
          verb: t("broadcasts.sendTo", { count: affected }),
          danger: true,
          act: () => calls.send({ target_roles: target, subject: values.subject, message: values.message, mediums: values.mediums }, key),
        });
      },
      done: async (sent) => {
        await go(`${BROADCASTS}/${sent.id}`);
        notice({ text: t("broadcasts.isSent") });
      },
    },
      h(Choice, { name: "candidate", label: t("broadcasts.candidates"), many: true, options: CANDIDATES.map((each) => /** @type {[string, string]} */ ([each, t("broadcasts.stage", { stage: stage(each) })])) }),
      h(Choice, { name: "staff", label: t("broadcasts.staff"), many: true, options: STAFF.map((each) => /** @type {[string, string]} */ ([each, t(`rank.${each}`)])) }),
      h(Audience, {}),
      h(Field, { name: "subject", label: t("broadcasts.subject"), required: true, maxlength: 255 }),
      h(Field, { name: "message", label: t("broadcasts.message"), rows: 8, required: true }),
      h(Choice, { name: "mediums", label: t("broadcasts.by"), many: true, required: true, options: [["email", t("broadcasts.medium.email")], ["platform", t("broadcasts.medium.platform")]] }),
      h(Preview, {})));
}

/** @param {PageProps} props */
export function OneBroadcast({ params }) {
  const reading = calls.useBroadcast(params.id ?? "");
  return h(Page, { title: reading.value?.subject ?? t("broadcasts.broadcast"), crumbs: [{ href: BROADCASTS, text: t("nav.broadcasts") }] },
    loaded(reading, (value) => html`
      ${h(Facts, { facts: [
        [t("broadcasts.state"), h(Tag, { kind: KINDS[value.status] }, t(`broadcasts.state.${value.status}`))],
        [t("broadcasts.to"), named(value.target_roles)],
        [t("broadcasts.by"), through(value.mediums)],
        [t("broadcasts.at"), h(When, { at: value.created_at })],
      ] })}
      ${value.status === "pending" && h(Progress, { label: t("broadcasts.progress"), done: value.progress.done, total: value.progress.total })}
      ${value.mails && h(Facts, { facts: [
        [t("broadcasts.mailsSent"), number(value.mails.sent)],
        [t("broadcasts.mailsWaiting"), number(value.mails.waiting)],
        [t("broadcasts.mailsFailed"), number(value.mails.failed)],
      ] })}
      ${value.mails && value.mails.failed > 0 && h(Note, { kind: "bad" }, html`<p>${t("broadcasts.failed", { count: value.mails.failed })} <a href="/console/house/mails?state=failed">${t("broadcasts.toMails")}</a></p>`)}
      <section class="sheet pad"><p class="plain">${value.message}</p></section>
      ${value.logs.length > 0 && h(Section, { title: t("broadcasts.logs") }, table({
        caption: t("broadcasts.logs"),
        id: (row) => row.id,
        rows: value.logs,
        columns: [
          { title: t("broadcasts.to"), cell: (row) => named({ [row.role_type]: [row.target_role] }) },
          { title: t("broadcasts.by"), cell: (row) => through([row.medium]) },
          { title: t("broadcasts.state"), cell: (row) => h(Tag, { kind: KINDS[row.status] }, t(`broadcasts.state.${row.status}`)) },
          { title: t("broadcasts.detail"), cell: (row) => row.message },
          { title: t("broadcasts.at"), cell: (row) => h(When, { at: row.attempted_at }) },
        ],
      }))}`));
}
