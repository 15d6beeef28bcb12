import { t } from "../../../../competition/plugins/console/static/exams/words.js";
import { ago, when } from "../../../../competition/plugins/pages/static/ground/dates.js";
import { whenInWords } from "../../../../competition/plugins/pages/static/pieces/page.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says, saysNo, words } from "../../kit/said.js";
import { click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const CHANGE = "PATCH /exams/{exam_id}/";
const WORKING = "GET /exams/{exam_id}/conclude/preview/";
const HOUR = 3_600_000;
const at = (/** @type {number} */ hours) => new Date(Math.floor(Date.now() / HOUR) * HOUR + hours * HOUR).toISOString();
const closing = (/** @type {string | null} */ opens, /** @type {number} */ hours) => opens && new Date(Date.parse(opens) + hours * HOUR).toISOString();
const PLANNED = { id: 7, title: "Screening", round: 1, scheduled_date: at(240), open_duration_hours: 12, countdown_minutes: 60, question_count: 4, is_active: true, status: "scheduled" };
const working = (/** @type {string[]} */ ...names) => example(WORKING, { not_started: 0, affected: names.length, people: names.map((full_name) => example("AffectedPerson", { full_name })) });
const check = (/** @type {string} */ name, /** @type {string} */ level, more = {}) => example("CheckReport", { name, level, message: `${name} is ${level}`, ...more });

/**
 * The plan of exam 7. Its version is the number of changes.
 *
 * @param {Record<string, any>} values
 * @param {{ step?: string, replies?: Record<string, any>, plugins?: string[], checks?: any[], people?: number[], role?: string }} [options]
 */
async function plan(values, { step, replies, plugins = [], checks = [], people = [5, 1, 1], role = "admin" } = {}) {
  const exam = example("ExamDetail", { ...PLANNED, closes_at: closing(values.scheduled_date ?? PLANNED.scheduled_date, values.open_duration_hours ?? 12), ...values });
  let version = 1;
  const service = new Service({
    "GET /exams/{exam_id}/": () => new Reply(200, exam, { ETag: `"${version}"` }),
    [CHANGE]: ({ body, headers }) => {
      if (headers.get("If-Match") !== `"${version}"`) return refused(412, "precondition_failed");
      version += 1;
      Object.assign(exam, body, { closes_at: closing(body.scheduled_date ?? exam.scheduled_date, body.open_duration_hours ?? exam.open_duration_hours) });
      return new Reply(200, { ...exam, questions: [] }, { ETag: `"${version}"` });
    },
    "GET /exams/{exam_id}/preflight/": () => example("Preflight", { checks }),
    "GET /candidates/": ({ query }) => page([], { pagination: { ...page([]).pagination, count: people[["active", "pending", "inactive"].indexOf(query.get("status") ?? "")] } }),
    [WORKING]: working(),
    "DELETE /exams/{exam_id}/": () => undefined,
    ...replies,
  });
  await open(`/console/exams/7${step ? `?step=${step}` : ""}`, { as: staff(role), service, plugins });
  await arrived("Screening");
  await screen.findByRole("navigation", { name: t("exams.steps") });
  const steps = () => [...screen.getByRole("navigation", { name: t("exams.steps") }).querySelectorAll("li")].map(words);
  return { service, exam, steps, move: (/** @type {any} */ more) => (Object.assign(exam, more), (version += 1)) };
}
const button = (/** @type {any} */ key, values = {}) => screen.findByRole("button", { name: t(key, values) });
const field = (/** @type {any} */ key) => screen.getByLabelText(t(key));
const shown = () => screen.getByRole("link", { current: "step" }).querySelector("strong").textContent;

for (const [values, step, options] of /** @type {[any, any, any][]} */ ([
  [{}, "exams.step.checks"],
  [{}, "exams.step.people", { people: [0, 1, 1] }],
  [{ question_count: 0 }, "exams.step.paper"],
  [{ scheduled_date: null, closes_at: null, status: "draft" }, "exams.step.basics"],
  [{ status: "concluded", scheduled_date: at(-24) }, "exams.step.results"],
])) {
  test(`the plan begins with the step that is next: ${step}`, async () => {
    await plan(values, options);
    await waitFor(() => equal(shown(), t(step)));
  });
}

test("the page stays at the step that has been saved", async () => {
  await plan({ scheduled_date: null, closes_at: null, status: "draft" });
  await fill(screen.getByLabelText("Date"), "2031-12-06");
  await fill(screen.getByLabelText("Time"), "09:00");
  await click(await button("exams.save"));
  await says(t("exams.saved"));
  equal(shown(), t("exams.step.basics"));
  ok(screen.getByRole("link", { name: t("exams.nextStep", { step: t("exams.step.paper") }) }));
});

test("the steps say what is done and what is missing", async () => {
  const { steps } = await plan({}, { checks: [check("window", "error"), check("mail", "warning"), check("key", "ok")] });
  await waitFor(() => ok(steps()[3]?.includes(`${t("exams.errors", { count: 1 })}, ${t("exams.warnings", { count: 1 })}`)));
  ok(steps()[0]?.includes("12 h") && steps()[0]?.includes("in Lagos"), steps()[0]);
  ok(steps()[1]?.includes(t("exams.hasQuestions", { count: 4 })));
  await waitFor(() => ok(steps()[2]?.includes(t("exams.peopleNow", { verified: 5, others: 2 })), steps()[2]));
  ok(steps()[3]?.includes(t("exams.notReady")));
  ok(steps()[4]?.includes(t("exams.ranking.standard")));
});

test("a plan without a date, questions or candidates", async () => {
  const { steps } = await plan({ scheduled_date: null, closes_at: null, question_count: 0, status: "draft" }, { people: [0, 0, 0] });
  await waitFor(() => ok(steps()[3]?.includes(t("exams.allPassed"))));
  await waitFor(() => equal(steps().slice(0, 3).map((each) => each.includes(t("exams.missing"))), [true, true, true]));
  ok(steps()[0]?.includes(t("exams.needsDate")) && steps()[1]?.includes(t("exams.needsQuestions")));
});

test("the plan of an exam that is over counts no candidates of today, and checks nothing", async () => {
  const { service, steps } = await plan({ status: "concluded", scheduled_date: at(-24) }, { step: "people" });
  ok(steps()[2]?.includes(t("exams.peopleOver")) && steps()[3]?.includes(t("exams.overChecks")));
  equal(words(screen.getByRole("main")).split(t("exams.peopleOver")).length - 1, 2);
  equal([service.sent("GET /candidates/").length, service.sent("GET /exams/{exam_id}/preflight/").length], [0, 0]);
});

test("an open exam leads to its day, and one that is over to its results", async () => {
  await plan({ status: "ongoing", scheduled_date: at(-1) });
  equal(screen.getByRole("link", { name: t("exams.day") }).getAttribute("href"), "/console/exams/7/day");
});

test("candidates are counted, and admins are not sent to the documents", async () => {
  await plan({}, { step: "people", people: [0, 2, 1] });
  await says(t("exams.verified", { count: 0 }));
  await says(t("exams.unverified", { count: 3 }));
  await says(t("exams.nobody"));
  equal(screen.queryByRole("link", { name: t("exams.review") }), null);
  equal(screen.getAllByRole("link", { name: t("exams.view") })[0].getAttribute("href"), "/console/candidates?role=screening&verified=true");
});

test("candidates who have not joined the season are not counted as those who can take the exam", async () => {
  const counts = { "active true": 3, "active false": 197, pending: 1, inactive: 1 };
  const { steps } = await plan({}, {
    step: "people",
    plugins: ["seasons"],
    replies: {
      "GET /seasons/": page([example("Season", { status: "current" })]),
      "GET /candidates/": ({ query }) => page([], { pagination: { ...page([]).pagination, count: /** @type {any} */ (counts)[[query.get("status"), query.get("joined")].filter(Boolean).join(" ")] } }),
    },
  });
  for (const text of [t("exams.verified", { count: 3 }), t("exams.notJoined", { count: 197 }), t("exams.unverified", { count: 2 })]) await says(text);
  ok(steps()[2]?.includes(t("exams.peopleJoined", { verified: 3, notJoined: 197, others: 2 })), steps()[2]);
  const filters = screen.getAllByRole("link", { name: t("exams.view") }).map((/** @type {HTMLAnchorElement} */ each) => each.search);
  equal(filters, ["?role=screening&verified=true&joined=true", "?role=screening&verified=true&joined=false", "?role=screening&verified=false"]);
});

for (const [joined, approved, links] of /** @type {[number, number, string[]][]} */ ([[200, 0, ["/console/broadcasts/new"]], [0, 3, ["/console/documents"]], [2, 1, ["/console/broadcasts/new", "/console/documents"]], [0, 0, ["/console/advancement"]]])) {
  test(`if nobody can start, the page names the cause and what to do: ${joined} not joined, ${approved} not approved`, async () => {
    const counts = { "active true": 0, "active false": joined, pending: approved, inactive: 0 };
    await plan({ stage: "league" }, {
      step: "people", plugins: ["seasons"], role: "manager",
      replies: {
        "GET /seasons/": page([example("Season", { status: "current" })]),
        "GET /candidates/": ({ query }) => page([], { pagination: { ...page([]).pagination, count: /** @type {any} */ (counts)[[query.get("status"), query.get("joined")].filter(Boolean).join(" ")] } }),
      },
    });
    const note = (await screen.findByText(t("exams.nobody"))).closest(".note");
    const causes = [joined && t("exams.nobodyJoined", { count: joined }), approved && t("exams.nobodyApproved", { count: approved })].filter(Boolean);
    const found = [...note.querySelectorAll("li")].map((each) => each.firstChild.textContent.trim());
    equal(found, causes.length ? causes : [t("exams.nobodyInStage")]);
    equal([...note.querySelectorAll("a")].map((each) => each.getAttribute("href")), links);
  });
}

test("a question that a check has found is named by its position and its words", async () => {
  await plan({}, { checks: [check("shared_questions", "warning", { items: ["question 12", "question 99"] })], step: "checks", replies: { "GET /exams/{exam_id}/questions/": [example("Question", { id: 11, text: "How much is 1 + 1?" }), example("Question", { id: 12, text: "How much is 7 + 8?" })] } });
  equal((await screen.findByRole("link", { name: t("exams.questionAt", { position: 2 }) })).getAttribute("href"), "/console/questions/12");
  await says("How much is 7 + 8?");
  // It is no longer in the paper.
  screen.getByRole("link", { name: t("exams.questionNumber", { number: "99" }) });
});

test("a check that has found many questions lists them only after a click", async () => {
  const many = { items: [1, 2, 3, 4].map((id) => `question ${id}`) };
  await plan({}, { checks: [check("shared_questions", "warning", many), check("known_questions", "warning", many)], step: "checks" });
  const folds = await screen.findAllByText(t("exams.allItems", { count: 4 }));
  equal(folds.length, 2);
  const first = screen.getAllByRole("link", { name: t("exams.questionNumber", { number: "1" }), hidden: true });
  equal(first.map((each) => each.checkVisibility()), [false, false]);
  await click(folds[0]);
  equal(first.map((each) => each.checkVisibility()), [true, false]);
});

test("each problem that a check has found has a place where it is solved", async () => {
  const problems = [
    check("window", "warning"), check("overlap", "warning"), check("candidates", "warning"),
    check("archived", "error", { items: ["question 12", "and one more"] }), check("worker", "warning"), check("new_check", "error"),
  ];
  await plan({}, { checks: [...problems, check("redis", "ok")], step: "checks" });
  const list = (await screen.findByText("archived is error")).closest("ul");
  const found = [...list.children].map((each) => [each.querySelector("strong").textContent, [...each.querySelectorAll("a")].at(-1).getAttribute("href")]);
  // Errors come first.
  equal(found, [
    [t("exams.check.archived"), "/console/exams/7/paper"],
    ["new check", "/console/house/service"],
    [t("exams.check.window"), "/console/exams/7?step=basics"],
    [t("exams.check.overlap"), "/console/exams"],
    [t("exams.check.candidates"), "/console/exams/7?step=people"],
    [t("exams.check.worker"), "/console/house/service"],
  ]);
  equal(screen.getByRole("link", { name: t("exams.questionNumber", { number: "12" }) }).getAttribute("href"), "/console/questions/12");
  await says("and one more");
  await says(t("exams.doOther"));
  await says(t("exams.passed", { count: 1 }));
  await says(`${t("exams.check.redis")} redis is ok`);
});

test("checks run again", async () => {
  const { service } = await plan({}, { step: "checks" });
  await says(t("exams.ready"));
  await click(await button("exams.checkAgain"));
  await waitFor(() => equal(service.sent("GET /exams/{exam_id}/preflight/").length, 2));
});

test("a paper is frozen and unfrozen without a reload", async () => {
  const { exam } = await plan({}, {
    step: "checks",
    replies: {
      "POST /exams/{exam_id}/prepare/": ({ headers }) => {
        ok(headers.get("Idempotency-Key"));
        exam.frozen_at = "2026-03-10T10:00:00Z";
        return example("Preflight");
      },
      "DELETE /exams/{exam_id}/prepare/": () => void (exam.frozen_at = null),
    },
  });
  await click(await button("exams.freeze", { count: 4 }));
  await says(t("exams.frozen"));
  await says(t("exams.frozenAt", { at: whenInWords("2026-03-10T10:00:00Z", when) }));
  await click(await button("exams.unfreeze"));
  await says(t("exams.unfrozen"));
  ok(await button("exams.freeze", { count: 4 }));
});

for (const values of [{ question_count: 0 }, { status: "ongoing", scheduled_date: at(-1) }]) {
  test(`a paper can't be frozen now: ${JSON.stringify(Object.keys(values))}`, async () => {
    await plan(values, { step: "checks" });
    await says(t("exams.ready"));
    await saysNo(t("exams.freezing"));
  });
}

test("the basics are saved, each time with the version of the last change", async () => {
  const { service, steps } = await plan({}, { step: "basics" });
  await fill(field("exams.hours"), "24");
  await click(await button("exams.save"));
  await says(t("exams.saved"));
  await waitFor(() => ok(steps()[0]?.includes("24 h")));
  await fill(field("exams.title"), "Screening, autumn");
  await click(await button("exams.save"));
  await arrived("Screening, autumn");
  const sent = service.sent(CHANGE);
  equal(sent.map((each) => each.headers.get("If-Match")), ['"1"', '"2"']);
  equal(sent[0]?.body, { title: "Screening", stage: "screening", round: 1, scheduled_date: PLANNED.scheduled_date, open_duration_hours: 24, countdown_minutes: 60, description: "x" });
  // A later end needs no question.
  equal(service.sent(WORKING).length, 0);
});

test("a date that somebody else has changed is shown as the form shows it", async () => {
  const { move } = await plan({ scheduled_date: "2031-12-05T10:00:00Z" }, { step: "basics" });
  await fill(screen.getByLabelText("Date"), "2031-12-06");
  move({ scheduled_date: "2031-12-07T09:30:00Z" });
  await click(await button("exams.save"));
  // The form uses the league's time zone.
  await says("Theirs: Sun 7 Dec 2031, 10:30");
  await says("Yours: Sat 6 Dec 2031, 11:00");
});

test("an open exam is closed earlier only after a question", async () => {
  const { service, exam } = await plan({ status: "ongoing", scheduled_date: at(-1), open_duration_hours: 4 }, { step: "basics", replies: { [WORKING]: working("Ada Obi") } });
  await fill(field("exams.hours"), "3");
  await click(await button("exams.save"));
  const dialog = await screen.findByRole("dialog", { name: t("exams.closeTitle") });
  const [end, before] = [2, 3].map((hours) => whenInWords(at(hours), when));
  await says(`${t("exams.closesAt", { at: /** @type {any} */ (end), before: /** @type {any} */ (before) })} ${t("exams.closesWorking", { count: 1 })}`, dialog);
  equal(within(dialog).getAllByRole("listitem").map(words), ["Ada Obi"]);
  await click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => equal(screen.queryByRole("dialog"), null));
  equal(service.sent(CHANGE).length, 0);
  await click(await button("exams.save"));
  await click(await button("exams.closeFor", { count: 1 }));
  await says(t("exams.saved"));
  equal(exam.open_duration_hours, 3);
});

