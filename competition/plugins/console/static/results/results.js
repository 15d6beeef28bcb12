// The page of the results of an exam: the scores, and the analysis of the questions, which the service computes.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Bars, Line } from "../../../pages/static/pieces/charts.js";
import { list } from "../../../pages/static/pieces/list.js";
import { LETTERS, Maths } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { CopyExam } from "../copying.js";
import { Export } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { Alarms, CANDIDATE, correct, crumbs, isEnabled, orNothing, percent, printedOf, regradesOf, resultsOf, score, SERIOUS, source } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { AnalysedQuestion } from "./calls.js" */
/** @import { components } from "../../../pages/static/types/api.js" */

/** @typedef {components["schemas"]["ExamAnalysis"]} ExamAnalysis */

// With fewer submissions, the service raises no alarms, because chance alone would raise some.
const FEWEST_FOR_ALARMS = 20;

/** @param {PageProps} props */
export function Results({ params, query }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const about = useRead(() => calls.exam(exam), [exam]);
  const season = useSeason(about.value?.season);
  const mayChange = !isClosed(season);
  const tab = query.get("tab") ?? "scores";
  return h(
    Page,
    {
      title: about.value ? t("results.title", { title: about.value.title }) : t("results.results"),
      crumbs: crumbs(id, about),
      actions: html`${about.value && !mayChange && isAtLeast("admin") && h(CopyExam, { exam: about.value })}
        ${isEnabled("regrades") && html`<a class="button" href=${regradesOf(id)}>${t("results.regrades")}</a>`}
        ${mayChange && about.value?.status === "concluded" && isAtLeast("admin") && isEnabled("leaderboard") && html`<a class="button" href=${`/console/boards/publish?exams=${id}`}>${t("results.publish")}</a>`}
        ${mayChange && isAtLeast("admin") && html`<a class="button" href=${printedOf(id)}>${t("results.toPrinted")}</a>`}
        ${mayChange && about.value?.status === "concluded" && h(ImportLink, { kind: "answers", from: "admin", exam, text: t("exams.fromPaper") })}
        ${mayChange && h(ImportLink, { kind: "scores", from: "admin", exam, text: t("results.importScores") })}
        ${isAtLeast("admin") && h(Export, { tables: [
          { name: "results", text: t("results.results"), bySchool: true, read: calls.results(exam) },
          { name: "absent", text: t("results.absent"), bySchool: true, read: calls.absent(exam) },
          { name: "answers", text: t("results.answers"), bySchool: true, read: calls.answers(exam) },
          ...(isEnabled("allowances") ? [{ name: "allowances", text: t("results.extraTime"), read: calls.extraTime(exam) }] : []),
        ] })}`,
    },
    h(Unread, { readings: [about] }),
    h(ClosedSeason, { season }),
    about.value && about.value.status !== "concluded" && h(Note, {}, html`<p>${t("results.notOver")} <a href=${`/console/exams/${id}/day`}>${t("results.toDay")}</a></p>`),
    h(Tabs, { label: t("results.parts"), tabs: [{ value: "scores", text: t("results.scores") }, ...(isEnabled("analysis") ? [{ value: "analysis", text: t("results.analysis") }] : [])] }),
    tab === "analysis" ? h(Analysis, { id }) : h(Scores, { id }),
  );
}

/** @param {number | null} value */
const figure = (value) => (value === null ? "-" : number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));

/** @param {AnalysedQuestion} question */
const isSuspected = (question) => question.alarms.some((each) => SERIOUS.includes(each));

/**
 * How often each option was chosen. The options that count as right are marked.
 *
 * @param {AnalysedQuestion} of
 */
const shares = (of) =>
  html`<span class="results-shares numbers">${LETTERS.map((letter) => {
    const isRight = of.correct_answer.includes(letter);
    const text = `${letter} ${percent(of.options[letter].share)}`;
    return isRight ? html`<strong>${text}<span class="hide"> ${t("results.right")}</span> ✓</strong>` : html`<span>${text}</span>`;
  })}</span>`;

/**
 * The figures of an exam as a whole.
 *
 * @param {{ of: ExamAnalysis }} props
 */
