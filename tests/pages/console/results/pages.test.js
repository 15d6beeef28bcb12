import { t } from "../../../../competition/plugins/console/static/results/words.js";
import { percentOf } from "../../../../competition/plugins/console/static/results/pieces.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { drawn, open, staff } from "../../kit/front-end.js";
import { says, saysNo, words } from "../../kit/said.js";
import { click, fill, press, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const PLUGINS = ["analysis", "drafts", "leaderboard", "regrades", "scores"];
const ADA = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a007";
const as = staff("admin");
const exam = example("GET /exams/{exam_id}/", { id: 7, title: "Round 1", status: "concluded", question_count: 4 });
const paper = [1, 2, 3, 4].map((id) => example("Question", { id, text: `What is ${id}?`, correct_answer: "ABCD"[id - 1] }));
const analysed = paper.map(({ id }) => example("AnalysedQuestion", { question: id, position: id, correct_answer: "ABCD"[id - 1], alarms: id === 3 ? ["key_suspected"] : id === 4 ? ["too_hard"] : [] }));
const PREVIEW = "POST /exams/{exam_id}/regrades/";
const RECORD = "PUT /exams/{exam_id}/submit-exam-score/";

/** @param {Record<string, any>} [replies] */
const service = (replies) =>
  new Service({
    "GET /exams/{exam_id}/": exam,
    "GET /exams/{exam_id}/questions/": paper,
    "GET /exams/{exam_id}/analysis/": example("GET /exams/{exam_id}/analysis/", { questions: analysed }),
    "GET /exams/{exam_id}/scores/": page([], { pagination: { ...page([]).pagination, count: 24 } }),
    ...replies,
  });

test("right answers and percents become a score, and nothing else does", () => {
  equal(["3", "4", "5", "-1", "2.5", "", "x"].map((each) => percentOf("right", each, 4)), [75, 100, null, null, null, null, null]);
  equal(["71,25", "71.256", "100", "100.01", "1e1", " 7 "].map((each) => percentOf("percent", each, 4)), [71.25, 71.26, 100, null, null, 7]);
});

test("the scores say where they come from, and are sorted and searched by the address", async () => {
  const scores = [
    example("ExamResult", { candidate_id: ADA, candidate_name: "Ada Obi", score: 75, auto_score: true, handed_in_by: "candidate" }),
    example("ExamResult", { candidate_id: ADA.replace("7", "8"), candidate_name: "Ben Obi", score: 50, auto_score: true, handed_in_by: "service" }),
    example("ExamResult", { candidate_id: ADA.replace("7", "9"), candidate_name: "Cleo Obi", auto_score: false, score_submitted_by: "Maria" }),
  ];
  const reading = service({ "GET /exams/{exam_id}/scores/": page(scores) });
  await open("/console/exams/7/results", { as, service: reading, plugins: PLUGINS });
  ok(words(await screen.findByRole("row", { name: /Ada Obi/ })).includes("75.00"));
  ok(words(screen.getByRole("row", { name: /Ada Obi/ })).includes(t("results.byCandidate")));
  ok(words(screen.getByRole("row", { name: /Ben Obi/ })).includes(t("results.byService")));
  ok(words(screen.getByRole("row", { name: /Cleo Obi/ })).includes(t("results.byHand", { name: "Maria" })));
  click(screen.getByRole("button", { name: t("results.score") }));
  await waitFor(() => equal(reading.sent("GET /exams/{exam_id}/scores/").at(-1)?.query.get("ordering"), "score"));
  equal(screen.getAllByRole("link", { name: new RegExp(t("results.look")) }).length, 3);
});

test("an exam that is over leads admins to its leaderboard, and one that is open to its day", async () => {
  await open("/console/exams/7/results", { as, service: service(), plugins: PLUGINS });
  equal((await screen.findByRole("link", { name: t("results.publish") })).getAttribute("href"), "/console/boards/publish?exams=7");
});

test("an open exam leads to its day, and says what will come", async () => {
  const reading = service({ "GET /exams/{exam_id}/": { ...exam, status: "ongoing" }, "GET /exams/{exam_id}/scores/": page([]), "GET /exams/{exam_id}/analysis/": () => refused(404, "not_found") });
  await open("/console/exams/7/results", { as, service: reading, plugins: PLUGINS });
  equal((await screen.findByRole("link", { name: t("results.toDay") })).getAttribute("href"), "/console/exams/7/day");
  equal(screen.queryByRole("link", { name: t("results.publish") }), null);
  await says(t("results.noneYet"));
  click(screen.getByRole("link", { name: t("results.analysis") }));
  await says(t("results.noSubmissions"));
});

test("questions whose key may be wrong come first", async () => {
  await open("/console/exams/7/results?tab=analysis", { as, service: service(), plugins: PLUGINS });
  const suspected = await screen.findByRole("table", { name: t("results.suspected", { count: 1 }) });
  equal(within(suspected).getAllByRole("link").map((each) => each.getAttribute("href")), ["/console/exams/7/regrades/new?question=3"]);
  equal(within(screen.getByRole("table", { name: t("results.allQuestions") })).getAllByRole("link").length, 4);
});

for (const [how, body] of /** @type {const} */ ([["creditAll", { credit_all: true }], ["void", { void: true }], ["accept", { accept: ["B", "C"] }]])) {
  test(`a correction is previewed: ${how}`, async () => {
    const correcting = service({ [PREVIEW]: () => new Reply(201, example("Regrade", { id: 9 })) });
    await open("/console/exams/7/regrades/new?question=3", { as, service: correcting, plugins: PLUGINS });
    click(await screen.findByLabelText(t(`results.${how}`)));
    if (how === "accept") click(screen.getByRole("checkbox", { name: /^B/ }));
    else await waitFor(() => equal(screen.queryAllByRole("checkbox").length, 0));
    fill(screen.getByLabelText(t("results.reason")), "Two are right.");
    await drawn();
    click(screen.getByRole("button", { name: t("results.previewIt") }));
    await waitFor(() => equal(location.pathname, "/console/exams/7/regrades/9"));
    equal(correcting.sent(PREVIEW)[0]?.body, { changes: [{ question: 3, ...body }], reason: "Two are right." });
  });
}

test("a correction that changes nothing is not sent", async () => {
  const correcting = service();
  await open("/console/exams/7/regrades/new?question=3", { as, service: correcting, plugins: PLUGINS });
  fill(await screen.findByLabelText(t("results.reason")), "Two are right.");
  await drawn();
  click(screen.getByRole("button", { name: t("results.previewIt") }));
  await says(t("results.acceptSame"));
  click(screen.getByRole("checkbox", { name: /^C/ }));
  await drawn();
  click(screen.getByRole("button", { name: t("results.previewIt") }));
  await says(t("results.acceptOne"));
  equal(correcting.sent(PREVIEW).length, 0);
});

test("one press makes a single option the right one, and a sentence says what counts", async () => {
  const correcting = service({ [PREVIEW]: () => new Reply(201, example("Regrade", { id: 9 })) });
  await open("/console/exams/7/regrades/new?question=3", { as, service: correcting, plugins: PLUGINS });
  await says(t("results.thenRight", { letters: "C", count: 1 }));
  click(screen.getByRole("checkbox", { name: /^B/ }));
  await says(t("results.thenRight", { letters: "B and C", count: 2 }));
  click(screen.getByRole("button", { name: t("results.only", { letter: "B" }) }));
  await says(t("results.thenRight", { letters: "B", count: 1 }));
  fill(screen.getByLabelText(t("results.reason")), "B is right.");
  await drawn();
  click(screen.getByRole("button", { name: t("results.previewIt") }));
  await waitFor(() => equal(correcting.sent(PREVIEW)[0]?.body.changes, [{ question: 3, accept: ["B"] }]));
});

const REGRADE = "GET /exams/{exam_id}/regrades/{regrade_id}/";
const regrade = (/** @type {Record<string, any>} */ values = {}) =>
  example(REGRADE, { id: 5, changes: [{ question: 3, accept: ["B", "C"] }], reason: "Two are right.", effect: { scores_changed: 16, up: 16, down: 0, in: values.rising ?? [] }, ...values.more });

test("a regrade shows its effect, is applied, and is reverted", async () => {
  let status = "preview";
  const row = example("RegradedScore", { candidate: { user_id: ADA, full_name: "Ada Obi" }, score_before: 75, score_after: 100, rank_before: 4, rank_after: 2 });
  const become = (/** @type {string} */ next) => () => {
    status = next;
    return example("Regrade");
  };
  const applying = service({
    [REGRADE]: () => regrade({ rising: [row.candidate], more: { status, ...page([row]) } }),
    "POST /exams/{exam_id}/regrades/{regrade_id}/apply/": become("applied"),
    "POST /exams/{exam_id}/regrades/{regrade_id}/revert/": become("reverted"),
  });
  await open("/console/exams/7/regrades/5", { as, service: applying, plugins: PLUGINS });
  await screen.findByRole("heading", { level: 1, name: t("results.accepts", { position: 3, letters: "B, C" }) });
  await says(t("results.scoresChange", { count: 16, total: 24, up: 16, down: 0 }));
  const shown = words(await screen.findByRole("row", { name: /Ada Obi/ }));
  ok(["75.00 → 100.00", "+25.00", "4 → 2", "+2", t("results.noYes")].every((each) => shown.includes(each)), shown);
  click(screen.getByRole("button", { name: t("results.applyTo", { count: 16 }) }));
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes("Two are right."));
  equal(status, "preview");
  click(within(dialog).getByRole("button", { name: t("results.applyTo", { count: 16 }) }));
  await says(t("results.wasApplied", { count: 16 }));
  click(await screen.findByRole("button", { name: t("results.revert") }));
  click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("results.revertFor", { count: 16 }) }));
  await says(t("results.wasReverted"));
  await waitFor(() => equal(screen.queryByRole("button", { name: t("results.revert") }), null));
});

