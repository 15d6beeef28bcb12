// The requests of the pages about the service itself. No other module of this folder names paths of the API.

import { api } from "../../../pages/static/ground/api.js";
import { fetched } from "../../../pages/static/ground/files.js";
import { toUtc } from "../../../pages/static/ground/dates.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["Readiness"]} Readiness */
/** @typedef {components["schemas"]["AuditItem"]} AuditItem */
/** @typedef {components["schemas"]["Flag"]} Flag */
/** @typedef {components["schemas"]["ApiKey"]} ApiKey */
/** @typedef {components["schemas"]["KeyRates"]} KeyRateLimits */
/** @typedef {components["schemas"]["Job"]} Job */
/** @typedef {components["schemas"]["Mail"]} Mail */
/** @typedef {components["schemas"]["UpcomingExam"]} UpcomingExam */

// How often the page polls, in seconds.
const EVERY = 60;
// The most entries that the API lists at once.
const MOST = 100;

export const useReady = () => usePoll("/ready/", {}, EVERY);

export const useUpcoming = () => usePoll("/dashboard/staff/", {}, EVERY);

/** @param {number} exam_id */
export const preflight = (exam_id) => api.get("/exams/{exam_id}/preflight/", { exam_id });

/** @param {any} query */
export const backups = (query) => api.get("/backups/", query);

const DAY = 24 * 60 * 60 * 1000;

/**
 * The days `from` and `until` of a query, such as 2026-12-12, in the form of the API. They are days in the league's
 * time zone, and both belong to the period. A value that is not a day is sent unchanged, so that the API rejects it.
 *
 * @param {Record<string, string>} query
 */
function inPeriod({ from, until, ...query }) {
  const after = until && toUtc(until, "00:00") && toUtc(new Date(Date.parse(until) + DAY).toISOString().slice(0, 10), "00:00");
  return /** @type {{}} */ ({
    ...query,
    ...(from && { created_after: toUtc(from, "00:00") ?? from }),
    ...(until && { created_before: after ? new Date(Date.parse(after) - 1).toISOString() : until }),
  });
}

/** A page of the audit trail. @param {Record<string, string>} query */
export const audit = (query) => api.get("/audit/", inPeriod(query));

/** @param {Record<string, string>} query */
export const exported = (query) => fetched("/exports/audit/", inPeriod(query));

/** The members of staff, for the filter of the audit trail. */
export const staff = () => api.get("/staff/", { limit: MOST, ordering: "last_name" });

/** @param {string} search */
export const people = (search) => api.get("/user/list/", { search, limit: 10 });

export const flags = () => api.get("/flags/");

/**
 * @param {string} name
 * @param {boolean} enabled
 */
export const switchFlag = (name, enabled) => api.put("/flags/{name}/", { name }, { enabled });

/** @param {any} query */
export const keys = (query) => api.get("/api-keys/", query);

export const keyRates = () => api.get("/api-keys/rates/");

/**
 * @param {{ name: string, scopes: any, days: number | null, rates: string | null }} order
 * @param {string} key
 */
export const createKey = (order, key) => api.post("/api-keys/", {}, order, { key });

/** @param {number} key_id */
export const revokeKey = (key_id) => api.delete("/api-keys/{key_id}/", { key_id }, undefined);

/** @param {any} query */
export const jobs = (query) => api.get("/jobs/", query);

/** @param {number} job_id */
export const retryJob = (job_id) => api.post("/jobs/{job_id}/retry/", { job_id }, undefined);

/** @param {any} query */
export const mails = (query) => api.get("/mails/", query);

/** @param {number} mail_id */
export const resendMail = (mail_id) => api.post("/mails/{mail_id}/resend/", { mail_id }, undefined);
