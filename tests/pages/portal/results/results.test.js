import { t } from "../../../../competition/plugins/portal/static/results/words.js";
import { t as seasons } from "../../../../competition/plugins/portal/static/seasons/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open, push } from "../../kit/front-end.js";
import { arrived, named, says, saysNo, words } from "../../kit/said.js";
import { click, screen, within } from "../../kit/screen.js";
import { page, refused, Service } from "../../kit/service.js";
import { signer } from "./receipts.js";

const DASHBOARD = "GET /dashboard/candidate/";
const ACCOUNT = "GET /account-management/";
const RECEIPT = "GET /exams/{exam_id}/receipt/";
const ANSWERS = "GET /exams/{exam_id}/submitted-answers/";
const PLACE = "GET /leaderboard/{stage}/{round}/candidate/{candidate_id}/";
const KEYS = "GET /receipts/keys/";
const VERIFY = "POST /receipts/verify/";

const amara = candidate();
const none = () => refused(404, "not_found");
const unpublished = () => refused(404, "leaderboard_not_published");
const over = (/** @type {Record<string, any>} */ values = {}) => example("ConcludedExam", { id: 7, title: "Number theory", concluded_at: "2026-03-09T10:00:00Z", enrollment: "done", ...values });
const scored = (/** @type {number} */ score, /** @type {Record<string, any>} */ values = {}) => example("AccountScore", { exam_id: 7, exam_title: "Number theory", score, auto_score: true, ...values });
/** @param {number} question_id @param {string} selected_option @param {Record<string, any>} [values] */
const taken = (question_id, selected_option, values) => example("TakenAnswer", { question_id, selected_option, ...values });
const reviewed = (/** @type {number} */ question_id, /** @type {string} */ selected_option, /** @type {Record<string, any>} */ values) => example("ReviewedAnswer", { question_id, selected_option, ...values });
const placed = (/** @type {any[]} */ submissions, /** @type {Record<string, any>} */ values = {}) => example("PerformanceDetail", { exam_details: { id: 7, title: "Number theory", total_candidates: 38, average_score: 61.5, ...values }, candidate_performance: { rank: 3, score: 50, submissions } });

/** @param {Record<string, any>} exams @param {any[]} scores @param {Record<string, any>} [replies] */
const service = (exams, scores, replies) =>
  new Service({
    [DASHBOARD]: () => example(DASHBOARD, exams),
    [ACCOUNT]: () => example(ACCOUNT, { profile: { scores: { scores } } }),
    [RECEIPT]: none,
    [ANSWERS]: none,
    [PLACE]: unpublished,
    "GET /leaderboard/": unpublished,
    ...replies,
  });

/** The page of the result in exam 7. @param {Record<string, any>} exams @param {any[]} scores @param {Record<string, any>} [replies] */
async function result(exams, scores, replies) {
  const made = service(exams, scores, replies);
  await open("/results/7", { as: amara, service: made });
  await screen.findByRole("heading", { level: 1 });
  await until(() => !document.querySelector(".loading"));
  return made;
}

const sheet = (/** @type {number} */ number) => screen.getByRole("heading", { name: t("results.question", { number }) }).closest(".sheet");
const mark = (/** @type {number} */ number) => [...sheet(number).querySelectorAll(".head .tag")].map((each) => words(each));

test("the list has what was taken and what was missed, and says what is known of each", async () => {
  const exams = {
    available_exams: [example("AvailableExam", { id: 1, title: "Open", enrollment: "done" }), example("AvailableExam", { id: 2, title: "Not begun", enrollment: "not_done" })],
    concluded_exams: [over({ id: 3, title: "Scored" }), over({ id: 4, title: "Held back" }), over({ id: 5, title: "Missed", enrollment: "missed" }), over({ id: 6, title: "Not for them", enrollment: "not_done" })],
    exam_stats: { total_exams_taken: 2, average_score: 61.5, highest_score: 82 },
    leaderboard_ranking: { current_rank: 3, total_candidates: 38 },
  };
  // The exam of the second score was deleted.
  await open("/results", { as: amara, service: service(exams, [scored(82, { exam_id: 3 }), scored(41, { exam_id: 9, exam_title: "Deleted" })], { "GET /leaderboard/": example("LeaderboardSummary", { available_leaderboards: [example("AvailableLeaderboard", { stage: "screening" })] }) }) });
  await arrived(t("results"));
  await screen.findByRole("link", { name: "Open" });
  const rows = screen.getAllByRole("row").slice(1);
  equal(rows.map((/** @type {any} */ each) => [words(within(each).getByRole("link")), within(each).getByRole("link").getAttribute("href"), words(each.lastElementChild)]), [
    ["Open", "/results/1", t("results.notYet")],
    ["Scored", "/results/3", t("results.percent", { score: 82 })],
    ["Held back", "/results/4", t("results.notYet")],
    ["Missed", "/results/5", t("results.missed")],
    ["Deleted", "/results/9", t("results.percent", { score: 41 })],
  ]);
  within(rows[0]).getByText(t("results.stillOpen"));
  for (const each of [t("results.percent", { score: 61.5 }), t("results.rankOf", { rank: 3, count: 38 })]) await says(each);
});

