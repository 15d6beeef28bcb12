import { t } from "../../../../competition/plugins/portal/static/account/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock, until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open } from "../../kit/front-end.js";
import { arrived, says, saysNo } from "../../kit/said.js";
import { click, screen } from "../../kit/screen.js";
import { lost, refused, Service } from "../../kit/service.js";
import { amara, created, login, PASSWORD, pressed, type, watchPersist, whose } from "./forms.js";

const REGISTER = "POST /register/candidate/";
const CONSENT = "I agree that the pupil takes part.";
const unverified = () => amara({ is_email_verified: false });

/** @param {Record<string, any>} [replies] */
async function registering(replies) {
  const service = new Service({
    "GET /registration/": example("GET /registration/", { is_candidate_reg_open: true, support_email: "help@league.example" }),
    "GET /registration/consent/": { required: true, text: CONSENT, version: "v1" },
    "GET /schools/names/": { results: [] },
    [REGISTER]: () => created(REGISTER),
    "POST /auth/login/": () => login(unverified()),
    ...replies,
  });
  const asked = watchPersist();
  await open("/register", { service });
  await arrived(t("register"));
  return { service, asked };
}

async function fillIn() {
  await screen.findByLabelText(t("account.firstName"));
  await type(t("account.firstName"), "Emmy");
  await type(t("account.lastName"), "Noether");
  await type(t("account.school"), "Hillside School");
  await type(t("account.email"), "emmy@school.example");
  await type(t("account.phone"), "+49 9131 1882");
  await type(t("account.newPassword"), PASSWORD);
  await type(t("account.passwordAgain"), PASSWORD);
}

async function agree() {
  await type(t("account.guardianName"), "Max Noether");
  await type(t("account.guardianEmail"), "max@home.example");
  await click(screen.getByLabelText(t("account.agree")));
}

const create = () => pressed(t("account.create"));

test("a pupil registers with the guardian's consent, and is signed in", async () => {
  const { service, asked } = await registering();
  await says(t("account.passwordRule", { count: 8 }));
  await fillIn();
  await says(CONSENT);
  await agree();
  await click(screen.getByLabelText(t("account.own")));
  await create();
  await arrived(t("account.verify"));
  equal(service.sent(REGISTER)[0]?.body, {
    first_name: "Emmy",
    last_name: "Noether",
    email: "emmy@school.example",
    phone: "+49 9131 1882",
    school: "Hillside School",
    password: PASSWORD,
    password2: PASSWORD,
    generate_password: false,
    guardian_consent: { name: "Max Noether", email: "max@home.example", version: "v1" },
  });
  ok(service.sent(REGISTER)[0]?.headers.get("Idempotency-Key"), "Registering twice makes two accounts.");
  equal(service.sent("POST /auth/login/")[0]?.body, { email: "emmy@school.example", password: PASSWORD, shared_device: false });
  equal(whose(), ["0", "0"]);
  equal(asked.times, 1);
});

test("on a shared computer, the browser is not asked to keep anything", async () => {
  const { asked } = await registering();
  await fillIn();
  await agree();
  ok(screen.getByLabelText(t("account.shared")).checked, "A computer counts as shared.");
  await create();
  await arrived(t("account.verify"));
  equal(whose(), ["1", "1"]);
  equal(asked.times, 0);
});

test("if signing in fails, the candidate goes on with the code", async () => {
  await registering({ "POST /auth/login/": () => refused(429, "throttle_exceeded") });
  await fillIn();
  await agree();
  await create();
  await arrived(t("account.verify"));
  await says(t("account.verifyAt", { email: "emmy@school.example" }));
  equal(screen.queryAllByRole("button", { name: t("signOut") }).length, 0);
});

test("without a demand for consent, no guardian is asked for", async () => {
  const { service } = await registering({ "GET /registration/consent/": { required: false, text: null, version: null } });
  await fillIn();
  equal(screen.queryAllByLabelText(t("account.guardianName")).length, 0);
  await create();
  await arrived(t("account.verify"));
  ok(!("guardian_consent" in service.sent(REGISTER)[0]?.body), "A consent was sent.");
});