const DELETE = "DELETE /exams/{exam_id}/regrades/{regrade_id}/";

test("a preview can be deleted", async () => {
  const deleting = service({ [REGRADE]: regrade(), [DELETE]: () => undefined });
  await open("/console/exams/7/regrades/5", { as, service: deleting, plugins: PLUGINS });
  click(await screen.findByRole("button", { name: t("results.deleteIt") }));
  await says(t("results.wasDeleted"));
  equal([location.pathname, deleting.sent(DELETE)[0]?.params.regrade_id], ["/console/exams/7/regrades", "5"]);
});

test("a preview can be changed: the new one begins with its values, and replaces it", async () => {
  const changing = service({ [REGRADE]: regrade(), [PREVIEW]: () => new Reply(201, example("Regrade", { id: 9 })), [DELETE]: () => undefined });
  await open("/console/exams/7/regrades/5", { as, service: changing, plugins: PLUGINS });
  click(await screen.findByRole("link", { name: t("results.changeIt") }));
  await says(t("results.thenRight", { letters: "B and C", count: 2 }));
  equal(screen.getByLabelText(t("results.reason")).value, "Two are right.");
  click(screen.getByRole("button", { name: t("results.only", { letter: "B" }) }));
  await drawn();
  click(screen.getByRole("button", { name: t("results.previewIt") }));
  await waitFor(() => equal(location.pathname, "/console/exams/7/regrades/9"));
  equal([changing.sent(PREVIEW)[0]?.body, changing.sent(DELETE)[0]?.params.regrade_id], [{ changes: [{ question: 3, accept: ["B"] }], reason: "Two are right." }, "5"]);
});

