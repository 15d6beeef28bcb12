import { t } from "../../../../competition/plugins/console/static/staff/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { says, words } from "../../kit/said.js";
import { click, screen, within } from "../../kit/screen.js";
import { page, refused, Service } from "../../kit/service.js";

const RESTORE = "POST /users/{user_id}/restore/";
const item = (/** @type {number} */ number, /** @type {string} */ full_name, more = {}) => example("DeletionItem", { user_id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${number}`, full_name, role: "screening", ...more });

/** @param {any[]} rows @param {string} [role] @param {any} [reply] */
async function leaving(rows, role = "manager", reply) {
  let all = rows;
  const service = new Service({
    "GET /users/deletions/": () => example("GET /users/deletions/", page(all)),
    [RESTORE]: reply ?? (({ params }) => {
      all = all.filter((each) => each.user_id !== params.user_id);
      return example(RESTORE);
    }),
  });
  await open("/console/leaving", { as: staff(role), service });
  await screen.findByRole("row", { name: new RegExp(rows[0].full_name) });
  return service;
}
const restore = (/** @type {string} */ name) => screen.queryByRole("button", { name: t("staff.restoreNow", { name }) });

test("only accounts of a lower rank can be restored", async () => {
  await leaving([item(2, "Femi", { role: "manager" }), item(3, "Tunde", { role: "admin" }), item(4, "Amara"), item(5, "Kofi", { role: "sponsor" })]);
  equal(["Femi", "Tunde", "Amara", "Kofi"].filter(restore), ["Tunde", "Amara", "Kofi"]);
  ok(words(screen.getByRole("row", { name: /Amara/ })).includes(t("staff.candidate", { stage: t("people.stage.screening") })));
  ok(words(screen.getByRole("row", { name: /Femi/ })).includes(t("staff.role.manager")));
});

test("a superadmin restores managers too", async () => {
  await leaving([item(2, "Femi", { role: "manager" }), item(3, "Ada", { role: "superadmin" })], "superadmin");
  equal(["Femi", "Ada"].filter(restore), ["Femi"]);
});

for (const [is_own, what, by] of /** @type {[boolean, any, any][]} */ ([[false, "staff.restores", "staff.byManager"], [true, "staff.restoresOwn", "staff.byOwner"]])) {
  test(`an account is restored after the question ${what}`, async () => {
    const service = await leaving([item(2, "Amara Obi", { is_own })]);
    ok(words(screen.getByRole("row", { name: /Amara Obi/ })).includes(t(by)));
    await click(restore("Amara Obi"));
    const dialog = await screen.findByRole("dialog", { name: t("staff.restoreOne", { name: "Amara Obi" }) });
    await says(t(what, { name: "Amara Obi" }), dialog);
    equal(service.sent(RESTORE).length, 0);
    await click(within(dialog).getByRole("button", { name: t("staff.restore") }));
    await says(t("staff.restored", { name: "Amara Obi" }));
    await says(t("staff.noneLeaving"));
  });
}

test("several accounts are restored together, and the question says who has asked for the deletion", async () => {
  const service = await leaving([item(2, "Amara"), item(3, "Ben", { is_own: true })]);
  await click(screen.getByRole("button", { name: "Select this page" }));
  await click(screen.getByRole("button", { name: t("staff.restoreThem", { count: 2 }) }));
  const dialog = await screen.findByRole("dialog");
  await says(t("staff.restoresThemOwn", { count: 1 }), dialog);
  await click(within(dialog).getByRole("button", { name: t("staff.restoreThem", { count: 2 }) }));
  await says(t("staff.restoredThem", { count: 2 }));
  await says(t("staff.noneLeaving"));
  equal(service.sent(RESTORE).length, 2);
});

test("accounts that can't be restored are named", async () => {
  await leaving([item(2, "Amara"), item(3, "Femi", { role: "manager" })], "manager", ({ params }) => (params.user_id.endsWith("3") ? refused(403, "permission_denied", "Femi has your rank.") : example(RESTORE)));
  await click(screen.getByRole("button", { name: "Select this page" }));
  await click(screen.getByRole("button", { name: t("staff.restoreThem", { count: 2 }) }));
  const dialog = await screen.findByRole("dialog");
  await says(t("staff.restoresThem"), dialog);
  await click(within(dialog).getByRole("button", { name: t("staff.restoreThem", { count: 2 }) }));
  await says("“Femi”: Femi has your rank.");
  await says(t("staff.restoredThem", { count: 1 }));
});
