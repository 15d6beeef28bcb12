import { t } from "../../../../competition/plugins/console/static/day/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { drawn, open, staff } from "../../kit/front-end.js";
import { says } from "../../kit/said.js";
import { click, fill, press, screen, waitFor, within } from "../../kit/screen.js";
import { page, Reply, Service } from "../../kit/service.js";

const PLUGINS = ["allowances", "clarifications"];
const FORM = "/console/exams/7/day/time";
const GIVE = "POST /exams/{exam_id}/allowances/";
const ADA = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a007";
const seat = (/** @type {string} */ name, id = ADA) => example("WatchedSeat", { candidate: { user_id: id, full_name: name, school: "Hillside" }, state: "sitting" });

/** @param {Record<string, any>} [replies] */
const service = (replies) =>
  new Service({
    "POST /exams/{exam_id}/allowances/preview/": example("AllowancePreview", { affected: 1, can_start: 3, people: [example("AffectedPerson", { full_name: "Ada Obi" })] }),
    [GIVE]: () => new Reply(201, example("Allowance", { candidate_id: ADA, candidate: { user_id: ADA, full_name: "Ada Obi", school: "Hillside" }, extra_minutes: 10, affected: 1 })),
    "GET /candidates/{candidate_id}/": example("GET /candidates/{candidate_id}/", { user: { id: ADA, first_name: "Ada", last_name: "Obi" }, school: "Hillside" }),
    "GET /exams/{exam_id}/invigilation/": example("GET /exams/{exam_id}/invigilation/", { status: "ongoing", ...page([seat("Ada Obi")]) }),
    ...replies,
  });

const label = (/** @type {string} */ text) => screen.findByLabelText(text);

/** Choose minutes, and preview. */
async function minutes() {
  click(await label(t("day.minutes")));
  fill(await label(t("day.extraMinutes")), "10");
  fill(screen.getByLabelText(t("day.reason")), "Fire alarm");
}
async function preview() {
  await drawn();
  click(screen.getByRole("button", { name: t("day.preview") }));
}

test("one candidate gets minutes, and what was typed stays if the user declines", async () => {
  const giving = service();
  await open(`${FORM}?candidate=${ADA}`, { as: staff("admin"), service: giving, plugins: PLUGINS });
  ok((await label("Ada Obi, Hillside")).checked);
  await minutes();
  await preview();
  await says(t("day.gives", { count: 1, time: "10 min" }));
  click(screen.getByRole("button", { name: "Cancel" }));
  equal(giving.sent(GIVE).length, 0);
  equal((await label(t("day.reason"))).value, "Fire alarm");
  await preview();
  click(await screen.findByRole("button", { name: t("day.giveTo", { count: 1 }) }));
  await says(t("day.gave", { count: 1, whom: "Ada Obi", time: "10 min" }));
  equal(location.search, "?tab=time");
  equal(giving.sent(GIVE).map(({ body }) => body), [{ reason: "Fire alarm", candidate_id: ADA, extra_minutes: 10 }]);
});

test("everybody gets minutes", async () => {
  const giving = service();
  await open(FORM, { as: staff("admin"), service: giving, plugins: PLUGINS });
  click(await label(t("day.everyone")));
  await minutes();
  await preview();
  click(await screen.findByRole("button", { name: t("day.giveTo", { count: 1 }) }));
  await waitFor(() => equal(giving.sent(GIVE)[0]?.body, { reason: "Fire alarm", everyone: true, extra_minutes: 10 }));
});

test("a school gets back the time that an outage took, in whole minutes", async () => {
  const giving = service({ "GET /schools/names/": ({ query }) => ({ results: query.get("search") === "Hillside" ? ["Hillside School"] : [] }) });
  await open(`${FORM}?school=Hillside+&from=2026-03-10T09:57:31Z&until=2026-03-10T10:00:00.000Z`, { as: staff("admin"), service: giving, plugins: PLUGINS });
  equal((await label(t("day.school"))).value, "Hillside ");
  equal(screen.getByLabelText(t("day.reason")).value, t("day.outage"));
  await waitFor(() => ok(document.querySelector("datalist option[value='Hillside School']")));
  await preview();
  click(await screen.findByRole("button", { name: t("day.giveTo", { count: 1 }) }));
  const lost = { from: "2026-03-10T09:57:00Z", until: "2026-03-10T10:00:00.000Z" };
  await waitFor(() => equal(giving.sent(GIVE)[0]?.body, { reason: t("day.outage"), school: "Hillside", lost }));
});

