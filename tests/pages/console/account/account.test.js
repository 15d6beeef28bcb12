import { t } from "../../../../competition/plugins/console/static/account/words.js";
import { when } from "../../../../competition/plugins/pages/static/ground/dates.js";
import { whenInWords } from "../../../../competition/plugins/pages/static/pieces/page.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { go, open, staff } from "../../kit/front-end.js";
import { arrived, says, saysNo, words } from "../../kit/said.js";
import { choose, click, fill, frame, pick, screen, waitFor, within } from "../../kit/screen.js";
import { refused, Reply, Service } from "../../kit/service.js";
import { useUploads } from "../../kit/uploads.js";

const READ = "GET /account-management/";
const CHANGE = "PATCH /account-management/";
const FACTOR = "GET /auth/second-factor/";
const BEGIN = "POST /auth/second-factor/";
const CONFIRM = "POST /auth/second-factor/confirm/";
const VERIFICATION = "GET /user/verification/status/";
const DELETE = "DELETE /users/me/";
const SECRET = { secret: "ABCDEFGHIJ", otpauth_url: "otpauth://totp/League:maria?secret=ABCDEFGHIJ" };
const PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
const CODES = ["aaaa-bbbb", "cccc-dddd"];

/**
 * The account page. The version of the account is the number of changes.
 *
 * @param {{ role?: string, profile?: Record<string, any>, user?: Record<string, any>, replies?: Record<string, any>, plugins?: string[] }} [options]
 */
async function account({ role = "admin", profile = {}, user = {}, replies, plugins = ["privacy"] } = {}) {
  useUploads();
  const as = staff(role);
  const { is_active, ...fields } = as.user;
  const own = example("StaffProfile", { is_user_verified: true, occupation: "Teacher", role, user: { ...fields, ...user }, ...profile });
  let version = 1;
  const service = new Service({
    [READ]: () => new Reply(200, { profile: own }, { ETag: `"${version}"` }),
    [CHANGE]: ({ body, headers }) => {
      const match = headers.get("If-Match");
      if (match && match !== `"${version}"`) return refused(412, "precondition_failed");
      version += 1;
      for (const [name, value] of body instanceof FormData ? body : Object.entries(body)) {
        const place = name in own.user ? own.user : own;
        place[name] = value instanceof File ? PICTURE : value;
      }
      return { profile: own, message: "Your profile is updated." };
    },
    [FACTOR]: example(FACTOR),
    "GET /auth/sessions/": [example("SessionShape", { current: true, device: "Firefox" })],
    ...replies,
  });
  service.config.settings = /** @type {any} */ ({ "privacy.deletion_days": 14 });
  await open("/console/account", { as, service, plugins });
  await arrived(t("nav.account"));
  await screen.findByLabelText(t("account.firstName"));
  return { service, own };
}
const button = (/** @type {any} */ key, values = {}) => screen.findByRole("button", { name: t(key, values) });
const press = async (/** @type {any} */ key, values = {}) => click(await button(key, values));
const field = (/** @type {any} */ key) => screen.getByLabelText(new RegExp(`^${t(key)}`));
const dialog = (/** @type {any} */ key) => screen.findByRole("dialog", { name: t(key) });

test("typed text stays when another part of the account is saved, and is saved with its own version", async () => {
  const { service, own } = await account();
  await fill(field("account.occupation"), "Teacher of chemistry");
  await choose(screen.getByLabelText("Language of your emails"), "Français");
  await click(screen.getByRole("button", { name: "Use this language" }));
  await waitFor(() => equal(service.sent(READ).length, 2));
  await frame();
  equal(field("account.occupation").value, "Teacher of chemistry");
  await press("account.save");
  await says("Your profile is updated.");
  // The first try has the version of before the language. Nobody else has changed the fields, so the page tries again.
  equal(service.sent(CHANGE).map((each) => each.headers.get("If-Match")), [null, '"1"', '"2"']);
  equal(own.occupation, "Teacher of chemistry");
});

