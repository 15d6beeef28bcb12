// The dialog in which managers correct the details of an account, for candidates and staff. It reads and saves the
// account itself. The page shows the result.

import { h, html } from "../../pages/static/ground/html.js";
import { useRead } from "../../pages/static/ground/poll.js";
import { Dialog } from "../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../pages/static/pieces/form.js";
import { loaded } from "../../pages/static/pieces/states.js";
import { account, changeDetails } from "./calls.js";
import { t } from "./words.js";

/** @param {{ user: { id: string, first_name: string, last_name: string }, isCandidate: boolean, done: (text?: string) => void }} props */
export function Details({ user: { id, first_name: first, last_name: last }, isCandidate, done }) {
  const name = `${first} ${last}`;
  const reading = useRead(() => account(id), [id]);
  return h(Dialog, { title: t("people.editOne", { name }), onClose: () => done() }, loaded(reading, ({ values: initial, etag }) => h(Form, {
    initial,
    etag,
    verb: t("people.save"),
    stays: true,
    send: (values, options) => changeDetails(id, values, options),
    reread: () => account(id),
    done: () => done(t("people.saved", { name })),
    actions: html`<button type="button" class="button" onClick=${() => done()}>${t("people.cancel")}</button>`,
  }, h(Field, { name: "first_name", label: t("people.firstName"), required: true }),
    h(Field, { name: "last_name", label: t("people.lastName"), required: true }),
    isCandidate ? h(Field, { name: "school", label: t("people.school"), required: true }) : h(Field, { name: "occupation", label: t("staff.occupation") }),
    h(Field, { name: "phone", label: t("people.phone"), type: "tel", required: true }))));
}
