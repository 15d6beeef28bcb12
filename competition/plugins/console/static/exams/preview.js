// The page that shows an exam as candidates will see it. What staff choose on it is not sent.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { withQuery } from "../../../pages/static/ground/router.js";
import { Options } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { crumb, crumbs, EXAMS, stageOf } from "./pieces.js";
import { t } from "./words.js";

/** @import { Letter } from "../../../pages/static/pieces/maths.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/** @param {PageProps} props */
export function Preview({ params, query }) {
  const id = params.id ?? "";
  const reading = useRead(() => calls.preview(id), [id]);
  useReturn(reading.again);
  const [chosen, choose] = useState(/** @type {Record<number, Letter>} */ ({}));
  const paper = reading.value;
  return h(Page, {
    title: t("exams.preview"),
    crumbs: [...crumbs(), ...(paper ? [crumb(paper)] : [])],
  },
    h(Note, { kind: "info" }, t("exams.previewNote")),
    loaded(reading, ({ title, questions, description, countdown_minutes: minutes, stage, round }) => {
      const at = Math.min(Math.max(Number(query.get("question")) || 1, 1), questions.length);
      const question = questions[at - 1];
      const link = (/** @type {number} */ to) => withQuery({ question: to === 1 ? null : String(to) });
      if (!question) return null;
      return html`<div class="sheet pad flow">
        <p class="line"><strong>${title}</strong> <span class="muted">${stageOf({ stage, round })}</span> <span class="numbers">${t("exams.timeLeft", { time: dates.clock(minutes * 60) })}</span></p>
        ${at === 1 && description && html`<p class="exam-description">${description}</p>`}
        <nav aria-label=${t("exams.allQuestions")}><ol class="exam-numbers">${questions.map((each, index) => html`<li>
          <a class="button numbers" href=${link(index + 1)} aria-label=${t(chosen[each.id] ? "exams.questionAnswered" : "exams.questionOpen", { number: String(index + 1) })} aria-current=${index + 1 === at ? "true" : undefined}>${index + 1}${chosen[each.id] ? " ✓" : ""}</a></li>`)}</ol></nav>
        <h2>${t("exams.questionOf", { number: at, count: questions.length })}</h2>
        ${h(Options, { key: question.id, question, chosen: chosen[question.id] ?? null, choose: (letter) => choose({ ...chosen, [question.id]: letter }) })}
        <div class="acts">${at > 1 && html`<a class="button" href=${link(at - 1)}>${t("exams.previous")}</a>`}
          ${at < questions.length && html`<a class="button" href=${link(at + 1)}>${t("exams.next")}</a>`}</div>
      </div>`;
    }, { empty: (value) => !value.questions.length, nothing: h(Empty, { action: html`<a class="button" href=${`${EXAMS}/${id}/paper`}>${t("exams.choose")}</a>` }, t("exams.emptyPaper")) }));
}
