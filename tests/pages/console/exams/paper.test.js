import { t } from "../../../../competition/plugins/console/static/exams/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { go, open, staff } from "../../kit/front-end.js";
import { says, saysNo, words } from "../../kit/said.js";
import { click, fill, press, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const CHANGE = "PATCH /exams/{exam_id}/";
const question = (/** @type {number} */ id, more = {}) => example("Question", { id, text: `Question ${id}`, correct_answer: "ABCD"[id - 1], ...more });
const inBank = (/** @type {number} */ id) => example("QuestionInBank", { id, text: `Question ${id}`, exams: { count: 1, latest: id === 5 ? example("ExamHead", { id: 3, title: "Finals" }) : null } });

/**
 * The paper of exam 7, with the questions 1 to 4. The bank has 5 and 6 too.
 *
 * @param {Record<string, any>} [replies]
 * @param {{ exam?: Record<string, any>, questions?: any[] }} [options]
 */
async function paper(replies, { exam = {}, questions = [1, 2, 3, 4].map((each) => question(each)) } = {}) {
  let [all, version] = [questions, 1];
  const shape = example("ExamDetail", { id: 7, title: "Screening", question_count: 4, ...exam });
  const service = new Service({
    "GET /exams/{exam_id}/": () => new Reply(200, shape, { ETag: `"${version}"` }),
    "GET /exams/{exam_id}/questions/": () => all,
    "GET /questions/": example("GET /questions/", page([1, 5, 6].map(inBank))),
    [CHANGE]: ({ body, headers }) => {
      if (headers.get("If-Match") !== `"${version}"`) return refused(412, "precondition_failed");
      version += 1;
      all = body.questions.map((/** @type {number} */ id) => question(id));
      return new Reply(200, { ...shape, questions: body.questions }, { ETag: `"${version}"` });
    },
    ...replies,
  });
  await open("/console/exams/7/paper", { as: staff("admin"), service });
  await screen.findByRole("heading", { name: t("exams.inPaper", { count: questions.length }), level: 2 });
  const change = (/** @type {any[]} */ now) => {
    all = now;
    version += 1;
  };
  return { service, change, shape };
}

const items = () => [...document.querySelectorAll("ol.exam-paper > li")];
const order = () => items().map((each) => Number(/Question (\d)/.exec(words(each))?.[1]));
const button = (/** @type {any} */ key, values = {}) => screen.getByRole("button", { name: t(key, values) });
const move = (/** @type {string} */ way, /** @type {number} */ id) => button(`exams.${way}Of`, { name: `Question ${id}` });
const save = async (/** @type {number} */ count) => click(button("exams.savePaper", { count }));
const focused = () => document.activeElement?.getAttribute("aria-label") ?? words(document.activeElement ?? undefined);
const said = (/** @type {number} */ id, /** @type {number} */ position) => says(t("exams.moved", { name: `Question ${id}`, position, count: 4 }));

test("questions are moved by buttons, by keys and by number, and keep the focus", async () => {
  const { service } = await paper();
  await click(move("down", 1));
  await said(1, 2);
  await waitFor(() => equal(focused(), t("exams.downOf", { name: "Question 1" })));
  await press("ArrowDown", undefined, { altKey: true });
  await said(1, 3);
  await waitFor(() => equal(focused(), t("exams.downOf", { name: "Question 1" })));
  await press("ArrowDown");
  equal(order(), [2, 3, 1, 4]);
  await press("ArrowUp", move("up", 4), { altKey: true });
  await said(4, 3);
  await waitFor(() => equal(focused(), t("exams.upOf", { name: "Question 4" })));
  const position = screen.getByLabelText(t("exams.positionOf", { name: "Question 4" }));
  await fill(position, "1");
  await said(4, 1);
  equal(order(), [4, 2, 3, 1]);
  // A position beyond the end is the last one.
  await fill(screen.getByLabelText(t("exams.positionOf", { name: "Question 2" })), "99");
  await said(2, 4);
  equal(move("up", 4).getAttribute("aria-disabled"), "true");
  equal(move("down", 2).getAttribute("aria-disabled"), "true");
  await click(move("up", 4));
  equal(order(), [4, 3, 1, 2]);
  equal(screen.queryByRole("button", { name: t("exams.print") }), null);
  await save(4);
  await says(t("exams.paperSaved", { count: 4 }));
  await waitFor(() => equal(focused(), t("exams.inPaper", { count: 4 })));
  equal(service.sent(CHANGE).map((each) => each.body), [{ questions: [4, 3, 1, 2] }]);
  ok(button("exams.print"));
});

test("questions are moved by dragging", async () => {
  await paper();
  const drag = (/** @type {string} */ type, /** @type {number} */ at) => items()[at]?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() }));
  const [from, to] = [1, 3];
  drag("dragstart", from);
  await waitFor(() => {
    drag("dragover", to);
    ok(items()[to]?.classList.contains("over"));
  });
  ok(items()[to]?.classList.contains("after"));
  drag("drop", to);
  await said(2, 4);
  equal(order(), [1, 3, 4, 2]);
});

test("questions are removed and added, and the next button gets the focus", async () => {
  const { service } = await paper();
  await click(move("remove", 2));
  await says(t("exams.removed", { name: "Question 2" }));
  await waitFor(() => equal(focused(), t("exams.removeOf", { name: "Question 3" })));
  // A question of the paper can't be added.
  equal(screen.queryByRole("button", { name: t("exams.addOf", { name: "Question 1" }) }), null);
  await click(await screen.findByRole("button", { name: t("exams.addOf", { name: "Question 5" }) }));
  await says(t("exams.addedAt", { name: "Question 5", position: 4 }));
  await waitFor(() => equal(focused(), t("exams.addOf", { name: "Question 6" })));
  await click(button("exams.addOf", { name: "Question 6" }));
  await waitFor(() => equal(focused(), t("exams.inPaper", { count: 5 })));
  await says(t("exams.lastIn", { exam: "Finals" }));
  await save(5);
  await says(t("exams.paperSaved", { count: 5 }));
  equal(service.sent(CHANGE)[0]?.body, { questions: [1, 3, 4, 5, 6] });
});