test("a candidate is chosen in the form and nothing that was typed is lost", async () => {
  const people = [seat("Ada Obi"), seat("Ben Obi", "8f14e45f-ceea-467f-a1d5-d1b1c3b3a008")];
  const giving = service({
    "GET /exams/{exam_id}/invigilation/": (/** @type {any} */ { query }) =>
      example("GET /exams/{exam_id}/invigilation/", page(people.filter((each) => each.candidate.full_name.toLowerCase().includes(query.get("search") ?? "")))).results.length === 2
        ? example("GET /exams/{exam_id}/invigilation/", page(people))
        : example("GET /exams/{exam_id}/invigilation/", page([people[0]])),
  });
  await open(FORM, { as: staff("admin"), service: giving, plugins: PLUGINS });
  await minutes();
  click(screen.getByLabelText(t("day.oneCandidate")));
  await preview();
  await waitFor(() => ok(within(screen.getByRole("alert")).getByText(new RegExp(t("day.chooseCandidate")))));
  const search = screen.getByLabelText(t("sitters.candidate"));
  fill(search, "obi");
  await says(t("sitters.found", { count: 2 }));
  press("Enter", search);
  await waitFor(() => ok(document.activeElement?.textContent?.includes("Ada Obi")));
  fill(search, "ada");
  await drawn();
  // It chooses the candidate, and does not send the form.
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  search.dispatchEvent(enter);
  ok(enter.defaultPrevented);
  ok((await label("Ada Obi, Hillside")).checked);
  equal(/** @type {HTMLInputElement} */ (document.activeElement).value, "minutes");
  equal(screen.getByLabelText(t("day.reason")).value, "Fire alarm");
  await preview();
  click(await screen.findByRole("button", { name: t("day.giveTo", { count: 1 }) }));
  await waitFor(() => equal(giving.sent(GIVE)[0]?.body.candidate_id, ADA));
});

test("time that running attempts have got can't be taken back", async () => {
  const lost = { from: "2026-03-10T09:00:00Z", until: "2026-03-10T09:10:00Z" };
  const given = [1, 0].map((affected, id) => example("Allowance", { id, school: `School ${id}`, extra_minutes: null, lost, affected }));
  await open("/console/exams/7/day?tab=time", { as: staff("admin"), service: service({ "GET /exams/{exam_id}/allowances/": page(given) }), plugins: PLUGINS });
  const rows = await screen.findAllByRole("row", { name: /School/ });
  equal(rows.map((/** @type {any} */ row) => within(row).queryAllByRole("button", { name: t("day.takeBack") }).length), [0, 1]);
  await says(t("day.isUsed"));
});

test("an allowance is taken back after a confirmation", async () => {
  const given = example("Allowance", { id: 3, everyone: true, extra_minutes: 10 });
  const giving = service({ "GET /exams/{exam_id}/allowances/": page([given]), "DELETE /exams/{exam_id}/allowances/{allowance_id}/": undefined });
  giving.replies["DELETE /exams/{exam_id}/allowances/{allowance_id}/"] = () => undefined;
  await open("/console/exams/7/day?tab=time", { as: staff("admin"), service: giving, plugins: PLUGINS });
  click(await screen.findByRole("button", { name: t("day.takeBack") }));
  const dialog = await screen.findByRole("dialog");
  equal(giving.sent("DELETE /exams/{exam_id}/allowances/{allowance_id}/").length, 0);
  click(within(dialog).getByRole("button", { name: t("day.takeBack") }));
  await says(t("day.tookBack"));
  equal(giving.sent("DELETE /exams/{exam_id}/allowances/{allowance_id}/")[0]?.params.allowance_id, "3");
});
