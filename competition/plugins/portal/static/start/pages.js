// The first page, for anyone, and the home page of a candidate.

import { h, html, useEffect } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Page, When } from "../../../pages/static/pieces/page.js";
import { config } from "../../../pages/static/pieces/start.js";
import { loaded, Loading } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Joining } from "./joining.js";
import { LastResult, NextExams, nextExam, shownExams, nextStep, NextStep, Part, Steps } from "./pieces.js";

/** The first page: an introduction to the league, with links to registering and signing in. */
export function Start() {
  const registration = useRead(calls.registration, []);
  const isSignedIn = session.user() !== null;
  const isOpen = registration.value?.is_candidate_reg_open ?? false;
  return h(
    Page,
    { title: config().name, lead: t("start.what") },
    isSignedIn
      ? html`<div class="acts"><a class="button first" href="/home">${t("start.goHome")}</a> <a class="button" href="/practice">${t("start.tryPractice")}</a></div>`
      : html`${loaded(registration, ({ is_candidate_reg_open }) => html`<div class=${`note ${is_candidate_reg_open ? "ok" : "warn"}`}>
            <p>${is_candidate_reg_open ? t("start.isOpen") : t("start.isClosed")}</p>
          </div>`)}
          <div class="acts">
            ${isOpen && html`<a class="button first" href="/register">${t("register")}</a>`}
            <a class=${`button ${isOpen || registration.busy ? "" : "first"}`} href="/sign-in">${t("signIn")}</a>
            <a class="button" href="/practice">${t("start.tryPractice")}</a>
          </div>`,
    html`<section class="flow"><h2>${t("start.how")}</h2>
      <ol class="start-how">
        ${/** @type {const} */ (["start.how1", "start.how2", "start.how3", "start.how4"]).map((each) => html`<li>${t(each)}</li>`)}
      </ol></section>
    <section class="flow"><h2>${t("start.help")}</h2>
      <p>${t("start.device")} <a href="/device">${t("device")}</a></p>
      ${config().support_email && html`<p>${t("start.questionsTo")} <a href=${`mailto:${config().support_email}`}>${config().support_email}</a></p>`}
    </section>`,
  );
}

/** The home page: the next step, the next exam, the last result, and news. */
export function Home() {
  const dashboard = calls.useDashboard();
  const verification = calls.useVerification(!(dashboard.value?.candidate_info ?? session.user())?.is_user_verified);
  const news = useRead(calls.news, []);
  const isVerified = dashboard.value?.candidate_info.is_user_verified;
  // The candidate's clocks in the open exams show whether their time is running.
  const clocks = calls.useClocks(isVerified ? dashboard.value?.available_exams : []);
  const next = dashboard.value && nextExam(dashboard.value, clocks);
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
      // The next step depends on the documents.
      loaded(verification, (documents) => html`<div class="home">
        ${value.current_season && !value.current_season.joined && h(Joining, { name: value.current_season.name, done: dashboard.again })}
        ${clocks ? h(NextStep, nextStep(value, documents, next ? clocks[next.exam.id] : null, next ? minutes[next.exam.id] || next.exam.countdown_minutes : 0, next)) : h(Loading, {})}
        ${!value.candidate_info.is_user_verified && h(Steps, { dashboard: value, verification: documents })}
        ${h(NextExams, { dashboard: value, clocks, minutes })}
        ${h(LastResult, { dashboard: value })}
        ${h(Part, { title: t("start.news") }, loaded(news, ({ results, stats }) => html`
          ${results.length > 0
            ? html`<ul class="list home-news">${results.map((each) => html`<li key=${each.id}><a href="/inbox">${each.subject}</a> <span class="small muted">${h(When, { at: each.created_at })}</span></li>`)}</ul>`
            : html`<p class="muted">${t("start.noNews")}</p>`}
          <p><a href="/inbox">${stats.unread_count ? t("start.unread", { count: stats.unread_count }) : t("start.allNews")}</a></p>`))}
      </div>`)),
  );
}
