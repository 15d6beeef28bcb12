// The page of the candidate's identity documents: sending them, and the decision about them. Pictures are made smaller
// before they are sent.

import { config } from "../../../pages/static/ground/config.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Form, useForm } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { NotAPicture, smaller } from "../../../pages/static/pieces/pictures.js";
import { Progress } from "../../../pages/static/pieces/progress.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Verification } from "./calls.js" */

const PDF = "application/pdf";

// The longest side of a picture, in pixels. It is enough to read the text on a card, and keeps the file small.
const LONGEST = 2000;

/** The documents, in the order of the form. `camera` is the camera of a phone that takes the picture. */
const DOCUMENTS = /** @type {const} */ ([
  { name: "face_id", camera: "user" },
  { name: "id_card", camera: "environment" },
  { name: "verification_document", camera: "environment" },
]);

export function Documents() {
  const status = calls.useStatus();
  const { again } = status;
  useEffect(() => {
    const stop = socket.on("notification_activity", again);
    return () => void stop();
  }, [again]);
  return h(
    Page,
    { title: t("documents"), lead: t("documents.why") },
    loaded(status, (value) => {
      if (value.is_approved) return h(Note, { kind: "ok" }, html`<p><strong>${t("documents.approved")}</strong> ${t("documents.approvedWhy")}</p>`);
      if (value.status === "email_not_verified") return h(Note, { kind: "warn" }, html`<p>${t("documents.email")} <a href="/verify">${t("documents.verify")}</a></p>`);
      if (value.is_pending) return h(Waiting, { value, again });
      return html`${value.is_rejected && h(Note, { kind: "bad" }, html`<p><strong>${t("documents.rejected")}</strong></p>
          ${value.rejection_reason && html`<p class="document-reason">${value.rejection_reason}</p>`}<p>${t("documents.sendAgain")}</p>`)}
        ${h(Send, { isFirst: !value.is_rejected, rejected: value.rejected_document, again, key: value.status })}`;
    }),
  );
}

/** @param {number} bytes */
const mebibytes = (bytes) => Math.floor(bytes / 2 ** 20);

/**
 * @param {{ name: "face_id" | "id_card" | "verification_document", camera: string, isRejected: boolean }} props
 */
function Document({ name, camera, isRejected }) {
  const { values, errors, set, id, named } = useForm();
  const label = t(`documents.${name}`);
  named(name, label);
  const own = id(name);
  const wrong = errors[name];
  const rule = config().files[name] ?? { largest_bytes: 2 ** 21, types: ["image/jpeg", "image/png"] };
  // Don't accept image/*, because iPhones would then send HEIC.
  const accept = ["image/jpeg", "image/png", ...(rule.types.includes(PDF) ? [PDF] : [])].join(",");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  /** @type {Blob | undefined} */
  const file = values[name];

  const take = async (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
    const chosen = currentTarget.files?.[0];
    currentTarget.value = "";
    if (!chosen) return;
    setProblem("");
    setBusy(true);
    try {
      if (chosen.type !== PDF) set(name, await smaller(chosen, { longest: LONGEST, largest: rule.largest_bytes }));
      else if (!rule.types.includes(PDF)) setProblem(t("documents.noPdf"));
      else if (chosen.size > rule.largest_bytes) setProblem(t("documents.large", { count: mebibytes(rule.largest_bytes) }));
      else set(name, chosen);
    } catch (error) {
      if (!(error instanceof NotAPicture)) throw error;
      setProblem(t("documents.noPicture"));
    } finally {
      setBusy(false);
    }
  };
  const described = [`${own}-hint`, wrong && `${own}-error`].filter(Boolean).join(" ");
  /** @param {Record<string, any>} attributes */
  const input = (attributes) => html`<input class="hide" type="file" accept=${accept} aria-describedby=${described} aria-invalid=${wrong ? "true" : undefined} onChange=${take} ...${attributes} />`;
  return html`<div class=${`document sheet pad flow ${wrong || (isRejected && !file) ? "wrong" : ""}`}>
    <div class="head"><h2>${label}</h2>${isRejected && !file && h(Tag, { kind: "bad" }, t("documents.isRejected"))}</div>
    <p class="small muted" id=${`${own}-hint`}>${t(`documents.${name}.hint`)} ${rule.types.includes(PDF) ? t("documents.orPdf", { count: mebibytes(rule.largest_bytes) }) : t("documents.picturesOnly")}</p>
    ${wrong && html`<p class="error small" id=${`${own}-error`}>${wrong.join(" ")}</p>`}
    ${file && h(Preview, { file, label })}
    <p role="status" class=${problem ? "error small" : "small"}>${problem || (busy && t("documents.reading"))}</p>
    <div class="acts">
      ${matchMedia("(pointer: coarse)").matches && html`<label class="button">${input({ capture: camera })}${file ? t("documents.takeAgain") : t("documents.take")}<span class="hide"> (${label})</span></label>`}
      <label class="button">${input({ id: own })}${file ? t("documents.chooseOther") : t("documents.choose")}<span class="hide"> (${label})</span></label>
      ${file && html`<button type="button" class="button plain" onClick=${() => set(name, undefined)}>${t("documents.remove")}<span class="hide"> (${label})</span></button>`}
    </div>
  </div>`;
}