test("before the first publication, the list has no rank", async () => {
  const exams = { concluded_exams: [over()], exam_stats: { total_exams_taken: 1 }, leaderboard_ranking: { current_rank: 3, total_candidates: 38 } };
  const made = service(exams, [scored(82)]);
  await open("/results", { as: amara, service: made });
  await screen.findByRole("link", { name: "Number theory" });
  await until(() => made.sent("GET /leaderboard/").length);
  await saysNo(t("results.rankOf", { rank: 3, count: 38 }));
});

test("without results, the list leads to the exams", async () => {
  await open("/results", { as: amara, service: service({ exam_stats: { total_exams_taken: 0 } }, []) });
  await says(t("results.none"));
  equal(screen.getByRole("link", { name: t("results.toExams") }).getAttribute("href"), "/exams");
});

test("a released result has the score, the rank and the leaderboard, and can be appealed", async () => {
  await result({ concluded_exams: [over({ stage: "screening", round: 2 })] }, [scored(50)], { [PLACE]: placed([reviewed(11, "A", { is_correct: true, accepted: ["A"] })], { round: 2 }) });
  await says(t("results.percent", { score: 50 }));
  await says(t("results.rankOf", { rank: 3, count: 38 }));
  await says(t("results.percent", { score: 61.5 }));
  equal(named("link").filter((each) => [t("results.appeal"), t("results.board")].includes(each)).length, 2);
  equal(screen.getByRole("link", { name: t("results.board") }).getAttribute("href"), "/boards/screening/2?exam=7");
  equal(screen.getByRole("link", { name: t("results.appealQuestion", { number: 1 }) }).getAttribute("href"), "/appeals/new?exam=7&question=11");
  await saysNo(t("results.keyLater"));
});

test("until the embargo ends there are answers and no score, and then both", async () => {
  let isPublished = false;
  const made = await result({ concluded_exams: [over()] }, [], {
    [RECEIPT]: await (await signer()).receipt({ 11: "A" }),
    [ANSWERS]: example(ANSWERS, { answers: [taken(11, "A"), taken(12, "C")] }),
    [PLACE]: () => (isPublished ? placed([reviewed(11, "A", { is_correct: true, accepted: ["A"] }), reviewed(12, "C", { is_correct: false, accepted: ["B"] })]) : unpublished()),
  });
  await says(t("results.embargo"));
  await says(t("results.keyLater"));
  ok(within(sheet(2)).getByRole("radio", { name: /^C/ }).checked, "The answer is not shown.");
  equal([mark(1), mark(2)], [[], []]);
  equal(screen.queryAllByRole("link", { name: new RegExp(t("results.appeal")) }).length, 0);
  isPublished = true;
  push("portal", "notification_activity", {});
  await says(t("results.rankOf", { rank: 3, count: 38 }));
  await saysNo(t("results.keyLater"));
  equal([mark(1), mark(2)], [[t("results.correct")], [t("results.wrong")]]);
  equal(made.sent(ANSWERS).length, 1);
});

test("the page reads again when the candidate comes back to it", async () => {
  const made = await result({ concluded_exams: [over()] }, []);
  const before = made.sent(DASHBOARD).length;
  document.dispatchEvent(new Event("visibilitychange"));
  await until(() => made.sent(DASHBOARD).length > before);
});

test("while others can submit there is only the receipt", async () => {
  const { key, receipt } = await signer();
  const made = await result({ available_exams: [example("AvailableExam", { id: 7, title: "Number theory", enrollment: "done" })] }, [], { [RECEIPT]: await receipt({ 11: "A" }), [KEYS]: { keys: [key] } });
  await says(t("results.answersLater"));
  await says(t("results.genuine"));
  equal(screen.queryAllByRole("radio").length, 0);
  equal([...made.sent(ANSWERS), ...made.sent(PLACE)], []);
});

