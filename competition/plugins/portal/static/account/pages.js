// Registering, signing in, and the candidate's own account.

import { Refused } from "../../../pages/static/ground/api.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act, confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Check, Code } from "../../../pages/static/pieces/fields.js";
import { Field, Form, Password, useForm } from "../../../pages/static/pieces/form.js";
import { MailLanguagePart } from "../../../pages/static/pieces/mail-language.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { OwnData } from "../../../pages/static/pieces/own-data.js";
import { Facts, Page, Section, Tag, When, whenInWords } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { NotAPicture, smaller } from "../../../pages/static/pieces/pictures.js";
import { config, nextPage, settingOf, signOut } from "../../../pages/static/pieces/start.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { useVersion } from "../../../pages/static/pieces/readings.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { checkPasswords, isEmail, isLogin, knownEmail, loginOf, NewPassword, rememberEmail, rememberWhose, SendCode, useSchools, Whose, whose } from "./pieces.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Schemas } from "./calls.js" */

/** The page after signing in: a candidate without a verified address verifies it first. */
const firstPage = () => (session.user()?.user.is_email_verified ? nextPage("/home") : "/verify");

/** Leave a page that is only for people who are not signed in. */
function useLeaveIfSignedIn() {
  const id = session.user()?.user.id;
  useEffect(() => {
    if (id) void go(firstPage(), { replace: true });
  }, [id]);
}

/** The page for registering. */
export function Register() {
  useLeaveIfSignedIn();
  const registration = useRead(calls.registration, []);
  const consent = useRead(calls.consent, []);
  return h(
    Page,
    { title: t("register"), lead: html`${t("account.haveAccount")} <a href="/sign-in">${t("signIn")}</a>` },
    loaded(registration, ({ is_candidate_reg_open, support_email }) =>
      is_candidate_reg_open
        ? loaded(consent, (demand) => h(RegisterForm, { demand, reread: consent.again }))
        : h(Note, { kind: "warn" }, html`<p><strong>${t("account.closed")}</strong> ${support_email && html`${t("account.ask")} <a href=${`mailto:${support_email}`}>${support_email}</a>`}</p>`),
    ),
  );
}

/** @param {{ demand: Schemas["ConsentDemand"], reread: () => void }} props */
function RegisterForm({ demand, reread }) {
  // A guardian who has agreed to an earlier text has to agree again.
  const agreed = `agreed.${demand.version}`;
  const send = async (/** @type {FormValues} */ values, /** @type {{ key: string }} */ { key }) => {
    const { first_name, last_name, email, phone, school, password, password2 } = values;
    const guardian = { name: values["guardian_consent.name"], email: values["guardian_consent.email"], version: demand.version ?? "" };
    try {
      return await calls.register({ first_name, last_name, email, phone, school, password, password2, generate_password: false, ...(demand.required && { guardian_consent: guardian }) }, key);
    } catch (error) {
      if (error instanceof Refused && error.errors.guardian_consent?.version) {
        reread();
        error.errors = { [agreed]: t("account.consentChanged") };
      }
      throw error;
    }
  };
  const done = async (/** @type {unknown} */ _, /** @type {FormValues} */ { email, password, shared }) => {
    rememberEmail(email);
    rememberWhose(shared);
    try {
      // Sign in now, so that the candidate need not type the password again after the code.
      session.open(await calls.logIn(email, password, shared));
    } catch {
      // The account exists even if this login fails. The candidate can sign in after entering the code.
    }
    await go("/verify");
  };
  return h(
    Form,
    {
      initial: { shared: whose() },
      draft: "account.register",
      verb: t("account.create"),
      send,
      done,
      check: (values) => ({
        ...(values.email && !isEmail(values.email) && { email: t("account.noEmail") }),
        ...checkPasswords(values, "password", "password2"),
      }),
    },
    h(Field, { name: "first_name", label: t("account.firstName"), required: true, autocomplete: "given-name", maxlength: 150, hint: t("account.nameRule") }),
    h(Field, { name: "last_name", label: t("account.lastName"), required: true, autocomplete: "family-name", maxlength: 150 }),
    h(School, { known: "" }),
    h(Field, { name: "email", type: "email", label: t("account.email"), required: true, autocomplete: "email", inputmode: "email", maxlength: 254, hint: t("account.emailRule") }),
    h(Taken, {}),
    h(Field, { name: "phone", type: "tel", label: t("account.phone"), required: true, autocomplete: "tel", inputmode: "tel", maxlength: 20, hint: t("account.phoneRule") }),
    h(NewPassword, { first: "password", second: "password2" }),
    h(Whose, {}),
    demand.required &&
      html`<section class="sheet pad flow">
        <h2>${t("account.guardian")}</h2>
        <p>${t("account.guardianWhy")}</p>
        <blockquote class="account-consent" tabindex="0">${demand.text}</blockquote>
        ${h(Field, { name: "guardian_consent.name", label: t("account.guardianName"), required: true, maxlength: 200 })}
        ${h(Field, { name: "guardian_consent.email", type: "email", label: t("account.guardianEmail"), required: true, inputmode: "email", maxlength: 254 })}
        ${h(Check, { name: agreed, label: t("account.agree"), required: true, key: agreed })}
      </section>`,
  );
}

