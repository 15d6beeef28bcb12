import { t } from "../../../../competition/plugins/console/static/exams/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { says, saysNo } from "../../kit/said.js";
import { click, screen, waitFor } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";

const PREVIEW = "GET /exams/{exam_id}/preview/";

/** @param {number} count @param {string} [query] */
async function preview(count, query = "") {
  const questions = Array.from({ length: count }, (_, at) => example("PaperQuestion", { id: at + 11, text: `Question text ${at + 1}`, option_b: "2" }));
  const service = new Service({ [PREVIEW]: () => example(PREVIEW, { id: 7, title: "Screening", countdown_minutes: 60, description: "No calculators.", questions }) });
  await open(`/console/exams/7/preview${query}`, { as: staff("admin"), service });
  await says(t("exams.previewNote"));
  return service;
}
const at = (/** @type {number} */ number, count = 3) => screen.findByRole("heading", { name: t("exams.questionOf", { number, count }), level: 2 });

test("the preview shows the paper as candidates see it, and keeps the choices", async () => {
  await preview(3);
  await at(1);
  await says("No calculators.");
  await says(t("exams.timeLeft", { time: "1:00:00" }));
  equal(screen.queryByRole("link", { name: t("exams.previous") }), null);
  await click(screen.getAllByRole("radio")[1]);
  await screen.findByRole("link", { name: t("exams.questionAnswered", { number: "1" }) });
  await click(screen.getByRole("link", { name: t("exams.next") }));
  await at(2);
  await saysNo("No calculators.");
  equal(location.search, "?question=2");
  equal(screen.getAllByRole("radio").filter((/** @type {any} */ each) => each.checked).length, 0);
  await click(screen.getByRole("link", { name: t("exams.previous") }));
  await at(1);
  equal(location.search, "");
  equal(screen.getAllByRole("radio").map((/** @type {any} */ each) => each.checked), [false, true, false, false]);
});

for (const [query, number] of /** @type {[string, number][]} */ ([["3", 3], ["9", 3], ["0", 1], ["x", 1]])) {
  test(`the address names the question: ${query}`, async () => {
    await preview(3, `?question=${query}`);
    await at(number);
    equal(screen.queryAllByRole("link", { name: t("exams.next") }).length, number === 3 ? 0 : 1);
  });
}

test("a paper without questions leads to the paper", async () => {
  await preview(0);
  equal((await screen.findByRole("link", { name: t("exams.choose") })).getAttribute("href"), "/console/exams/7/paper");
});

test("the preview is read again when the user comes back to its tab", async () => {
  const service = await preview(3);
  await at(1);
  document.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => equal(service.sent(PREVIEW).length, 2));
  ok(await at(1));
});
