import { t } from "../../../../competition/plugins/console/static/boards/words.js";
import { inShort } from "../../../../competition/plugins/console/static/zone.js";
import { t as pieces } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { drawn, open, settled, staff, visit } from "../../kit/front-end.js";
import { says, saysNo, words } from "../../kit/said.js";
import { click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const as = staff("admin");
const PREVIEW = "POST /leaderboard/publish/preview/";
const PUBLISH = "POST /leaderboard/publish/";
const board = example("AvailableLeaderboard", { exam_id: 7, exam_title: "Round 1", total_candidates: 5, average_score: 50 });
const published = example("GET /leaderboard/", { available_leaderboards: [board] });
const unpublished = () => refused(404, "leaderboard_not_published");
const ready = example("PreviewedLeaderboard", { id: 7, title: "Round 1", candidates: 5, is_over: true, hand_in_until: null, published_at: null, replaces: null, replaced_by: null });
const exams = ["concluded", "ongoing", "draft", "cancelled"].map((status, at) => example("ExamListItem", { id: 7 + at, title: `Round ${at + 1}`, round: at + 1, status, published_at: null }));
const listed = example("GET /exams/", page(exams));
const planned = (/** @type {Record<string, any>} */ values = {}) => example("Publication", { id: 2, exam: 7, publish_at: "2090-12-14T18:00:00Z", expected_at: values.publish_at ?? "2090-12-14T18:00:00Z", ...values });

/** @param {Record<string, any>} [replies] */
const service = (replies) => new Service({ "GET /leaderboard/": unpublished, "GET /exams/": listed, "GET /leaderboard/publications/": page([]), [PREVIEW]: { exams: [ready] }, [PUBLISH]: () => new Reply(202, example("PublicationStarted", { publications: [planned()] })), ...replies });

test("publishing an exam that is not over says only that it waits", async () => {
  await open("/console/boards/publish?exams=7", { as, service: service({ [PREVIEW]: { exams: [{ ...ready, is_over: false }] } }) });
  await screen.findAllByRole("checkbox");
  click(screen.getByRole("button", { name: t("boards.check") }));
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes(t("boards.waits")));
  ok(!words(dialog).includes(t("boards.publishes", { count: 5 })) && !words(dialog).includes(t("boards.publishes", { count: 0 })), words(dialog));
});

test("an exam that is over is published after the number is confirmed", async () => {
  const publishing = service();
  await open("/console/boards", { as, service: publishing });
  await says(t("boards.none"));
  const table = await screen.findByRole("table", { name: t("boards.ready") });
  ok(words(table).includes("Round 1") && words(table).includes("5"));
  click(within(table).getByRole("link", { name: t("boards.publishOne") }));
  const options = await screen.findAllByRole("checkbox");
  equal(publishing.sent(PREVIEW).at(-1)?.body, { exams: [7] });
  // Drafts and cancelled exams are not offered, and those that are over come first.
  equal(options.map((/** @type {any} */ each) => [each.value, each.checked]), [["7", true], ["8", false]]);
  click(screen.getByRole("button", { name: t("boards.check") }));
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes(t("boards.publishes", { count: 5 })) && words(dialog).includes(t("boards.item", { exam: "Round 1", count: 5 })));
  ok(!words(dialog).includes(t("boards.waits")));
  equal(publishing.sent(PUBLISH).length, 0);
  click(within(dialog).getByRole("button", { name: t("boards.publishCount", { count: 1 }) }));
  await says(t("boards.started", { count: 1 }));
  equal(publishing.sent(PUBLISH).map(({ body, headers }) => [body, headers.has("Idempotency-Key")]), [[{ exams: [7], publish_at: null }, true]]);
});

test("an exam that is closed and still accepts answers is over nowhere, and the page says until when it waits", async () => {
  const [until, expected] = ["2090-12-14T18:05:00Z", "2090-12-14T18:06:00Z"];
  const publishing = service({
    [PREVIEW]: { exams: [{ ...ready, is_over: false, hand_in_until: until }] },
    [PUBLISH]: () => new Reply(202, example("PublicationStarted", { publications: [planned({ publish_at: "2090-12-14T18:01:00Z", expected_at: expected })] })),
  });
  await open("/console/boards", { as, service: publishing });
  const table = await screen.findByRole("table", { name: t("boards.ready") });
  const closes = inShort(until);
  await says(t("boards.stillSubmitting", { when: closes }));
  click(within(table).getByRole("link", { name: t("boards.publishOne") }));
  await says(t("boards.isClosing", { when: closes }));
  await saysNo(t("boards.isOver"));
  click(screen.getByRole("button", { name: t("boards.check") }));
  const dialog = await screen.findByRole("dialog");
  await says(t("boards.closingItem", { exam: "Round 1", count: 5, when: closes }), dialog);
  // The button of the form behind the dialog sends nothing at that time.
  ok(!words().includes("Sending"), words());
  click(within(dialog).getByRole("button", { name: t("boards.publishCount", { count: 1 }) }));
  await says(t("boards.startedUntil", { count: 1, when: inShort(expected) }));
});

