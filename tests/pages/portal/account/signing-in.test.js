import { t } from "../../../../competition/plugins/portal/static/account/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { open } from "../../kit/front-end.js";
import { arrived, says } from "../../kit/said.js";
import { click, screen } from "../../kit/screen.js";
import { refused, Reply, Service } from "../../kit/service.js";
import { amara, login, PASSWORD, pressed, signIn, type, watchPersist, whose } from "./forms.js";

const LOGIN = "POST /auth/login/";
const ANSWER = "POST /auth/login/second-factor/";

test("signing in leads to the page that was wanted, and remembers whose device it is", async () => {
  const service = new Service({ [LOGIN]: () => login() });
  const asked = watchPersist();
  await open("/inbox?page=2#first", { service });
  await signIn("amara@school.example");
  await until(() => location.pathname === "/inbox");
  equal(location.search + location.hash, "?page=2#first");
  equal(service.sent(LOGIN)[0]?.body, { email: "amara@school.example", password: PASSWORD, shared_device: true });
  equal(whose(), ["1", "1"]);
  equal(asked.times, 0);
});

test("the own device may keep answers", async () => {
  const asked = watchPersist();
  const service = new Service({ [LOGIN]: () => login() });
  await open("/sign-in", { service });
  await screen.findByLabelText(t("account.own"));
  await click(screen.getByLabelText(t("account.own")));
  await signIn("amara@school.example");
  await until(() => location.pathname === "/home");
  equal(service.sent(LOGIN)[0]?.body.shared_device, false);
  equal(whose(), ["0", "0"]);
  equal(asked.times, 1);
});

test("the last answer of this device's user is the next one's default", async () => {
  localStorage.setItem("device.shared", "0");
  await open("/sign-in", { service: new Service() });
  ok((await screen.findByLabelText(t("account.own"))).checked, "The answer was forgotten.");
});

test("a candidate who has not verified the address does so first", async () => {
  await open("/inbox", { service: new Service({ [LOGIN]: () => login(amara({ is_email_verified: false })) }) });
  await signIn("amara@school.example");
  await arrived(t("account.verify"));
});

test("a wrong password leaves the address in the form", async () => {
  await open("/sign-in", { service: new Service({ [LOGIN]: () => refused(401, "authentication_failed", "Incorrect credentials.") }) });
  await signIn("amara@school.example");
  equal((await screen.findByRole("alert")).textContent.includes("8c1f0a"), false);
  equal(screen.getByLabelText(t("account.emailOrLogin")).value, "amara@school.example");
  equal(whose(), [null, null]);
});

test("staff are led to the console, and are not signed in here", async () => {
  const reply = login(example("StaffProfile"));
  const service = new Service({ [LOGIN]: () => reply, "POST /auth/logout/": () => undefined });
  await open("/sign-in", { service, plugins: ["console"] });
  await signIn("maria@league.example");
  await says(t("account.isStaff"));
  equal(screen.getByRole("link", { name: t("account.console") }).getAttribute("href"), "/console/");
  equal(sessionStorage.getItem("portal.session"), null);
  await until(() => service.sent("POST /auth/logout/").length === 1);
  equal(service.sent("POST /auth/logout/")[0]?.body, { refresh: reply.refresh });
  equal(whose(), [null, null]);
});

test("a service without the console has no link to it", async () => {
  const service = new Service({ [LOGIN]: () => login(example("StaffProfile")), "POST /auth/logout/": () => new Reply(503, "<h1>Away</h1>") });
  await open("/sign-in", { service });
  await signIn("maria@league.example");
  await says(t("account.isStaff"));
  equal(screen.queryAllByRole("link", { name: t("account.console") }).length, 0);
});

test("an account with a second factor is asked for a code", async () => {
  const service = new Service({
    [LOGIN]: () => refused(401, "second_factor_required", "Send a code.", { challenge: "the-challenge", expires_in_minutes: 5 }),
    [ANSWER]: (/** @type {any} */ { body }) => (body.code === "123-456" ? login() : refused(400, "invalid_otp", "This code is wrong.")),
  });
  await open("/sign-in", { service });
  await screen.findByLabelText(t("account.own"));
  await click(screen.getByLabelText(t("account.own")));
  await signIn("amara@school.example");
  await arrived(t("account.secondFactor"));
  await type(t("account.code"), "000-000");
  await pressed(t("signIn"));
  await screen.findByRole("alert");
  await type(t("account.code"), "123-456");
  await pressed(t("signIn"));
  await until(() => location.pathname === "/home");
  equal(service.sent(ANSWER)[1]?.body, { challenge: "the-challenge", email: "amara@school.example", code: "123-456" });
  equal(whose(), ["0", "0"]);
});

test("who has no code can go back", async () => {
  const service = new Service({ [LOGIN]: () => refused(401, "second_factor_required", "Send a code.", { challenge: "the-challenge", expires_in_minutes: 5 }) });
  await open("/sign-in", { service });
  await signIn("amara@school.example");
  await arrived(t("account.secondFactor"));
  await pressed(t("account.back"));
  await arrived(t("signIn"));
});

for (const plugins of [["privacy"], []]) {
  test(`only a rejected password leads to cancelling a deletion, with the plugins: ${plugins}`, async () => {
    const found = () => screen.queryAllByRole("link", { name: t("account.restoreLink") }).map((/** @type {any} */ each) => each.getAttribute("href"));
    await open("/sign-in", { service: new Service({ [LOGIN]: () => refused(401, "authentication_failed") }), plugins });
    await arrived(t("signIn"));
    equal(found(), []);
    await signIn("amara@school.example");
    await screen.findByRole("alert");
    equal(found(), plugins.length ? ["/restore"] : []);
  });
}

/** The reply to a login of a pupil with a slip. */
const slip = () => {
  const profile = amara({ email: "bcd234@slip.invalid", first_name: "Emmy", last_name: "Noether" });
  return login({ ...profile, has_email: false, school: "Hillside School" });
};

test("who signs in with a slip is asked for the name before the session begins", async () => {
  const service = new Service({ [LOGIN]: slip });
  await open("/sign-in", { service });
  await signIn("BCD-234");
  await arrived(t("account.isThisYou"));
  await says("Emmy Noether");
  await says("Hillside School");
  equal(service.sent(LOGIN)[0]?.body.email, "BCD-234");
  equal(sessionStorage.getItem("portal.session"), null);
  await pressed(t("account.yes"));
  await until(() => location.pathname === "/home");
});

test("who has the slip of somebody else is signed out", async () => {
  const service = new Service({ [LOGIN]: slip, "POST /auth/logout/": () => undefined });
  await open("/sign-in", { service });
  await signIn("bcd234");
  await pressed(t("account.no"));
  await arrived(t("signIn"));
  await says(t("account.notYou"));
  equal(service.sent("POST /auth/logout/").length, 1);
  equal(sessionStorage.getItem("portal.session"), null);
});
