// Signing in, a forgotten password, and the user's own account.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go, setQuery } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/dialog.js";
import { Code } from "../../../pages/static/pieces/fields.js";
import { Field, Form, Password } from "../../../pages/static/pieces/form.js";
import { MailLanguagePart } from "../../../pages/static/pieces/mail-language.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { OwnData } from "../../../pages/static/pieces/own-data.js";
import { Language } from "../../../pages/static/pieces/frame.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { config, nextPage } from "../../../pages/static/pieces/start.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { useVersion } from "../../../pages/static/pieces/readings.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { DeletionPart, EmailPart, IdentityPart, ProfilePart, SecondFactorPart, SessionsPart, useStep } from "./pieces.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Login } from "./calls.js" */

const HOME = "/console/";
const SIGN_IN = "/console/sign-in";

/** Whether the user may use the console. Sponsors are staff, but the API has no endpoints for them. @param {Login["profile"]} profile */
const hasPages = (profile) => profile.profile_type === "staff" && profile.role !== "sponsor";

export function SignIn() {
  const [asked, ask] = useState(/** @type {{ email: string, challenge: string, minutes: number } | null} */ (null));
  const [stranger, refuse] = useState(/** @type {Login["profile"] | null} */ (null));
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
  if (signedIn) return h(Page, { title: t("account.signIn") });
  if (stranger) return h(Stranger, { profile: stranger, back: () => { refuse(null); ask(null); } });
  if (asked) return h(SecondStep, { ...asked, done: enter, back: () => ask(null) });
  return h(Page, { title: t("account.signIn"), lead: t("account.signInLead") },
    h(Form, {
      key: "password",
      initial: { email: "", password: "" },
      stays: true,
      verb: t("account.signIn"),
      send: ({ email, password }) => calls.logIn(email.trim(), password),
      done: (reply, { email }) => ("challenge" in reply ? ask({ email: email.trim(), ...reply }) : enter(reply)),
    },
    h(Field, { name: "email", label: t("account.email"), type: "email", required: true, autocomplete: "username" }),
    h(Password, { name: "password", label: t("account.password"), autocomplete: "current-password" })),
    html`<p><a href="/console/password">${t("account.forgotten")}</a></p>`,
    config().plugins.includes("privacy") && html`<p><a href="/console/restore">${t("account.restoreLink")}</a></p>`,
    html`<details><summary>${t("account.firstTime")}</summary><p>${t("account.firstTimeWhat")}</p></details>`,
    html`<p class="small muted">${t("account.shared")}</p><div class="acts">${h(Language, {})}</div>`);
}

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

/**
 * Set a new password in three steps: the address, the code that was sent there, the new password.
 *
 * @param {PageProps} props
 */
