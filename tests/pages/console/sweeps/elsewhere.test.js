// Requests that fail before the user is signed in or verified, and in dialogs that need preparation: each failure is
// explained, nothing that was typed is lost, no secret is stored, and the request can be sent again. The other
// requests of the console are in `sends.test.js`.

import { refusal } from "../../../../competition/plugins/pages/static/ground/texts.js";
import { t as pieces } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { t } from "../../../../competition/plugins/console/static/account/words.js";
import { t as questions } from "../../../../competition/plugins/console/static/questions/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, settled, staff, visit } from "../../kit/front-end.js";
import { click, fill, pick, screen, waitFor, within } from "../../kit/screen.js";
import { lost, refused, Reply, Service, page, tokens } from "../../kit/service.js";
import { says } from "../../kit/said.js";
import { useUploads } from "../../kit/uploads.js";
import { FILES } from "./league.js";
import { typed } from "./pressing.js";
import { ELSEWHERE } from "./requests.js";

/** @import { Asked } from "../../kit/service.js" */

const ID = "8c1f0a";
const PASSWORD = "seven quiet lanterns";
const FAILURES = [
  { reply: () => refused(500, "server_error"), texts: () => [refusal({ code: "server_error", detail: "" }), pieces("states.later"), ID] },
  { reply: lost, texts: () => [pieces("states.away"), pieces("states.connection")] },
  {
    reply: (/** @type {Asked} */ { path }) => new Reply(429, { code: path.startsWith("/auth/") || path.includes("otp") ? "rate_limit_exceeded" : "throttle_exceeded", detail: "Too many." }, { "Retry-After": "7" }),
    texts: () => [pieces("states.wait", { count: 7 }), ID],
  },
];
// The kit has tests for the pauses after which a DELETE is sent again without a reply.
const failuresOf = (/** @type {string} */ operation) => FAILURES.filter((each) => each.reply !== lost || !operation.startsWith("DELETE "));

/** Presses buttons whose request fails in each way, before it succeeds. */
class Sender {
  /** @type {string[]} */
  sent = [];

  /** @param {Service} service */
  constructor(service) {
    this.service = service;
  }

  /**
   * @param {string} name The name of the button.
   * @param {string} operation
   * @param {any} reply
   * @param {{ scope?: HTMLElement, secrets?: string[] }} [options]
   */
  async press(name, operation, reply, { scope = document.body, secrets = [] } = {}) {
    await settled(this.service);
    const button = within(scope).getByRole("button", { name });
    const before = typed();
    for (const failure of failuresOf(operation)) {
      this.service.replies[operation] = failure.reply;
      const count = this.service.sent(operation).length;
      click(button);
      await waitFor(() => ok(failure.texts().every((each) => within(scope).getByRole("alert").textContent.includes(each)), `${operation} is not explained`));
      await waitFor(() => equal(button.getAttribute("aria-disabled"), "false"));
      equal(this.service.sent(operation).length, count + 1, operation);
      equal(typed(), before, `${operation} loses what was typed`);
      const stored = JSON.stringify([{ ...sessionStorage }, { ...localStorage }]);
      equal(secrets.filter((each) => stored.includes(each)), [], "secrets are stored");
    }
    this.service.replies[operation] = reply;
    click(button);
    this.sent.push(operation);
  }
}

/** @param {keyof typeof ELSEWHERE} group @param {Sender} sender */
const sentAll = (group, sender) => equal(sender.sent.sort(), [...ELSEWHERE[group]].sort());

const label = (/** @type {string} */ text) => screen.findByLabelText(text);
const dialog = () => screen.findByRole("dialog");

