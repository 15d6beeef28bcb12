import { t } from "../../../../competition/plugins/console/static/people/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff, visit } from "../../kit/front-end.js";
import { named, says, saysNo, words } from "../../kit/said.js";
import { choose, click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const ID = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a002";
const NAME = "Amara Obi";
const user = { id: ID, first_name: "Amara", last_name: "Obi", is_email_verified: true };

/** @param {Record<string, any>} [values] */
const amara = (values) => example("CandidateDetail", { user, school: "Hillside School", is_active: true, is_user_verified: true, allowances: { percent: 0 }, ...values });

/**
 * @param {Record<string, any>} replies
 * @param {{ role?: string, candidate?: Record<string, any>, plugins?: string[] }} [options]
 */
async function show(replies, { role = "admin", candidate, plugins = [] } = {}) {
  const service = new Service({ "GET /candidates/{candidate_id}/": () => amara(candidate), ...replies });
  await open(`/console/candidates/${ID}`, { as: staff(role), service, plugins });
  await screen.findByRole("heading", { name: NAME, level: 1 });
  await screen.findByRole("heading", { name: t("people.exams"), level: 2 });
  return service;
}

const button = (/** @type {string} */ name) => screen.getByRole("button", { name });
const headings = () => named("heading").slice(1);
const planned = (/** @type {number} */ id) => example("GET /exams/", page([example("ExamListItem", { id, title: `Exam ${id}` })]));
const available = (/** @type {string} */ title, id = 5, more = {}) => example("AvailableExam", { id, title, question_count: 40, ...more });

test("only managers see the documents, the history and the account, and nobody assigns a stage to an unverified candidate", async () => {
  await show({}, { candidate: { is_user_verified: false } });
  for (const each of ["people.documents", "people.history", "people.account"]) ok(!headings().includes(t(each)), each);
  equal(["people.edit", "activation.deactivate", "people.delete", "people.assign"].flatMap((each) => screen.queryAllByRole("button", { name: t(each) })).length, 0);
});

test("a manager sees them", async () => {
  await show({ "GET /users/deletions/": () => example("GET /users/deletions/", { deletion_days: 14 }) }, { role: "manager" });
  for (const each of ["people.documents", "people.history", "people.account"]) ok(headings().includes(t(each)), each);
  for (const each of ["people.edit", "activation.deactivate", "people.delete", "people.assign"]) ok(button(t(each)));
  await says(t("people.erasedAfter", { count: 14 }));
});

test("extra time is given in the exam that is open, with a reason, and the page is read again", async () => {
  const service = await show(
    {
      "GET /exams/": ({ query }) => planned(query.get("status") === "ongoing" ? 5 : 6),
      "POST /exams/{exam_id}/allowances/": ({ body }) => new Reply(201, example("POST /exams/{exam_id}/allowances/", { extra_minutes: body.extra_minutes })),
    },
    { candidate: { records: { available_exams: [available("Screening 2")] } } },
  );
  const read = () => service.sent("GET /candidates/{candidate_id}/").length;
  const before = read();
  await click(button(t("people.give")));
  const dialog = await screen.findByRole("dialog");
  await fill(await within(dialog).findByLabelText(t("people.minutes")), "10");
  equal(/** @type {any} */ (within(dialog).getByLabelText(t("people.exam"))).value, "5");
  await click(within(dialog).getByRole("button", { name: t("people.give") }));
  await within(dialog).findByRole("alert");
  equal(service.sent("POST /exams/{exam_id}/allowances/").length, 0);
  await fill(within(dialog).getByLabelText(t("people.reason")), "The room was flooded.");
  await click(within(dialog).getByRole("button", { name: t("people.give") }));
  await says(t("people.gave", { name: NAME, count: 10 }));
  const [sent] = service.sent("POST /exams/{exam_id}/allowances/");
  equal([sent?.params.exam_id, sent?.body], ["5", { candidate_id: ID, extra_minutes: 10, reason: "The room was flooded.", everyone: false }]);
  ok(sent?.headers.get("Idempotency-Key"));
  ok(read() > before);
});

test("no exam is suggested among several planned ones", async () => {
  await show({ "GET /exams/": ({ query }) => planned(query.get("status") === "ongoing" ? 5 : 6) });
  await click(button(t("people.give")));
  equal((await screen.findByLabelText(t("people.exam"))).value, "");
});

test("a candidate without a planned exam can't get extra minutes", async () => {
  const service = await show({}, { candidate: { role: "winner" } });
  await click(button(t("people.give")));
  await says(t("people.noPlannedExam", { stage: t("people.stage.winner") }));
  // A winner has no exams.
  equal(service.sent("GET /exams/").length, 0);
  await click(button(t("people.cancel")));
  await saysNo(t("people.noPlannedExam", { stage: t("people.stage.winner") }));
});

for (const [typed, key] of [["25", "people.percentSaved"], ["0", "people.percentRemoved"]]) {
  test(`extra time of ${typed} percent is saved with a reason`, async () => {
    const service = await show({ "PUT /candidates/{candidate_id}/allowance/": ({ body }) => example("PUT /candidates/{candidate_id}/allowance/", body) });
    await click(button(t("people.changePercent")));
    await fill(await screen.findByLabelText(t("people.percentField")), typed);
    await fill(screen.getByLabelText(t("people.reason")), "Letter of 3 November");
    await click(button(t("people.save")));
    await says(t(/** @type {any} */ (key), { name: NAME, percent: Number(typed) }));
    equal(service.sent("PUT /candidates/{candidate_id}/allowance/")[0]?.body, { percent: Number(typed), reason: "Letter of 3 November" });
  });
}

test("a stage is assigned", async () => {
  const service = await show({ "PUT /candidates/{candidate_id}/roles/assign/": ({ body }) => example("PUT /candidates/{candidate_id}/roles/assign/", body) });
  await click(button(t("people.assign")));
  const stage = await screen.findByLabelText(t("people.stage"));
  equal([...stage.options].map((each) => each.value), ["screening", "league", "final", "winner"]);
  await choose(stage, t("people.stage.league"));
  await click(within(screen.getByRole("dialog")).getByRole("button", { name: t("people.assign") }));
  await says(t("people.assigned", { name: NAME, stage: t("people.stage.league") }));
  equal(service.sent("PUT /candidates/{candidate_id}/roles/assign/")[0]?.body, { role: "league" });
});

test("an error keeps the dialog open", async () => {
  await show({ "PUT /candidates/{candidate_id}/roles/assign/": () => refused(404, "not_found") });
  await click(button(t("people.assign")));
  const dialog = await screen.findByRole("dialog");
  await click(within(dialog).getByRole("button", { name: t("people.assign") }));
  await within(dialog).findByRole("alert");
});

test("extra minutes can be taken back until the candidate starts, unless a school or everybody has them", async () => {
  const given = (/** @type {number} */ id, exam = 5, more = {}) => example("GivenTime", { id, exam, extra_minutes: 10, reason: `Reason ${id}`, candidate_id: ID, ...more });
  const seat = (/** @type {boolean} */ started) => example("WatchedSeat", { state: started ? "sitting" : "not_started", started_at: started ? "2026-03-10T09:00:00Z" : null, candidate: { user_id: ID } });
  const exams = [given(1), given(2, 5, { candidate_id: null, school: "Hillside School" }), given(3, 6), given(4, 7), given(5, 8)];
  const service = await show(
    {
      "DELETE /exams/{exam_id}/allowances/{allowance_id}/": () => undefined,
      "GET /exams/{exam_id}/invigilation/": ({ params }) => example("GET /exams/{exam_id}/invigilation/", page([seat(params.exam_id === "6")])),
    },
    { candidate: { allowances: { percent: 25, reason: "A letter", exams }, records: { available_exams: [available("Screening 2"), available("Running", 6)], performance: { exams_taken: [example("ExamTaken", { exam_id: 7 })] } } } },
  );
  await says(t("people.reasonWas", { reason: "A letter" }));
  const row = (/** @type {number} */ id) => screen.getByRole("row", { name: new RegExp(`Reason ${id}`) });
  const button = { name: t("people.takeBack") };
  await within(row(1)).findByRole("button", button);
  for (const id of [3, 4]) await says(t("people.isUsed"), row(id));
  within(row(5)).getByRole("button", button);
  equal(screen.getAllByRole("button", button).length, 2);
  await click(within(row(1)).getByRole("button", button));
  const dialog = await screen.findByRole("dialog", { name: t("people.takeBackOne", { exam: "Screening 2" }) });
  await click(within(dialog).getByRole("button", button));
  await says(t("people.takenBack", { exam: "Screening 2" }));
  equal(service.sent("DELETE /exams/{exam_id}/allowances/{allowance_id}/")[0]?.params, { exam_id: "5", allowance_id: "1" });
});

test("the open exams show the candidate's progress", async () => {
  const seats = {
    5: { state: "sitting", started_at: "2026-03-10T09:00:00Z", deadline: "2026-03-10T10:30:00Z", last_seen_at: "2026-03-10T09:58:00Z", answered: 12 },
    6: { state: "submitted", started_at: "2026-03-10T09:00:00Z", deadline: "2026-03-10T10:30:00Z", submitted_at: "2026-03-10T09:50:00Z", last_seen_at: "2026-03-10T09:49:00Z", answered: 40 },
    7: null,
  };
  const service = await show(
    {
      "GET /exams/{exam_id}/invigilation/": ({ params }) => {
        const seat = seats[/** @type {5} */ (Number(params.exam_id))];
        return example("GET /exams/{exam_id}/invigilation/", { server_time: "2026-03-10T10:00:00Z", ...page(seat ? [example("WatchedSeat", { ...seat, candidate: { user_id: ID } })] : []) });
      },
    },
    { candidate: { records: { available_exams: [available("Sitting"), available("Done", 6), available("Other stage", 7)] } } },
  );
  const item = async (/** @type {string} */ title) => (await screen.findByText(title)).closest("li");
  const [sitting, done, other] = [await item("Sitting"), await item("Done"), await item("Other stage")];
  equal(service.sent("GET /exams/{exam_id}/invigilation/").map((each) => each.query.get("candidate")), [ID, ID, ID]);
  for (const each of [t("people.seat.sitting"), t("people.answeredOf", { done: 12, of: 40 }), t("people.deadline"), "2 minutes ago"]) await says(each, sitting);
  equal(within(sitting).getByRole("link", { name: t("people.giveNow") }).getAttribute("href"), `/console/exams/5/day/time?candidate=${ID}`);
  ok(words(done).includes(t("people.submitted")));
  for (const each of ["people.deadline", "people.lastSeen", "people.giveNow"]) ok(!words(done).includes(t(/** @type {any} */ (each))), each);
  await says(t("people.noSeat"), other);
});

test("the exams have scores, and the submitted answers in a dialog", async () => {
  const question = (/** @type {number} */ id, /** @type {string} */ selected_option) => example("TakenAnswer", { question_id: id, question_text: `Question ${id}`, selected_option });
  const taken = (/** @type {number} */ exam_id, /** @type {string} */ exam_title, more = {}) => example("ExamTaken", { exam_id, exam_title, ...more });
  await show({}, {
    candidate: {
      records: {
        performance: {
          stats: { leaderboard_ranking: { current_rank: 2, total_candidates: 9 } },
          exams_taken: [
            taken(5, "Screening", { score: 71.25, submitted_at: "2026-03-09T09:00:00Z", handed_in_by: "service", submission: [question(1, "D"), question(2, "")] }),
            taken(6, "On paper", { score_submitted_by: "Maria Okafor" }),
          ],
        },
      },
    },
  });
  await says(t("people.rankOf", { rank: 2, count: 9 }));
  const row = (await screen.findByRole("rowheader", { name: "Screening" })).closest("tr");
  ok(words(row).includes("71.25") && words(row).includes(t("people.automatically")));
  equal(within(row).getByRole("link", { name: "Screening" }).getAttribute("href"), "/console/exams/5/results");
  await says(t("people.byStaff", { name: "Maria Okafor" }), screen.getByRole("row", { name: /On paper/ }));
  await says(t("people.noAnswers"), screen.getByRole("row", { name: /On paper/ }));
  await click(within(row).getByRole("button", { name: t("people.showAnswers", { count: 1 }) }));
  const dialog = await screen.findByRole("dialog", { name: "Screening" });
  equal(within(dialog).getAllByRole("radio").map((each) => each.checked), [false, false, false, true, false, false, false, false]);
  dialog.dispatchEvent(new Event("cancel", { cancelable: true }));
  await saysNo("Question 1");
});

test("questions, appeals and advancement are shown if their plugins are enabled", async () => {
  const question = (/** @type {number} */ id, more = {}) => example("OpenClarification", { id, exam: 5, exam_title: "League 1", ...more });
  const service = await show(
    {
      "GET /clarifications/": page([question(1, { text: "Is it drawn to scale?", status: "answered", answer: "It is not." }), question(2, { text: "May I use a ruler?" })]),
      "GET /appeals/": page([]),
      "GET /advancement/": page([example("AdvancementPlan", { id: 3, from_stage: "screening", to_stage: "league" })]),
    },
    { plugins: ["clarifications", "appeals", "advancement"] },
  );
  await says("It is not.", await screen.findByRole("row", { name: /Is it drawn to scale/ }));
  await says(t("day.isOpen"), screen.getByRole("row", { name: /May I use a ruler/ }));
  equal(screen.getAllByRole("link", { name: "League 1" })[0].getAttribute("href"), "/console/exams/5/day?tab=questions");
  await says(t("people.noAppeals"));
  const plan = t("advancement.fromTo", { from: t("advancement.stage.screening"), to: t("advancement.stage.league") });
  equal((await screen.findByRole("link", { name: plan })).getAttribute("href"), "/console/advancement/3");
  for (const each of ["GET /clarifications/", "GET /appeals/", "GET /advancement/"]) equal(service.sent(each)[0]?.query.get("candidate"), ID);
});

test("the exams, appeals and advancements of an earlier season are chosen by a tab", async () => {
  const past = { season: 1, name: "2026", stage: "final", school: "Riverside School", year: 4 };
  const of = (/** @type {any} */ query, /** @type {string} */ title) => (query.get("season") === "1" ? `${title} of 2026` : title);
  const service = await show(
    {
      "GET /candidates/{candidate_id}/": ({ query }) => amara({ seasons: [past], records: { performance: { exams_taken: [example("ExamTaken", { exam_id: 5, exam_title: of(query, "Round 1") })] } } }),
      "GET /appeals/": ({ query }) => page([example("Appeal", { exam_title: of(query, "Appealed") })]),
      "GET /advancement/": ({ query }) => page(query.get("season") === "1" ? [example("AdvancementPlan", { id: 3 })] : []),
    },
    { plugins: ["appeals", "advancement"] },
  );
  const tab = (/** @type {string} */ name) => within(screen.getByRole("navigation", { name: t("people.seasons") })).getByRole("link", { name });
  const isShown = (/** @type {string} */ name) => equal(tab(name).getAttribute("aria-current"), "page");
  await screen.findByRole("row", { name: /Round 1/ });
  isShown(t("people.season"));
  await says(t("people.notAdvanced"));
  await click(tab("2026"));
  for (const each of [/Round 1 of 2026/, /Appealed of 2026/]) ok(await screen.findByRole("row", { name: each }));
  for (const each of ["Riverside School", t("people.stage.final")]) await says(each);
  ok(screen.getByRole("link", { name: t("advancement.fromTo", { from: t("advancement.stage.screening"), to: t("advancement.stage.league") }) }));
  // A closed season has no live ranks.
  await saysNo(t("people.noRank"));
  isShown("2026");
  // An address may name a season that the candidate has not left.
  await visit(`/console/candidates/${ID}?season=2`);
  await says(t("people.notAdvanced"));
  isShown(t("people.season"));
  equal(service.sent("GET /candidates/{candidate_id}/").filter(({ query }) => query.get("season") === "2"), []);
});

test("empty lists say so, and a disabled plugin has no section", async () => {
  await show({ "GET /clarifications/": page([]), "GET /advancement/": page([]) }, { plugins: ["clarifications", "advancement"] });
  for (const each of ["people.noneAsked", "people.notAdvanced", "people.noExams", "people.noOpenExam"]) await says(t(/** @type {any} */ (each)));
  ok(!headings().includes(t("appeals.title")));
});

test("the page asks for no document, because the audit trail would say that it was read", async () => {
  const service = await show({}, { role: "manager" });
  equal(service.sent("GET /candidates/{candidate_id}/").map((each) => each.query.get("documents")), ["false"]);
});

test("an account is deleted after a question that says until when it can be restored", async () => {
  const service = await show(
    { "GET /users/deletions/": () => example("GET /users/deletions/", { deletion_days: 14 }), "DELETE /users/{user_id}/": () => new Reply(202, example("DELETE /users/{user_id}/", { erase_at: "2026-03-24T10:00:00Z" })) },
    { role: "manager" },
  );
  await click(button(t("people.delete")));
  const dialog = await screen.findByRole("dialog", { name: t("people.deleteOne", { name: NAME }) });
  await says(t("people.deletes", { name: NAME, count: 14 }), dialog);
  equal(service.sent("DELETE /users/{user_id}/").length, 0);
  await click(within(dialog).getByRole("button", { name: t("people.delete") }));
  await says(t("people.deleted", { name: NAME, day: "24 Mar 2026" }));
});

test("the page is read again when the user comes back to its tab", async () => {
  const service = await show({}, {});
  document.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => equal(service.sent("GET /candidates/{candidate_id}/").length, 2));
});
