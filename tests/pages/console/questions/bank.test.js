import { t } from "../../../../competition/plugins/console/static/questions/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { says, saysNo, words } from "../../kit/said.js";
import { choose, click, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Service } from "../../kit/service.js";

const ARCHIVE = "POST /questions/bulk-archive/";
const ADD = "POST /questions/bulk-add-to-exams/";
const question = (/** @type {number} */ id, more = {}) => example("QuestionInBank", { id, text: `Text of ${id}`, exams: { count: 0 }, ...more });
const rows = () => [question(1, { exams: { count: 2, latest: example("ExamHead", { id: 5, title: "Finals" }) } }), question(2, { difficulty: "hard" }), question(3)];
const rowOf = (/** @type {number} */ id) => screen.findByRole("row", { name: new RegExp(`Text of ${id}`) });
const exam = (/** @type {number} */ id, /** @type {string} */ title) => example("ExamListItem", { id, title, question_count: 0 });

/** @param {{ role?: string, query?: string, replies?: Record<string, any>, shown?: any[] }} [options] */
async function bank({ role = "admin", query = "", replies, shown = rows() } = {}) {
  const service = new Service({
    "GET /questions/": () => example("GET /questions/", page(shown)),
    "GET /questions/answers/": { results: [example("AnsweredQuestion", { question: 1, candidates: 3, facility: 0.667 })] },
    "GET /staff/": page([example("StaffItem", { user: { first_name: "Maria", last_name: "Okafor" } })]),
    ...replies,
  });
  await open(`/console/questions${query}`, { as: staff(role), service });
  if (shown.length) await rowOf(shown[0].id);
  return service;
}
const button = (/** @type {any} */ key, /** @type {number} */ count) => screen.findByRole("button", { name: t(key, { count }) });
/** @param {number[]} ids */
async function select(...ids) {
  for (const id of ids) await click(within(await rowOf(id)).getByRole("checkbox"));
}

test("the bank shows where questions are used, and how they were answered", async () => {
  const service = await bank();
  const [first, second] = [await rowOf(1), await rowOf(2)];
  equal(within(first).getByRole("link", { name: "Finals" }).getAttribute("href"), "/console/exams/5");
  equal(within(first).getByRole("link", { name: t("questions.number", { number: "1" }) }).getAttribute("href"), "/console/questions/1");
  await says("67%", first);
  for (const each of [t("questions.andOthers", { count: 1 }), t("questions.ofCandidates", { count: 3 })]) await says(each, first);
  for (const each of [t("questions.inNoExam"), t("questions.notAnswered"), t("questions.hard")]) await says(each, second);
  equal(service.sent("GET /questions/answers/")[0]?.query.get("question_ids"), "1,2,3");
});

test("moderators can't open the plan of an exam, or archive questions", async () => {
  await bank({ role: "moderator" });
  const first = await rowOf(1);
  await says("Finals", first);
  equal([within(first).queryAllByRole("link", { name: "Finals" }).length, screen.queryAllByRole("checkbox").length], [0, 0]);
});

test("the filters are in the address", async () => {
  const service = await bank({ query: "?used=true" });
  equal(service.sent("GET /questions/")[0]?.query.get("used"), "true");
  await choose(screen.getByLabelText(t("questions.inExams")), t("questions.neverUsed"));
  await choose(screen.getByLabelText(t("questions.image")), t("questions.withoutImage"));
  equal(location.search, "?used=false&with_image=false");
  await choose(screen.getByLabelText(t("questions.author")), "Maria Okafor");
  await choose(screen.getByLabelText(t("questions.difficulty")), t("questions.hard"));
  await waitFor(() => equal(["created_by", "difficulty"].map((each) => service.sent("GET /questions/").at(-1)?.query.has(each)), [true, true]));
});

