import { t as mails } from "../../../../competition/plugins/pages/static/pieces/more/words.js";
import { t } from "../../../../competition/plugins/portal/static/account/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open } from "../../kit/front-end.js";
import { arrived, says, saysNo } from "../../kit/said.js";
import { choose, click, fill, pick, screen, within } from "../../kit/screen.js";
import { refused, Reply, Service } from "../../kit/service.js";
import { pressed, type } from "./forms.js";

const ACCOUNT = "GET /account-management/";
const CHANGE = "PATCH /account-management/";
const END = "DELETE /auth/sessions/{session_id}/";
const DELETE = "DELETE /users/me/";
const LONG = "Wolfeschlegelsteinhausenbergerdorff";

/** @param {number} number */
const id = (number) => `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${number}`;
/** @param {number} number @param {Record<string, any>} [values] */
const device = (number, values) => example("SessionShape", { id: id(number), device: `Phone ${number}`, ...values });
const HERE = device(1, { device: "Laptop", current: true });

/**
 * The page of an account that the stand-in service keeps.
 *
 * @param {Record<string, any>} [replies]
 * @param {{ user?: any, profile?: any, settings?: any, files_origin?: any }} [given]
 */
async function opened(replies, { user, profile, settings = {}, files_origin = null } = {}) {
  const kept = example(ACCOUNT, { profile: { has_email: true, school: "Hillside School", ...profile, user: { first_name: "Amara", last_name: "Obi", phone: "+491234567", email: "amara@school.example", ...user } } });
  let version = 1;
  const service = new Service({
    [ACCOUNT]: () => new Reply(200, structuredClone(kept), { ETag: `"${version}"` }),
    [CHANGE]: (/** @type {any} */ { body, headers }) => {
      if (headers.get("If-Match") && headers.get("If-Match") !== `"${version}"`) return refused(412, "precondition_failed");
      version += 1;
      if (body instanceof FormData) kept.profile.user.profile_picture = "/static/picture.png";
      else {
        const { school, ...own } = body;
        Object.assign(kept.profile.user, own);
        if (school) kept.profile.school = school;
      }
      return example(CHANGE, { profile: kept.profile });
    },
    "GET /user/verification/status/": example("VerificationRecord"),
    "GET /auth/sessions/": [HERE],
    ...replies,
  });
  Object.assign(service.config, { settings, files_origin });
  await open("/account", { as: candidate(), service });
  await arrived(t("account"));
  await screen.findByRole("button", { name: t("account.save") });
  return { service, kept };
}

const dialog = async () => within(await screen.findByRole("dialog"));

/** A picture of this size. @param {number} width @param {number} height */
async function photograph(width, height) {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.fillRect(0, 0, width, height);
  return new File([await canvas.convertToBlob({ type: "image/png" })], "me.png", { type: "image/png" });
}

/** @param {Blob} blob */
const size = async (blob) => {
  const { width, height } = await createImageBitmap(blob);
  return [width, height];
};

test("changed details are saved, with the version that they are from", async () => {
  const { service } = await opened();
  await type(t("account.firstName"), "Amarachi");
  await pressed(t("account.save"));
  await says(t("account.saved"));
  await saysNo(t("account.savedWaiting"));
  const [sent] = service.sent(CHANGE);
  equal(sent?.body, { first_name: "Amarachi", last_name: "Obi", phone: "+491234567", school: "Hillside School" });
  equal(sent?.headers.get("If-Match"), '"1"');
  // The frame shows the name.
  equal(JSON.parse(sessionStorage.getItem("portal.session") ?? "null").user.user.first_name, "Amarachi");
});

test("a school that the league checks first is not called saved", async () => {
  const changes = [example("IdentityChange", { field: "school", old: "Hillside School", new: LONG })];
  let isSent = false;
  await opened({
    [CHANGE]: () => {
      isSent = true;
      return example(CHANGE, { profile: { school: "Hillside School", user: { first_name: "Amara", last_name: "Obi" } } });
    },
    "GET /user/verification/status/": () => example("VerificationRecord", isSent ? { changes } : {}),
  });
  await type(t("account.school"), LONG);
  await pressed(t("account.save"));
  await says(t("account.savedWaiting"));
  await says(t("account.becomes", { old: "Hillside School", new: LONG }));
});

