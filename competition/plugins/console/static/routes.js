// The pages of the console, subject by subject. Each `load` names the component of a page.

/** @import { Route } from "../../pages/static/ground/router.js" */

/** @type {Route[]} */
export const routes = [
  // account
  // home
  // people
  // documents
  // staff
  // questions
  // exams
  // day
  { path: "/day", load: () => import("./day/pages.js").then((all) => all.Days) },
  { path: "/exams/:id/day", load: () => import("./day/pages.js").then((all) => all.Day) },
  { path: "/exams/:id/day/time", load: () => import("./day/pages.js").then((all) => all.GiveTime) },
  // results
  { path: "/exams/:id/results", load: () => import("./results/pages.js").then((all) => all.Results) },
  { path: "/exams/:id/results/:candidate", load: () => import("./results/pages.js").then((all) => all.SavedAnswers) },
  { path: "/exams/:id/regrades", load: () => import("./results/pages.js").then((all) => all.Regrades) },
  { path: "/exams/:id/regrades/new", load: () => import("./results/pages.js").then((all) => all.NewRegrade) },
  { path: "/exams/:id/regrades/:rid", load: () => import("./results/pages.js").then((all) => all.OneRegrade) },
  // boards
  // advancement
  // appeals
  // broadcasts
  // house
];