test("questions are added to exams that have not opened", async () => {
  const service = await bank({
    replies: {
      "GET /exams/": ({ query }) => example("GET /exams/", page([query.get("status") === "draft" ? exam(6, "Finals") : exam(5, "Round 2")])),
      [ADD]: () => example(ADD, { summary: { successful: 2, skipped: 1 }, details: { failed_questions: [{ question_id: 2, reason: "It is archived." }], failed_exams: [{ exam_id: 6, reason: "It has opened." }] } }),
    },
  });
  await select(1, 2);
  await click(await button("questions.addThem", 2));
  const dialog = await screen.findByRole("dialog");
  const send = () => click(within(dialog).getByRole("button", { name: t("questions.addThem", { count: 2 }) }));
  await within(dialog).findByRole("group", { name: new RegExp(t("questions.intoExams")) });
  equal(within(dialog).getAllByRole("checkbox").map((/** @type {any} */ each) => each.value), ["5", "6"]);
  await send();
  await says(t("questions.chooseExam"), dialog);
  equal(service.sent(ADD).length, 0);
  await click(within(dialog).getByLabelText(t("questions.examChoice", { title: "Finals", count: 0 })));
  await send();
  await says(`${t("questions.added", { count: 2 })} ${t("questions.skipped", { count: 1 })}`);
  for (const each of ["Text of 2", "It is archived.", t("questions.examNumber", { number: "6" }), "It has opened."]) await says(each);
  equal(service.sent(ADD)[0]?.body, { question_ids: [1, 2], exam_ids: [6] });
  ok(service.sent(ADD)[0]?.headers.get("Idempotency-Key"));
});

test("without an exam that has not opened, an exam has to be planned first", async () => {
  await bank({ replies: { "GET /exams/": example("GET /exams/", page([])) } });
  await select(1);
  await click(await button("questions.addThem", 1));
  await says(t("questions.noExams"));
});

test("questions are archived after a question that names them", async () => {
  const service = await bank({ replies: { [ARCHIVE]: () => example(ARCHIVE, { summary: { successful_archives: 1 }, details: { failed: [{ question_id: 3, reason: "It is gone." }] } }) } });
  await select(2, 3);
  await click(await button("questions.archiveThem", 2));
  const dialog = await screen.findByRole("dialog", { name: t("questions.archiveTitle", { count: 2 }) });
  equal(within(dialog).getAllByRole("listitem").map(words), ["Text of 2", "Text of 3"]);
  const before = service.sent("GET /questions/").length;
  await click(within(dialog).getByRole("button", { name: t("questions.archiveThem", { count: 2 }) }));
  await says(t("questions.archivedThem", { count: 1 }));
  await says("“Text of 3”: It is gone.");
  equal(service.sent(ARCHIVE)[0]?.body, { question_ids: [2, 3] });
  await waitFor(() => ok(service.sent("GET /questions/").length > before));
  await saysNo(t("questions.archiveThem", { count: 2 }));
});

test("archived questions can't be selected", async () => {
  await bank({ query: "?archived=true" });
  equal(screen.queryAllByRole("checkbox").length, 0);
});

test("no question is archived", async () => {
  const service = await bank({ query: "?archived=true", shown: [] });
  await says(t("questions.noArchived"));
  equal(service.sent("GET /questions/")[0]?.query.get("archived"), "true");
  equal(screen.queryAllByRole("link", { name: t("questions.first") }).length, 0);
});

test("an empty bank leads to the first question", async () => {
  await bank({ shown: [] });
  await says(t("questions.none"));
  ok(screen.getByRole("link", { name: t("questions.first") }));
});

test("too many questions can't be archived at once", async () => {
  await bank({ replies: { "GET /questions/": example("GET /questions/", page(rows(), { pagination: { ...page(rows()).pagination, count: 501 } })) } });
  await click(await screen.findByRole("button", { name: "Select this page" }));
  await click(await screen.findByRole("button", { name: /501/ }));
  await says(t("questions.tooMany", { count: 500 }));
});

test("the list stays if the answers can't be read", async () => {
  await bank({ replies: { "GET /questions/answers/": () => refused(403, "permission_denied") } });
  await screen.findByRole("alert");
  ok(await rowOf(3));
});