test("an exam whose new end is over closes at once", async () => {
  await plan({ status: "ongoing", scheduled_date: at(-2), open_duration_hours: 4 }, { step: "basics" });
  await fill(field("exams.hours"), "1");
  await click(await button("exams.save"));
  await says(`${t("exams.closesNow", { before: whenInWords(at(2), when) })} ${t("exams.closesNobody", { count: 0 })}`, await screen.findByRole("dialog"));
  ok(await button("exams.close"));
});

test("an exam that has not opened is moved without a question", async () => {
  const { service } = await plan({}, { step: "basics" });
  await fill(field("exams.hours"), "1");
  await click(await button("exams.save"));
  await says(t("exams.saved"));
  equal(service.sent(CHANGE).length, 1);
});

test("an exam whose new start is in the past opens only after a question", async () => {
  const { service } = await plan({}, { step: "basics" });
  await fill(field("exams.hours"), "300");
  const opens = at(-2);
  // The form uses the league's time zone.
  const [date = "", time = ""] = new Date(opens).toLocaleString("sv", { timeZone: "Africa/Lagos" }).split(" ");
  await fill(screen.getByLabelText("Date"), date);
  await fill(screen.getByLabelText("Time"), time.slice(0, 5));
  await click(await button("exams.save"));
  const dialog = await screen.findByRole("dialog", { name: t("exams.opensNowTitle") });
  await says(t("exams.opensNow", { at: /** @type {any} */ (whenInWords(opens, when)), ago: ago(opens) }), dialog);
  await click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => equal(screen.queryByRole("dialog"), null));
  equal(service.sent(CHANGE).length, 0);
  await click(await button("exams.save"));
  await click(await button("exams.openNow"));
  await says(t("exams.saved"));
  equal(service.sent(CHANGE).length, 1);
});

