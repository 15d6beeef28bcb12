// The pages of the console, subject by subject. Each `load` names the component of a page.

/** @import { Route } from "../../pages/static/ground/router.js" */

/** @type {Route[]} */
export const routes = [
  // account
  { path: "/sign-in", load: () => import("./account/sign-in.js").then((all) => all.SignIn), open: true },
  { path: "/password", load: () => import("./account/password.js").then((all) => all.NewPassword), open: true, stays: true },
  { path: "/restore", load: () => import("./account/restore.js").then((all) => all.Restore), open: true },
  { path: "/account", load: () => import("./account/account.js").then((all) => all.Account) },
  // home
  { path: "/", load: () => import("./home/home.js").then((all) => all.Home) },
  { path: "/notifications", load: () => import("./home/notifications.js").then((all) => all.AllNotifications) },
  // people
  { path: "/candidates", load: () => import("./people/candidates.js").then((all) => all.Candidates) },
  { path: "/candidates/:id", load: () => import("./people/candidate.js").then((all) => all.Candidate) },
  // documents
  { path: "/documents", load: () => import("./documents/documents.js").then((all) => all.Documents) },
  { path: "/documents/:id", load: () => import("./documents/review.js").then((all) => all.Review) },
  // staff
  { path: "/staff", load: () => import("./staff/staff.js").then((all) => all.Staff) },
  { path: "/staff/invite", load: () => import("./staff/invite.js").then((all) => all.Invite) },
  { path: "/staff/:id", load: () => import("./staff/member.js").then((all) => all.Member) },
  { path: "/leaving", load: () => import("./staff/leaving.js").then((all) => all.Leaving) },
  // questions
  { path: "/questions", load: () => import("./questions/questions.js").then((all) => all.Questions) },
  { path: "/questions/new", load: () => import("./questions/new-question.js").then((all) => all.NewQuestion) },
  { path: "/questions/:id", load: () => import("./questions/question.js").then((all) => all.OneQuestion) },
  // exams
  { path: "/exams", load: () => import("./exams/exams.js").then((all) => all.Exams) },
  { path: "/exams/new", load: () => import("./exams/new-exam.js").then((all) => all.NewExam) },
  { path: "/exams/:id", load: () => import("./exams/plan.js").then((all) => all.Plan) },
  { path: "/exams/:id/paper", load: () => import("./exams/paper.js").then((all) => all.PaperPage) },
  { path: "/exams/:id/preview", load: () => import("./exams/preview.js").then((all) => all.Preview) },
  // day
  { path: "/day", load: () => import("./day/days.js").then((all) => all.Days) },
  { path: "/day/questions", load: () => import("./day/asked.js").then((all) => all.OpenQuestions) },
  { path: "/exams/:id/day", load: () => import("./day/day.js").then((all) => all.Day) },
  { path: "/exams/:id/day/time", load: () => import("./day/give-time.js").then((all) => all.GiveTime) },
  // results
  { path: "/exams/:id/results", load: () => import("./results/results.js").then((all) => all.Results) },
  { path: "/exams/:id/results/:candidate", load: () => import("./results/answers.js").then((all) => all.SavedAnswers) },
  { path: "/exams/:id/printed", load: () => import("./results/printed.js").then((all) => all.Printed) },
  { path: "/exams/:id/regrades", load: () => import("./results/regrades.js").then((all) => all.Regrades) },
  { path: "/exams/:id/regrades/new", load: () => import("./results/new-regrade.js").then((all) => all.NewRegrade) },
  { path: "/exams/:id/regrades/:rid", load: () => import("./results/regrade.js").then((all) => all.OneRegrade) },
  // boards
  { path: "/boards", load: () => import("./boards/boards.js").then((all) => all.Boards) },
  { path: "/boards/publish", load: () => import("./boards/publish.js").then((all) => all.Publish) },
  { path: "/boards/:stage/:round", load: () => import("./boards/board.js").then((all) => all.Board) },
  // advancement
  { path: "/advancement", load: () => import("./advancement/plans.js").then((all) => all.Plans) },
  { path: "/advancement/new", load: () => import("./advancement/new-plan.js").then((all) => all.NewPlan) },
  { path: "/advancement/:id", load: () => import("./advancement/plan.js").then((all) => all.OnePlan) },
  { path: "/advancement/:id/change", load: () => import("./advancement/change-plan.js").then((all) => all.ChangePlan) },
  // appeals
  { path: "/appeals", load: () => import("./appeals/appeals.js").then((all) => all.Appeals) },
  { path: "/appeals/:id", load: () => import("./appeals/appeal.js").then((all) => all.OneOfAll) },
  // broadcasts
  { path: "/broadcasts", load: () => import("./broadcasts/broadcasts.js").then((all) => all.Broadcasts) },
  { path: "/broadcasts/new", load: () => import("./broadcasts/new-broadcast.js").then((all) => all.NewBroadcast) },
  { path: "/broadcasts/:id", load: () => import("./broadcasts/broadcast.js").then((all) => all.OneBroadcast) },
  // imports
  { path: "/imports", load: () => import("./imports/imports.js").then((all) => all.Imports) },
  { path: "/imports/new/:kind", load: () => import("./imports/new-import.js").then((all) => all.NewImport) },
  { path: "/imports/:id", load: () => import("./imports/import.js").then((all) => all.OneImport) },
  // seasons
  { path: "/seasons", load: () => import("./seasons/pages.js").then((all) => all.Seasons) },
  { path: "/seasons/:id", load: () => import("./seasons/pages.js").then((all) => all.OneSeason) },
  // schools
  { path: "/schools", load: () => import("./schools/pages.js").then((all) => all.Schools) },
  { path: "/schools/:id", load: () => import("./schools/pages.js").then((all) => all.School) },
  // school
  { path: "/school", load: () => import("./school/pages.js").then((all) => all.School) },
  { path: "/school/new", load: () => import("./school/pages.js").then((all) => all.Enter) },
  { path: "/school/slips", load: () => import("./school/pages.js").then((all) => all.Slips) },
  { path: "/school/exams", load: () => import("./school/pages.js").then((all) => all.Exams) },
  { path: "/school/exams/:id", load: () => import("./school/pages.js").then((all) => all.OneExam) },
  // house
  { path: "/house/service", load: () => import("./house/service.js").then((all) => all.ServicePage) },
  { path: "/house/audit", load: () => import("./house/audit.js").then((all) => all.Audit) },
  { path: "/house/flags", load: () => import("./house/flags.js").then((all) => all.Flags) },
  { path: "/house/keys", load: () => import("./house/keys.js").then((all) => all.Keys) },
  { path: "/house/jobs", load: () => import("./house/jobs.js").then((all) => all.Jobs) },
  { path: "/house/mails", load: () => import("./house/mails.js").then((all) => all.Mails) },
];
