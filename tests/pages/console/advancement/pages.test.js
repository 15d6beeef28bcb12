import { t } from "../../../../competition/plugins/console/static/advancement/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { drawn, open, staff, visit } from "../../kit/front-end.js";
import { says, words } from "../../kit/said.js";
import { choose, click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const as = staff("admin");
const APPLY = "POST /advancement/{plan_id}/apply/";
const PREVIEW = "GET /advancement/{plan_id}/preview/";
const plan = (/** @type {Record<string, any>} */ values = {}) => example("AdvancementPlan", { id: 5, exams: [7], rule: { top: 2 }, ...values });
const person = (/** @type {number} */ at, role = "screening") => example("Contender", { rank: at, total_score: 100 - at, candidate: { user_id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${at}`, full_name: `Candidate ${at}`, role } });
const boards = example("Leaderboard", { exam_details: { id: 7, title: "Round 1" } });
const preview = (/** @type {Record<string, any>} */ values = {}) =>
  example(PREVIEW, { cut_off: 75, ranked: 4, advancing: 3, moving: 3, tied_at_the_cut: 2, advance: [1, 2, 3].map((each) => person(each)), stay: [person(4)], ...values });
const exams = [example("ExamListItem", { id: 7, title: "Round 1", status: "concluded" }), example("ExamListItem", { id: 8, title: "League round", stage: "league", status: "scheduled" }), example("ExamListItem", { id: 9, title: "Draft", status: "draft" })];

/** @param {Record<string, any>} [replies] */
const service = (replies) =>
  new Service({ "GET /advancement/{plan_id}/": plan(), "GET /leaderboard/": boards, [PREVIEW]: preview(), "GET /exams/": example("GET /exams/", page(exams)), "GET /exams/{exam_id}/appeals/": page([], { pagination: { ...page([]).pagination, count: 0 } }), [APPLY]: example("AdvancementResult", { advanced: 3 }), ...replies });

test("a plan is created from the exams of its stage, with a rule that is a number", async () => {
  const creating = service({ "POST /advancement/": ({ body }) => new Reply(201, plan(body)) });
  await open("/console/advancement/new", { as, service: creating });
  equal((await screen.findAllByRole("checkbox")).map((/** @type {any} */ each) => each.value), ["7"]);
  const value = screen.getByLabelText(t("advancement.value.top"));
  fill(value, "many");
  await drawn();
  click(screen.getByRole("button", { name: t("advancement.create") }));
  await says(t("advancement.wrong.top"));
  await says(t("advancement.chooseExam"));
  click(screen.getByRole("checkbox"));
  fill(value, "2");
  choose(screen.getByLabelText(t("advancement.from")), t("advancement.stage.league"));
  await drawn();
  click(screen.getByRole("button", { name: t("advancement.create") }));
  await says(t("advancement.higher"));
  choose(screen.getByLabelText(t("advancement.from")), t("advancement.stage.screening"));
  await drawn();
  click(screen.getByRole("button", { name: t("advancement.create") }));
  await says(t("advancement.createdText"));
  equal(creating.sent("POST /advancement/")[0]?.body, { from_stage: "screening", to_stage: "league", exams: [7], rule: { top: 2 }, ties: "in" });
});

test("percents are at most 100, and a plan is changed on top of its version", async () => {
  const changing = service({ "GET /advancement/{plan_id}/": () => new Reply(200, plan(), { ETag: '"1"' }), "PATCH /advancement/{plan_id}/": ({ body }) => plan(body) });
  await open("/console/advancement/5/change", { as, service: changing });
  click(await screen.findByLabelText(t("advancement.kind.percent")));
  fill(await screen.findByLabelText(t("advancement.value.percent")), "100.5");
  click(screen.getByLabelText(t("advancement.ties.out")));
  await drawn();
  click(screen.getByRole("button", { name: t("advancement.save") }));
  await says(t("advancement.wrong.percent"));
  fill(screen.getByLabelText(t("advancement.value.percent")), "12.5");
  await drawn();
  click(screen.getByRole("button", { name: t("advancement.save") }));
  await says(t("advancement.saved"));
  const [sent] = changing.sent("PATCH /advancement/{plan_id}/");
  equal([sent?.body.rule, sent?.body.ties, sent?.headers.get("If-Match")], [{ percent: 12.5 }, "out", '"1"']);
});

test("the preview counts who advances, who is tied and who does not move, and names them", async () => {
  await open("/console/advancement/5", { as, service: service({ [PREVIEW]: preview({ moving: 2 }) }) });
  await says(t("advancement.cutOff", { count: 3, ranked: 4, points: "75.00" }));
  await says(t("advancement.tied.in", { count: 2 }));
  await says(t("advancement.elsewhere", { count: 1, from: t("advancement.stage.screening") }));
  equal(within(screen.getByRole("table", { name: t("advancement.advance") })).getAllByRole("link").length, 3);
  equal(within(screen.getByRole("table", { name: t("advancement.stay") })).getAllByRole("link").map((each) => each.textContent), ["Candidate 4"]);
  ok(screen.getByRole("link", { name: "Round 1" }));
});

test("the dialog counts and names those who move now", async () => {
  const applying = service();
  applying.config.settings = /** @type {any} */ ({ "advancement.undo_hours": 48 });
  await open("/console/advancement/5", { as, service: applying });
  const button = await screen.findByRole("button", { name: t("advancement.applyCount", { count: 3 }) });
  // The page still shows the old number.
  applying.replies[PREVIEW] = preview({ moving: 2, advance: [person(1, "league"), person(2), person(3)] });
  click(button);
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes(t("advancement.applies", { count: 2, to: t("advancement.stage.league") })) && words(dialog).includes(t("advancement.undoFor", { span: "2 days" })), words(dialog));
  equal(within(dialog).getAllByRole("listitem").map((each) => each.textContent), ["Candidate 2", "Candidate 3"]);
  equal(applying.sent(APPLY).length, 0);
  applying.replies["GET /advancement/{plan_id}/"] = plan({ status: "applied" });
  click(within(dialog).getByRole("button", { name: t("advancement.applyCount", { count: 2 }) }));
  await says(t("advancement.applied", { count: 3, to: t("advancement.stage.league") }));
  ok(await screen.findByRole("heading", { name: t("advancement.advanced") }));
});

test("if nobody is left to move, nothing is asked, and the page is read again", async () => {
  const applying = service();
  await open("/console/advancement/5", { as, service: applying });
  const button = await screen.findByRole("button", { name: t("advancement.applyCount", { count: 3 }) });
  applying.replies[PREVIEW] = preview({ moving: 0 });
  click(button);
  await says(t("advancement.elsewhere", { count: 3, from: t("advancement.stage.screening") }));
  equal([screen.queryByRole("dialog"), screen.queryByRole("button", { name: /Move/ })], [null, null]);
});

test("open appeals are named before candidates move", async () => {
  const applying = service({ "GET /exams/{exam_id}/appeals/": page([], { pagination: { ...page([]).pagination, count: 2 } }) });
  await open("/console/advancement/5", { as, service: applying });
  click(await screen.findByRole("button", { name: t("advancement.applyCount", { count: 3 }) }));
  const dialog = await screen.findByRole("dialog", { name: t("advancement.appeals") });
  ok(words(dialog).includes(t("advancement.appealsOpen", { count: 2 })));
  equal(applying.sent("GET /exams/{exam_id}/appeals/")[0]?.query.get("status"), "open");
  click(within(dialog).getByRole("button", { name: t("advancement.despiteAppeals") }));
  ok(await screen.findByRole("button", { name: t("advancement.applyCount", { count: 3 }) }));
  await screen.findByRole("dialog", { name: t("advancement.fromTo", { from: t("advancement.stage.screening"), to: t("advancement.stage.league") }) });
});

test("without the plugin of appeals, none are open", async () => {
  await open("/console/advancement/5", { as, service: service({ "GET /exams/{exam_id}/appeals/": () => refused(404, "not_found") }) });
  click(await screen.findByRole("button", { name: t("advancement.applyCount", { count: 3 }) }));
  ok(words(await screen.findByRole("dialog")).includes(t("advancement.noUndo")));
});

test("a plan of which an exam was deleted can only be deleted", async () => {
  const gone = { "GET /leaderboard/": () => refused(404, "leaderboard_not_published"), "GET /exams/{exam_id}/": () => refused(404, "not_found") };
  await open("/console/advancement/5", { as, service: service(gone) });
  await says(t("advancement.examDeleted"));
  equal(screen.queryByRole("link", { name: t("advancement.publish") }), null);
});

test("an exam without a leaderboard is to be published first", async () => {
  const unpublished = { "GET /leaderboard/": () => refused(404, "leaderboard_not_published"), "GET /exams/{exam_id}/": example("GET /exams/{exam_id}/") };
  await open("/console/advancement/5", { as, service: service(unpublished) });
  await says(t("advancement.notPublished", { count: 1 }));
  equal(screen.getByRole("link", { name: t("advancement.publish") }).getAttribute("href"), "/console/boards/publish?exams=7");
  equal(screen.queryByRole("button", { name: /Move/ }), null);
});

const advanced = [1, 2].map((at) => example("AdvancedCandidate", { candidate: { user_id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${at}`, full_name: `Candidate ${at}` }, rank: at, total_score: 90, reason: at === 1 ? "place" : "tie" }));