/**
 * The document before it is sent.
 *
 * @param {{ file: Blob, label: string }} props
 */
function Preview({ file, label }) {
  const [url, show] = useState("");
  useEffect(() => {
    const own = URL.createObjectURL(file);
    show(own);
    return () => URL.revokeObjectURL(own);
  }, [file]);
  const size = Math.max(1, Math.round(file.size / 1024));
  if (file.type === PDF) return html`<p><strong>${file instanceof File ? file.name : "PDF"}</strong> <span class="muted small">${t("documents.size", { count: size })}</span></p>`;
  return html`<figure class="document-figure">
    ${url && html`<img class="document-picture" src=${url} alt=${t("documents.preview", { label })} />`}
    <p class="small muted">${t("documents.look")} ${t("documents.size", { count: size })}</p>
  </figure>`;
}

/** @param {{ value: Verification, again: () => void }} props */
function Waiting({ value, again }) {
  const [replaces, replace] = useState(false);
  const sent = value.verification_data;
  return html`${h(Note, { kind: "info" }, html`<p><strong>${t("documents.pending")}</strong> ${t("documents.pendingWhy")}</p>`)}
    ${sent && html`<div class="sheet pad flow"><ul class="document-list">
      ${DOCUMENTS.map(({ name }) => html`<li><span>${t(`documents.${name}`)}</span> ${sent.documents[name] ? h(Tag, { kind: "ok" }, t("documents.sent")) : h(Tag, { kind: "warn" }, t("documents.missing"))}</li>`)}
    </ul><p class="small muted">${t("documents.sentAt")} ${h(When, { at: sent.updated_at })}</p></div>`}
    ${replaces
      ? h(Section, { title: t("documents.replace") }, html`<p>${t("documents.replaceWhy")}</p>`, h(Send, { isFirst: false, again, done: () => replace(false) }))
      : html`<div class="acts"><button type="button" class="button" onClick=${() => replace(true)}>${t("documents.replace")}</button></div>`}`;
}

/** @param {{ isFirst: boolean, rejected?: string | undefined, again: () => void, done?: () => void }} props */
function Send({ isFirst, rejected, again, done = () => {} }) {
  const [progress, setProgress] = useState(/** @type {{ done: number, total: number | null } | null} */ (null));
  const send = async (/** @type {FormValues} */ values) => {
    const documents = Object.fromEntries(DOCUMENTS.filter(({ name }) => values[name]).map(({ name }) => [name, values[name]]));
    try {
      return await calls.send(documents, { isFirst, progress: (loaded, total) => setProgress({ done: loaded, total }) });
    } finally {
      setProgress(null);
    }
  };
  /** @param {FormValues} values */
  const check = (values) => {
    const missing = DOCUMENTS.filter(({ name }) => !values[name]);
    // Documents that are not replaced stay as they are.
    if (!isFirst && missing.length < DOCUMENTS.length) return {};
    return Object.fromEntries(missing.map(({ name }) => [name, isFirst ? t("documents.required") : t("documents.oneRequired")]));
  };
  const finish = () => {
    done();
    again();
    notice({ text: t("documents.received") });
    scrollTo(0, 0);
  };
  return h(
    Form,
    { initial: {}, verb: isFirst ? t("documents.sendAll") : t("documents.sendChosen"), send, check, done: finish },
    DOCUMENTS.map((each) => h(Document, { ...each, isRejected: each.name === rejected, key: each.name })),
    html`<p class="small muted">${t("documents.privacy")}</p>`,
    progress && h(Progress, { label: t("documents.sending"), done: Math.round(progress.done / 1024), total: progress.total && Math.round(progress.total / 1024), text: (values) => t("documents.progress", values) }),
  );
}
