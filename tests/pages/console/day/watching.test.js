import { t } from "../../../../competition/plugins/console/static/day/words.js";
import { t as season } from "../../../../competition/plugins/console/static/words.js";
import { t as shared } from "../../../../competition/plugins/pages/static/pieces/words.js";
import * as watch from "../../../../competition/plugins/console/static/day/watch.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { drawn, open, push, settled, staff } from "../../kit/front-end.js";
import { says, saysNo, words } from "../../kit/said.js";
import { click, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

export const device = { timezone_id: "Africa/Lagos" };

const DAY = "/console/exams/7/day";
const PLUGINS = ["allowances", "clarifications"];
const INVIGILATION = "GET /exams/{exam_id}/invigilation/";
const SCHOOL = "Lycée Sophie Germain";
const COUNTS = { eligible: 4, not_started: 0, sitting: 4, silent: 3, submitted: 0, handed_in: 0 };

/** @param {string} first @param {Record<string, any>} [values] */
const seat = (first, values = {}) =>
  example("WatchedSeat", { candidate: { user_id: `8f14e45f-ceea-467f-a1d5-${first.padEnd(12, "0").replace(/[^0-9a-f]/g, "1")}`, full_name: `${first} Obi`, school: SCHOOL }, state: "silent", last_seen_at: "2026-03-10T09:57:00Z", ...values });
/** @param {any[]} seats @param {Record<string, any>} [more] */
const watched = (seats, more = {}) => example(INVIGILATION, { status: "ongoing", counts: COUNTS, server_time: "2026-03-10T10:00:00Z", ...page(seats), ...more });
const exam = example("GET /exams/{exam_id}/", { title: "Screening", status: "ongoing", scheduled_date: "2026-03-10T08:00:00Z", closes_at: "2026-03-10T20:00:00Z" });
const three = ["Ada", "Ben", "Cleo"].map((each) => seat(each));

/** @param {Record<string, any>} [replies] */
const service = (replies) => new Service({ "GET /exams/{exam_id}/": exam, [INVIGILATION]: ({ query }) => (query.get("state") === "sitting" ? page0() : watched(three)), "GET /exams/{exam_id}/clarifications/": page([]), ...replies });
const page0 = () => watched([], { pagination: { ...page([]).pagination, count: 0 } });
/** @param {string} name */
const count = (name) => screen.getByRole("link", { name: new RegExp(`^\\d+\\s*${name}$`) }).textContent;

test("the hour keeps the latest counts of each minute", () => {
  const minute = 60_000;
  /** @type {any[]} */
  let hour = [];
  for (const [at = 0, sitting] of [[0, 1], [10, 2], [3 * minute, 5], [70 * minute, 4]]) hour = watch.remembered(hour, /** @type {any} */ ({ at, counts: { sitting } }));
  equal(hour.map((each) => each.counts.sitting), [4]);
  const latest = [5, 6].reduce((before, sitting) => watch.remembered(before, /** @type {any} */ ({ at: 71 * minute + sitting, counts: { sitting } })), hour);
  equal(latest.map((each) => each.counts.sitting), [4, 6]);
  const early = watch.lines(/** @type {any} */ ([{ at: 10, counts: { sitting: 2 } }, { at: 3 * minute, counts: { sitting: 5 } }]), 4 * minute, [(each) => each.sitting]);
  equal(early.lines[0], [...Array.from({ length: 56 }, () => null), 2, 2, 2, 5, 5]);
  equal(early.minutes.length, 61);
});

test("silent candidates are grouped by school, and an outage begins with the first of those who fell silent together", () => {
  const seats = /** @type {const} */ ([["Hill-A \"O'B\" \u0219", "05"], ["x", "01"], ["\u00a0hill\u2013a \u201co\u00b4b\u201d \u015f\u2003", "31"], ["H\u0130LL\uff0dA\u3164\u201cO`B\u2033 \u0218", "33"], ["", "02"]]).map(([school, seen]) => ({ candidate: { school }, last_seen_at: `2026-03-14T10:${seen}:00Z` }));
  const groups = watch.grouped(seats);
  equal(groups.map((each) => [each.school, each.seats.length, each.from]), [['Hill-A "O\'B" \u0219', 3, "2026-03-14T10:31:00Z"], ["", 1, "2026-03-14T10:02:00Z"], ["x", 1, "2026-03-14T10:01:00Z"]]);
  equal(watch.suspected(groups).map((each) => each.school), ['Hill-A "O\'B" \u0219']);
});

test("a school whose candidates are all silent is named, with a link that gives the time back", async () => {
  const watching = service();
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  await says(t("day.wholeSchool", { count: 3 }));
  const link = new URL((await screen.findByRole("link", { name: new RegExp(t("day.giveBack")) })).href);
  equal(Object.fromEntries(link.searchParams), { school: SCHOOL, from: "2026-03-10T09:57:00Z", until: "2026-03-10T10:00:00.000Z" });
  equal(watching.sent(INVIGILATION).filter(({ query }) => query.get("state") === "sitting").map(({ query }) => query.get("school")), [SCHOOL]);
});

test("a school where others go on is named as a part", async () => {
  await open(DAY, { as: staff("admin"), service: service({ [INVIGILATION]: (/** @type {any} */ { query }) => (query.get("state") === "sitting" ? watched([], page([], { pagination: { ...page([]).pagination, count: 2 } })) : watched(three)) }), plugins: PLUGINS });
  await says(t("day.partOfSchool", { count: 3, others: 2 }));
});

test("an outage that is given back ends at the latest poll, also if it brought nothing new", async () => {
  const watching = service();
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  const link = await screen.findByRole("link", { name: new RegExp(t("day.giveBack")) });
  const ends = () => new URL(link.href).searchParams.get("until") ?? "";
  const first = ends();
  watching.replies[INVIGILATION] = (/** @type {any} */ { query }) => (query.get("state") === "silent" ? new Reply(304) : page0());
  await until(() => {
    document.dispatchEvent(new Event("visibilitychange"));
    return ends() > first;
  });
});

test("moderators neither give time nor conclude", async () => {
  const paper = example("GET /exams/{exam_id}/paper/", { title: "Screening", status: "ongoing" });
  await open(DAY, { as: staff("moderator"), service: service({ "GET /exams/{exam_id}/paper/": paper }), plugins: PLUGINS });
  ok(await screen.findByRole("link", { name: t("day.announce") }));
  equal([t("day.giveTime"), t("day.giveBack"), t("day.toResults")].filter((each) => screen.queryByRole("link", { name: new RegExp(each) })), []);
  equal(screen.queryByRole("button", { name: t("day.conclude") }), null);
});

test("a number that is pushed replaces the one that was read", async () => {
  const watching = service();
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  await isLive(watching);
  ok(count(t("day.submitted")).startsWith("0"));
  push("console", "exam_activity", { exam: 7, counts: { ...COUNTS, submitted: 1 } });
  await waitFor(() => ok(count(t("day.submitted")).startsWith("1")));
  push("console", "exam_activity", { exam: 8, counts: { ...COUNTS, submitted: 9 } });
  await drawn();
  await drawn();
  ok(count(t("day.submitted")).startsWith("1"));
});

test("silent candidates are read again when their pushed number differs", async () => {
  const watching = service();
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  await isLive(watching);
  watching.replies[INVIGILATION] = watched([seat("Ada")], { counts: { ...COUNTS, silent: 1 } });
  push("console", "exam_activity", { exam: 7, counts: { ...COUNTS, silent: 1 } });
  await saysNo("Ben Obi");
});

/** Wait until the page has a socket, and has read everything after its opening. @param {Service} watching */
async function isLive(watching) {
  await says(t("day.wholeSchool", { count: 3 }));
  push("console", "ping", null);
  await waitFor(() => ok(watching.sent("GET /exams/{exam_id}/clarifications/").length > 1));
  await settled(watching);
}

test("moderators read the title and the times of an exam that has not opened from the list of the day", async () => {
  const current = example("GET /dashboard/staff/", { current_exams: [example("CurrentExam", { id: 7, title: "Round 9" })] });
  await open(DAY, { as: staff("moderator"), service: service({ "GET /exams/{exam_id}/paper/": () => refused(403, "permission_denied"), "GET /dashboard/staff/": current }), plugins: PLUGINS });
  await screen.findByRole("heading", { level: 1, name: t("day.title", { title: "Round 9" }) });
});

test("a question that is pushed is counted", async () => {
  const watching = service();
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  await isLive(watching);
  ok(count(t("day.openQuestions")).startsWith("0"));
  watching.replies["GET /exams/{exam_id}/clarifications/"] = page([example("Clarification")]);
  push("console", "exam_question", { exam: 7 });
  await waitFor(() => ok(count(t("day.openQuestions")).startsWith("1")));
});

test("nothing that can be pressed moves when a number arrives", async () => {
  /** @type {((value: any) => void)[]} */
  const late = [];
  const later = (/** @type {any} */ body) => new Promise((resolve) => late.push(() => resolve(body)));
  const given = example("Allowance", { everyone: true, extra_minutes: 10, affected: 4 });
  const watching = service({
    [INVIGILATION]: (/** @type {any} */ { query }) => (query.get("state") === "sitting" ? later(page0()) : watched(three)),
    "GET /exams/{exam_id}/allowances/": () => later(page([given])),
  });
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  await says(t("day.checking", { count: 3 }));
  await waitFor(() => equal(late.length, 2));
  const places = () => [...document.querySelectorAll("#page :is(a, button, summary)")].map((each) => [words(each).replace(/\d+/g, ""), each.getBoundingClientRect().top]);
  const before = places();
  for (const arrive of late) arrive(null);
  await says(t("day.wholeSchool", { count: 3 }));
  await says(t("day.everyone"));
  equal(places(), before);
});

test("before the exam opens, the day says when it opens and closes, and it can't be concluded", async () => {
  const soon = { ...exam, status: "scheduled", scheduled_date: "2026-03-10T13:00:00Z" };
  await open(DAY, { as: staff("admin"), service: service({ "GET /exams/{exam_id}/": soon, [INVIGILATION]: watched([], { status: "scheduled" }) }), plugins: PLUGINS });
  await waitFor(() => ok(/14:00.*21:00/.test(words(/** @type {Element} */ (document.querySelector("h1 + p"))))));
  ok(await screen.findByRole("link", { name: t("day.giveTime") }));
  equal(screen.queryByRole("button", { name: t("day.conclude") }), null);
});

test("organisers in another zone read their time and the league's", async () => {
  const watching = service({ [INVIGILATION]: watched([seat("Ada", { deadline: "2026-03-10T12:00:00Z" })]) });
  watching.config.time_zone = "UTC";
  await open(`${DAY}?tab=candidates`, { as: staff("admin"), service: watching, plugins: PLUGINS });
  const row = await screen.findByRole("row", { name: /Ada Obi/ });
  ok(words(row).includes("13:00 (12:00)"), words(row));
  await says(shared("page.inBrackets", { city: "UTC" }));
});

test("the exams of the day say whether they are open", async () => {
  const current = [example("CurrentExam", { id: 7, title: "Round 1", status: "ongoing" }), example("CurrentExam", { id: 8, title: "Round 2", status: "scheduled" })];
  await open("/console/day", { as: staff("moderator"), service: new Service({ "GET /dashboard/staff/": example("GET /dashboard/staff/", { current_exams: current }) }), plugins: PLUGINS });
  ok(words(await screen.findByRole("row", { name: /Round 1/ })).includes(t("exams.state.ongoing")));
  ok(words(screen.getByRole("row", { name: /Round 2/ })).includes(t("day.opensSoon")));
  equal(screen.getByRole("link", { name: "Round 2" }).getAttribute("href"), "/console/exams/8/day");
});

test("the list of candidates links to the form with the candidate, and says how long a candidate was silent", async () => {
  const silent = seat("Ada");
  const done = seat("Ben", { state: "submitted" });
  await open(`${DAY}?tab=candidates`, { as: staff("admin"), service: service({ [INVIGILATION]: watched([silent, done]) }), plugins: PLUGINS });
  const link = await screen.findByRole("link", { name: new RegExp(`${t("day.giveTime")} Ada`) });
  const query = new URL(link.href).searchParams;
  equal([query.get("candidate"), query.get("from")], [silent.candidate.user_id, silent.last_seen_at]);
  equal(screen.queryByRole("link", { name: new RegExp(`${t("day.giveTime")} Ben`) }), null);
});

test("a search for candidates who can't take the exam says why", async () => {
  const found = (/** @type {string} */ first_name, /** @type {any} */ values) => example("CandidateItem", { user: { first_name, last_name: "Obi" }, is_active: true, is_user_verified: true, role: "screening", ...values });
  const searching = service({
    "GET /exams/{exam_id}/": { ...exam, stage: "screening" },
    [INVIGILATION]: page0(),
    "GET /candidates/": page([found("Ada", { is_user_verified: false }), found("Ben", { role: "league" }), found("Cleo", { is_active: false }), found("Dan", {})]),
  });
  await open(`${DAY}?tab=candidates&search=obi`, { as: staff("manager"), service: searching, plugins: PLUGINS });
  await says(`Ada Obi, School: ${t("day.outIdentity")}`.replace("School", example("CandidateItem").school));
  await says(t("day.outStage", { stage: t("people.stage.league") }));
  await says(t("day.outInactive"));
  // Nothing keeps the last one from the exam: the other filters exclude them.
  await saysNo("Dan Obi");
  equal(screen.getByRole("link", { name: "Ada Obi" }).getAttribute("href").split("/").slice(0, 3), ["", "console", "documents"]);
  equal(searching.sent("GET /candidates/")[0]?.query.get("search"), "obi");
});

test("if nobody can take the exam, the page leads to the step that names the reasons", async () => {
  const nobody = { eligible: 0, not_started: 0, sitting: 0, silent: 0, submitted: 0, handed_in: 0 };
  await open(DAY, { as: staff("admin"), service: service({ [INVIGILATION]: watched([], { counts: nobody }) }), plugins: PLUGINS });
  await says(t("day.nobody"));
  equal(screen.getByRole("link", { name: t("day.toPeople") }).getAttribute("href"), "/console/exams/7?step=people");
});

test("concluding first shows who is still taking the exam", async () => {
  const preview = example("GET /exams/{exam_id}/conclude/preview/", { affected: 2, not_started: 98, people: [{ full_name: "Ada Obi" }, { full_name: "Ben Obi" }].map((each) => example("AffectedPerson", each)) });
  const watching = service({ "GET /exams/{exam_id}/conclude/preview/": preview, "POST /exams/{exam_id}/conclude/": example("ExamShape") });
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  click(await screen.findByRole("button", { name: t("day.conclude") }));
  const dialog = await screen.findByRole("dialog");
  equal(within(dialog).getAllByRole("listitem").map((each) => each.textContent), ["Ada Obi", "Ben Obi"]);
  await says(t("day.neverStarted", { count: 98 }), dialog);
  equal(watching.sent("POST /exams/{exam_id}/conclude/").length, 0);
  watching.replies[INVIGILATION] = watched([], { status: "concluded" });
  click(within(dialog).getByRole("button", { name: t("day.concludeFor", { count: 2 }) }));
  await says(t("day.isOver"));
  await says(t("day.concluded"));
  equal(watching.sent("POST /exams/{exam_id}/conclude/").length, 1);
  equal(screen.queryByRole("button", { name: t("day.conclude") }), null);
});

test("a poll that was under way while the exam was concluded offers nothing again", async () => {
  const preview = example("GET /exams/{exam_id}/conclude/preview/", { affected: 2, not_started: 0, people: [] });
  await open(DAY, { as: staff("admin"), service: service({ "GET /exams/{exam_id}/conclude/preview/": preview, "POST /exams/{exam_id}/conclude/": example("ExamShape") }), plugins: PLUGINS });
  const [give] = await screen.findAllByRole("link", { name: t("day.giveTime") });
  equal(give.getAttribute("href"), `${DAY}/time`);
  await click(await screen.findByRole("button", { name: t("day.conclude") }));
  // All polls still reply that the exam is open.
  await click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("day.concludeFor", { count: 2 }) }));
  await says(t("day.isOver"));
  equal(screen.queryByRole("link", { name: t("day.giveTime") }), null);
  equal(screen.queryByRole("button", { name: t("day.conclude") }), null);
});

