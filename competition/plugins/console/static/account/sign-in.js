// The page for signing in, with a second step for accounts that have a second factor. It admits neither candidates nor
// sponsors, because the console has no pages for them.

import { Refused } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { nextPage } from "../../../pages/static/ground/next.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Code } from "../../../pages/static/pieces/fields.js";
import { Field, Form, Password } from "../../../pages/static/pieces/form.js";
import { Language } from "../../../pages/static/pieces/frame.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { useStep } from "./pieces.js";
import { t } from "./words.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Login } from "./calls.js" */

const HOME = "/console/";

export function SignIn() {
  const [asked, ask] = useState(/** @type {{ email: string, challenge: string, minutes: number } | null} */ (null));
  const [stranger, refuse] = useState(/** @type {Login["profile"] | null} */ (null));
  const [isRefused, setRefused] = useState(false);
  const signedIn = session.user();
  // The user may also have signed in in another tab.
  useEffect(() => {
    if (signedIn) void go(nextPage(HOME), { replace: true });
  }, [signedIn]);
  useStep(stranger ?? asked);

  /** @param {Login} login */
  const enter = async (login) => {
    if (hasPages(login.profile)) return session.open(/** @type {any} */ (login));
    await calls.logOut(login.refresh).catch(() => {});
    refuse(login.profile);
  };
  const send = async (/** @type {FormValues} */ { email, password }) => {
    try {
      return await calls.logIn(email.trim(), password);
    } catch (error) {
      if (error instanceof Refused) setRefused(true);
      throw error;
    }
  };
  if (signedIn) return h(Page, { title: t("account.signIn") });
  if (stranger) return h(Stranger, { profile: stranger, back: () => { refuse(null); ask(null); } });
  if (asked) return h(SecondStep, { ...asked, done: enter, back: () => ask(null) });
  return h(Page, { title: t("account.signIn"), lead: t("account.signInLead") },
    h(Form, {
      key: "password",
      initial: { email: "", password: "" },
      stays: true,
      verb: t("account.signIn"),
      send,
      done: (reply, { email }) => ("challenge" in reply ? ask({ email: email.trim(), ...reply }) : enter(reply)),
    },
    h(Field, { name: "email", label: t("account.email"), type: "email", required: true, autocomplete: "username" }),
    h(Password, { name: "password", label: t("account.password"), autocomplete: "current-password" })),
    html`<p><a href="/console/password">${t("account.forgotten")}</a></p>`,
    // The service rejects the password of a deleted account like a wrong one.
    isRefused && config().plugins.includes("privacy") && html`<p><a href="/console/restore">${t("account.restoreLink")}</a></p>`,
    html`<details><summary>${t("account.firstTime")}</summary><p>${t("account.firstTimeWhat")}</p></details>`,
    html`<p class="small muted">${t("account.shared")}</p><div class="acts">${h(Language, {})}</div>`);
}

/** Whether the user may use the console. Sponsors are staff, but the API has no endpoints for them. @param {Login["profile"]} profile */
const hasPages = (profile) => profile.profile_type === "staff" && profile.role !== "sponsor";

/** @param {{ email: string, challenge: string, minutes: number, done: (login: Login) => unknown, back: () => void }} props */
function SecondStep({ email, challenge, minutes, done, back }) {
  const [recovers, recover] = useState(false);
  const again = html`<button type="button" class="button" onClick=${back}>${t("account.startAgain")}</button>`;
  const common = {
    initial: { code: "" },
    stays: true,
    verb: t("account.signIn"),
    send: (/** @type {any} */ { code }) => calls.answer(email, challenge, code),
    done,
    actions: again,
  };
  return h(Page, { title: t("account.secondStep"), lead: t("account.secondStepLead", { count: minutes }) },
    recovers
      ? h(Form, { ...common, key: "recovery" }, h(Field, { name: "code", label: t("account.recoveryCode"), hint: t("account.recoveryHint"), required: true }))
      : h(Form, { ...common, key: "app" }, h(Code, { name: "code", label: t("account.appCode"), hint: t("account.appHint") })),
    html`<p><button type="button" class="button plain" onClick=${() => recover(!recovers)}>${recovers ? t("account.useApp") : t("account.useRecovery")}</button></p>`);
}

/** @param {{ profile: Login["profile"], back: () => void }} props */
function Stranger({ profile, back }) {
  const isCandidate = profile.profile_type === "candidate";
  return h(Page, { title: t("account.noPage") },
    h(Note, { kind: "warn" }, html`<p>${isCandidate ? t("account.candidateHere") : t("account.sponsorHere")}</p>`),
    html`<div class="acts">
      ${isCandidate && config().plugins.includes("portal") && html`<a class="button first" href="/">${t("account.toPortal")}</a>`}
      <button type="button" class="button" onClick=${back}>${t("account.otherAccount")}</button></div>`);
}
