// The page for a new regrade: the choice of the question, and the correction of its answer key. It only creates a
// preview, which changes no score.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { language } from "../../../pages/static/ground/texts.js";
import { Bars } from "../../../pages/static/pieces/charts.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { LETTERS, Maths, Options, spoken } from "../../../pages/static/pieces/maths.js";
import { Page, Sheet } from "../../../pages/static/pieces/page.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { Alarms, correct, crumbs, isEnabled, orNothing, percent, regradesOf, resultsOf } from "./pieces.js";
import { t } from "./words.js";

/** @import { Letter } from "../../../pages/static/pieces/maths.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { AnalysedQuestion, Change, PaperQuestion, Regrade } from "./calls.js" */

/** Correct the answer key of a question. @param {PageProps} props */
export function NewRegrade({ params, query }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const asked = Number(query.get("question"));
  // The id of the preview that the new preview replaces, or 0.
  const replaced = Number(query.get("instead"));
  const about = useRead(() => calls.exam(exam), [exam]);
  const season = useSeason(about.value?.season);
  const reading = useRead(async () => {
    const [paper, analysis, before] = await Promise.all([
      calls.paper(exam),
      isEnabled("analysis") ? orNothing(calls.analysis(exam)) : null,
      replaced ? orNothing(calls.regrade(exam, replaced, { limit: "1" })) : null,
    ]);
    return { paper, analysed: analysis?.questions ?? [], before: before?.status === "preview" ? before : null };
  }, [exam, replaced]);
  const position = (reading.value?.paper.findIndex((each) => each.id === asked) ?? -1) + 1;
  return h(
    Page,
    {
      title: position ? t("results.correctOne", { position }) : t("results.correct"),
      lead: position ? t("results.previewFirst") : t("results.chooseQuestion"),
      crumbs: [...crumbs(id, about), { href: resultsOf(id), text: t("results.results") }, { href: regradesOf(id), text: t("results.regrades") }],
    },
    h(ClosedSeason, { season }),
    loaded(reading, ({ paper, analysed, before }) => {
      if (isClosed(season)) return h(Unread, { readings: [about] });
      const question = paper.find((each) => each.id === asked);
      const figures = (/** @type {number} */ each) => analysed.find((found) => found.question === each);
      return html`${h(Unread, { readings: [about] })}${question
        ? h(Correction, { key: asked, id, question, figures: figures(asked), before })
        : table({
            caption: t("results.allQuestions"),
            rows: paper.map((each, at) => ({ ...each, position: at + 1, found: figures(each.id) })),
            id: (each) => each.id,
            columns: [
              { title: t("results.question"), cell: (each) => html`<a href=${correct(id, each.id)}>${t("results.numbered", { position: each.position })}</a> <span class="small">${h(Maths, { of: each })}</span>` },
              { title: t("results.key"), cell: (each) => each.found?.correct_answer.split("").join(", ") ?? each.correct_answer },
              { title: t("results.alarms"), cell: (each) => (each.found?.alarms.length ? h(Alarms, { of: each.found }) : "-") },
            ],
          })}`;
    }, { empty: ({ paper }) => paper.length === 0, nothing: h(Empty, {}, t("results.noPaper")) }),
  );
}

/**
 * The options of a question as bars. If the answer key is wrong, the longest bar is usually that of another option.
 *
 * @param {{ of: AnalysedQuestion }} props
 */
const Chosen = ({ of }) =>
  h(Bars, {
    title: t("results.chosen"),
    unit: t("results.share"),
    write: percent,
    points: LETTERS.map((letter) => ({ label: of.correct_answer.includes(letter) ? t("results.rightOption", { letter }) : letter, value: of.options[letter].share })),
  });

/** @param {{ id: string, question: PaperQuestion, figures: AnalysedQuestion | undefined, before: Regrade | null }} props */
function Correction({ id, question, figures, before }) {
  const exam = Number(id);
  const now = /** @type {Letter[]} */ ((figures?.correct_answer ?? question.correct_answer).split(""));
  /** @param {Record<string, any>} values @returns {Change} */
  const change = ({ how, accept }) => ({
    question: question.id,
    ...(how === "accept" && { accept: LETTERS.filter((each) => accept.includes(each)) }),
    ...(how === "credit_all" && { credit_all: true }),
    ...(how === "void" && { void: true }),
  });
  /** @param {Record<string, any>} values @returns {Record<string, string>} */
  const check = ({ how, accept }) => {
    if (how !== "accept") return {};
    if (!accept.length) return { accept: t("results.acceptOne") };
    return LETTERS.filter((each) => accept.includes(each)).join() === now.join() ? { accept: t("results.acceptSame") } : {};
  };
  return html`
    ${h(Sheet, {}, h(Options, { question, chosen: null, right: now }), figures && figures.alarms.length > 0 && html`<p>${h(Alarms, { of: figures })}</p>`, figures && h(Chosen, { of: figures }))}
    ${h(Form, {
      initial: before ? begun(before, now) : { how: "accept", accept: now, reason: "" },
      draft: `results.regrade.${exam}.${question.id}${before ? `.${before.id}` : ""}`,
      verb: t("results.previewIt"),
      check,
      send: async (values) => {
        const made = await calls.preview(exam, [change(values)], values.reason);
        // Delete the preview that the new one replaces. A failure is no problem: it may be deleted or applied already.
        if (before) await calls.remove(exam, before.id).catch(() => {});
        return made;
      },
      done: (/** @type {Regrade} */ regrade) => go(`${regradesOf(id)}/${regrade.id}`),
      actions: html`<a class="button" href=${regradesOf(id)}>${t("results.cancel")}</a>`,
    },
    h(Choice, { name: "how", label: t("results.how"), required: true, options: [["accept", t("results.accept")], ["credit_all", t("results.creditAll")], ["void", t("results.void")]] }),
    h(Accepted, { question }),
    h(Field, { name: "reason", label: t("results.reason"), hint: t("results.reasonHint"), rows: 3, required: true, maxlength: 500 }))}`;
}

/**
 * The values of the form for a preview that is to be changed.
 *
 * @param {Regrade} regrade
 * @param {Letter[]} now The options that count as right now.
 */
function begun({ changes: [change], reason }, now) {
  return { how: change?.void ? "void" : change?.credit_all ? "credit_all" : "accept", accept: change?.accept ?? now, reason };
}

/** @param {{ question: PaperQuestion }} props */
function Accepted({ question }) {
  const { values, set } = useForm();
  if (values.how !== "accept") return null;
  const right = LETTERS.filter((each) => values.accept.includes(each));
  return html`${choiceOf(question)}
    <div class="acts">${LETTERS.map((letter) => html`<button type="button" class="button" onClick=${() => set("accept", [letter])}>${t("results.only", { letter })}</button>`)}</div>
    <p role="status">${right.length > 0 && t("results.thenRight", { letters: new Intl.ListFormat(language()).format(right), count: right.length })}</p>`;
}

/** @param {PaperQuestion} question */
const choiceOf = (question) => h(Choice, { name: "accept", label: t("results.acceptWhich"), required: true, many: true, options: LETTERS.map((letter) => /** @type {[string, string]} */ ([letter, t("results.option", { text: spoken(question, letter) })])) });
