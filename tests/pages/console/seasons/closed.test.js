import { t as day } from "../../../../competition/plugins/console/static/day/words.js";
import { t as results } from "../../../../competition/plugins/console/static/results/words.js";
import { t } from "../../../../competition/plugins/console/static/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, settled, staff } from "../../kit/front-end.js";
import { says } from "../../kit/said.js";
import { screen } from "../../kit/screen.js";
import { page, Service } from "../../kit/service.js";

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
