// Imports: what is sent, what the check has found, and what is applied.

import { t } from "../../../../competition/plugins/console/static/imports/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { go, open, staff } from "../../kit/front-end.js";
import { named, says, saysNo, words } from "../../kit/said.js";
import { choose, click, pick, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";
import { useUploads } from "../../kit/uploads.js";

const SEND = "POST /imports/{kind_or_id}/";
const ONE = "GET /imports/{kind_or_id}/";
const ROWS = "GET /imports/{import_id}/rows/";
const APPLY = "POST /imports/{import_id}/apply/";
const CANCEL = "DELETE /imports/{kind_or_id}/";
const field = (/** @type {string} */ name, more = {}) => example("FieldOfImport", { name, is_required: false, headers: [], example: "", description: "", ...more });
const kind = (/** @type {string} */ name, more = {}) =>
  example("KindOfImport", { name, formats: ["csv", "xlsx"], endings: ["csv", "xlsx"], exam: null, one_of: [], numbered: null, invites: null, creates_without_email: false, fields: [field("first_name", { is_required: true }), field("last_name"), field("email")], ...more });
const KINDS = [kind("candidates", { invites: "optional", creates_without_email: true }), kind("questions", { exam: "optional" }), kind("answers", { exam: "required", numbered: "answers" }), kind("certificates", { fields: [field("number", { description: "The number on the certificate." })] })];
const counts = { rows: 200, new: 180, changed: 12, unchanged: 3, invalid: 5, applied: 0 };
const one = (/** @type {Record<string, any>} */ more = {}) =>
  example("Import", { id: 7, kind: "candidates", filename: "list.xlsx", exam: null, status: "checked", counts, invitations: 150, columns: { "First name": "first_name" }, ignored_columns: [], detail: null, applied_by: null, applied_at: null, ...more });
const row = (/** @type {Record<string, any>} */ more = {}) => example("RowOfImport", { line: 5, state: "new", values: {}, before: {}, errors: {}, warnings: [], ...more });
const file = new File(["first_name\nAda\n"], "list.csv", { type: "text/csv" });

/** @param {string} path @param {Record<string, any>} [replies] @param {string} [role] */
async function visit(path, replies, role = "manager") {
  const service = new Service({
    "GET /imports/kinds/": () => ({ results: KINDS }),
    "GET /exams/": () => example("GET /exams/", page([example("ExamListItem", { id: 4, title: "Round 1" })])),
    [ONE]: () => one(),
    [ROWS]: () => example(ROWS, page([])),
    ...replies,
  });
  service.config.files = /** @type {any} */ ({ import: { largest_bytes: 10, types: [] } });
  useUploads();
  await open(`/console/imports${path}`, { as: staff(role), service });
  return service;
}

test("the kinds that the user may import are links, and earlier imports say what they do", async () => {
  await visit("", { "GET /imports/": () => example("GET /imports/", page([one({ created_by: null }), one({ id: 8, filename: "x.csv", status: "failed", counts: { ...counts, rows: 0 } })])) });
  const link = await screen.findByRole("link", { name: new RegExp(t("imports.kind.candidates")) });
  equal(link.getAttribute("href"), "/console/imports/new/candidates");
  ok(screen.getByRole("link", { name: "certificates" }));
  const first = await screen.findByRole("row", { name: /list.xlsx/ });
  await says("180 new, 12 changed, 3 unchanged, 5 with errors", first);
  await says(t("imports.status.checked"), first);
  await says(t("imports.status.failed"), screen.getByRole("row", { name: /x.csv/ }));
});

test("a file is sent with its exam, and then its import is shown", async () => {
  const service = await visit("/new/answers?exam=4", { [SEND]: () => new Reply(202, one({ kind: "answers", exam: 4 })) });
  const field = await screen.findByLabelText(new RegExp(t("imports.chooseFile")));
  equal([field.accept, screen.getByLabelText(t("imports.exam")).value], [".csv,.xlsx", "4"]);
  equal(service.sent("GET /exams/")[0]?.query.get("status"), "concluded");
  await pick(field, [new File(["1234567"], "list.csv")]);
  await click(screen.getByRole("button", { name: t("imports.check") }));
  await waitFor(() => equal(location.pathname, "/console/imports/7"));
  const [sent] = service.sent(SEND);
  equal([sent?.params.kind_or_id, sent?.body.get("exam"), sent?.body.get("file").name], ["answers", "4", "list.csv"]);
});

test("a file can be dropped", async () => {
  await visit("/new/candidates");
  const field = await screen.findByLabelText(new RegExp(t("imports.chooseFile")));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["12345"], "dropped.csv"));
  field.closest(".import-drop").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  equal(field.files[0].name, "dropped.csv");
});

