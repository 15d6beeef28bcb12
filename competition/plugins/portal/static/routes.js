// The pages of the portal, subject by subject. Each `load` names the component of a page.

/** @import { Route } from "../../pages/static/ground/router.js" */

/** @type {Route[]} */
export const routes = [
  // start
  { path: "/", load: () => import("./start/start.js").then((all) => all.Start), open: true },
  { path: "/home", load: () => import("./start/home.js").then((all) => all.Home) },
  // account
  { path: "/register", load: () => import("./account/register.js").then((all) => all.Register), open: true },
  { path: "/verify", load: () => import("./account/verify.js").then((all) => all.Verify), open: true },
  { path: "/sign-in", load: () => import("./account/sign-in.js").then((all) => all.SignIn), open: true },
  { path: "/password", load: () => import("./account/password.js").then((all) => all.NewPasswordPage), open: true },
  { path: "/restore", load: () => import("./account/restore.js").then((all) => all.Restore), open: true },
  { path: "/account", load: () => import("./account/account.js").then((all) => all.Account) },
  // documents
  { path: "/documents", load: () => import("./documents/documents.js").then((all) => all.Documents) },
  // exam
  { path: "/exams/:id", load: () => import("./exam/exam.js").then((all) => all.Exam), open: true, stays: true },
  // exams
  { path: "/exams", load: () => import("./exams/exams.js").then((all) => all.Exams) },
  // practice
  { path: "/practice", load: () => import("./exam/practice/practice.js").then((all) => all.Practice), open: true, stays: true },
  { path: "/device", load: () => import("./practice/device.js").then((all) => all.Device), open: true },
  // results
  { path: "/results", load: () => import("./results/results.js").then((all) => all.Results) },
  { path: "/results/:exam", load: () => import("./results/result.js").then((all) => all.OneResult) },
  // boards
  { path: "/boards", load: () => import("./boards/boards.js").then((all) => all.Boards) },
  { path: "/boards/:stage/:round", load: () => import("./boards/board.js").then((all) => all.Board) },
  // appeals
  { path: "/appeals", load: () => import("./appeals/appeals.js").then((all) => all.Appeals) },
  { path: "/appeals/new", load: () => import("./appeals/new-appeal.js").then((all) => all.NewAppeal) },
  // inbox
  { path: "/inbox", load: () => import("./inbox/inbox.js").then((all) => all.Inbox) },
];
