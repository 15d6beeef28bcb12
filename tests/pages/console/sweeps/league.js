// A league in which every page of the console has something to show, and the addresses of its pages. The pages are
// those of routes.json.

import { routesOf } from "../../kit/front-end.js";
import { full, readings } from "../../kit/full.js";
import { page, refused } from "../../kit/service.js";

/** @import { Replies } from "../../kit/service.js" */

const PERSON = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a001";
/** The id of the user, who is none of the people in the league. */
export const OWN = "11111111-ceea-467f-a1d5-d1b1c3b3a001";
// The objects with the id 1 are in their first state, those with the following ids in other states.
const EXAMS = /** @type {const} */ (["concluded", "ongoing", "scheduled", "scheduled"]);
const REGRADES = /** @type {const} */ (["preview", "applied"]);
const PLANS = /** @type {const} */ (["open", "applied"]);
const APPEALS = /** @type {const} */ (["open", "accepted"]);
// The paper of the last exam is frozen.
const FROZEN = "4";

/** @type {<T>(states: readonly T[], id: string | undefined) => T} */
const state = (states, id) => states[Number(id) - 1] ?? /** @type {any} */ (states[0]);

/** @param {Record<string, string>} params */
const exam = ({ exam_id: id }) => ({ id: Number(id), season: 2, status: state(EXAMS, id), is_active: true, question_count: 10, ...(id !== "1" && { concluded_at: null }), ...(id !== FROZEN && { frozen_at: null }) });

