// The parts that the pages of staff share: names, roles, and the state of an account. This module sends no requests.

import { h } from "../../../pages/static/ground/html.js";
import * as session from "../../../pages/static/ground/session.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { RANKS } from "../ranks.js";
import { t } from "./words.js";

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

export const ALL = "/console/staff";

/** The choice of a role, with its rights. */
export const RoleField = () =>
  h(Select, { name: "role", label: t("staff.role"), required: true, hint: t("staff.roleHint"), options: rolesBelow().map((each) => /** @type {[string, string]} */ ([each, t("staff.roleAndMay", { role: t(`staff.role.${each}`), may: t(`staff.may.${each}`) })])) });