test("a picture is added with the form and removed, and the form goes on with the new version", async () => {
  const { service, own } = await account();
  service.config.files = /** @type {any} */ ({ profile_picture: { types: ["image/png"], largest_bytes: 1000 } });
  await fill(field("account.firstName"), "Grace");
  await pick(screen.getByLabelText(new RegExp(t("account.picture"))), [new File(["x"], "me.png", { type: "image/png" })]);
  await press("account.save");
  await screen.findByRole("img", { name: t("account.yourPicture") });
  equal([own.user.first_name, service.sent(CHANGE)[0]?.headers.get("If-Match")], ["Grace", '"1"']);
  await press("account.removePicture");
  await waitFor(() => equal(screen.queryByRole("img", { name: t("account.yourPicture") }), null));
  equal(service.sent(CHANGE)[1]?.body, { profile_picture: null });
  await fill(field("account.lastName"), "Hopper");
  await press("account.save");
  await waitFor(() => equal(own.user.last_name, "Hopper"));
  // The form went on with the version that it had saved.
  equal(service.sent(CHANGE).map((each) => each.headers.get("If-Match")), ['"1"', null, '"2"', '"3"']);
});

test("invited staff confirm their address", async () => {
  const VERIFY = "POST /verify-email-otp/";
  const { service, own } = await account({
    user: { is_email_verified: false },
    replies: {
      "POST /send-email-otp/": () => example("POST /send-email-otp/"),
      [VERIFY]: ({ body }) => {
        if (body.otp !== "123456") return refused(400, "invalid", "Wrong.", { errors: { otp: ["The code is invalid."] } });
        own.user.is_email_verified = true;
        return example(VERIFY);
      },
    },
  });
  await says(t("account.confirmEmailWhy", { email: own.user.email }));
  await press("account.sendAgain");
  await says(t("account.codeSent", { email: own.user.email }));
  equal(service.sent("POST /send-email-otp/")[0]?.body, { email: own.user.email, resend: true });
  await fill(field("account.code"), "000000");
  await press("account.confirmEmailVerb");
  await says("The code is invalid.", await screen.findByRole("alert"));
  await fill(field("account.code"), "123456");
  await press("account.confirmEmailVerb");
  await says(t("account.emailConfirmed"));
  await saysNo(t("account.confirmEmailWhy", { email: own.user.email }));
});

const KEYS = /** @type {const} */ (["account.face_id", "account.id_card", "account.verification_document"]);
for (const again of [false, true]) {
  test(`the documents are sent ${again ? "again after a rejection" : "for the first time"}`, async () => {
    let record = example("VerificationRecord", again ? { is_rejected: true, rejection_reason: "Too dark." } : {});
    const send = `${again ? "PATCH" : "POST"} /user/verification/upload/`;
    const { service } = await account({
      profile: { is_user_verified: false },
      replies: {
        [VERIFICATION]: () => record,
        [send]: () => {
          record = example("VerificationRecord", { is_pending: true });
          return new Reply(again ? 200 : 201, example(send));
        },
      },
    });
    service.config.files = /** @type {any} */ (Object.fromEntries(KEYS.map((each) => [each.slice(8), { types: ["image/png"], largest_bytes: 1000 }])));
    await says(again ? t("account.identityRejected", { reason: "Too dark." }) : t("account.identityWhy"));
    for (const key of KEYS) await pick(screen.getByLabelText(t(key)), [new File([key], "a.png", { type: "image/png" })]);
    await press("account.sendDocuments");
    await says(t("account.documentsSent"));
    await says(t("account.identityWaits"));
    equal([...service.sent(send)[0]?.body.keys()], KEYS.map((each) => each.slice(8)));
  });
}

test("an approved identity", async () => {
  await account({ profile: { is_user_verified: false }, replies: { [VERIFICATION]: example("VerificationRecord", { is_approved: true }) } });
  await says(t("account.identityApproved"));
});