test("who advanced is searched, printed in full, and goes back after a confirmation that names them", async () => {
  let isPrinted = false;
  window.print = () => {
    isPrinted = true;
  };
  const undoing = service({
    "GET /advancement/{plan_id}/": plan({ status: "applied" }),
    "GET /advancement/{plan_id}/candidates/": ({ query }) => (query.get("undoable") ? page(advanced.slice(1)) : query.get("page_size") && query.get("page") !== "2" ? page(advanced.slice(0, 1), { pagination: { ...page([]).pagination, has_next: true } }) : query.get("page") === "2" ? page(advanced.slice(1)) : page(advanced)),
    "POST /advancement/{plan_id}/undo/": example("AdvancementResult"),
  });
  await open("/console/advancement/5", { as, service: undoing });
  const table = await screen.findByRole("table", { name: t("advancement.advanced") });
  ok(words(table).includes(t("advancement.reason.place")) && words(table).includes(t("advancement.reason.tie")), words(table));
  click(screen.getByRole("button", { name: t("advancement.print") }));
  await waitFor(() => ok(isPrinted));
  equal(document.querySelectorAll(".print tbody tr").length, 2);
  dispatchEvent(new Event("afterprint"));
  fill(screen.getByLabelText(t("advancement.search")), "Candidate 1");
  await waitFor(() => equal(undoing.sent("GET /advancement/{plan_id}/candidates/").at(-1)?.query.get("search"), "Candidate 1"));
  click(screen.getByRole("button", { name: t("advancement.undo") }));
  const dialog = await screen.findByRole("dialog", { name: t("advancement.undo") });
  equal(within(dialog).getAllByRole("listitem").map((each) => each.textContent), ["Candidate 2"]);
  ok(words(dialog).includes(t("advancement.undoes", { count: 1, from: t("advancement.stage.screening"), to: t("advancement.stage.league") })));
  undoing.replies["GET /advancement/{plan_id}/"] = plan({ status: "undone" });
  click(within(dialog).getByRole("button", { name: t("advancement.undoCount", { count: 1 }) }));
  await says(t("advancement.undone", { from: t("advancement.stage.screening") }));
  ok(await screen.findByRole("button", { name: t("advancement.applyCount", { count: 3 }) }));
});