/**
 * The field for the school, which suggests names of schools.
 *
 * @param {{ known: string }} props The school that the candidate has, for which nothing is suggested.
 */
function School({ known }) {
  const typed = useForm().values.school ?? "";
  const suggestions = useSchools(typed === known ? "" : typed);
  const hint = html`${t("account.schoolRule")} ${config().plugins.includes("teachers") && t("account.schoolSees")}`;
  return h(Field, { name: "school", label: t("account.school"), required: true, autocomplete: "organization", maxlength: 200, hint, suggestions });
}

/** The next steps if the service has rejected the address, for example because there is an account already. */
function Taken() {
  const { errors, values } = useForm();
  if (!errors.email || !isEmail(values.email ?? "")) return null;
  return h(Note, { kind: "info" }, html`<p>${t("account.taken")} <a href="/sign-in">${t("signIn")}</a> · <a href="/password">${t("account.forgotten")}</a></p>`);
}

/** The page for verifying the email address with a code. */
export function Verify() {
  const user = session.user()?.user;
  const [email] = useState(knownEmail);
  useEffect(() => {
    if (user?.is_email_verified) void go("/home", { replace: true });
  }, []);
  const done = async () => {
    if (session.user()) {
      session.update(await calls.profile());
      await go("/home");
    } else await go("/sign-in");
    notice({ text: session.user() ? t("account.verified") : t("account.verifiedSignIn") });
  };
  return h(
    Page,
    { title: t("account.verify"), lead: email ? t("account.verifyAt", { email }) : t("account.verifyAny") },
    h(
      Form,
      { initial: { email }, verb: t("account.confirm"), stays: true, send: ({ email, otp }) => calls.verifyEmail(email, otp), done },
      !email && h(EmailField, {}),
      h(Code, { name: "otp", label: t("account.code"), hint: t("account.codeHint") }),
      !email && h(ResendVerification, {}),
    ),
    email && h(SendCode, { send: () => calls.sendEmailCode(email), text: t("account.sendAgain") }),
    user && html`<p class="small muted">${t("account.wrongAddress")}</p><div class="acts">${h(Act, { act: signOut }, t("signOut"))}</div>`,
  );
}

const EmailField = () => h(Field, { name: "email", type: "email", label: t("account.email"), required: true, autocomplete: "email", inputmode: "email", maxlength: 254 });

function ResendVerification() {
  const { values } = useForm();
  return isEmail(values.email ?? "") ? h(SendCode, { send: () => calls.sendEmailCode(values.email), text: t("account.sendAgain") }) : null;
}

