import { t } from "../../../../competition/plugins/console/static/documents/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { named, says, words } from "../../kit/said.js";
import { click, frame, press, screen, waitFor, within } from "../../kit/screen.js";
import { page, Service } from "../../kit/service.js";

const ID = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a002";
const user = { id: ID, first_name: "Amara", last_name: "Oby", email: "amara&cc=x?y@school.example" };
const acts = ["documents.approve", "documents.reject", "documents.skip"];

/**
 * @param {Record<string, any>} record
 * @param {{ as?: any, profile?: Record<string, any>, files?: Record<string, Blob | null> }} [options]
 */
async function review(record, { as = staff("manager"), profile = {}, files = {} } = {}) {
  const shape = profile.profile_type === "staff" ? example("StaffProfile", { user, ...profile }) : example("Account", { profile: { user, school: "Hillside School", ...profile } }).profile;
  const service = new Service({
    "GET /account-management/{user_id}/": () => ({ profile: shape }),
    "GET /user/verification/status/{user_id}/": () => example("VerificationRecord", record),
    "GET /user/verification/list/": () => page([]),
  });
  const ask = globalThis.fetch;
  globalThis.fetch = async (address, options) => {
    const file = files[new URL(String(address), location.href).pathname];
    if (file === null) return new Response("", { status: 404 });
    return file ? new Response(file) : ask(address, options);
  };
  await open(`/console/documents/${ID}`, { as, service });
  await screen.findByRole("heading", { name: `${shape.user.first_name} ${shape.user.last_name}`, level: 1 });
  await screen.findByRole("region", { name: t("documents.id_card") });
  await frame();
  return service;
}

/** @param {number} width @param {number} height @returns {Promise<Blob>} */
const picture = (width, height) => new OffscreenCanvas(width, height).getContext("2d")?.canvas.convertToBlob() ?? Promise.reject(new Error("No canvas."));

const buttons = () => acts.filter((each) => screen.queryAllByRole("button", { name: t(/** @type {any} */ (each)) }).length);

test("a requested change is decided on, with reasons of its own", async () => {
  await review({ is_approved: true, changes: [{ field: "last_name", old: "Oby", new: "Obi" }], similar_accounts: [example("SimilarAccount", { id: "8f14e45f-ceea-467f-a1d5-d1b1c3b3a003", full_name: "Amara Oby", reasons: ["name_and_school", "document"] })] });
  await says("ObyObi", await screen.findByRole("row", { name: new RegExp(t("documents.field.last_name")) }));
  equal(screen.getByRole("link", { name: "Amara Oby" }).getAttribute("href"), "/console/documents/8f14e45f-ceea-467f-a1d5-d1b1c3b3a003");
  await says(`${t("documents.same.name_and_school")}, ${t("documents.same.document")}`);
  equal(buttons(), acts);
  equal(screen.getAllByRole("radio").map((each) => each.value), ["name", "proof", "other"]);
  await says(t("documents.thenChanged", { name: "Amara Oby" }));
});

test("managers do not decide on their own changes", async () => {
  const maria = staff("manager", { id: ID });
  const service = await review({ is_approved: true, changes: [{ field: "last_name", old: "Okafo", new: "Okafor" }] }, { as: maria });
  await says(t("documents.isOwn"));
  equal(buttons(), []);
  for (const key of ["a", "s"]) await press(key, document.body);
  equal(location.pathname, `/console/documents/${ID}`);
  equal(service.sent("POST /user/verification/action/{user_id}/").length, 0);
});

test("documents that are sent again show the earlier rejection", async () => {
  await review({ is_pending: true, earlier_decision: example("EarlierDecision", { rejection_reason: "Too dark.", reviewed_by: example("StaffProfile", { user: { first_name: "Tunde", last_name: "Bello" } }) }) });
  await says("Tunde Bello");
  await says(t("people.reasonWas", { reason: "Too dark." }));
  equal(buttons(), acts);
});

test("an earlier rejection without a manager or a reason", async () => {
  await review({ is_pending: true, earlier_decision: example("EarlierDecision") });
  await says(t("documents.noReason"));
});

test("a rejection says what staff can do if it was a mistake, and can't be decided on again", async () => {
  await review({ is_rejected: true, rejection_reason: "Too dark." });
  await says(t("documents.isRejected", { reason: "Too dark." }));
  await says(t("documents.ifMistake", { name: "Amara Oby" }));
  equal(screen.getByRole("link", { name: user.email }).getAttribute("href"), "mailto:amara%26cc%3Dx%3Fy@school.example");
  equal(buttons(), []);
});

