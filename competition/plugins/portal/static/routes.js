// The pages of the portal, subject by subject. Each `load` names the component of a page.

/** @import { Route } from "../../pages/static/ground/router.js" */

/** @type {Route[]} */
export const routes = [
  // start
  // account
  // documents
  // exam
  { path: "/exams/:id", load: () => import("./exam/pages.js").then((all) => all.Exam), open: true, stays: true },
  // exams
  { path: "/exams", load: () => import("./exams/pages.js").then((all) => all.Exams) },
  // practice
  { path: "/practice", load: () => import("./exam/practice.js").then((all) => all.Practice), open: true, stays: true },
  { path: "/device", load: () => import("./practice/device.js").then((all) => all.Device), open: true },
  // results
  { path: "/results", load: () => import("./results/pages.js").then((all) => all.Results) },
  { path: "/results/:exam", load: () => import("./results/pages.js").then((all) => all.OneResult) },
  // boards
  { path: "/boards", load: () => import("./boards/pages.js").then((all) => all.Boards) },
  { path: "/boards/:stage/:round", load: () => import("./boards/pages.js").then((all) => all.Board) },
  // appeals
  { path: "/appeals", load: () => import("./appeals/pages.js").then((all) => all.Appeals) },
  { path: "/appeals/new", load: () => import("./appeals/pages.js").then((all) => all.NewAppeal) },
  // inbox
];