/** The page for signing in. It asks for a code if the account has a second factor. */
export function SignIn() {
  useLeaveIfSignedIn();
  const [challenge, ask] = useState(/** @type {{ challenge: string, email: string } | null} */ (null));
  const [isStaff, setStaff] = useState(false);
  const [slip, hold] = useState(/** @type {{ login: Schemas["Login"], shared: string } | null} */ (null));
  const done = async (/** @type {Schemas["Login"] | null} */ login, /** @type {FormValues} */ values) => {
    // The reply is not a login yet: the account has a second factor, and the form asks for its code next.
    if (!login) return;
    if (login.profile.profile_type !== "candidate") {
      setStaff(true);
      ask(null);
      await calls.logOut(login.refresh).catch(() => {});
      return;
    }
    // Slips may have been exchanged, so the session only begins after the answer.
    if (!login.profile.has_email) hold({ login, shared: values.shared });
    else begin(login, values.shared);
  };
  const begin = (/** @type {Schemas["Login"]} */ login, /** @type {string} */ shared) => {
    rememberWhose(shared);
    session.open(login);
  };
  if (slip) {
    const { login, shared } = slip;
    const leave = async () => {
      await calls.logOut(login.refresh).catch(() => {});
      hold(null);
      notice({ text: t("account.notYou") });
    };
    return h(IsThisYou, { login, yes: () => begin(login, shared), no: leave });
  }
  if (challenge) {
    return h(
      Page,
      { title: t("account.secondFactor"), lead: t("account.secondFactorWhy") },
      h(
        Form,
        { key: "code", initial: {}, verb: t("signIn"), stays: true, send: ({ code }) => calls.answer({ ...challenge, code }), done,
          actions: html`<button type="button" class="button" onClick=${() => ask(null)}>${t("account.back")}</button>` },
        h(Field, { name: "code", label: t("account.code"), required: true, autocomplete: "one-time-code", maxlength: 50, hint: t("account.secondFactorHint") }),
      ),
    );
  }
  const send = async (/** @type {FormValues} */ { email, password, shared }) => {
    try {
      return await calls.logIn(email, password, shared);
    } catch (error) {
      if (!(error instanceof Refused && error.code === "second_factor_required")) throw error;
      rememberWhose(shared);
      ask({ challenge: /** @type {Schemas["LoginRefusal"]} */ (error.body).challenge ?? "", email });
      return null;
    }
  };
  return h(
    Page,
    { title: t("signIn"), lead: html`${t("account.noAccount")} <a href="/register">${t("register")}</a>` },
    isStaff && h(Note, { kind: "warn", alert: true }, html`<p>${t("account.isStaff")} ${config().plugins.includes("console") && html`<a href="/console/">${t("account.console")}</a>`}</p>`),
    h(
      Form,
      { key: "password", initial: { email: knownEmail(), shared: whose() }, verb: t("signIn"), stays: true, send, done,
        actions: html`<a href="/password">${t("account.forgotten")}</a>` },
      h(Field, { name: "email", label: t("account.emailOrLogin"), required: true, autocomplete: "username", inputmode: "email", maxlength: 254 }),
      h(Password, { name: "password", label: t("account.password"), autocomplete: "current-password" }),
      h(Whose, {}),
    ),
    config().plugins.includes("privacy") && html`<p><a href="/restore">${t("account.restoreLink")}</a></p>`,
  );
}

/**
 * The question after signing in with a slip.
 *
 * @param {{ login: Schemas["Login"], yes: () => void, no: () => Promise<void> }} props
 */
function IsThisYou({ login: { profile }, yes, no }) {
  const school = "school" in profile ? profile.school : "";
  return h(
    Page,
    { title: t("account.isThisYou") },
    h(Facts, {
      facts: [
        [t("account.name"), `${profile.user.first_name} ${profile.user.last_name}`],
        [t("account.school"), school ?? ""],
        [t("account.login"), loginOf(profile.user.email)],
      ],
    }),
    html`<div class="acts"><button type="button" class="button first" onClick=${yes}>${t("account.yes")}</button> ${h(Act, { act: no }, t("account.no"))}</div>`,
  );
}

/**
 * The page for setting a new password, with a code by email. The link in the email leads to the second step.
 *
 * @param {PageProps} props
 */