test("a file that is too large is not sent, and the service's reason is beside the file", async () => {
  const service = await visit("/new/candidates", { [SEND]: () => refused(400, "invalid", "Wrong.", { errors: { file: ["This workbook has a password."] } }) });
  const field = await screen.findByLabelText(new RegExp(t("imports.chooseFile")));
  await pick(field, [new File(["12345678901"], "large.csv")]);
  await click(screen.getByRole("button", { name: t("imports.check") }));
  equal(service.sent(SEND).length, 0);
  await pick(field, [new File(["1"], "list.csv")]);
  await click(screen.getByRole("button", { name: t("imports.check") }));
  await says("This workbook has a password.");
});

test("the page explains each column, also those of other plugins", async () => {
  await visit("/new/candidates");
  const first = await screen.findByRole("row", { name: /first_name/ });
  await says(t("imports.means.first_name"), first);
  await says(t("imports.needed"), first);
  await says(t("imports.means.candidates.email"), screen.getByRole("row", { name: /^email/ }));
});

test("a third-party kind has the words of the API", async () => {
  await visit("/new/certificates");
  await says("The number on the certificate.", await screen.findByRole("row", { name: /^number/ }));
});

test("moderators choose no exam, and a kind that they may not import is explained", async () => {
  const service = await visit("/new/questions", {}, "moderator");
  await screen.findByLabelText(new RegExp(t("imports.chooseFile")));
  equal([screen.queryByLabelText(new RegExp(t("imports.exam"))), service.sent("GET /exams/").length], [null, 0]);
});

test("a kind that the user may not import is explained", async () => {
  await visit("/new/salaries");
  await says(t("imports.notYours"));
});

test("the progress of the check is shown until it has ended", async () => {
  const clock = stopClock();
  let done = 0;
  await Promise.all([
    visit("/7", { [ONE]: () => (done < 200 ? one({ status: "checking", progress: { done: (done += 100), total: 200 }, counts: { ...counts, rows: 0 } }) : one()) }),
    clock.passes(1),
  ]);
  await clock.until(() => words().includes(t("imports.checked", { done: "100", total: "200" })));
  await clock.passes(3);
  await clock.passes(3);
  await clock.until(() => words().includes("180 new, 12 changed, 3 unchanged, 5 with errors"));
  clock.end();
});

test("each value is beside what it replaces, and each error beside its cell", async () => {
  const service = await visit("/7", {
    [ROWS]: () => example(ROWS, page([
      row({ line: 5, state: "changed", values: { first_name: "Emmy", last_name: "Noether" }, before: { last_name: "Nöther" }, warnings: ["The leading zero is gone."] }),
      row({ line: 6, state: "invalid", values: { email: "no address" }, errors: { email: ["This is no email address."], line: ["Is this a total?"] } }),
      row({ line: 7, values: { email: "a@x.example", 1: "A", 2: "C" } }),
    ])),
  });
  const changed = await screen.findByRole("row", { name: new RegExp(t("imports.lineNumber", { number: "5" })) });
  await says(`Noether ${t("imports.instead", { value: "Nöther" })}`, changed);
  await says("The leading zero is gone.", changed);
  const invalid = screen.getByRole("row", { name: /Line 6/ });
  equal(words(within(invalid).getByText("no address").closest("div")), `${t("imports.field.email")}no addressThis is no email address.`);
  await says("Is this a total?", invalid);
  await says("1 A, 2 C", screen.getByRole("row", { name: /Line 7/ }));
  await choose(screen.getByLabelText(t("imports.state")), t("imports.state.invalid"));
  await waitFor(() => equal(service.sent(ROWS).at(-1)?.query.get("state"), "invalid"));
  equal(location.search, "?state=invalid");
});

test("applying asks once, with the numbers, and leaves invalid rows out", async () => {
  let applied = false;
  const service = await visit("/7", {
    [ONE]: () => one(applied ? { status: "applied", counts: { ...counts, applied: 192 } } : {}),
    [APPLY]: () => {
      applied = true;
      return new Reply(202, one({ status: "applying" }));
    },
  });
  await click(await screen.findByRole("button", { name: t("imports.apply", { count: 192 }) }));
  const dialog = await screen.findByRole("dialog");
  for (const each of ["180 new, 12 changed, 3 unchanged, 5 with errors", t("imports.skips", { count: 5 }), t("imports.withoutEmail", { count: 30 })]) await says(each, dialog);
  await click(within(dialog).getByRole("checkbox", { name: t("imports.invite", { count: 150 }) }));
  await click(within(dialog).getByRole("button", { name: t("imports.apply", { count: 192 }) }));
  await says(t("imports.applied", { count: 192 }));
  equal(service.sent(APPLY)[0]?.body, { invalid: "skip", invite: false });
  equal(screen.getByRole("link", { name: t("imports.see", { kind: t("imports.kind.candidates") }) }).getAttribute("href"), "/console/candidates");
});

