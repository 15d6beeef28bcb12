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
  { path: "/questions", load: () => import("./questions/pages.js").then((all) => all.Questions) },
  { path: "/questions/new", load: () => import("./questions/pages.js").then((all) => all.NewQuestion) },
  { path: "/questions/:id", load: () => import("./questions/pages.js").then((all) => all.OneQuestion) },
  // exams
  { path: "/exams", load: () => import("./exams/pages.js").then((all) => all.Exams) },
  { path: "/exams/new", load: () => import("./exams/pages.js").then((all) => all.NewExam) },
  { path: "/exams/:id", load: () => import("./exams/pages.js").then((all) => all.Plan) },
  { path: "/exams/:id/paper", load: () => import("./exams/pages.js").then((all) => all.PaperPage) },
  { path: "/exams/:id/preview", load: () => import("./exams/pages.js").then((all) => all.Preview) },
  // day
  // results
  // boards
  // advancement
  // appeals
  // broadcasts
  // house
];
