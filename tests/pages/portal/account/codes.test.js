import { t } from "../../../../competition/plugins/portal/static/account/words.js";
import { equal, test } from "../../kit/cases.js";
import { stopClock, until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open } from "../../kit/front-end.js";
import { arrived, says, words } from "../../kit/said.js";
import { screen } from "../../kit/screen.js";
import { refused, Reply, Service } from "../../kit/service.js";
import { amara, PASSWORD, pressed, type } from "./forms.js";

const VERIFY = "POST /verify-email-otp/";
const SEND = "POST /send-email-otp/";
const REQUEST = "POST /auth/password-change/request/";
const CHANGE = "POST /auth/password-change/";
const RESTORE = "POST /users/restore/";
const own = () => example("GET /candidates/me/", amara());
const unverified = candidate("screening", { is_email_verified: false });
const stored = () => JSON.parse(sessionStorage.getItem("portal.session") ?? "null");

test("a code that is pasted with spaces confirms the address of who is signed in", async () => {
  const service = new Service({ [VERIFY]: () => example(VERIFY), "GET /candidates/me/": own() });
  await open("/verify", { as: unverified, service });
  await arrived(t("account.verify"));
  await says(t("account.verifyAt", { email: "amara@school.example" }));
  equal(screen.queryAllByLabelText(t("account.email")).length, 0);
  await type(t("account.code"), "123 456");
  await pressed(t("account.confirm"));
  await until(() => location.pathname === "/home");
  await says(t("account.verified"));
  equal(service.sent(VERIFY)[0]?.body, { email: "amara@school.example", otp: "123456" });
  equal(stored().user.user.is_email_verified, true);
});

test("who is not signed in names the address, and signs in afterwards", async () => {
  const service = new Service({ [VERIFY]: () => example(VERIFY), [SEND]: () => example(SEND, { expires_in_minutes: 5 }) });
  await open("/verify", { service });
  await arrived(t("account.verify"));
  await type(t("account.email"), "emmy@school");
  equal(screen.queryAllByRole("button", { name: t("account.sendAgain") }).length, 0);
  await type(t("account.email"), "emmy@school.example");
  await pressed(t("account.sendAgain"));
  await says(t("account.codeSent", { count: 5 }));
  equal(service.sent(SEND)[0]?.body, { email: "emmy@school.example", resend: true });
  await type(t("account.code"), "123456");
  await pressed(t("account.confirm"));
  await arrived(t("signIn"));
  await says(t("account.verifiedSignIn"));
  equal(service.sent(VERIFY)[0]?.body, { email: "emmy@school.example", otp: "123456" });
});

test("a code of five or seven digits is not sent", async () => {
  const service = new Service({ [VERIFY]: () => example(VERIFY), "GET /candidates/me/": own() });
  await open("/verify", { as: unverified, service });
  await arrived(t("account.verify"));
  for (const code of ["12345", "1234567"]) {
    await type(t("account.code"), code);
    await pressed(t("account.confirm"));
    await screen.findByRole("alert");
  }
  equal(service.sent(VERIFY).length, 0);
  await type(t("account.code"), "123-456");
  equal(screen.queryByRole("alert"), null);
  await pressed(t("account.confirm"));
  await until(() => service.sent(VERIFY).length === 1);
});

test("a wrong code can be corrected", async () => {
  const service = new Service({ [VERIFY]: () => refused(400, "invalid_otp", "This code is wrong."), "GET /candidates/me/": own() });
  await open("/verify", { as: unverified, service });
  await arrived(t("account.verify"));
  await type(t("account.code"), "000000");
  await pressed(t("account.confirm"));
  await screen.findByRole("alert");
  service.replies[VERIFY] = () => example(VERIFY);
  await type(t("account.code"), "123456");
  await pressed(t("account.confirm"));
  await until(() => location.pathname === "/home");
});

/** A page that asks for a code while the clock stands still, with the button for another code. @param {Record<string, any>} replies */
async function asking(replies) {
  await open("/verify", { as: unverified, service: new Service(replies) });
  await arrived(t("account.verify"));
  const clock = stopClock();
  const button = () => screen.queryByRole("button", { name: t("account.sendAgain") });
  button().click();
  return { clock, button, shows: (/** @type {string} */ text) => clock.until(() => words().includes(text), text) };
}

test("another code can be asked for after a minute", async () => {
  const { clock, button, shows } = await asking({ [SEND]: () => example(SEND, { expires_in_minutes: 5 }) });
  await shows(t("account.codeSent", { count: 5 }));
  await clock.passes(1);
  await shows(t("account.codeAgain", { clock: "00:59" }));
  await clock.passes(58);
  await shows(t("account.codeAgain", { clock: "00:01" }));
  equal(button(), null);
  await clock.passes(1);
  await clock.until(button);
});