export function NewPasswordPage({ query }) {
  const isSignedIn = session.user() !== null;
  const [sent, setSent] = useState(/** @type {{ email: string, minutes: number } | null} */ (null));
  const request = async (/** @type {string} */ email) => {
    const reply = await calls.sendPasswordCode(email);
    rememberEmail(email);
    setSent({ email, minutes: reply.expires_in_minutes });
    return reply;
  };
  if (!sent && query.get("step") !== "code") {
    return h(
      Page,
      { title: t("account.newPasswordTitle"), lead: t("account.newPasswordWhy") },
      h(
        Form,
        { key: "email", initial: { email: knownEmail() }, verb: t("account.sendCode"), stays: true, send: ({ email }) => request(email), done: () => {},
          check: ({ email }) => ({ ...(isLogin(email ?? "") && { email: t("account.askTeacher") }) }),
          actions: html`<a href=${isSignedIn ? "/account" : "/sign-in"}>${t("account.back")}</a>` },
        h(EmailField, {}),
      ),
      html`<p><a href="/password?step=code">${t("account.hasCode")}</a></p>`,
    );
  }
  const done = async () => {
    // The service has ended all sessions, this one too.
    if (isSignedIn) await session.renew().catch(() => {});
    await go("/sign-in");
    notice({ text: t("account.passwordChanged") });
  };
  return h(
    Page,
    { title: t("account.newPasswordTitle"), lead: sent && t("account.passwordCodeSent", { email: sent.email, count: sent.minutes }) },
    h(
      Form,
      {
        key: "code", initial: { email: sent?.email ?? knownEmail() }, verb: t("account.setPassword"), done,
        send: ({ email, otp, new_password, confirm_password }) => calls.changePassword({ email, otp, new_password, confirm_password }),
        check: (values) => checkPasswords(values, "new_password", "confirm_password"),
        actions: sent
          ? html`<button type="button" class="button" onClick=${() => setSent(null)}>${t("account.otherAddress")}</button>`
          : html`<a href="/password">${t("account.sendCode")}</a>`,
      },
      !sent && h(EmailField, {}),
      h(Code, { name: "otp", label: t("account.code"), hint: t("account.codeHint") }),
      h(NewPassword, { first: "new_password", second: "confirm_password" }),
      h(Note, { kind: "info" }, html`<p>${t("account.endsSessions")}</p>`),
    ),
    sent && h(SendCode, { send: () => request(sent.email), text: t("account.sendAgain") }),
  );
}

/** The page for cancelling the deletion of an account. */
export function Restore() {
  const done = async () => {
    await go("/sign-in");
    notice({ text: t("account.restored") });
  };
  return h(
    Page,
    { title: t("account.restore"), lead: t("account.restoreWhy") },
    h(Form, { initial: {}, verb: t("account.restore"), stays: true, send: ({ code }) => calls.restore(code), done },
      h(Field, { name: "code", label: t("account.code"), required: true, maxlength: 100 })),
  );
}

/** The page of the candidate's own account. */
export function Account() {
  const account = useRead(calls.account, []);
  // A new picture or language must not replace what the user is typing.
  const { version, saved } = useVersion(account);
  return h(
    Page,
    { title: t("account") },
    loaded(account, ({ account: { profile } }) => html`
      ${version && h(Profile, { profile: version.account.profile, etag: version.etag, again: saved, key: version.etag })}
      ${h(Picture, { picture: profile.user.profile_picture, again: account.again })}
      ${h(MailLanguagePart, { language: profile.user.language, save: (language) => calls.change({ language }), saved: account.again })}
      ${h(Section, { title: t("account.password") }, profile.has_email
        ? html`<p>${t("account.passwordWhy")}</p><div class="acts"><a class="button" href="/password">${t("account.changePassword")}</a></div>`
        : html`<p>${t("account.codeOnSlip")}</p>`)}
      ${h(Sessions, {})}
      ${h(Data, {})}`),
  );
}

