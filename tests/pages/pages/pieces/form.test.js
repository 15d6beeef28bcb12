// Forms: errors, drafts, changes by another person, and leaving.

import { Refused } from "../../../../competition/plugins/pages/static/ground/api.js";
import { h } from "../../../../competition/plugins/pages/static/ground/html.js";
import { go } from "../../../../competition/plugins/pages/static/ground/router.js";
import { Check, Code, DateTime } from "../../../../competition/plugins/pages/static/pieces/fields.js";
import { Choice } from "../../../../competition/plugins/pages/static/pieces/choices.js";
import { Field, Form, Password } from "../../../../competition/plugins/pages/static/pieces/form.js";
import { t } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { show } from "../../kit/pieces.js";
import { click, drawn, fill as type, screen, waitFor, within } from "../../kit/screen.js";

/** @type {{ values: any, options: any }[]} */
const sent = [];
/** @type {any[]} */
const done = [];

/** @param {number} status @param {Record<string, any>} [errors] */
const rejection = (status, errors = {}) => new Refused(status, { code: "invalid", detail: "It is wrong.", errors }, new Headers());

/**
 * Show a form with some fields.
 *
 * @param {any[]} replies What the service returns: a body, or an error.
 * @param {any} [props]
 * @param {any[]} [fields]
 */
async function shown(replies, props = {}, fields = []) {
  const send = async (/** @type {any} */ values, /** @type {any} */ options) => {
    sent.push({ values, options });
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    return reply;
  };
  await show(() => h(Form, { initial: { name: "Ada", email: "" }, verb: "Save", send, done: (reply) => done.push(reply), ...props },
    h(Field, { name: "name", label: "Name", required: true }), h(Field, { name: "email", label: "Email", required: true }), ...fields));
  await screen.findByRole("button", { name: "Save" });
}

const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (screen.getByLabelText(name));
const save = () => click(screen.getByRole("button", { name: "Save" }));

/** @param {HTMLInputElement} into @param {string} text */
async function fill(into, text) {
  type(into, text);
  await drawn();
}

const isSent = (count = 1) => waitFor(() => equal(sent.length, count));
const isDone = () => waitFor(() => equal(done.length, 1));

test("a required field without a value is an error, and nothing is sent", async () => {
  await shown([], {}, [h(Check, { name: "agree", label: "I agree", required: true })]);
  save();
  const alert = await screen.findByRole("alert");
  ok(within(alert).getByText(t("form.errors", { count: 2 })));
  ok(within(alert).getByRole("link", { name: `Email: ${t("form.required")}` }));
  ok(within(alert).getByRole("link", { name: `I agree: ${t("form.requiredTick")}` }));
  ok(document.title.startsWith(t("form.errorTitle")), document.title);
  // The summary takes the focus, so that nobody misses it.
  await waitFor(() => ok(document.activeElement?.contains(alert)));
  equal(sent, []);
});

test("the errors of the service are shown at their fields, and the typed values stay", async () => {
  await shown([rejection(400, { email: ["This address is in use."], nothing: { deep: ["Unknown."] } })]);
  await fill(field("Email"), "a@x.example");
  save();
  click(await screen.findByRole("link", { name: "Email: This address is in use." }));
  ok(document.activeElement === field("Email"));
  equal(field("Email").getAttribute("aria-invalid"), "true");
  ok(screen.getByText("nothing.deep Unknown."));
  equal(field("Email").value, "a@x.example");
  equal(done, []);
});

test("an error goes when its field is changed, and the summary with the last one", async () => {
  await shown([rejection(400, { email: ["This address is in use."] })], { initial: { name: "", email: "" } });
  save();
  const alert = await screen.findByRole("alert");
  equal(within(alert).getAllByRole("link").length, 2);
  await fill(field("Name"), "Ada");
  await screen.findByText(t("form.errors", { count: 1 }));
  equal(field("Name").getAttribute("aria-invalid"), null);
  await fill(field("Email"), "a@x.example");
  await waitFor(() => equal(screen.queryAllByRole("alert").length, 0));
  ok(!document.title.startsWith(t("form.errorTitle")), document.title);
  // The service's errors too. Nothing of a failure stays.
  save();
  await screen.findByRole("link", { name: "Email: This address is in use." });
  await fill(field("Email"), "b@x.example");
  await waitFor(() => equal([screen.queryAllByRole("alert").length, document.querySelectorAll(".wrong").length], [0, 0]));
});

test("an error of the form's own rule stays until the rule is kept", async () => {
  const check = (/** @type {any} */ { name, email }) => (name === email ? { email: "They are the same." } : {});
  await shown([], { check, initial: { name: "Ada", email: "Ada" } });
  save();
  await screen.findByRole("link", { name: "Email: They are the same." });
  await fill(field("Name"), "Ben");
  await waitFor(() => equal(screen.queryAllByRole("alert").length, 0));
});

test("all tries of the same values have the same key, and other values have another one", async () => {
  await shown([rejection(500), rejection(500), {}]);
  await fill(field("Email"), "a@x.example");
  for (const count of [1, 2]) {
    save();
    await isSent(count);
    await screen.findByRole("button", { name: "Save" });
  }
  await fill(field("Email"), "b@x.example");
  save();
  await isDone();
  const [one, two, three] = sent.map(({ options }) => options.key);
  ok(one && one === two && three !== one, [one, two, three].join(" "));
});