const over = { status: "concluded", counts: { eligible: 5, not_started: 1, sitting: 0, silent: 3, submitted: 1, handed_in: 0 } };
const late = ["Ada", "Ben", "Cleo"].map((each) => seat(each, { deadline: "2026-03-10T09:59:00Z" }));

test("the day of an exam that is over raises no alarm, and says who has not submitted", async () => {
  const watching = service({ [INVIGILATION]: watched(late, over) });
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  await says(t("day.started", { count: 4 }));
  await says(t("day.whyUnsubmitted"));
  equal(count(t("day.unsubmitted")), `3${t("day.unsubmitted")}`);
  ok(screen.getByRole("table", { name: t("day.unsubmittedAt", { school: SCHOOL }) }));
  equal([...document.querySelectorAll(".warn, .note.bad")].map(words), []);
  for (const text of [t("day.eligible", { count: 5 }), t("day.hour"), t("day.silent")]) await saysNo(text);
  equal(watching.sent(INVIGILATION).filter(({ query }) => query.get("state") === "sitting").length, 0);
});

test("after the end, silent candidates who still have time are an alarm", async () => {
  const watching = service({ [INVIGILATION]: ({ query }) => (query.get("state") === "sitting" ? page0() : watched([...late, seat("Dora", { deadline: "2026-03-10T10:30:00Z" })], over)) });
  await open(DAY, { as: staff("admin"), service: watching, plugins: PLUGINS });
  await says(t("day.wholeSchool", { count: 4 }));
  equal([...document.querySelectorAll(".day-counts .warn")].map(words).map((each) => each.replace(/\W/g, "")), [`3${t("day.silent")}`]);
});

