import { t } from "../../../../competition/plugins/console/static/appeals/words.js";
import { t as season } from "../../../../competition/plugins/console/static/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { drawn, open, staff } from "../../kit/front-end.js";
import { says, saysNo, words } from "../../kit/said.js";
import { click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Service } from "../../kit/service.js";

const ANSWER = "POST /appeals/{appeal_id}/answer/";
const PERFORMANCE = "GET /leaderboard/{stage}/{round}/candidate/{candidate_id}/";
const appeal = example("Appeal", { id: 3, exam: 7, exam_title: "Round 1", question: 2, question_number: 2, text: "Zero is even.", candidate: { full_name: "Amara Obi" } });
const answers = [1, 2].map((question_id) => example("ReviewedAnswer", { question_id, selected_option: "A", correct_answer: "B", accepted: ["B"], is_correct: question_id === 1 }));
const performance = (/** @type {any[]} */ submissions = answers, id = 7) => example(PERFORMANCE, { exam_details: { id }, candidate_performance: { submissions } });

/** @param {Record<string, any>} [replies] */
const service = (replies) => new Service({ "GET /appeals/{appeal_id}/": appeal, [PERFORMANCE]: performance(), [ANSWER]: { ...appeal, status: "accepted" }, ...replies });

test("the list has one tab for each status, counts open appeals, and names what each is about", async () => {
  const rows = [appeal, example("Appeal", { id: 4, question: null }), example("Appeal", { id: 5, question: 9, question_number: null })];
  const listing = service({ "GET /appeals/": page(rows) });
  await open("/console/appeals", { as: staff("moderator"), service: listing });
  ok(words(await screen.findByRole("row", { name: /Amara Obi/ })).includes(t("appeals.questionNumber", { number: "2" })));
  await says(t("appeals.result"));
  // Another request counts the open ones.
  const read = listing.sent("GET /appeals/").filter(({ query }) => !query.has("page_size"));
  ok(read.length > 0 && read.every(({ query }) => query.get("status") === "open"));
  click(screen.getByRole("link", { name: t("appeals.all") }));
  await waitFor(() => ok(listing.sent("GET /appeals/").some(({ query }) => !query.has("status"))));
  ok(await screen.findByRole("columnheader", { name: t("appeals.status") }));
});

test("the appeals of a closed season are listed below its name", async () => {
  const closed = example("Season", { id: 1, name: "2026", status: "closed" });
  const listing = service({ "GET /seasons/": page([closed]), "GET /appeals/": page([appeal]) });
  await open("/console/appeals?tab=all&season=1", { as: staff("moderator"), service: listing, plugins: ["appeals", "seasons"] });
  ok(await screen.findByRole("row", { name: /Amara Obi/ }));
  await says(season("season.name", { name: "2026" }));
  ok(listing.sent("GET /appeals/").some(({ query }) => query.get("season") === "1" && !query.has("status")));
});

test("an appeal is answered beside the question and the candidate's answer, after a confirmation", async () => {
  const regrades = page([example("Regrade", { id: 8, reason: "Zero is even.", applied_at: "2026-03-10T10:00:00Z" })]);
  const answering = service({ "GET /exams/{exam_id}/regrades/": regrades });
  await open("/console/appeals/3?tab=all", { as: staff("admin"), service: answering });
  await says(t("appeals.position", { position: "2", of: "2" }));
  const choices = screen.getAllByRole("listitem").map(words);
  ok(choices.some((each) => each.startsWith("A") && each.includes(t("appeals.chosen"))) && choices.some((each) => each.startsWith("B") && each.includes(t("appeals.isRight"))), choices.join());
  await says(t("appeals.rightOf", { right: "1", of: "2" }));
  click(await screen.findByLabelText(t("appeals.ruling.accepted")));
  fill(screen.getByLabelText(t("appeals.text")), "You are right.");
  const select = screen.getByLabelText(new RegExp(t("appeals.regrade")));
  select.value = "8";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  await drawn();
  click(screen.getByRole("button", { name: t("appeals.send") }));
  const dialog = await screen.findByRole("dialog", { name: t("appeals.accept") });
  ok(words(dialog).includes(t("appeals.accepts", { name: "Amara Obi" })));
  equal(answering.sent(ANSWER).length, 0);
  // Nothing is being sent behind the dialog.
  await drawn();
  ok([...document.querySelectorAll("#page form button")].some((each) => each.textContent === t("appeals.send")));
  click(within(dialog).getByRole("button", { name: t("appeals.acceptOne") }));
  await says(t("appeals.answered", { name: "Amara Obi" }));
  equal(answering.sent(ANSWER).map(({ body }) => body), [{ status: "accepted", answer: "You are right.", regrade: 8 }]);
  equal(location.pathname + location.search, "/console/appeals?tab=all");
});

