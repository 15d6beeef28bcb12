// The page for a new appeal, about a whole result or one of its questions.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { Options } from "../../../pages/static/pieces/maths.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Sheet } from "../../../pages/static/pieces/page.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Letter } from "../../../pages/static/pieces/maths.js" */
/** @import { Exam, Taken } from "./calls.js" */

// The longest text that the API accepts, in characters.
const LONGEST = 2_000;
const WHOLE = "whole";

/** @param {PageProps} props */
export function NewAppeal({ query }) {
  const id = Number(query.get("exam"));
  const reading = useRead(async () => {
    const exam = (await calls.taken()).find((each) => each.id === id) ?? null;
    return { exam, questions: exam ? await calls.questions(id) : [] };
  }, [id]);
  return h(
    Page,
    { title: t("appeals.title"), lead: reading.value?.exam?.title, crumbs: [{ href: "/appeals", text: t("appeals") }] },
    loaded(
      reading,
      ({ exam, questions }) => exam && h(AppealForm, { exam, questions, about: query.get("question") ?? "" }),
      { empty: (value) => !value.exam, nothing: h(Empty, { action: html`<a class="button" href="/results">${t("appeals.toResults")}</a>` }, t("appeals.noExam")) },
    ),
  );
}

/** @param {{ exam: Exam, questions: Taken[], about: string }} props */
function AppealForm({ exam, questions, about: question }) {
  return h(
    Form,
    {
      initial: { question: questions.some((each) => String(each.question_id) === question) ? question : WHOLE, text: "" },
      draft: `appeal.${exam.id}.${question}`,
      verb: t("appeals.send"),
      send: (values) => calls.make(exam.id, { question: values.question === WHOLE ? null : Number(values.question), text: values.text }),
      done: async () => {
        await go("/appeals");
        notice({ text: t("appeals.sent") });
      },
    },
    html`<p>${t("appeals.rules")}</p>`,
    h(Select, {
      name: "question",
      label: t("appeals.about"),
      required: true,
      options: [[WHOLE, t("appeals.whole")], ...questions.map((each, at) => /** @type {[string, string]} */ ([String(each.question_id), t("appeals.question", { number: at + 1 })]))],
    }),
    h(Chosen, { questions }),
    h(Field, { name: "text", label: t("appeals.text"), hint: t("appeals.hint", { count: LONGEST }), rows: 8, maxlength: LONGEST, required: true }),
  );
}

/**
 * The question that the appeal is about, with the candidate's answer.
 *
 * @param {{ questions: Taken[] }} props
 */
function Chosen({ questions }) {
  const { values } = useForm();
  const found = questions.find((each) => String(each.question_id) === values.question);
  if (!found) return null;
  return h(Sheet, {}, h(Options, { key: found.question_id, question: { ...found, text: found.question_text }, chosen: /** @type {Letter | null} */ (found.selected_option || null) }),
    !found.selected_option && html`<p class="muted">${t("appeals.blank")}</p>`);
}
