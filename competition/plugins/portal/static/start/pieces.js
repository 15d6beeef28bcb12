// Parts of the first page and the home page.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Facts, Tag, When, whenInWords } from "../../../pages/static/pieces/page.js";
import { Empty } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Kind } from "../../../pages/static/pieces/notice.js" */
/** @import { Clocks, Dashboard, Exam, Verification } from "./calls.js" */
/** @typedef {{ title: string, text: Children, href?: string, verb?: string, kind?: Kind }} Step */

// If fewer seconds than this are left, the page shows a clock instead of words.
const DAY = 86_400;

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
const openExams = ({ available_exams }, clocks) => calls.byUrgency(available_exams.filter((each) => each.enrollment === "not_done"), clocks);

/** The announced exam that opens first. @param {Dashboard} dashboard */
const announcedExam = ({ upcoming_exams }) => upcoming_exams.toSorted((one, other) => (one.scheduled_date ?? "~").localeCompare(other.scheduled_date ?? "~"))[0];

/** The exams that the home page shows. @param {Dashboard} dashboard @returns {Exam[]} */
export const shownExams = (dashboard) => [...openExams(dashboard), announcedExam(dashboard)].flatMap((each) => each ?? []);

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

/** @param {Step} props */
export const NextStep = ({ title, text, href, verb, kind }) => html`<section class=${`step sheet pad flow ${kind ?? ""}`}>
  <div><p class="small muted">${t("start.next")}</p><h2>${title}</h2></div>
  <p class="text">${text}</p>
  ${href && html`<div class="acts"><a class="button first" href=${href}>${verb}</a></div>`}
</section>`;

/**
 * The three things that a candidate needs before the first exam.
 *
 * @param {{ dashboard: Dashboard, verification: Verification | undefined }} props
 */
export function Steps({ dashboard, verification }) {
  const { is_email_verified, is_user_verified } = dashboard.candidate_info;
  const isSent = is_user_verified || verification?.is_pending;
  const rejected = !is_user_verified && verification?.is_rejected;
  /** @type {[string, Kind | "", string][]} */
  const steps = [
    [t("start.stepEmail"), is_email_verified ? "ok" : "warn", is_email_verified ? t("start.isDone") : t("start.isMissing")],
    [t("start.stepDocuments"), isSent ? "ok" : rejected ? "bad" : "warn", isSent ? t("start.isDone") : rejected ? t("start.isRejected") : t("start.isMissing")],
    [t("start.stepApproved"), is_user_verified ? "ok" : isSent ? "info" : "", is_user_verified ? t("start.isDone") : isSent ? t("start.isWaiting") : t("start.isLater")],
  ];
  return h(Part, { title: t("start.progress") }, html`<ol class="list steps">${steps.map(([text, kind, state]) => html`<li><span>${text}</span> ${h(Tag, { kind }, state)}</li>`)}</ol>`);
}

/**
 * All open exams that the candidate can still take, and the next announced one.
 *
 * @param {{ dashboard: Dashboard, clocks: Clocks | undefined, minutes: Record<number, number> }} props `minutes`: the
 *   candidate's own time, by exam.
 */
export function NextExams({ dashboard, clocks, minutes }) {
  const open = openExams(dashboard, clocks);
  const announced = announcedExam(dashboard);
  const isVerified = dashboard.candidate_info.is_user_verified;
  return html`${open.length > 0 && h(Part, { title: t("start.examNow") },
      open.map((exam) => h(OneExam, { key: exam.id, exam, isOpen: true, isVerified, minutes: minutes[exam.id], time: clocks?.[exam.id] })),
      !isVerified && html`<p>${t("exams.whenChecked")} <a href="/documents">${t("documents")}</a></p>`)}
    ${announced && h(Part, { title: t("start.nextExam") }, h(OneExam, { key: announced.id, exam: announced, isOpen: false, isVerified, minutes: minutes[announced.id] }))}
    ${!open.length && !announced && h(Part, { title: t("start.nextExam") }, h(Empty, {}, t("start.noExam")))}`;
}

/** @param {{ exam: Exam, isOpen: boolean, isVerified: boolean, minutes: number | undefined, time?: Clocks[number] | undefined }} props */
const OneExam = ({ exam, isOpen, isVerified, minutes, time }) => html`<div class="flow"><p><a class="exam-name" href=${`/exams/${exam.id}`}>${exam.title}</a></p>
  ${!isOpen && h(Countdown, { exam, isKnown: isVerified, key: exam.id })}
  ${h(Facts, {
    facts: [
      [t("start.opens"), !isOpen && exam.scheduled_date && h(When, { at: exam.scheduled_date })],
      [t("start.ends"), time?.deadline && calls.progress(time) === "running" && h(When, { at: time.deadline })],
      [t("start.closes"), exam.closes_at && h(When, { at: exam.closes_at })],
      [t("start.time"), t("exams.minutes", { count: minutes || exam.countdown_minutes })],
      [t("start.questions"), t("start.count", { count: exam.question_count })],
    ],
  })}</div>`;

/**
 * The time until an exam opens, by the service's clock if the candidate may read it.
 *
 * @param {{ exam: Exam, isKnown: boolean }} props
 */
function Countdown({ exam, isKnown }) {
  const ahead = useRead(async () => {
    if (!isKnown) return 0;
    const sent = Date.now();
    const { server_time } = await calls.clock(exam.id);
    return Date.parse(server_time) - (sent + Date.now()) / 2;
  }, [exam.id, isKnown]);
  const [now, tick] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (!exam.scheduled_date || (ahead.value === undefined && !ahead.error)) return null;
  const service = now + (ahead.value ?? 0);
  const left = (Date.parse(exam.scheduled_date) - service) / 1000;
  if (left <= 0) return html`<p class="figure">${t("start.opening")}</p>`;
  return html`<p class="figure numbers" role="timer">${left > DAY ? dates.ago(exam.scheduled_date, service) : t("start.opensIn", { clock: dates.clock(left) })}</p>`;
}

/**
 * The latest score. There is no rank: the dashboard has only the rank in the whole stage, which is not that of the exam,
 * and the page of the result has the rank once it is published.
 *
 * @param {{ dashboard: Dashboard }} props
 */
export function LastResult({ dashboard }) {
  const { latest_score: latest } = dashboard.exam_stats;
  if (!latest) return h(Part, { title: t("start.lastResult") }, h(Empty, {}, t("start.noResult")));
  return h(
    Part,
    { title: t("start.lastResult") },
    html`<p class="figure numbers">${t("start.percent", { score: latest.score })}</p>
    ${h(Facts, {
      facts: [
        [t("start.exam"), latest.exam_title],
        [t("start.recorded"), h(When, { at: latest.date })],
      ],
    })}
    <p><a href="/results">${t("start.allResults")}</a></p>`,
  );
}
