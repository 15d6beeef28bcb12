import { t as day } from "../../../../competition/plugins/console/static/day/words.js";
import { t as results } from "../../../../competition/plugins/console/static/results/words.js";
import { t } from "../../../../competition/plugins/console/static/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, settled, staff } from "../../kit/front-end.js";
import { arrived, says } from "../../kit/said.js";
import { click, screen, within } from "../../kit/screen.js";
import { page, Reply, Service } from "../../kit/service.js";

const seasons = page([example("Season", { id: 2, name: "2027", status: "current" }), example("Season", { id: 1, name: "2026", status: "closed" })]);

for (const [path, offered] of /** @type {[string, () => string][]} */ ([
  ["printed", () => t("sitters.candidate")],
  ["day/time", () => day("day.reason")],
  ["regrades/new?question=1", () => results("results.reason")],
])) {
  test(`the page ${path} of an exam says that its season is closed, and offers no form`, async () => {
    for (const [season, isClosed] of /** @type {[number, boolean][]} */ ([[2, false], [1, true]])) {
      const service = new Service({
        "GET /exams/{exam_id}/": example("GET /exams/{exam_id}/", { season, question_count: 1 }),
        "GET /exams/{exam_id}/questions/": [example("Question", { id: 1 })],
        "GET /seasons/": seasons,
      });
      await open(`/console/exams/7/${path}`, { as: staff("admin"), service, plugins: ["seasons", "scores", "regrades", "allowances"] });
      if (isClosed) await says(t("season.closed", { name: "2026" }));
      else ok((await screen.findAllByLabelText(new RegExp(offered())))[0]);
      await settled(service);
      equal(screen.queryAllByLabelText(new RegExp(offered())).length > 0, !isClosed);
    }
  });
}

test("the results of an exam of a closed season offer its copy to admins, and those of another exam don't", async () => {
  const COPY = "POST /exams/{exam_id}/copy/";
  for (const [role, season, isOffered] of /** @type {[string, number, boolean][]} */ ([["moderator", 1, false], ["admin", 2, false], ["admin", 1, true]])) {
    const service = new Service({
      "GET /exams/{exam_id}/": example("GET /exams/{exam_id}/", { id: 7, title: "Round 1", season, status: "concluded" }),
      "GET /seasons/": seasons,
      [COPY]: () => new Reply(201, example("ExamCopy", { id: 9, left_out: [4] })),
    });
    await open("/console/exams/7/results", { as: staff(role), service, plugins: ["seasons"] });
    await arrived(results("results.title", { title: "Round 1" }));
    await settled(service);
    const button = screen.queryByRole("button", { name: t("exams.copy") });
    equal(button !== null, isOffered, `${role} ${season}`);
    if (!button) continue;
    click(button);
    click(within(await screen.findByRole("dialog", { name: t("exams.copyTitle", { title: "Round 1" }) })).getByRole("button", { name: t("exams.copyVerb") }));
    await says(t("exams.leftOut", { count: 1 }));
    equal([location.pathname, service.sent(COPY).length], ["/console/exams/9", 1]);
  }
});
