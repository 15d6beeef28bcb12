// The pages of the portal, subject by subject. Each `load` names the component of a page.

/** @import { Route } from "../../pages/static/ground/router.js" */

/** @type {Route[]} */
export const routes = [
  // start
  { path: "/", load: () => import("./start/pages.js").then((all) => all.Start), open: true },
  { path: "/home", load: () => import("./start/pages.js").then((all) => all.Home) },
  // account
  { path: "/register", load: () => import("./account/pages.js").then((all) => all.Register), open: true },
  { path: "/verify", load: () => import("./account/pages.js").then((all) => all.Verify), open: true },
  { path: "/sign-in", load: () => import("./account/pages.js").then((all) => all.SignIn), open: true },
  { path: "/password", load: () => import("./account/pages.js").then((all) => all.NewPasswordPage), open: true },
  { path: "/restore", load: () => import("./account/pages.js").then((all) => all.Restore), open: true },
  { path: "/account", load: () => import("./account/pages.js").then((all) => all.Account) },
  // documents
  { path: "/documents", load: () => import("./documents/pages.js").then((all) => all.Documents) },
  // exam
  // exams
  // practice
  // results
  // boards
  // appeals
  // inbox
  { path: "/inbox", load: () => import("./inbox/pages.js").then((all) => all.Inbox) },
];
