// The pages of the console, subject by subject. Each `load` names the component of a page.

/** @import { Route } from "../../pages/static/ground/router.js" */

/** @type {Route[]} */
export const routes = [
  // account
  // home
  // people
  { path: "/candidates", load: () => import("./people/pages.js").then((all) => all.Candidates) },
  { path: "/candidates/:id", load: () => import("./people/pages.js").then((all) => all.Candidate) },
  // documents
  { path: "/documents", load: () => import("./documents/pages.js").then((all) => all.Documents) },
  { path: "/documents/:id", load: () => import("./documents/pages.js").then((all) => all.Review) },
  // staff
  { path: "/staff", load: () => import("./staff/pages.js").then((all) => all.Staff) },
  { path: "/staff/invite", load: () => import("./staff/pages.js").then((all) => all.Invite) },
  { path: "/staff/:id", load: () => import("./staff/pages.js").then((all) => all.Member) },
  { path: "/leaving", load: () => import("./staff/pages.js").then((all) => all.Leaving) },
  // questions
  // exams
  // day
  // results
  // boards
  // advancement
  // appeals
  // broadcasts
  // house
];
