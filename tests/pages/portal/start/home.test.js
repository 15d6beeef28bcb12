import { t as joining } from "../../../../competition/plugins/portal/static/joining/words.js";
import { t } from "../../../../competition/plugins/portal/static/start/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock, until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open, push, settled } from "../../kit/front-end.js";
import { arrived, says, saysNo, words } from "../../kit/said.js";
import { click, fill, screen, within } from "../../kit/screen.js";
import { page, refused, Service } from "../../kit/service.js";

const DASHBOARD = "GET /dashboard/candidate/";
const STATUS = "GET /user/verification/status/";
const NEWS = "GET /notifications/";
const TIME = "GET /exams/{exam_id}/time/";
const OWN_TIME = "GET /exams/{exam_id}/own-time/";
const approved = { is_email_verified: true, is_user_verified: true };
const exam = example("AvailableExam", { id: 7, title: "Round two", countdown_minutes: 60, question_count: 20, enrollment: "not_done" });
const announced = example("AnnouncedExam", { id: 8, title: "Round three", countdown_minutes: 60, scheduled_date: "2026-03-10T12:00:00Z" });

/**
 * The home page of a candidate.
 *
 * @param {Record<string, any>} own What the dashboard says of the candidate.
 * @param {Record<string, any>} [exams] The exams and scores of the dashboard.
 * @param {Record<string, any>} [replies]
 * @param {string[]} [plugins]
 */
async function home(own, exams = {}, replies = {}, plugins) {
  const service = new Service({
    [DASHBOARD]: () => example(DASHBOARD, { candidate_info: own, ...exams }),
    [STATUS]: () => example(STATUS),
    [NEWS]: () => page([], { stats: { total_count: 0, unread_count: 0, read_count: 0 } }),
    ...replies,
  });
  await open("/home", { as: candidate(), service, plugins });
  await arrived(t("start.hello", { name: "Amara" }));
  return service;
}

const section = (/** @type {string} */ name) => screen.findByRole("heading", { name, level: 2 }).then((/** @type {any} */ found) => within(found.closest("section")));

test("the first page leads to registration while it is open", async () => {
  await open("/", { service: new Service({ "GET /registration/": example("GET /registration/", { is_candidate_reg_open: true }) }) });
  await says(t("start.isOpen"));
  equal(screen.getByRole("link", { name: t("register") }).getAttribute("href"), "/register");
  equal(screen.getByRole("link", { name: "help@league.example" }).getAttribute("href"), "mailto:help@league.example");
});

test("the first page leads nobody to a closed registration", async () => {
  await open("/", { service: new Service({ "GET /registration/": example("GET /registration/") }) });
  await says(t("start.isClosed"));
  equal(screen.queryAllByRole("link", { name: t("register") }).length, 0);
});

test("the first page leads who is signed in to the home page", async () => {
  await open("/", { as: candidate(), service: new Service() });
  equal((await screen.findByRole("link", { name: t("start.goHome") })).getAttribute("href"), "/home");
  equal(screen.queryAllByRole("link", { name: t("signIn") }).length, 0);
});

test("a new candidate sees what is missing, and nothing is asked that they may not read", async () => {
  const service = await home({ is_email_verified: true, role: "screening" }, { available_exams: [exam] }, {}, ["allowances"]);
  const steps = await section(t("start.progress"));
  equal(steps.getAllByRole("listitem").map((/** @type {any} */ each) => words(each)), [
    `${t("start.stepEmail")} ${t("start.isDone")}`,
    `${t("start.stepDocuments")} ${t("start.isMissing")}`,
    `${t("start.stepApproved")} ${t("start.isLater")}`,
  ]);
  equal((await screen.findByRole("link", { name: t("start.sendDocuments") })).getAttribute("href"), "/documents");
  await says(t("exams.minutes", { count: 60 }));
  await says(t("start.stage.screening"));
  equal([...service.sent(TIME), ...service.sent(OWN_TIME)], []);
});

test("the steps say what became of the documents", async () => {
  let status = {};
  await home({ is_email_verified: true }, {}, { [STATUS]: () => example(STATUS, status) });
  const states = async () => (await section(t("start.progress"))).getAllByRole("listitem").slice(1).map((/** @type {any} */ each) => words(each.querySelector(".tag")));
  equal(await states(), [t("start.isMissing"), t("start.isLater")]);
  status = { is_pending: true };
  push("portal", "notification_activity", {});
  await says(t("start.isWaiting"));
  equal(await states(), [t("start.isDone"), t("start.isWaiting")]);
  status = { is_rejected: true, rejection_reason: "The card is too dark." };
  push("portal", "notification_activity", {});
  await says("The card is too dark.");
  equal(await states(), [t("start.isRejected"), t("start.isLater")]);
});

