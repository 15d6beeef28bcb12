// The identity documents of a candidate: sending them, and the decision about them.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag, When } from "../../../pages/static/pieces/page.js";
import { loaded, Progress } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Document, DOCUMENTS } from "./pieces.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Verification } from "./calls.js" */

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
