import { t } from "../../../../competition/plugins/portal/static/inbox/words.js";
import { equal, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open, push } from "../../kit/front-end.js";
import { arrived, says, saysNo } from "../../kit/said.js";
import { click, screen } from "../../kit/screen.js";
import { page, Service } from "../../kit/service.js";

const LIST = "GET /notifications/";
const ONE = "PATCH /notifications/{notification_id}/mark-as-read/";
const ALL = "PATCH /notifications/mark-all-as-read/";

/** The notifications of a candidate. @param {number} unread @param {number} [read] */
function mailbox(unread, read = 0) {
  /** @type {{ id: number, subject: string, read: boolean }[]} */
  const kept = [];
  const add = (/** @type {boolean} */ isRead = false) => kept.unshift({ id: kept.length + 1, subject: `Message ${kept.length + 1}`, read: isRead });
  for (let at = 0; at < read; at++) add(true);
  for (let at = 0; at < unread; at++) add();
  const service = new Service({
    [LIST]: (/** @type {any} */ { query }) => {
      const isRead = query.get("status") === "read";
      const those = kept.filter((each) => each.read === isRead);
      const count = kept.filter((each) => each.read).length;
      const shown = those.slice(0, Number(query.get("limit") ?? 20));
      return page(shown.map((each) => example("Notification", each)), { stats: { total_count: kept.length, unread_count: kept.length - count, read_count: count } });
    },
    [ONE]: (/** @type {any} */ { params }) => {
      for (const each of kept) if (each.id === Number(params.notification_id)) each.read = true;
      return example(ONE);
    },
    [ALL]: () => {
      const updated_count = kept.filter((each) => !each.read).length;
      for (const each of kept) each.read = true;
      return example(ALL, { updated_count });
    },
  });
  return { service, add };
}

/** Wait until the frame keeps the focus. It loads the module for that when it is shown, and people read longer. */
async function keepsFocus() {
  const probe = document.createElement("button");
  await until(() => {
    const isKept = probe.textContent && document.activeElement !== document.body;
    probe.textContent = "A button that goes";
    document.body.append(probe);
    probe.focus();
    probe.remove();
    return isKept;
  }, "The focus is kept.");
}

test("without notifications, the page says what will be here", async () => {
  const { service } = mailbox(0);
  await open("/inbox", { as: candidate(), service });
  await says(t("inbox.none"));
  equal(screen.queryAllByRole("button").length, 0);
});

test("a notification that arrives is shown, and is marked as read", async () => {
  const { service, add } = mailbox(0);
  await open("/inbox", { as: candidate(), service, frame: true });
  await says(t("inbox.none"));
  add();
  add();
  push("portal", "notification_activity", {});
  await says(t("inbox.unread", { count: 2 }));
  await keepsFocus();
  await click(screen.getByRole("button", { name: `${t("inbox.markOne")} (Message 1)` }));
  await says(t("inbox.unread", { count: 1 }));
  await screen.findByRole("rowheader", { name: /Message 1/ });
  // The message that had the focus has left the list.
  await until(() => document.activeElement?.matches("button") && document.activeElement.textContent?.includes("(Message 2)"));
  equal(service.sent(ONE)[0]?.params.notification_id, "1");
});

test("all are marked as read at once", async () => {
  const { service } = mailbox(3, 1);
  await open("/inbox", { as: candidate(), service, frame: true });
  await says(t("inbox.unread", { count: 3 }));
  await keepsFocus();
  await click(screen.getByRole("button", { name: t("inbox.markAll", { count: 3 }) }));
  await says(t("inbox.marked", { count: 3 }));
  await says(t("inbox.allRead"));
  // The button that had the focus has gone.
  await until(() => document.activeElement?.tagName === "H1");
  await screen.findByRole("rowheader", { name: /Message 4/ });
  await saysNo(t("inbox.markAll", { count: 3 }));
});

test("if there are more than the API sends, the page says how many", async () => {
  const { service } = mailbox(103);
  await open("/inbox", { as: candidate(), service });
  await says(t("inbox.more", { count: 3 }));
  await says(t("inbox.unread", { count: 103 }));
});

test("the frame counts the unread ones, as they arrive and are read", async () => {
  const { service, add } = mailbox(1);
  await open("/inbox", { as: candidate(), service, frame: true });
  await arrived(t("inbox"));
  await screen.findByRole("link", { name: `${t("inbox")} 1` });
  add();
  push("portal", "notification_activity", {});
  await screen.findByRole("link", { name: `${t("inbox")} 2` });
  await click(await screen.findByRole("button", { name: t("inbox.markAll", { count: 2 }) }));
  await screen.findByRole("link", { name: t("inbox") });
});