test("the date of an exam is removed after a question, and the form continues without it", async () => {
  const { service, exam } = await plan({}, { step: "basics" });
  await click(await button("exams.removeDate"));
  const dialog = await screen.findByRole("dialog", { name: t("exams.removeDateTitle") });
  await says(t("exams.removesDate"), dialog);
  await click(within(dialog).getByRole("button", { name: t("exams.removeDate") }));
  await says(t("exams.isUndated"));
  equal([exam.scheduled_date, screen.getByLabelText("Date").value, screen.queryByRole("button", { name: t("exams.removeDate") })], [null, "", null]);
  await fill(field("exams.hours"), "24");
  await click(await button("exams.save"));
  await says(t("exams.saved"));
  equal(service.sent(CHANGE).map((each) => [each.headers.get("If-Match"), each.body.scheduled_date]), [['"1"', null], ['"2"', null]]);
});

test("a date that is deleted in the form is removed only after the question", async () => {
  const { service } = await plan({}, { step: "basics" });
  await fill(screen.getByLabelText("Time"), "");
  await click(await button("exams.save"));
  const dialog = await screen.findByRole("dialog", { name: t("exams.removeDateTitle") });
  await click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => equal(screen.queryByRole("dialog"), null));
  equal(service.sent(CHANGE).length, 0);
});

