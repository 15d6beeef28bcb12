import { t } from "../../../../competition/plugins/portal/static/appeals/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open, push, visit } from "../../kit/front-end.js";
import { arrived, named, says, words } from "../../kit/said.js";
import { choose, click, fill, screen, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const DASHBOARD = "GET /dashboard/candidate/";
const APPEALS = "GET /appeals/";
const ANSWERS = "GET /exams/{exam_id}/submitted-answers/";
const MAKE = "POST /exams/{exam_id}/appeals/";
const REASONS = "Option C is right as well: zero is an even number.";
const exam = (/** @type {number} */ id, /** @type {Record<string, any>} */ values = {}) => example("ConcludedExam", { id, title: `Exam ${id}`, enrollment: "done", ...values });
const appeal = (/** @type {number} */ id, /** @type {Record<string, any>} */ values = {}) => example("Appeal", { id, exam: 7, text: `Reasons ${id}`, ...values });
const questions = [
  example("TakenAnswer", { question_id: 11, selected_option: "A" }),
  example("TakenAnswer", { question_id: 12, selected_option: "B", option_b: "minus two" }),
  example("TakenAnswer", { question_id: 13, selected_option: "" }),
];

/** @param {string} path @param {Record<string, any>} [replies] @param {any[]} [exams] @param {string[]} [plugins] */
async function shown(path, replies, exams = [exam(7)], plugins) {
  const service = new Service({
    [DASHBOARD]: () => example(DASHBOARD, { concluded_exams: exams }),
    [APPEALS]: page([]),
    [ANSWERS]: example(ANSWERS, { answers: questions }),
    [MAKE]: () => new Reply(201, example(MAKE)),
    ...replies,
  });
  Object.assign(service.config.settings, { "appeals.days": 7 });
  await open(path, { as: candidate(), service, ...(plugins && { plugins }) });
  return service;
}

test("the appeals of each exam are shown, with their replies", async () => {
  const appeals = [
    appeal(1, { question: 12, question_number: 2, status: "accepted", answer: "You are right.", answered_at: "2026-03-10T10:00:00Z" }),
    appeal(2, { question: 13, question_number: null, status: "rejected", answer: "B is right." }),
    appeal(3, { exam: 8 }),
  ];
  const service = await shown("/appeals", { [APPEALS]: page(appeals) }, [exam(7), exam(8), exam(9), exam(10, { enrollment: "missed" })]);
  await screen.findByRole("heading", { name: "Exam 7" });
  await says(t("appeals.lead", { count: 7 }));
  const one = (/** @type {number} */ id) => screen.getByText(`Reasons ${id}`).closest(".sheet");
  const brief = (/** @type {any} */ sheet) => [words(sheet.querySelector("h3")), words(sheet.querySelector(".tag")), within(sheet).getByRole("link").getAttribute("href")];
  equal([1, 2, 3].map((id) => brief(one(id))), [
    [t("appeals.question", { number: 2 }), t("appeals.accepted"), "/results/7"],
    [t("appeals.aQuestion"), t("appeals.rejected"), "/results/7"],
    [t("appeals.whole"), t("appeals.open"), "/results/8"],
  ]);
  ok(words(one(1)).includes("You are right."), "The reply is missing.");
  ok(words(one(3)).includes(t("appeals.waiting")), "The appeal is not waiting.");
  ok(!words(one(1)).includes(t("appeals.waiting")), "An answered appeal is waiting.");
  equal(named("heading").filter((each) => each.startsWith("Exam ")), ["Exam 7", "Exam 8", "Exam 9"]);
  await says(t("appeals.noneHere"));
  equal(screen.getByRole("link", { name: t("appeals.newIn", { title: "Exam 9" }) }).getAttribute("href"), "/appeals/new?exam=9");
  equal(service.sent(APPEALS)[0]?.query.get("limit"), "100");
});

test("earlier exams are shown on demand", async () => {
  await shown("/appeals", {}, [1, 2, 3, 4, 5, 6, 7].map((id) => exam(id)));
  const found = () => named("heading").filter((each) => each.startsWith("Exam ")).length;
  await screen.findByRole("heading", { name: "Exam 5" });
  equal(found(), 5);
  await click(screen.getByRole("button", { name: t("appeals.earlier") }));
  await screen.findByRole("heading", { name: "Exam 7" });
  equal(screen.queryAllByRole("button", { name: t("appeals.earlier") }).length, 0);
});

test("a candidate who has taken no exam reads when they can appeal", async () => {
  await shown("/appeals", {}, [exam(7, { enrollment: "missed" })]);
  await says(t("appeals.none"));
});

test("the appeals of an earlier season can be read, and no new ones are offered", async () => {
  const closed = [appeal(1, { exam_title: "Algebra", status: "accepted", answer: "You are right." }), appeal(2, { exam: 8, exam_title: "Geometry" }), appeal(3, { exam_title: "Algebra" })];
  const found = /** @type {Record<string, any[]>} */ ({ 1: closed, 2: [] });
  const service = await shown("/appeals", {
    [APPEALS]: (/** @type {any} */ asked) => page(found[asked.query.get("season")] ?? [appeal(9)]),
    "GET /seasons/": () => page([3, 2, 1].map((id) => example("Season", { id, name: String(2025 + id), status: id === 3 ? "current" : "closed" }))),
  }, [exam(7)], ["seasons"]);
  await says("Reasons 9");
  await click(await screen.findByRole("link", { name: "2026" }));
  await says("You are right.");
  await says(t("appeals.leadEarlier"));
  equal(named("heading").filter((each) => ["Algebra", "Geometry", "Exam 7"].includes(each)), ["Algebra", "Geometry"]);
  equal(screen.getAllByRole("link", { name: t("appeals.whole") }).map((/** @type {any} */ each) => each.getAttribute("href")), ["/results/7?season=1", "/results/7?season=1", "/results/8?season=1"]);
  equal(screen.queryAllByRole("link", { name: new RegExp(t("appeals.new")) }).length, 0);
  await click(screen.getByRole("link", { name: "2027" }));
  await says(t("appeals.noneEarlier"));
  equal(service.sent(APPEALS).at(-1)?.query.get("season"), "2");
  // A bookmark of a season that is current again, because the next one was undone.
  await visit("/appeals?season=3");
  ok(await screen.findByRole("link", { name: t("appeals.newIn", { title: "Exam 7" }) }));
  await says(t("appeals.lead", { count: 7 }));
});

test("a reply appears when it arrives", async () => {
  let status = {};
  await shown("/appeals", { [APPEALS]: () => page([appeal(1, status)]) });
  await says(t("appeals.waiting"));
  status = { status: "accepted", answer: "You are right." };
  push("portal", "notification_activity", {});
  await says("You are right.");
  status = { status: "accepted", answer: "Both options count now." };
  document.dispatchEvent(new Event("visibilitychange"));
  await says("Both options count now.");
});

test("an appeal from a question is about that question, and shows the own answer", async () => {
  const service = await shown("/appeals/new?exam=7&question=12");
  await arrived(t("appeals.title"));
  const about = await screen.findByLabelText(t("appeals.about"));
  equal(about.selectedOptions[0].text, t("appeals.question", { number: 2 }));
  equal([...about.options].map((each) => each.text), [t("appeals.whole"), ...[1, 2, 3].map((number) => t("appeals.question", { number }))]);
  ok(screen.getByRole("radio", { name: "B, minus two" }).checked, "The own answer is not shown.");
  await fill(screen.getByLabelText(t("appeals.text")), REASONS);
  await click(screen.getByRole("button", { name: t("appeals.send") }));
  await arrived(t("appeals"));
  await says(t("appeals.sent"));
  const [sent] = service.sent(MAKE);
  equal([sent?.params.exam_id, sent?.body], ["7", { question: 12, text: REASONS }]);
});

test("an appeal against the whole result names no question", async () => {
  const service = await shown("/appeals/new?exam=7");
  const about = await screen.findByLabelText(t("appeals.about"));
  equal(about.selectedOptions[0].text, t("appeals.whole"));
  equal(screen.queryAllByRole("radio").length, 0);
  await choose(about, t("appeals.question", { number: 3 }));
  await says(t("appeals.blank"));
  await choose(about, t("appeals.whole"));
  await fill(screen.getByLabelText(t("appeals.text")), REASONS);
  await click(screen.getByRole("button", { name: t("appeals.send") }));
  await arrived(t("appeals"));
  equal(service.sent(MAKE)[0]?.body, { question: null, text: REASONS });
});

test("a rejected appeal keeps what was typed, also if the page is opened again", async () => {
  const service = await shown("/appeals/new?exam=7", { [MAKE]: () => refused(403, "appeals_closed") });
  await fill(await screen.findByLabelText(t("appeals.text")), REASONS);
  await click(screen.getByRole("button", { name: t("appeals.send") }));
  await says(t("refused.appeals_closed"));
  equal(screen.getByLabelText(t("appeals.text")).value, REASONS);
  equal(JSON.parse(sessionStorage.getItem("draft.appeal.7.") ?? "null").text, REASONS);
  service.replies[MAKE] = () => refused(400, "invalid", "Invalid.", { errors: { question: ["You have already appealed about this."] } });
  await click(screen.getByRole("button", { name: t("appeals.send") }));
  await says("You have already appealed about this.");
  await until(() => screen.getByLabelText(t("appeals.about")).getAttribute("aria-invalid") === "true");
});

test("if the answers may not be seen, the appeal is about the whole result", async () => {
  await shown("/appeals/new?exam=7&question=12", { [ANSWERS]: () => refused(403, "permission_denied") });
  const about = await screen.findByLabelText(t("appeals.about"));
  equal([...about.options].map((each) => each.text), [t("appeals.whole")]);
});

test("a failure of the service is not called a result without questions", async () => {
  await shown("/appeals/new?exam=7", { [ANSWERS]: () => refused(500, "server_error") });
  await screen.findByRole("alert");
  equal(screen.queryAllByLabelText(t("appeals.text")).length, 0);
});

test("an exam without a result leads to the results", async () => {
  const service = await shown("/appeals/new?exam=99");
  await says(t("appeals.noExam"));
  equal(screen.getByRole("link", { name: t("appeals.toResults") }).getAttribute("href"), "/results");
  equal(service.sent(ANSWERS), []);
});
