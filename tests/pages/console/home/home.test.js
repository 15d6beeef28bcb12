import { t } from "../../../../competition/plugins/console/static/home/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff, candidate } from "../../kit/front-end.js";
import { arrived, says, words } from "../../kit/said.js";
import { click, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Service } from "../../kit/service.js";

const MARK = "PATCH /notifications/mark-all-as-read/";
const now = Date.now();
const inHours = (/** @type {number} */ hours) => new Date(now + hours * 3_600_000).toISOString();
const todo = (/** @type {string} */ kind, /** @type {string} */ link, more = {}) => example("WaitingTodo", { kind, link, ...more });
const current = (/** @type {number} */ id, more = {}) => example("CurrentExam", { id, title: `Exam ${id}`, status: "ongoing", scheduled_date: inHours(-1), closes_at: inHours(2), question_count: 10, ...more });
const upcoming = (/** @type {number} */ id, more = {}) => example("UpcomingExam", { id, title: `Exam ${id}`, is_active: true, scheduled_date: inHours(72), question_count: 10, ...more });

/** @param {Record<string, any>} dashboard @param {{ as?: any, replies?: Record<string, any>, plugins?: string[] }} [options] */
async function home(dashboard, { as = staff("superadmin"), replies, plugins = ["portal"] } = {}) {
  const service = new Service({ "GET /dashboard/staff/": () => example("StaffDashboard", dashboard), "GET /notifications/": notifications([]), ...replies });
  await open("/console/", { as, service, plugins });
  await arrived(t("home"));
  return service;
}
/** @param {any[]} results @param {number} [unread_count] */
const notifications = (results, unread_count = 0) => example("GET /notifications/", { ...page(results), stats: { unread_count } });
const notification = (/** @type {number} */ id, read = false) => example("Notification", { id, subject: `Subject ${id}`, message: `Message ${id}`, read });

test("each to-do links to the page where it is done", async () => {
  await home({
    todo: [
      todo("verification.documents", "documents", { oldest: inHours(-72) }),
      todo("preflight.failed", "exams/7?step=checks", { oldest: inHours(48) }),
      todo("exams.without_questions", "exams/7/paper", { oldest: inHours(-24) }),
      todo("clarifications.open", "day/questions", { count: 2 }),
      todo("appeals.open", "appeals", { count: 2 }),
      todo("leaderboard.unpublished", "boards", { oldest: inHours(-24) }),
      todo("mails.failed", "house/mails?state=failed"),
      todo("jobs.failed", "/house/jobs"),
      todo("backups.late", "house/service", { oldest: inHours(-72) }),
      todo("other.kind", "other/page", { count: 2 }),
    ],
  });
  const count = (/** @type {any} */ key, number = 1) => t(key, { count: number });
  await screen.findByRole("link", { name: count("home.documents") });
  const items = screen.getByRole("main").querySelectorAll(".todos > li");
  const found = [...items].map((each) => [each.querySelector("a")?.textContent, each.querySelector("a")?.getAttribute("href"), each.querySelector("span")?.textContent ?? ""]);
  equal(found, [
    [count("home.documents"), "/console/documents", t("home.oldest", { ago: "3 days ago" })],
    [count("home.preflight"), "/console/exams/7?step=checks", t("home.opens", { ago: "in 2 days" })],
    [count("home.withoutQuestions"), "/console/exams/7/paper", t("home.planned", { ago: "yesterday" })],
    [count("home.clarifications", 2), "/console/day/questions", ""],
    [count("home.appeals", 2), "/console/appeals", ""],
    [count("home.unpublished"), "/console/boards", t("home.closed", { ago: "yesterday" })],
    [count("home.mails"), "/console/house/mails?state=failed", ""],
    [count("home.jobs"), "/console/house/jobs", ""],
    [t("home.backups"), "/console/house/service", t("home.lastBackup", { ago: "3 days ago" })],
    [t("home.otherTodo", { kind: "other.kind", count: 2 }), "/console/other/page", ""],
  ]);
});

test("other plugins give their kinds of to-dos words and an address", async () => {
  const service = new Service({
    "GET /dashboard/staff/": () => example("StaffDashboard", { todo: [todo("imports.rows", "elsewhere", { count: 3 }), todo("imports.files", "files", { count: 2 })] }),
    "GET /notifications/": notifications([]),
  });
  service.config.modules = /** @type {any} */ ({ portal: [], console: ["/tests/pages/console/home/addition.js"] });
  await open("/console/", { as: staff("admin"), service });
  equal((await screen.findByRole("link", { name: "Look at 3 rows" })).getAttribute("href"), "/console/imports/3");
  equal(screen.getByRole("link", { name: "Look at 2 files" }).getAttribute("href"), "/console/files");
});

test("an organiser of a new league sees where to begin", async () => {
  await home({ exams: { total: 0 }, questions: { total: 12 } }, { as: staff("manager") });
  await says(t("home.begin"));
  const links = within(screen.getByText(t("home.begin")).closest(".sheet")).getAllByRole("link").map((/** @type {any} */ each) => each.getAttribute("href"));
  equal(links, ["/console/staff/invite", "/console/questions/new", "/console/exams/new", "/"]);
  await says(t("home.bank", { count: 12 }));
  ok(!words().includes(t("home.nothing")));
});

test("an admin of a new league can't invite, and without the portal there is no link for candidates", async () => {
  await home({ exams: { total: 0 } }, { as: staff("admin"), plugins: [] });
  await says(t("home.begin"));
  ok(!words().includes(t("home.beginStaff")) && !words().includes(t("home.beginPupils")));
});