test("what the page finds wrong is not sent", async () => {
  const { service } = await registering({ "GET /registration/consent/": { required: false, text: null, version: null } });
  await fillIn();
  await type(t("account.passwordAgain"), "another one");
  await create();
  await says(t("account.differ"));
  await type(t("account.newPassword"), "short");
  await create();
  await says(t("account.tooShort", { count: 8 }));
  await saysNo(t("account.differ"));
  await type(t("account.newPassword"), PASSWORD);
  await type(t("account.passwordAgain"), PASSWORD);
  await type(t("account.email"), "emmy@school");
  await create();
  await says(t("account.noEmail"));
  // The page can't ask whose address this is as long as it is no address.
  await saysNo(t("account.taken"));
  equal(service.sent(REGISTER), []);
});

test("an address that has an account is named, and the form stays filled", async () => {
  await registering({ [REGISTER]: () => refused(400, "invalid", "Invalid.", { errors: { email: ["There is an account."] } }) });
  await fillIn();
  await agree();
  await create();
  await says(t("account.taken"));
  equal(screen.getByLabelText(t("account.firstName")).value, "Emmy");
  const links = screen.getAllByRole("link", { name: t("account.forgotten") });
  equal(links.map((/** @type {any} */ each) => each.getAttribute("href")), ["/password"]);
});

test("a guardian who has agreed to an earlier text agrees again", async () => {
  const texts = [{ required: true, text: CONSENT, version: "v1" }, { required: true, text: "Another text.", version: "v2" }];
  const { service } = await registering({
    "GET /registration/consent/": () => texts.shift(),
    [REGISTER]: (/** @type {any} */ { body }) => (body.guardian_consent.version === "v2" ? created(REGISTER) : refused(400, "invalid", "Invalid.", { errors: { guardian_consent: { version: ["Old."] } } })),
  });
  await fillIn();
  await agree();
  await create();
  await says("Another text.");
  await says(t("account.consentChanged"));
  ok(!screen.getByLabelText(t("account.agree")).checked, "The box is still ticked.");
  await create();
  equal(service.sent(REGISTER).length, 1);
  await click(screen.getByLabelText(t("account.agree")));
  await create();
  await arrived(t("account.verify"));
});

test("while registration is closed, there is an address for questions", async () => {
  await registering({ "GET /registration/": example("GET /registration/", { is_candidate_reg_open: false, support_email: "help@league.example" }) });
  await says(t("account.closed"));
  equal(screen.getByRole("link", { name: "help@league.example" }).getAttribute("href"), "mailto:help@league.example");
  equal(screen.queryAllByLabelText(t("account.firstName")).length, 0);
});

test("names of schools are suggested, and any other can be typed", async () => {
  const replies = [() => ({ results: ["Hillside School"] }), lost];
  const { service } = await registering({ "GET /schools/names/": () => (replies.shift() ?? lost)() });
  await screen.findByLabelText(t("account.school"));
  const clock = stopClock();
  const options = () => [...document.querySelectorAll("datalist option")].map((each) => /** @type {HTMLOptionElement} */ (each).value);
  await type(t("account.school"), "h");
  await clock.passes(10);
  await type(t("account.school"), "hil");
  await clock.passes(0.1);
  await type(t("account.school"), "hill");
  await clock.passes(0.3);
  await until(() => options().length === 1);
  equal(options(), ["Hillside School"]);
  equal(service.sent("GET /schools/names/").map((each) => each.query.get("search")), ["hill"]);
  await type(t("account.school"), "Riverside School");
  await clock.passes(60);
  equal(screen.getByLabelText(t("account.school")).value, "Riverside School");
});

test("who is signed in is led on", async () => {
  const service = new Service({});
  await open("/register", { as: candidate(), service });
  await until(() => location.pathname === "/home");
});