test("a publication that waits says until when, and one that will never happen says why", async () => {
  const at = "2090-12-14T18:06:00Z";
  const rows = [planned({ publish_at: "2020-12-14T18:00:00Z", expected_at: at }), planned({ id: 3, exam: 8, publish_at: "2020-12-14T18:00:00Z", expected_at: null })];
  await open("/console/boards", { as, service: service({ "GET /leaderboard/publications/": page(rows) }) });
  await screen.findByRole("table", { name: t("boards.planned") });
  await says(t("boards.waitsUntil", { when: inShort(at) }));
  await says(t("boards.nobodyTook"));
  equal(screen.queryByRole("progressbar", { name: t("boards.underWay") }), null);
});

test("before a publication, the form and the dialog say which leaderboard is replaced", async () => {
  const publishing = service({ "GET /exams/": example("GET /exams/", page(exams.slice(0, 2).map((each) => ({ ...each, round: 1 })))) });
  publishing.replies[PREVIEW] = { exams: [{ ...ready, replaces: { id: 8, title: "Round 2" } }, { ...ready, id: 9, title: "Early", replaced_by: { id: 7, title: "Round 1" } }] };
  await open("/console/boards/publish?exams=7", { as, service: publishing });
  const round = t("boards.round", { stage: t("boards.stage.screening"), round: "1" });
  await says(t("boards.sameRound", { exams: "Round 1, Round 2", round }));
  click(screen.getByRole("button", { name: t("boards.check") }));
  const dialog = await screen.findByRole("dialog");
  await says(t("boards.replaces", { exam: "Round 1", other: "Round 2" }), dialog);
  await says(t("boards.replacedBy", { exam: "Early", other: "Round 1" }), dialog);
});

test("an exam whose leaderboard was replaced is published, and does not wait for it", async () => {
  await open("/console/boards", { as, service: service({ "GET /leaderboard/": published, [PREVIEW]: { exams: [{ ...ready, id: 8, title: "Replaced", published_at: "2026-03-10T09:00:00Z" }] } }) });
  await screen.findByRole("table", { name: t("boards.published") });
  await saysNo("Replaced");
});

test("a publication is planned for a time, which is required", async () => {
  const publishing = service();
  publishing.replies[PREVIEW] = { exams: [{ ...ready, is_over: false }] };
  await open("/console/boards/publish", { as, service: publishing });
  await screen.findAllByRole("checkbox");
  click(screen.getByRole("button", { name: t("boards.check") }));
  await says(t("boards.chooseExam"));
  click(screen.getAllByRole("checkbox")[0]);
  click(screen.getByLabelText(t("boards.later")));
  await drawn();
  click(screen.getByRole("button", { name: t("boards.check") }));
  await screen.findByRole("link", { name: new RegExp(t("boards.publishAt")) });
  fill(document.querySelector("input[type=date]"), "2090-12-14");
  await drawn();
  fill(document.querySelector("input[type=time]"), "18:00");
  await drawn();
  click(screen.getByRole("button", { name: t("boards.check") }));
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes("14 Dec 2090") && words(dialog).includes(t("boards.waits")) && words(dialog).includes(t("boards.openItem", { exam: "Round 1", count: 5 })), words(dialog));
  click(within(dialog).getByRole("button", { name: t("boards.planCount", { count: 1 }) }));
  await waitFor(() => equal(publishing.sent(PUBLISH)[0]?.body, { exams: [7], publish_at: "2090-12-14T17:00:00.000Z" }));
});

test("a planned publication is withdrawn after a confirmation", async () => {
  let rows = [planned()];
  const publishing = service({
    "GET /leaderboard/publications/": () => page(rows),
    "DELETE /leaderboard/publications/{publication_id}/": () => {
      rows = [];
    },
  });
  await open("/console/boards", { as, service: publishing });
  const table = () => screen.getByRole("table", { name: t("boards.planned") });
  // It is drawn again when the other lists of the page are there.
  await waitFor(() => ok(words(table()).includes("Round 1") && words(table()).includes("2090")));
  click(within(table()).getByRole("button", { name: t("boards.withdraw") }));
  const dialog = await screen.findByRole("dialog");
  click(within(dialog).getByRole("button", { name: t("boards.withdraw") }));
  await says(t("boards.withdrawn", { exam: "Round 1" }));
  await waitFor(() => equal(screen.queryByRole("table", { name: t("boards.planned") }), null));
  await saysNo(t("boards.isDone", { exam: "Round 1" }));
});

