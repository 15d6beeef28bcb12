// Broadcasts: announcements to all people with certain roles.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, When } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { AsOf, loaded, Progress } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Audience, audience, bodyOf, channels, FailedMails, groups, Message, reach, Status } from "./pieces.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

// How often the page polls, in seconds: while a broadcast is being sent, and afterwards.
const SENDING = 5;
const SENT = 60;

const crumbs = () => [{ href: "/console/broadcasts", text: t("broadcasts.title") }];

export function Broadcasts() {
  const action = html`<a class="button first" href="/console/broadcasts/new">${t("broadcasts.new")}</a>`;
  return h(
    Page,
    { title: t("broadcasts.title"), lead: t("broadcasts.lead"), actions: action },
    list({
      name: t("broadcasts.title"),
      id: (row) => row.id,
      call: calls.broadcasts,
      filters: [{ name: "search", label: t("broadcasts.search") }],
      columns: [
        { title: t("broadcasts.subject"), sort: "subject", cell: (row) => html`<a href=${`/console/broadcasts/${row.id}`}>${row.subject}</a>` },
        { title: t("broadcasts.to"), cell: (row) => groups(row.target_roles).join(", ") },
        { title: t("broadcasts.channels"), cell: (row) => channels(row.mediums) },
        { title: t("broadcasts.by"), cell: (row) => `${row.created_by.user.first_name} ${row.created_by.user.last_name}` },
        { title: t("broadcasts.created"), sort: "created_at", cell: (row) => h(When, { at: row.created_at }) },
      ],
      found: (count) => t("broadcasts.found", { count }),
      empty: t("broadcasts.none"),
    }),
  );
}

export function NewBroadcast() {
  const counts = useRead(audience, []);
  const [count, setCount] = useState(/** @type {number | null} */ (null));
  /**
   * @param {FormValues} values
   * @param {string} key
   */
  const send = async (values, key) => {
    // People may have registered since the page was opened.
    const people = reach(values, await audience()) ?? 0;
    return confirm({
      title: values.subject,
      what: t(values.staff.length ? "broadcasts.sendsAtMost" : "broadcasts.sends", { count: people, channels: channels(values.mediums) }),
      items: groups({ candidate: values.candidate, staff: values.staff }),
      verb: t("broadcasts.sendTo", { count: people }),
      danger: true,
      act: () => calls.send(bodyOf(values), key),
    });
  };
  return h(
    Page,
    { title: t("broadcasts.new"), crumbs: crumbs() },
    loaded(counts, (all) => h(
      Form,
      {
        initial: { candidate: [], staff: [], subject: "", message: "", mediums: ["email", "platform"] },
        draft: "broadcast",
        verb: count ? t("broadcasts.sendTo", { count }) : t("broadcasts.send"),
        danger: true,
        check: (values) => ({
          ...(!values.candidate.length && !values.staff.length && { candidate: t("broadcasts.chooseGroup") }),
          ...(!values.mediums.length && { mediums: t("broadcasts.chooseChannel") }),
        }),
        send: (values, { key }) => send(values, key),
        done: async (reply) => {
          if (!reply) return;
          await go(`/console/broadcasts/${reply.id}`);
          notice({ text: t("broadcasts.isSending") });
        },
      },
      h(Audience, { counts: all, onReach: setCount }),
      h(Message, {}),
    )),
  );
}

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
    loaded(reading, ({ status, progress, mails, logs, message, target_roles: targets, mediums, created_by: author, created_at: at }) => html`
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
          [t("broadcasts.to"), groups(targets).join(", ")],
          [t("broadcasts.channels"), channels(mediums)],
          [t("broadcasts.by"), `${author.user.first_name} ${author.user.last_name}`],
          [t("broadcasts.created"), h(When, { at })],
        ] }))}`),
  );
}
