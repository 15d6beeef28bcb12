import { t } from "../../../competition/plugins/console/static/words.js";
import { equal, test } from "../kit/cases.js";
import { example } from "../kit/examples.js";
import { open, staff } from "../kit/front-end.js";
import { says } from "../kit/said.js";
import { click, fill, screen, within } from "../kit/screen.js";
import { refused, Reply, Service } from "../kit/service.js";

const ID = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a002";
const READ = "GET /account-management/{user_id}/";
const CHANGE = "PATCH /account-management/{user_id}/";
const user = { id: ID, first_name: "Tunde", last_name: "Belo", phone: "+2348012345678" };

/** @param {string} path @param {Record<string, any>} replies */
async function edit(path, replies) {
  const service = new Service({
    "GET /candidates/{candidate_id}/": () => example("CandidateDetail", { user }),
    "GET /staff/{staff_id}/": () => example("StaffProfile", { user: { ...user, is_email_verified: true }, is_active: true }),
    ...replies,
  });
  await open(path, { as: staff("manager"), service });
  await click(await screen.findByRole("button", { name: t("people.edit") }));
  const dialog = await screen.findByRole("dialog", { name: t("people.editOne", { name: "Tunde Belo" }) });
  await within(dialog).findByLabelText(t("people.lastName"));
  return { service, dialog };
}

test("a candidate's details are changed, without a link to a document", async () => {
  const { service, dialog } = await edit(`/console/candidates/${ID}`, {
    [READ]: () => new Reply(200, { profile: example("Account", { profile: { user, school: "Hillside School" } }).profile }, { ETag: '"1"' }),
    [CHANGE]: () => example(CHANGE),
  });
  equal(service.sent(READ).map((each) => each.query.get("documents")), ["false"]);
  await fill(within(dialog).getByLabelText(t("people.school")), "Hillside");
  await click(within(dialog).getByRole("button", { name: t("people.save") }));
  await says(t("people.saved", { name: "Tunde Belo" }));
  const [sent] = service.sent(CHANGE);
  equal([sent?.headers.get("If-Match"), sent?.body], ['"1"', { first_name: "Tunde", last_name: "Belo", phone: "+2348012345678", school: "Hillside" }]);
});

test("changes by another person are kept", async () => {
  let phone = user.phone;
  const profile = () => ({ profile: { ...example("StaffProfile", { user: { ...user, phone }, occupation: "Teacher" }) } });
  const { service, dialog } = await edit(`/console/staff/${ID}`, {
    [READ]: () => new Reply(200, profile(), { ETag: `"${phone}"` }),
    [CHANGE]: ({ headers }) => (headers.get("If-Match") === `"${phone}"` ? example(CHANGE) : refused(412, "precondition_failed")),
  });
  phone = "+2348000000000";
  await fill(within(dialog).getByLabelText(t("people.lastName")), "Bello");
  await fill(within(dialog).getByLabelText(new RegExp(t("staff.occupation"))), "Teacher of physics");
  await click(within(dialog).getByRole("button", { name: t("people.save") }));
  await click(await within(dialog).findByRole("button", { name: "Save both" }));
  await says(t("people.saved", { name: "Tunde Belo" }));
  equal(service.sent(CHANGE).at(-1)?.body, { first_name: "Tunde", last_name: "Bello", phone, occupation: "Teacher of physics" });
});

test("nothing is sent by Cancel", async () => {
  const { service, dialog } = await edit(`/console/staff/${ID}`, { [READ]: () => ({ profile: example("StaffProfile", { user }) }) });
  const before = service.sent("GET /staff/{staff_id}/").length;
  await click(within(dialog).getByRole("button", { name: t("people.cancel") }));
  equal([service.sent(CHANGE).length, service.sent("GET /staff/{staff_id}/").length], [0, before]);
});
