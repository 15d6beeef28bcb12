import { t } from "../../../../competition/plugins/portal/static/boards/words.js";
import { t as seasons } from "../../../../competition/plugins/portal/static/seasons/words.js";
import { everyRank } from "../../../../competition/plugins/portal/static/boards/calls.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open } from "../../kit/front-end.js";
import { arrived, named, says, saysNo, words } from "../../kit/said.js";
import { click, screen } from "../../kit/screen.js";
import { page, refused, Service } from "../../kit/service.js";

const BOARD = "GET /leaderboard/";
const PLACE = "GET /leaderboard/{stage}/{round}/candidate/{candidate_id}/";
const amara = candidate();
const uuid = (/** @type {number} */ number) => `8f14e45f-ceea-467f-a1d5-${String(number).padStart(12, "0")}`;
const name = (/** @type {number} */ round) => t("exams.round", { stage: t("exams.screening"), round });

/** A row of a leaderboard. @param {number} rank @param {Record<string, any>} [values] */
const row = (rank, values) => example("Ranking", { rank, score: 100 - rank, candidate: { user_id: uuid(rank), full_name: `Candidate ${rank}`, school: "Hillside School" }, ...values });

/**
 * A leaderboard of this many candidates, in pages of `size` after the first three.
 *
 * @param {number} count
 * @param {{ me?: number, size?: number, details?: Record<string, any> }} [options] `me` is the rank of the user.
 */
function board(count, { me, size = 20, details = {} } = {}) {
  const rows = Array.from({ length: count }, (_, at) => row(at + 1, at + 1 === me ? { candidate: { user_id: amara.user.id, full_name: "Amara Obi", school: "Hillside School" } } : {}));
  const exam_details = example("ExamDetails", { id: 7, title: "Number theory", round: 1, total_candidates: count, ...details });
  return (/** @type {any} */ { query }) => {
    const page = Number(query.get("page") ?? 1);
    const page_size = Number(query.get("page_size") ?? size);
    const others = rows.slice(3);
    const total_pages = Math.max(1, Math.ceil(others.length / page_size));
    return {
      exam_details,
      top_three: rows.slice(0, 3),
      remaining_candidates: others.slice((page - 1) * page_size, page * page_size),
      pagination: { count: others.length, page, page_size, total_pages, has_next: page < total_pages, has_previous: page > 1, next: null, previous: null },
    };
  };
}

const place = (/** @type {number} */ rank) => example("PerformanceDetail", { candidate_performance: { rank, score: 100 - rank } });

/** The page of a leaderboard. @param {any} reply @param {any} [own] @param {string} [query] */
async function shown(reply, own = () => refused(404, "not_found"), query = "") {
  const service = new Service({ [BOARD]: reply, [PLACE]: own });
  await open(`/boards/screening/1${query}`, { as: amara, service });
  await screen.findByRole("heading", { level: 1 });
  return service;
}

test("the newest leaderboard comes first, and leads to its page", async () => {
  const boards = [1, 2].map((round) => example("AvailableLeaderboard", { exam_id: round, exam_title: `Exam ${round}`, round, total_candidates: 38, average_score: 61.5 }));
  await open("/boards", { as: amara, service: new Service({ [BOARD]: example(BOARD, { available_leaderboards: boards }) }) });
  await screen.findByRole("link", { name: name(2) });
  equal(screen.getAllByRole("link").map((/** @type {any} */ each) => each.getAttribute("href")), ["/boards/screening/2", "/boards/screening/1"]);
  await says(t("boards.percent", { score: 61.5 }));
});

test("without a leaderboard, the page says when there will be one", async () => {
  await open("/boards", { as: amara, service: new Service({ [BOARD]: example(BOARD) }) });
  await says(t("boards.none"));
});

const SEASONS = [2, 1].map((id) => example("Season", { id, name: String(2025 + id), status: id === 2 ? "current" : "closed" }));

test("the leaderboards of an earlier season are one click away, and lead to the own result", async () => {
  const old = example("AvailableLeaderboard", { exam_id: 7, exam_title: "Number theory", round: 1 });
  const service = new Service({
    [BOARD]: (/** @type {any} */ asked) => asked.query.get("exam_id") ? board(5, { me: 2 })(asked) : example(BOARD, { available_leaderboards: asked.query.get("season") === "1" ? [old] : [] }),
    [PLACE]: place(2),
    "GET /seasons/": () => page(SEASONS),
  });
  await open("/boards", { as: amara, service, plugins: ["seasons"] });
  await says(t("boards.none"));
  click(await screen.findByRole("link", { name: "2026" }));
  click(await screen.findByRole("link", { name: name(1) }));
  equal((await screen.findByRole("link", { name: t("boards.result") })).getAttribute("href"), "/results/7?season=1");
  await says(seasons("seasons.of", { name: "2026" }));
  equal(service.sent(BOARD).at(-1)?.query.get("exam_id"), "7");
  equal(screen.getByRole("link", { name: t("boards") }).getAttribute("href"), "/boards?season=1");
});