/** @param {Record<string, any>} [replies] */
async function setUp(replies) {
  let isSetUp = false;
  const made = await account({
    replies: {
      [FACTOR]: () => example(FACTOR, { is_set_up: isSetUp, recovery_codes_left: 9 }),
      [BEGIN]: () => new Reply(201, SECRET),
      [CONFIRM]: () => {
        isSetUp = true;
        return { recovery_codes: CODES };
      },
      ...replies,
    },
  });
  await press("account.setUp");
  return made;
}
async function confirmCode() {
  await screen.findByRole("img", { name: t("account.qr") });
  const own = within(await dialog("account.setUp"));
  await fill(own.getByLabelText(t("account.code")), "123456");
  await click(own.getByRole("button", { name: t("account.setUpVerb") }));
  await screen.findByRole("heading", { name: t("account.recovery"), level: 3 });
}
const codes = () => within(screen.getByRole("main")).getAllByRole("listitem").map(words).filter((/** @type {string} */ each) => CODES.includes(each));

test("a second factor is set up with a QR code, and its recovery codes are shown once", async () => {
  const { service } = await setUp();
  const canvas = /** @type {HTMLCanvasElement} */ (await screen.findByRole("img", { name: t("account.qr") }));
  await says("ABCD EFGH IJ", await dialog("account.setUp"));
  equal(screen.getByRole("link", { name: t("account.openApp") }).getAttribute("href"), SECRET.otpauth_url);
  // A light margin, the upper edge of a finder pattern, and a light module.
  const row = () => [...(canvas.getContext("2d")?.getImageData(0, 4, canvas.width, 1).data ?? [])].filter((_, at) => at % 4 === 0).map((red) => (red ? "0" : "1")).join("");
  await waitFor(() => equal(row().slice(0, 12), "000011111110"));
  await confirmCode();
  equal(codes(), CODES);
  await waitFor(() => equal(document.activeElement?.textContent, t("account.recovery")));
  equal(service.sent(CONFIRM)[0]?.body, { code: "123456" });
  void go("/console/");
  const question = await dialog("account.leaveCodes");
  await click(within(question).getByRole("button", { name: t("account.backToCodes") }));
  await press("account.kept");
  await says(t("account.factorOn", { count: 9 }));
});

test("the recovery codes are printed", async () => {
  await setUp();
  await confirmCode();
  let printed = 0;
  window.print = () => void (printed += 1);
  await click(screen.getByRole("button", { name: "Print" }));
  await waitFor(() => equal(printed, 1));
  equal([...document.querySelectorAll(".print-sheet code")].map((each) => each.textContent), CODES);
});

test("a second factor needs the password again after an old login", async () => {
  const { service } = await setUp({ [BEGIN]: ({ body }) => (body.password ? new Reply(201, SECRET) : refused(400, "invalid", "Wrong.", { errors: { password: ["Enter it again."] } })) });
  await says(t("account.passwordAgain"));
  await fill(within(await dialog("account.setUp")).getByLabelText(t("account.password")), "correct horse");
  await press("account.next");
  await screen.findByRole("img", { name: t("account.qr") });
  equal(service.sent(BEGIN).map((each) => each.body), [{}, { password: "correct horse" }]);
});

test("another failure of the set-up is explained, and can be tried again", async () => {
  const { service } = await setUp({ [BEGIN]: () => refused(403, "permission_denied") });
  const alert = await screen.findByRole("alert");
  service.replies[BEGIN] = () => new Reply(201, SECRET);
  await click(within(alert).getByRole("button", { name: "Try again" }));
  await screen.findByRole("img", { name: t("account.qr") });
});

test("recovery codes are renewed with the password and a code", async () => {
  const RENEW = "POST /auth/second-factor/recovery-codes/";
  const { service } = await account({
    replies: {
      [FACTOR]: example(FACTOR, { is_set_up: true, recovery_codes_left: 9 }),
      [RENEW]: ({ body }) => (body.code === "used" ? refused(400, "invalid", "Wrong.", { errors: { code: ["The code is invalid."] } }) : new Reply(201, { recovery_codes: CODES })),
    },
  });
  await press("account.renew");
  const own = within(await dialog("account.renew"));
  await fill(own.getByLabelText(t("account.password")), "correct horse");
  for (const code of ["used", "new"]) {
    await fill(own.getByLabelText(t("account.appOrRecovery")), code);
    await click(own.getByRole("button", { name: t("account.renewVerb") }));
    if (code === "used") await says("The code is invalid.", await own.findByRole("alert"));
  }
  await screen.findByRole("heading", { name: t("account.recovery"), level: 3 });
  equal(service.sent(RENEW).at(-1)?.body, { password: "correct horse", code: "new" });
});

