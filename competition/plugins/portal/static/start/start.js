// The first page, for anyone: an introduction to the league, with links to registering and signing in.

import { config } from "../../../pages/static/ground/config.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

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