for (const values of [{ status: "ongoing", scheduled_date: at(-1), frozen_at: at(-1) }, { status: "draft", scheduled_date: null, closes_at: null }]) {
  test(`the service would refuse to remove the date, so the page does not offer it: ${values.status}`, async () => {
    await plan(values, { step: "basics" });
    await button("exams.delete");
    equal(screen.queryByRole("button", { name: t("exams.removeDate") }), null);
  });
}

test("switching off a running exam says who is working on it", async () => {
  const { service, exam } = await plan({ status: "ongoing", scheduled_date: at(-1) }, { step: "basics", replies: { [WORKING]: working("Ada Obi") } });
  await click(await button("exams.off"));
  const dialog = await screen.findByRole("dialog", { name: t("exams.offTitle") });
  await says(t("exams.offWorking", { count: 1 }), dialog);
  equal(within(dialog).getAllByRole("listitem").map(words), ["Ada Obi"]);
  await click(await button("exams.offFor", { count: 1 }));
  await says(t("exams.isOff"));
  equal(service.sent(CHANGE)[0]?.body, { is_active: false });
  await click(await button("exams.on"));
  await waitFor(() => equal(exam.is_active, true));
  equal(service.sent(CHANGE).map((each) => each.headers.get("If-Match")), ['"1"', '"2"']);
});

