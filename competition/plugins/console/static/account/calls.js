// The requests of the pages about the user's own account. No other module of this folder names paths of the API.

import { api, Refused, request } from "../../../pages/static/ground/api.js";
import { upload } from "../../../pages/static/ground/files.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["Login"]} Login */
/** @typedef {components["schemas"]["CandidateAccountOrStaffProfile"]} Profile */
/** @typedef {components["schemas"]["SessionShape"]} Session */
/** @typedef {{ challenge: string, minutes: number }} Challenge */

// How long an upload may take, in milliseconds. A picture may be large.
const UPLOAD = 120_000;

/**
 * Log in. For an account with a second factor, the reply is a challenge: a code has to follow.
 *
 * @param {string} email
 * @param {string} password
 * @returns {Promise<Login | Challenge>}
 */
export async function logIn(email, password) {
  try {
    return await api.post("/auth/login/", {}, { email, password, shared_device: false }, { anonymous: true });
  } catch (error) {
    if (!(error instanceof Refused && error.code === "second_factor_required")) throw error;
    const { challenge, expires_in_minutes: minutes } = /** @type {any} */ (error.body);
    return { challenge, minutes };
  }
}

/**
 * @param {string} email
 * @param {string} challenge
 * @param {string} code
 */
export const answer = (email, challenge, code) => api.post("/auth/login/second-factor/", {}, { email, challenge, code }, { anonymous: true });

/** @param {string} refresh */
export const logOut = (refresh) => api.post("/auth/logout/", {}, { refresh }, { anonymous: true });

/** @param {string} email */
export const sendPasswordCode = (email) => api.post("/auth/password-change/request/", {}, { email }, { anonymous: true });

/** @param {string} email */
export const resendPasswordCode = (email) => api.post("/auth/password-change/resend-otp/", {}, { email }, { anonymous: true });

/**
 * @param {string} email
 * @param {string} otp
 */
export const checkPasswordCode = (email, otp) => api.post("/auth/password-change/confirm-otp/", {}, { email, otp }, { anonymous: true });

/**
 * @param {string} email
 * @param {string} otp
 * @param {{ new_password: string, confirm_password: string }} passwords
 */
export const changePassword = (email, otp, { new_password, confirm_password }) =>
  api.post("/auth/password-change/", {}, { email, otp, new_password, confirm_password }, { anonymous: true });

/** The user's own account, with its version. @returns {Promise<{ profile: Profile, etag: string | null }>} */
export async function account() {
  const { body, etag } = await request("get", "/account-management/");
  return { profile: body.profile, etag };
}

/**
 * Change the account. A picture is sent as a form.
 *
 * @param {Record<string, any>} values
 * @param {string} [ifMatch]
 */
export function changeAccount({ profile_picture: picture, ...values }, ifMatch) {
  const options = { timeout: UPLOAD, ...(ifMatch && { ifMatch }) };
  if (!picture) return api.patch("/account-management/", {}, values, options);
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...values, profile_picture: picture })) form.set(name, value);
  return api.patch("/account-management/", {}, /** @type {any} */ (form), options);
}

export const removePicture = () => api.patch("/account-management/", {}, { profile_picture: null });

/** @param {string} email */
export const sendEmailCode = (email) => api.post("/send-email-otp/", {}, { email, resend: true });

/**
 * @param {string} email
 * @param {string} otp
 */
export const verifyEmail = (email, otp) => api.post("/verify-email-otp/", {}, { email, otp });

export const verification = () => api.get("/user/verification/status/");

/**
 * Send the three documents, for the first time or again.
 *
 * @param {Record<string, File>} files
 * @param {boolean} again
 * @param {import("../../../pages/static/ground/files.js").Progress} progress
 */
export function sendDocuments(files, again, progress) {
  const form = new FormData();
  for (const [name, file] of Object.entries(files)) if (file) form.set(name, file);
  if (again) return upload("/user/verification/upload/", {}, form, { method: "PATCH", progress });
  return upload("/user/verification/upload/", {}, form, { progress });
}

export const secondFactor = () => api.get("/auth/second-factor/");

/** @param {string} [password] Needed if the login is more than five minutes ago. */
export const beginSecondFactor = (password) => api.post("/auth/second-factor/", {}, password ? { password } : {});

/** @param {string} code */
export const confirmSecondFactor = (code) => api.post("/auth/second-factor/confirm/", {}, { code });

/**
 * @param {string} password
 * @param {string} code
 */
export const renewRecoveryCodes = (password, code) => api.post("/auth/second-factor/recovery-codes/", {}, { password, code });

/** @param {string} code */
export const removeSecondFactor = (code) => api.delete("/auth/second-factor/", {}, { code });

export const requestExport = () => api.post("/users/me/export/", {}, undefined);

/**
 * @param {string} password
 * @param {string | null} code A code of the second factor, or null if the account has none.
 */
export const deleteAccount = (password, code) => api.delete("/users/me/", {}, { password, code });

/** @param {string} code */
export const restore = (code) => api.post("/users/restore/", {}, { code }, { anonymous: true });

export const sessions = () => api.get("/auth/sessions/");

/** @param {string} session_id */
export const endSession = (session_id) => api.delete("/auth/sessions/{session_id}/", { session_id }, undefined);

export const endAllSessions = () => api.delete("/auth/sessions/", {}, undefined);
