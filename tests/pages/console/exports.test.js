// Exports: what is downloaded, with which filters, and what a rejection says.

import { t as people } from "../../../competition/plugins/console/static/people/words.js";
import { t as results } from "../../../competition/plugins/console/static/results/words.js";
import { t } from "../../../competition/plugins/console/static/words.js";
import { equal, test } from "../kit/cases.js";
import { example } from "../kit/examples.js";
import { open, staff } from "../kit/front-end.js";
import { named, says } from "../kit/said.js";
import { click, screen, waitFor, within } from "../kit/screen.js";
import { page, refused, Reply, Service } from "../kit/service.js";

const CANDIDATES = "GET /exports/candidates/";
const RESULTS = "GET /exports/exams/{exam_id}/results/";
const ANSWERS = "GET /exports/exams/{exam_id}/answers/";
const file = (/** @type {string} */ name) => new Reply(200, new Blob(["a"]), { "Content-Disposition": `attachment; filename="${name}"` });
const button = () => ({ name: t("exports.export") });
const download = async () => click(within(screen.getByRole("dialog")).getByRole("button", { name: t("exports.download") }));
const option = (/** @type {string} */ name) => within(screen.getByRole("dialog")).getByLabelText(name);

/** The names under which the browser saves files. */
function saved() {
  /** @type {string[]} */
  const names = [];
  HTMLAnchorElement.prototype.click = function () {
    names.push(this.download);
  };
  return names;
}

/** @param {string} path @param {Record<string, any>} replies @param {{ role?: string, plugins?: string[] }} [how] */
async function visit(path, replies, { role = "admin", plugins = ["exports"] } = {}) {
  const service = new Service({ "GET /candidates/": () => example("GET /candidates/", page([])), ...replies });
  await open(`/console${path}`, { as: staff(role), service, plugins });
  await screen.findByRole("heading", { level: 1 });
  return service;
}

test("a list is exported with its filters, and the file has the service's name", async () => {
  const names = saved();
  const service = await visit("/candidates?role=league&search=obi&page=2", { [CANDIDATES]: () => file("candidates-2026.csv") });
  await click(await screen.findByRole("button", button()));
  await says(t("exports.filtered"));
  await click(option(t("exports.format.csv")));
  await download();
  await says(t("exports.saved", { name: "candidates-2026.csv" }));
  equal([Object.fromEntries(service.sent(CANDIDATES)[0]?.query ?? []), names], [{ role: "league", search: "obi", format: "csv" }, ["candidates-2026.csv"]]);
});

test("an exam's results and answers are exported, also with one file per school", async () => {
  saved();
  const service = await visit("/exams/7/results", { [RESULTS]: () => file("results.zip"), [ANSWERS]: () => refused(403, "permission_denied", "Wait until the exam is over.") });
  await click(await screen.findByRole("button", button()));
  await click(option(results("results.absent")));
  await click(option(t("exports.perSchool")));
  await download();
  await waitFor(() => equal(Object.fromEntries(service.sent(RESULTS)[0]?.query ?? []), { format: "xlsx", per_school: "true", absent: "true" }));
  await waitFor(() => equal(screen.queryByRole("dialog"), null));
  await click(await screen.findByRole("button", button()));
  await click(option(results("results.answers")));
  await download();
  await says("Wait until the exam is over.", screen.getByRole("dialog"));
});

for (const [what, how] of /** @type {[string, { role?: string, plugins?: string[] }][]} */ ([
  ["moderators", { role: "moderator" }],
  ["a league without the plugin", { plugins: [] }],
])) {
  test(`there is no export of candidates for ${what}`, async () => {
    await visit("/candidates", {}, how);
    await says(people("people.none"));
    equal(named("button").includes(button().name), false);
  });
}
