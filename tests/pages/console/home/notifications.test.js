import { t } from "../../../../competition/plugins/console/static/home/words.js";
import { equal, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says, words } from "../../kit/said.js";
import { choose, click, screen, waitFor, within } from "../../kit/screen.js";
import { page, Service } from "../../kit/service.js";

const ALL = "PATCH /notifications/mark-all-as-read/";
const ONE = "PATCH /notifications/{notification_id}/mark-as-read/";

/** @param {boolean[]} read */
async function notifications(...read) {
  const rows = read.map((each, at) => example("Notification", { id: at + 1, subject: `Subject ${at + 1}`, message: "Please come at nine.", read: each }));
  const service = new Service({
    "GET /notifications/": ({ query }) => {
      const status = query.get("status");
      const found = rows.filter((each) => !status || each.read === (status === "read"));
      return example("GET /notifications/", { ...page(found), stats: { unread_count: rows.filter((each) => !each.read).length } });
    },
    [ONE]: ({ params }) => {
      rows[Number(params.notification_id) - 1].read = true;
      return example(ONE);
    },
    [ALL]: () => {
      const unread = rows.filter((each) => !each.read);
      for (const each of unread) each.read = true;
      return example(ALL, { updated_count: unread.length });
    },
  });
  await open("/console/notifications", { as: staff("volunteer"), service });
  await arrived(t("home.notifications"));
  await screen.findByRole("row", { name: /Subject 1/ });
  return service;
}
const all = (/** @type {number} */ count) => screen.findByRole("button", { name: t("home.markRead", { count }) });

test("one notification is marked as read, then all others", async () => {
  const service = await notifications(false, true, false, false);
  await all(3);
  const row = screen.getByRole("row", { name: /Subject 3/ });
  await click(within(row).getByRole("button", { name: /Subject 3/ }));
  await click(await all(2));
  equal(service.sent(ONE).map((each) => each.params.notification_id), ["3"]);
  await says(t("home.marked", { count: 2 }));
  await waitFor(() => equal(screen.queryAllByRole("button", { name: /Subject/ }).length, 0));
  equal(screen.queryByRole("button", { name: t("home.markRead", { count: 2 }) }), null);
});

test("the list is filtered by the state", async () => {
  await notifications(false, true);
  await says(t("home.notificationsFound", { count: 2 }));
  await choose(screen.getByLabelText(t("home.state")), t("home.unread"));
  await waitFor(() => equal(words(screen.getByRole("table")).includes("Subject 2"), false));
  equal(location.search, "?status=unread");
  await choose(screen.getByLabelText(t("home.state")), t("home.read"));
  await screen.findByRole("row", { name: /Subject 2/ });
});