/** @type {Replies} */
const own = {
  "GET /exams/{exam_id}/": ({ params }) => full("GET /exams/{exam_id}/", exam(params)),
  // Only an exam that is open has candidates who are working on it.
  "GET /exams/{exam_id}/conclude/preview/": ({ params }) => full("ConclusionPreview", exam(params).status === "ongoing" ? {} : { affected: 0, people: [] }),
  "GET /exams/": ({ query }) =>
    page(EXAMS.filter((each) => (query.get("status") ?? each) === each).map((status, at) => full("ExamListItem", { id: at + 1, status, title: `Round ${at + 1}` })), {
      question_pool_data: full("GET /exams/").question_pool_data,
    }),
  "GET /exams/{exam_id}/preflight/": full("GET /exams/{exam_id}/preflight/", { ready: true }),
  "GET /exams/{exam_id}/invigilation/": ({ params, query }) => {
    const seats = Array.from({ length: 3 }, (_, at) => full("WatchedSeat", { state: "silent", candidate: { user_id: PERSON.replace("3a001", `3a00${at + 1}`) } }));
    const submitted = full("WatchedSeat", { state: "submitted", candidate: { user_id: PERSON.replace("3a001", "3a009") } });
    return full("GET /exams/{exam_id}/invigilation/", { status: state(EXAMS, params.exam_id), results: query.get("state") === "silent" ? seats : [...seats, submitted] });
  },
  "GET /exams/{exam_id}/clarifications/": page([full("Clarification"), full("Clarification", { id: 2, status: "answered" })]),
  "GET /exams/{exam_id}/regrades/{regrade_id}/": ({ params }) =>
    full("GET /exams/{exam_id}/regrades/{regrade_id}/", { id: Number(params.regrade_id), status: state(REGRADES, params.regrade_id) }),
  "GET /advancement/{plan_id}/": ({ params }) => full("AdvancementPlan", { id: Number(params.plan_id), season: 2, undo_refusal: null, status: state(PLANS, params.plan_id), is_deletable: state(PLANS, params.plan_id) === "open", exams: [params.plan_id === "3" ? 3 : 1], rule: { top: 1 } }),
  "GET /advancement/": page([full("AdvancementPlan")]),
  "GET /exams/{exam_id}/appeals/": page([]),
  "GET /appeals/{appeal_id}/": ({ params }) => full("Appeal", { id: Number(params.appeal_id), status: state(APPEALS, params.appeal_id) }),
  "GET /leaderboard/": ({ query }) =>
    query.has("stage") || query.has("exam_id")
      ? full("Leaderboard", { top_three: [full("Ranking")], remaining_candidates: [full("Ranking", { candidate: { user_id: OWN } })] })
      : full("GET /leaderboard/"),
  "GET /leaderboard/snapshots/": page([1, 2].map((snapshot_id) => full("PublishedSnapshot", { snapshot_id }))),
  "GET /account-management/": { profile: full("StaffProfile", { user: { id: OWN, is_email_verified: true, profile_picture: null }, is_user_verified: true }) },
  "GET /auth/sessions/": [true, false].map((current) => ({ ...full("GET /auth/sessions/")[0], current })),
  "GET /auth/second-factor/": full("GET /auth/second-factor/", { is_set_up: false }),
  "GET /candidates/{candidate_id}/": full("GET /candidates/{candidate_id}/", { is_user_verified: true, is_active: true }),
  // The browser reads the files of documents by itself.
  "GET /account-management/{user_id}/": full("GET /account-management/{user_id}/", { profile: { face_id: null, id_card: null, verification_document: null, user: { profile_picture: null } } }),
  "GET /imports/kinds/": { results: ["candidates", "answers"].map((name) => full("KindOfImport", { name, exam: name === "answers" ? "required" : null })) },
  "GET /imports/{kind_or_id}/": full("GET /imports/{kind_or_id}/", { kind: "candidates", status: "checked" }),
  // The opening of the current season can be undone. Nothing blocks the next one.
  "GET /seasons/": page([full("Season", { id: 2, name: "2027", status: "current", opened_at: new Date().toISOString(), closed_at: null }), full("Season", { id: 1, name: "2026", status: "closed" })]),
  "POST /seasons/preview/": full("POST /seasons/preview/", { blockers: [], undo: full("UndoPreview", { refusal: null }) }),
  "GET /school/exams/": page([full("SchoolExam", { id: 1, status: "concluded" })]),
  // Slips are for candidates without an email address.
  "GET /candidates/": ({ query }) => page([full("CandidateItem", { user: { id: PERSON }, has_email: query.get("has_email") !== "false" })]),
  "POST /schools/{school_id}/merge/preview/": full("SchoolMerge"),
  // Only a school without candidates can be deleted.
  "GET /schools/{school_id}/": full("GET /schools/{school_id}/", { candidates: 0 }),
  // A teacher confirms who has only typed the name of the school, and changes the others.
  "GET /school/candidates/": page(/** @type {const} */ (["unconfirmed", "verified"]).map((state, at) => full("Pupil", { user_id: PERSON.replace("3a001", `3a00${at + 1}`), state, used: false }))),
  "GET /jobs/": page([full("Job", { state: "failed" })]),
  "GET /mails/": page([full("Mail", { state: "failed" })]),
  "GET /api-keys/": page([full("ApiKey", { revoked_at: null, expires_at: null })]),
  "GET /user/verification/list/": page([full("VerificationItem", { status: "pending", is_pending: true, changes: [] })]),
  "GET /user/verification/status/{user_id}/": full("GET /user/verification/status/{user_id}/", { status: "pending", is_pending: true, changes: [] }),
  "GET /dashboard/staff/": full("GET /dashboard/staff/", {
    current_exams: [full("CurrentExam", { id: 2, status: "ongoing" })],
    upcoming_exams: [full("UpcomingExam", { id: 3 })],
  }),
  "POST /leaderboard/publish/preview/": { exams: [full("PreviewedLeaderboard", { id: 9, is_over: true })] },
  "POST /broadcasts/preview/": full("POST /broadcasts/preview/"),
  "POST /questions/render/": full("POST /questions/render/"),
};

/** The replies of the service. Requests that change something have none. @type {Replies} */
export const league = { ...readings, ...own };

