import { t } from "../../../../competition/plugins/console/static/school/words.js";
import { t as slips } from "../../../../competition/plugins/console/static/slips/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, settled, staff } from "../../kit/front-end.js";
import { arrived, says } from "../../kit/said.js";
import { click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const OWN = "GET /school/";
const LIST = "GET /school/candidates/";
const ENTER = "POST /school/candidates/";
const CONFIRM = "POST /school/candidates/{user_id}/confirm/";
const SLIPS = "POST /school/slips/";
const plugins = ["teachers", "imports", "exports"];

/** @param {number} number @param {Record<string, any>} [more] */
const pupil = (number, more) => example("Pupil", {
  user_id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${number}`, full_name: `Pupil ${number}`, first_name: "Pupil", last_name: String(number),
  year: 7, group: "7B", external_id: null, login: `bcd23${number}`, has_code: false, used: false, state: "verified", fixed: [], ...more,
});
/** @param {number} number @param {Record<string, any>} [more] */
const slip = (number, more) => example("SchoolSlip", {
  user_id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${number}`, full_name: `Pupil ${number}`, year: 7, group: "7B", login: `bcd23${number}`, code: `bcdf-ghjk-mnp${number}`, ...more,
});
const EXAM = example("SchoolExam", { id: 7, title: "Round 1", status: "scheduled" });

/** @param {any[]} pupils @param {Record<string, any>} [replies] @param {Record<string, any>} [school] */
const teaching = (pupils, replies, school) => new Service({
  [OWN]: example(OWN, { name: "West", candidates: pupils.length, unconfirmed: 0, ...school }),
  [LIST]: () => page(pupils),
  "GET /school/exams/": () => page([EXAM]),
  ...replies,
});
/** @param {string} path @param {Service} service */
const opened = (path, service) => open(`/console/school${path}`, { as: staff("volunteer"), service, plugins });
const press = async (/** @type {string} */ name) => click(await screen.findByRole("button", { name }));
const inDialog = async (/** @type {string} */ name) => click(await within(await screen.findByRole("dialog")).findByRole("button", { name }));

test("a teacher begins with the own school, and is told what to do next", async () => {
  const service = teaching([pupil(1)], { "GET /notifications/": () => example("GET /notifications/", page([])) }, { unconfirmed: 2 });
  await open("/console/", { as: staff("volunteer"), service, plugins });
  await arrived("West");
  await says(t("school.nextConfirm", { count: 2 }));
  equal((await screen.findByRole("link", { name: "Round 1" })).getAttribute("href"), "/console/school/exams/7");
  equal(screen.getByRole("link", { name: t("school.import") }).getAttribute("href"), "/console/imports/new/pupils");
});

test("the exams of an earlier season can be read, and their results", async () => {
  const seasons = [2, 1].map((id) => example("Season", { id, name: String(2025 + id), status: id === 2 ? "current" : "closed" }));
  const old = { ...EXAM, id: 3, title: "Of last year", status: "concluded" };
  const service = teaching([pupil(1)], {
    "GET /seasons/": page(seasons),
    "GET /school/exams/": (/** @type {any} */ { query }) => page([query.get("season") === "1" ? old : EXAM]),
    "GET /school/exams/{exam_id}/results/": example("GET /school/exams/{exam_id}/results/", { average: 61.5, results: [], pagination: page([]).pagination }),
  });
  await open("/console/school/exams", { as: staff("volunteer"), service, plugins: [...plugins, "seasons"] });
  await screen.findByRole("link", { name: "Round 1" });
  click(screen.getByRole("link", { name: "2026" }));
  click(await screen.findByRole("link", { name: "Of last year" }));
  await says(t("school.average", { score: "61.5" }));
  await says(t("season.name", { name: "2026" }));
});

for (const [season, isSaid] of /** @type {[boolean, boolean][]} */ ([[true, true], [false, false]])) {
  test(`the head of a school ${isSaid ? "counts who has not joined the season, and says that confirming joins" : "says nothing of seasons without them"}`, async () => {
    const waiting = pupil(1, { state: "unconfirmed", first_name: null, last_name: null, group: null, login: null, has_code: null, used: null, fixed: null });
    const service = teaching([waiting], { [LIST]: (/** @type {any} */ { query }) => page(query.get("state") === "not_joined" ? [pupil(2), pupil(3)] : query.get("needs_code") ? [] : [waiting]) }, { candidates: 0, unconfirmed: 1 });
    await open("/console/school", { as: staff("volunteer"), service, plugins: season ? [...plugins, "seasons"] : plugins });
    await says([t("school.counts", { count: 0 }), t("school.countUnconfirmed", { count: 1 }), ...(isSaid ? [t("school.countNotJoined", { count: 2 })] : [])].join(", "));
    await settled(service);
    equal([t("school.confirmJoins"), t("school.countNotJoined", { count: 2 })].map((each) => document.body.textContent?.includes(each)), [isSaid, isSaid]);
  });
}

test("the page of an exam says how many have started", async () => {
  const counts = { not_started: 3, sitting: 2, submitted: 25 };
  const service = teaching([pupil(1)], {
    "GET /school/exams/": () => page([{ ...EXAM, status: "ongoing", counts }]),
    "GET /school/exams/{exam_id}/": () => page([]),
  });
  await opened("/exams/7", service);
  await says(t("school.day", counts));
});

for (const [operation, status] of /** @type {[string, string][]} */ ([["GET /school/exams/{exam_id}/", "ongoing"], ["GET /school/exams/{exam_id}/results/", "concluded"]]))
  test(`a pupil is found by name in an exam that is ${status}`, async () => {
    const service = teaching([pupil(1)], {
      "GET /school/exams/": () => page([{ ...EXAM, status }]),
      [operation]: () => example(operation, { results: [], pagination: page([]).pagination }),
    });
    await opened("/exams/7", service);
    fill(await screen.findByLabelText(t("school.search")), "noether");
    await waitFor(() => equal(service.sent(operation).at(-1)?.query.get("search"), "noether"));
    equal(location.search, "?search=noether");
  });

/** A list of pupils, of whom some need a code. @param {any[]} pupils @param {number} number */
const needing = (pupils, number) => ({ [LIST]: (/** @type {any} */ { query }) => page(query.get("needs_code") ? pupils.slice(0, number) : pupils) });

test("slips are to be printed as long as a pupil has no code", async () => {
  const pupils = [pupil(1), pupil(2), pupil(3)];
  await opened("", teaching(pupils, needing(pupils, 2)));
  equal((await screen.findByRole("link", { name: t("school.nextSlips", { count: 2 }) })).getAttribute("href"), "/console/school/slips");
});

test("who has handed out all slips is not sent to make new ones", async () => {
  const pupils = [pupil(1, { has_code: true })];
  await opened("", teaching(pupils, needing(pupils, 0)));
  await screen.findByRole("link", { name: "Round 1" });
  equal(screen.queryAllByRole("link", { name: t("school.nextSlips", { count: 1 }) }).length, 0);
});

for (const [count, isSaid] of /** @type {[number, boolean][]} */ ([[0, false], [1, true]])) {
  test(`with ${count} pupils and no exam for them, the page ${isSaid ? "says so" : "asks for pupils first"}`, async () => {
    await opened("", teaching(count ? [pupil(1)] : [], { "GET /school/exams/": () => page([]) }));
    await says(isSaid ? t("school.nextNoExam") : t("school.nextEnter"));
    equal(document.body.textContent?.includes(t("school.nextNoExam")), isSaid);
  });
}

test("the list of exams says which are open and which are over", async () => {
  await opened("/exams", teaching([pupil(1)], { "GET /school/exams/": () => page([EXAM, { ...EXAM, id: 8, title: "Round 0", status: "concluded" }]) }));
  await screen.findByRole("row", { name: new RegExp(`Round 1.*${t("school.exam.scheduled")}`) });
  await screen.findByRole("row", { name: new RegExp(`Round 0.*${t("school.exam.concluded")}`) });
});

test("a volunteer who is no teacher is told so", async () => {
  await opened("", new Service({ [OWN]: () => refused(404, "not_found"), "GET /school/exams/": () => refused(404, "not_found") }));
  await says(t("school.noTeacher"));
});

test("who has typed the school's name is confirmed or refused", async () => {
  const stranger = (/** @type {number} */ number) => pupil(number, { state: "unconfirmed", first_name: null, last_name: null, group: null, login: null, has_code: null, used: null, fixed: null });
  const service = teaching([stranger(1), stranger(2)], { [CONFIRM]: (/** @type {any} */ { body }) => ({ state: body.is_ours ? "verified" : "refused", warnings: body.is_ours ? ["Another pupil has these names."] : [] }) });
  await opened("", service);
  await press(`${t("school.confirm")} Pupil 1`);
  await says(t("school.confirmed", { name: "Pupil 1" }));
  await says(t("school.warning", { name: "Pupil 1", text: "Another pupil has these names." }));
  await press(`${t("school.refuse")} Pupil 2`);
  await inDialog(t("school.refuse"));
  await says(t("school.refused", { name: "Pupil 2" }));
  equal(service.sent(CONFIRM).map((each) => each.body.is_ours), [true, false]);
});

const CHANGE = "PATCH /school/candidates/{user_id}/";
const FIELDS = ["first_name", "last_name", "group", "year", "external_id"];
const NAMES = ["first_name", "last_name"];
for (const [fixed, said] of /** @type {[any, any[]][]} */ ([
  [[], []], [NAMES, ["school.nameFixed"]], [[...NAMES, "phone"], ["school.nameOfPupil"]], [[...NAMES, "year"], ["school.nameFixed", "school.yearFixed"]],
]))
  test(`of a pupil, ${fixed.join(", ") || "nothing"} can't be changed`, async () => {
    const service = teaching([pupil(1, { fixed })], { [CHANGE]: (/** @type {any} */ { body }) => pupil(1, body) });
    await opened("", service);
    await press(`${t("school.change")} Pupil 1`);
    const dialog = await screen.findByRole("dialog");
    const text = dialog.textContent ?? "";
    equal(/** @type {const} */ (["school.nameFixed", "school.nameOfPupil", "school.yearFixed"]).filter((each) => text.includes(t(each))), said);
    equal(within(dialog).queryAllByLabelText(t("school.firstName")).length, fixed.includes("first_name") ? 0 : 1);
    await fill(within(dialog).getByLabelText(new RegExp(t("school.group"))), "8A");
    await inDialog(t("school.save"));
    await says(t("school.saved", { name: "Pupil 1" }));
    const [{ body }] = service.sent(CHANGE);
    equal([Object.keys(body), body.group], [FIELDS.filter((each) => !fixed.includes(each)), "8A"]);
  });

test("after a pupil, the form keeps year and group, and their slips are a click away", async () => {
  const service = teaching([], { [ENTER]: () => new Reply(201, example(ENTER, { ...pupil(1), warnings: ["Another pupil has these names."] })), [SLIPS]: { slips: [slip(1)] } });
  await opened("/new", service);
  await fill(await screen.findByLabelText(t("school.firstName")), "Emmy");
  await fill(screen.getByLabelText(t("school.lastName")), "Noether");
  await fill(screen.getByLabelText(new RegExp(t("school.year"))), "7");
  await fill(screen.getByLabelText(new RegExp(t("school.group"))), "7B");
  await press(t("school.enterVerb"));
  await says(t("school.entered", { name: "Pupil 1" }));
  await says(t("school.warning", { name: "Pupil 1", text: "Another pupil has these names." }));
  equal(service.sent(ENTER)[0]?.body, { first_name: "Emmy", last_name: "Noether", year: 7, group: "7B", external_id: null, email: null, guardian_name: null, guardian_email: null });
  equal(screen.getByLabelText(t("school.firstName")).value, "");
  equal(screen.getByLabelText(new RegExp(t("school.year"))).value, "7");
  equal(screen.getByLabelText(new RegExp(t("school.group"))).value, "7B");
  await press(t("school.theirSlips"));
  await arrived(t("school.slips"));
  await press(slips("slips.issue"));
  await says("bcdf-ghjk-mnp1");
  equal(service.sent(SLIPS)[0]?.body, { candidates: [pupil(1).user_id], renew: false, unused: false });
});

test("printed slips lead back to the school, in the order of its list", async () => {
  // The list has last names in their order, and the service replies in another one.
  const pupils = [pupil(2), pupil(1)];
  await opened("/slips", teaching(pupils, { [SLIPS]: { slips: [slip(1), slip(2)] } }));
  await press(slips("slips.issue"));
  await says("bcdf-ghjk-mnp1");
  equal(screen.getAllByRole("row").slice(1).map((each) => each.querySelector("td, th[scope=row]")?.textContent?.trim()), ["Pupil 2", "Pupil 1"]);
  await press(slips("slips.printed"));
  await arrived("West");
  await says(slips("slips.done", { count: 2 }));
});

test("slips are made for all who have never signed in", async () => {
  const pupils = [pupil(1), pupil(2, { has_code: true }), pupil(3, { used: true }), pupil(4, { login: null })];
  // Pupil 2 signs in at this moment, and keeps the session.
  const service = teaching(pupils, { [SLIPS]: { slips: [slip(1, { used: false }), slip(2, { code: null, used: true })] } });
  await opened("/slips", service);
  await press(slips("slips.issue"));
  ok(within(await screen.findByRole("dialog", { name: slips("slips.renewTitle", { count: 1 }) })).getByText("Pupil 2"));
  equal(service.sent(SLIPS).length, 0);
  await inDialog(slips("slips.renewCount", { count: 1 }));
  await says(slips("slips.shownOnce", { count: 1 }));
  equal(service.sent(SLIPS)[0]?.body, { candidates: [pupil(1).user_id, pupil(2).user_id], renew: true, unused: true });
  await screen.findByRole("row", { name: new RegExp(`Pupil 2.*${slips("slips.used")}`) });
  equal(screen.queryAllByRole("button", { name: slips("slips.renewUnused") }).length, 0);
});

test("a group that nobody has is told from one in which all have signed in", async () => {
  const service = teaching([], { [LIST]: (/** @type {any} */ { query }) => page(query.get("group") === "7B" ? [pupil(1, { used: true })] : []) });
  await opened("/slips", service);
  await click(await screen.findByLabelText(slips("slips.groupUnused")));
  for (const [group, text] of [["9Z", slips("slips.nobodyIn", { group: "9Z" })], ["7B", slips("slips.nobodyLeft")]]) {
    await fill(screen.getByLabelText(new RegExp(`^${slips("slips.group")}`)), group);
    await press(slips("slips.issue"));
    await says(text);
  }
});

test("new codes replace others only after a question that names the pupils", async () => {
  const service = teaching([pupil(1, { has_code: true, used: true }), pupil(2)], { [SLIPS]: (/** @type {any} */ { body }) => ({ slips: [slip(1, { code: body.renew ? "bcdf-ghjk-mnp1" : null }), slip(2)] }) });
  await opened("", service);
  await press("Select this page");
  await press(t("school.slipsOf", { count: 2 }));
  await says(slips("slips.someHave", { count: 1 }));
  await press(slips("slips.renew"));
  const dialog = await screen.findByRole("dialog", { name: slips("slips.renewTitle", { count: 1 }) });
  ok(dialog.textContent.includes("Pupil 1"));
  equal(service.sent(SLIPS).length, 0);
  await inDialog(slips("slips.renew"));
  await says("bcdf-ghjk-mnp1");
  equal(service.sent(SLIPS)[0]?.body.renew, true);
});

test("who has an email address or is no pupil gets no slip", async () => {
  await opened("", teaching([pupil(1, { login: null }), pupil(2, { state: "removed" })]));
  await press("Select this page");
  await press(t("school.slipsOf", { count: 2 }));
  await says(t("school.noSlips"));
  equal(location.pathname, "/console/school");
});

test("an exam shows who has started, and the results once pupils can see them", async () => {
  const state = example("PupilInExam", { user_id: pupil(1).user_id, full_name: "Pupil 1", state: "sitting" });
  const service = teaching([pupil(1)], {
    "GET /school/exams/{exam_id}/": () => page([state]),
    "GET /school/exams/": () => page([{ ...EXAM, status: "concluded" }]),
    "GET /school/exams/{exam_id}/results/": () => refused(403, "permission_denied"),
  });
  await opened("/exams/7", service);
  await screen.findByRole("row", { name: new RegExp(`Pupil 1.*${t("school.sitting")}`) });
  equal(screen.queryAllByRole("heading", { name: t("school.results") }).length, 0);
});

test("results have the average of the school, and a file", async () => {
  const result = example("PupilResult", { user_id: pupil(1).user_id, full_name: "Pupil 1", score: 80, rank: 3 });
  const service = teaching([pupil(1)], { "GET /school/exams/": () => page([{ ...EXAM, status: "concluded" }]), "GET /school/exams/{exam_id}/results/": () => ({ ...page([result]), average: 80 }) });
  await opened("/exams/7", service);
  await says(t("school.average", { score: "80" }));
  await screen.findByRole("row", { name: /Pupil 1.*80.*3/ });
});
