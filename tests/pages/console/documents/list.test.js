import { t } from "../../../../competition/plugins/console/static/documents/words.js";
import { equal, test } from "../../kit/cases.js";
import { stopClock, until as so } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { words } from "../../kit/said.js";
import { click, frame, screen } from "../../kit/screen.js";
import { page, Service } from "../../kit/service.js";

// The longest time between two polls, in seconds.
const POLLED = 73;

/** @param {string} name @param {Record<string, any>} [more] */
const item = (name, more) => example("VerificationItem", { user_id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a0${10 + name.length}`, full_name: name, role: "screening", is_pending: true, ...more });

/** @type {any[]} The waiting requests, and the decided ones. */
let rows = [];
/** @type {ReturnType<typeof stopClock>} */
let clock;
/** @param {() => any} isSo */
const until = (isSo) =>
  so(() => {
    void clock.passes(0);
    return isSo();
  }, String(isSo));
const rowOf = (/** @type {string} */ name) => screen.queryByRole("row", { name: new RegExp(name) });
const returns = () => document.dispatchEvent(new Event("visibilitychange"));

/** @param {any[]} shown @param {string} [query] */
async function list(shown, query = "") {
  rows = shown;
  const service = new Service({ "GET /user/verification/list/": () => page(rows) });
  clock = stopClock();
  await open(`/console/documents${query}`, { as: staff("manager"), service });
  if (shown.length) await until(() => rowOf(shown[0].full_name));
  // The list is read again when the number of requests is known.
  for (let at = 0; at < 3; at += 1) {
    await frame();
    await clock.passes(1);
  }
  return service;
}

test("requests that arrive are shown after a click, so that no row moves while it is pressed", async () => {
  await list([item("Ada")]);
  await until(() => words().includes("1"));
  rows = [item("Ada"), item("Benn"), item("Chloé")];
  await clock.passes(POLLED);
  await until(() => words().includes(t("documents.arrived", { count: 2 })));
  equal(rowOf("Benn"), null);
  await click(screen.getByRole("button", { name: t("arrivals.show") }));
  await until(() => rowOf("Benn"));
  await until(() => !words().includes(t("documents.arrived", { count: 2 })));
});

test("requests that a colleague has decided on disappear at once", async () => {
  await list([item("Ada"), item("Benn")]);
  rows = [item("Benn")];
  await clock.passes(POLLED);
  await until(() => !rowOf("Ada"));
  equal(screen.queryByRole("button", { name: t("arrivals.show") }), null);
});

test("all requests are shown when the user comes back to the tab", async () => {
  await list([item("Ada")]);
  rows = [item("Ada"), item("Benn")];
  returns();
  await until(() => rowOf("Benn"));
  await until(() => !screen.queryByRole("button", { name: t("arrivals.show") }));
});

test("the decision of another manager appears in the list of decisions", async () => {
  const service = await list([], "?tab=approved");
  await until(() => words().includes(t("documents.noneDecided")));
  const tunde = example("StaffProfile", { user: { first_name: "Tunde", last_name: "Bello" } });
  rows = [item("Ada", { is_pending: false, is_approved: true, reviewed_by: tunde, reviewed_at: "2026-03-10T10:00:00Z" })];
  await clock.passes(POLLED);
  await until(() => rowOf("Ada")?.textContent?.includes("Tunde Bello"));
  equal(service.asked.find((each) => each.query.get("is_approved"))?.query.get("ordering"), "-reviewed_at");
  // The tab counts only what waits.
  equal(rowOf("Ada")?.textContent?.includes(t("documents.approved")), true);
});

test("a row says what is requested, and whether a similar account exists", async () => {
  await list([
    item("Ada"),
    item("Benn", { is_pending: false, is_approved: true, changes: [{ field: "school", old: "x", new: "y" }] }),
    item("Chloé", { is_pending: false, is_rejected: true, role: "volunteer", similar_accounts: [example("SimilarAccount")] }),
  ]);
  const says = (/** @type {string} */ name, /** @type {any} */ key) => equal(rowOf(name)?.textContent?.includes(t(key)), true, key);
  says("Ada", "documents.new");
  says("Ada", "people.stage.screening");
  says("Benn", "documents.changed");
  says("Chloé", "documents.rejected");
  says("Chloé", "documents.similarTag");
  says("Chloé", "staff.role.volunteer");
  equal(words().split(t("documents.similarTag")).length, 2);
});
