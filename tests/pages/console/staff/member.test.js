import { t } from "../../../../competition/plugins/console/static/staff/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { says, words } from "../../kit/said.js";
import { choose, click, screen, waitFor, within } from "../../kit/screen.js";
import { page, Reply, Service } from "../../kit/service.js";

const ID = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a002";
const NAME = "Tunde Bello";
const user = { id: ID, first_name: "Tunde", last_name: "Bello", email: "tunde@school.example", is_email_verified: true };
const ACTS = ["staff.changeRole", "people.edit", "activation.deactivate", "staff.delete", "staff.withdraw"];

/** @param {string} role @param {string} own @param {Record<string, any>} [more] @param {Record<string, any>} [replies] */
async function member(role, own, more, replies) {
  const service = new Service({ "GET /staff/{staff_id}/": () => example("StaffProfile", { is_active: true, role, ...more, user: { ...user, ...more?.user } }), ...replies });
  await open(`/console/staff/${ID}`, { as: own === "self" ? staff(role, { id: ID }) : staff(own), service });
  await screen.findByRole("heading", { name: NAME, level: 1 });
  await says(t(/** @type {any} */ (`staff.may.${role}`)));
  return service;
}

const acts = () => ACTS.filter((each) => screen.queryAllByRole("button", { name: t(/** @type {any} */ (each)) }).length);

for (const [role, own, expected] of /** @type {[string, string, string[]][]} */ ([
  ["admin", "manager", ["staff.changeRole", "people.edit", "activation.deactivate", "staff.delete"]],
  ["manager", "manager", []],
  // Superadmins edit and deactivate each other.
  ["superadmin", "superadmin", ["people.edit", "activation.deactivate"]],
  ["manager", "self", []],
  ["sponsor", "manager", ["staff.changeRole", "people.edit", "activation.deactivate", "staff.delete"]],
])) {
  test(`the buttons of a ${own} for a ${role}`, async () => {
    await member(role, own);
    equal(acts(), expected);
    const isSelf = own === "self";
    equal(words().includes(t("staff.own")), isSelf);
    equal(words().includes(t("staff.notBelow")), !isSelf && role === own);
    equal(screen.getByRole("link", { name: t("staff.documents") }).getAttribute("href"), `/console/documents/${ID}`);
  });
}

test("a role below one's own is given", async () => {
  const service = await member("volunteer", "manager", {}, { "PUT /staff/{staff_id}/roles/assign/": ({ body }) => example("PUT /staff/{staff_id}/roles/assign/", body) });
  equal(service.sent("GET /staff/{staff_id}/")[0]?.query.get("documents"), "false");
  await click(screen.getByRole("button", { name: t("staff.changeRole") }));
  const dialog = await screen.findByRole("dialog");
  const select = within(dialog).getByLabelText(t("staff.role"));
  equal([...select.options].map((each) => each.value), ["sponsor", "volunteer", "moderator", "admin"]);
  await choose(select, t("staff.roleAndMay", { role: t("staff.role.admin"), may: t("staff.may.admin") }));
  await click(within(dialog).getByRole("button", { name: t("staff.changeRole") }));
  await says(t("staff.roleChanged", { name: NAME, role: t("staff.role.admin") }));
  equal(service.sent("PUT /staff/{staff_id}/roles/assign/")[0]?.body, { role: "admin" });
});

test("an invitation is withdrawn, after a question that says until when it can be restored", async () => {
  const service = await member("volunteer", "manager", { user: { is_email_verified: false } }, {
    "GET /users/deletions/": () => example("GET /users/deletions/", { deletion_days: 14 }),
    "DELETE /users/{user_id}/": () => new Reply(202, example("DELETE /users/{user_id}/", { erase_at: "2026-03-24T10:00:00Z" })),
  });
  await says(t("staff.isInvited", { name: NAME }));
  await says(t("staff.askSuperadmin"));
  equal(acts().slice(-1), ["staff.withdraw"]);
  equal(service.sent("GET /mails/").length, 0);
  await click(screen.getByRole("button", { name: t("staff.withdraw") }));
  const dialog = await screen.findByRole("dialog", { name: t("staff.withdrawOne", { name: NAME }) });
  await says(t("staff.withdraws", { count: 14 }), dialog);
  await click(within(dialog).getByRole("button", { name: t("staff.withdraw") }));
  await says(t("staff.deleted", { name: NAME, day: "24 Mar 2026" }));
});

test("a superadmin sends an invitation again", async () => {
  let state = "failed";
  const mail = () => example("Mail", { id: 3, state, last_error: state === "failed" ? "No connection." : null });
  const service = await member("volunteer", "superadmin", { user: { is_email_verified: false } }, {
    "GET /mails/": () => page([mail()]),
    "POST /mails/{mail_id}/resend/": () => {
      state = "pending";
      return new Reply(202, mail());
    },
  });
  const row = await screen.findByRole("row", { name: /No connection/ });
  ok(words(row).includes(t("staff.mail.failed")));
  equal(service.sent("GET /mails/")[0]?.query.get("recipient"), user.email);
  await click(within(row).getByRole("button", { name: t("staff.resend") }));
  await says(t("staff.resent", { email: user.email }));
  await screen.findByText(t("staff.mail.pending"));
  equal(service.sent("POST /mails/{mail_id}/resend/")[0]?.params, { mail_id: "3" });
});

test("an invitation whose email is no longer stored", async () => {
  await member("volunteer", "superadmin", { user: { is_email_verified: false } }, { "GET /mails/": page([]) });
  await says(t("staff.noMail"));
});

test("an account is deactivated, and the page is read again", async () => {
  let is_active = true;
  const service = await member("volunteer", "manager", {}, {
    "GET /staff/{staff_id}/": () => example("StaffProfile", { is_active, role: "volunteer", user }),
    "PUT /account-management/{user_id}/activation/": ({ body }) => {
      ({ is_active } = body);
      return example("PUT /account-management/{user_id}/activation/");
    },
  });
  await click(screen.getByRole("button", { name: t("activation.deactivate") }));
  const dialog = await screen.findByRole("dialog");
  await says(t("activation.deactivates", { name: NAME }), dialog);
  await click(within(dialog).getByRole("button", { name: t("activation.deactivate") }));
  await screen.findByRole("button", { name: t("activation.activate") });
  equal(service.sent("PUT /account-management/{user_id}/activation/").length, 1);
});

test("an account is deleted, which is not called a withdrawal", async () => {
  await member("volunteer", "manager", {}, { "GET /users/deletions/": () => example("GET /users/deletions/", { deletion_days: 14 }) });
  await click(screen.getByRole("button", { name: t("staff.delete") }));
  await says(t("staff.deletes", { name: NAME, count: 14 }), await screen.findByRole("dialog", { name: t("staff.deleteOne", { name: NAME }) }));
});

test("the page is read again when the user comes back to its tab", async () => {
  const service = await member("volunteer", "manager");
  document.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => equal(service.sent("GET /staff/{staff_id}/").length, 2));
});
