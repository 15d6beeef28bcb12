// The button that takes back a candidate's own submission, so that the candidate can continue, with its dialog. A note
// says in which exams the service would reject that.

import { config } from "../../../pages/static/ground/config.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { whenInWords } from "../../../pages/static/pieces/page.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @typedef {import("../../../pages/static/types/api.js").components["schemas"]["WatchedSeat"]} Seat */
/** @typedef {"immediately" | "at_conclusion" | "at_publication" | null | undefined} Rule */

/** Whether the user may take submissions back. */
export const mayReopen = () => isAtLeast("admin") && config().plugins.includes("drafts");

/** The note about an exam that shows scores at once: its submissions can't be taken back. @param {{ rule: Rule }} props */
export function AtOnce({ rule }) {
  const shown = rule ?? config().settings["scores.visible"];
  return mayReopen() && shown !== "at_conclusion" && shown !== "at_publication" ? h(Note, {}, html`<p>${t("day.reopenAtOnce")}</p>`) : html``;
}

/** The button, and its dialog. @param {{ exam: number, seat: Seat, done: () => void }} props */
export function Reopen({ exam, seat: { candidate }, done }) {
  const [isOpen, open] = useState(false);
  const close = () => open(false);
  const name = candidate.full_name;
  return html`${h(Act, { act: async () => open(true) }, t("day.reopen"), html`<span class="hide"> <bdi>${name}</bdi></span>`)}
    ${isOpen && h(Dialog, { title: t("day.reopenTitle", { name }), onClose: close },
      html`<p>${t("day.reopens")}</p>`,
      h(Form, {
        initial: { reason: "", extra_minutes: "0" },
        verb: t("day.reopenVerb"),
        danger: true,
        send: ({ reason, extra_minutes }) => calls.reopen(exam, candidate.user_id, { reason, extra_minutes: Number(extra_minutes) }),
        done: ({ deadline }) => {
          close();
          done();
          notice({ text: t("day.reopened", { name, until: whenInWords(deadline) }) });
        },
        actions: html`<button type="button" class="button" onClick=${close}>${t("day.reopenCancel")}</button>`,
      },
      h(Field, { name: "reason", label: t("day.reopenReason"), required: true, maxlength: 500, rows: 2 }),
      h(Field, { name: "extra_minutes", label: t("day.reopenMinutes"), type: "number", inputmode: "numeric", required: true, hint: t("day.reopenMinutesHint") })))}`;
}