test("an answer of another person is noticed, and what was typed stays", async () => {
  const answering = service({ [ANSWER]: () => refused(400, "invalid", "This appeal has already been answered.") });
  await open("/console/appeals/3", { as: staff("admin"), service: answering });
  click(await screen.findByLabelText(t("appeals.ruling.rejected")));
  fill(screen.getByLabelText(t("appeals.text")), "No.");
  await drawn();
  click(screen.getByRole("button", { name: t("appeals.send") }));
  const dialog = await screen.findByRole("dialog", { name: t("appeals.reject") });
  click(within(dialog).getByRole("button", { name: t("appeals.rejectOne") }));
  await within(dialog).findByRole("alert");
  click(within(dialog).getByRole("button", { name: "Cancel" }));
  equal(screen.getByLabelText(t("appeals.text")).value, "No.");
});

test("hidden answers say which exam hides them and until when, and the key is that of the paper", async () => {
  const hidden = answers.map((each) => ({ ...each, withheld: true, is_correct: null, accepted: null, correct_answer: null }));
  const exams = [example("ExamOfQuestion", { id: 7, status: "concluded" }), example("ExamOfQuestion", { id: 8, title: "Round 2", status: "scheduled", scheduled_date: "2026-04-10T10:00:00Z" }), example("ExamOfQuestion", { id: 9, title: "Round 0", status: "concluded" })];
  const paper = example("OpenPaper", { questions: [example("Question", { id: appeal.question, correct_answer: "C" })] });
  await open("/console/appeals/3", { as: staff("admin"), service: service({ [PERFORMANCE]: performance(hidden), "GET /questions/{question_id}/exams/": page(exams), "GET /exams/{exam_id}/paper/": paper }) });
  await says(t("appeals.withheld"));
  ok(words(screen.getByText(t("appeals.isRight")).closest("li")).startsWith("C"));
  await says("Round 2");
  const found = (await screen.findAllByRole("listitem")).map(words).filter((each) => each.includes("Round"));
  equal(found.length, 1);
  ok(found[0]?.includes("Round 2"));
  equal(screen.queryByText(t("appeals.right")), null);
});

test("if all other exams with the question are over, they are named", async () => {
  const hidden = answers.map((each) => ({ ...each, withheld: true }));
  const exams = [7, 9].map((id) => example("ExamOfQuestion", { id, title: `Round ${id}`, status: "concluded" }));
  await open("/console/appeals/3", { as: staff("admin"), service: service({ [PERFORMANCE]: performance(hidden), "GET /questions/{question_id}/exams/": page(exams) }) });
  await says("Round 9");
  await saysNo("Round 7");
});

test("a candidate without a place on the leaderboard, or on that of another exam, has no evidence", async () => {
  await open("/console/appeals/3", { as: staff("admin"), service: service({ [PERFORMANCE]: performance(answers, 99) }) });
  await says(t("appeals.notRanked"));
});

test("moderators read appeals but do not answer them, and see no link that is for admins", async () => {
  const answered = { ...appeal, status: "accepted", answer: "You are right.", answered_at: "2026-03-10T10:00:00Z", regrade: 8 };
  const reading = service({ "GET /appeals/{appeal_id}/": ({ params }) => (params.appeal_id === "3" ? appeal : answered) });
  await open("/console/appeals/3", { as: staff("moderator"), service: reading });
  await says(t("appeals.adminsAnswer"));
  equal(screen.queryByRole("button", { name: t("appeals.send") }), null);
  const { visit } = await import("../../kit/front-end.js");
  await visit("/console/appeals/4");
  await says("You are right.");
  await says(t("appeals.regradeNumber", { id: "8" }));
  equal([/Amara Obi/, new RegExp(t("appeals.regradeNumber", { id: "8" }))].filter((name) => screen.queryByRole("link", { name })), []);
});

test("an accepted appeal leads admins to the correction that followed", async () => {
  const answered = { ...appeal, status: "accepted", answer: "You are right.", regrade: 8 };
  await open("/console/appeals/3", { as: staff("admin"), service: service({ "GET /appeals/{appeal_id}/": answered }) });
  equal((await screen.findByRole("link", { name: t("appeals.regradeNumber", { id: "8" }) })).getAttribute("href"), "/console/exams/7/regrades/8");
});
