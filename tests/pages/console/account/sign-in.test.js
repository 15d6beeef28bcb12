import { t } from "../../../../competition/plugins/console/static/account/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says } from "../../kit/said.js";
import { click, fill, screen, waitFor } from "../../kit/screen.js";
import { refused, Service, tokens } from "../../kit/service.js";

const LOGIN = "POST /auth/login/";
const CODE = "POST /auth/login/second-factor/";
const LOGOUT = "POST /auth/logout/";
const maria = staff("manager");
const login = (/** @type {any} */ profile) => ({ ...tokens(), profile });
const asStaff = (/** @type {string} */ role) => login(example("StaffProfile", { role, user: { id: maria.user.id } }));
const asCandidate = () => login(example("Login", { profile: { profile_type: "candidate" } }).profile);

/** @param {Record<string, any>} replies @param {{ next?: string, plugins?: string[] }} [options] */
async function signIn(replies, { next = "/console/account", plugins = ["portal", "privacy"] } = {}) {
  const service = new Service({ [LOGOUT]: () => undefined, ...replies });
  await open(next, { service, plugins });
  await arrived(t("account.signIn"));
  await enter();
  return service;
}
async function enter() {
  await fill(screen.getByLabelText(t("account.email")), " maria@league.example ");
  await fill(screen.getByLabelText(t("account.password")), "correct horse");
  await click(screen.getByRole("button", { name: t("account.signIn") }));
}

test("signing in leads to the page that was wanted, and a wrong password keeps the address", async () => {
  const service = await signIn({ [LOGIN]: ({ body }) => (body.password === "right" ? asStaff("manager") : refused(401, "authentication_failed")) });
  await screen.findByRole("alert");
  equal(screen.getByLabelText(t("account.email")).value.trim(), "maria@league.example");
  await fill(screen.getByLabelText(t("account.password")), "right");
  await click(screen.getByRole("button", { name: t("account.signIn") }));
  await arrived(t("nav.account"));
  equal(service.sent(LOGIN)[0]?.body, { email: "maria@league.example", password: "correct horse", shared_device: false });
});

test("a user who is signed in already is sent on", async () => {
  await open("/console/sign-in?next=/console/account", { as: maria, service: new Service({}) });
  await arrived(t("nav.account"));
});

for (const [who, reply, key] of /** @type {[string, () => any, any][]} */ ([["a candidate", asCandidate, "account.candidateHere"], ["a sponsor", () => asStaff("sponsor"), "account.sponsorHere"]])) {
  test(`${who} has no page here, is signed out, and may sign in with another account`, async () => {
    const service = await signIn({ [LOGIN]: reply });
    await arrived(t("account.noPage"));
    await says(t(key));
    await waitFor(() => equal(service.sent(LOGOUT).length, 1));
    equal(sessionStorage.getItem("console.session"), null);
    equal(screen.queryAllByRole("link", { name: t("account.toPortal") }).length, who === "a candidate" ? 1 : 0);
    await waitFor(() => ok(document.activeElement === screen.getByRole("heading", { level: 1 })));
    await click(screen.getByRole("button", { name: t("account.otherAccount") }));
    await arrived(t("account.signIn"));
    service.replies[LOGIN] = () => asStaff("manager");
    await enter();
    await arrived(t("nav.account"));
  });
}

const challenge = () => refused(401, "second_factor_required", "A code is needed.", { challenge: "c-1", expires_in_minutes: 5 });

test("an account with a second factor needs a code of the app", async () => {
  const service = await signIn({ [LOGIN]: challenge, [CODE]: ({ body }) => (body.code === "123456" ? asStaff("manager") : refused(400, "invalid", "Wrong.", { errors: { code: ["The code is invalid."] } })) });
  await arrived(t("account.secondStep"));
  await says(t("account.secondStepLead", { count: 5 }));
  await waitFor(() => ok(document.activeElement === screen.getByRole("heading", { level: 1 })));
  const code = screen.getByLabelText(t("account.appCode"));
  await fill(code, "000000");
  await click(screen.getByRole("button", { name: t("account.signIn") }));
  await says("The code is invalid.", await screen.findByRole("alert"));
  await fill(code, "123456");
  await click(screen.getByRole("button", { name: t("account.signIn") }));
  await arrived(t("nav.account"));
  equal(service.sent(CODE).at(-1)?.body, { email: "maria@league.example", challenge: "c-1", code: "123456" });
});

test("a recovery code takes the place of the app, and the user may start again", async () => {
  const service = await signIn({ [LOGIN]: challenge, [CODE]: () => asStaff("manager") });
  await arrived(t("account.secondStep"));
  await click(screen.getByRole("button", { name: t("account.useRecovery") }));
  await click(await screen.findByRole("button", { name: t("account.useApp") }));
  await screen.findByLabelText(t("account.appCode"));
  await click(screen.getByRole("button", { name: t("account.startAgain") }));
  await arrived(t("account.signIn"));
  await enter();
  await click(await screen.findByRole("button", { name: t("account.useRecovery") }));
  await fill(await screen.findByLabelText(t("account.recoveryCode")), "abcd-efgh");
  await click(screen.getByRole("button", { name: t("account.signIn") }));
  await arrived(t("nav.account"));
  equal(service.sent(CODE)[0]?.body.code, "abcd-efgh");
});

for (const plugins of [["privacy"], []]) {
  test(`only a rejected password leads to cancelling a deletion, with the plugins: ${plugins}`, async () => {
    const found = () => screen.queryAllByRole("link", { name: t("account.restoreLink") }).length;
    await open("/console/sign-in", { service: new Service({ [LOGIN]: () => refused(401, "authentication_failed") }), plugins });
    await arrived(t("account.signIn"));
    equal(found(), 0);
    await enter();
    await screen.findByRole("alert");
    equal(found(), plugins.length);
  });
}