test("an exam that nobody takes is switched off", async () => {
  await plan({}, { step: "basics" });
  await click(await button("exams.off"));
  await says(t("exams.offNobody", { count: 0 }), await screen.findByRole("dialog"));
});

test("an exam that somebody can still submit is not deleted", async () => {
  const { service } = await plan({}, { step: "basics", replies: { [WORKING]: working("Ada Obi") } });
  await click(await button("exams.delete"));
  await says(t("exams.deletesWorking", { count: 1 }));
  equal(service.sent("DELETE /exams/{exam_id}/").length, 0);
});

for (const plugins of [["scores", "appeals"], []]) {
  test(`deleting an exam says what disappears, with the plugins ${plugins}`, async () => {
    const { service } = await plan({}, {
      step: "basics",
      plugins,
      replies: { [WORKING]: working(), "GET /exams/{exam_id}/scores/": example("GET /exams/{exam_id}/scores/", page([], { pagination: { ...page([]).pagination, count: 3 } })), "GET /exams/{exam_id}/appeals/": ({ query }) => page([], { pagination: { ...page([]).pagination, count: query.get("status") === "open" ? 2 : 5 } }), "GET /exams/": example("GET /exams/", page([])), "GET /dashboard/staff/": example("StaffDashboard") },
    });
    await click(await button("exams.delete"));
    const dialog = await screen.findByRole("dialog", { name: t("exams.deleteTitle", { title: "Screening" }) });
    const texts = [t("exams.deletes", { count: 4 }), ...(plugins.length ? [t("exams.deletesResults", { count: 3 }), t("exams.deletesAppeals", { count: 2 })] : [])];
    await says(texts.join(" "), dialog);
    equal(words(dialog).includes(t("exams.deletesResults", { count: 3 })), plugins.length > 0);
    await click(await button("exams.deleteIt"));
    await arrived(t("exams"));
    await says(t("exams.deleted", { title: "Screening" }));
    equal(service.sent("DELETE /exams/{exam_id}/").length, 1);
  });
}