test("spaces that the service removes, and another form of the phone number, are no change to check", async () => {
  await opened({ [CHANGE]: () => example(CHANGE, { profile: { school: "Hillside School", user: { first_name: "Amara Ada", last_name: "Obi", phone: "+4991311882" } } }) });
  await type(t("account.firstName"), " Amara   Ada ");
  await type(t("account.phone"), "+49 9131 1882");
  await pressed(t("account.save"));
  await says(t("account.saved"));
});

test("who is approved reads that a new name may be checked", async () => {
  await opened({}, { profile: { is_user_verified: true } });
  await says(t("account.checked"));
});

test("typed text stays when another part of the account is saved", async () => {
  const { service } = await opened();
  await type(t("account.phone"), "+49 9131 1882");
  await choose(screen.getByLabelText(mails("mails.language")), "Français");
  await pressed(mails("mails.use"));
  await says(mails("mails.saved"));
  await until(() => service.sent(ACCOUNT).length === 2);
  equal(screen.getByLabelText(t("account.phone")).value, "+49 9131 1882");
  // The form is based on an earlier version, but another part of the account is no conflict.
  await pressed(t("account.save"));
  await says(t("account.saved"));
  equal(service.sent(CHANGE).map((each) => each.body.phone), [undefined, "+49 9131 1882", "+49 9131 1882"]);
});

test("the language of emails is the league's again", async () => {
  const { service } = await opened({}, { user: { language: "fr" } });
  equal(screen.getByLabelText(mails("mails.language")).selectedOptions[0].text, "Français");
  await choose(screen.getByLabelText(mails("mails.language")), mails("mails.league"));
  await pressed(mails("mails.use"));
  await says(mails("mails.saved"));
  equal(service.sent(CHANGE)[0]?.body, { language: null });
});

test("a picture is shown, made smaller and sent, and can be removed", async () => {
  const { service } = await opened();
  await pick(screen.getByLabelText(t("account.choosePicture")), [await photograph(1600, 400)]);
  await screen.findByRole("img", { name: t("account.pictureNew") });
  await pressed(t("account.sendPicture"));
  await says(t("account.pictureSaved"));
  equal((await screen.findByRole("img", { name: t("account.pictureNow") })).getAttribute("src"), "/static/picture.png");
  equal(await size(service.sent(CHANGE)[0]?.body.get("profile_picture")), [800, 200]);
  await pressed(t("account.removePicture"));
  await click((await dialog()).getByRole("button", { name: t("account.removePicture") }));
  await says(t("account.pictureRemoved"));
  equal(service.sent(CHANGE)[1]?.body, { profile_picture: null });
  await until(() => screen.queryAllByRole("img", { name: t("account.pictureNow") }).length === 0);
});

test("a picture is sent only if the candidate wants it", async () => {
  const { service } = await opened();
  await pick(screen.getByLabelText(t("account.choosePicture")), [await photograph(100, 100)]);
  await pressed(t("account.notThis"));
  await screen.findByLabelText(t("account.choosePicture"));
  equal(service.sent(CHANGE), []);
});

test("a file that is no picture is named", async () => {
  await opened();
  await pick(screen.getByLabelText(t("account.choosePicture")), [new File(["no picture"], "notes.txt.jpg", { type: "image/jpeg" })]);
  await says(t("account.noPicture"));
  await pick(screen.getByLabelText(t("account.choosePicture")), [await photograph(100, 100)]);
  await saysNo(t("account.noPicture"));
});

test("a picture in a bucket is mentioned, because the page may not load it", async () => {
  await opened({}, { user: { profile_picture: "https://files.example/me.png" }, files_origin: "https://files.example" });
  await says(t("account.hasPicture"));
  equal(screen.queryAllByRole("img").length, 0);
});

test("a session elsewhere can be ended, this one can't", async () => {
  const rows = [HERE, device(2, { device: null })];
  const { service } = await opened({
    "GET /auth/sessions/": () => rows,
    [END]: () => void rows.pop(),
  });
  const row = await screen.findByRole("row", { name: new RegExp(t("account.unknownDevice")) });
  const own = screen.getByRole("row", { name: /Laptop/ });
  within(own).getByText(t("account.thisOne"));
  equal(within(own).queryAllByRole("button").length, 0);
  // One other device has its own button.
  equal(screen.queryAllByRole("button", { name: t("account.endOthers", { count: 1 }) }).length, 0);
  await click(within(row).getByRole("button"));
  await says(t("account.sessionEnded", { device: t("account.unknownDevice") }));
  equal(service.sent(END)[0]?.params.session_id, id(2));
  await until(() => screen.queryAllByRole("row").length === 2);
});

