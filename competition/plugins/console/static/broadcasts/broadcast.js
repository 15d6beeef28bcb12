// The page of a broadcast: how far it has been sent, the message, and its recipients.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { Progress } from "../../../pages/static/pieces/progress.js";
import { When } from "../../../pages/static/pieces/when.js";
import { AsOf, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { channels, crumbs, groups } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Broadcast } from "./calls.js" */

/** @type {Record<Broadcast["status"], "info" | "ok" | "bad">} */
const COLOURS = { pending: "info", sent: "ok", failed: "bad" };

// How often the page polls, in seconds: while a broadcast is being sent, and afterwards.
const SENDING = 5;
const SENT = 60;

/** @param {PageProps} props */
export function OneBroadcast({ params }) {
  const [every, set] = useState(SENDING);
  const reading = calls.useBroadcast(Number(params.id), every);
  const broadcast = reading.value;
  const isSending = !broadcast || broadcast.status === "pending" || (broadcast.mails?.waiting ?? 0) > 0;
  useEffect(() => {
    set(isSending ? SENDING : SENT);
  }, [isSending]);
  return h(
    Page,
    { title: broadcast?.subject ?? t("broadcasts.one"), crumbs: crumbs() },
    loaded(reading, ({ status, progress, mails, logs, message, target_roles: targets, joined, mediums, created_by: author, created_at: at }) => html`
      ${mails && mails.failed > 0 && h(FailedMails, { count: mails.failed, mayResend: isAtLeast("superadmin") })}
      ${h(Section, { title: t("broadcasts.progress") },
        html`<p>${h(Status, { status })}</p>`,
        progress.total > 0 && h(Progress, { label: t("broadcasts.notified"), done: progress.done, total: progress.total }),
        mails && h(Progress, { label: t("broadcasts.mails"), done: mails.sent, total: mails.sent + mails.waiting + mails.failed }),
        h(AsOf, { at: reading.at }))}
      ${logs.length > 0 && h(Section, { title: t("broadcasts.deliveries") }, table({
        caption: t("broadcasts.deliveries"),
        rows: logs,
        id: (row) => row.id,
        columns: [
          { title: t("broadcasts.group.title"), cell: (row) => groups({ [row.role_type]: [row.target_role] }).join() },
          { title: t("broadcasts.channel"), cell: (row) => channels([row.medium]) },
          // An email is sent when the mail server has it, not when it waits in the queue.
          { title: t("broadcasts.state"), cell: (row) => h(Status, { status: row.medium === "email" && row.status === "sent" && mails?.waiting ? "pending" : row.status }) },
          { title: t("broadcasts.what"), cell: (row) => (row.medium === "email" && row.status === "sent" && mails && mails.waiting + mails.failed > 0 ? t("broadcasts.mailsNow", mails) : row.message) },
          { title: t("broadcasts.ended"), cell: (row) => h(When, { at: row.attempted_at }) },
        ],
      }))}
      ${h(Section, { title: t("broadcasts.message") }, html`<div class="sheet pad plain">${message}</div>`,
        h(Facts, { facts: [
          [t("broadcasts.to"), groups(targets, joined).join(", ")],
          [t("broadcasts.channels"), channels(mediums)],
          [t("broadcasts.by"), `${author.user.first_name} ${author.user.last_name}`],
          [t("broadcasts.created"), h(When, { at })],
        ] }))}`),
  );
}

/** @param {{ status: Broadcast["status"] }} props */
const Status = ({ status }) => h(Tag, { kind: COLOURS[status] }, t(`broadcasts.status.${status}`));

/** The number of failed emails, and how to send them again. @param {{ count: number, mayResend: boolean }} props */
const FailedMails = ({ count, mayResend }) => h(Note, { kind: "bad" }, html`<p>${t("broadcasts.mailsFailed", { count })}</p>
  ${mayResend ? html`<a href="/console/house/mails?state=failed">${t("broadcasts.toMails")}</a>` : html`<p>${t("broadcasts.askSuperadmin")}</p>`}`);