test("the day of a closed season says so, counts who has started, and offers no change", async () => {
  const asked = example("Clarification", { status: "answered", answer: "Yes." });
  for (const rank of ["admin", "moderator"]) {
    for (const [tab, row] of [["silent", /Ada Obi/], ["candidates", /Ada Obi/], ["questions", /Yes/], ["announcements", /Ten minutes/], ["time", /Hillside/]]) {
      const closed = service({
        "GET /exams/{exam_id}/": { ...exam, season: 1, status: "concluded" },
        "GET /exams/{exam_id}/paper/": example("OpenPaper", { season: 1, title: "Screening" }),
        [INVIGILATION]: watched([...late, seat("Eve", { state: "submitted" })], { ...over, counts: { ...over.counts, eligible: 4, not_started: 0 } }),
        "GET /seasons/": page([example("Season", { id: 1, name: "2026", status: "closed" })]),
        "GET /exams/{exam_id}/clarifications/": ({ query }) => page(query.get("status") === "open" ? [] : [asked]),
        "GET /exams/{exam_id}/announcements/": page([example("Announcement", { text: "Ten minutes left." })]),
        "GET /exams/{exam_id}/allowances/": page([example("Allowance", { school: "Hillside", lost: null })]),
      });
      await open(`${DAY}?tab=${tab}`, { as: staff(rank), service: closed, plugins: [...PLUGINS, "seasons", "drafts"] });
      await says(season("season.closed", { name: "2026" }));
      await says(t("day.started", { count: 4 }));
      ok((await screen.findAllByRole("row", { name: row }))[0]);
      await settled(closed);
      const acts = [t("day.giveTime"), t("day.giveBack"), t("day.reopen"), t("day.conclude"), t("day.announce"), t("day.preview"), t("day.changeAnswer"), t("day.takeBack")];
      const offered = [...screen.queryAllByRole("button"), ...screen.queryAllByRole("link")].map((each) => words(each).trim());
      equal(acts.filter((act) => offered.some((each) => each.startsWith(act) && !each.includes(t("day.announcements")))), [], `${rank}, ${tab}`);
      await saysNo(t("day.not_started"));
    }
  }
});