test("changes can be undone, and are not left without a question", async () => {
  const { service } = await paper();
  await click(move("remove", 2));
  await screen.findByRole("heading", { name: t("exams.inPaper", { count: 3 }) });
  void go("/console/exams");
  const dialog = await screen.findByRole("dialog", { name: t("exams.leave") });
  await click(within(dialog).getByRole("button", { name: t("exams.stay") }));
  await click(button("exams.undo"));
  await screen.findByRole("heading", { name: t("exams.inPaper", { count: 4 }) });
  equal(order(), [1, 2, 3, 4]);
  await saysNo(t("exams.notSaved"));
  equal(service.sent(CHANGE).length, 0);
  await go("/console/exams");
  equal(location.pathname, "/console/exams");
});

test("a paper changed by another person is not overwritten without a question", async () => {
  const { service, change } = await paper();
  await click(move("remove", 1));
  change([question(2), question(1)]);
  await save(3);
  await says(t("exams.theirs", { count: 2 }));
  await click(button("exams.keepMine"));
  await says(t("exams.paperSaved", { count: 3 }));
  equal(service.sent(CHANGE).map((each) => [each.headers.get("If-Match"), each.body.questions]), [['"1"', [2, 3, 4]], ['"2"', [2, 3, 4]]]);
});

test("the paper of the other person can be taken", async () => {
  const { service, change } = await paper();
  await click(move("remove", 1));
  change([question(2), question(1)]);
  await save(3);
  await says(t("exams.theirs", { count: 2 }));
  await click(button("exams.takeTheirs"));
  await waitFor(() => equal(order(), [2, 1]));
  await saysNo(t("exams.notSaved"));
  // Later changes are based on it.
  await click(move("down", 2));
  await save(2);
  await says(t("exams.paperSaved", { count: 2 }));
  equal(service.sent(CHANGE).at(-1)?.headers.get("If-Match"), '"2"');
});

test("a frozen paper can be printed but not changed", async () => {
  await paper({}, { exam: { frozen_at: "2026-03-10T10:00:00Z" } });
  await says(t("exams.paperFixed"));
  equal(order(), [1, 2, 3, 4]);
  ok(button("exams.print") && button("exams.printKey"));
  equal(screen.queryAllByRole("button", { name: /Question/ }).length, 0);
  equal(document.getElementById("bank"), null);
});

for (const [what, reply] of /** @type {[string, (shape: any) => any][]} */ ([
  ["the service leaves the questions as they are", (shape) => ({ ...shape, questions: [1, 2, 3, 4] })],
  ["the service rejects the change", () => refused(400, "invalid", "Wrong.", { errors: { questions: ["The paper is frozen."] } })],
])) {
  test(`a paper that is frozen meanwhile says why it is not saved: ${what}`, async () => {
    const made = await paper({ [CHANGE]: () => reply(made.shape) });
    await click(move("down", 1));
    await save(4);
    await says(t("exams.isFrozen"), await screen.findByRole("alert"));
    equal(screen.getByRole("link", { name: t("exams.toFreezing") }).getAttribute("href"), "/console/exams/7?step=checks");
    equal(order(), [2, 1, 3, 4]);
    ok(button("exams.savePaper", { count: 4 }));
  });
}

test("an archived question is named, and why it can't be saved", async () => {
  await paper({ [CHANGE]: () => refused(400, "invalid", "Wrong.", { errors: { questions: ["Question 3 is archived."] } }) }, { questions: [question(1), question(3, { is_archived: true })] });
  ok(words(items()[1]).includes(t("exams.archived")));
  await click(move("down", 1));
  await save(2);
  await screen.findByRole("alert");
  await saysNo(t("exams.isFrozen"));
});

test("an empty paper", async () => {
  await paper({}, { questions: [] });
  await says(t("exams.emptyPaper"));
  equal(screen.queryByRole("button", { name: t("exams.print") }), null);
});

test("the paper and its key are printed on sheets of their own", async () => {
  await paper({}, { exam: { description: "No calculators.", stage: "screening", round: 1, countdown_minutes: 60 } });
  let printed = 0;
  window.print = () => void (printed += 1);
  const sheet = () => /** @type {HTMLElement} */ (document.querySelector(".print-sheet"));
  await click(button("exams.print"));
  await waitFor(() => equal(printed, 1));
  for (const each of ["exams.sheetName", "exams.sheetSchool", "exams.sheetSeat"]) ok(words(sheet()).includes(t(/** @type {any} */ (each))));
  ok(words(sheet()).includes("No calculators.") && words(sheet()).includes(t("exams.sheet", { stage: t("exams.stageRound", { stage: t("exams.screening"), round: 1 }), minutes: 60, count: 4 })));
  equal(sheet().querySelectorAll(".printed-questions > li > ol > li").length, 16);
  ok(!words(sheet()).includes(t("exams.keyOf", { title: "Screening" })));
  dispatchEvent(new Event("afterprint"));
  equal(sheet(), null);
  await click(button("exams.printKey"));
  await waitFor(() => equal(printed, 2));
  ok(words(sheet()).includes(t("exams.secret")));
  equal([...sheet().querySelectorAll("li")].map(words), ["A", "B", "C", "D"]);
});
