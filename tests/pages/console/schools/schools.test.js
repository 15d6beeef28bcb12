import { t } from "../../../../competition/plugins/console/static/schools/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { arrived, says } from "../../kit/said.js";
import { click, fill, screen, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const ONE = "GET /schools/{school_id}/";
const ADD = "POST /schools/";
const PREVIEW = "POST /schools/{school_id}/merge/preview/";
const MERGE = "POST /schools/{school_id}/merge/";
const TEACHER = "POST /schools/{school_id}/teachers/";
const plugins = ["schools", "teachers", "imports"];
const WEST = example("School", { id: 1, name: "West", code: null, candidates: 3, aliases: [{ id: 5, name: "Westend" }], teachers: 1 });

/** @param {Record<string, any>} [replies] */
const league = (replies) => new Service({
  "GET /schools/": () => page([WEST]),
  [ONE]: WEST,
  "GET /schools/{school_id}/teachers/": () => page([]),
  ...replies,
});
/** @param {string} path @param {string} role @param {Service} service */
const opened = (path, role, service) => open(`/console/schools${path}`, { as: staff(role), service, plugins });
const press = async (/** @type {string} */ name) => click(await screen.findByRole("button", { name }));
const dialog = async () => within(await screen.findByRole("dialog"));

test("a moderator reads the list, and changes nothing", async () => {
  await opened("", "moderator", league());
  await says("Westend");
  equal(screen.getByRole("link", { name: "West" }).getAttribute("href"), "/console/schools/1");
  equal(screen.queryAllByRole("button", { name: t("schools.add") }).length, 0);
});

test("an admin adds a school", async () => {
  const service = league({ [ADD]: () => new Reply(201, WEST) });
  await opened("", "admin", service);
  await press(t("schools.add"));
  const shown = await dialog();
  await fill(shown.getByLabelText(t("schools.name")), "West");
  await click(shown.getByRole("button", { name: t("schools.add") }));
  await until(() => location.pathname === "/console/schools/1");
  equal(service.sent(ADD)[0]?.body, { name: "West", code: null, region: "" });
});

/** Name two schools, and see whom their merge concerns. @param {string} role */
async function merging(role) {
  const found = { candidates: 12, teachers: 1, allowances: 0, needs_manager: true };
  const service = league({ [PREVIEW]: found, [MERGE]: WEST });
  await opened("/1", role, service);
  await press(t("schools.merge"));
  const shown = await dialog();
  await fill(shown.getByLabelText(t("schools.names")), " Westend \n\nWest School");
  await fill(shown.getByLabelText(t("schools.reason")), "one school");
  await click(shown.getByRole("button", { name: t("schools.preview") }));
  await says(t("schools.concerned", { count: 12 }));
  equal(service.sent(PREVIEW)[0]?.body, { names: ["Westend", "West School"] });
  return service;
}

test("a merge shows whom it concerns before it is done", async () => {
  const service = await merging("manager");
  await says(t("schools.givesRights"));
  await click((await dialog()).getByRole("button", { name: t("schools.merge") }));
  await says(t("schools.merged", { name: "West" }));
  equal(service.sent(MERGE)[0]?.body, { names: ["Westend", "West School"], reason: "one school" });
});

test("a merge that fails is explained, and can be tried again", async () => {
  const service = await merging("manager");
  service.replies[MERGE] = () => refused(400, "invalid", "Two candidates have the same number.");
  await click((await dialog()).getByRole("button", { name: t("schools.merge") }));
  await says("Two candidates have the same number.");
  service.replies[MERGE] = WEST;
  await click((await dialog()).getByRole("button", { name: t("schools.merge") }));
  await says(t("schools.merged", { name: "West" }));
});

test("an admin can't do a merge that gives a teacher rights", async () => {
  const service = await merging("admin");
  await says(t("schools.onlyManagers"));
  equal((await dialog()).queryAllByRole("button", { name: t("schools.merge") }).length, 0);
  equal(service.sent(MERGE).length, 0);
});

test("a manager adds a teacher, and admins see none", async () => {
  const made = example("Teacher", { user: { first_name: "Ada", last_name: "Lovelace" }, status: "invited" });
  const service = league({ [TEACHER]: () => new Reply(201, made) });
  await opened("/1", "manager", service);
  await press(t("schools.addTeacher"));
  const shown = await dialog();
  await says(t("schools.vouch"));
  await fill(shown.getByLabelText(t("schools.firstName")), "Ada");
  await fill(shown.getByLabelText(t("schools.lastName")), "Lovelace");
  await fill(shown.getByLabelText(t("schools.email")), "ada@west.example");
  await click(shown.getByRole("button", { name: t("schools.addTeacher") }));
  await says(t("schools.added", { name: "Ada Lovelace" }));
  equal(service.sent(TEACHER)[0]?.body, { first_name: "Ada", last_name: "Lovelace", email: "ada@west.example" });
});

test("an admin sees no teachers", async () => {
  const service = league();
  await opened("/1", "admin", service);
  await arrived("West");
  await says(t("schools.aliases"));
  ok(!service.asked.some((each) => each.path.includes("teachers")), "Teachers were asked for.");
});
