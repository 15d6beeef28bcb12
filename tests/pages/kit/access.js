// The roles that may use an operation, as the service declares them.

import { refused } from "./service.js";

/** @typedef {import("./service.js").Replies} Replies */

/** @type {Record<string, string[]>} */
const admitted = await (await fetch("/access.json")).json();
// Operations that everybody may use for the own account. The service checks the rank for all others in their view.
const FOR_MANAGERS = ["/account-management/{user_id}/", "/user/verification/status/{user_id}/", "/user/verification/documents/{type}/{user_id}/"];
const MANAGERS = ["manager", "superadmin"];

/**
 * Whether staff of a role may use an operation, such as "GET /exams/".
 *
 * @param {string} role
 * @param {string} operation
 */
export function mayUse(role, operation) {
  const roles = admitted[operation];
  if (!roles) throw new Error(`There is no operation ${operation}.`);
  return roles.includes(role) && (MANAGERS.includes(role) || !FOR_MANAGERS.some((each) => operation.endsWith(` ${each}`)));
}

/**
 * The replies for staff of a role: other operations are rejected.
 *
 * @param {string} role
 * @param {Replies} replies
 */
export const as = (role, replies) => Object.fromEntries(Object.entries(replies).map(([operation, reply]) => [operation, mayUse(role, operation) ? reply : refused(403, "permission_denied")]));