test("who missed an exam reads that, and nothing is asked for", async () => {
  const made = await result({ concluded_exams: [over({ enrollment: "missed" })] }, []);
  await says(t("results.missedNote"));
  await saysNo(t("results.embargo"));
  equal([...made.sent(RECEIPT), ...made.sent(ANSWERS), ...made.sent(PLACE)], []);
});

test("a result that the candidate does not have leads to the others", async () => {
  await result({}, []);
  await says(t("results.unknown"));
  equal(screen.getByRole("link", { name: t("results.toAll") }).getAttribute("href"), "/results");
});

const SEASONS = "GET /seasons/";
const seasonsOfLeague = [3, 2, 1].map((id) => example("Season", { id, name: String(2025 + id), status: id === 3 ? "current" : "closed" }));

/** A league in its third year. The candidate has results in exam 7 of the first season only. @param {Record<string, any>} [replies] */
const inThirdYear = (replies) => {
  const ofFirst = (/** @type {any} */ asked, /** @type {any} */ found, /** @type {any} */ none) => (asked.query.get("season") === "1" ? found : none);
  return service({}, [], {
    [DASHBOARD]: (/** @type {any} */ asked) => example(DASHBOARD, ofFirst(asked, { concluded_exams: [over({ stage: "league", round: 2 })], exam_stats: { total_exams_taken: 1, average_score: 50 } }, { exam_stats: { total_exams_taken: 0 } })),
    [ACCOUNT]: (/** @type {any} */ asked) => example(ACCOUNT, { profile: { scores: { scores: ofFirst(asked, [scored(50)], []) } } }),
    [PLACE]: placed([reviewed(11, "A", { is_correct: true, accepted: ["A"] })], { stage: "league", round: 2 }),
    [SEASONS]: () => page(seasonsOfLeague),
    ...replies,
  });
};

test("the results of an earlier season are one click away, and lead back to it", async () => {
  const made = inThirdYear();
  await open("/results", { as: amara, service: made, plugins: ["seasons"] });
  await says(t("results.none"));
  await click(await screen.findByRole("link", { name: "2027" }));
  await says(t("results.noneEarlier"));
  equal(screen.queryByRole("link", { name: t("results.toExams") }), null);
  await click(screen.getByRole("link", { name: "2026" }));
  await click(await screen.findByRole("link", { name: "Number theory" }));
  await arrived("Number theory");
  await says(seasons("seasons.of", { name: "2026" }));
  await says(t("results.percent", { score: 50 }));
  equal(screen.getByRole("link", { name: t("results.board") }).getAttribute("href"), "/boards/league/2?exam=7&season=1");
  equal(screen.queryAllByRole("link", { name: new RegExp(t("results.appeal")) }).length, 0);
  equal(screen.queryAllByRole("link", { name: t("results.appealQuestion", { number: 1 }) }).length, 0);
  await click(within(document.querySelector(".crumbs")).getByRole("link", { name: t("results") }));
  await arrived(t("results"));
  equal((await screen.findByRole("link", { name: "2026" })).getAttribute("aria-current"), "page");
  ok(await screen.findByRole("link", { name: "Number theory" }));
  // Only the current season has a rank.
  equal(made.sent("GET /leaderboard/").length, 1);
});

test("a result whose address names no season is found in the season of its exam", async () => {
  await open("/results/7", { as: amara, service: inThirdYear(), plugins: ["seasons"] });
  await arrived("Number theory");
  await says(seasons("seasons.of", { name: "2026" }));
  equal(within(document.querySelector(".crumbs")).getByRole("link", { name: t("results") }).getAttribute("href"), "/results?season=1");
});

test("a result of the current season names no season, even if its address names a wrong one", async () => {
  const replies = { [DASHBOARD]: (/** @type {any} */ asked) => example(DASHBOARD, { concluded_exams: asked.query.get("season") === "3" ? [over()] : [] }) };
  await open("/results/7?season=2", { as: amara, service: inThirdYear(replies), plugins: ["seasons"] });
  await arrived("Number theory");
  ok(screen.getByRole("link", { name: t("results.appeal") }));
  equal(within(document.querySelector(".crumbs")).getByRole("link", { name: t("results") }).getAttribute("href"), "/results");
});