test("of users who are not signed in", async () => {
  const service = new Service();
  const sender = new Sender(service);
  await open("/console/password", { service });
  fill(await label(t("account.email")), "ada@league.example");
  await sender.press(t("account.sendCode"), "POST /auth/password-change/request/", example("POST /auth/password-change/request/"));
  await screen.findByText(t("account.step", { step: 2, steps: 3 }));
  await sender.press(t("account.sendAgain"), "POST /auth/password-change/resend-otp/", example("POST /auth/password-change/resend-otp/"));
  await says(t("account.codeSent", { email: "ada@league.example" }));
  fill(await label(t("account.code")), "908172");
  await sender.press(t("account.checkCode"), "POST /auth/password-change/confirm-otp/", example("POST /auth/password-change/confirm-otp/"), { secrets: ["908172"] });
  await screen.findByText(t("account.step", { step: 3, steps: 3 }));
  fill(await label(t("account.newPassword")), PASSWORD);
  fill(await label(t("account.repeat")), PASSWORD);
  await sender.press(t("account.changePassword"), "POST /auth/password-change/", example("POST /auth/password-change/"), { secrets: ["908172", PASSWORD] });
  await says(t("account.passwordChanged"));
  fill(await label(t("account.email")), "ada@league.example");
  fill(await label(t("account.password")), PASSWORD);
  await sender.press(t("account.signIn"), "POST /auth/login/", () => refused(401, "second_factor_required", "Send the code.", { challenge: "challenge", expires_in_minutes: 5 }), { secrets: [PASSWORD] });
  click(await screen.findByRole("button", { name: t("account.useRecovery") }));
  fill(await label(t("account.recoveryCode")), "abcd-efgh");
  const login = { ...example("POST /auth/login/second-factor/"), ...tokens(), profile: staffAccount() };
  await sender.press(t("account.signIn"), "POST /auth/login/second-factor/", login, { secrets: [PASSWORD, "abcd-efgh"] });
  await screen.findByRole("heading", { level: 1, name: t("home") });
  sentAll("of users who are not signed in", sender);
});

/** @param {Record<string, any>} [values] */
const staffAccount = (values) => example("StaffProfile", { role: "admin", is_user_verified: true, user: { is_email_verified: true }, ...values });

test("of staff who leave", async () => {
  const service = new Service({ "GET /account-management/": { profile: staffAccount() } });
  const sender = new Sender(service);
  await open("/console/account", { as: staff("admin"), service, plugins: ["privacy"] });
  click(await screen.findByRole("button", { name: t("account.deleteMine") }));
  fill(await within(await dialog()).findByLabelText(t("account.password")), PASSWORD);
  // The service ends all sessions.
  const ended = () => refused(401, "authentication_failed");
  const gone = () => {
    service.replies["POST /auth/token/refresh/"] = ended;
    return new Reply(202, example("DELETE /users/me/"));
  };
  await sender.press(t("account.deleteMine"), "DELETE /users/me/", gone, { scope: await dialog(), secrets: [PASSWORD] });
  await screen.findByRole("heading", { level: 1, name: t("account.signIn") });
  // Only a rejected password leads to it.
  service.replies["POST /auth/login/"] = ended;
  fill(await label(t("account.email")), "maria@league.example");
  fill(await label(t("account.password")), PASSWORD);
  click(screen.getByRole("button", { name: t("account.signIn") }));
  click(await screen.findByRole("link", { name: t("account.restoreLink") }));
  fill(await label(t("account.code")), "the code");
  await sender.press(t("account.restore"), "POST /users/restore/", example("POST /users/restore/"));
  await says(t("account.restored"));
  sentAll("of staff who leave", sender);
});

test("with a second factor", async () => {
  let isSetUp = false;
  const service = new Service({
    "GET /account-management/": { profile: staffAccount() },
    "GET /auth/second-factor/": () => example("GET /auth/second-factor/", { is_set_up: isSetUp }),
    "POST /auth/second-factor/": () => new Reply(201, example("POST /auth/second-factor/")),
  });
  const sender = new Sender(service);
  const codes = { recovery_codes: ["abcd-efgh", "ijkl-mnop"] };
  await open("/console/account", { as: staff("admin"), service });
  click(await screen.findByRole("button", { name: t("account.setUp") }));
  fill(await within(await dialog()).findByLabelText(t("account.code")), "908172");
  isSetUp = true;
  await sender.press(t("account.setUpVerb"), "POST /auth/second-factor/confirm/", codes, { scope: await dialog() });
  click(await screen.findByRole("button", { name: t("account.kept") }));
  click(await screen.findByRole("button", { name: t("account.renew") }));
  fill(await within(await dialog()).findByLabelText(t("account.password")), PASSWORD);
  fill(await within(await dialog()).findByLabelText(t("account.appOrRecovery")), "abcd-efgh");
  await sender.press(t("account.renewVerb"), "POST /auth/second-factor/recovery-codes/", () => new Reply(201, codes), { scope: await dialog(), secrets: [PASSWORD, "abcd-efgh"] });
  click(await screen.findByRole("button", { name: t("account.kept") }));
  click(await screen.findByRole("button", { name: t("account.removeFactor") }));
  fill(await within(await dialog()).findByLabelText(t("account.appOrRecovery")), "abcd-efgh");
  const removed = () => {
    isSetUp = false;
  };
  await sender.press(t("account.removeVerb"), "DELETE /auth/second-factor/", removed, { scope: await dialog(), secrets: ["abcd-efgh"] });
  await screen.findByRole("button", { name: t("account.setUp") });
  sentAll("with a second factor", sender);
});