/** The replies of a service that has nothing yet. @type {Replies} */
export const empty = {
  ...Object.fromEntries(Object.entries(league).map(([operation, reply]) => [operation, (/** @type {any} */ asked) => emptied(typeof reply === "function" ? reply(asked) : structuredClone(reply))])),
  "GET /leaderboard/": refused(404, "leaderboard_not_published"),
  "GET /exams/{exam_id}/analysis/": refused(404, "not_found"),
  "GET /exams/{exam_id}/drafts/{candidate_id}/": refused(404, "not_found"),
  "GET /advancement/{plan_id}/preview/": full("GET /advancement/{plan_id}/preview/", { ranked: 0, advance: [], stay: [] }),
  // These have rows in any league.
  "GET /auth/sessions/": own["GET /auth/sessions/"],
  "GET /ready/": full("GET /ready/"),
  "GET /dashboard/staff/": full("GET /dashboard/staff/", { todo: [], current_exams: [], upcoming_exams: [] }),
};

/** @param {any} body @returns {any} */
function emptied(body) {
  if (Array.isArray(body)) return [];
  if (body === null || typeof body !== "object" || "status_code" in body) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, key === "pagination" ? { ...value, count: 0 } : emptied(value)]));
}

/** @type {Record<string, string>} */
const VALUES = { ":kind": "candidates", ":stage": "screening", ":round": "1", ":candidate": PERSON, ":rid": "1" };
/** Which exam has the page. All others have the exam that is planned. @type {Record<string, string>} */
const EXAM_OF = { day: "2", results: "1", printed: "1", regrades: "1" };
const OF_PEOPLE = ["candidates", "documents", "staff"];
/** Further objects, in other states. @type {Record<string, string[]>} */
const STATES = {
  "/exams/:id": ["/exams/1", "/exams/2", `/exams/${FROZEN}`],
  "/exams/:id/day": ["/exams/1/day"],
  "/exams/:id/regrades/:rid": ["/exams/1/regrades/2"],
  "/exams/:id/regrades/new": ["/exams/1/regrades/new?question=1"],
  "/candidates/:id": [`/candidates/${PERSON}?season=1`],
  "/boards": ["/boards?tab=seasons"],
  "/boards/:stage/:round": ["/boards/screening/1?snapshot=2"],
  "/advancement/:id": ["/advancement/2", "/advancement/3"],
  "/appeals/:id": ["/appeals/2"],
};

/** An address of a route's page, without the prefix. @param {string} path The path of the route. */
export function addressOf(path) {
  const [, first = "", , part = ""] = path.split("/");
  const id = OF_PEOPLE.includes(first) ? PERSON : first === "exams" ? (EXAM_OF[part] ?? "3") : "1";
  return path.replace(/:\w+/g, (name) => VALUES[name] ?? id);
}

/** The pages for users who are signed in: the path in routes.json, and the addresses in several states. */
export const pages = (await routesOf("console"))
  .filter((each) => !each.open)
  .map(({ path }) => ({ path, addresses: [addressOf(path), ...(STATES[path] ?? [])].map((each) => `/console${each}`) }));

/** The plugins that pages ask for. */
export const PLUGINS = ["advancement", "allowances", "analysis", "appeals", "clarifications", "drafts", "exports", "imports", "leaderboard", "privacy", "regrades", "schools", "scores", "seasons", "teachers", "verification"];

/** What pages may upload. @type {Record<string, { largest_bytes: number, types: string[] }>} */
export const FILES = Object.fromEntries(["file", "import", "picture", "face_id", "id_card", "verification_document"].map((each) => [each, { largest_bytes: 2 ** 20, types: ["image/png"] }]));

/** The addresses of the tabs and steps of the page that is shown. @returns {string[]} */
export const tabs = () => [...document.querySelectorAll(".tabs a, .exam-steps a")].map((each) => /** @type {HTMLAnchorElement} */ (each)).map(({ pathname, search }) => pathname + search);
