// The page of the emails of the service: those that were sent, and those that were not. All but waiting ones can be
// sent again.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { ActOnRows, confirmEach } from "../../../pages/static/pieces/each.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import * as calls from "./calls.js";
import { states } from "./pieces.js";
import { t } from "./words.js";

/** @import { Selection } from "../../../pages/static/pieces/list.js" */
/** @import { Mail } from "./calls.js" */

const MAIL_STATES = /** @type {const} */ ({ pending: ["", "house.pending"], sent: ["ok", "house.sent"], skipped: ["", "house.skipped"], failed: ["bad", "house.notSent"] });

export function Mails() {
  const [version, change] = useState(0);
  /** @param {Mail} mail */
  const resend = async (mail) => {
    const { recipient } = mail;
    const done = await confirm({
      title: t("house.resend"),
      what: mail.state === "sent" ? t("house.resendSent", { recipient }) : t("house.resendWhat", { recipient }),
      items: [subject(mail)],
      verb: t("house.resendOne", { count: 1 }),
      act: () => calls.resendMail(mail.id),
    });
    if (!done) return;
    change((before) => before + 1);
    notice({ text: t("house.resent", { recipient }) });
  };
  /** @param {Selection<Mail>} selection */
  const resendAll = async (selection) => {
    const chosen = await selection.rows();
    const tried = await confirmEach({
      title: t("house.resend"),
      what: chosen.some((each) => each.state === "sent") ? t("house.resendSome") : t("house.resendAll"),
      verb: t("house.resendOne", { count: chosen.length }),
      items: chosen,
      name: (mail) => t("house.mailTo", { subject: subject(mail), recipient: mail.recipient }),
      act: (mail) => calls.resendMail(mail.id),
      done: (count) => t("house.resentThem", { count }),
    });
    if (!tried) return;
    selection.clear();
    change((before) => before + 1);
  };
  return h(Page, { title: t("nav.mails"), lead: t("house.mailsLead") }, list({
    name: t("nav.mails"),
    id: (mail) => mail.id,
    call: calls.mails,
    version,
    empty: t("house.noMails"),
    select: (selection) => h(ActOnRows, { selection, act: () => resendAll(selection), text: t("house.resendOne", { count: selection.count }) }),
    filters: [{ name: "recipient", label: t("house.wholeAddress") }, { name: "state", label: t("house.state"), options: states(MAIL_STATES) }],
    columns: [
      { title: t("house.recipient"), sort: "recipient", cell: (mail) => html`<span class="break">${mail.recipient}</span> <span class="small muted">${subject(mail)}</span>` },
      { title: t("house.state"), cell: (mail) => h(Tag, { kind: MAIL_STATES[mail.state][0] }, t(MAIL_STATES[mail.state][1])) },
      { title: t("house.reason"), cell: (mail) => html`<span class="break">${mail.last_error ?? "-"}</span>` },
      { title: t("house.at"), sort: "created_at", cell: (mail) => h(When, { at: mail.sent_at ?? mail.created_at }) },
      { title: t("house.do"), cell: (mail) => mail.state !== "pending" && h(Act, { act: () => resend(mail) }, t("house.resend"), html` <span class="hide">${mail.recipient}</span>`) },
    ],
  }));
}

/** @type {Record<string, () => string>} */
const TEMPLATES = {
  "accounts.email_code": () => t("house.mail.emailCode"),
  "accounts.invitation": () => t("house.mail.invitation"),
  "accounts.password_changed": () => t("house.mail.passwordChanged"),
  "accounts.password_code": () => t("house.mail.passwordCode"),
  "accounts.registration": () => t("house.mail.registration"),
  "accounts.second_factor_changed": () => t("house.mail.secondFactor"),
  "backups.backup_failed": () => t("house.mail.backup"),
  "broadcasts.broadcast": () => t("house.mail.broadcast"),
  "privacy.deletion": () => t("house.mail.deletion"),
  "privacy.export_ready": () => t("house.mail.export"),
  "notifications.notified": () => t("house.mail.notified"),
  "verification.lapsed": () => t("house.mail.lapsed"),
};

/** @param {Mail} mail */
const subject = ({ template }) => TEMPLATES[template]?.() ?? template;
