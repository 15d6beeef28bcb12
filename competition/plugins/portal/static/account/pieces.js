// The parts that the pages for registering and signing in share: the email address, the device, codes, passwords and
// schools. The buttons for codes don't know the request: the page passes it.

import { Refused } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { nextPage } from "../../../pages/static/ground/next.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Field, Password, useForm } from "../../../pages/static/pieces/form.js";
import { isShared, setShared } from "../storages.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

const EMAIL = "account.email";

// A code that has not arrived after this many seconds is probably lost.
const PATIENCE = 60;

/** The email address of the user who is signed in, or who has registered in this tab. */
export function knownEmail() {
  try {
    return session.user()?.user.email ?? sessionStorage.getItem(EMAIL) ?? "";
  } catch {
    return ""; // The browser forbids storage.
  }
}

/**
 * Store an email address in this tab for the next page, because a phone may reload the page when its user comes
 * back with the code.
 *
 * @param {string} email
 */
export function rememberEmail(email) {
  try {
    sessionStorage.setItem(EMAIL, email);
  } catch {
    // The browser forbids storage. The next page asks for the address.
  }
}

/** The field `shared`, "0" or "1", of the forms for signing in and registering: whether other people use this device. */
export const Whose = () =>
  h(Choice, { name: "shared", label: t("account.whose"), hint: t("account.whoseHint"), required: true, options: [["0", t("account.own")], ["1", t("account.shared")]] });

/** The choice that the form shows at first under "Which device is this?": the latest one on this device. */
export const whose = () => (isShared() ? "1" : "0");

/**
 * Store whose device this is. The page of an exam stores the candidate's answers accordingly. Some browsers delete what
 * a site has stored, after a week without a visit or when the device is full. On the candidate's own device, ask the
 * browser to keep it. Ask now, and not in an exam, because some browsers then ask their user.
 *
 * @param {string} [shared] "1" or "0". Without it, the default.
 */
export function rememberWhose(shared = whose()) {
  setShared(shared);
  // Only pages of https and localhost have `navigator.storage`.
  const storage = /** @type {StorageManager | undefined} */ (navigator.storage);
  if (shared === "0") void storage?.persist?.().catch(() => {});
}

// The end of the login of each account without an email address.
export const SLIPS = "@slip.invalid";

/**
 * The login as slips show it: that of an account without an email address has no "@slip.invalid".
 *
 * @param {string} email
 */
export const loginOf = (email) => email.replace(SLIPS, "");

/** @param {string} text */
export const isEmail = (text) => /^\S+@\S+\.\S+$/.test(text.trim());

/**
 * A new password, twice, with the rules.
 *
 * @param {{ first: string, second: string }} props The names of the fields.
 */
export const NewPassword = ({ first, second }) => html`
  ${h(Password, { name: first, label: t("account.newPassword"), autocomplete: "new-password", hint: t("account.passwordRule", { count: config().passwords.shortest }) })}
  ${h(Password, { name: second, label: t("account.passwordAgain"), autocomplete: "new-password" })}`;

/**
 * Errors of a new password that the page finds without the service, by the names of fields.
 *
 * @param {Record<string, any>} values
 * @param {string} first
 * @param {string} second
 * @returns {Record<string, string>}
 */
export function checkPasswords(values, first, second) {
  if (!values[first] || !values[second]) return {};
  const { shortest } = config().passwords;
  if (values[first].length < shortest) return { [first]: t("account.tooShort", { count: shortest }) };
  return values[first] === values[second] ? {} : { [second]: t("account.differ") };
}

/**
 * The button "Send a new code", with the time until it can be used.
 *
 * @param {{ send: () => Promise<{ expires_in_minutes: number }>, text: string }} props
 */
export function SendCode({ send, text }) {
  const [until, wait] = useState(0);
  const [minutes, sent] = useState(0);
  const [now, tick] = useState(Date.now);
  const left = Math.ceil((until - now) / 1000);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setInterval(() => tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [left > 0]);
  const pause = (/** @type {number} */ seconds) => {
    tick(Date.now());
    wait(Date.now() + seconds * 1000);
  };
  const act = async () => {
    try {
      sent((await send()).expires_in_minutes);
      pause(PATIENCE);
    } catch (error) {
      sent(0);
      if (!(error instanceof Refused && error.retryAfter)) throw error;
      pause(error.retryAfter);
    }
  };
  return html`<div class="flow">
    <p role="status">${minutes > 0 && t("account.codeSent", { count: minutes })}</p>
    ${left > 0
      ? html`<p class="muted numbers">${minutes ? t("account.codeAgain", { clock: dates.clock(left) }) : t("account.codeLater", { clock: dates.clock(left) })}</p>`
      : html`<div class="acts">${h(Act, { act }, text)}</div>`}
  </div>`;
}

// How long to wait after the last key press before the names are requested, in milliseconds.
const PAUSE = 250;

/**
 * Names of schools that contain the typed text. Without suggestions, for example without a connection, the field
 * is an ordinary text field.
 *
 * @param {string} typed
 */
function useSchools(typed) {
  const [names, suggest] = useState(/** @type {string[]} */ ([]));
  const search = typed.trim();
  useEffect(() => {
    if (search.length < 2) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const reply = await calls.schools(search).catch(() => null);
      if (reply && !abort.signal.aborted) suggest(reply.results);
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [search]);
  return names;
}

/** The page after signing in: a candidate without a verified address verifies it first. */
const firstPage = () => (session.user()?.user.is_email_verified ? nextPage("/home") : "/verify");

/** Leave a page that is only for people who are not signed in. */
export function useLeaveIfSignedIn() {
  const id = session.user()?.user.id;
  useEffect(() => {
    if (id) void go(firstPage(), { replace: true });
  }, [id]);
}

/**
 * The field for the school, which suggests names of schools.
 *
 * @param {{ known: string }} props The school that the candidate has, for which nothing is suggested.
 */
export function School({ known }) {
  const typed = useForm().values.school ?? "";
  const suggestions = useSchools(typed === known ? "" : typed);
  const hint = html`${t("account.schoolRule")} ${config().plugins.includes("teachers") && t("account.schoolSees")}`;
  return h(Field, { name: "school", label: t("account.school"), required: true, autocomplete: "organization", maxlength: 200, hint, suggestions });
}

export const EmailField = () => h(Field, { name: "email", type: "email", label: t("account.email"), required: true, autocomplete: "email", inputmode: "email", maxlength: 254 });