/** @type {[string, Record<string, any>, string | null][]} */
const NOTHING_TO_CHOOSE = [
  ["nobody has an email address", { invitations: 0 }, "imports.withoutEmail"],
  ["no row is new", { invitations: 0, counts: { ...counts, new: 0 } }, null],
  ["teachers get an email in any case, and some have an account", { kind: "teachers", invitations: 150 }, "imports.invites"],
  ["all teachers have an account", { kind: "teachers", invitations: 0 }, null],
];
for (const [what, more, said] of NOTHING_TO_CHOOSE)
  test(`applying does not offer to send emails if the choice changes nothing: ${what}`, async () => {
    const kinds = [...KINDS, kind("teachers", { invites: "always" })];
    await visit("/7", { [ONE]: () => one(more), "GET /imports/kinds/": { results: kinds } });
    await click(await screen.findByRole("button", { name: /^Import/ }));
    const dialog = await screen.findByRole("dialog");
    const texts = /** @type {const} */ ([["imports.withoutEmail", 180], ["imports.invites", 150]]);
    for (const [text, count] of texts) equal(words(dialog).includes(t(text, { count })), text === said);
    equal(within(dialog).queryByRole("checkbox"), null);
  });

test("an import that would do nothing offers nothing to apply, and can be discarded", async () => {
  const service = await visit("/7", { [ONE]: () => one({ counts: { ...counts, new: 0, changed: 0, invalid: 0 } }), [CANCEL]: () => undefined, "GET /imports/": () => example("GET /imports/", page([])) });
  await says(t("imports.nothingToDo"));
  equal(screen.queryByRole("button", { name: /^Import/ }), null);
  await click(screen.getByRole("button", { name: t("imports.discard") }));
  await click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("imports.discard") }));
  await says(t("imports.discarded", { file: "list.xlsx" }));
  equal([service.sent(CANCEL).length, location.pathname], [1, "/console/imports"]);
});

test("a column that was not recognised is mapped, and the same file is sent again", async () => {
  let sent = 0;
  const columns = { ignored_columns: ["Nachname", "Nr."], columns: { Vorname: "first_name" } };
  const service = await visit("/new/candidates", {
    [SEND]: () => new Reply(202, one({ id: 7 + sent++ })),
    [ONE]: (/** @type {any} */ { params }) => one(params.kind_or_id === "7" ? { ...columns } : { id: 8, filename: "again.xlsx" }),
    [CANCEL]: () => undefined,
  });
  await pick(await screen.findByLabelText(new RegExp(t("imports.chooseFile"))), [new File(["1"], "list.csv")]);
  await click(screen.getByRole("button", { name: t("imports.check") }));
  await says(t("imports.unread", { count: 2 }));
  await choose(screen.getByLabelText(/Nachname/), t("imports.fieldChoice", { text: t("imports.field.last_name"), name: "last_name" }));
  equal(screen.queryByLabelText(new RegExp(t("imports.chooseFile"))), null);
  await click(screen.getByRole("button", { name: t("imports.checkAgain") }));
  await says("again.xlsx");
  const again = service.sent(SEND)[1]?.body;
  equal([again.get("file").name, JSON.parse(again.get("columns"))], ["list.csv", { Nachname: "last_name", "Nr.": null, Vorname: "first_name" }]);
  equal(service.sent(CANCEL)[0]?.params, { kind_or_id: "7" });
});

test("the file of an import is kept until the user leaves the page", async () => {
  await visit("/new/candidates", {
    [SEND]: () => new Reply(202, one()),
    [ONE]: () => one({ ignored_columns: ["Nachname"] }),
    "GET /imports/": () => example("GET /imports/", page([])),
  });
  await pick(await screen.findByLabelText(new RegExp(t("imports.chooseFile"))), [new File(["1"], "list.csv")]);
  await click(screen.getByRole("button", { name: t("imports.check") }));
  await says(t("imports.unread", { count: 1 }));
  equal(screen.queryByLabelText(new RegExp(t("imports.chooseFile"))), null);
  await go("/console/imports");
  await go("/console/imports/7");
  ok(await screen.findByLabelText(new RegExp(t("imports.chooseFile"))));
});

test("a failed import says why and offers its columns, with the file to choose again", async () => {
  await visit("/7", { [ONE]: () => one({ status: "failed", detail: "There is no column last_name.", ignored_columns: ["Nachname"], counts: { ...counts, rows: 0 } }) });
  await says("There is no column last_name.");
  await says(t("imports.sendAgain"));
  ok(await screen.findByLabelText(/Nachname/));
  equal(named("button").includes(t("imports.discard")), false);
  await saysNo(t("imports.nothingYet"));
});
