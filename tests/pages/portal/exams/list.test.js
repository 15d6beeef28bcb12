import { t } from "../../../../competition/plugins/portal/static/exams/words.js";
import { equal, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { candidate, open } from "../../kit/front-end.js";
import { whenInWords } from "../../../../competition/plugins/pages/static/pieces/page.js";
import { arrived, says, saysNo, words } from "../../kit/said.js";
import { screen, within } from "../../kit/screen.js";
import { refused, Service } from "../../kit/service.js";

const DASHBOARD = "GET /dashboard/candidate/";
const OWN_TIME = "GET /exams/{exam_id}/own-time/";
const minutes = { countdown_minutes: 60 };
const submitted = example("AvailableExam", { id: 2, title: "Number theory", round: 2, enrollment: "done", ...minutes });
const ready = example("AvailableExam", { id: 3, title: "Geometry of circles", round: 3, enrollment: "not_done", closes_at: "2026-03-10T12:00:00Z", question_count: 20, ...minutes });
const later = example("AnnouncedExam", { id: 4, title: "Second chance", round: 4, scheduled_date: "2026-03-13T10:00:00Z", ...minutes });
const missed = example("ConcludedExam", { id: 1, title: "Autumn warm-up", enrollment: "missed" });
const taken = example("ConcludedExam", { id: 5, title: "Counting", enrollment: "done" });
const closed = example("ConcludedExam", { id: 6, title: "Not for this candidate", enrollment: "not_done" });

/**
 * @param {Record<string, any>} exams
 * @param {Record<string, any>} [replies]
 * @param {boolean} [is_user_verified]
 */
async function list(exams, replies, is_user_verified = true) {
  const service = new Service({ [DASHBOARD]: () => example(DASHBOARD, { candidate_info: { is_user_verified }, ...exams }), [OWN_TIME]: { minutes: 60 }, ...replies });
  await open("/exams", { as: candidate(), service, plugins: ["allowances"] });
  await arrived(t("exams"));
  await screen.findByRole("heading", { name: t("exams.past") });
  return service;
}

/** The sheets of a section. @param {string} name */
const sheets = (name) => [...screen.getByRole("heading", { name, level: 2 }).closest("section").querySelectorAll(".sheet")];
/** What a sheet shows: its title, its tag and where it leads. @param {any} sheet */
const shown = (sheet) => [words(sheet.querySelector("h3")), words(sheet.querySelector(".tag") ?? document.createElement("i")), ...within(sheet).getAllByRole("link").map((/** @type {any} */ each) => each.getAttribute("href"))];

test("each exam is in its section, and leads to its page", async () => {
  await list({ available_exams: [submitted, ready], upcoming_exams: [later], concluded_exams: [missed, taken, closed] });
  // The exam that can still be taken comes first.
  equal(sheets(t("exams.open")).map(shown), [
    ["Geometry of circles", t("exams.isOpen"), "/exams/3", "/exams/3"],
    ["Number theory", t("exams.submitted"), "/exams/2", "/results/2"],
  ]);
  equal(sheets(t("exams.upcoming")).map(shown), [["Second chance", "", "/exams/4"]]);
  equal(sheets(t("exams.past")).map(shown), [
    ["Autumn warm-up", t("exams.missed"), "/exams/1"],
    ["Counting", t("exams.submitted"), "/exams/5", "/results/5"],
    ["Not for this candidate", "", "/exams/6"],
  ]);
});

test("only the first exam that can be taken has the filled button", async () => {
  const another = { ...ready, id: 9, title: "Another one" };
  await list({ available_exams: [submitted, ready, another] });
  equal([...document.querySelectorAll(".button.first")].map((each) => each.getAttribute("href")), ["/exams/3"]);
});

test("a new candidate reads what will be here", async () => {
  await list({});
  await says(t("exams.noneOpen"));
  await says(t("exams.noneUpcoming"));
  await says(t("exams.nonePast"));
});

test("a candidate with an open exam reads that no other one is planned", async () => {
  await list({ available_exams: [ready] });
  await says(t("exams.noOther"));
  await saysNo(t("exams.noneUpcoming"));
});

test("the candidate's own time is shown for each exam that can be taken", async () => {
  const service = await list({ available_exams: [submitted, ready], upcoming_exams: [later] }, { [OWN_TIME]: (/** @type {any} */ { params }) => ({ minutes: params.exam_id === "3" ? 75 : 60 }) });
  await says(t("exams.minutes", { count: 75 }));
  equal(service.sent(OWN_TIME).map((each) => each.params.exam_id).toSorted(), ["3", "4"]);
});

test("if the own time can't be read, the exam's usual time is shown", async () => {
  await list({ available_exams: [ready] }, { [OWN_TIME]: () => refused(403, "exam_not_eligible") });
  await says(t("exams.minutes", { count: 60 }));
});

test("a candidate who is not approved sees the exam's time, and the page asks for no other", async () => {
  const service = await list({ available_exams: [ready], upcoming_exams: [later] }, {}, false);
  await says(t("exams.minutes", { count: 60 }));
  equal(service.sent(OWN_TIME), []);
});

const TIME = "GET /exams/{exam_id}/time/";

test("a running exam comes first, and says when its time ends", async () => {
  const now = new Date();
  const at = (/** @type {number} */ minutes) => new Date(now.getTime() + minutes * 60_000).toISOString();
  const clocks = /** @type {Record<string, any>} */ ({
    2: {},
    3: { started_at: at(-90), deadline: at(-30) },
    4: { started_at: at(-10), deadline: at(50) },
  });
  const open = (/** @type {number} */ id, /** @type {string} */ title) => ({ ...ready, id, title });
  await list(
    { available_exams: [open(2, "Not started"), open(3, "Over"), open(4, "Started")] },
    { [TIME]: (/** @type {any} */ { params }) => example("ExamTime", { server_time: now.toISOString(), ...clocks[params.exam_id] }) },
  );
  await says(t("exams.goOn"));
  equal(sheets(t("exams.open")).map((each) => [...shown(each).slice(0, 2), words(each.querySelector(".button"))]), [
    ["Started", t("exams.running", { time: whenInWords(at(50)) }), t("exams.goOn")],
    ["Not started", t("exams.isOpen"), t("exams.go")],
    ["Over", t("exams.timeOver"), t("exams.go")],
  ]);
});

test("a candidate whose identity is not approved is sent to the documents", async () => {
  const service = await list({ available_exams: [ready] }, {}, false);
  await says(t("exams.whenChecked"));
  const [sheet] = sheets(t("exams.open"));
  equal(within(sheet).getByRole("link", { name: t("documents") }).getAttribute("href"), "/documents");
  equal(within(sheet).queryAllByRole("link", { name: t("exams.go") }), []);
  equal(service.sent(TIME), []);
});
