import { t } from "../../../../competition/plugins/console/static/account/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says, words } from "../../kit/said.js";
import { click, fill, screen, waitFor } from "../../kit/screen.js";
import { refused, Service } from "../../kit/service.js";

const REQUEST = "POST /auth/password-change/request/";
const RESEND = "POST /auth/password-change/resend-otp/";
const CHECK = "POST /auth/password-change/confirm-otp/";
const CHANGE = "POST /auth/password-change/";
const EMAIL = "ada@league.example";
const NEW = "seven quiet lanterns";

/** @param {string} [path] @param {any} [as] @param {Record<string, any>} [replies] */
async function password(path = "/console/password", as, replies) {
  const sent = (/** @type {string} */ operation) => () => example(operation, { email: "a…@league.example", expires_in_minutes: 10 });
  const service = new Service({ [REQUEST]: sent(REQUEST), [RESEND]: sent(RESEND), [CHECK]: () => example(CHECK), [CHANGE]: () => example(CHANGE), ...replies });
  await open(path, { as, service, plugins: [] });
  await arrived(t("account.newPassword"));
  return service;
}
const press = (/** @type {any} */ key) => click(screen.getByRole("button", { name: t(key) }));
const type = (/** @type {any} */ key, /** @type {string} */ text) => fill(screen.getByLabelText(t(key), { selector: "input" }), text);
const step = (/** @type {number} */ number) => says(t("account.step", { step: number, steps: 3 }));
const onHeading = () => waitFor(() => ok(document.activeElement === screen.getByRole("heading", { level: 1 })));

/** @param {string} other */
async function choose(other) {
  await type("account.newPassword", NEW);
  await type("account.repeat", other);
  await press("account.changePassword");
}

test("a forgotten password is replaced in three steps", async () => {
  const service = await password();
  await step(1);
  await type("account.email", ` ${EMAIL} `);
  await press("account.sendCode");
  await step(2);
  await onHeading();
  // The reply masks the address; the page shows what was typed.
  await says(`${t("account.codeOnItsWay", { email: EMAIL })} ${t("account.codeValid", { count: 10 })}`);
  await press("account.sendAgain");
  await says(t("account.codeSent", { email: EMAIL }));
  await type("account.code", "123456");
  await press("account.checkCode");
  await step(3);
  await choose("another");
  await says(t("account.differ"));
  equal(service.sent(CHANGE).length, 0);
  await choose(NEW);
  await arrived(t("account.signIn"));
  await says(t("account.passwordChanged"));
  equal(service.sent(CHECK)[0]?.body, { email: EMAIL, otp: "123456" });
  equal(service.sent(CHANGE)[0]?.body, { email: EMAIL, otp: "123456", new_password: NEW, confirm_password: NEW });
  equal([service.sent(REQUEST), service.sent(RESEND)].map(([each]) => each?.body), [{ email: EMAIL }, { email: EMAIL }]);
});

test("after a reload, the second step asks for the address again", async () => {
  const service = await password("/console/password?step=code");
  await step(2);
  await type("account.email", EMAIL);
  await type("account.code", "123456");
  await press("account.checkCode");
  await step(3);
  equal(service.sent(CHECK)[0]?.body, { email: EMAIL, otp: "123456" });
});

test("users who have a code skip the first step, and may enter another one", async () => {
  await password();
  await press("account.hasCode");
  await step(2);
  await type("account.email", EMAIL);
  await type("account.code", "123456");
  await press("account.checkCode");
  await step(3);
  await press("account.otherCode");
  await step(2);
  ok(!words().includes(t("account.codeValid", { count: 0 })));
});

test("a wrong code is explained", async () => {
  await password("/console/password?step=code", undefined, { [CHECK]: () => refused(400, "invalid", "Wrong.", { errors: { otp: ["The code is invalid."] } }) });
  await type("account.email", EMAIL);
  await type("account.code", "123456");
  await press("account.checkCode");
  await says("The code is invalid.", await screen.findByRole("alert"));
  await step(2);
});

test("a user who is signed in does not type the address, and is signed out afterwards", async () => {
  await password("/console/password", staff("admin", { email: EMAIL }));
  equal(screen.getByLabelText(t("account.email")).value, EMAIL);
  equal(screen.getByRole("link", { name: t("nav.account") }).getAttribute("href"), "/console/account");
  await press("account.sendCode");
  await step(2);
  await type("account.code", "123456");
  await press("account.checkCode");
  await step(3);
  await choose(NEW);
  await arrived(t("account.signIn"));
  equal(sessionStorage.getItem("console.session"), null);
});

test("a deletion is cancelled with the code that was emailed", async () => {
  const service = new Service({ "POST /users/restore/": () => example("POST /users/restore/") });
  await open("/console/restore", { service });
  await arrived(t("account.restore"));
  await type("account.code", " abc-123 ");
  await press("account.restore");
  await arrived(t("account.signIn"));
  await says(t("account.restored"));
  equal(service.sent("POST /users/restore/")[0]?.body, { code: "abc-123" });
});
