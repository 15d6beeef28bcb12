// The home page of a candidate: the next step, the next exams, the latest result, and unread notifications.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Facts, Page, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Empty, loaded, Loading } from "../../../pages/static/pieces/states.js";
import { Joining } from "../joining.js";
import * as calls from "./calls.js";
import { announcedExam, nextExam, nextStep, openExams, Part } from "./pieces.js";
import { t } from "./words.js";

/** @import { Kind } from "../../../pages/static/pieces/notice.js" */
/** @import { Clocks, Dashboard, Exam, Verification } from "./calls.js" */
/** @import { Step } from "./pieces.js" */

// If fewer seconds than this are left, the page shows a clock instead of words.
const DAY = 86_400;

/** The home page: the next step, the next exams, the latest result, and unread notifications. */
export function Home() {
  const dashboard = calls.useDashboard();
  const verification = calls.useVerification(!(dashboard.value?.candidate_info ?? session.user())?.is_user_verified);
  const news = useRead(calls.news, []);
  const isVerified = dashboard.value?.candidate_info.is_user_verified;
  // The candidate's clocks in the open exams show whether their time is running.
  const clocks = calls.useClocks(isVerified ? dashboard.value?.available_exams : []);
  const next = dashboard.value && nextExam(dashboard.value, clocks);
  // Whether the candidate has not said yet that they take part this season. Until then, no exam is for them.
  const isAsked = dashboard.value?.current_season?.joined === false;
  const minutes = calls.useMinutes(isVerified && dashboard.value ? shownExams(dashboard.value) : []);
  const readAgain = [dashboard.again, verification.again, news.again];
  useEffect(() => {
    const stops = [socket.on("notification_activity", () => readAgain.forEach((again) => again())), socket.on("open", news.again)];
    return () => stops.forEach((stop) => stop());
  }, readAgain);
  const name = session.user()?.user.first_name ?? "";
  return h(
    Page,
    { title: t("start.hello", { name }), lead: dashboard.value && t(`start.stage.${dashboard.value.candidate_info.role}`) },
    loaded(dashboard, (value) =>
      // The next step depends on the identity documents.
      loaded(verification, (documents) => html`<div class="home">
        ${isAsked && value.current_season && h(Joining, { name: value.current_season.name, done: dashboard.again })}
        ${isAsked && isVerified && !next ? null : clocks ? h(NextStep, nextStep(value, documents, next ? clocks[next.exam.id] : null, next ? minutes[next.exam.id] || next.exam.countdown_minutes : 0, next)) : h(Loading, {})}
        ${!value.candidate_info.is_user_verified && h(Steps, { dashboard: value, verification: documents })}
        ${h(NextExams, { dashboard: value, clocks, minutes, isAsked })}
        ${h(LastResult, { dashboard: value })}
        ${h(Part, { title: t("start.news") }, loaded(news, ({ results, stats }) => html`
          ${results.length > 0
            ? html`<ul class="list home-news">${results.map((each) => html`<li key=${each.id}><a href="/inbox">${each.subject}</a> <span class="small muted">${h(When, { at: each.created_at })}</span></li>`)}</ul>`
            : html`<p class="muted">${t("start.noNews")}</p>`}
          <p><a href="/inbox">${stats.unread_count ? t("start.unread", { count: stats.unread_count }) : t("start.allNews")}</a></p>`))}
      </div>`)),
  );
}

/** The exams that the home page shows. @param {Dashboard} dashboard @returns {Exam[]} */
const shownExams = (dashboard) => [...openExams(dashboard), announcedExam(dashboard)].flatMap((each) => each ?? []);

/** @param {Step} props */
const NextStep = ({ title, text, href, verb, kind }) => html`<section class=${`step sheet pad flow ${kind ?? ""}`}>
  <div><p class="small muted">${t("start.next")}</p><h2>${title}</h2></div>
  <p class="text">${text}</p>
  ${href && html`<div class="acts"><a class="button first" href=${href}>${verb}</a></div>`}
</section>`;

/**
 * The three things that a candidate needs before the first exam.
 *
 * @param {{ dashboard: Dashboard, verification: Verification | undefined }} props
 */
function Steps({ dashboard, verification }) {
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
 * @param {{ dashboard: Dashboard, clocks: Clocks | undefined, minutes: Record<number, number>, isAsked: boolean }} props
 *   `minutes`: the candidate's own time, by exam.
 */
function NextExams({ dashboard, clocks, minutes, isAsked }) {
  const open = openExams(dashboard, clocks);
  const announced = announcedExam(dashboard);
  const isVerified = dashboard.candidate_info.is_user_verified;
  return html`${open.length > 0 && h(Part, { title: t("start.examNow") },
      open.map((exam) => h(OneExam, { key: exam.id, exam, isOpen: true, isVerified, minutes: minutes[exam.id], time: clocks?.[exam.id] })),
      !isVerified && html`<p>${t("exams.whenChecked")} <a href="/documents">${t("documents")}</a></p>`)}
    ${announced && h(Part, { title: t("start.nextExam") }, h(OneExam, { key: announced.id, exam: announced, isOpen: false, isVerified, minutes: minutes[announced.id] }))}
    ${!open.length && !announced && !isAsked && h(Part, { title: t("start.nextExam") }, h(Empty, {}, t("start.noExam")))}`;
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
 * The latest score. There is no rank: the dashboard has only the rank in the whole stage, which is not that of the
 * exam, and the page of the result has the rank once it is published.
 *
 * @param {{ dashboard: Dashboard }} props
 */
function LastResult({ dashboard }) {
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
