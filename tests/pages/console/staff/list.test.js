import { t } from "../../../../competition/plugins/console/static/staff/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says, words } from "../../kit/said.js";
import { click, fill, screen } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const row = (/** @type {number} */ number, /** @type {string} */ first_name, more = {}) => {
  const { user, ...rest } = /** @type {any} */ (more);
  return example("StaffItem", { is_active: true, ...rest, user: { id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${number}`, first_name, last_name: "Ade", is_email_verified: true, ...user } });
};
const rows = () => [row(1, "Maria"), row(2, "Femi", { user: { is_email_verified: false } }), row(3, "Kofi", { status: "deactivated", is_active: false, user: { is_email_verified: false } }), row(4, "Ines", { status: "pending" })];
const rowOf = (/** @type {string} */ name) => screen.findByRole("row", { name: new RegExp(name) });

test("managers open the pages of staff, and invite", async () => {
  await open("/console/staff", { as: staff("manager"), service: new Service({ "GET /staff/": page(rows()) }) });
  ok(words(await rowOf("Maria")).includes(t("staff.you")));
  ok(words(await rowOf("Femi")).includes(t("staff.state.invited")));
  ok(words(await rowOf("Kofi")).includes(t("staff.state.deactivated")));
  ok(words(await rowOf("Ines")).includes(t("staff.state.pending")));
  ok(!words(await rowOf("Ines")).includes(t("staff.you")));
  equal(screen.getByRole("link", { name: "Femi Ade" }).getAttribute("href"), "/console/staff/8f14e45f-ceea-467f-a1d5-d1b1c3b3a002");
  ok(screen.getByRole("link", { name: t("staff.invite") }));
  await says(t("staff.found", { count: 4 }));
});

test("moderators read the list only", async () => {
  await open("/console/staff", { as: staff("moderator"), service: new Service({ "GET /staff/": page([row(1, "Maria")]) }) });
  await rowOf("Maria");
  equal(screen.getByRole("main").querySelectorAll("tbody a").length, 0);
  equal(screen.queryByRole("link", { name: t("staff.invite") }), null);
  await says(t("staff.alone"));
});

const INVITE = "POST /staff/invite/";
/** @param {any} reply */
async function invite(reply) {
  const service = new Service({ [INVITE]: reply, "GET /staff/": page([]) });
  await open("/console/staff/invite", { as: staff("manager"), service });
  await arrived(t("staff.inviteTitle"));
  // Staff can only give roles below their own.
  equal([...screen.getByLabelText(t("staff.role")).options].map((each) => each.value), ["sponsor", "volunteer", "moderator", "admin"]);
  await fill(screen.getByLabelText(t("staff.firstName")), "Tunde");
  await fill(screen.getByLabelText(t("staff.lastName")), "Bello");
  await fill(screen.getByLabelText(t("staff.email")), "tunde@school.example");
  await fill(screen.getByLabelText(t("staff.phone")), "+2348012345678");
  await click(screen.getByRole("button", { name: t("staff.sendInvitation") }));
  return service;
}

test("an invitation is sent, and the list says so", async () => {
  const service = await invite(() => new Reply(201, example("POST /staff/invite/")));
  await arrived(t("staff.title"));
  await says(t("staff.invited", { name: "Tunde Bello", email: "tunde@school.example" }));
  equal(service.sent(INVITE)[0]?.body, { first_name: "Tunde", last_name: "Bello", email: "tunde@school.example", phone: "+2348012345678", occupation: "", role: "volunteer" });
  ok(service.sent(INVITE)[0]?.headers.get("Idempotency-Key"));
});

test("an invitation to a known address keeps what was typed", async () => {
  await invite(() => refused(400, "invalid", "Wrong.", { errors: { email: ["An account has this address."] } }));
  await says("An account has this address.", await screen.findByRole("alert"));
  equal(screen.getByLabelText(t("staff.firstName")).value, "Tunde");
  equal(location.pathname, "/console/staff/invite");
});