test("a leaderboard of an earlier season keeps its season from page to page, and on paper", async () => {
  const service = new Service({ [BOARD]: board(230, { me: 26 }), [PLACE]: place(26), "GET /seasons/": () => page(SEASONS) });
  await open("/boards/screening/1?exam=7&season=1", { as: amara, service, plugins: ["seasons"] });
  equal((await screen.findByRole("link", { name: t("boards.jump", { rank: 26 }) })).getAttribute("href"), "/boards/screening/1?exam=7&season=1&page=2");
  window.print = () => {};
  await says(seasons("seasons.of", { name: "2026" }));
  await click(screen.getByRole("button", { name: t("boards.print") }));
  await until(() => words(document.querySelector(".print") ?? undefined).includes(seasons("seasons.of", { name: "2026" })));
});

test("an earlier season without a leaderboard for the candidate says so", async () => {
  const service = new Service({ [BOARD]: () => refused(404, "leaderboard_not_published"), "GET /seasons/": () => page(SEASONS) });
  await open("/boards?season=1", { as: amara, service, plugins: ["seasons"] });
  await says(t("boards.noneEarlier"));
});

test("a candidate who is not approved is told what is missing", async () => {
  await open("/boards", { as: amara, service: new Service({ [BOARD]: () => refused(403, "unverified_candidate") }) });
  await says(t("boards.unverified"));
  equal(screen.getByRole("link", { name: t("documents") }).getAttribute("href"), "/documents");
});

test("hidden leaderboards are explained, and no error", async () => {
  await shown(() => refused(403, "leaderboard_hidden"));
  await says(t("boards.hidden"));
  equal(screen.queryAllByRole("alert").length, 0);
  equal(screen.queryAllByRole("button", { name: t("boards.print") }).length, 0);
});

test("a leaderboard that does not exist is explained", async () => {
  await shown(() => refused(404, "not_found"));
  await says(t("boards.notThis"));
});

test("another failure is an error", async () => {
  await shown(() => refused(403, "permission_denied"));
  await screen.findByRole("alert");
});

test("a candidate on another page is led to the own row", async () => {
  const service = await shown(board(28, { me: 26 }), place(26));
  await says(t("boards.own", { rank: 26, count: 28, score: 74 }));
  equal(screen.getByRole("link", { name: t("boards.result") }).getAttribute("href"), "/results/7");
  await saysNo(t("boards.you"), screen.getByRole("table"));
  equal(screen.getAllByRole("row").length, 24);
  await says("1 to 23 of 28");
  await click(screen.getByRole("link", { name: t("boards.jump", { rank: 26 }) }));
  await screen.findByText(t("boards.you"), { exact: true });
  equal(location.search, "?page=2");
  // The first three are on the first page only, although the service sends them with each.
  equal(screen.getAllByRole("row").length, 6);
  await says("24 to 28 of 28");
  equal(words(screen.getByText(t("boards.you")).closest("tr")).includes("Amara Obi"), true);
  equal(screen.queryAllByRole("link", { name: t("boards.jump", { rank: 26 }) }).length, 0);
  equal(service.sent(PLACE)[0]?.params.candidate_id, amara.user.id);
});

test("from a later page, the first places are on the first page", async () => {
  await shown(board(28, { me: 2 }), place(2), "?page=2");
  equal((await screen.findByRole("link", { name: t("boards.jump", { rank: 2 }) })).getAttribute("href"), "/boards/screening/1");
});

test("the last row of a page is on that page", async () => {
  await shown(board(60, { me: 43 }), place(43), "?page=3");
  equal((await screen.findByRole("link", { name: t("boards.jump", { rank: 43 }) })).getAttribute("href"), "/boards/screening/1?page=2");
});

test("where ranks are not skipped, a rank does not tell the page", async () => {
  await shown(board(28, { me: 26, details: { ranking: "dense" } }), place(26));
  await says(t("boards.own", { rank: 26, count: 28, score: 74 }));
  await says(t("boards.by_dense"));
  equal(screen.queryAllByRole("link", { name: t("boards.jump", { rank: 26 }) }).length, 0);
});

test("who is not on the leaderboard reads that", async () => {
  await shown(board(5));
  await says(t("boards.notRanked"));
});

test("if the time decides, it is shown", async () => {
  const reply = board(3, { details: { ranking: "time" } });
  await shown((/** @type {any} */ asked) => {
    const found = reply(asked);
    found.top_three[0].seconds_used = 754;
    return found;
  });
  await screen.findByRole("columnheader", { name: t("boards.time") });
  await says("12:34");
  await says(t("boards.by_time"));
});

test("otherwise there is no time", async () => {
  await shown(board(3));
  await says(t("boards.by_standard"));
  ok(!named("columnheader").includes(t("boards.time")), "There is a column for the time.");
});

test("all pages are printed", async () => {
  await shown(board(230, { me: 26 }), place(26));
  let printed = 0;
  window.print = () => void (printed += 1);
  await click(await screen.findByRole("button", { name: t("boards.print") }));
  await until(() => printed === 1);
  const paper = document.querySelector(".print");
  equal(paper?.querySelectorAll("tbody tr").length, 230);
  ok(words(paper ?? undefined).includes(name(1)), "The paper has no title.");
  // On paper, nobody is "you".
  ok(![...(paper?.querySelectorAll(".tag") ?? [])].length, "A row is marked.");
});

test("if another ranking is published while the pages are read, that one is read", async () => {
  const before = board(230);
  const after = board(231);
  let asked = 0;
  const service = new Service({ [BOARD]: (/** @type {any} */ each) => ((asked += 1) === 1 ? before : after)(each) });
  await open("/register", { service });
  await arrived(t("register"));
  equal((await everyRank({ stage: "screening", round: 1 })).length, 231);
});