test("a publication that is withdrawn when its time has come is not said to be published", async () => {
  let rows = [planned({ publish_at: "2020-12-14T18:00:00Z" })];
  const publishing = service({
    "GET /leaderboard/": published,
    "GET /leaderboard/publications/": () => page(rows),
    "DELETE /leaderboard/publications/{publication_id}/": () => {
      rows = [];
    },
  });
  await open("/console/boards", { as, service: publishing });
  await settled(publishing);
  click(await screen.findByRole("button", { name: t("boards.withdraw") }));
  click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("boards.withdraw") }));
  await waitFor(() => equal(screen.queryByRole("table", { name: t("boards.planned") }), null));
  await settled(publishing);
  ok(words().includes(t("boards.withdrawn", { exam: "Round 1" })), words());
  ok(!words().includes(t("boards.isDone", { exam: "Round 1" })));
});

test("a publication is under way until its leaderboard is there, which is said without an action of the user", async () => {
  const clock = stopClock("2026-03-10T10:00:00Z");
  let isDone = false;
  const publishing = service({
    "GET /leaderboard/": () => (isDone ? published : unpublished()),
    "GET /leaderboard/publications/": () => page(isDone ? [] : [planned({ publish_at: "2026-03-10T09:59:00Z" })]),
  });
  /** @param {() => unknown} isSo @param {number} seconds After these, at the latest. */
  const becomes = async (isSo, seconds) => {
    const end = clock.now + seconds * 1000;
    while (!isSo() && clock.now < end) {
      await new Promise(requestAnimationFrame);
      await clock.passes(0.1);
    }
    ok(isSo(), String(isSo));
  };
  await open("/console/boards", { as, service: publishing });
  await becomes(() => screen.queryByRole("progressbar", { name: t("boards.underWay") }), 10);
  ok(!words().includes(t("boards.isSlow")));
  await clock.passes(55);
  await becomes(() => words().includes(t("boards.isSlow")), 20);
  isDone = true;
  await becomes(() => words().includes(t("boards.isDone", { exam: "Round 1" })), 10);
  await becomes(() => screen.queryByRole("table", { name: t("boards.published") }), 10);
  equal(screen.queryByRole("table", { name: t("boards.ready") }), null);
  clock.end();
});