test("a plan that can't be undone any longer says why, and one of a closed season offers no change", async () => {
  const applied = { status: "applied", season: 1, is_deletable: true, undo_refusal: "It is too late." };
  const reading = service({ "GET /advancement/{plan_id}/": plan(applied), "GET /seasons/": page([example("Season", { id: 1, name: "2026", status: "current" })]) });
  await open("/console/advancement/5", { as, service: reading, plugins: ["seasons"] });
  await says("It is too late.");
  ok(screen.getByRole("button", { name: t("advancement.remove") }));
  equal(screen.queryByRole("button", { name: t("advancement.undo") }), null);
  reading.replies["GET /seasons/"] = page([example("Season", { id: 1, name: "2026", status: "closed" })]);
  for (const status of ["applied", "open"]) {
    reading.replies["GET /advancement/{plan_id}/"] = plan({ ...applied, status });
    await visit("/console/advancement/5");
    await says(t("advancement.closed"));
    for (const name of [t("advancement.undo"), t("advancement.remove"), /Move/]) equal(screen.queryByRole("button", { name }), null);
    equal(screen.queryByRole("link", { name: t("advancement.changeLink") }), null);
  }
});

test("a plan is deleted after a confirmation", async () => {
  const deleting = service({ "GET /advancement/{plan_id}/": plan({ status: "frozen", is_deletable: true }), "DELETE /advancement/{plan_id}/": () => undefined });
  await open("/console/advancement/5", { as, service: deleting });
  click(await screen.findByRole("button", { name: t("advancement.remove") }));
  const dialog = await screen.findByRole("dialog");
  equal(deleting.sent("DELETE /advancement/{plan_id}/").length, 0);
  click(within(dialog).getByRole("button", { name: t("advancement.removeOne") }));
  await says(t("advancement.removed"));
  equal(location.pathname, "/console/advancement");
});

test("moderators see plans, but change nothing and open no candidate", async () => {
  const reading = service({ "GET /advancement/": page([plan({ rule: { percent: 12.5 } }), plan({ id: 6, rule: { minimum: 50 }, status: "applied" })]) });
  await open("/console/advancement", { as: staff("moderator"), service: reading });
  await says(t("advancement.rule.share", { percent: "12.5" }));
  await says(t("advancement.rule.atLeast", { points: "50.00" }));
  equal(screen.queryByRole("link", { name: t("advancement.new") }), null);
  await visit("/console/advancement/5");
  await says("Round 1");
  equal([screen.queryByRole("button"), screen.queryByRole("link", { name: t("advancement.changeLink") })], [null, null]);
  reading.replies["GET /advancement/{plan_id}/"] = plan({ status: "applied" });
  reading.replies["GET /advancement/{plan_id}/candidates/"] = page(advanced);
  await visit("/console/advancement/5");
  await screen.findByRole("row", { name: /Candidate 1/ });
  equal(screen.queryByRole("link", { name: "Candidate 1" }), null);
});
