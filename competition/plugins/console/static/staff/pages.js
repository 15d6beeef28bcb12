// The list of staff, the page of one member, invitations, and the accounts that are to be erased.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act, confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { ActOnRows, confirmEach } from "../../../pages/static/pieces/each.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag, When } from "../../../pages/static/pieces/page.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { switchAccount } from "../activation.js";
import { Details } from "../details.js";
import { Export, filtersOf } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Emails, isInvited, nameOf, ROLES, rolesBelow, StateTag } from "./pieces.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Selection } from "../../../pages/static/pieces/list.js" */
/** @import { Leaving as Left, Member as One, Role, Row } from "./calls.js" */

const ALL = "/console/staff";

/** @param {Row} row */
const named = ({ user }) => {
  const name = nameOf(user);
  const isOwn = user.id === session.user()?.user.id;
  return html`${isAtLeast("manager") ? html`<a href=${`${ALL}/${user.id}`}>${name}</a>` : name}${isOwn && html` ${h(Tag, {}, t("staff.you"))}`}<span class="small muted">${user.email}</span>`;
};

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

/** @param {PageProps} props */
export function Member({ params }) {
  const id = params.id ?? "";
  const reading = useRead(() => calls.member(id), [id]);
  useReturn(reading.again);
  const [editing, edit] = useState(/** @type {"role" | "details" | null} */ (null));
  const member = reading.value;
  const isOwn = id === session.user()?.user.id;
  // Managers can change the role of staff below them, but not their own. Superadmins can edit and deactivate each
  // other, but not change the role or delete the account.
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

/** The choice of a role, with its rights. */
const RoleField = () =>
  h(Select, { name: "role", label: t("staff.role"), required: true, hint: t("staff.roleHint"), options: rolesBelow().map((each) => /** @type {[string, string]} */ ([each, t("staff.roleAndMay", { role: t(`staff.role.${each}`), may: t(`staff.may.${each}`) })])) });

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

export const Invite = () =>
  h(
    Page,
    { title: t("staff.inviteTitle"), lead: t("staff.inviteLead"), crumbs: [{ href: ALL, text: t("staff.title") }] },
    h(Form, {
      initial: { first_name: "", last_name: "", email: "", phone: "", occupation: "", role: "volunteer" },
      draft: "staff.invite",
      verb: t("staff.sendInvitation"),
      send: (values, { key }) => calls.invite(/** @type {any} */ (values), key),
      done: async (_, values) => {
        await go(ALL);
        notice({ text: t("staff.invited", { name: `${values.first_name} ${values.last_name}`, email: values.email }) });
      },
      actions: html`<a class="button" href=${ALL}>${t("staff.cancel")}</a>`,
    },
      h(Field, { name: "first_name", label: t("staff.firstName"), required: true }),
      h(Field, { name: "last_name", label: t("staff.lastName"), required: true }),
      h(Field, { name: "email", label: t("staff.email"), type: "email", required: true, hint: t("staff.emailHint") }),
      h(Field, { name: "phone", label: t("staff.phone"), type: "tel", required: true, hint: t("staff.phoneHint") }),
      h(Field, { name: "occupation", label: t("staff.occupation"), hint: t("staff.occupationHint") }),
      h(RoleField, {})),
  );

/** @param {string} role */
const roleOf = (role) =>
  ROLES.includes(/** @type {Role} */ (role)) ? t(`staff.role.${/** @type {Role} */ (role)}`) : t("staff.candidate", { stage: t(`people.stage.${/** @type {"screening"} */ (role)}`) });

/** Whether the user may restore the account of a candidate, or of staff with this role. @param {string} role */
const mayRestore = (role) => !ROLES.includes(/** @type {Role} */ (role)) || rolesBelow().includes(/** @type {Role} */ (role));

/** The accounts that are to be erased. */
export function Leaving() {
  const [version, setVersion] = useState(0);
  /** @param {Left} row */
  const restore = async (row) => {
    const name = row.full_name;
    const restored = await confirm({
      title: t("staff.restoreOne", { name }),
      what: row.is_own ? t("staff.restoresOwn", { name }) : t("staff.restores", { name }),
      verb: t("staff.restore"),
      act: () => calls.restore(row.user_id),
    });
    if (!restored) return;
    notice({ text: t("staff.restored", { name }) });
    setVersion((before) => before + 1);
  };
  /** @param {Selection<Left>} selection */
  const restoreAll = async (selection) => {
    const rows = await selection.rows();
    const own = rows.filter((each) => each.is_own).length;
    const tried = await confirmEach({
      title: t("staff.restoreThem", { count: rows.length }),
      what: own ? t("staff.restoresThemOwn", { count: own }) : t("staff.restoresThem"),
      verb: t("staff.restoreThem", { count: rows.length }),
      items: rows,
      name: (row) => row.full_name,
      act: (row) => calls.restore(row.user_id),
      done: (count) => t("staff.restoredThem", { count }),
    });
    if (!tried) return;
    selection.clear();
    setVersion((before) => before + 1);
  };
  return h(
    Page,
    { title: t("staff.leaving"), lead: t("staff.leavingLead") },
    list({
      name: t("staff.leaving"),
      id: (/** @type {Left} */ row) => row.user_id,
      call: calls.deletions,
      filters: [{ name: "search", label: t("staff.searchLeaving") }],
      columns: [
        { title: t("staff.name"), cell: (row) => html`${row.full_name}<span class="small muted">${row.email}</span>` },
        { title: t("staff.role"), sort: "role", cell: (row) => roleOf(row.role) },
        { title: t("staff.requested"), sort: "created_at", cell: (row) => html`${dates.day(row.requested_at)}<br /><span class="small muted">${row.is_own ? t("staff.byOwner") : t("staff.byManager")}</span>` },
        { title: t("staff.erased"), sort: "erase_at", cell: (row) => html`${h(When, { at: row.erase_at })}<br /><span class="small muted">${dates.ago(row.erase_at)}</span>` },
        { title: t("staff.action"), cell: (row) => mayRestore(row.role) && html`<button type="button" class="button small" aria-label=${t("staff.restoreNow", { name: row.full_name })} onClick=${() => restore(row)}>${t("staff.restore")}</button>` },
      ],
      found: (count) => t("staff.foundLeaving", { count }),
      empty: t("staff.noneLeaving"),
      select: (selection) => h(ActOnRows, { selection, act: () => restoreAll(selection), text: t("staff.restoreThem", { count: selection.count }) }),
      version,
    }),
  );
}
