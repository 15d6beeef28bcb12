import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, settled, staff } from "../../kit/front-end.js";
import { says, saysNo } from "../../kit/said.js";
import { click, fill, screen, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";
import { t } from "../../../../competition/plugins/console/static/seasons/words.js";

const boss = staff("superadmin");
const old = example("Season", { id: 1, name: "2026", status: "closed", opened_at: "2025-01-10T08:00:00Z", closed_at: "2026-01-10T08:00:00Z", exams: 7, candidates: 310 });
const current = { ...old, id: 2, name: "2027", status: "current", opened_at: "2026-01-10T08:00:00Z", closed_at: null };
const named = (/** @type {any} */ changes) => example("SeasonName", changes);
const preview = (/** @type {any} */ changes) => ({ blockers: [], warnings: [], candidates: { all: 310, moved: 42, joined: 0 }, ...changes });
const seasons = () => page([current, old]);

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
  await says("No backup.");
  equal(screen.queryByRole("button", { name: t("seasons.check") }), null);
  equal(service.sent("POST /seasons/preview/")[0]?.body, { name: "2028", join: "confirm" });
});

test("opening a season asks once, and says what it does, with numbers", async () => {
  const service = new Service({
    "GET /seasons/": seasons,
    "POST /seasons/preview/": preview({}),
    "POST /seasons/": () => new Reply(201, named({ id: 3, name: "The third" })),
  });
  await open("/console/seasons", { as: boss, service });
  fill(await screen.findByLabelText(t("seasons.name")), "The third");
  click(screen.getByLabelText(t("seasons.join.everybody")));
  await settled(service);
  click(screen.getByRole("button", { name: t("seasons.check") }));
  const dialog = await screen.findByRole("dialog", { name: t("seasons.openTitle", { name: "The third" }) });
  for (const text of [t("seasons.opens", { count: 42 }), t("seasons.opens.everybody", { count: 310 }), t("seasons.opens.undo")]) await says(text);
  click(within(dialog).getByRole("button", { name: t("seasons.openVerb", { name: "The third" }) }));
  await says(t("seasons.isOpen", { name: "The third" }));
  equal(service.sent("POST /seasons/").map((each) => each.body), [{ name: "The third", join: "everybody" }]);
});

test("what has happened since the page was read blocks the season, too", async () => {
  const service = new Service({ "GET /seasons/": seasons, "POST /seasons/preview/": preview({}) });
  await open("/console/seasons", { as: boss, service });
  const button = await screen.findByRole("button", { name: t("seasons.check") });
  service.replies["POST /seasons/preview/"] = preview({ blockers: [{ kind: "exams", id: 9, title: "Round 2" }] });
  click(button);
  equal(/** @type {HTMLAnchorElement} */ (await screen.findByRole("link", { name: "Round 2" })).pathname, "/console/exams/9");
  equal(service.sent("POST /seasons/").length, 0);
});

test("a fresh season can be undone, and an older one can't", async () => {
  const fresh = { ...current, opened_at: new Date().toISOString() };
  const service = new Service({ "GET /seasons/": page([fresh, old]), "POST /seasons/preview/": preview({}), "POST /seasons/undo/": named({ name: "2026" }) });
  await open("/console/seasons", { as: boss, service });
  click(await screen.findByRole("button", { name: t("seasons.undo") }));
  await says(t("seasons.undoes", { name: "2027", earlier: "2026" }));
  service.replies["GET /seasons/"] = page([{ ...current, opened_at: "2025-01-10T08:00:00Z" }, old]);
  click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("seasons.undoVerb", { name: "2027" }) }));
  await says(t("seasons.undone", { name: "2026" }));
  await saysNo(t("seasons.undo"));
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
  equal(service.sent("POST /seasons/preview/").length, 0);
});

test("a closed season shows its exams and leaderboards", async () => {
  const board = example("AvailableLeaderboard", { exam_id: 4, exam_title: "Last year", stage: "final", round: 2 });
  const service = new Service({
    "GET /seasons/": seasons,
    "GET /leaderboard/": { snapshot_id: 1, published_at: "2026-01-01T00:00:00Z", available_leaderboards: [board] },
    "GET /exams/": example("GET /exams/", page([example("ExamListItem", { id: 4, title: "Last year" })])),
  });
  await open("/console/seasons/1", { as: staff("admin"), service });
  await says(t("seasons.isClosed"));
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
