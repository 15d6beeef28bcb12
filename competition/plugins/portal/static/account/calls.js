// The requests for registering, signing in, and the candidate's own account. No other module of this folder names paths
// of the API.

import { api, request } from "../../../pages/static/ground/api.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]} Schemas */

// These requests must not send the token of an earlier session.
const anonymous = { anonymous: true };
// How long an upload may take, in milliseconds. A picture may be large, and the connection slow.
const SLOW = 120_000;

export const registration = () => api.get("/registration/", {}, anonymous);
export const consent = () => api.get("/registration/consent/", {}, anonymous);

/** @param {string} search */
export const schools = (search) => api.get("/schools/names/", { search }, anonymous);

/**
 * @param {Schemas["CandidateRegistration"] & { guardian_consent?: { name: string, email: string, version: string } }} body
 * @param {string} key
 */
export const register = (body, key) => api.post("/register/candidate/", {}, body, { ...anonymous, key });

/** @param {string} email */
export const sendEmailCode = (email) => api.post("/send-email-otp/", {}, { email, resend: true }, anonymous);

/**
 * Verify an address. If there is a token, it is sent, so that this session does not end.
 *
 * @param {string} email
 * @param {string} otp
 */
export const verifyEmail = (email, otp) => api.post("/verify-email-otp/", {}, { email, otp });

/**
 * @param {string} email
 * @param {string} password
 * @param {string} shared "1" for a shared computer: the session ends soon after its last use.
 */
export const logIn = (email, password, shared) => api.post("/auth/login/", {}, { email, password, shared_device: shared === "1" }, anonymous);

/** @param {Schemas["ChallengeAnswer"]} body */
export const answer = (body) => api.post("/auth/login/second-factor/", {}, body, anonymous);

/** @param {string} refresh */
export const logOut = (refresh) => api.post("/auth/logout/", {}, { refresh }, anonymous);

/** @param {string} email */
export const sendPasswordCode = (email) => api.post("/auth/password-change/request/", {}, { email }, anonymous);

/** @param {Schemas["NewPassword"]} body */
export const changePassword = (body) => api.post("/auth/password-change/", {}, body, anonymous);

/** @param {string} code */
export const restore = (code) => api.post("/users/restore/", {}, { code }, anonymous);

export const profile = () => api.get("/candidates/me/");

/**
 * The candidate's own account, with its version.
 *
 * @returns {Promise<{ account: Schemas["Account"], etag: string | null }>}
 */
export const account = async () => {
  const { body, etag } = await request("get", "/account-management/");
  return { account: body, etag };
};

/**
 * @param {Schemas["AccountChanges"]} changes
 * @param {string} [ifMatch]
 */
export const change = (changes, ifMatch) => api.patch("/account-management/", {}, changes, ifMatch ? { ifMatch } : {});

/** @param {Blob} picture */
export const sendPicture = async (picture) => {
  const form = new FormData();
  form.append("profile_picture", picture, "picture.jpg");
  await request("patch", "/account-management/", {}, form, { timeout: SLOW });
};

export const removePicture = () => api.patch("/account-management/", {}, { profile_picture: null });
export const verification = () => api.get("/user/verification/status/");
export const sessions = () => api.get("/auth/sessions/");
/** @param {string} session_id */
export const endSession = (session_id) => api.delete("/auth/sessions/{session_id}/", { session_id }, undefined);
export const requestExport = () => api.post("/users/me/export/", {}, undefined);

/** @param {string} password */
export const deleteAccount = (password) => api.delete("/users/me/", {}, { password });
