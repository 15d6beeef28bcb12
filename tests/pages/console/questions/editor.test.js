import { t } from "../../../../competition/plugins/console/static/questions/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says, saysNo, words } from "../../kit/said.js";
import { click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";
import { useUploads } from "../../kit/uploads.js";

const CREATE = "POST /questions/";
const CHANGE = "PATCH /questions/{question_id}/";
const RENDER = "POST /questions/render/";
const TEXTS = { text: "What is 2 + 2?", option_a: "1", option_b: "2", option_c: "3", option_d: "4" };
const QUESTION = { id: 7, ...TEXTS, correct_answer: "D", difficulty: "hard" };
const field = (/** @type {string} */ letter) => screen.getByLabelText(letter ? t("questions.option", { letter }) : t("questions.text"), { selector: "textarea" });
const preview = () => screen.getByRole("complementary", { name: t("questions.preview") });
const button = (/** @type {any} */ key, values = {}) => screen.getByRole("button", { name: t(key, values) });

/** @param {string} path @param {Record<string, any>} [replies] @param {string} [role] */
async function edit(path, replies, role = "moderator") {
  let [question, version] = [example("Question", QUESTION), 1];
  const service = new Service({
    [RENDER]: () => example(RENDER),
    [CREATE]: ({ body }) => new Reply(201, example("Question", { ...QUESTION, ...body })),
    "GET /questions/{question_id}/": () => new Reply(200, question, { ETag: `"${version}"` }),
    "GET /questions/{question_id}/exams/": page([]),
    [CHANGE]: ({ body, headers }) => {
      if (headers.get("If-Match") !== `"${version}"`) return refused(412, "precondition_failed");
      [question, version] = [{ ...question, ...body }, version + 1];
      return new Reply(200, question, { ETag: `"${version}"` });
    },
    ...replies,
  });
  await open(path, { as: staff(role), service });
  await screen.findByRole("complementary", { name: t("questions.preview") });
  return { service, theirs: (/** @type {any} */ more) => ([question, version] = [{ ...question, ...more }, version + 1]) };
}

test("a new question is sent, and its page offers the next one", async () => {
  const { service } = await edit("/console/questions/new");
  await says(t("questions.previewEmpty"), preview());
  await fill(field(""), TEXTS.text);
  for (const letter of "ABCD") await fill(field(letter), TEXTS[/** @type {"option_a"} */ (`option_${letter.toLowerCase()}`)]);
  await click(button("questions.create"));
  // The correct answer is missing.
  await screen.findByRole("alert");
  await click(within(screen.getByRole("group", { name: new RegExp(t("questions.correct")) })).getByLabelText(t("questions.option", { letter: "D" })));
  await click(button("questions.create"));
  await arrived(t("questions.number", { number: "7" }));
  await says(t("questions.created"));
  await says(t("questions.unused"));
  equal(service.sent(CREATE).map((each) => each.body), [{ ...TEXTS, correct_answer: "D", difficulty: "moderate" }]);
  await click(screen.getByRole("link", { name: t("questions.another") }));
  await arrived(t("questions.new"));
  await waitFor(() => equal(field("").value, ""));
});

test("a copy starts with the texts of another question", async () => {
  const { service } = await edit("/console/questions/new?from=7");
  equal([field("").value, field("D").value], [TEXTS.text, "4"]);
  ok(screen.getByLabelText(t("questions.hard")).checked);
  await click(button("questions.create"));
  await says(t("questions.created"));
  equal(service.sent(CREATE)[0]?.body, { ...TEXTS, correct_answer: "D", difficulty: "hard" });
});

test("the preview is rendered after typing, and names the parts that can't be read", async () => {
  const { service } = await edit("/console/questions/new", {
    [RENDER]: ({ body }) => example(RENDER, { mistakes: body.option_d ? [{ field: "option_d", message: "A brace is missing." }] : [] }),
  });
  await fill(field(""), "What is it?");
  await fill(field("D"), "\\(\\frac{1}{9}");
  await says(t("questions.partAndWhy", { part: t("questions.option", { letter: "D" }), why: "A brace is missing." }), preview());
  // Empty parts are not sent.
  equal(service.sent(RENDER).at(-1)?.body, { text: "What is it?", option_d: "\\(\\frac{1}{9}", show_mistakes: true });
  equal(service.sent(RENDER).length, 1);
  await fill(field("D"), "");
  await saysNo(t("questions.unreadable"), preview());
});

test("the preview asks about what is probably not meant, with the formula as it would be", async () => {
  const formula = '<math><msup><mi>x</mi><mn>2</mn></msup></math>';
  await edit("/console/questions/new", {
    [RENDER]: () => example(RENDER, { mistakes: [], warnings: [{ field: "text", message: "Write it as a formula.", formula }, { field: "option_a", message: "A and B are alike.", formula: null }] }),
  });
  await fill(field(""), "x^2");
  await says(t("questions.doubtful"), preview());
  const [first, second] = within(within(preview()).getByRole("status")).getAllByRole("listitem");
  equal(first?.textContent, `${t("questions.partAndWhy", { part: t("questions.text"), why: "Write it as a formula." })} x2`);
  equal(second?.textContent?.trim(), t("questions.partAndWhy", { part: t("questions.option", { letter: "A" }), why: "A and B are alike." }));
  equal(first?.querySelectorAll("msup").length, 1);
});

test("the reasons of a rejected preview stand in it", async () => {
  await edit("/console/questions/new", { [RENDER]: () => refused(400, "invalid", "Wrong.", { errors: { text: ["An image is missing."] } }) });
  await fill(field(""), "[image:99]");
  await says(t("questions.partAndWhy", { part: t("questions.text"), why: "An image is missing." }), preview());
});

test("another failure of the preview is explained in it", async () => {
  await edit("/console/questions/new", { [RENDER]: () => refused(403, "permission_denied") });
  await fill(field(""), "x");
  await within(preview()).findByRole("alert");
});

test("two people who edit a question see each other's change", async () => {
  const { service, theirs } = await edit("/console/questions/7");
  await fill(field(""), "Mine");
  theirs({ text: "Theirs" });
  await click(button("questions.save"));
  await says("Theirs: Theirs");
  await click(screen.getByRole("button", { name: "Save your version" }));
  await says(t("questions.saved"));
  // The form goes on with the saved version.
  await fill(field(""), "Mine again");
  await click(button("questions.save"));
  await waitFor(() => equal(service.sent(CHANGE).map((each) => [each.headers.get("If-Match"), each.body.text]), [['"1"', "Mine"], ['"2"', "Mine"], ['"3"', "Mine again"]]));
});

test("the exams of a question and its answers are shown, and all can be reached", async () => {
  const exam = example("ExamOfQuestion", { id: 5, title: "Screening", position: 2, answers: { facility: 0.667, candidates: 3, A: 1, B: 0, C: 0, D: 2, omitted: 0 } });
  const { service } = await edit("/console/questions/7", {
    "GET /questions/{question_id}/exams/": ({ query }) => page([{ ...exam, id: Number(query.get("page") ?? 1) }], { pagination: { ...page([]).pagination, count: 21, has_next: !query.get("page"), has_previous: query.has("page") } }),
  }, "admin");
  const row = await screen.findByRole("row", { name: /Screening/ });
  for (const each of [t("questions.facility", { share: "67%" }), "A 33%", "D ✓ 67%", t("questions.omitted", { share: "0%" })]) await says(each, row);
  await click(screen.getByRole("link", { name: "Next page" }));
  await waitFor(() => equal(screen.getByRole("link", { name: "Screening" }).getAttribute("href"), "/console/exams/2"));
  equal(service.sent("GET /questions/{question_id}/exams/")[0]?.query.get("ordering"), "-scheduled_date");
});

test("a moderator sees no link to an exam, and an exam without answers says so", async () => {
  await edit("/console/questions/7", { "GET /questions/{question_id}/exams/": page([example("ExamOfQuestion", { title: "Screening" })]) });
  await says(t("questions.noAnswers"), await screen.findByRole("row", { name: /Screening/ }));
  equal(screen.queryByRole("link", { name: "Screening" }), null);
});

for (const open of [[], ["Finals"]]) {
  test(`a question is archived, which ${open.length ? "takes it out of exams" : "changes no exam"}`, async () => {
    const exams = [example("ExamOfQuestion", { title: "Over", status: "concluded" }), ...open.map((title) => example("ExamOfQuestion", { id: 2, title, status: "draft" }))];
    const { service } = await edit("/console/questions/7", { "GET /questions/{question_id}/exams/": page(exams), "DELETE /questions/{question_id}/": () => undefined, "GET /questions/": example("GET /questions/", page([])) });
    await click(button("questions.archive"));
    const dialog = await screen.findByRole("dialog");
    await says(open.length ? t("questions.archivesFrom", { count: 1 }) : t("questions.archives", { count: 1 }), dialog);
    equal(within(dialog).queryAllByRole("listitem").map(words), open);
    await click(within(dialog).getByRole("button", { name: t("questions.archiveThem", { count: 1 }) }));
    await arrived(t("questions"));
    await says(t("questions.archivedThem", { count: 1 }));
    equal(service.sent("DELETE /questions/{question_id}/").length, 1);
  });
}

test("an archived question is shown, and can't be changed", async () => {
  const service = new Service({ "GET /questions/{question_id}/": example("Question", { ...QUESTION, is_archived: true, archived_at: "2026-03-09T10:00:00Z" }), "GET /questions/{question_id}/exams/": page([]) });
  await open("/console/questions/7", { as: staff("moderator"), service });
  await says(t("questions.isArchived"));
  equal([screen.queryAllByRole("textbox").length, screen.queryAllByRole("button", { name: t("questions.archive") }).length], [0, 0]);
});

const image = (/** @type {number} */ id, /** @type {string} */ alt, used_by = 0) => example("Image", { id, alt, url: "data:,", used_by });
/** @param {any[]} images @param {Record<string, any>} [replies] */
async function images(images, replies) {
  useUploads();
  const { service } = await edit("/console/questions/new", { "GET /questions/images/": ({ query }) => page(query.get("search") ? [] : images, { pagination: { ...page(images).pagination, page: Number(query.get("page")), has_next: query.get("page") === "1", has_previous: query.get("page") !== "1" } }), ...replies });
  service.config.files = /** @type {any} */ ({});
  await fill(field(""), "Look at this: how long is it?");
  field("").setSelectionRange(12, 12);
  field("").dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  await says(t("questions.insertInto", { field: t("questions.text") }));
  await click(button("questions.insert"));
  return { service, dialog: await screen.findByRole("dialog", { name: t("questions.insert") }) };
}

test("an image is inserted at the cursor", async () => {
  const { dialog } = await images([image(3, "A triangle")]);
  await click(await within(dialog).findByRole("button", { name: t("questions.insertThis", { alt: "A triangle" }) }));
  await waitFor(() => equal(field("").value, "Look at this[image:3]: how long is it?"));
  equal(screen.queryByRole("dialog"), null);
});

test("an image is inserted into the option that had the cursor", async () => {
  const { dialog } = await images([image(3, "A triangle")]);
  await click(within(dialog).getByRole("button", { name: t("questions.close") }));
  field("C").focus();
  await says(t("questions.insertInto", { field: t("questions.option", { letter: "C" }) }));
  await click(button("questions.insert"));
  await click(await screen.findByRole("button", { name: t("questions.insertThis", { alt: "A triangle" }) }));
  await waitFor(() => equal(field("C").value, "[image:3]"));
});

test("images are searched, and paged", async () => {
  const { service, dialog } = await images([image(3, "A triangle")]);
  await click(await within(dialog).findByRole("button", { name: t("questions.older") }));
  await within(dialog).findByRole("button", { name: t("questions.newer") });
  await fill(within(dialog).getByLabelText(t("questions.altSearch")), " circle ");
  await says(t("questions.noImageFound"), dialog);
  equal(service.sent("GET /questions/images/").map((each) => [each.query.get("search"), each.query.get("page")]).at(-1), ["circle", "1"]);
});

test("an image gets another description, and the preview follows", async () => {
  const { service, dialog } = await images([image(3, "A rectagnle", 1)], { "PATCH /questions/images/{image_id}/": ({ body }) => image(3, body.alt) });
  const describe = await within(dialog).findByRole("button", { name: t("questions.describeThis", { alt: "A rectagnle" }) });
  await click(describe);
  await says(t("questions.altChanges", { count: 1 }), dialog);
  const alt = within(dialog).getAllByLabelText(t("questions.alt")).at(-1);
  await waitFor(() => ok(document.activeElement === alt));
  await click(within(dialog).getByRole("button", { name: t("questions.cancel") }));
  await waitFor(() => equal(document.activeElement?.getAttribute("aria-label"), t("questions.describeThis", { alt: "A rectagnle" })));
  await click(/** @type {HTMLElement} */ (document.activeElement));
  await waitFor(() => ok(service.sent(RENDER).length === 1));
  await fill(within(dialog).getAllByLabelText(t("questions.alt")).at(-1), "A rectangle");
  await click(within(dialog).getByRole("button", { name: t("questions.saveAlt") }));
  await says(t("questions.altSaved"), dialog);
  equal(service.sent("PATCH /questions/images/{image_id}/")[0]?.body, { alt: "A rectangle" });
  await waitFor(() => ok(service.sent(RENDER).length === 2));
});

test("an unused image is deleted, and one that is used is not", async () => {
  const all = [image(3, "A circle"), image(4, "A rectangle", 1)];
  const { dialog } = await images(all, {
    "DELETE /questions/images/{image_id}/": ({ params }) => (params.image_id === "4" ? refused(400, "invalid", "It is used.") : void all.shift()),
  });
  await click(await within(dialog).findByRole("button", { name: t("questions.deleteThis", { alt: "A rectangle" }) }));
  const question = await screen.findByRole("dialog", { name: t("questions.deleteImage") });
  await click(within(question).getByRole("button", { name: t("questions.deleteOne") }));
  await within(question).findByRole("alert");
  await click(within(question).getByRole("button", { name: "Cancel" }));
  await click(within(dialog).getByRole("button", { name: t("questions.deleteThis", { alt: "A circle" }) }));
  await click(await screen.findByRole("button", { name: t("questions.deleteOne") }));
  await says(t("questions.imageDeleted", { alt: "A circle" }), dialog);
  await waitFor(() => ok(document.activeElement === within(dialog).getByLabelText(t("questions.altSearch"))));
  await waitFor(() => equal(within(dialog).queryByRole("button", { name: t("questions.insertThis", { alt: "A circle" }) }), null));
});

test("a question says how exams have corrected it, if the bank has another answer", async () => {
  const exams = [["Round 1", "concluded", 1], ["Round 2", "scheduled", 2], ["Round 3", "concluded", 3]].map(([title, status, id]) => example("ExamOfQuestion", { id, title, status }));
  const regrades = /** @type {Record<string, any>} */ ({ 1: { accept: ["B", "C"] }, 3: { accept: ["D"] } });
  const service = new Service({
    "GET /questions/{question_id}/": example("Question", { ...QUESTION, is_archived: false }),
    "GET /questions/{question_id}/exams/": page(exams),
    "GET /exams/{exam_id}/regrades/": ({ params }) => page([example("Regrade", { id: 5, changes: [{ question: 7, ...regrades[params.exam_id] }] })]),
    [RENDER]: () => example(RENDER),
  });
  await open("/console/questions/7", { as: staff("admin"), service, plugins: ["regrades"] });
  await says(t("questions.corrected", { right: "D" }));
  // The third round has corrected it to what the bank has.
  const note = within([...document.querySelectorAll(".note")].find((each) => words(each).includes("B and C")));
  equal(note.getAllByRole("link").map((/** @type {any} */ each) => [words(each), each.getAttribute("href")]), [["Round 1", "/console/exams/1/regrades/5"]]);
  equal(service.sent("GET /exams/{exam_id}/regrades/").map((each) => each.params.exam_id), ["1", "3"]);
});
