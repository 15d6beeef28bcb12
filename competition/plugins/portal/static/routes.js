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
  // practice
  { path: "/practice", load: () => import("./exam/practice.js").then((all) => all.Practice), open: true, stays: true },
  // results
  // boards
  // appeals
  // inbox
];