test("if too many codes were asked for, the page says when the next one is possible", async () => {
  const { clock, button, shows } = await asking({ [SEND]: () => new Reply(429, { code: "rate_limit_exceeded", detail: "Too many." }, { "Retry-After": "90" }) });
  await shows(t("account.codeLater", { clock: "01:30" }));
  await clock.passes(89);
  await shows(t("account.codeLater", { clock: "00:01" }));
  await clock.passes(1);
  await clock.until(button);
});

test("a candidate whose address is confirmed has nothing to confirm", async () => {
  await open("/verify", { as: candidate(), service: new Service() });
  await until(() => location.pathname === "/home");
});

test("a forgotten password is replaced with a code", async () => {
  const service = new Service({ [REQUEST]: () => example(REQUEST, { expires_in_minutes: 10 }), [CHANGE]: () => example(CHANGE) });
  await open("/password", { service });
  await arrived(t("account.newPasswordTitle"));
  await type(t("account.email"), "amara@school.example");
  await pressed(t("account.sendCode"));
  await says(t("account.passwordCodeSent", { email: "amara@school.example", count: 10 }));
  equal(screen.queryAllByLabelText(t("account.email")).length, 0);
  await type(t("account.code"), "123456");
  await type(t("account.newPassword"), PASSWORD);
  await type(t("account.passwordAgain"), "another one");
  await pressed(t("account.setPassword"));
  await says(t("account.differ"));
  await type(t("account.passwordAgain"), PASSWORD);
  await pressed(t("account.setPassword"));
  await arrived(t("signIn"));
  await says(t("account.passwordChanged"));
  equal(service.sent(CHANGE).map((each) => each.body), [{ email: "amara@school.example", otp: "123456", new_password: PASSWORD, confirm_password: PASSWORD }]);
  // The page for signing in knows the address.
  equal(screen.getByLabelText(t("account.emailOrLogin")).value, "amara@school.example");
});

test("a mistyped address can be replaced", async () => {
  const service = new Service({ [REQUEST]: () => example(REQUEST, { expires_in_minutes: 10 }) });
  await open("/password", { service });
  await arrived(t("account.newPasswordTitle"));
  await type(t("account.email"), "amara@scool.example");
  await pressed(t("account.sendCode"));
  await pressed(t("account.otherAddress"));
  await screen.findByRole("button", { name: t("account.sendCode") });
  equal(screen.getByLabelText(t("account.email")).value, "amara@scool.example");
});

test("the link in the email leads to the field for the code", async () => {
  const service = new Service({ [CHANGE]: () => example(CHANGE) });
  await open("/password?step=code", { service });
  await screen.findByRole("button", { name: t("account.setPassword") });
  await type(t("account.email"), "amara@school.example");
  await type(t("account.code"), "123 456");
  await type(t("account.newPassword"), PASSWORD);
  await type(t("account.passwordAgain"), PASSWORD);
  await pressed(t("account.setPassword"));
  await arrived(t("signIn"));
  equal(service.sent(CHANGE)[0]?.body.otp, "123456");
});

test("who is signed in and sets a new password is signed out here too", async () => {
  const service = new Service({ [CHANGE]: () => example(CHANGE) });
  await open("/password?step=code", { as: candidate(), service });
  await screen.findByRole("button", { name: t("account.setPassword") });
  service.replies["POST /auth/token/refresh/"] = () => refused(401, "invalid_token");
  await type(t("account.code"), "123456");
  await type(t("account.newPassword"), PASSWORD);
  await type(t("account.passwordAgain"), PASSWORD);
  await pressed(t("account.setPassword"));
  await arrived(t("signIn"));
  equal(service.sent(CHANGE)[0]?.body.email, "amara@school.example");
  equal(stored(), null);
});

test("a deletion is cancelled with the code from the email", async () => {
  const service = new Service({ [RESTORE]: () => refused(400, "invalid_otp", "This code is wrong.") });
  await open("/restore", { service });
  await arrived(t("account.restore"));
  await type(t("account.code"), "wrong");
  await pressed(t("account.restore"));
  await screen.findByRole("alert");
  service.replies[RESTORE] = () => example(RESTORE);
  await type(t("account.code"), "the-code-from-the-email");
  await pressed(t("account.restore"));
  await arrived(t("signIn"));
  await says(t("account.restored"));
  equal(service.sent(RESTORE)[1]?.body, { code: "the-code-from-the-email" });
});

for (const typed of ["bcd234", "BCD-234", "b c d 2 3 4", "bcd234@slip.invalid", "bcd234@slip.invalid.", "bcd234\uff20slip.invalid"]) {
  test(`no code is sent to the login ${typed}: its owner asks the teacher`, async () => {
    const service = new Service();
    await open("/password", { service });
    await arrived(t("account.newPasswordTitle"));
    await type(t("account.email"), typed);
    await pressed(t("account.sendCode"));
    await says(t("account.askTeacher"));
    equal(service.sent("POST /auth/password-change/request/").length, 0);
  });
}