/** @param {{ profile: Schemas["Account"]["profile"], etag: string | null, again: () => void }} props */
function Profile({ profile, etag, again }) {
  const verification = useRead(calls.verification, []);
  const changes = verification.value?.changes ?? [];
  const fields = (/** @type {Schemas["Account"]["profile"]} */ { user, school }) => ({ first_name: user.first_name, last_name: user.last_name, phone: user.phone, school: school ?? "" });
  const names = { first_name: t("account.firstName"), last_name: t("account.lastName"), school: t("account.school") };
  return h(
    Section,
    { title: t("account.profile") },
    changes.length > 0 && h(Note, { kind: "info" }, html`<p>${t("account.waiting")}</p>
      ${h(Facts, { facts: changes.map((each) => /** @type {[string, string]} */ ([names[each.field], t("account.becomes", { old: each.old, new: each.new })])) })}`),
    h(
      Form,
      {
        initial: fields(profile), verb: t("account.save"), etag,
        // An account without email may have no phone number either.
        send: ({ phone, ...values }, { ifMatch }) => calls.change({ ...values, ...((phone || profile.has_email) && { phone }) }, ifMatch),
        reread: async () => {
          const now = await calls.account();
          return { values: fields(now.account.profile), etag: now.etag };
        },
        done: (/** @type {Schemas["ChangedAccount"]} */ reply, values) => {
          const now = fields(reply.profile);
          const isHeld = Object.entries(now).some(([name, value]) => name !== "phone" && value !== String(values[name]).trim().replace(/\s+/g, " "));
          const me = session.user();
          if (me) session.update({ ...me, user: { ...me.user, first_name: now.first_name, last_name: now.last_name } });
          notice({ text: isHeld ? t("account.savedWaiting") : t("account.saved") });
          verification.again();
          again();
        },
      },
      profile.has_email
        ? html`<div class="row"><p><strong>${t("account.email")}</strong><br />${profile.user.email}</p></div>`
        : html`<div class="row"><p><strong>${t("account.login")}</strong><br />${loginOf(profile.user.email)}</p></div>`,
      profile.year && html`<div class="row"><p><strong>${t("account.year")}</strong><br />${profile.year}</p></div>`,
      profile.is_user_verified && h(Note, { kind: "info" }, html`<p>${t("account.checked")}</p>`),
      h(Field, { name: "first_name", label: t("account.firstName"), required: true, autocomplete: "given-name", maxlength: 150 }),
      h(Field, { name: "last_name", label: t("account.lastName"), required: true, autocomplete: "family-name", maxlength: 150 }),
      h(School, { known: profile.school ?? "" }),
      h(Field, { name: "phone", type: "tel", label: t("account.phone"), required: profile.has_email, autocomplete: "tel", inputmode: "tel", maxlength: 20, hint: t("account.phoneRule") }),
    ),
  );
}

/** @param {{ picture: string | null, again: () => void }} props */
function Picture({ picture, again }) {
  const [chosen, choose] = useState(/** @type {{ blob: Blob, url: string } | null} */ (null));
  const [problem, setProblem] = useState("");
  useEffect(() => () => void (chosen && URL.revokeObjectURL(chosen.url)), [chosen]);
  const take = async (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
    const file = currentTarget.files?.[0];
    currentTarget.value = "";
    if (!file) return;
    try {
      const blob = await smaller(file, { longest: 800, largest: config().files.profile_picture?.largest_bytes ?? 2 ** 20 });
      setProblem("");
      choose({ blob, url: URL.createObjectURL(blob) });
    } catch (error) {
      if (!(error instanceof NotAPicture)) throw error;
      setProblem(t("account.noPicture"));
    }
  };
  const send = async () => {
    if (!chosen) return;
    await calls.sendPicture(chosen.blob);
    choose(null);
    again();
    notice({ text: t("account.pictureSaved") });
  };
  const remove = async () => {
    const done = await confirm({ title: t("account.removePicture"), what: t("account.removePictureWhat"), verb: t("account.removePicture"), danger: true, act: calls.removePicture });
    if (!done) return;
    again();
    notice({ text: t("account.pictureRemoved") });
  };
  // The portal's policy forbids files from another origin, such as that of a bucket.
  const shown = chosen?.url ?? (config().files_origin ? null : picture);
  return h(
    Section,
    { title: t("account.picture") },
    html`<p>${t("account.pictureWhy")}</p>
    ${picture && !shown && html`<p>${t("account.hasPicture")}</p>`}
    ${shown && html`<img class="account-picture" src=${shown} alt=${chosen ? t("account.pictureNew") : t("account.pictureNow")} />`}
    <p role="status" class="account-problem error small">${problem}</p>
    ${chosen
      ? html`<div class="acts">${h(Act, { act: send }, t("account.sendPicture"))} <button type="button" class="button" onClick=${() => choose(null)}>${t("account.notThis")}</button></div>`
      : html`<div class="row account-file"><label for="account-picture">${t("account.choosePicture")}</label>
          <input id="account-picture" class="field file" type="file" accept="image/jpeg,image/png" onChange=${take} /></div>
        ${picture && html`<div class="acts">${h(Act, { act: remove, kind: "bad" }, t("account.removePicture"))}</div>`}`}`,
  );
}

