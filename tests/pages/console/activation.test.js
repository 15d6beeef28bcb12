import { t } from "../../../competition/plugins/console/static/words.js";
import { when } from "../../../competition/plugins/pages/static/ground/dates.js";
import { whenInWords } from "../../../competition/plugins/pages/static/pieces/page.js";
import { equal, ok, test } from "../kit/cases.js";
import { example } from "../kit/examples.js";
import { open, staff } from "../kit/front-end.js";
import { says, words } from "../kit/said.js";
import { click, frame, screen, within } from "../kit/screen.js";
import { refused, Service } from "../kit/service.js";

const ID = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a002";
const NAME = "Amara Obi";
const ACTIVATION = "PUT /account-management/{user_id}/activation/";
const PREVIEW = "GET /account-management/{user_id}/activation/preview/";

/** @param {boolean} is_active @param {Record<string, any>} [replies] */
async function show(is_active, replies) {
  const user = { id: ID, first_name: "Amara", last_name: "Obi" };
  const service = new Service({
    "GET /candidates/{candidate_id}/": () => example("CandidateDetail", { user, is_active }),
    "GET /staff/{staff_id}/": () => example("StaffProfile", { user: { ...user, is_email_verified: true }, is_active, role: "volunteer" }),
    [ACTIVATION]: () => example(ACTIVATION),
    ...replies,
  });
  await open(`/console/candidates/${ID}`, { as: staff("manager"), service });
  await screen.findByRole("heading", { name: NAME, level: 1 });
  return service;
}

test("a deactivation names the exams and sessions that it ends before it is confirmed", async () => {
  const session = (/** @type {string | null} */ device) => example("EndingSession", { device, refreshed_at: "2026-03-10T09:00:00Z" });
  const exam = (/** @type {number} */ id) => example("RunningExam", { id, title: `Round ${id}`, deadline: "2026-03-10T11:00:00Z" });
  const service = await show(true, {
    [PREVIEW]: example(PREVIEW, { sessions: [session("Chrome on Android"), session(null)], running_exams: [exam(1), exam(2)], erase_at: "2026-03-24T10:00:00Z" }),
  });
  await click(await screen.findByRole("button", { name: t("activation.deactivate") }));
  const dialog = await screen.findByRole("dialog", { name: t("activation.deactivateOne", { name: NAME }) });
  for (const title of ["Round 1", "Round 2"]) await says(t("activation.sitting", { name: NAME, exam: title, until: whenInWords("2026-03-10T11:00:00Z") }), dialog);
  await says(t("activation.deactivatesCandidate", { name: NAME }), dialog);
  await says(t("activation.sessions", { count: 2 }), dialog);
  await says(t("activation.erasure", { day: "24 Mar 2026" }), dialog);
  const items = within(dialog).getAllByRole("listitem").map(words);
  equal(items, ["Chrome on Android", t("activation.unknownDevice")].map((device) => t("activation.session", { device, when: whenInWords("2026-03-10T09:00:00Z", when) })));
  equal(service.sent(ACTIVATION).length, 0);
  await click(within(dialog).getByRole("button", { name: t("activation.deactivate") }));
  await says(t("activation.deactivated", { name: NAME }));
  equal(service.sent(ACTIVATION).map(({ params, body }) => [params.user_id, body]), [[ID, { is_active: false }]]);
});

test("an account without sessions is deactivated, also if plugins are disabled", async () => {
  await show(true, { [PREVIEW]: () => ({ sessions: [], running_exams: [], erase_at: null }) });
  await click(await screen.findByRole("button", { name: t("activation.deactivate") }));
  const dialog = await screen.findByRole("dialog");
  await says(t("activation.noSessions"), dialog);
  ok(!words(dialog).includes(t("activation.sittingWhat")));
});

test("an account is activated again, unless the user declines", async () => {
  const service = await show(false);
  const activate = await screen.findByRole("button", { name: t("activation.activate") });
  await click(activate);
  await click(within(await screen.findByRole("dialog", { name: t("activation.activateOne", { name: NAME }) })).getByRole("button", { name: "Cancel" }));
  await frame();
  ok(!words().includes(t("activation.activated", { name: NAME })));
  await click(activate);
  equal(service.sent(ACTIVATION).length, 0);
  await click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("activation.activate") }));
  await says(t("activation.activated", { name: NAME }));
  equal(service.sent(ACTIVATION)[0]?.body, { is_active: true });
});

test("a rejected change is explained in the dialog, and changes nothing", async () => {
  await show(false, { [ACTIVATION]: () => refused(403, "permission_denied") });
  await click(await screen.findByRole("button", { name: t("activation.activate") }));
  const dialog = await screen.findByRole("dialog");
  await click(within(dialog).getByRole("button", { name: t("activation.activate") }));
  await within(dialog).findByRole("alert");
  ok(!words().includes(t("activation.activated", { name: NAME })));
});