for (const [role, total] of /** @type {[string, number][]} */ ([["moderator", 0], ["admin", 1]])) {
  test(`nothing to begin with for a ${role} of a league with ${total} exams`, async () => {
    await home({ exams: { total } }, { as: staff(role) });
    await says(t("home.nothing"));
    ok(!words().includes(t("home.begin")));
  });
}

test("nothing to begin with in a league whose first exam is newer than its numbers", async () => {
  await home({ exams: { total: 0 }, upcoming_exams: [upcoming(2)] }, { as: staff("admin") });
  await says(t("home.nothingNext", { title: "Exam 2", ago: "in 3 days" }));
  ok(!words().includes(t("home.begin")));
});

test("without a to-do, the page names the next exam", async () => {
  await home({ upcoming_exams: [upcoming(2)] });
  await says(t("home.nothingNext", { title: "Exam 2", ago: "in 3 days" }));
});

test("the next exams show their state and the next step", async () => {
  await home({
    current_exams: [current(1), current(2, { status: "scheduled", scheduled_date: inHours(5) })],
    upcoming_exams: [upcoming(2), upcoming(3), upcoming(4, { question_count: 0 }), upcoming(5, { is_active: false }), upcoming(6, { scheduled_date: null })],
  });
  const rows = [...(await screen.findByRole("table", { name: t("home.exams") })).querySelectorAll("tbody tr")];
  const link = (/** @type {Element} */ row) => row.querySelector("a")?.getAttribute("href");
  equal(rows.map(link), ["/console/exams/1/day", "/console/exams/2/day", "/console/exams/3", "/console/exams/4/paper", "/console/exams/5", "/console/exams/6"]);
  const states = [t("exams.state.ongoing"), t("home.opens", { ago: "in 5 hours" }), t("home.opens", { ago: "in 3 days" }), t("home.noQuestions"), t("exams.state.cancelled"), t("exams.noDate")];
  equal(rows.map((each, at) => words(each).includes(states[at] ?? "")), states.map(() => true), words());
});

test("moderators go to the day of an exam, because the plan is for admins", async () => {
  await home({ current_exams: [], upcoming_exams: [upcoming(4, { question_count: 0 })] }, { as: staff("moderator") });
  equal((await screen.findByRole("link", { name: /Exam 4/ })).getAttribute("href"), "/console/exams/4/day");
  equal(screen.queryByRole("link", { name: t("home.allExams") }), null);
});

test("the last thirty days are a picture and a table", async () => {
  const by_day = [[5, 1], [0, 2], [3, 1]].map(([registrations, submissions], at) => ({ day: `2026-03-0${at + 1}`, registrations, submissions }));
  await home({ by_day });
  const figure = (await screen.findByRole("img", { name: t("home.byDay") })).closest("figure");
  const rows = [...figure.querySelectorAll("tbody tr")].map((row) => [...row.children].map((each) => each.textContent));
  equal(rows, [["1 Mar", "5", "1"], ["2 Mar", "0", "2"], ["3 Mar", "3", "1"]]);
});

test("a volunteer sees notifications only, and marks all as read if the page shows all", async () => {
  let unread = 1;
  const service = await home({}, {
    as: staff("volunteer"),
    replies: {
      "GET /notifications/": () => notifications([notification(1, !unread), notification(2, true)], unread),
      [MARK]: () => {
        unread = 0;
        return example(MARK, { updated_count: 1 });
      },
    },
  });
  await says("Message 1");
  equal(service.sent("GET /dashboard/staff/").length, 0);
  // The page shows only the latest.
  equal(service.sent("GET /notifications/")[0]?.query.get("limit"), "5");
  equal(screen.queryByRole("heading", { name: t("home.todo") }), null);
  const mark = screen.getByRole("button", { name: t("home.markRead", { count: 1 }) });
  await click(mark);
  await waitFor(() => equal(screen.queryByRole("button", { name: t("home.markRead", { count: 1 }) }), null));
  equal(service.sent(MARK).length, 1);
});

test("nobody marks notifications as read that the page does not show", async () => {
  await home({}, { as: staff("volunteer"), replies: { "GET /notifications/": notifications([notification(1)], 22) } });
  ok(await screen.findByRole("link", { name: t("home.allNotifications") }));
  equal(screen.queryByRole("button", { name: /Mark/ }), null);
});

for (const [as, key] of /** @type {[any, any][]} */ ([[staff("sponsor"), "home.sponsorHere"], [candidate(), "home.candidateHere"]])) {
  test(`${key}: there are no pages for this user`, async () => {
    const service = new Service({});
    await open("/console/", { as, service, plugins: ["portal"] });
    await arrived(t("home.noPages"));
    await says(t(key));
    equal(screen.queryAllByRole("link", { name: t("home.toPortal") }).length, key === "home.candidateHere" ? 1 : 0);
    ok(screen.getByRole("button", { name: t("signOut") }));
  });
}

for (const [code, key] of /** @type {[string, any][]} */ ([["second_factor_required", "home.needsFactor"], ["unverified_staff", "home.unverified"]])) {
  test(`staff who can't work yet are told why: ${code}`, async () => {
    await home({}, { replies: { "GET /dashboard/staff/": () => refused(403, code) } });
    await says(t(key));
    equal(screen.getByRole("link", { name: t("home.toAccount") }).getAttribute("href"), "/console/account");
  });
}

test("another failure can be tried again", async () => {
  await home({}, { replies: { "GET /dashboard/staff/": () => refused(403, "permission_denied") } });
  ok(within(await screen.findByRole("alert")).getByRole("button", { name: "Try again" }));
});
