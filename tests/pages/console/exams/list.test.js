import { t } from "../../../../competition/plugins/console/static/exams/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says, words } from "../../kit/said.js";
import { click, fill, screen } from "../../kit/screen.js";
import { page, Reply, Service } from "../../kit/service.js";

const item = (/** @type {number} */ id, /** @type {string} */ status, more = {}) => example("ExamListItem", { id, title: `Exam ${id}`, status, round: 2, question_count: 4, scheduled_date: "2026-03-10T10:00:00Z", ...more });
const many = (/** @type {any[]} */ rows, count = rows.length) => example("GET /exams/", page(rows, { pagination: { ...page(rows).pagination, count } }));

test("the overview has the exams that are open, planned and without a date", async () => {
  const service = new Service({
    "GET /exams/": ({ query }) => many({ ongoing: [item(1, "ongoing")], scheduled: [item(2, "scheduled")], draft: [item(3, "draft", { scheduled_date: null, question_count: 0 })] }[query.get("status") ?? ""] ?? [], query.get("status") === "scheduled" ? 49 : 1),
    "GET /dashboard/staff/": example("StaffDashboard", { todo: [example("WaitingTodo", { kind: "leaderboard.unpublished", link: "boards" })] }),
  });
  await open("/console/exams", { as: staff("admin"), service });
  await screen.findByRole("row", { name: /Exam 1/ });
  const rows = [...screen.getByRole("table").querySelectorAll("tbody tr")];
  equal(rows.map((each) => [...each.querySelectorAll("a")].map((link) => link.getAttribute("href"))), [["/console/exams/1", "/console/exams/1/day"], ["/console/exams/2", "/console/exams/2"], ["/console/exams/3", "/console/exams/3"]]);
  ok(words(rows[2]).includes(t("exams.noDate")) && words(rows[2]).includes(t("exams.noQuestions")));
  ok(words(rows[0]).includes(t("exams.stageRound", { stage: t("exams.screening"), round: 2 })));
  await says(t("exams.firstComing", { shown: 3, count: 51 }));
  await says(t("exams.unpublished", { count: 1 }));
  equal(screen.getByRole("link", { name: t("exams.toBoards") }).getAttribute("href"), "/console/boards");
  equal(screen.getAllByRole("link", { name: t("exams.all") }).map((/** @type {any} */ each) => each.getAttribute("href").includes("tab=all")), [true, true]);
});

test("the exams that were over last stand below those to come", async () => {
  await open("/console/exams", { as: staff("admin"), service: new Service({ "GET /exams/": ({ query }) => many(query.get("status") === "concluded" ? [item(9, "concluded")] : []), "GET /dashboard/staff/": example("StaffDashboard") }) });
  const over = await screen.findByRole("table", { name: t("exams.justOver") });
  equal([...over.querySelectorAll("tbody a")].map((each) => each.getAttribute("href")), ["/console/exams/9", "/console/exams/9/results"]);
});

test("an overview that has all exams does not lead to the others", async () => {
  await open("/console/exams", { as: staff("admin"), service: new Service({ "GET /exams/": ({ query }) => many(query.get("status") === "draft" ? [item(3, "draft")] : []), "GET /dashboard/staff/": example("StaffDashboard") }) });
  await screen.findByRole("row", { name: /Exam 3/ });
  equal(words().includes(t("exams.firstComing", { shown: 1, count: 1 })), false);
});

test("an overview without exams leads to the first one", async () => {
  await open("/console/exams", { as: staff("admin"), service: new Service({ "GET /exams/": many([]), "GET /dashboard/staff/": example("StaffDashboard") }) });
  await says(t("exams.noneComing"));
  equal(screen.getAllByRole("link", { name: t("exams.plan") }).length, 2);
});

test("all exams are listed, the latest first, and one that is over leads to its results", async () => {
  const service = new Service({ "GET /exams/": many([item(4, "concluded"), item(5, "cancelled")]) });
  await open("/console/exams?tab=all", { as: staff("admin"), service });
  await screen.findByRole("row", { name: /Exam 4/ });
  equal([...screen.getByRole("table").querySelectorAll("tbody a")].map((each) => each.getAttribute("href")), ["/console/exams/4", "/console/exams/4/results", "/console/exams/5", "/console/exams/5"]);
  equal(service.sent("GET /exams/")[0]?.query.get("ordering"), "-scheduled_date");
  await says(t("exams.found", { count: 2 }));
});

test("moderators see the exams of the day only", async () => {
  const service = new Service({ "GET /dashboard/staff/": example("StaffDashboard", { current_exams: [example("CurrentExam", { id: 1, title: "Today", status: "ongoing" })] }) });
  await open("/console/exams", { as: staff("moderator"), service });
  equal((await screen.findByRole("link", { name: "Today" })).getAttribute("href"), "/console/exams/1/day");
  equal([service.sent("GET /exams/").length, screen.queryAllByRole("link", { name: t("exams.plan") }).length], [0, 0]);
});

test("moderators see that no exam is open today", async () => {
  await open("/console/exams", { as: staff("moderator"), service: new Service({ "GET /dashboard/staff/": example("StaffDashboard") }) });
  await says(t("exams.noCurrent"));
});

/**
 * @param {string} status
 * @param {string} date
 */
async function create(status, date = "2099-12-05") {
  const exam = example("POST /exams/", { id: 7, title: "Screening, autumn", status, scheduled_date: `${date}T09:00:00Z` });
  const service = new Service({ "POST /exams/": () => new Reply(201, exam), "GET /exams/{exam_id}/": () => ({ ...exam, questions: example("ExamDetail").questions }) });
  await open("/console/exams/new", { as: staff("admin"), service });
  await arrived(t("exams.plan"));
  await fill(screen.getByLabelText(t("exams.title")), "Screening, autumn");
  await fill(screen.getByLabelText("Date"), date);
  await fill(screen.getByLabelText("Time"), "10:00");
  await click(screen.getByRole("button", { name: t("exams.create") }));
  return service;
}

test("an exam is created in the league's time zone, and its paper comes next", async () => {
  const service = await create("scheduled");
  await arrived("Screening, autumn");
  await says(t("exams.created"));
  equal(location.search, "?step=paper");
  const [sent] = service.sent("POST /exams/");
  equal(sent?.body, { title: "Screening, autumn", stage: "screening", scheduled_date: "2099-12-05T09:00:00.000Z", description: "", round: 1, open_duration_hours: 12, countdown_minutes: 60, is_active: true, ranking: "standard" });
  ok(sent?.headers.get("Idempotency-Key"));
});

test("an exam that is over when it is created is reported, beside the form with its date", async () => {
  const service = await create("concluded", "2020-12-05");
  ok(await screen.findByRole("dialog", { name: t("exams.isPastTitle") }));
  equal(service.sent("POST /exams/").length, 0);
  await click(screen.getByRole("button", { name: t("exams.saveIt") }));
  await arrived("Screening, autumn");
  await says(t("exams.createdOver"));
  equal(screen.getByLabelText("Date").value, "2020-12-05");
});
