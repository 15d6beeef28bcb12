import { t as day } from "../../../competition/plugins/console/static/day/words.js";
import { t as documents } from "../../../competition/plugins/console/static/documents/words.js";
import { t as people } from "../../../competition/plugins/console/static/people/words.js";
import { t } from "../../../competition/plugins/console/static/words.js";
import { equal, ok, test } from "../kit/cases.js";
import { stopClock, until as so } from "../kit/clock.js";
import { example } from "../kit/examples.js";
import { go, open, push, staff } from "../kit/front-end.js";
import { arrived, named, says, saysNo, words } from "../kit/said.js";
import { click, frame, press, screen, waitFor, within } from "../kit/screen.js";
import { page, Service } from "../kit/service.js";

const row = (/** @type {number} */ number, /** @type {string} */ first_name) => example("CandidateItem", { user: { id: `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${number}`, first_name, last_name: "Obi" } });
const PEOPLE = [row(2, "Ada"), row(3, "Ben")];

/** @param {string} path @param {string} role @param {Record<string, any>} [replies] @param {any} [modules] */
async function show(path, role, replies, modules) {
  const service = new Service({
    "GET /candidates/": page(PEOPLE),
    "GET /candidates/{candidate_id}/": example("CandidateDetail", { user: PEOPLE[0].user }),
    "GET /dashboard/staff/": example("StaffDashboard"),
    "GET /notifications/": example("GET /notifications/", page([])),
    "GET /exams/": example("GET /exams/", page([])),
    ...replies,
  });
  if (modules) service.config.modules = { portal: [], console: modules };
  await open(path, { as: staff(role), service, frame: true });
  await screen.findByRole("navigation", { name: t("navigation") });
  await screen.findByRole("heading", { level: 1 });
  await frame();
  return service;
}
const menu = () => within(screen.getByRole("navigation", { name: t("navigation") }));
const links = () => menu().getAllByRole("link").map((/** @type {any} */ each) => each.getAttribute("href"));
const key = async (/** @type {string} */ ...keys) => {
  for (const each of keys) await press(each, /** @type {HTMLElement} */ (document.activeElement ?? document.body));
};
const focused = () => words(document.activeElement ?? undefined);

for (const [role, hidden] of /** @type {[string, string[]][]} */ ([
  ["superadmin", []],
  ["manager", ["house/flags", "house/keys", "house/jobs", "house/mails"]],
  ["admin", ["house/flags", "house/keys", "house/jobs", "house/mails", "documents", "leaving", "broadcasts", "house/audit"]],
])) {
  test(`the navigation has no page that the role of a ${role} may not open`, async () => {
    await show("/console/", role);
    const found = links();
    equal(["documents", "leaving", "broadcasts", "house/audit", "house/flags", "house/keys", "house/jobs", "house/mails"].filter((each) => !found.includes(`/console/${each}`)).sort(), [...hidden].sort());
    ok(found.includes("/console/candidates") && found.includes("/console/account"));
  });
}

test("a volunteer has two pages", async () => {
  await show("/console/", "volunteer");
  equal(links(), ["/console/", "/console/account"]);
});

test("the navigation counts what waits", async () => {
  const todo = (/** @type {string} */ kind, /** @type {number} */ count) => example("WaitingTodo", { kind, count });
  await show("/console/account", "manager", {
    "GET /dashboard/staff/": example("StaffDashboard", { todo: [todo("verification.documents", 2), todo("appeals.open", 1), todo("x", 5)], current_exams: [example("CurrentExam", { status: "ongoing" }), example("CurrentExam", { id: 2, status: "scheduled" })] }),
  });
  for (const name of [`${t("home")} 3`, `${t("nav.documents")} 2`, `${t("nav.appeals")} 1`, `${t("nav.day")} 1`]) ok(await menu().findByRole("link", { name }), name);
  ok(menu().getByRole("link", { name: t("nav.exams") }));
});

test("the navigation counts again as soon as the to-dos change, on every page", async () => {
  const replies = { "GET /dashboard/staff/": example("StaffDashboard", { todo: [example("WaitingTodo", { kind: "appeals.open", count: 2 })] }) };
  const service = await show("/console/account", "admin", replies);
  // Once the socket is open, the counts are read again, too.
  push("console", "notification_activity", {});
  await waitFor(() => equal(service.sent("GET /dashboard/staff/").length, 2));
  await menu().findByRole("link", { name: `${t("nav.appeals")} 2` });
  service.replies["GET /dashboard/staff/"] = example("StaffDashboard", { todo: [example("WaitingTodo", { kind: "appeals.open", count: 1 })] });
  push("console", "todo_activity", {});
  ok(await menu().findByRole("link", { name: `${t("nav.appeals")} 1` }));
});

test("the navigation counts again once an exam is concluded", async () => {
  let status = "ongoing";
  const service = await show("/console/exams/7/day", "admin", {
    "GET /dashboard/staff/": () => example("StaffDashboard", { current_exams: status === "ongoing" ? [example("CurrentExam", { status })] : [] }),
    "GET /exams/{exam_id}/": () => example("GET /exams/{exam_id}/", { status }),
    "GET /exams/{exam_id}/invigilation/": () => example("GET /exams/{exam_id}/invigilation/", { status, ...page([]) }),
    "GET /exams/{exam_id}/conclude/preview/": example("GET /exams/{exam_id}/conclude/preview/", { affected: 0, people: [] }),
    "POST /exams/{exam_id}/conclude/": () => {
      status = "concluded";
      return example("POST /exams/{exam_id}/conclude/");
    },
  });
  await menu().findByRole("link", { name: `${t("nav.day")} 1` });
  click(await screen.findByRole("button", { name: day("day.conclude") }));
  click(within(await screen.findByRole("dialog")).getByRole("button", { name: day("day.concludeNow") }));
  await waitFor(() => equal(menu().queryByRole("link", { name: `${t("nav.day")} 1` }), null));
  equal(service.sent("GET /dashboard/staff/").length, 2);
});