const BANK = "GET /questions/{question_id}/";
const CHANGE = "PATCH /questions/{question_id}/";
const applied = (/** @type {any} */ change) => regrade({ more: { status: "applied", changes: [{ question: 3, ...change }] } });

test("after a correction, the bank can be corrected too", async () => {
  let bank = "C";
  const question = () => new Reply(200, example("Question", { id: 3, correct_answer: bank, is_archived: false }), { ETag: '"v1"' });
  const correcting = service({
    [REGRADE]: applied({ accept: ["B"] }),
    [BANK]: question,
    [CHANGE]: (/** @type {any} */ { body }) => {
      bank = body.correct_answer;
      return question();
    },
  });
  await open("/console/exams/7/regrades/5", { as, service: correcting, plugins: PLUGINS });
  await says(t("results.bankDiffers", { wrong: "C" }));
  click(screen.getByRole("button", { name: t("results.correctBank", { right: "B" }) }));
  await says(t("results.bankCorrected", { right: "B" }));
  await saysNo(t("results.bankDiffers", { wrong: "C" }));
  equal([correcting.sent(CHANGE)[0]?.body, correcting.sent(CHANGE)[0]?.headers.get("If-Match")], [{ correct_answer: "B" }, '"v1"']);
});

for (const [what, change, isSaid] of /** @type {const} */ ([["two right answers", { accept: ["B", "C"] }, true], ["a void question", { void: true }, true], ["the bank's own answer", { accept: ["C"] }, false]])) {
  test(`a correction that the bank can't hold is named: ${what}`, async () => {
    const bank = example("Question", { id: 3, correct_answer: "C", is_archived: false });
    const reading = service({ [REGRADE]: applied(change), [BANK]: bank });
    await open("/console/exams/7/regrades/5", { as, service: reading, plugins: PLUGINS });
    await screen.findByRole("button", { name: t("results.revert") });
    await waitFor(() => equal(reading.sent(BANK).length, 1));
    await (isSaid ? says : saysNo)(t("results.bankStays"));
    equal(screen.queryAllByRole("button", { name: t("results.correctBank", { right: "B" }) }).length, 0);
  });
}