test("who is approved has no steps before them", async () => {
  await home(approved, season(true));
  await says(t("start.done"));
  equal(screen.queryAllByRole("heading", { name: t("start.progress") }).length, 0);
  await says(t("start.noExam"));
  await says(t("start.noResult"));
  await says(t("start.noNews"));
});

test("the candidate's own time is shown, not that of the exam", async () => {
  await home(approved, { available_exams: [exam] }, { [TIME]: example("ExamTime"), [OWN_TIME]: { minutes: 75 } }, ["allowances"]);
  await says(t("start.openNowWhy", { count: 75 }));
  await says(t("exams.minutes", { count: 75 }));
});

test("an exam that was started is running", async () => {
  await home(approved, { available_exams: [exam] }, { [TIME]: example("ExamTime", { server_time: "2026-03-10T10:00:00Z", started_at: "2026-03-10T09:30:00Z", deadline: "2026-03-10T10:30:00Z" }) });
  await screen.findByRole("heading", { name: t("start.running", { title: "Round two" }) });
  equal(screen.getByRole("link", { name: t("start.goOn") }).getAttribute("href"), "/exams/7");
});

test("all open exams are shown, the one that closes first on top, and the next one that opens", async () => {
  const open = (/** @type {any} */ fields) => ({ ...exam, ...fields });
  const service = await home(approved, {
    available_exams: [open({ id: 5, title: "Late", closes_at: "2026-03-10T18:00:00Z" }), open({ id: 6, title: "Done", enrollment: "done" }), open({ id: 7, title: "Early", closes_at: "2026-03-10T12:00:00Z" })],
    upcoming_exams: [{ ...announced, id: 9, title: "Tomorrow", scheduled_date: "2026-03-11T12:00:00Z" }, announced],
  }, { [TIME]: example("ExamTime"), [OWN_TIME]: { minutes: 60 } }, ["allowances"]);
  await screen.findByRole("heading", { name: t("start.openNow", { title: "Early" }) });
  const links = async (/** @type {any} */ name) => (await section(t(name))).getAllByRole("link").map((/** @type {any} */ each) => [words(each), each.getAttribute("href")]);
  equal(await links("start.examNow"), [["Early", "/exams/7"], ["Late", "/exams/5"]]);
  equal(await links("start.nextExam"), [["Round three", "/exams/8"]]);
  // The candidate's own time is asked once for each of them.
  equal(service.sent(OWN_TIME).map((each) => each.params.exam_id).toSorted(), ["5", "7", "8"]);
});

test("an open exam names the documents until they are approved", async () => {
  await home({ is_email_verified: true }, { available_exams: [exam] }, { [STATUS]: () => example(STATUS, { is_pending: true }) });
  const open = await section(t("start.examNow"));
  open.getByText(t("exams.whenChecked"), { exact: false });
  equal(open.getByRole("link", { name: t("documents") }).getAttribute("href"), "/documents");
});

test("if the candidate's clock can't be read, the page says what it knows", async () => {
  await home(approved, { available_exams: [exam] }, { [TIME]: () => refused(403, "exam_not_eligible") });
  await says(t("start.openNowUnknown", { count: 60 }));
});

test("the next exam opens by the clock of the service", async () => {
  // The device is two hours behind.
  const clock = stopClock("2026-03-10T08:00:00Z");
  void home(approved, { upcoming_exams: [announced] }, { [TIME]: example("ExamTime", { server_time: "2026-03-10T10:00:00Z" }) });
  const left = () => words(document.querySelector("[role=timer]") ?? document.createElement("i"));
  await clock.until(() => left() === t("start.opensIn", { clock: "2:00:00" }));
  await clock.passes(1);
  await clock.until(() => left() === t("start.opensIn", { clock: "1:59:59" }));
  equal(screen.getByRole("link", { name: "Round three" }).getAttribute("href"), "/exams/8");
});

test("until the candidate may read the service's clock, the device's is used", async () => {
  const clock = stopClock("2026-03-10T11:59:58Z");
  const opening = home({ is_email_verified: true }, { upcoming_exams: [announced] });
  await clock.until(() => words().includes(t("start.opensIn", { clock: "00:02" })));
  await clock.passes(2);
  await clock.until(() => words().includes(t("start.opening")));
  equal((await opening).sent(TIME), []);
});

