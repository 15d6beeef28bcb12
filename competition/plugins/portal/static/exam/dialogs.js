// The dialogs of an exam: to sign in again, and to ask the staff. The exam goes on behind them. The practice exam,
// which has no service, does not use them.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import * as session from "../../../pages/static/ground/session.js";
import { Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form, Password } from "../../../pages/static/pieces/form.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { Sitting } from "./sitting/sitting.js" */

/**
 * The dialog to sign in again without leaving the exam. It accepts only the account of the candidate who sits
 * the exam.
 *
 * @param {{ user: string, email: string, close: () => void }} props
 */
export function SignInAgain({ user, email, close }) {
  const [isOther, setOther] = useState(false);
  /** @param {Awaited<ReturnType<typeof calls.signIn>>} reply */
  const done = async (reply) => {
    if (reply.profile.user.id !== user) {
      setOther(true);
      await calls.logOut(reply.refresh).catch(() => {});
      return;
    }
    session.open(reply);
    close();
  };
  return h(
    Dialog,
    { title: t("signIn"), onClose: close },
    isOther && h(Note, { kind: "bad", alert: true }, html`<p>${t("exam.otherAccount")}</p>`),
    h(
      Form,
      { initial: { email, password: "" }, verb: t("signIn"), stays: true, done, send: (values) => calls.signIn(/** @type {any} */ (values)) },
      h(Field, { name: "email", type: "email", label: t("exam.email"), required: true, autocomplete: "email" }),
      h(Password, { name: "password", label: t("exam.password"), required: true, autocomplete: "current-password" }),
    ),
    html`<button type="button" class="button plain" onClick=${close}>${t("exam.close")}</button>`,
  );
}

/** @param {{ sitting: Sitting, exam: number, about: number | null, close: () => void }} props */
export function Ask({ sitting, exam, about, close }) {
  const [sent, setSent] = useState(false);
  const number = 1 + (sitting.paper?.questions.findIndex((each) => each.id === about) ?? -1);
  return h(
    Dialog,
    { title: t("exam.askTitle", { number }), onClose: close },
    sent
      ? html`<div class="flow"><p role="status">${t("exam.asked")}</p><div class="acts"><button type="button" class="button first" onClick=${close}>${t("exam.close")}</button></div></div>`
      : html`${h(
          Form,
          {
            initial: { text: "" },
            verb: t("exam.askSend"),
            draft: `ask.${exam}.${about}`,
            stays: true,
            send: ({ text }, { key }) => calls.ask(exam, { question: about, text: String(text) }, key),
            done: () => setSent(true),
          },
          h(Field, { name: "text", label: t("exam.askText"), rows: 3, required: true, hint: t("exam.askHint") }),
        )}<button type="button" class="button plain" onClick=${close}>${t("exam.close")}</button>`,
  );
}