test("an outdated preview is not applied and can be made again", async () => {
  const applying = service({
    [REGRADE]: regrade(),
    "POST /exams/{exam_id}/regrades/{regrade_id}/apply/": () => refused(400, "preview_outdated", "Nothing was applied."),
    [PREVIEW]: () => new Reply(201, example("Regrade", { id: 6 })),
  });
  await open("/console/exams/7/regrades/5", { as, service: applying, plugins: PLUGINS });
  click(await screen.findByRole("button", { name: t("results.applyTo", { count: 16 }) }));
  const dialog = await screen.findByRole("dialog");
  click(within(dialog).getByRole("button", { name: t("results.applyTo", { count: 16 }) }));
  await within(dialog).findByRole("alert");
  click(within(dialog).getByRole("button", { name: "Cancel" }));
  click(screen.getByRole("button", { name: t("results.previewAgain") }));
  await waitFor(() => equal(location.pathname, "/console/exams/7/regrades/6"));
  equal(applying.sent(PREVIEW)[0]?.body, { changes: [{ question: 3, accept: ["B", "C"] }], reason: "Two are right." });
});

test("the list of regrades names each correction", async () => {
  const rows = [
    example("Regrade", { id: 1, changes: [{ question: 3, credit_all: true }], status: "applied" }),
    example("Regrade", { id: 2, changes: [{ question: 4, void: true }], status: "reverted" }),
  ];
  await open("/console/exams/7/regrades", { as, service: service({ "GET /exams/{exam_id}/regrades/": page(rows) }), plugins: PLUGINS });
  ok(words(await screen.findByRole("row", { name: new RegExp(t("results.credits", { position: 3 })) })).includes(t("results.applied")));
  ok(words(screen.getByRole("row", { name: new RegExp(t("results.voids", { position: 4 })) })).includes(t("results.reverted")));
});

test("saved answers are shown beside the key, and their absence is said", async () => {
  const draft = example("GET /exams/{exam_id}/drafts/{candidate_id}/", { answered: 1, saved_at: "2026-03-10T10:00:00Z", answers: [{ question: 2, selected_option: "D" }] });
  const reading = service({ "GET /exams/{exam_id}/drafts/{candidate_id}/": draft, "GET /candidates/{candidate_id}/": example("GET /candidates/{candidate_id}/", { user: { first_name: "Ada", last_name: "Obi" } }) });
  await open(`/console/exams/7/results/${ADA}`, { as, service: reading, plugins: PLUGINS });
  await screen.findByRole("heading", { level: 1, name: t("results.draftsOf", { name: "Ada Obi" }) });
  await says(t("results.answeredOf", { count: 1, of: 4 }));
  const [, first, second] = screen.getAllByRole("row").map(words);
  ok(first?.includes(t("results.blank")) && second?.includes("D") && second.includes("B"), `${first} ${second}`);
  reading.replies["GET /exams/{exam_id}/drafts/{candidate_id}/"] = () => refused(404, "not_found");
  const { visit } = await import("../../kit/front-end.js");
  await visit(`/console/exams/7/results/${ADA}`);
  await says(t("results.noDrafts"));
});