test("an exam that is days away is not counted down in seconds", async () => {
  const clock = stopClock("2026-03-07T12:00:00Z");
  void home(approved, { upcoming_exams: [announced] }, { [TIME]: example("ExamTime", { server_time: "2026-03-07T12:00:00Z" }) });
  await clock.until(() => words(document.querySelector("[role=timer]") ?? document.createElement("i")).includes("in 3 days"));
});

test("the last result and the newest messages are shown", async () => {
  const service = await home(
    approved,
    { exam_stats: { latest_score: { score: 82.5, exam_title: "Round one", date: "2026-03-01T10:00:00Z" } }, leaderboard_ranking: { current_rank: 3, total_candidates: 38 } },
    { [NEWS]: () => page([example("Notification", { id: 1, subject: "The second round" })], { stats: { total_count: 9, unread_count: 4, read_count: 5 } }) },
  );
  const result = await section(t("start.lastResult"));
  result.getByText(t("start.percent", { score: 82.5 }));
  result.getByText("Round one");
  // The rank in the stage is not that of this exam.
  equal([...document.querySelectorAll("dt")].map(words).includes("Your rank"), false);
  await saysNo("3 of 38");
  const news = await section(t("start.news"));
  await news.findByRole("link", { name: "The second round" });
  news.getByRole("link", { name: t("start.unread", { count: 4 }) });
  equal([service.sent(NEWS)[0]?.query.get("status"), service.sent(NEWS)[0]?.query.get("limit")], ["unread", "3"]);
});

test("a message makes the page read everything again", async () => {
  const service = await home(approved);
  await says(t("start.noNews"));
  const before = [DASHBOARD, STATUS, NEWS].map((each) => service.sent(each).length);
  push("portal", "notification_activity", {});
  await until(() => [DASHBOARD, STATUS, NEWS].every((each, at) => service.sent(each).length > (before[at] ?? 0)));
  ok(service.sent(DASHBOARD).length);
});

const season = (/** @type {boolean} */ joined) => ({ current_season: { id: 2, name: "2027", joined } });

test("a candidate who has not joined the season is asked, and joins it", async () => {
  let joined = false;
  const replies = {
    [DASHBOARD]: () => example(DASHBOARD, { candidate_info: approved, available_exams: [], ...season(joined) }),
    "GET /candidates/me/": () => example("GET /candidates/me/", { school: "Hillside School", year: 9 }),
    "GET /registration/consent/": { required: false, version: null, text: null },
    "POST /seasons/join/": () => {
      joined = true;
      return { season: 2, school: "Hillside School", year: 10 };
    },
  };
  const service = await home(approved, {}, replies);
  const part = await section(joining("joining.title"));
  equal(/** @type {HTMLInputElement} */ (await part.findByLabelText(joining("joining.school"))).value, "Hillside School");
  fill(part.getByLabelText(new RegExp(joining("joining.year"))), "10");
  await settled(service);
  for (const untrue of [t("start.done"), t("start.noExam")]) ok(!document.body.textContent?.includes(untrue));
  click(part.getByRole("button", { name: joining("joining.verb", { name: "2027" }) }));
  await says(joining("joining.done", { name: "2027" }));
  await saysNo(joining("joining.title"));
  await says(t("start.done"));
  equal(service.sent("POST /seasons/join/").map((each) => each.body), [{ school: "Hillside School", year: 10 }]);
});

test("a guardian agrees again, if the league requires that", async () => {
  const replies = {
    "GET /candidates/me/": () => example("GET /candidates/me/", { school: "Hillside School", year: null }),
    "GET /registration/consent/": { required: true, version: "7", text: "We agree." },
    "POST /seasons/join/": () => ({ season: 2, school: "Hillside School", year: null }),
  };
  const service = await home(approved, season(false), replies);
  const part = await section(joining("joining.title"));
  fill(await part.findByLabelText(joining("joining.guardianName")), "Ada Obi");
  fill(part.getByLabelText(joining("joining.guardianEmail")), "ada@home.example");
  click(part.getByLabelText(joining("joining.agree")));
  await settled(service);
  click(part.getByRole("button", { name: joining("joining.verb", { name: "2027" }) }));
  await says(joining("joining.done", { name: "2027" }));
  equal(service.sent("POST /seasons/join/")[0]?.body.guardian_consent, { name: "Ada Obi", email: "ada@home.example", version: "7" });
});