const rank = (/** @type {number} */ at) => example("Ranking", { rank: at, candidate: { user_id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${at}`, full_name: `Candidate ${at}` }, score: 100 - at });
const versions = [1, 2].map((at) => example("PublishedSnapshot", { snapshot_id: 3 - at, published_at: `2026-03-1${3 - at}T10:00:00Z`, published_leaderboards: [example("AvailableLeaderboard", { exam_id: 7, exam_title: "Round 1", total_candidates: 5 })] }));
const detailed = example("Leaderboard", { exam_details: { id: 7, title: "Round 1" }, top_three: [1, 2, 3].map(rank), remaining_candidates: [4, 5].map(rank) });
const read = (/** @type {Record<string, any>} */ replies = {}) =>
  service({ "GET /leaderboard/": ({ query }) => (query.has("stage") ? detailed : published), "GET /leaderboard/snapshots/": page(versions), ...replies });

test("a leaderboard shows the first three apart, and its earlier versions", async () => {
  await open("/console/boards/screening/1", { as, service: read() });
  const top = await screen.findByRole("table", { name: t("boards.top") });
  equal(within(top).getAllByRole("row").length, 4);
  equal(within(screen.getByRole("table", { name: t("boards.others") })).getAllByRole("link").map((each) => each.textContent), ["Candidate 4", "Candidate 5"]);
  const earlier = await screen.findByRole("table", { name: t("boards.earlier") });
  equal(within(earlier).getAllByRole("link").map((each) => each.getAttribute("href")), ["/console/boards/screening/1", "/console/boards/screening/1?snapshot=1"]);
  await saysNo(t("boards.toLatest"));
});

test("a leaderboard of a closed season names the season, and its crumbs lead there", async () => {
  const seasons = page([example("Season", { id: 2, name: "2027", status: "current" }), example("Season", { id: 1, name: "2026", status: "closed" })]);
  const crumbs = () => within(screen.getByRole("navigation", { name: pieces("page.crumbs") })).getAllByRole("link").map((each) => [each.textContent, each.getAttribute("href")]);
  for (const season of [2, 1]) {
    const reading = read({ "GET /seasons/": seasons, "GET /leaderboard/snapshots/": page(versions.map((each) => ({ ...each, season }))) });
    await open("/console/boards/screening/1?exam=7", { as: staff("moderator"), service: reading, plugins: ["seasons"] });
    await screen.findByRole("table", { name: t("boards.earlier") });
    await settled(reading);
    equal(crumbs(), season === 1 ? [[t("nav.seasons"), "/console/seasons"], ["2026", "/console/seasons/1"]] : [[t("boards.title"), "/console/boards"]]);
    equal(words().includes(t("season.name", { name: "2026" })), season === 1);
  }
});

test("an earlier version says so, is printed with its own time and all ranks, and leads to the latest", async () => {
  let isPrinted = false;
  window.print = () => {
    isPrinted = true;
  };
  const reading = read({
    "GET /leaderboard/": ({ query }) => (query.get("page") === "2" ? { ...detailed, remaining_candidates: [6, 7].map(rank) } : query.has("page_size") ? { ...detailed, pagination: { ...detailed.pagination, has_next: true } } : detailed),
  });
  await open("/console/boards/screening/1?snapshot=1", { as, service: reading });
  await says("This is an earlier version, published on Wed 11 Mar 2026");
  equal(screen.getByRole("link", { name: t("boards.toLatest") }).getAttribute("href"), "/console/boards/screening/1");
  click(await screen.findByRole("button", { name: t("boards.print") }));
  await waitFor(() => ok(isPrinted));
  const sheet = /** @type {HTMLElement} */ (document.querySelector(".print"));
  equal(sheet.querySelectorAll("tbody tr").length, 7);
  ok(words(sheet).includes("11 Mar 2026"));
  ok(reading.sent("GET /leaderboard/").every(({ query }) => query.get("snapshot") === "1"));
});

test("a leaderboard with many versions leads to all of them, and the time of an older one is unknown", async () => {
  const many = page(versions, { pagination: { ...page([]).pagination, count: 120, has_next: true } });
  await open("/console/boards/screening/1", { as, service: read({ "GET /leaderboard/snapshots/": many }) });
  await says(t("boards.onlyLatest", { shown: 2, count: 120 }));
  equal(screen.getByRole("link", { name: t("boards.allVersions") }).getAttribute("href"), "/console/boards?tab=earlier&search=Round%201");
  await visit("/console/boards/screening/1?snapshot=99");
  await says(t("boards.isEarlier"));
  await screen.findByRole("table", { name: t("boards.top") });
  equal(screen.queryByRole("button", { name: t("boards.print") }), null);
});

test("the leaderboards of earlier seasons are listed by season, the latest first", async () => {
  const seasons = [3, 2, 1].map((id) => example("Season", { id, name: String(2025 + id), status: id === 3 ? "current" : "closed" }));
  const reading = service({
    "GET /seasons/": page(seasons),
    "GET /leaderboard/": ({ query }) => (query.get("season") === "1" ? example("GET /leaderboard/", { available_leaderboards: [{ ...board, exam_title: "The first" }] }) : query.get("season") ? unpublished() : published),
  });
  await open("/console/boards", { as: staff("moderator"), service: reading, plugins: ["seasons"] });
  click(await screen.findByRole("link", { name: t("boards.ofSeasons") }));
  await says(t("boards.noneInSeason"));
  ok(screen.getByRole("heading", { name: t("season.name", { name: "2027" }) }));
  click(within(screen.getByRole("navigation", { name: t("boards.ofSeasons") })).getByRole("link", { name: "2026" }));
  equal((await screen.findByRole("link", { name: "The first" })).getAttribute("href"), "/console/boards/screening/1?exam=7");
  equal(screen.getByRole("link", { name: t("season.toSeason", { name: "2026" }) }).getAttribute("href"), "/console/seasons/1");
});

test("moderators read leaderboards but publish nothing, and open no candidate", async () => {
  const reading = read();
  await open("/console/boards", { as: staff("moderator"), service: reading });
  await screen.findByRole("link", { name: "Round 1" });
  equal(screen.queryByRole("link", { name: t("boards.publish") }), null);
  equal(reading.sent("GET /leaderboard/publications/").length + reading.sent(PREVIEW).length, 0);
  await visit("/console/boards/screening/1");
  await says("Candidate 4");
  equal(screen.queryByRole("link", { name: "Candidate 4" }), null);
});