function Sessions() {
  const sessions = useRead(calls.sessions, []);
  const end = async (/** @type {Schemas["SessionShape"]} */ each) => {
    await calls.endSession(each.id);
    sessions.again();
    notice({ text: t("account.sessionEnded", { device: device(each) }) });
  };
  const endOthers = async (/** @type {Schemas["SessionShape"][]} */ others) => {
    const count = others.length;
    const done = await confirm({
      title: t("account.endOthers", { count }), what: t("account.endOthersWhat"), items: others.map(device), verb: t("account.endOthers", { count }), danger: true,
      act: async () => {
        await Promise.all(others.map((each) => calls.endSession(each.id).catch((error) => (error.status === 404 ? null : Promise.reject(error)))));
        return true;
      },
    });
    sessions.again();
    if (done) notice({ text: t("account.othersEnded", { count }) });
  };
  const device = (/** @type {Schemas["SessionShape"]} */ each) => each.device ?? t("account.unknownDevice");
  return h(
    Section,
    { title: t("account.sessions") },
    html`<p>${t("account.sessionsWhy")}</p>`,
    loaded(sessions, (rows) => {
      const others = rows.filter((each) => !each.current);
      return html`${table({
        caption: t("account.sessions"),
        rows,
        id: (row) => row.id,
        columns: [
          { title: t("account.device"), cell: (row) => html`${device(row)} ${row.current && h(Tag, { kind: "ok" }, t("account.thisOne"))}` },
          { title: t("account.since"), cell: (row) => h(When, { at: row.created_at }) },
          { title: t("account.lastUsed"), cell: (row) => dates.ago(row.refreshed_at) },
          { title: t("account.action"), cell: (row) => (row.current ? t("account.useSignOut") : h(Act, { act: () => end(row) }, t("account.end"), html` <span class="hide">${device(row)}</span>`)) },
        ],
      })}
      ${others.length > 1 && html`<div class="acts">${h(Act, { act: () => endOthers(others), kind: "bad" }, t("account.endOthers", { count: others.length }))}</div>`}`;
    }),
  );
}

function Data() {
  const [deleting, setDeleting] = useState(false);
  const deleted = async (/** @type {Schemas["DeletionReceipt"]} */ { erase_at }) => {
    setDeleting(false);
    // The service has ended all sessions, this one too.
    await session.renew().catch(() => {});
    await go("/sign-in");
    notice({ kind: "warn", text: t("account.deleted", { when: whenInWords(erase_at, dates.when) }) });
  };
  return html`${h(OwnData, { request: calls.requestExport })}
    ${h(Section, { title: t("account.delete") }, html`<p>${t("account.deleteWhy")}</p><div class="acts"><button type="button" class="button bad" onClick=${() => setDeleting(true)}>${t("account.deleteMine")}</button></div>`)}
    ${deleting &&
    h(
      Dialog,
      { title: t("account.deleteMine"), onClose: () => setDeleting(false) },
      html`<div class="flow">
        <p>${t("account.deleteWhat", { count: settingOf("privacy.deletion_days") })}</p>
        ${h(
          Form,
          { initial: {}, verb: t("account.deleteFinally"), danger: true, stays: true, send: ({ password }) => calls.deleteAccount(password), done: deleted,
            actions: html`<button type="button" class="button" onClick=${() => setDeleting(false)}>${t("account.keep")}</button>` },
          h(Password, { name: "password", label: t("account.password"), autocomplete: "current-password" }),
        )}
      </div>`,
    )}`;
}
