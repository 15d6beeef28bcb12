// The page with all notifications of the user.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { Notification } from "./calls.js" */

export function AllNotifications() {
  const [version, change] = useState(0);
  const [unread, setUnread] = useState(0);
  const readAgain = () => change((before) => before + 1);
  useEffect(() => {
    const stops = ["notification_activity", "open"].map((each) => socket.on(each, readAgain));
    return () => stops.forEach((stop) => stop());
  }, []);
  /** @param {Record<string, string>} query */
  const read = async (query) => {
    const found = await calls.notifications(query);
    setUnread(found.stats.unread_count);
    return found;
  };
  const markAll = async () => {
    const { updated_count: count } = await calls.markAllAsRead();
    readAgain();
    notice({ text: t("home.marked", { count }) });
  };
  const markOne = async (/** @type {Notification} */ { id }) => {
    await calls.markAsRead(id);
    readAgain();
  };
  return h(
    Page,
    {
      title: t("home.notifications"),
      crumbs: [{ href: "/console/", text: t("home") }],
      actions: unread > 0 && h(Act, { act: markAll }, t("home.markRead", { count: unread })),
    },
    list({
      name: t("home.notifications"),
      id: (row) => row.id,
      call: read,
      version,
      filters: [{ name: "status", label: t("home.state"), options: [["unread", t("home.unread")], ["read", t("home.read")]] }],
      columns: [
        { title: t("home.notification"), cell: (row) => html`<strong>${row.subject}</strong><span class="home-message">${row.message}</span>` },
        { title: t("home.received"), cell: (row) => h(When, { at: row.created_at }) },
        { title: t("home.state"), cell: (row) => (row.read ? t("home.read") : h(Act, { act: () => markOne(row) }, t("home.markOne"), html`<span class="hide"> (${row.subject})</span>`)) },
      ],
      found: (count) => t("home.notificationsFound", { count }),
      empty: t("home.noNotifications"),
    }),
  );
}
