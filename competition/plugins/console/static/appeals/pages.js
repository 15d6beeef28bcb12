// Appeals of all exams, the open ones first.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Choice, Field, Form, Select } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Options } from "../../../pages/static/pieces/maths.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Dialog } from "../../../pages/static/pieces/dialog.js";
import { Facts, Page, Tag, When } from "../../../pages/static/pieces/page.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import { t } from "../words.js";
import * as calls from "./calls.js";

/** @import { Appeal } from "./calls.js" */
/** @import { Letter } from "../../../pages/static/pieces/maths.js" */

const KINDS = /** @type {const} */ ({ open: "warn", accepted: "ok", rejected: "bad" });

export function Appeals() {
  const [shown, show] = useState(/** @type {Appeal | null} */ (null));
  const [version, change] = useState(0);
  return h(Page, { title: t("nav.appeals"), lead: t("appeals.lead") },
    list({
      name: t("nav.appeals"),
      id: (row) => row.id,
      call: calls.appeals,
      version,
      filters: [{ name: "status", label: t("appeals.state"), options: [["open", t("appeals.state.open")], ["accepted", t("appeals.state.accepted")], ["rejected", t("appeals.state.rejected")]] }],
      columns: [
        { title: t("appeals.candidate"), cell: (row) => html`<button type="button" class="button plain" onClick=${() => show(row)}>${row.candidate.full_name}</button><span class="small muted">${row.candidate.school}</span>` },
        { title: t("appeals.text"), cell: (row) => shortened(row.text) },
        { title: t("appeals.state"), cell: (row) => h(Tag, { kind: KINDS[/** @type {"open"} */ (row.status)] }, t(/** @type {"appeals.state.open"} */ (`appeals.state.${row.status}`))), sort: "status" },
        { title: t("appeals.at"), cell: (row) => h(When, { at: row.created_at }), sort: "created_at" },
      ],
      empty: t("appeals.none"),
    }),
    shown && h(One, { appeal: shown, close: () => show(null), done: () => {
      show(null);
      change(version + 1);
      notice({ text: t("appeals.answered") });
    } }));
}

const LONGEST = 80;

/** @param {string} text */
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** @param {{ appeal: Appeal, close: () => void, done: () => void }} props */
function One({ appeal, close, done }) {
  const reading = useRead(() => calls.about(appeal), [appeal.id]);
  return h(Dialog, { title: t("appeals.of", { name: appeal.candidate.full_name }), onClose: close, class: "wide" }, html`<div class="flow">
    ${loaded(reading, ({ exam, question }) => html`${h(Facts, { facts: [
        [t("appeals.exam"), html`<a href=${`/console/exams/${appeal.exam}/results`}>${exam?.title ?? appeal.exam}</a>`],
        [t("appeals.school"), appeal.candidate.school],
        [t("appeals.at"), h(When, { at: appeal.created_at })],
      ] })}
      ${question && h(Options, { question, chosen: null, right: [/** @type {Letter} */ (question.correct_answer)] })}`)}
    <blockquote class="note info"><p>${appeal.text}</p></blockquote>
    ${appeal.status === "open"
      ? isAtLeast("admin") ? h(Answer, { appeal, close, done }) : html`<p class="muted">${t("appeals.waits")}</p>`
      : html`<p>${h(Tag, { kind: KINDS[appeal.status] }, t(`appeals.state.${appeal.status}`))} ${appeal.answer}</p>`}
    ${(appeal.status !== "open" || !isAtLeast("admin")) && html`<button type="button" class="button" onClick=${close}>${t("boards.close")}</button>`}
  </div>`);
}

/** @param {{ appeal: Appeal, close: () => void, done: () => void }} props */
function Answer({ appeal, close, done }) {
  const regrades = useRead(() => calls.regrades(appeal.exam).catch(() => []), [appeal.exam]);
  return loaded(regrades, (rows) => h(Form, {
    initial: { status: "", answer: "", regrade: "" },
    verb: t("appeals.send"),
    draft: `appeal.${appeal.id}`,
    stays: true,
    send: ({ status, answer, regrade }) => calls.answer(appeal.id, { status, answer, ...(regrade && { regrade: Number(regrade) }) }),
    done,
    actions: html`<button type="button" class="button" onClick=${close}>${t("boards.close")}</button>`,
  },
    h(Choice, { name: "status", label: t("appeals.decision"), required: true, options: [["accepted", t("appeals.accept")], ["rejected", t("appeals.reject")]] }),
    h(Field, { name: "answer", label: t("appeals.answer"), hint: t("appeals.answerHint"), rows: 4, required: true }),
    rows.length > 0 && h(Select, { name: "regrade", label: t("appeals.regrade"), options: [["", t("appeals.noRegrade")], ...rows.map((each) => /** @type {[string, string]} */ ([String(each.id), each.reason]))] }),
    html`<p><a href=${`/console/exams/${appeal.exam}/regrades/new${appeal.question ? `?question=${appeal.question}` : ""}`}>${t("appeals.newRegrade")}</a></p>`));
}
