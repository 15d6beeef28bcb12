// The page of notifications: the unread ones first.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { Notification } from "./calls.js" */

export function Inbox() {
  const [version, change] = useState(0);
  const unread = useRead(calls.unread, [version]);
  const readAgain = () => change((before) => before + 1);
  useEffect(() => {
    const stops = ["notification_activity", "open"].map((each) => socket.on(each, readAgain));
    return () => stops.forEach((stop) => stop());
  }, []);
  const marked = () => {
    readAgain();
    calls.countAgain();
  };
  const count = unread.value?.stats.unread_count ?? 0;
  const markAll = async () => {
    const { updated_count } = await calls.markAllAsRead();
    marked();
    notice({ text: t("inbox.marked", { count: updated_count }) });
  };
  const markOne = async (/** @type {Notification} */ { id }) => {
    await calls.markAsRead(id);
    marked();
  };
  return h(
    Page,
    { title: t("inbox"), actions: count > 0 && h(Act, { act: markAll, kind: "first" }, t("inbox.markAll", { count })) },
    loaded(unread, ({ results, stats }) =>
      stats.total_count === 0
        ? h(Empty, {}, t("inbox.none"))
        : html`${h(Section, { title: t("inbox.unread", { count: stats.unread_count }) },
            results.length === 0 && html`<p class="muted">${t("inbox.allRead")}</p>`,
            results.map((each) => html`<article key=${each.id} class="inbox-one sheet pad flow">
              <div class="head"><h3>${each.subject}</h3><span class="small muted">${h(When, { at: each.created_at })}</span></div>
              <p class="inbox-text">${each.message}</p>
              <div class="acts">${h(Act, { act: () => markOne(each) }, t("inbox.markOne"), html`<span class="hide"> (${each.subject})</span>`)}</div>
            </article>`),
            results.length < stats.unread_count && html`<p class="muted">${t("inbox.more", { count: stats.unread_count - results.length })}</p>`)}
          ${stats.read_count > 0 && h(Section, { title: t("inbox.read") }, list({
            name: t("inbox.read"),
            call: calls.list,
            fixed: { status: "read" },
            id: (row) => row.id,
            columns: [
              { title: t("inbox.message"), cell: (row) => html`<strong>${row.subject}</strong><span class="inbox-text small">${row.message}</span>` },
              { title: t("inbox.when"), cell: (row) => h(When, { at: row.created_at }) },
            ],
            empty: t("inbox.none"),
            version,
          }))}`),
  );
}
