// The candidate's next step, and the exam that it leads to. This module computes them from replies, and sends no
// requests.

import { html } from "../../../pages/static/ground/html.js";
import { whenInWords } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Kind } from "../../../pages/static/pieces/notice.js" */
/** @import { Clocks, Dashboard, Exam, Verification } from "./calls.js" */

/** @typedef {{ title: string, text: Children, href?: string, verb?: string, kind?: Kind }} Step */

/**
 * A sheet with a heading.
 *
 * @param {{ title: string, children?: Children }} props
 */
export const Part = ({ title, children }) => html`<section class="sheet pad flow"><h2>${title}</h2>${children}</section>`;

/**
 * The open exams that the candidate can still take, the most urgent one first.
 *
 * @param {Dashboard} dashboard
 * @param {Clocks} [clocks]
 */
export const openExams = ({ available_exams }, clocks) => calls.byUrgency(available_exams.filter((each) => each.enrollment === "not_done"), clocks);

/** The announced exam that opens first. @param {Dashboard} dashboard */
export const announcedExam = ({ upcoming_exams }) => upcoming_exams.toSorted((one, other) => (one.scheduled_date ?? "~").localeCompare(other.scheduled_date ?? "~"))[0];

/**
 * The first exam that the candidate can still take. It is an open exam or, without one, the next announced
 * exam.
 *
 * @param {Dashboard} dashboard
 * @param {Clocks} [clocks]
 * @returns {{ exam: Exam, isOpen: boolean } | null}
 */
export function nextExam(dashboard, clocks) {
  const [open] = openExams(dashboard, clocks);
  if (open) return { exam: open, isOpen: true };
  const announced = announcedExam(dashboard);
  return announced ? { exam: announced, isOpen: false } : null;
}

/**
 * The one thing to do next.
 *
 * @param {Dashboard} dashboard
 * @param {Verification | undefined} verification
 * @param {Clocks[number] | undefined} clock The clock of the next exam, if it is open. Null if it could not be read.
 * @param {number} minutes The candidate's own time in the next exam.
 * @param {ReturnType<typeof nextExam>} [next]
 * @returns {Step}
 */
export function nextStep(dashboard, verification, clock, minutes, next = nextExam(dashboard)) {
  const { candidate_info: own } = dashboard;
  if (!own.is_email_verified) return { title: t("start.confirmEmail"), text: t("start.confirmEmailWhy", { email: own.email }), href: "/verify", verb: t("start.enterCode") };
  if (!own.is_user_verified && verification?.is_rejected) {
    return { title: t("start.sendAgain"), text: verification.rejection_reason || t("start.sendAgainWhy"), href: "/documents", verb: t("start.sendDocuments"), kind: "warn" };
  }
  if (!own.is_user_verified && !verification?.is_pending) return { title: t("start.sendDocuments"), text: t("start.sendDocumentsWhy"), href: "/documents", verb: t("start.sendDocuments") };
  if (!own.is_user_verified) return { title: t("start.wait"), text: t("start.waitWhy"), href: "/practice", verb: t("start.practise") };
  if (next?.isOpen) return openExam(next.exam, clock, minutes);
  if (next) return { title: t("start.prepare"), text: t("start.prepareWhy"), href: "/practice", verb: t("start.practise") };
  return { title: t("start.done"), text: t("start.doneWhy"), href: "/practice", verb: t("start.practise") };
}

/**
 * @param {Exam} exam
 * @param {Clocks[number] | undefined} clock
 * @param {number} count The candidate's own time, in minutes.
 * @returns {Step}
 */
function openExam({ id, title }, clock, count) {
  const step = { title: t("start.openNow", { title }), href: `/exams/${id}`, verb: t("start.goToExam") };
  if (!clock) return { ...step, text: t("start.openNowUnknown", { count }) };
  const state = calls.progress(clock);
  if (state === "open" || !clock.deadline) return { ...step, text: t("start.openNowWhy", { count }) };
  if (state === "over") return { ...step, title: t("start.timeOver", { title }), text: t("start.timeOverWhy") };
  return { ...step, title: t("start.running", { title }), text: t("start.runningWhy", { time: whenInWords(clock.deadline) }), verb: t("start.goOn"), kind: "warn" };
}
