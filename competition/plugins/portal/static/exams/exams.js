// The list of the candidate's exams: open now, upcoming, and past.

import { h, html } from "../../../pages/static/ground/html.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Facts, Page, Section, Sheet, Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import { byUrgency, progress, useClocks, useExams, useOwnMinutes } from "./calls.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Kind } from "../../../pages/static/pieces/notice.js" */
/** @import { Announced, Clocks, Concluded, Open } from "./calls.js" */

export function Exams() {
  const reading = useExams();
  // Only verified candidates may read their clocks.
  const clocks = useClocks(reading.value?.candidate_info.is_user_verified ? reading.value.available_exams : []);
  return h(
    Page,
    { title: t("exams"), actions: html`<a class="button" href="/practice">${t("practice")}</a><a class="button" href="/device">${t("device")}</a>` },
    loaded(reading, ({ available_exams: open, upcoming_exams: upcoming, concluded_exams: past, candidate_info: { is_user_verified: isVerified } }) => html`
      ${h(Section, { title: t("exams.open") }, open.length ? byUrgency(open, clocks).map((each, at) => h(OpenExam, { key: each.id, exam: each, isFirst: at === 0, isVerified, time: clocks?.[each.id] })) : h(Empty, {}, t("exams.noneOpen")))}
      ${h(Section, { title: t("exams.upcoming") }, upcoming.length ? upcoming.map((each) => h(UpcomingExam, { key: each.id, exam: each, isVerified })) : h(Empty, {}, t(open.length ? "exams.noOther" : "exams.noneUpcoming")))}
      ${h(Section, { title: t("exams.past") }, past.length ? past.map((each) => h(PastExam, { key: each.id, exam: each })) : h(Empty, {}, t("exams.nonePast")))}
      <p>${h(AsOf, { at: reading.at })}</p>`),
  );
}

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
 * @param {{ exam: Open, isFirst: boolean, isVerified: boolean, time: Clocks[number] | undefined }} props Only verified
 *   candidates can read their own time from the API, and start.
 */
const OpenExam = ({ exam, isFirst, isVerified, time }) => {
  const isDone = exam.enrollment === "done";
  const state = progress(time);
  /** @type {[Kind, string]} */
  const [kind, tag] = isDone ? ["ok", t("exams.submitted")]
    : state === "running" && time?.deadline ? ["warn", t("exams.running", { time: whenInWords(time.deadline) })]
      : state === "over" ? ["warn", t("exams.timeOver")] : ["info", t("exams.isOpen")];
  return h(
    Exam,
    {
      exam,
      tag: h(Tag, { kind }, tag),
      facts: [[t("exams.closes"), exam.closes_at && h(When, { at: exam.closes_at })], ...size(exam, useOwnMinutes(isDone || !isVerified ? null : exam))],
    },
    isDone ? html`<a class="button" href=${`/results/${exam.id}`}>${t("exams.receipt")}</a>`
      : !isVerified ? html`<p>${t("exams.whenChecked")} <a href="/documents">${t("documents")}</a></p>`
        : html`<a class=${`button ${isFirst ? "first" : ""}`} href=${`/exams/${exam.id}`}>${t(state === "running" ? "exams.goOn" : "exams.go")}</a>`,
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