test("a receipt remains if the exam was deleted", async () => {
  const { key, receipt } = await signer();
  await result({}, [], { [RECEIPT]: await receipt({}), [KEYS]: { keys: [key] } });
  await says(t("results.genuine"));
  await saysNo(t("results.answersLater"));
});

test("the place in another exam of the same stage and round is not shown", async () => {
  await result({ concluded_exams: [over()] }, [], { [PLACE]: placed([], { id: 8 }) });
  await says(t("results.embargo"));
  await saysNo(t("results.rankOf", { rank: 3, count: 38 }));
});

test("a score that staff have given names them", async () => {
  await result({ concluded_exams: [over()] }, [scored(50, { auto_score: false, score_submitted_by: "Maria Okafor" })]);
  await says("Maria Okafor");
});

test("answers that the league has submitted are called so", async () => {
  const { key, receipt } = await signer();
  await result({ concluded_exams: [over()] }, [], { [RECEIPT]: await receipt({ 11: "A" }, { handed_in_by: "service" }), [KEYS]: { keys: [key] } });
  await says(t("results.automatic"));
  await says(t("results.byService"));
});

test("a failure of the service is not called a missing result", async () => {
  await result({ concluded_exams: [over()] }, [], { [RECEIPT]: () => refused(500, "server_error") });
  await screen.findByRole("alert");
  await saysNo(t("results.unknown"));
});

const REVIEW = [
  reviewed(11, "A", { is_correct: true, accepted: ["A"] }),
  reviewed(12, "B", { is_correct: false, accepted: ["A", "C"] }),
  reviewed(13, "", { is_correct: false, accepted: ["A"] }),
  reviewed(14, "B", { withheld: true }),
  reviewed(15, "", { withheld: true }),
  reviewed(16, "B", { is_correct: null }),
  reviewed(17, "", { is_correct: null }),
];

test("each answer says whether it is right", async () => {
  await result({ concluded_exams: [over()] }, [scored(50)], { [PLACE]: placed(REVIEW) });
  equal(REVIEW.map((_, at) => mark(at + 1)), [
    [t("results.correct")],
    [t("results.wrong")],
    [t("results.blank")],
    [t("results.withheld")],
    [t("results.blank"), t("results.withheld")],
    [t("results.void")],
    [t("results.blank"), t("results.void")],
  ]);
  await says(t("results.withheldNote", { count: 2 }));
  ok(screen.getByRole("link", { name: `${t("results.wrongWithheld", { count: 2 })} 4` }));
  ok(within(sheet(2)).getByRole("radio", { name: /^B/ }).checked, "The own answer is not shown.");
  const right = [...sheet(2).querySelectorAll(".option")].map((each) => each.classList.contains("right"));
  equal(right, [true, false, true, false]);
});

test("only the wrong and the blank answers can be shown, with their numbers", async () => {
  await result({ concluded_exams: [over()] }, [scored(50)], { [PLACE]: placed(REVIEW) });
  await click(screen.getByRole("link", { name: `${t("results.wrongWithheld", { count: 2 })} 4` }));
  await until(() => !screen.queryByRole("heading", { name: t("results.question", { number: 1 }) }));
  equal(named("heading").filter((each) => each.startsWith("Question")), [2, 3, 5, 7].map((number) => t("results.question", { number })));
});

test("who has nothing wrong reads that", async () => {
  await result({ concluded_exams: [over()] }, [scored(100)], { [PLACE]: placed([reviewed(11, "A", { is_correct: true, accepted: ["A"] })]) });
  await click(screen.getByRole("link", { name: new RegExp(t("results.wrongOnly")) }));
  await says(t("results.nothingWrong"));
});

test("no answer counts as right because its correct answer is withheld", async () => {
  await result({ concluded_exams: [over()] }, [scored(50)], { [PLACE]: placed([reviewed(11, "A", { withheld: true })]) });
  await click(screen.getByRole("link", { name: t("results.wrongWithheld", { count: 1 }) }));
  await says(t("results.nothingKnown"));
});

/** The page of a published result with this receipt. The answers are A to question 9 and B to question 10. @param {any} receipt @param {any} keys @param {Record<string, any>} [replies] */
const proven = (receipt, keys, replies) => {
  const given = [reviewed(9, "A", { is_correct: true, accepted: ["A"] }), reviewed(10, "B", { is_correct: true, accepted: ["B"] }), reviewed(11, "", { is_correct: false, accepted: ["B"] })];
  return result({ concluded_exams: [over()] }, [scored(50)], { [PLACE]: placed(given), [RECEIPT]: receipt, [KEYS]: { keys }, ...replies });
};