const Figures = ({ of }) => html`
  ${h(Facts, {
    facts: [
      [t("results.submissions"), number(of.candidates)],
      [t("results.mean"), t("results.meanOf", { mean: score(of.mean), deviation: score(of.standard_deviation) })],
      [t("results.median"), score(of.median)],
      [t("results.reliability"), html`${figure(of.reliability)} <span class="small muted">${t("results.reliabilityHint")}</span>`],
      [t("results.error"), of.standard_error === null ? null : html`${score(of.standard_error)} <span class="small muted">${t("results.errorHint")}</span>`],
    ],
  })}
  ${h(Bars, { title: t("results.histogram"), unit: t("results.candidates"), points: of.histogram.map((each) => ({ label: t("results.range", { from: each.from, to: each.to }), value: each.candidates })) })}
  ${h(Line, {
    title: t("results.facilities"),
    labels: of.questions.map((each) => String(each.position)),
    series: [{ label: t("results.facility"), values: of.questions.map((each) => each.facility) }],
    write: percent,
  })}`;

/**
 * The questions of the paper with their figures. Questions whose answer key may be wrong come first, in a separate
 * table.
 *
 * @param {{ exam: string, of: ExamAnalysis }} props
 */
function AnalysedQuestions({ exam, of }) {
  const suspected = of.questions.filter(isSuspected);
  /**
   * @param {string} caption
   * @param {AnalysedQuestion[]} rows
   */
  const questions = (caption, rows) => table({
    caption,
    rows,
    id: (each) => each.question,
    columns: [
      { title: t("results.question"), cell: (each) => html`<a href=${correct(exam, each.question)}>${t("results.numbered", { position: each.position })}</a> <span class="small">${h(Maths, { of: each })}</span>` },
      { title: t("results.facility"), end: true, cell: (each) => percent(each.facility) },
      { title: t("results.discrimination"), end: true, cell: (each) => figure(each.discrimination) },
      { title: t("results.choices"), cell: shares },
      { title: t("results.omitted"), end: true, cell: (each) => number(each.omitted) },
      { title: t("results.alarms"), cell: (each) => (each.alarms.length ? h(Alarms, { of: each }) : of.candidates < FEWEST_FOR_ALARMS ? html`<span class="muted">${t("results.tooFew")}</span>` : "-") },
    ],
  });
  return html`
    ${suspected.length > 0 && h(Section, { title: t("results.suspected", { count: suspected.length }) },
      html`<p>${t("results.suspectedHint")}</p>`, questions(t("results.suspected", { count: suspected.length }), suspected))}
    ${h(Section, { title: t("results.figures") }, h(Figures, { of }))}
    ${h(Section, { title: t("results.allQuestions") }, html`<p class="muted">${t("results.legend")}</p>`, questions(t("results.allQuestions"), of.questions))}`;
}

/** @param {{ id: string }} props */
const Scores = ({ id }) =>
  list({
    name: t("results.scores"),
    id: (row) => row.candidate_id,
    call: (query) => calls.scores(Number(id), query),
    filters: [{ name: "search", label: t("results.search") }],
    columns: [
      { ...CANDIDATE, title: t("results.candidate") },
      { title: t("results.score"), sort: "score", end: true, cell: (row) => score(row.score) },
      { title: t("results.submitted"), cell: (row) => h(When, { at: row.submitted_at }) },
      { title: t("results.by"), cell: source },
      { title: t("results.recorded"), sort: "recorded_at", cell: (row) => h(When, { at: row.recorded_at }) },
      ...(isEnabled("drafts") ? [{ title: t("results.drafts"), cell: (/** @type {{ candidate_id: string, candidate_name: string }} */ row) => html`<a href=${`${resultsOf(id)}/${row.candidate_id}`}>${t("results.look")}<span class="hide"> <bdi>${row.candidate_name}</bdi></span></a>` }] : []),
    ],
    found: (count) => t("results.found", { count }),
    empty: t("results.noneYet"),
  });

/** @param {{ id: string }} props */
function Analysis({ id }) {
  const reading = useRead(() => orNothing(calls.analysis(Number(id))), [id]);
  useReturn(reading.again);
  return loaded(reading, (found) => found && html`
    ${h(AnalysedQuestions, { exam: id, of: found })}
    <div class="acts">${h(Act, { act: () => calls.saveAnalysis(Number(id)) }, t("results.csv"))}</div>`,
    { empty: (found) => found === null, nothing: h(Empty, {}, t("results.noSubmissions")) });
}
