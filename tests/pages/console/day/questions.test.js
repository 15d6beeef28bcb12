import { t } from "../../../../competition/plugins/console/static/day/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { drawn, open, push, staff } from "../../kit/front-end.js";
import { says, saysNo } from "../../kit/said.js";
import { click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const PLUGINS = ["allowances", "clarifications"];
const ANSWER = "POST /clarifications/{clarification_id}/answer/";
const ANNOUNCE = "POST /exams/{exam_id}/announcements/";
const asked = example("Clarification", { id: 5, text: "Is zero natural?", candidate: { user_id: "8f14e45f-ceea-467f-a1d5-d1b1c3b3a001", full_name: "Ada Obi", school: "Hillside" } });

/** @param {Record<string, any>} [replies] */
const service = (replies) =>
  new Service({
    "GET /exams/{exam_id}/invigilation/": example("GET /exams/{exam_id}/invigilation/", { status: "ongoing", ...page([]) }),
    "GET /exams/{exam_id}/clarifications/": page([asked]),
    "GET /exams/{exam_id}/announcements/preview/": example("GET /exams/{exam_id}/announcements/preview/", { affected: 2 }),
    [ANSWER]: { ...asked, status: "answered", answer: "Yes." },
    ...replies,
  });

/** @param {Service} answering */
async function answerOpen(answering) {
  await open("/console/exams/7/day?tab=questions", { as: staff("admin"), service: answering, plugins: PLUGINS });
  click(await screen.findByRole("button", { name: new RegExp(`${t("day.answerIt")} Ada Obi`) }));
  fill(await screen.findByLabelText(t("day.answer")), "Yes.");
}

test("an answer to all is sent after the number is confirmed", async () => {
  const answering = service();
  await answerOpen(answering);
  click(screen.getByLabelText(t("day.toAll")));
  await drawn();
  click(screen.getByRole("button", { name: t("day.sendAnswer") }));
  const verb = await screen.findByRole("button", { name: t("day.answerTo", { count: 2 }) });
  equal(answering.sent(ANSWER).length, 0);
  click(verb);
  await says(t("day.answerSent"));
  equal(answering.sent(ANSWER).map(({ params, body }) => [params.clarification_id, body]), [["5", { answer: "Yes.", public: true, only_if_open: true }]]);
});

test("an answer to one candidate is sent at once", async () => {
  const answering = service();
  await answerOpen(answering);
  click(screen.getByLabelText(t("day.toOne", { name: "Ada Obi" })));
  await drawn();
  click(screen.getByRole("button", { name: t("day.sendAnswer") }));
  await says(t("day.answerSent"));
  equal(answering.sent(ANSWER)[0]?.body, { answer: "Yes.", public: false, only_if_open: true });
});

test("an unsent answer stays if another moderator answers first, and sending it replaces the answer", async () => {
  const answering = service();
  await answerOpen(answering);
  answering.replies["GET /exams/{exam_id}/clarifications/"] = page([]);
  push("console", "exam_question", { exam: 7 });
  await says(t("day.answeredMeanwhile"));
  equal(screen.getByLabelText(t("day.answer")).value, "Yes.");
  click(screen.getByLabelText(t("day.toOne", { name: "Ada Obi" })));
  await drawn();
  click(screen.getByRole("button", { name: t("day.sendAnswer") }));
  await says(t("day.answerSent"));
  equal(answering.sent(ANSWER)[0]?.body.only_if_open, false);
});

test("an answer that is rejected because there is one reads the questions again", async () => {
  const answering = service({ [ANSWER]: () => refused(412, "precondition_failed") });
  await answerOpen(answering);
  click(screen.getByLabelText(t("day.toOne", { name: "Ada Obi" })));
  answering.replies["GET /exams/{exam_id}/clarifications/"] = page([]);
  await drawn();
  click(screen.getByRole("button", { name: t("day.sendAnswer") }));
  await says(t("day.answeredMeanwhile"));
  equal(screen.getByLabelText(t("day.answer")).value, "Yes.");
});

test("a question is dismissed after a confirmation", async () => {
  const answering = service({ [ANSWER]: { ...asked, status: "dismissed" } });
  await open("/console/exams/7/day?tab=questions", { as: staff("moderator"), service: answering, plugins: PLUGINS });
  click(await screen.findByRole("button", { name: t("day.dismiss") }));
  await saysNo(t("day.firstOpen", { shown: 1, count: 1 }));
  click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("day.dismiss") }));
  await waitFor(() => equal(answering.sent(ANSWER)[0]?.body, { dismiss: true, only_if_open: true }));
});

test("a day with very many open questions says that it shows the oldest", async () => {
  const pagination = { ...page([]).pagination, count: 101, has_next: true };
  await open("/console/exams/7/day?tab=questions", { as: staff("admin"), service: service({ "GET /exams/{exam_id}/clarifications/": page([asked], { pagination }) }), plugins: PLUGINS });
  await says(t("day.firstOpen", { shown: 1, count: 101 }));
});

test("an announcement first shows the number of its recipients", async () => {
  const sent = example("Announcement", { text: "Question 3 is about integers." });
  const announcing = service({ [ANNOUNCE]: () => new Reply(201, sent) });
  await open("/console/exams/7/day?tab=announcements", { as: staff("moderator"), service: announcing, plugins: PLUGINS });
  fill(await screen.findByLabelText(t("day.announcement")), sent.text);
  await drawn();
  click(screen.getByRole("button", { name: t("day.preview") }));
  const verb = await screen.findByRole("button", { name: t("day.announceTo", { count: 2 }) });
  ok(within(screen.getByRole("dialog")).getByText(sent.text));
  equal(announcing.sent(ANNOUNCE).length, 0);
  click(verb);
  await says(t("day.announced"));
  equal(announcing.sent(ANNOUNCE).map(({ body, headers }) => [body, headers.has("Idempotency-Key")]), [[{ text: sent.text }, true]]);
  equal(screen.getByLabelText(t("day.announcement")).value, "");
});
