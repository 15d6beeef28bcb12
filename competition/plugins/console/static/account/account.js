// The page of the user's own account: the profile, the identity documents, the second factor, the sessions, and the
// deletion.

import { Refused } from "../../../pages/static/ground/api.js";
import { config, settingOf } from "../../../pages/static/ground/config.js";
import { ago, when } from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useLayoutEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go, guard } from "../../../pages/static/ground/router.js";
import { save } from "../../../pages/static/ground/save.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { ask, confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Code, FileField } from "../../../pages/static/pieces/fields.js";
import { Field, Form, Password } from "../../../pages/static/pieces/form.js";
import { MailLanguagePart } from "../../../pages/static/pieces/mail-language.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { OwnData } from "../../../pages/static/pieces/own-data.js";
import { Page, Section, Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { PrintButton, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Progress } from "../../../pages/static/pieces/progress.js";
import { useVersion } from "../../../pages/static/pieces/readings.js";
import { Copy, Failed, loaded, Loading } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { QrCode } from "../qr.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Profile, Session } from "./calls.js" */

const DOCUMENTS = /** @type {const} */ (["face_id", "id_card", "verification_document"]);

export function Account() {
  const reading = useRead(calls.account, []);
  const { again } = reading;
  // Reading the account again after a new picture or language must not replace what the user is typing.
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

/** The API's rules for a file, by the name of its field. @param {string} name */
const fileRule = (name) => config().files[name] ?? { types: [], largest_bytes: Infinity };

/**
 * The name, the phone number and the picture.
 *
 * @param {object} props
 * @param {Profile} props.profile The version that the form shows.
 * @param {string | null} props.etag
 * @param {string | null} props.picture
 * @param {() => void} props.changed Called when the account has changed, but not the fields of the form.
 * @param {() => void} props.saved
 */
function ProfilePart({ profile, etag, picture, changed, saved }) {
  const { types, largest_bytes: largest } = fileRule("profile_picture");
  /** @param {Profile} now */
  const values = (now) => ({ first_name: now.user.first_name, last_name: now.user.last_name, phone: now.user.phone, occupation: now.occupation ?? "" });
  /** @param {{ profile: Profile, message: string }} reply */
  const done = (reply) => {
    session.update(/** @type {any} */ (reply.profile));
    notice({ text: reply.message });
  };
  const remove = async () => {
    done(await calls.removePicture());
    changed();
  };
  return h(Section, { title: t("account.profile") },
    picture && html`<div class="picture"><img src=${picture} alt=${t("account.yourPicture")} width="96" height="96" />
      ${h(Act, { act: remove }, t("account.removePicture"))}</div>`,
    h(Form, {
      initial: values(profile),
      etag,
      verb: t("account.save"),
      send: (now, { ifMatch }) => calls.changeAccount(now, ifMatch),
      reread: async () => {
        const found = await calls.account();
        return { values: values(found.profile), etag: found.etag };
      },
      done: (reply) => {
        done(reply);
        saved();
      },
    },
    h(Field, { name: "first_name", label: t("account.firstName"), required: true, autocomplete: "given-name" }),
    h(Field, { name: "last_name", label: t("account.lastName"), required: true, autocomplete: "family-name" }),
    h(Field, { name: "phone", label: t("account.phone"), required: true, type: "tel", autocomplete: "tel" }),
    h(Field, { name: "occupation", label: t("account.occupation"), autocomplete: "organization-title" }),
    h(FileField, { name: "profile_picture", label: t("account.picture"), accept: types.join(","), largest })));
}

/**
 * The code that confirms the email address, for invited staff who have a password already.
 *
 * @param {{ email: string, changed: () => void }} props
 */
function EmailPart({ email, changed }) {
  const send = async () => {
    await calls.sendEmailCode(email);
    notice({ text: t("account.codeSent", { email }) });
  };
  return h(Section, { title: t("account.confirmEmail") },
    h(Note, { kind: "warn" }, html`<p>${t("account.confirmEmailWhy", { email })}</p>`),
    h(Form, {
      initial: { otp: "" },
      stays: true,
      verb: t("account.confirmEmailVerb"),
      send: ({ otp }) => calls.verifyEmail(email, otp),
      done: () => {
        notice({ text: t("account.emailConfirmed") });
        changed();
      },
      actions: h(Act, { act: send }, t("account.sendAgain")),
    }, h(Code, { name: "otp", label: t("account.code"), hint: t("account.emailCodeHint") })));
}

/**
 * The documents by which a manager confirms who the user is. Until then the API rejects nearly all requests of
 * the user.
 */
function IdentityPart() {
  const reading = useRead(calls.verification, []);
  return h(Section, { title: t("account.identity") }, loaded(reading, (record) => {
    if (record.is_approved) return h(Note, { kind: "ok" }, html`<p>${t("account.identityApproved")}</p>`);
    if (record.is_pending) return h(Note, {}, html`<p>${t("account.identityWaits")}</p>`);
    const done = () => {
      notice({ text: t("account.documentsSent") });
      reading.again();
    };
    return html`${h(Note, { kind: "warn" }, html`<p>${record.is_rejected ? t("account.identityRejected", { reason: record.rejection_reason ?? "" }) : t("account.identityWhy")}</p>`)}
      ${h(SendDocuments, { again: record.is_rejected, done })}`;
  }));
}

/** @param {{ again: boolean, done: () => void }} props `again`: whether the user has sent documents before. */
function SendDocuments({ again, done }) {
  const [progress, setProgress] = useState(/** @type {{ done: number, total: number | null } | null} */ (null));
  /** @param {Parameters<typeof calls.sendDocuments>[0]} files */
  const send = async (files) => {
    try {
      return await calls.sendDocuments(files, again, (loaded, total) => setProgress({ done: inKilobytes(loaded), total: total && inKilobytes(total) }));
    } finally {
      setProgress(null);
    }
  };
  return h(Form, { initial: {}, verb: t("account.sendDocuments"), done, send },
    DOCUMENTS.map((name) => {
      const { types, largest_bytes: largest } = fileRule(name);
      return h(FileField, { name, label: t(`account.${name}`), required: true, accept: types.join(","), largest });
    }),
    progress && h(Progress, { label: t("account.uploading"), ...progress }));
}

/** @param {number} bytes */
const inKilobytes = (bytes) => Math.round(bytes / 1024);

/** The second factor: set it up, or renew its recovery codes and remove it. */
function SecondFactorPart() {
  const reading = useRead(calls.secondFactor, []);
  const [open, show] = useState(/** @type {"" | "begin" | "renew" | "remove"} */ (""));
  const [codes, setCodes] = useState(/** @type {string[] | null} */ (null));
  const close = () => show("");
  /** @param {{ recovery_codes: string[] }} reply */
  const done = (reply) => {
    close();
    reading.again();
    setCodes(reply.recovery_codes);
  };
  return h(Section, { title: t("account.secondFactor") },
    html`<p>${t("account.secondFactorWhat")}</p>`,
    codes
      ? h(RecoveryCodes, { codes, close: () => setCodes(null) })
      : loaded(reading, (found) => found.is_set_up
          ? html`<p>${t("account.factorOn", { count: found.recovery_codes_left })}</p>
              <div class="acts"><button type="button" class="button" onClick=${() => show("renew")}>${t("account.renew")}</button>
              <button type="button" class="button" onClick=${() => show("remove")}>${t("account.removeFactor")}</button></div>`
          : html`<div class="acts"><button type="button" class="button" onClick=${() => show("begin")}>${t("account.setUp")}</button></div>`),
    open === "begin" && h(Dialog, { title: t("account.setUp"), onClose: close }, h(SetUp, { done, close })),
    open === "renew" && h(Dialog, { title: t("account.renew"), onClose: close },
      html`<p>${t("account.renewWhat")}</p>`,
      h(Form, { initial: { password: "", code: "" }, stays: true, verb: t("account.renewVerb"), done, send: ({ password, code }) => calls.renewRecoveryCodes(password, code), actions: h(Cancel, { close }) },
        h(Password, { name: "password", label: t("account.password"), autocomplete: "current-password" }),
        h(Field, { name: "code", label: t("account.appOrRecovery"), required: true, autocomplete: "one-time-code" }))),
    open === "remove" && h(Dialog, { title: t("account.removeFactor"), onClose: close },
      html`<p>${t("account.removeWhat")}</p>`,
      h(Form, {
        initial: { code: "" },
        stays: true,
        verb: t("account.removeVerb"),
        send: ({ code }) => calls.removeSecondFactor(code),
        done: () => {
          close();
          reading.again();
          notice({ text: t("account.factorRemoved") });
        },
        actions: h(Cancel, { close }),
      }, h(Field, { name: "code", label: t("account.appOrRecovery"), required: true, autocomplete: "one-time-code" }))));
}

/** @param {{ close: () => void }} props */
const Cancel = ({ close }) => html`<button type="button" class="button" onClick=${close}>${t("account.cancel")}</button>`;

/**
 * Set up an authenticator app. The user enters the password if the login is too long ago, scans the QR code,
 * and enters a code from the app.
 *
 * @param {{ done: (reply: { recovery_codes: string[] }) => void, close: () => void }} props
 */
function SetUp({ done, close }) {
  const [secret, setSecret] = useState(/** @type {{ secret: string, otpauth_url: string } | null} */ (null));
  const [needsPassword, need] = useState(false);
  const [error, fail] = useState(/** @type {unknown} */ (null));
  const begin = () => {
    fail(null);
    calls.beginSecondFactor().then(setSecret, (failure) => {
      if (failure instanceof Refused && failure.errors.password) need(true);
      else fail(failure);
    });
  };
  useEffect(begin, []);
  const actions = h(Cancel, { close });
  if (error) return html`<div class="flow">${h(Failed, { error, again: begin })}<div class="acts">${actions}</div></div>`;
  if (secret) return h(Confirm, { secret, done, actions });
  if (!needsPassword) return h(Loading, {});
  return h(Form, { initial: { password: "" }, stays: true, verb: t("account.next"), send: ({ password }) => calls.beginSecondFactor(password), done: setSecret, actions },
    h(Password, { name: "password", label: t("account.password"), hint: t("account.passwordAgain"), autocomplete: "current-password" }));
}

/** @param {{ secret: { secret: string, otpauth_url: string }, done: (reply: { recovery_codes: string[] }) => void, actions: Children }} props */
function Confirm({ secret: { secret, otpauth_url: url }, done, actions }) {
  return html`<div class="flow">
    <ol class="steps flow">
      <li>${t("account.getApp")}</li>
      <li>${t("account.scan")}
        ${h(QrCode, { text: url, label: t("account.qr") })}
        <p class="small">${t("account.byHand")} ${h(Copy, { text: secret.replace(/(.{4})(?=.)/g, "$1 ") })}</p>
        <p class="small"><a href=${url}>${t("account.openApp")}</a></p></li>
      <li>${t("account.typeCode")}</li>
    </ol>
    ${h(Form, { initial: { code: "" }, stays: true, verb: t("account.setUpVerb"), send: ({ code }) => calls.confirmSecondFactor(code), done, actions }, h(Code, { name: "code", label: t("account.code") }))}
  </div>`;
}

/**
 * Recovery codes, which the API shows only once.
 *
 * @param {{ codes: string[], close: () => void }} props
 */
function RecoveryCodes({ codes, close }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), []);
  useLayoutEffect(() => guard(() => ask({ title: t("account.leaveCodes"), what: t("account.recoveryWhat"), verb: t("account.kept"), cancel: t("account.backToCodes") })), []);
  const title = t("account.recoveryFor", { name: config().name, email: session.user()?.user.email ?? "" });
  const list = html`<ol class="recovery numbers">${codes.map((each) => html`<li><code>${each}</code></li>`)}</ol>`;
  const store = () => save(new Blob([[title, ...codes, ""].join("\n")], { type: "text/plain" }), "recovery-codes.txt");
  return html`<div class="sheet pad flow">
    <h3 ref=${heading} tabindex="-1">${t("account.recovery")}</h3>
    ${h(Note, { kind: "warn" }, html`<p>${t("account.recoveryWhat")}</p>`)}
    ${list}
    <div class="acts">
      ${h(PrintButton, { content: () => h(PrintSheet, { title: t("account.recovery"), detail: title }, list) })}
      <button type="button" class="button" onClick=${store}>${t("account.saveFile")}</button>
      <button type="button" class="button" onClick=${close}>${t("account.kept")}</button>
    </div></div>`;
}