test("the rule for results follows the league's, unless the exam has its own", async () => {
  const { service } = await plan({}, { step: "results" });
  await click(screen.getByLabelText(t("exams.visibleNow")));
  await click(screen.getByLabelText(t("exams.rankingDense")));
  await click(await button("exams.save"));
  await says(t("exams.saved"));
  await click(screen.getAllByRole("radio", { name: /./ }).find((/** @type {any} */ each) => each.value === "default"));
  await click(await button("exams.save"));
  await waitFor(() => equal(service.sent(CHANGE).length, 2));
  equal(service.sent(CHANGE).map((each) => each.body), [{ scores_visible: "immediately", ranking: "dense" }, { scores_visible: null, ranking: "dense" }]);
});

test("an exam is copied after a question, and the page of the copy says what was left out", async () => {
  const COPY = "POST /exams/{exam_id}/copy/";
  const service = new Service({
    "GET /exams/{exam_id}/": ({ params }) => example("GET /exams/{exam_id}/", { id: Number(params.exam_id), title: "Rings" }),
    [COPY]: () => new Reply(201, example(COPY, { id: 9, left_out: [4] })),
  });
  await open("/console/exams/3", { as: staff("admin"), service });
  click(await screen.findByRole("button", { name: t("exams.copy") }));
  await says(t("exams.copies"));
  click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("exams.copyVerb") }));
  await says(t("exams.leftOut", { count: 1 }));
  equal([location.pathname, service.sent(COPY).length], ["/console/exams/9", 1]);
});

test("an exam of a closed season offers nothing that the service would refuse", async () => {
  const season = example("Season", { id: 1, name: "2026", status: "closed" });
  for (const step of ["basics", "paper", "results"]) {
    await plan({ status: "concluded", scheduled_date: at(-24), season: 1 }, { step, plugins: ["seasons", "imports"], replies: { "GET /seasons/": page([season]) } });
    await says(t("season.closed", { name: "2026" }));
    const offered = [...screen.queryAllByRole("button"), ...screen.queryAllByRole("link")].filter((each) => !each.matches(":disabled")).map(words);
    for (const act of ["exams.save", "exams.off", "exams.delete", "exams.fromPaper", "exams.changePaper", "results.toPrinted"]) ok(!offered.includes(t(/** @type {any} */ (act))), act);
    ok(offered.includes(t("exams.copy")));
  }
});

test("the buttons and fields of a closed season look and are disabled", async () => {
  const sheets = ["pages/static/style/tokens.css", "pages/static/style/pieces.css", "console/static/style.css"];
  await Promise.all(sheets.map((path) => new Promise((resolve, reject) => {
    const href = new URL(`../../../../competition/plugins/${path}`, import.meta.url).href;
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve, onerror: reject }));
  })));
  await plan({ status: "concluded", scheduled_date: at(-24), season: 1 }, { step: "basics", plugins: ["seasons"], replies: { "GET /seasons/": page([example("Season", { id: 1, status: "closed" })]) } });
  await says(t("season.toSeason", { name: example("Season").name }));
  const set = /** @type {HTMLFieldSetElement} */ (document.querySelector("fieldset:disabled"));
  /** @param {Element} each */
  const look = (each) => {
    const style = getComputedStyle(each);
    // Colours change slowly. Reading one of them starts the transitions.
    void style.color;
    for (const animation of document.getAnimations()) animation.finish();
    return [style.backgroundColor, style.borderTopColor, style.color, style.cursor];
  };
  for (const each of [await button("exams.save"), field("exams.title")]) {
    ok(each.matches(":disabled"));
    const closed = look(each);
    set.disabled = false;
    const open = look(each);
    set.disabled = true;
    closed.forEach((value, at) => ok(value !== open[at], `${value} ${open}`));
  }
});
