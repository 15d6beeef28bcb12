// The candidate's exams: open now, upcoming, and past.

import { h, html } from "../../../pages/static/ground/html.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Facts, Page, Section, Sheet, Tag, When } from "../../../pages/static/pieces/page.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import { useExams, useOwnMinutes } from "./calls.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Announced, Concluded, Open } from "./calls.js" */

export function Exams() {
  const reading = useExams();
  return h(
    Page,
    { title: t("exams"), actions: html`<a class="button" href="/practice">${t("practice")}</a><a class="button" href="/device">${t("device")}</a>` },
    loaded(reading, ({ available_exams: open, upcoming_exams: upcoming, concluded_exams: past, candidate_info: { is_user_verified: isVerified } }) => html`
      ${h(Section, { title: t("exams.open") }, open.length ? ordered(open).map((each, at) => h(OpenExam, { key: each.id, exam: each, isFirst: at === 0, isVerified })) : h(Empty, {}, t("exams.noneOpen")))}
      ${h(Section, { title: t("exams.upcoming") }, upcoming.length ? upcoming.map((each) => h(UpcomingExam, { key: each.id, exam: each, isVerified })) : h(Empty, {}, t(open.length ? "exams.noOther" : "exams.noneUpcoming")))}
      ${h(Section, { title: t("exams.past") }, past.length ? past.map((each) => h(PastExam, { key: each.id, exam: each })) : h(Empty, {}, t("exams.nonePast")))}
      <p>${h(AsOf, { at: reading.at })}</p>`),
  );
}

/**
 * The exams that can still be taken, then those that are submitted.
 *
 * @param {Open[]} exams
 */
const ordered = (exams) => exams.toSorted((one, other) => Number(one.enrollment === "done") - Number(other.enrollment === "done"));

/**
 * A past, open or upcoming exam: its title, which links to its page, and facts about it.
 *
 * @param {{ exam: Open | Announced | Concluded, tag?: Children, facts: [label: string, value: Children][], children?: Children }} props
 */
const Exam = ({ exam, tag, facts, children }) => h(
  Sheet,
  {},
  html`<div class="head">
      <div><h3><a href=${`/exams/${exam.id}`}>${exam.title}</a></h3><p class="muted">${t("exams.round", { stage: t(`exams.${exam.stage}`), round: exam.round })}</p></div>
      ${tag}
    </div>
    ${h(Facts, { facts })}
    ${children && html`<div class="acts">${children}</div>`}`,
);

/**
 * @param {{ exam: Open, isFirst: boolean, isVerified: boolean }} props Only verified candidates can read their
 *   own time from the API.
 */
const OpenExam = ({ exam, isFirst, isVerified }) => {
  const isDone = exam.enrollment === "done";
  return h(
    Exam,
    {
      exam,
      tag: isDone ? h(Tag, { kind: "ok" }, t("exams.submitted")) : h(Tag, { kind: "info" }, t("exams.isOpen")),
      facts: [[t("exams.closes"), exam.closes_at && h(When, { at: exam.closes_at })], ...size(exam, useOwnMinutes(isDone || !isVerified ? null : exam))],
    },
    isDone ? html`<a class="button" href=${`/results/${exam.id}`}>${t("exams.receipt")}</a>` : html`<a class=${`button ${isFirst ? "first" : ""}`} href=${`/exams/${exam.id}`}>${t("exams.go")}</a>`,
  );
};

/** @param {{ exam: Announced, isVerified: boolean }} props */
const UpcomingExam = ({ exam, isVerified }) => h(Exam, {
  exam,
  facts: [[t("exams.opens"), h(When, { at: exam.scheduled_date })], [t("exams.closes"), exam.closes_at && h(When, { at: exam.closes_at })], ...size(exam, useOwnMinutes(isVerified ? exam : null))],
});

/** @param {{ exam: Concluded }} props */
const PastExam = ({ exam }) => h(
  Exam,
  {
    exam,
    tag: exam.enrollment === "done" ? h(Tag, { kind: "ok" }, t("exams.submitted")) : exam.enrollment === "missed" && h(Tag, { kind: "warn" }, t("exams.missed")),
    facts: [[t("exams.closed"), exam.concluded_at && h(When, { at: exam.concluded_at })]],
  },
  exam.enrollment === "done" && html`<a class="button" href=${`/results/${exam.id}`}>${t("exams.result")}</a>`,
);

/**
 * @param {Open | Announced} exam
 * @param {number} minutes The candidate's own time, or 0 for the exam's usual time.
 * @returns {[string, Children][]}
 */
const size = (exam, minutes) => [
  [t("exams.time"), t("exams.minutes", { count: minutes || exam.countdown_minutes })],
  [t("exams.questions"), number(exam.question_count)],
];