/** The sessions of the user, each with its device. */
function SessionsPart() {
  const reading = useRead(calls.sessions, []);
  /** @param {Session} one */
  const device = (one) => one.device ?? t("account.unknownDevice");
  /** @param {Session} one */
  const end = async (one) => {
    await calls.endSession(one.id);
    reading.again();
    notice({ text: t("account.ended", { device: device(one) }) });
  };
  /** @param {Session[]} all */
  const endAll = async (all) => {
    const done = await confirm({
      title: t("account.endAll"),
      what: t("account.endAllWhat", { count: all.length }),
      items: all.map(device),
      verb: t("account.endAllVerb", { count: all.length }),
      danger: true,
      act: async () => {
        await calls.endAllSessions();
        return true;
      },
    });
    // The service has ended this session too, so sign the user out here.
    if (done) await session.close(async () => {});
  };
  return h(Section, { title: t("account.sessions") },
    html`<p>${t("account.sessionsWhat")}</p>`,
    loaded(reading, (all) => html`
      ${table({
        caption: t("account.sessions"),
        id: (one) => one.id,
        rows: all,
        columns: [
          { title: t("account.device"), cell: (one) => html`${device(one)} ${one.current && h(Tag, { kind: "ok" }, t("account.here"))}` },
          { title: t("account.began"), cell: (one) => h(When, { at: one.created_at }) },
          { title: t("account.lastSeen"), cell: (one) => ago(one.refreshed_at) },
          { title: t("account.action"), cell: (one) => (one.current ? "" : h(Act, { act: () => end(one) }, t("account.end"), html` <span class="hide">${device(one)}</span>`)) },
        ],
      })}
      ${all.length > 1
        ? html`<div class="acts"><button type="button" class="button bad" onClick=${() => endAll(all)}>${t("account.endAll")}</button></div>`
        : html`<p class="muted">${t("account.noOthers")}</p>`}`));
}

