// The page of a member of staff: the role, the details, and the emails with the invitation. It offers the changes that
// the rank of the user allows.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { switchAccount } from "../activation.js";
import { Details } from "../details.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { ALL, isInvited, nameOf, RoleField, rolesBelow, StateTag } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Member as One, Role } from "./calls.js" */

/** @param {PageProps} props */
export function Member({ params }) {
  const id = params.id ?? "";
  const reading = useRead(() => calls.member(id), [id]);
  useReturn(reading.again);
  const [editing, edit] = useState(/** @type {"role" | "details" | null} */ (null));
  const member = reading.value;
  const isOwn = id === session.user()?.user.id;
  // Managers can change the role of staff below them, but not their own. Superadmins can edit and deactivate each
  // other, but can't change each other's roles or delete each other's accounts.
  const mayChange = member && !isOwn && rolesBelow().includes(member.role);
  const mayEdit = member && !isOwn && (mayChange || isAtLeast("superadmin"));
  /** @param {string} [text] */
  const done = (text) => {
    edit(null);
    if (!text) return;
    notice({ text });
    reading.again();
  };
  return h(
    Page,
    {
      title: member ? nameOf(member.user) : t("staff.member"),
      crumbs: [{ href: ALL, text: t("staff.title") }],
      actions: mayEdit && html`
        ${mayChange && html`<button type="button" class="button" onClick=${() => edit("role")}>${t("staff.changeRole")}</button>`}
        <button type="button" class="button" onClick=${() => edit("details")}>${t("people.edit")}</button>
        ${h(Act, { act: () => activate(member, done), kind: member.is_active ? "bad" : "" }, member.is_active ? t("activation.deactivate") : t("activation.activate"))}
        ${mayChange && h(Act, { act: () => remove(member, done), kind: "bad" }, isInvited(member) ? t("staff.withdraw") : t("staff.delete"))}`,
    },
    loaded(reading, (value) => html`
      ${isOwn && h(Note, { kind: "info" }, html`<p>${t("staff.own")} <a href="/console/account">${t("nav.account")}</a></p>`)}
      ${!isOwn && !mayChange && h(Note, { kind: "info" }, t("staff.notBelow"))}
      <div class="sheet pad">${h(Facts, {
        facts: [
          [t("staff.role"), html`${t(`staff.role.${value.role}`)} <span class="small muted">${t(`staff.may.${value.role}`)}</span>`],
          [t("staff.state"), h(StateTag, { of: value })],
          [t("staff.occupation"), value.occupation],
          [t("staff.email"), value.user.email],
          [t("staff.phone"), value.user.phone],
          [t("staff.joined"), h(When, { at: value.user.date_joined })],
        ],
      })}</div>
      ${!isInvited(value) && html`<p><a href=${`/console/documents/${id}`}>${t("staff.documents")}</a></p>`}
      ${isInvited(value) && h(Section, { title: t("staff.invitation") }, html`<p>${t("staff.isInvited", { name: nameOf(value.user) })}</p>`, isAtLeast("superadmin") ? h(Emails, { email: value.user.email }) : html`<p>${t("staff.askSuperadmin")}</p>`)}
      ${editing === "role" && h(RoleOf, { member: value, close: () => edit(null), done })}
      ${editing === "details" && h(Details, { user: value.user, isCandidate: false, done })}`),
  );
}

/**
 * The emails with the invitation, for superadmins, who may send them again.
 *
 * @param {{ email: string }} props
 */
function Emails({ email }) {
  const reading = useRead(() => calls.invitations(email), [email]);
  /** @param {number} id */
  const resend = async (id) => {
    await calls.resend(id);
    notice({ text: t("staff.resent", { email }) });
    reading.again();
  };
  return loaded(reading, (mails) => table({
    caption: t("staff.invitation"),
    rows: mails,
    id: (row) => row.id,
    columns: [
      { title: t("staff.mailCreated"), cell: (row) => h(When, { at: row.created_at }) },
      { title: t("staff.mailState"), cell: (row) => html`${t(`staff.mail.${row.state}`)} ${row.last_error && html`<span class="small muted">${row.last_error}</span>`}` },
      { title: t("staff.action"), cell: (row) => h(Act, { act: () => resend(row.id) }, t("staff.resend")) },
    ],
  }), { empty: (mails) => !mails.length, nothing: html`<p>${t("staff.noMail")}</p>` });
}

/** @param {{ member: One, close: () => void, done: (text: string) => void }} props */
function RoleOf({ member, close, done }) {
  const name = nameOf(member.user);
  return h(Dialog, { title: t("staff.changeRoleOf", { name }), onClose: close }, h(Form, {
    initial: { role: member.role },
    verb: t("staff.changeRole"),
    stays: true,
    send: (values) => calls.assign(member.user.id, values.role),
    done: (reply) => done(t("staff.roleChanged", { name, role: t(`staff.role.${/** @type {Role} */ (reply.role)}`) })),
    actions: html`<button type="button" class="button" onClick=${close}>${t("staff.cancel")}</button>`,
  }, h(RoleField, {})));
}

/**
 * @param {One} member
 * @param {(text: string) => void} done
 */
async function activate(member, done) {
  const text = await switchAccount(member, false);
  if (text) done(text);
}

/**
 * @param {One} member
 * @param {(text: string) => void} done
 */
async function remove(member, done) {
  const name = nameOf(member.user);
  const invited = isInvited(member);
  const count = await calls.deletionDays();
  const removed = await confirm({
    title: invited ? t("staff.withdrawOne", { name }) : t("staff.deleteOne", { name }),
    what: invited ? t("staff.withdraws", { count }) : t("staff.deletes", { name, count }),
    verb: invited ? t("staff.withdraw") : t("staff.delete"),
    danger: true,
    act: () => calls.remove(member.user.id),
  });
  if (removed) done(t("staff.deleted", { name, day: dates.day(removed.erase_at) }));
}