test("of staff whose account is not verified", async () => {
  useUploads();
  let isConfirmed = false;
  /** @type {Record<string, any>} */
  let record = {};
  const service = new Service({
    "GET /account-management/": () => ({ profile: staffAccount({ is_user_verified: false, user: { is_email_verified: isConfirmed } }) }),
    "GET /user/verification/status/": () => example("GET /user/verification/status/", record),
  });
  service.config.files = FILES;
  const sender = new Sender(service);
  await open("/console/account", { as: staff("admin"), service });
  await screen.findByRole("heading", { name: t("account.confirmEmail") });
  await sender.press(t("account.sendAgain"), "POST /send-email-otp/", example("POST /send-email-otp/"));
  await says(t("account.codeSent", { email: staffAccount().user.email }));
  fill(await label(t("account.code")), "908172");
  const confirmed = () => {
    isConfirmed = true;
    return example("POST /verify-email-otp/");
  };
  await sender.press(t("account.confirmEmailVerb"), "POST /verify-email-otp/", confirmed, { secrets: ["908172"] });
  await says(t("account.emailConfirmed"));
  const choose = async () => {
    for (const name of /** @type {const} */ (["face_id", "id_card", "verification_document"])) pick(await label(t(`account.${name}`)), [new File(["x"], "a.png", { type: "image/png" })]);
  };
  await choose();
  const sent = (/** @type {string} */ operation) => () => {
    record = { is_pending: true, status: "pending" };
    return new Reply(operation.startsWith("POST ") ? 201 : 200, example(operation));
  };
  await sender.press(t("account.sendDocuments"), "POST /user/verification/upload/", sent("POST /user/verification/upload/"));
  await says(t("account.identityWaits"));
  record = { is_rejected: true, status: "rejected", rejection_reason: "The photo is too dark." };
  await visit("/console/account");
  await says("The photo is too dark.");
  await choose();
  await sender.press(t("account.sendDocuments"), "PATCH /user/verification/upload/", sent("PATCH /user/verification/upload/"));
  await says(t("account.identityWaits"));
  sentAll("of staff whose account is not verified", sender);
});

test("in the dialog with images", async () => {
  let images = [example("Image", { id: 7, alt: "A circle", url: "data:," })];
  const service = new Service({ "GET /questions/images/": () => page(images), "POST /questions/render/": example("POST /questions/render/") });
  const sender = new Sender(service);
  await open("/console/questions/new", { as: staff("moderator"), service });
  click(await screen.findByRole("button", { name: questions("questions.insert") }));
  click(await screen.findByRole("button", { name: questions("questions.describeThis", { alt: "A circle" }) }));
  fill((await screen.findAllByLabelText(questions("questions.alt"))).at(-1), "A ring");
  const described = () => {
    images = [{ ...images[0], alt: "A ring" }];
    return images[0];
  };
  await sender.press(questions("questions.saveAlt"), "PATCH /questions/images/{image_id}/", described, { scope: await dialog() });
  click(await screen.findByRole("button", { name: questions("questions.deleteThis", { alt: "A ring" }) }));
  const question = screen.getAllByRole("dialog").at(-1);
  const deleted = () => {
    images = [];
  };
  await sender.press(questions("questions.deleteOne"), "DELETE /questions/images/{image_id}/", deleted, { scope: question });
  await says(questions("questions.imageDeleted", { alt: "A ring" }));
  sentAll("in the dialog with images", sender);
});
