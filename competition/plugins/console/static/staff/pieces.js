// The parts of the pages about staff.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/dialog.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Tag, When } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { RANKS } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { Role, Row } from "./calls.js" */

/**
 * The roles: first the sponsor, who has no rank, then the others from the lowest rank to the highest.
 *
 * @type {Role[]}
 */
export const ROLES = ["sponsor", ...RANKS];
const KINDS = /** @type {const} */ ({ active: "ok", pending: "info", inactive: "warn", deactivated: "bad" });

/** @param {{ first_name: string, last_name: string }} user */
export const nameOf = (user) => `${user.first_name} ${user.last_name}`;

/** The roles below the user's own: only these can be given. */
export const rolesBelow = () => ROLES.slice(0, Math.max(0, ROLES.indexOf(/** @type {Role} */ (session.user()?.role))));

/**
 * Whether the account has not been used yet. The first login confirms the email address.
 *
 * @param {Pick<Row, "is_active" | "user">} member
 */
export const isInvited = ({ is_active: isActive, user }) => isActive && !user.is_email_verified;

/** @param {{ of: Pick<Row, "status" | "is_active" | "user"> }} props */
export const StateTag = ({ of }) => (isInvited(of) ? h(Tag, { kind: "info" }, t("staff.state.invited")) : h(Tag, { kind: KINDS[of.status] }, t(`staff.state.${of.status}`)));

/**
 * The emails with the invitation, for superadmins, who may send them again.
 *
 * @param {{ email: string }} props
 */
export function Emails({ email }) {
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
