import { t } from "../../../../competition/plugins/console/static/day/words.js";
import { equal, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, settled, staff } from "../../kit/front-end.js";
import { says, saysNo } from "../../kit/said.js";
import { click, fill, screen, within } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";

const AMARA = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a077";
const REOPEN = "POST /exams/{exam_id}/attempts/{candidate_id}/reopen/";
const seat = example("WatchedSeat", { state: "submitted", candidate: { user_id: AMARA, full_name: "Amara Obi" } });

/** @param {string | null} rule @param {string} [rank] */
async function candidates(rule, rank = "admin") {
  const service = new Service({
    "GET /exams/{exam_id}/": example("GET /exams/{exam_id}/", { status: "ongoing", scores_visible: rule }),
    "GET /exams/{exam_id}/invigilation/": example("GET /exams/{exam_id}/invigilation/", { status: "ongoing", results: [seat] }),
    [REOPEN]: example(REOPEN),
  });
  await open("/console/exams/3/day?tab=candidates", { as: staff(rank), service, plugins: ["drafts"] });
  await screen.findByRole("row", { name: /Amara Obi/ });
  return service;
}

test("a submission is taken back with a reason, after a question that says what it does", async () => {
  const service = await candidates("at_publication");
  click(screen.getByRole("button", { name: `${t("day.reopen")} Amara Obi` }));
  const dialog = await screen.findByRole("dialog");
  await says(t("day.reopens"));
  fill(within(dialog).getByLabelText(t("day.reopenReason")), "Sent by mistake.");
  fill(within(dialog).getByLabelText(t("day.reopenMinutes")), "5");
  await settled(service);
  click(within(dialog).getByRole("button", { name: t("day.reopenVerb") }));
  await says("Amara Obi can continue until");
  equal(service.sent(REOPEN).map(({ params, body }) => [params.candidate_id, body]), [[AMARA, { reason: "Sent by mistake.", extra_minutes: 5 }]]);
});

test("an exam that shows scores at once says so before", async () => {
  await candidates(null);
  await says(t("day.reopenAtOnce"));
});

test("an exam that shows scores later says nothing, and moderators get no button", async () => {
  await candidates("at_conclusion", "moderator");
  await saysNo(t("day.reopenAtOnce"));
  equal(screen.queryAllByRole("button", { name: /Amara Obi/ }).length, 0);
});
