// Parts of the pages about results and regrades: questions with their figures, alarms, and corrections in words.

import { h, html, useEffect } from "../../../pages/static/ground/html.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Bars, Line } from "../../../pages/static/pieces/charts.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Field, useForm } from "../../../pages/static/pieces/form.js";
import { LETTERS, Maths } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Section, Tag } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { t } from "./words.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["AnalysedQuestion"]} AnalysedQuestion */
/** @typedef {components["schemas"]["ExamAnalysis"]} ExamAnalysis */
/** @typedef {components["schemas"]["Question"]} PaperQuestion */
/** @typedef {components["schemas"]["Regrade"]} Regrade */
/** @typedef {components["schemas"]["Change"]} Change */
/** @import { Sitter } from "./calls.js" */

/** @param {string} exam */
export const resultsOf = (exam) => `/console/exams/${exam}/results`;
/** @param {string} exam */
export const regradesOf = (exam) => `/console/exams/${exam}/regrades`;
/** @param {string} exam */
export const printedOf = (exam) => `/console/exams/${exam}/printed`;
/**
 * @param {string} exam
 * @param {number} question
 */
export const correct = (exam, question) => `${regradesOf(exam)}/new?question=${question}`;

/** @param {number} value */
export const score = (value) => number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** @param {number | null} value */
export const percent = (value) => (value === null ? "-" : number(value, { style: "percent", maximumFractionDigits: 0 }));
/** @param {number | null} value */
export const figure = (value) => (value === null ? "-" : number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));

// With fewer submissions, the service raises no alarms: chance alone would.
const FEWEST_FOR_ALARMS = 20;
// Alarms that mean a wrong answer key. All other alarms mean that a question is easy, hard or unusual.
/** @type {string[]} */
const SERIOUS = ["key_suspected", "negative_discrimination"];

/** @param {AnalysedQuestion} question */
export const isSuspected = (question) => question.alarms.some((each) => SERIOUS.includes(each));

/** @param {{ of: AnalysedQuestion }} props */
export const Alarms = ({ of }) =>
  html`<span class="acts">${of.alarms.map((each) => h(Tag, { key: each, kind: SERIOUS.includes(each) ? "bad" : "warn" }, t(`results.alarm.${each}`)))}</span>`;

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
 * The options of a question as bars. If the key is wrong, the longest bar is usually that of another option.
 *
 * @param {{ of: AnalysedQuestion }} props
 */
export const Chosen = ({ of }) =>
  h(Bars, {
    title: t("results.chosen"),
    unit: t("results.share"),
    write: percent,
    points: LETTERS.map((letter) => ({ label: of.correct_answer.includes(letter) ? t("results.rightOption", { letter }) : letter, value: of.options[letter].share })),
  });

/**
 * The figures of an exam as a whole.
 *
 * @param {{ of: ExamAnalysis }} props
 */
export const Figures = ({ of }) => html`
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
 * The questions of the paper with their figures. Questions whose key may be wrong come first, in a separate
 * table.
 *
 * @param {{ exam: string, of: ExamAnalysis }} props
 */
export function AnalysedQuestions({ exam, of }) {
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

/**
 * A correction in words: "Question 12: B and C count as right".
 *
 * @param {Change} change
 * @param {PaperQuestion[]} paper
 */
export function described(change, paper) {
  const position = paper.findIndex((each) => each.id === change.question) + 1;
  if (change.void) return t("results.voids", { position });
  if (change.credit_all) return t("results.credits", { position });
  return t("results.accepts", { position, letters: (change.accept ?? []).join(", ") });
}

/** @type {Record<Regrade["status"], "ok" | "warn" | "">} */
const KINDS = { preview: "warn", applied: "ok", reverted: "" };

/** @param {{ of: Regrade }} props */
export const RegradeState = ({ of }) => h(Tag, { kind: KINDS[of.status] }, t(`results.${of.status}`));

/**
 * The effect of a regrade.
 *
 * @param {{ of: Regrade, total: number | undefined }} props `total` is how many scores the exam has.
 */
export const Effect = ({ of: { effect }, total }) => html`
  <p class="results-effect">${effect.scores_changed === 0 ? t("results.noScores") : t("results.scoresChange", { count: effect.scores_changed, total: total ?? effect.scores_changed, up: effect.up, down: effect.down })}
    ${" "}${effect.ranks_changed > 0 && t("results.ranksChange", { count: effect.ranks_changed })}</p>
  ${h(Facts, {
    facts: [
      [t("results.average"), t("results.fromTo", { from: score(effect.average_before), to: score(effect.average_after) })],
      [t("results.in"), effect.in.length > 0 && names(effect.in)],
      [t("results.out"), effect.out.length > 0 && names(effect.out)],
    ].filter(([, value]) => value !== false).map(([label, value]) => /** @type {[string, any]} */ ([label, value])),
  })}`;

/** @param {{ full_name: string, school: string }[]} people */
const names = (people) => html`<ul class="items">${people.map((each) => html`<li><bdi>${each.full_name}</bdi>, <span class="muted"><bdi>${each.school}</bdi></span></li>`)}</ul>`;

/**
 * A value before and after, and the difference.
 *
 * @param {{ from: string, to: string, difference: number, write?: (value: number) => string }} props
 */
export const Moved = ({ from, to, difference, write = number }) => html`<span class="numbers">${from === to ? from : t("results.fromTo", { from, to })}</span>
  ${difference !== 0 && html` ${h(Tag, { kind: difference > 0 ? "ok" : "bad" }, `${difference > 0 ? "+" : "−"}${write(Math.abs(difference))}`)}`}`;

/**
 * The score in percent, or null if the text is not a valid number.
 *
 * @param {string} unit `right` if the text counts right answers, otherwise it is the score in percent.
 * @param {string} written
 * @param {number} count The number of questions.
 */
export function percentOf(unit, written, count) {
  const value = /^\d+([.,]\d+)?$/.test(written.trim()) ? Number(written.trim().replace(",", ".")) : NaN;
  const most = unit === "right" ? count : 100;
  if (!(value <= most) || (unit === "right" && !Number.isInteger(value))) return null;
  return Math.round((value / most) * 10_000) / 100;
}

/**
 * The fields for the score of a printed paper, and a sentence about the effect.
 *
 * @param {{ sitter: Sitter, title: string, count: number }} props
 */
export function PaperScore({ sitter: { name, score: before }, title, count }) {
  const { values, id } = useForm();
  const isRight = values.unit === "right";
  const given = percentOf(values.unit, values.written, count);
  // Focus the field, so that several papers can be recorded without the mouse: name, Enter, score, Enter.
  useEffect(() => document.getElementById(id("written"))?.focus(), []);
  const words = { name, title, before: score(before ?? 0), score: score(given ?? 0) };
  return html`
    ${count > 0 && h(Choice, { name: "unit", label: t("results.unit"), required: true, options: [["right", t("results.unitRight", { count })], ["percent", t("results.unitPercent")]] })}
    ${h(Field, { name: "written", label: isRight ? t("results.rightAnswers", { count }) : t("results.inPercent"), required: true, inputmode: isRight ? "numeric" : "decimal", maxlength: 6 })}
    ${before !== null && h(Note, { kind: "warn" }, html`<p>${t("results.hasScore", words)}</p>`)}
    <p role="status">${given !== null && values.written !== "" && t("results.willGet", words)}</p>`;
}
