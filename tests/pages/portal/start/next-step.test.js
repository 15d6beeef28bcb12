// The texts are not loaded here, so a text is its key.

import { nextExam, nextStep } from "../../../../competition/plugins/portal/static/start/pieces.js";
import { equal, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";

const NOW = "2026-03-10T10:00:00Z";
const open = example("AvailableExam", { id: 7, enrollment: "not_done" });
const announced = example("AnnouncedExam", { id: 8 });
const approved = { is_email_verified: true, is_user_verified: true };

/** @param {Record<string, any>} candidate_info @param {Record<string, any>} [exams] */
const dashboard = (candidate_info, exams = {}) => example("CandidateDashboard", { candidate_info, ...exams });
/** @param {Record<string, any>} [values] */
const documents = (values) => example("VerificationRecord", values);
/** @param {Record<string, any>} [values] */
const clock = (values) => example("ExamTime", { server_time: NOW, ...values });

/** @param {any} step */
const brief = ({ title, href, kind = "" }) => [title, href, kind];

test("the first thing that is missing is the next step", () => {
  const all = [
    [dashboard({}), documents({ is_rejected: true }), ["start.confirmEmail", "/verify", ""]],
    [dashboard({ is_email_verified: true }), undefined, ["start.sendDocuments", "/documents", ""]],
    [dashboard({ is_email_verified: true }), documents(), ["start.sendDocuments", "/documents", ""]],
    [dashboard({ is_email_verified: true }), documents({ is_rejected: true }), ["start.sendAgain", "/documents", "warn"]],
    [dashboard({ is_email_verified: true }), documents({ is_pending: true }), ["start.wait", "/practice", ""]],
    // Without documents that are approved, an open exam can't be taken.
    [dashboard({ is_email_verified: true }, { available_exams: [open] }), documents(), ["start.sendDocuments", "/documents", ""]],
    // A later decision about documents does not take the approval away.
    [dashboard(approved), documents({ is_rejected: true }), ["start.done", "/practice", ""]],
    [dashboard(approved), documents(), ["start.done", "/practice", ""]],
    [dashboard(approved, { upcoming_exams: [announced] }), documents(), ["start.prepare", "/practice", ""]],
    [dashboard(approved, { upcoming_exams: [announced], available_exams: [open] }), documents(), ["start.openNow", "/exams/7", ""]],
  ];
  for (const [given, verification, expected] of all) equal(brief(nextStep(given, verification, null, 60)), expected);
});

test("the reason of a rejection is said", () => {
  const own = dashboard({ is_email_verified: true });
  equal(nextStep(own, documents({ is_rejected: true, rejection_reason: "The card is too dark." }), null, 60).text, "The card is too dark.");
  equal(nextStep(own, documents({ is_rejected: true }), null, 60).text, "start.sendAgainWhy");
});

test("the candidate's clock decides what is said of an open exam", () => {
  const own = dashboard(approved, { available_exams: [open] });
  const step = (/** @type {any} */ time) => {
    const { title, text, verb, kind } = nextStep(own, documents(), time, 60);
    return [title, text, verb, kind ?? ""];
  };
  const started_at = "2026-03-10T09:30:00Z";
  equal(step(null), ["start.openNow", "start.openNowUnknown", "start.goToExam", ""]);
  equal(step(clock()), ["start.openNow", "start.openNowWhy", "start.goToExam", ""]);
  equal(step(clock({ started_at, deadline: "2026-03-10T10:30:00Z" })), ["start.running", "start.runningWhy", "start.goOn", "warn"]);
  equal(step(clock({ started_at, deadline: NOW })), ["start.timeOver", "start.timeOverWhy", "start.goToExam", ""]);
});

test("a submitted exam is not the next one", () => {
  const done = example("AvailableExam", { id: 6, enrollment: "done" });
  equal(nextExam(dashboard({}, { available_exams: [done, open], upcoming_exams: [announced] }))?.exam.id, 7);
  equal(nextExam(dashboard({}, { available_exams: [done], upcoming_exams: [announced] })), { exam: announced, isOpen: false });
  equal(nextExam(dashboard({}, { available_exams: [done] })), null);
});

test("the running exam comes first, then the one that closes first", () => {
  const at = (/** @type {number} */ id, /** @type {string | null} */ closes_at) => example("AvailableExam", { id, enrollment: "not_done", closes_at });
  const own = dashboard(approved, { available_exams: [at(1, null), at(2, "2026-03-10T14:00:00Z"), at(3, "2026-03-10T12:00:00Z"), at(4, "2026-03-10T11:00:00Z")] });
  const started_at = "2026-03-10T09:30:00Z";
  const over = { 4: clock({ started_at, deadline: NOW }) };
  equal(nextExam(own)?.exam.id, 4);
  // Nothing can be done in an exam whose time is over.
  equal(nextExam(own, over)?.exam.id, 3);
  equal(nextExam(own, { ...over, 2: clock({ started_at, deadline: "2026-03-10T10:30:00Z" }) })?.exam.id, 2);
});