test("the second factor is removed", async () => {
  let is_set_up = true;
  const { service } = await account({ replies: { [FACTOR]: () => example(FACTOR, { is_set_up }), "DELETE /auth/second-factor/": () => void (is_set_up = false) } });
  await press("account.removeFactor");
  const own = within(await dialog("account.removeFactor"));
  await fill(own.getByLabelText(t("account.appOrRecovery")), "123456");
  await click(own.getByRole("button", { name: t("account.removeVerb") }));
  await says(t("account.factorRemoved"));
  await button("account.setUp");
  equal(service.sent("DELETE /auth/second-factor/")[0]?.body, { code: "123456" });
});

const OTHER = { id: "8f14e45f-ceea-467f-a1d5-d1b1c3b3a009" };
test("another session is ended, but not this one", async () => {
  let all = [example("SessionShape", { current: true, device: "Firefox" }), example("SessionShape", OTHER)];
  const { service } = await account({ replies: { "GET /auth/sessions/": () => all, "DELETE /auth/sessions/{session_id}/": () => void (all = all.slice(0, 1)) } });
  const unknown = await screen.findByRole("row", { name: new RegExp(t("account.unknownDevice")) });
  equal(within(screen.getByRole("row", { name: /Firefox/ })).queryAllByRole("button").length, 0);
  await click(within(unknown).getByRole("button"));
  await says(t("account.ended", { device: t("account.unknownDevice") }));
  await says(t("account.noOthers"));
  equal(service.sent("DELETE /auth/sessions/{session_id}/")[0]?.params.session_id, OTHER.id);
});

test("all sessions are named before they are ended", async () => {
  const { service } = await account({ replies: { "GET /auth/sessions/": [example("SessionShape", { current: true, device: "Firefox" }), example("SessionShape", OTHER)] } });
  await press("account.endAll");
  const own = within(await dialog("account.endAll"));
  equal(own.getAllByRole("listitem").map(words), ["Firefox", t("account.unknownDevice")]);
  ok(own.getByRole("button", { name: t("account.endAllVerb", { count: 2 }) }));
  await click(own.getByRole("button", { name: "Cancel" }));
  equal(service.sent("DELETE /auth/sessions/").length, 0);
});

for (const is_set_up of [false, true]) {
  test(`the account is deleted with the password${is_set_up ? " and a code" : ""}`, async () => {
    const { service } = await account({ replies: { [FACTOR]: example(FACTOR, { is_set_up }), [DELETE]: () => new Reply(202, example(DELETE, { erase_at: "2026-03-24T10:00:00Z" })) } });
    await press("account.deleteMine");
    const shown = await dialog("account.deleteMine");
    await says(t("account.deleteWhat", { count: 14 }), shown);
    await fill(await within(shown).findByLabelText(t("account.password")), "correct horse");
    equal(within(shown).queryAllByLabelText(t("account.appOrRecovery")).length, is_set_up ? 1 : 0);
    if (is_set_up) await fill(within(shown).getByLabelText(t("account.appOrRecovery")), "123456");
    service.replies["POST /auth/token/refresh/"] = () => refused(401, "not_authenticated");
    await click(within(shown).getByRole("button", { name: t("account.deleteMine") }));
    await arrived(t("account.signIn"));
    await says(t("account.deleted", { when: whenInWords("2026-03-24T10:00:00Z", when) }));
    equal(sessionStorage.getItem("console.session"), null);
    equal(service.sent(DELETE)[0]?.body, { password: "correct horse", code: is_set_up ? "123456" : null });
  });
}

test("superadmins can't delete their account here", async () => {
  await account({ role: "superadmin" });
  await says(t("account.deleteNotHere"));
  equal(screen.queryByRole("button", { name: t("account.deleteMine") }), null);
});

test("without the plugin privacy there is no deletion", async () => {
  await account({ plugins: [] });
  await saysNo(t("account.delete"));
});
