// The page of the candidate's own account: the profile, the picture, the sessions, and the deletion.

import { config, settingOf } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form, Password } from "../../../pages/static/pieces/form.js";
import { MailLanguagePart } from "../../../pages/static/pieces/mail-language.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { OwnData } from "../../../pages/static/pieces/own-data.js";
import { Facts, Page, Section, Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { NotAPicture, smaller } from "../../../pages/static/pieces/pictures.js";
import { useVersion } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import * as calls from "./calls.js";
import { loginOf, School } from "./pieces.js";
import { t } from "./words.js";

/** @import { Schemas } from "./calls.js" */

/** The page of the candidate's own account. */
export function Account() {
  const account = useRead(calls.account, []);
  // Reading the account again after a new picture or language must not replace what the user is typing.
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
    // The service has ended all sessions, this one too. Renewing it fails, which signs the user out here.
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
