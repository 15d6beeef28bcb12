import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { open, settled, staff } from "../../kit/front-end.js";
import { says, saysNo, words } from "../../kit/said.js";
import { click, fill, screen, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";
import { t } from "../../../../competition/plugins/console/static/seasons/words.js";
import { inShort } from "../../../../competition/plugins/console/static/zone.js";

const boss = staff("superadmin");
const old = example("Season", { id: 1, name: "2026", status: "closed", opened_at: "2025-01-10T08:00:00Z", closed_at: "2026-01-10T08:00:00Z", exams: 7, candidates: 310 });
const current = { ...old, id: 2, name: "2027", status: "current", opened_at: "2026-01-10T08:00:00Z", closed_at: null };
const named = (/** @type {any} */ changes) => example("SeasonName", changes);
const preview = (/** @type {any} */ changes) => ({ blockers: [], warnings: [], candidates: { all: 310, moved: 42, joined: 0 }, undo: null, ...changes });
const seasons = () => page([current, old]);

/** Open the form for the next season, which is closed at first. */
async function prepare() {
  const summary = await screen.findByText(t("seasons.openNext"));
  equal(/** @type {HTMLDetailsElement} */ (summary.parentElement).open, false);
  click(summary);
}

test("what blocks the next season has links, and the form is not there", async () => {
  const blockers = [
    { kind: "appeals", id: 7, title: "Round 1" },
    { kind: "certificates", id: 3, title: "A certificate" },
  ];
  const service = new Service({ "GET /seasons/": seasons, "POST /seasons/preview/": preview({ blockers, warnings: [{ kind: "backups", message: "No backup." }] }) });
  await open("/console/seasons", { as: boss, service });
  const link = /** @type {HTMLAnchorElement} */ (await screen.findByRole("link", { name: "Round 1" }));
  equal(link.pathname, "/console/appeals/7");
  ok(screen.getByRole("row", { name: "A certificate certificates" }));
  ok(screen.getByRole("heading", { name: t("seasons.toFinish") }));
  await says("No backup.");
  equal(screen.queryByRole("button", { name: t("seasons.check") }), null);
  equal(service.sent("POST /seasons/preview/")[0]?.body, { name: "2028", join: "confirm" });
});

test("an exam leads to the page where it can be finished, by its status", async () => {
  const blockers = [
    { kind: "exams", id: 1, title: "Open", status: "ongoing" },
    { kind: "exams", id: 2, title: "Planned", status: "scheduled" },
    { kind: "exams.unsealed", id: 3, title: "Over", status: "concluded" },
    { kind: "exams.unsealed", id: 4, title: "Off", status: "cancelled" },
    { kind: "exams.unpublished", id: 5, title: "Sealed", status: "concluded" },
    { kind: "scores", id: 6, title: "On paper" },
    // An open exam that a candidate has started is also not sealed.
    { kind: "exams.unsealed", id: 1, title: "Open", status: "ongoing" },
  ];
  await open("/console/seasons", { as: boss, service: new Service({ "GET /seasons/": seasons, "POST /seasons/preview/": preview({ blockers }) }) });
  const table = await screen.findByRole("table", { name: t("seasons.toFinish") });
  const rows = within(table).getAllByRole("row").slice(1).map((each) => [/** @type {HTMLAnchorElement} */ (within(each).getByRole("link")).getAttribute("href"), words(within(each).getByRole("cell"))]);
  equal(rows, [
    ["/console/exams/1/day", t("seasons.blocks.open")],
    ["/console/exams/2?step=basics", t("seasons.blocks.planned")],
    ["/console/boards/publish?exams=3", t("seasons.blocks.unsealed")],
    ["/console/exams/4?step=basics", t("seasons.blocks.off")],
    ["/console/boards/publish?exams=5", t("seasons.blocks.unpublished")],
    ["/console/boards/publish?exams=6", t("seasons.blocks.unpublished")],
  ]);
  await says(t("seasons.blocked", { count: 6 }));
});

test("an exam that is being published is one row, which disappears without an action of the user", async () => {
  const clock = stopClock("2026-03-10T10:00:00Z");
  const publication = example("Publication", { id: 9, exam: 3, expected_at: "2026-03-10T10:06:00Z" });
  const blockers = [
    { kind: "exams.unsealed", id: 3, title: "Over", status: "concluded" },
    { kind: "leaderboard.publications", id: 9, title: "Over", exam: 3, expected_at: publication.expected_at },
    { kind: "leaderboard.publications", id: 10, title: "Empty", exam: 4 },
  ];
  const service = new Service({ "GET /seasons/": seasons, "POST /seasons/preview/": preview({ blockers }), "GET /leaderboard/publications/": page([publication]) });
  /** @param {() => unknown} isSo */
  const becomes = async (isSo) => {
    for (let turn = 0; turn < 300 && !isSo(); turn++) {
      await new Promise(requestAnimationFrame);
      await clock.passes(0.1);
    }
    ok(isSo(), String(isSo));
  };
  await open("/console/seasons", { as: boss, service });
  await becomes(() => screen.queryByRole("table", { name: t("seasons.toFinish") }));
  const rows = within(screen.getByRole("table", { name: t("seasons.toFinish") })).getAllByRole("cell").map((each) => words(each));
  equal(rows, [t("seasons.blocks.publications", { when: inShort(publication.expected_at) }), `${t("seasons.blocks.nobodyTook")} ${t("seasons.withdraw")}`]);
  await becomes(() => service.sent("GET /leaderboard/publications/").length);
  // Once the time has passed, the row names no time that is over.
  await clock.passes(360);
  await becomes(() => words().includes(t("seasons.blocks.publishing")));
  Object.assign(service.replies, { "GET /leaderboard/publications/": page([]), "POST /seasons/preview/": preview({}) });
  await becomes(() => words().includes(t("seasons.openNext")));
  equal(screen.queryByRole("table", { name: t("seasons.toFinish") }), null);
  clock.end();
});

test("the publication of an exam that nobody took is withdrawn where it blocks the season", async () => {
  const blockers = [{ kind: "leaderboard.publications", id: 10, title: "Empty", exam: 4 }];
  const service = new Service({
    "GET /seasons/": seasons, "POST /seasons/preview/": preview({ blockers }), "GET /leaderboard/publications/": page([]),
    "DELETE /leaderboard/publications/{publication_id}/": () => void (service.replies["POST /seasons/preview/"] = preview({})),
  });
  await open("/console/seasons", { as: boss, service });
  await click(await screen.findByRole("button", { name: t("seasons.withdraw") }));
  const dialog = await screen.findByRole("dialog");
  await says(t("seasons.withdraws", { title: "Empty" }), dialog);
  await click(within(dialog).getByRole("button", { name: t("seasons.withdraw") }));
  await says(t("seasons.withdrawn", { title: "Empty" }));
  await says(t("seasons.openNext"));
  equal(service.sent("DELETE /leaderboard/publications/{publication_id}/").map((each) => each.params.publication_id), ["10"]);
});

test("opening a season asks once, and says what it does, with numbers", async () => {
  const service = new Service({
    "GET /seasons/": seasons,
    "POST /seasons/preview/": preview({}),
    "POST /seasons/": () => new Reply(201, named({ id: 3, name: "The third" })),
  });
  await open("/console/seasons", { as: boss, service });
  await prepare();
  fill(screen.getByLabelText(t("seasons.name")), "The third");
  click(screen.getByLabelText(t("seasons.join.everybody")));
  await settled(service);
  click(screen.getByRole("button", { name: t("seasons.check") }));
  const dialog = await screen.findByRole("dialog", { name: t("seasons.openTitle", { name: "The third" }) });
  for (const text of [t("seasons.opens", { count: 42 }), t("seasons.opens.everybody", { count: 310 }), t("seasons.opens.undo")]) await says(text);
  click(within(dialog).getByRole("button", { name: t("seasons.openVerb", { name: "The third" }) }));
  await says(t("seasons.isOpen", { name: "The third" }));
  equal(service.sent("POST /seasons/").map((each) => each.body), [{ name: "The third", join: "everybody" }]);
});

test("the question names nobody if nobody is concerned, and each warning leads to its page", async () => {
  const warnings = [{ kind: "backups", message: "No backup." }, { kind: "advancement", message: "A plan." }, { kind: "appeals", message: "Appeals." }, { kind: "other", message: "Something." }];
  const service = new Service({ "GET /seasons/": seasons, "POST /seasons/preview/": preview({ warnings, candidates: { all: 0, moved: 0, joined: 0 } }) });
  await open("/console/seasons", { as: boss, service });
  await says(t("seasons.backup"));
  const links = [t("seasons.reports"), t("nav.advancement"), t("nav.appeals")].map((name) => screen.getByRole("link", { name }).getAttribute("href"));
  equal(links, ["/console/house/service", "/console/advancement", "/console/appeals"]);
  await says("Something.");
  await prepare();
  click(screen.getByRole("button", { name: t("seasons.check") }));
  const dialog = await screen.findByRole("dialog");
  await says(t("seasons.opens.drafts"), dialog);
  for (const each of ["seasons.opens", "seasons.opens.confirm"]) ok(!words(dialog).includes(t(/** @type {any} */ (each), { count: 0 })), each);
  ok(words(dialog).includes(`${t("seasons.opens.drafts")} ${t("seasons.opens.closed")} ${t("seasons.opens.undo")}`));
});

test("what has happened since the page was read blocks the season, too", async () => {
  const service = new Service({ "GET /seasons/": seasons, "POST /seasons/preview/": preview({}) });
  await open("/console/seasons", { as: boss, service });
  await prepare();
  const button = screen.getByRole("button", { name: t("seasons.check") });
  service.replies["POST /seasons/preview/"] = preview({ blockers: [{ kind: "exams", id: 9, title: "Round 2", status: "scheduled" }] });
  click(button);
  equal(/** @type {HTMLAnchorElement} */ (await screen.findByRole("link", { name: "Round 2" })).pathname, "/console/exams/9");
  equal(service.sent("POST /seasons/").length, 0);
});

const undo = (/** @type {any} */ changes) => example("UndoPreview", { until: "2026-01-11T08:00:00Z", refusal: null, confirmed: 0, ...changes });

test("a fresh season can be undone, and the question says which confirmations are lost", async () => {
  const service = new Service({ "GET /seasons/": seasons, "POST /seasons/preview/": preview({ undo: undo({}) }), "POST /seasons/undo/": named({ name: "2026" }) });
  await open("/console/seasons", { as: boss, service });
  const button = await screen.findByRole("button", { name: t("seasons.undo") });
  // The page leads to what a new season needs.
  const next = [t("seasons.begin.exam"), t("seasons.begin.copy", { earlier: "2026" }), t("seasons.begin.write")];
  equal(next.map((name) => screen.getByRole("link", { name }).getAttribute("href")), ["/console/exams/new", "/console/seasons/1", "/console/broadcasts/new"]);
  // Somebody has joined since the page was read.
  service.replies["POST /seasons/preview/"] = preview({ undo: undo({ confirmed: 12 }) });
  click(button);
  await says(t("seasons.undoes", { name: "2027", earlier: "2026" }));
  const dialog = await screen.findByRole("dialog");
  await says(t("seasons.undoesConfirmed", { count: 12 }), dialog);
  Object.assign(service.replies, { "GET /seasons/": page([{ ...old, status: "current", closed_at: null }]), "POST /seasons/preview/": preview({}) });
  click(within(dialog).getByRole("button", { name: t("seasons.undoVerb", { name: "2027" }) }));
  await says(t("seasons.undone", { name: "2026" }));
  await saysNo(t("seasons.undo"));
});

test("a season that can't be undone any longer says why, also if that has happened since the page was read", async () => {
  const service = new Service({ "GET /seasons/": seasons, "POST /seasons/preview/": preview({ undo: undo({}) }) });
  await open("/console/seasons", { as: boss, service });
  const button = await screen.findByRole("button", { name: t("seasons.undo") });
  service.replies["POST /seasons/preview/"] = preview({ undo: undo({ refusal: "A candidate has already started." }) });
  click(button);
  await says("A candidate has already started.");
  equal([screen.queryByRole("button", { name: t("seasons.undo") }), screen.queryByRole("dialog"), screen.queryByRole("link", { name: t("seasons.begin.exam") })], [null, null, null]);
});

test("admins rename a season, and open none", async () => {
  const service = new Service({ "GET /seasons/": seasons, "PATCH /seasons/{season_id}/": named({ name: "The first" }) });
  await open("/console/seasons", { as: staff("admin"), service });
  click(await screen.findByRole("button", { name: `${t("seasons.rename")} 2026` }));
  fill(await screen.findByLabelText(t("seasons.name")), "The first");
  await settled(service);
  click(screen.getByRole("button", { name: t("seasons.renameVerb") }));
  await says(t("seasons.renamed", { name: "The first" }));
  equal(service.sent("PATCH /seasons/{season_id}/").map((each) => each.body), [{ name: "The first" }]);
  await says(t("seasons.superadmins"));
  equal(service.sent("POST /seasons/preview/").length, 0);
});

test("a closed season shows its exams and leaderboards", async () => {
  const board = example("AvailableLeaderboard", { exam_id: 4, exam_title: "Last year", stage: "final", round: 2 });
  const service = new Service({
    "GET /seasons/": seasons,
    "GET /leaderboard/": { snapshot_id: 1, published_at: "2026-01-01T00:00:00Z", available_leaderboards: [board] },
    "GET /exams/": example("GET /exams/", page([example("ExamListItem", { id: 4, title: "Last year" })])),
  });
  await open("/console/seasons/1", { as: staff("admin"), service, plugins: ["seasons", "appeals"] });
  await says(t("seasons.isClosed"));
  const appeals = /** @type {HTMLAnchorElement} */ (await screen.findByRole("link", { name: t("seasons.appeals") }));
  equal(appeals.pathname + appeals.search, "/console/appeals?tab=all&season=1");
  const links = /** @type {HTMLAnchorElement[]} */ (await screen.findAllByRole("link", { name: "Last year" }));
  ok(links.some((each) => each.pathname + each.search === "/console/boards/final/2?exam=4"));
  equal(service.sent("GET /leaderboard/")[0]?.query.get("season"), "1");
  equal(service.sent("GET /exams/")[0]?.query.get("season"), "1");
});

test("a season without a leaderboard says so, and moderators get no exams", async () => {
  const service = new Service({ "GET /seasons/": seasons, "GET /leaderboard/": refused(404, "leaderboard_not_published") });
  await open("/console/seasons/1", { as: staff("moderator"), service });
  await says(t("seasons.noBoards"));
  equal(service.sent("GET /exams/").length, 0);
});