test("a form is sent once, however often the button is pressed", async () => {
  /** @type {(value: unknown) => void} */
  let finish = () => {};
  const send = (/** @type {any} */ values, /** @type {any} */ options) => new Promise((resolve) => {
    sent.push({ values, options });
    finish = resolve;
  });
  await shown([], { send });
  await fill(field("Email"), "a@x.example");
  save();
  click(await screen.findByRole("button", { name: t("form.busy") }));
  await drawn();
  finish({});
  await isDone();
  equal(sent.length, 1);
});

test("a draft is there again after a reload, without passwords and codes, and is gone when it is sent", async () => {
  await shown([{}], { draft: "demo" }, [h(Password, { name: "password", label: "Password", autocomplete: "new-password" }), h(Code, { name: "otp", label: "Code" })]);
  await fill(field("Email"), "a@x.example");
  await fill(field("Password"), "a secret");
  await fill(field("Code"), "123 456");
  equal(JSON.parse(sessionStorage.getItem("draft.demo") ?? ""), { name: "Ada", email: "a@x.example" });
  save();
  await isDone();
  equal(sent[0]?.values, { name: "Ada", email: "a@x.example", password: "a secret", otp: "123456" });
  equal(sessionStorage.getItem("draft.demo"), null);
});

test("a form begins with its draft", async () => {
  sessionStorage.setItem("draft.demo", JSON.stringify({ email: "a@x.example" }));
  await shown([], { draft: "demo" });
  equal([field("Name").value, field("Email").value], ["Ada", "a@x.example"]);
});

const conflict = { etag: '"1"', reread: async () => ({ values: { name: "Grace" }, etag: '"2"' }) };

test("a change by another person is shown, and not overwritten without asking", async () => {
  await shown([rejection(412), {}], conflict);
  await fill(field("Name"), "Ada L.");
  await fill(field("Email"), "a@x.example");
  save();
  const alert = await screen.findByRole("alert");
  ok(within(alert).getByText(new RegExp(t("form.theirs", { value: "Grace" }))));
  ok(within(alert).getByText(new RegExp(t("form.yours", { value: "Ada L." }))));
  equal(done, []);
  click(within(alert).getByRole("button", { name: t("form.keepYours") }));
  await isDone();
  equal(sent.map(({ values, options }) => [values.name, options.ifMatch]), [["Ada L.", '"1"'], ["Ada L.", '"2"']]);
});

test("the version of the other person can be taken", async () => {
  await shown([rejection(412), {}], conflict);
  await fill(field("Name"), "Ada L.");
  await fill(field("Email"), "a@x.example");
  save();
  click(await screen.findByRole("button", { name: t("form.takeTheirs") }));
  await waitFor(() => equal(field("Name").value, "Grace"));
  equal([field("Email").value, sent.length], ["a@x.example", 1]);
});

test("a field that only the other person has changed keeps that change", async () => {
  await shown([rejection(412), {}], conflict);
  await fill(field("Email"), "a@x.example");
  save();
  const alert = await screen.findByRole("alert");
  ok(within(alert).getByText(t("form.taken", { value: "Grace" })));
  click(within(alert).getByRole("button", { name: t("form.saveBoth") }));
  await isDone();
  equal(sent[1]?.values, { name: "Grace", email: "a@x.example" });
});

test("a change of another part of the object is no conflict", async () => {
  await shown([rejection(412), {}], { ...conflict, reread: async () => ({ values: { name: "Ada" }, etag: '"2"' }) });
  await fill(field("Email"), "a@x.example");
  save();
  await isDone();
  equal(sent.map(({ options }) => options.ifMatch), ['"1"', '"2"']);
});

test("leaving a form with changes asks, and the changes stay", async () => {
  await shown([]);
  await fill(field("Email"), "a@x.example");
  let left = go("/elsewhere");
  click(await screen.findByRole("button", { name: t("form.stay") }));
  equal(await left, false);
  equal([location.pathname, field("Email").value], ["/", "a@x.example"]);
  left = go("/elsewhere");
  click(await screen.findByRole("button", { name: t("form.discard") }));
  equal(await left, true);
  ok(await screen.findByRole("heading", { name: "Elsewhere" }));
});

test("leaving a form that has been sent does not ask", async () => {
  await shown([{}]);
  await fill(field("Email"), "a@x.example");
  save();
  await isDone();
  equal(await go("/elsewhere"), true);
});

test("a password can be shown", async () => {
  await shown([], {}, [h(Password, { name: "password", label: "Password", autocomplete: "current-password" })]);
  await fill(field("Password"), "right");
  equal(field("Password").type, "password");
  click(screen.getByRole("button", { name: t("form.show") }));
  await waitFor(() => equal([field("Password").type, field("Password").value], ["text", "right"]));
  click(screen.getByRole("button", { name: t("form.show"), pressed: true }));
  await waitFor(() => equal(field("Password").type, "password"));
});

test("a moment is in the league's time zone, and several choices are a list", async () => {
  const stages = h(Choice, { name: "stages", label: "Stages", many: true, options: [["x", "Screening"], ["y", "League"]] });
  await shown([{}], { initial: { name: "Ada", email: "a", stages: ["x"] } }, [h(DateTime, { name: "at", label: "Begins" }), stages]);
  await fill(field("Date"), "2026-12-12");
  await fill(field("Time"), "11:00");
  click(screen.getByRole("checkbox", { name: "League" }));
  await waitFor(() => ok(/** @type {HTMLInputElement} */ (screen.getByRole("checkbox", { name: "League" })).checked));
  save();
  await isDone();
  equal(sent[0]?.values, { name: "Ada", email: "a", at: "2026-12-12T10:00:00.000Z", stages: ["x", "y"] });
});
