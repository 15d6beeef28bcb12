// The requests of the pages about staff, and about accounts that are to be erased. No other module of this folder names
// paths of the API.

import { api } from "../../../pages/static/ground/api.js";
import { fetched } from "../../../pages/static/ground/files.js";

export { deletionDays, remove } from "../calls.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["StaffItem"]} Row A member of staff in the list. */
/** @typedef {Schemas["StaffProfile"]} Member */
/** @typedef {Schemas["DeletionItem"]} Leaving An account that is to be erased. */
/** @typedef {Member["role"]} Role */

/** @param {Parameters<typeof api.get<"/staff/">>[1]} query */
export const staff = (query) => api.get("/staff/", query);

/** @param {Record<string, any>} query */
export const exported = (query) => fetched("/exports/staff/", query);

/** @param {string} staff_id */
export const member = (staff_id) => api.get("/staff/{staff_id}/", { staff_id, documents: false });

/**
 * @param {Schemas["Invitation"]} body
 * @param {string} key
 */
export const invite = (body, key) => api.post("/staff/invite/", {}, body, { key });

/**
 * @param {string} staff_id
 * @param {Role} role
 */
export const assign = (staff_id, role) => api.put("/staff/{staff_id}/roles/assign/", { staff_id }, { role });

/** @param {Parameters<typeof api.get<"/users/deletions/">>[1]} query */
export const deletions = (query) => api.get("/users/deletions/", query);

/** @param {string} user_id */
export const restore = (user_id) => api.post("/users/{user_id}/restore/", { user_id }, undefined, { retry: true });

/**
 * The emails with an invitation to this address, the newest first.
 *
 * @param {string} recipient
 */
export const invitations = async (recipient) => (await api.get("/mails/", { recipient, search: "invitation" })).results;

/** @param {number} mail_id */
export const resend = (mail_id) => api.post("/mails/{mail_id}/resend/", { mail_id }, undefined);