for (const [record, key] of /** @type {[any, string][]} */ ([[{ is_approved: true }, "documents.isApproved"], [{ is_rejected: true }, "documents.isRejectedOnly"], [{}, "documents.isNothing"]])) {
  test(`the state ${key} is said`, async () => {
    await review(record);
    await says(t(/** @type {any} */ (key)));
    equal(buttons(), []);
  });
}

test("the review says what an approval of staff leads to", async () => {
  await review({ is_pending: true }, { profile: { profile_type: "staff", role: "volunteer", occupation: "Teacher" } });
  await says(t("documents.thenStaff", { name: "Amara Oby", role: t("staff.role.volunteer") }));
  await says(`Teacher ${t("documents.checkProof")}`);
  equal(screen.getByRole("link", { name: t("documents.openStaff") }).getAttribute("href"), `/console/staff/${ID}`);
});

test("the review says what an approval of a candidate leads to", async () => {
  await review({ is_pending: true });
  await says(t("documents.thenCandidate", { name: "Amara Oby", stage: t("people.stage.screening") }));
  await says(`Hillside School ${t("documents.checkLetter")}`);
  equal(screen.getByRole("link", { name: t("documents.open") }).getAttribute("href"), `/console/candidates/${ID}`);
  equal(named("button").filter((each) => each === t("documents.missing")).length, 0);
  equal(words().split(t("documents.missing")).length - 1, 3);
});

test("pictures are enlarged and turned, by keys and by buttons", async () => {
  await review({ is_pending: true }, { profile: { face_id: "/files/face", id_card: "/files/card" }, files: { "/files/face": await picture(600, 800), "/files/card": await picture(900, 600) } });
  const face = t("documents.face_id");
  const group = (/** @type {string} */ percent) => t("documents.picture", { document: face, percent });
  const shown = async () => (await screen.findByRole("img", { name: face })).getAttribute("viewBox");
  equal(await shown(), "0 0 600 800");
  await press("1", document.body);
  await press("+", document.body);
  await screen.findByRole("group", { name: group("150%") });
  await press("+", document.body);
  await screen.findByRole("group", { name: group("200%") });
  await press("-", document.body);
  await screen.findByRole("group", { name: group("150%") });
  await press("t", document.body);
  equal(await shown(), "0 0 800 600");
  await press("f", document.body);
  equal(await shown(), "0 0 600 800");
  await screen.findByRole("group", { name: group("100%") });
  const button = (/** @type {any} */ action) => screen.getByRole("button", { name: t("documents.of", { action: t(action), document: face }) });
  await click(button("documents.larger"));
  await click(button("documents.rotate"));
  equal(await shown(), "0 0 800 600");
  await screen.findByRole("group", { name: group("150%") });
  const card = t("documents.id_card");
  // The other picture stays as it was.
  ok(screen.getByRole("group", { name: t("documents.picture", { document: card, percent: "100%" }) }));
  await press("2", document.body);
  ok(screen.getByRole("button", { name: new RegExp(card), pressed: true }));
});

test("a PDF is framed, and gives the focus back that its viewer takes", async () => {
  const pdf = new Blob(["%PDF-1.4\n%%EOF\n"], { type: "application/pdf" });
  await review({ is_pending: true }, { profile: { id_card: "/files/card" }, files: { "/files/card": pdf } });
  const viewer = /** @type {HTMLIFrameElement} */ (await screen.findByTitle(t("documents.id_card")));
  ok(viewer.getAttribute("src")?.startsWith("blob:"));
  equal(screen.getByRole("link", { name: t("documents.newTab") }).getAttribute("href"), viewer.getAttribute("src"));
  await frame();
  const skip = screen.getByRole("button", { name: t("documents.skip") });
  skip.focus();
  viewer.focus();
  dispatchEvent(new Event("blur"));
  await waitFor(() => ok(document.activeElement === skip));
  // With Tab, the user has moved the focus there.
  await press("Tab", skip);
  viewer.focus();
  dispatchEvent(new Event("blur"));
  await frame();
  ok(document.activeElement === viewer);
});

test("a file that is neither has a link", async () => {
  await review({ is_pending: true }, { profile: { id_card: "/files/card" }, files: { "/files/card": new Blob(["x"], { type: "text/plain" }) } });
  ok((await screen.findByRole("link", { name: t("documents.newTab") })).getAttribute("href").startsWith("blob:"));
});

test("a document that can't be read is explained", async () => {
  await review({ is_pending: true }, { profile: { id_card: "/files/card" }, files: { "/files/card": null } });
  await within(await screen.findByRole("region", { name: t("documents.id_card") })).findByRole("alert");
});

test("the keys are listed", async () => {
  await review({ is_pending: true });
  await press("?", document.body);
  await click(screen.getByRole("button", { name: t("documents.keys") }));
  const dialog = await screen.findByRole("dialog");
  for (const each of acts) await says(t(/** @type {any} */ (each)), dialog);
});