/** @param {number | null} before The score that Ada has. */
function recording(before) {
  let score = before;
  const ada = example("CandidateItem", { user: { id: ADA, first_name: "Ada", last_name: "Obi" }, school: "Hillside" });
  return service({
    "GET /candidates/": ({ query }) => page("ada obi".includes((query.get("search") ?? "").toLowerCase()) ? [ada] : []),
    "GET /candidates/{candidate_id}/scores/": () => [example("ScoreRecord", { score: 12, exam: { id: 6 } }), ...(score === null ? [] : [example("ScoreRecord", { score, exam: { id: 7 } })])],
    [RECORD]: ({ body }) => {
      score = body.score;
      return example("ScoreReceipt", { data: { score: body.score } });
    },
  });
}

/** @param {string} text */
async function search(text) {
  const field = await screen.findByLabelText(t("sitters.candidate"));
  fill(field, text);
  await drawn();
  press("Enter", field);
}

test("scores of printed papers are recorded by keyboard alone", async () => {
  const writing = recording(null);
  await open("/console/exams/7/printed", { as, service: writing, plugins: PLUGINS });
  await search("nobody");
  await says(t("sitters.nobody"));
  await search("ada");
  const right = await screen.findByLabelText(t("results.rightAnswers", { count: 4 }));
  await waitFor(() => equal(document.activeElement === right, true));
  fill(right, "5");
  await drawn();
  click(screen.getByRole("button", { name: t("results.record") }));
  await says(t("results.wrongRight", { count: 4 }));
  fill(right, "3");
  await says(t("results.willGet", { name: "Ada Obi", title: "Round 1", score: "75.00" }));
  click(screen.getByRole("button", { name: t("results.record") }));
  await says(t("results.wasRecorded", { name: "Ada Obi", score: "75.00" }));
  equal(writing.sent(RECORD).map(({ body }) => body), [{ candidate_id: ADA, score: 75 }]);
  await waitFor(() => equal(document.activeElement === screen.getByLabelText(t("sitters.candidate")), true));
});

test("a score is not replaced without asking, also one that a colleague has just recorded", async () => {
  const writing = recording(null);
  await open("/console/exams/7/printed", { as, service: writing, plugins: PLUGINS });
  await search("ada");
  fill(await screen.findByLabelText(t("results.rightAnswers", { count: 4 })), "4");
  writing.replies["GET /candidates/{candidate_id}/scores/"] = [example("ScoreRecord", { score: 50, exam: { id: 7 } })];
  await drawn();
  click(screen.getByRole("button", { name: t("results.record") }));
  const values = { name: "Ada Obi", before: "50.00", score: "100.00" };
  const dialog = await screen.findByRole("dialog", { name: t("results.replaceTitle", values) });
  click(within(dialog).getByRole("button", { name: "Cancel" }));
  equal(writing.sent(RECORD).length, 0);
  await drawn();
  equal(screen.getByLabelText(t("results.rightAnswers", { count: 4 })).value, "4");
  click(screen.getByRole("button", { name: t("results.record") }));
  click(await screen.findByRole("button", { name: t("results.replaceIt", values) }));
  await says(t("results.wasRecorded", { name: "Ada Obi", score: "100.00" }));
  await search("ada");
  await says(t("results.hasScore", { name: "Ada Obi", before: "50.00" }));
  click(screen.getByRole("button", { name: t("results.chooseOther") }));
  await waitFor(() => equal(document.activeElement === screen.getByLabelText(t("sitters.candidate")), true));
});