test("the pages of an exam's day mark the day in the navigation, and its other pages mark the exams", async () => {
  const current = () => [...screen.getByRole("navigation", { name: t("navigation") }).querySelectorAll("[aria-current=page]")].map((each) => each.getAttribute("href"));
  const dashboard = { "GET /dashboard/staff/": example("StaffDashboard", { current_exams: [example("CurrentExam", { status: "ongoing" })] }) };
  await show("/console/exams/7/day/time", "admin", dashboard);
  await menu().findByRole("link", { name: `${t("nav.day")} 1` });
  equal(current(), ["/console/day"]);
  await go("/console/exams/7/results");
  await waitFor(() => equal(current(), ["/console/exams"]));
});

test("modules of other plugins add entries to a group, for a rank", async () => {
  await show("/console/account", "manager", {}, ["/tests/pages/console/addition.js"]);
  const entries = menu().getAllByRole("link").map((/** @type {any} */ each) => each.textContent.trim());
  equal(entries.slice(entries.indexOf(t("nav.leaving")), entries.indexOf(t("nav.leaving")) + 2), [t("nav.leaving"), "Imports"]);
  ok(!entries.includes("Secrets"));
});

test("keys search, move between rows, and go to pages", async () => {
  await show("/console/candidates?ordering=last_name", "manager");
  await screen.findByRole("link", { name: "Ada Obi" });
  for (const [pressed, name] of [["k", "Ada Obi"], ["j", "Ben Obi"], ["j", "Ben Obi"], ["k", "Ada Obi"], ["k", "Ada Obi"]]) {
    await key(pressed);
    equal(focused(), name);
  }
  for (const [pressed, name] of [["d", documents("documents.title")], ["x", t("exams")], ["h", t("home")], ["c", people("people.candidates")]]) {
    await key("g", pressed);
    await arrived(name);
  }
  await screen.findByRole("link", { name: "Ada Obi" });
  await key("/");
  const search = screen.getAllByRole("searchbox")[0];
  equal(document.activeElement === search, true);
  for (const each of "gd?jk/") await key(each);
  equal([location.pathname, screen.queryAllByRole("dialog").length, document.activeElement === search], ["/console/candidates", 0, true]);
});

test("the list of keys switches them off and on", async () => {
  await show("/console/candidates", "manager");
  const ada = await screen.findByRole("link", { name: "Ada Obi" });
  await key("?");
  const dialog = await screen.findByRole("dialog");
  await says(t("keys.go", { page: t("nav.documents") }), dialog);
  // No key works while a dialog is open, also after a click on its text.
  /** @type {HTMLElement} */ (document.activeElement)?.blur();
  await key("j");
  await key("g", "d");
  equal(location.pathname, "/console/candidates");
  const use = within(dialog).getByRole("checkbox");
  await click(use);
  await click(within(dialog).getByRole("button", { name: "Close" }));
  await key("j", "?");
  equal([screen.queryAllByRole("dialog").length, document.activeElement === ada], [0, false]);
  // The list can still be opened without a key.
  await click(screen.getByRole("button", { name: t("keys.button") }));
  await click(within(await screen.findByRole("dialog")).getByRole("checkbox"));
  await click(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }));
  await key("j");
  equal(document.activeElement === ada, true);
});

test("the list of keys has only pages that the role may open", async () => {
  await show("/console/", "volunteer");
  await key("?");
  const dialog = await screen.findByRole("dialog");
  await says(t("keys.go", { page: t("home") }), dialog);
  equal(["nav.documents", "nav.candidates", "nav.exams"].filter((each) => words(dialog).includes(t("keys.go", { page: t(/** @type {any} */ (each)) }))), []);
});

test("a lost connection is shown, and the page is read when it is back", async () => {
  const service = await show("/console/candidates", "admin");
  await screen.findByRole("link", { name: "Ada Obi" });
  service.isAway = true;
  const clock = stopClock(new Date().toISOString());
  const until = (/** @type {() => any} */ isSo) =>
    so(() => {
      void clock.passes(1);
      return isSo();
    }, String(isSo));
  void go(`/console/candidates/${PEOPLE[0].user.id}`);
  await until(() => screen.queryByRole("alert"));
  await until(() => document.querySelector(".connection.away"));
  service.isAway = false;
  dispatchEvent(new Event("online"));
  await until(() => screen.queryByRole("heading", { name: "Ada Obi", level: 1 }));
  await until(() => !screen.queryByRole("alert") && !document.querySelector(".connection.away"));
});

test("a list is read again when its tab is shown again", async () => {
  const service = await show("/console/candidates", "admin");
  await screen.findByRole("link", { name: "Ada Obi" });
  service.replies["GET /candidates/"] = page([...PEOPLE, row(4, "Chloé")]);
  document.dispatchEvent(new Event("visibilitychange"));
  await screen.findByRole("link", { name: "Chloé Obi" });
});

test("the buttons of the frame are those for the language, the keys, and signing out", async () => {
  await show("/console/account", "volunteer");
  equal(["Français", t("signOut")].filter((each) => named("button").includes(each)).length, 2);
  await saysNo(t("nav.day"));
});