test("a receipt is compared with the answers and with the key of the service", async () => {
  const { key, receipt } = await signer();
  const made = await proven(await receipt({ 9: "A", 10: "B" }), [{ ...key, kid: "an-older-key" }, key]);
  await says(t("results.matches"));
  equal(made.sent(VERIFY), []);
});

test("other answers than those of the receipt are named", async () => {
  const { key, receipt } = await signer();
  await proven(await receipt({ 9: "A", 10: "C" }), [key]);
  await says(t("results.differs"));
});

test("a changed receipt is not genuine", async () => {
  const { key, receipt } = await signer();
  await proven({ ...(await receipt({ 9: "A", 10: "B" })), answered: 1 }, [key]);
  await says(t("results.forged"));
});

test("a receipt whose key the service does not have is not genuine", async () => {
  const { key, receipt } = await signer();
  await proven(await receipt({ 9: "A", 10: "B" }), [{ ...key, kid: "another-key" }]);
  await says(t("results.forged"));
});

/** A browser that can't check signatures. */
const withoutEd25519 = () => {
  crypto.subtle.generateKey = () => Promise.reject(new DOMException("Not supported.", "NotSupportedError"));
};

test("a browser that can't check signatures lets the service do so", async () => {
  const { key, receipt } = await signer();
  const own = await receipt({ 9: "A", 10: "B" });
  withoutEd25519();
  const made = await proven(own, [key], { [VERIFY]: { valid: true, reason: null } });
  await says(t("results.matches"));
  equal(made.sent(VERIFY)[0]?.body, { receipt: own, answers: [{ question: 9, selected_option: "A" }, { question: 10, selected_option: "B" }] });
  equal(made.sent(KEYS), []);
});

test("the service's reason tells a forged receipt from other answers", async () => {
  const { receipt } = await signer();
  const own = await receipt({ 9: "A", 10: "B" });
  withoutEd25519();
  await proven(own, [], { [VERIFY]: { valid: false, reason: "answers" } });
  await says(t("results.differs"));
});

test("a signature that the service rejects is not genuine", async () => {
  const { receipt } = await signer();
  const own = await receipt({ 9: "A", 10: "B" });
  withoutEd25519();
  await proven(own, [], { [VERIFY]: { valid: false, reason: "signature" } });
  await says(t("results.forged"));
});

test("without answers, the service compares none", async () => {
  const { receipt } = await signer();
  const own = await receipt({ 9: "A" });
  withoutEd25519();
  const made = await result({}, [], { [RECEIPT]: own, [VERIFY]: { valid: true, reason: null } });
  await says(t("results.genuine"));
  equal(made.sent(VERIFY)[0]?.body, { receipt: own });
});

test("the receipt is saved as the service has sent it", async () => {
  const { key, receipt } = await signer();
  const own = await receipt({ 9: "A", 10: "B" });
  await proven(own, [key]);
  /** @type {Blob[]} */
  const saved = [];
  URL.createObjectURL = (blob) => `#${saved.push(/** @type {Blob} */ (blob))}`;
  /** @type {string[]} */
  const names = [];
  HTMLAnchorElement.prototype.click = function () {
    names.push(this.download);
  };
  await click(screen.getByRole("button", { name: t("results.save") }));
  equal(JSON.parse((await saved[0]?.text()) ?? "null"), own);
  equal(names, ["receipt-7.json"]);
});

test("a printed receipt has what is needed to verify it", async () => {
  const { key, receipt } = await signer();
  const own = await receipt({ 9: "A", 10: "B" });
  await proven(own, [key]);
  await says(t("results.matches"));
  let printed = 0;
  window.print = () => void (printed += 1);
  await click(screen.getByRole("button", { name: t("results.print") }));
  await until(() => printed === 1);
  const paper = words(document.querySelector(".print-sheet") ?? undefined);
  for (const each of [t("results.receiptOf", { title: "Number theory" }), t("results.matches"), "Amara Obi", t("results.byCandidate"), own.signature, own.digest, own.salt, own.key_id]) ok(paper.includes(each), `${each} is not on the paper: ${paper}`);
});