export function NewPassword({ query }) {
  const [email, setEmail] = useState(session.user()?.user.email ?? "");
  const [code, setCode] = useState("");
  const [minutes, setMinutes] = useState(0);
  // The code is not stored. After a reload, the page asks for it again.
  const step = code ? 3 : query.get("step") === "code" ? 2 : 1;
  useStep(step);
  const address = h(Field, { name: "email", label: t("account.email"), type: "email", required: true, autocomplete: "username" });
  const resend = async () => {
    await calls.resendPasswordCode(email);
    notice({ text: t("account.codeSent", { email }) });
  };
  const finish = async () => {
    // The service has ended all sessions of the account.
    if (session.user()) await session.close(async () => {});
    await go(SIGN_IN);
    notice({ text: t("account.passwordChanged") });
  };
  return h(Page, { title: t("account.newPassword"), lead: t("account.step", { step, steps: 3 }), crumbs: session.user() ? [{ href: "/console/account", text: t("nav.account") }] : [{ href: SIGN_IN, text: t("account.signIn") }] },
    step === 1 && html`
      ${h(Form, {
        key: "email",
        initial: { email },
        stays: true,
        verb: t("account.sendCode"),
        send: (values) => calls.sendPasswordCode(values.email.trim()),
        done: (reply, values) => {
          // The address in the reply is masked.
          setEmail(values.email.trim());
          setMinutes(reply.expires_in_minutes);
          setQuery({ step: "code" }, { push: true });
        },
      }, address)}
      <p><button type="button" class="button plain" onClick=${() => setQuery({ step: "code" }, { push: true })}>${t("account.hasCode")}</button></p>`,
    step === 2 && html`
      ${email && html`<p>${t("account.codeOnItsWay", { email })} ${minutes > 0 && t("account.codeValid", { count: minutes })}</p>`}
      ${h(Form, {
        key: "code",
        initial: { email, otp: "" },
        stays: true,
        verb: t("account.checkCode"),
        send: (values) => calls.checkPasswordCode(values.email.trim(), values.otp),
        done: (_, values) => {
          setEmail(values.email.trim());
          setCode(values.otp);
        },
        actions: email && h(Act, { act: resend }, t("account.sendAgain")),
      }, !email && address, h(Code, { name: "otp", label: t("account.code") }))}`,
    step === 3 && html`
      ${h(Note, {}, html`<p>${t("account.sessionsEnd")}</p>`)}
      ${h(Form, {
        key: "password",
        initial: { new_password: "", confirm_password: "" },
        stays: true,
        verb: t("account.changePassword"),
        check: (values) => (/** @type {Record<string, string>} */ (values.new_password && values.confirm_password && values.new_password !== values.confirm_password ? { confirm_password: t("account.differ") } : {})),
        send: (values) => calls.changePassword(email, code, /** @type {any} */ (values)),
        done: finish,
        actions: html`<button type="button" class="button" onClick=${() => setCode("")}>${t("account.otherCode")}</button>`,
      },
      html`<input class="hide" type="email" name="username" autocomplete="username" value=${email} readonly tabindex="-1" aria-hidden="true" />`,
      h(Password, { name: "new_password", label: t("account.newPassword"), hint: t("account.passwordRules", { shortest: config().passwords.shortest }), autocomplete: "new-password" }),
      h(Password, { name: "confirm_password", label: t("account.repeat"), autocomplete: "new-password" }))}`);
}

/** Cancel the deletion of the user's account, with the code that was emailed. */
export function Restore() {
  const done = async () => {
    await go(SIGN_IN);
    notice({ text: t("account.restored") });
  };
  return h(Page, { title: t("account.restore"), lead: t("account.restoreWhy"), crumbs: [{ href: SIGN_IN, text: t("account.signIn") }] },
    h(Form, { initial: { code: "" }, stays: true, verb: t("account.restore"), send: ({ code }) => calls.restore(code.trim()), done },
      h(Field, { name: "code", label: t("account.code"), required: true, maxlength: 100 })));
}

export function Account() {
  const reading = useRead(calls.account, []);
  const { again } = reading;
  // A new picture or language must not replace what the user is typing.
  const { version, saved } = useVersion(reading);
  return h(Page, { title: t("nav.account"), lead: session.user()?.user.email },
    loaded(reading, ({ profile }) => html`
      ${!profile.user.is_email_verified && h(EmailPart, { email: profile.user.email, changed: again })}
      ${!profile.is_user_verified && h(IdentityPart, {})}
      ${version && h(ProfilePart, { key: version.etag ?? "", ...version, picture: profile.user.profile_picture, changed: again, saved })}
      ${h(MailLanguagePart, { language: profile.user.language, save: (language) => calls.changeAccount({ language }), saved: again })}
      ${h(Section, { title: t("account.password") }, html`<p>${t("account.passwordWhat")}</p>
        <div class="acts"><a class="button" href="/console/password">${t("account.changePassword")}</a></div>`)}
      ${h(SecondFactorPart, {})}
      ${h(SessionsPart, {})}
      ${config().plugins.includes("privacy") && html`${h(OwnData, { request: calls.requestExport })}${h(DeletionPart, {})}`}`));
}
