import { t } from "../../../../competition/plugins/console/static/schools/words.js";
import { t as pieces } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says } from "../../kit/said.js";
import { click, fill, screen, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const BOARD = "GET /leaderboard/{stage}/{round}/schools/";
const EXPORT = "GET /exports/leaderboard/{stage}/{round}/schools/";
const plugins = ["schools", "exports"];
const row = example("RankedSchool", { rank: 1, school: "West", region: "North", candidates: 9, counted: 5, score: 412.5 });
const board = (/** @type {Record<string, any>} */ rule) => ({ ...page([row]), exam_details: example("ExamDetails", { id: 7, title: "Round 1", stage: "league", round: 2 }), rule });

test("the board of schools says its rule, and can be exported", async () => {
  const service = new Service({ [BOARD]: board({ best: 5, minimum: 3 }), [EXPORT]: () => new Reply(200, new Blob(["a"]), { "Content-Disposition": 'attachment; filename="schools.csv"' }) });
  await open("/console/boards/league/2/schools?exam=7", { as: staff("admin"), service, plugins });
  await arrived(t("schools.board"));
  await says(t("schools.rule", { count: 5 }));
  await says(t("schools.fewer", { count: 3 }));
  await screen.findByRole("row", { name: /1 West North 9 5 412.50/ });
  await fill(screen.getByLabelText(t("schools.region")), "north");
  await until(() => service.asked.some((each) => each.query.get("region") === "north"));
  await click(screen.getByRole("button", { name: t("exports.export") }));
  await click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("exports.download") }));
  await until(() => service.sent(EXPORT).length === 1);
  ok(service.sent(EXPORT)[0]?.path.endsWith("/leaderboard/league/2/schools/"));
  equal(service.sent(EXPORT)[0]?.query.get("exam_id"), "7");
});

test("a board of schools of a closed season names the season, and its crumbs lead there", async () => {
  const service = new Service({
    [BOARD]: board({ best: 5, minimum: 3 }),
    "GET /leaderboard/snapshots/": page([example("PublishedSnapshot", { season: 1 })]),
    "GET /seasons/": page([example("Season", { id: 1, name: "2026", status: "closed" })]),
  });
  await open("/console/boards/league/2/schools?exam=7", { as: staff("moderator"), service, plugins: [...plugins, "seasons"] });
  await says(t("season.name", { name: "2026" }));
  const links = within(screen.getByRole("navigation", { name: pieces("page.crumbs") })).getAllByRole("link").map((each) => each.getAttribute("href"));
  equal(links, ["/console/seasons", "/console/seasons/1", "/console/boards/league/2?exam=7"]);
  equal(service.sent("GET /leaderboard/snapshots/")[0]?.query.get("exam_id"), "7");
});

test("a rule without a minimum names none, and moderators export nothing", async () => {
  await open("/console/boards/league/2/schools", { as: staff("moderator"), service: new Service({ [BOARD]: board({ best: 1, minimum: 1 }) }), plugins });
  await says(t("schools.rule", { count: 1 }));
  equal(screen.queryAllByText(new RegExp(t("schools.fewer", { count: 1 }))).length, 0);
  equal(screen.queryAllByRole("button", { name: t("exports.export") }).length, 0);
});

test("a board that is not published is explained", async () => {
  await open("/console/boards/league/2/schools", { as: staff("moderator"), service: new Service({ [BOARD]: () => refused(404, "leaderboard_not_published") }), plugins });
  await says(t("schools.notPublished"));
});

test("the boards of schools are linked from the schools, and from the board of candidates", async () => {
  const exam = example("AvailableLeaderboard", { exam_id: 7, exam_title: "Round 1", stage: "league", round: 2 });
  const candidates = example("Leaderboard", { exam_details: example("ExamDetails", { id: 7, title: "Round 1", stage: "league", round: 2 }) });
  const service = new Service({
    "GET /schools/": () => page([]),
    "GET /leaderboard/": (/** @type {any} */ { query }) => (query.has("stage") ? candidates : example("GET /leaderboard/", { available_leaderboards: [exam] })),
    "GET /leaderboard/snapshots/": () => page([example("PublishedSnapshot")]),
  });
  await open("/console/schools", { as: staff("moderator"), service, plugins });
  equal((await screen.findByRole("link", { name: "Round 1" })).getAttribute("href"), "/console/boards/league/2/schools");
  await open("/console/boards/league/2?exam=7", { as: staff("moderator"), service, plugins });
  const main = within(await screen.findByRole("main"));
  equal((await main.findByRole("link", { name: t("schools.board") })).getAttribute("href"), "/console/boards/league/2/schools?exam=7");
});