test("all other sessions are ended after a question that names them, also if one has just ended", async () => {
  const rows = [HERE, device(2), device(3)];
  const { service } = await opened({
    "GET /auth/sessions/": () => rows,
    [END]: (/** @type {any} */ { params }) => (params.session_id === id(2) ? refused(404, "not_found") : undefined),
  });
  const button = t("account.endOthers", { count: 2 });
  await pressed(button);
  const asked = await dialog();
  equal(asked.getAllByRole("listitem").map((/** @type {any} */ each) => each.textContent), ["Phone 2", "Phone 3"]);
  await click(asked.getByRole("button", { name: button }));
  await says(t("account.othersEnded", { count: 2 }));
  equal(service.sent(END).map((each) => each.params.session_id), [id(2), id(3)]);
});

test("a session that can't be ended is not called ended", async () => {
  await opened({ "GET /auth/sessions/": [HERE, device(2), device(3)], [END]: () => refused(403, "permission_denied") });
  const button = t("account.endOthers", { count: 2 });
  await pressed(button);
  const asked = await dialog();
  await click(asked.getByRole("button", { name: button }));
  await asked.findByRole("alert");
  await click(asked.getByRole("button", { name: "Cancel" }));
  await saysNo(t("account.othersEnded", { count: 2 }));
});

test("a copy of the own data is requested", async () => {
  const { service } = await opened({ "POST /users/me/export/": () => new Reply(202, example("POST /users/me/export/")) }, { settings: { "privacy.export_hours": 48 } });
  await pressed(mails("data.download"));
  await says(mails("data.sent"));
  equal(service.sent("POST /users/me/export/").length, 1);
});

test("the account is deleted with the password, and the page says until when that can be cancelled", async () => {
  const { service } = await opened(
    { [DELETE]: (/** @type {any} */ { body }) => (body.password === "right" ? new Reply(202, { message: "x", erase_at: "2026-03-17T10:00:00Z" }) : refused(400, "invalid", "Invalid.", { errors: { password: ["The password is incorrect."] } })) },
    { settings: { "privacy.deletion_days": 7 } },
  );
  const button = screen.getByRole("button", { name: t("account.deleteMine") });
  await click(button);
  await says(t("account.deleteWhat", { count: 7 }));
  const asked = await dialog();
  const [verb, keep] = [t("account.deleteFinally"), t("account.keep")].map((name) => asked.getByRole("button", { name }));
  // What can't be undone looks the same on the page and in its dialog.
  equal(verb.className, button.className);
  ok(keep.className !== button.className, "Both buttons look alike.");
  await fill(asked.getByLabelText(t("account.password")), "wrong");
  await click(verb);
  await says("The password is incorrect.");
  service.replies["POST /auth/token/refresh/"] = () => refused(401, "invalid_token");
  await fill(asked.getByLabelText(t("account.password")), "right");
  await click(verb);
  await arrived(t("signIn"));
  await says("Your account will be erased on");
  await says("17 Mar 2026, 10:00");
  equal(sessionStorage.getItem("portal.session"), null);
});

test("who keeps the account sends nothing", async () => {
  const { service } = await opened();
  await pressed(t("account.deleteMine"));
  await click((await dialog()).getByRole("button", { name: t("account.keep") }));
  await until(() => screen.queryAllByRole("dialog").length === 0);
  equal(service.sent(DELETE), []);
});

test("an account without email shows its login and year, and where its code is", async () => {
  const { service } = await opened({}, { user: { email: "bcd234@slip.invalid", phone: "" }, profile: { has_email: false, year: 7 } });
  await says("bcd234");
  await says(t("account.codeOnSlip"));
  await says(t("account.year"));
  equal(screen.queryAllByRole("link", { name: t("account.changePassword") }).length, 0);
  await type(t("account.firstName"), "Emmy");
  await pressed(t("account.save"));
  await says(t("account.saved"));
  equal(service.sent(CHANGE)[0]?.body.first_name, "Emmy");
  ok(!("phone" in service.sent(CHANGE)[0]?.body), "An empty phone number was sent.");
});