/** The deletion of the user's account. */
function DeletionPart() {
  const [isOpen, open] = useState(false);
  return h(Section, { title: t("account.delete") },
    isAtLeast("superadmin")
      ? html`<p>${t("account.deleteNotHere")}</p>`
      : html`<p>${t("account.deleteWhy")}</p><div class="acts"><button type="button" class="button bad" onClick=${() => open(true)}>${t("account.deleteMine")}</button></div>`,
    isOpen && h(Dialog, { title: t("account.deleteMine"), onClose: () => open(false) }, h(Delete, { close: () => open(false) })));
}

/** @param {{ close: () => void }} props */
function Delete({ close }) {
  const reading = useRead(calls.secondFactor, []);
  /** @param {{ erase_at: string }} reply */
  const done = async ({ erase_at: at }) => {
    close();
    // The service has ended all sessions, this one too. Renewing it fails, which signs the user out here.
    await session.renew().catch(() => {});
    await go("/console/sign-in");
    notice({ kind: "warn", text: t("account.deleted", { when: whenInWords(at, when) }) });
  };
  return html`<div class="flow"><p>${t("account.deleteWhat", { count: settingOf("privacy.deletion_days") })}</p>
    ${loaded(reading, ({ is_set_up: isSetUp }) => h(Form, {
      initial: { password: "", code: "" },
      stays: true,
      danger: true,
      verb: t("account.deleteMine"),
      send: ({ password, code }) => calls.deleteAccount(password, isSetUp ? code : null),
      done,
      actions: html`<button type="button" class="button" onClick=${close}>${t("account.keep")}</button>`,
    },
    h(Password, { name: "password", label: t("account.password"), autocomplete: "current-password" }),
    isSetUp && h(Field, { name: "code", label: t("account.appOrRecovery"), required: true, autocomplete: "one-time-code" })))}</div>`;
}
