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
  // results
  // boards
  { path: "/boards", load: () => import("./boards/pages.js").then((all) => all.Boards) },
  { path: "/boards/publish", load: () => import("./boards/pages.js").then((all) => all.Publish) },
  { path: "/boards/:stage/:round", load: () => import("./boards/pages.js").then((all) => all.Board) },
  // advancement
  { path: "/advancement", load: () => import("./advancement/pages.js").then((all) => all.Plans) },
  { path: "/advancement/new", load: () => import("./advancement/pages.js").then((all) => all.NewPlan) },
  { path: "/advancement/:id", load: () => import("./advancement/pages.js").then((all) => all.OnePlan) },
  { path: "/advancement/:id/change", load: () => import("./advancement/pages.js").then((all) => all.ChangePlan) },
  // appeals
  { path: "/appeals", load: () => import("./appeals/pages.js").then((all) => all.Appeals) },
  { path: "/appeals/:id", load: () => import("./appeals/pages.js").then((all) => all.OneOfAll) },
  // broadcasts
  { path: "/broadcasts", load: () => import("./broadcasts/pages.js").then((all) => all.Broadcasts) },
  { path: "/broadcasts/new", load: () => import("./broadcasts/pages.js").then((all) => all.NewBroadcast) },
  { path: "/broadcasts/:id", load: () => import("./broadcasts/pages.js").then((all) => all.OneBroadcast) },
  // house
];
