// The navigation marks the entry of each page that routes.json declares, and never the start page on another page.

import { t } from "../../../../competition/plugins/console/static/words.js";
import { equal, test } from "../../kit/cases.js";
import { open, routesOf, settled, staff, visit } from "../../kit/front-end.js";
import { example } from "../../kit/examples.js";
import { screen } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";
import { addressOf, league, OWN, PLUGINS } from "./league.js";

// The entry of each page for superadmins, who have all entries but that of a teacher's school.
const ENTRIES = {
  "/": ["/", "/notifications"],
  "/account": ["/account", "/password"],
  "/candidates": ["/candidates", "/candidates/:id", "/slips"],
  "/schools": ["/schools", "/schools/:id"],
  "/documents": ["/documents", "/documents/:id"],
  "/staff": ["/staff", "/staff/invite", "/staff/:id"],
  "/leaving": ["/leaving"],
  "/day": ["/day", "/day/questions", "/exams/:id/day", "/exams/:id/day/time"],
  "/exams": [
    ...["/exams", "/exams/new", "/exams/:id", "/exams/:id/paper", "/exams/:id/preview", "/exams/:id/results", "/exams/:id/results/:candidate", "/exams/:id/printed"],
    ...["/exams/:id/regrades", "/exams/:id/regrades/new", "/exams/:id/regrades/:rid"],
  ],
  "/questions": ["/questions", "/questions/new", "/questions/:id"],
  "/boards": ["/boards", "/boards/publish", "/boards/:stage/:round", "/boards/:stage/:round/schools"],
  "/advancement": ["/advancement", "/advancement/new", "/advancement/:id", "/advancement/:id/change"],
  "/appeals": ["/appeals", "/appeals/:id"],
  "/broadcasts": ["/broadcasts", "/broadcasts/new", "/broadcasts/:id"],
  "/imports": ["/imports", "/imports/new/:kind", "/imports/:id"],
  "/seasons": ["/seasons", "/seasons/:id"],
  "/house/service": ["/house/service"],
  "/house/audit": ["/house/audit"],
  "/house/flags": ["/house/flags"],
  "/house/keys": ["/house/keys"],
  "/house/jobs": ["/house/jobs"],
  "/house/mails": ["/house/mails"],
};
// The start page leads teachers to the page of their school.
const OF_A_TEACHER = {
  "/": ["/notifications"],
  "/account": ENTRIES["/account"],
  "/school": ["/", "/school", "/school/new", "/school/slips", "/school/exams", "/school/exams/:id", ...ENTRIES["/imports"]],
};
const OF_A_DAY_WITHOUT_EXAMS = { ...ENTRIES, "/exams": [...ENTRIES["/exams"], ...ENTRIES["/day"]], "/day": [] };

// The router leads users who are signed in from these pages to the start page.
const LEFT = ["/sign-in"];

const marked = () => [...document.querySelectorAll(".side nav [aria-current=page]")].map((each) => each.getAttribute("href"));
const day = (/** @type {any[]} */ current_exams) => ({ "GET /dashboard/staff/": example("StaffDashboard", { current_exams }) });
const OPEN = day([example("CurrentExam", { status: "ongoing" })]);

for (const [who, rank, entries, replies] of /** @type {[string, string, Record<string, string[]>, any][]} */ ([
  ["a superadmin on the day of an exam", "superadmin", ENTRIES, OPEN],
  ["a superadmin on another day", "superadmin", OF_A_DAY_WITHOUT_EXAMS, day([])],
  ["a teacher", "volunteer", OF_A_TEACHER, {}],
]))
  test(who, async () => {
    const service = new Service({ ...league, ...replies });
    await open("/console/", { as: staff(rank, { id: OWN }), service, frame: true, plugins: PLUGINS });
    await screen.findByRole("navigation", { name: t("navigation") });
    await settled(service);
    /** @type {string[]} */
    const wrong = [];
    for (const { path } of (await routesOf("console")).filter((each) => !LEFT.includes(each.path))) {
      await visit(`/console${addressOf(path)}`);
      await settled(service);
      const wanted = Object.entries(entries).filter(([, paths]) => paths.includes(path)).map(([entry]) => `/console${entry}`);
      if (`${marked()}` !== `${wanted}`) wrong.push(`${path} (${location.pathname}): ${marked()}`);
    }
    equal(wrong, []);
    const known = (await routesOf("console")).map((each) => each.path);
    equal(Object.values(entries).flat().filter((each) => !known.includes(each)), []);
  });
