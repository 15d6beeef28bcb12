// The places of the page of examples with forms: all fields in each of their states, and each state of a form.

import { Unreachable } from "../../pages/static/ground/api.js";
import { h, html, useEffect, useRef } from "../../pages/static/ground/html.js";
import { Choice, Select } from "../../pages/static/pieces/choices.js";
import { Check, Code, DateTime, FileField } from "../../pages/static/pieces/fields.js";
import { Field, Form, Password } from "../../pages/static/pieces/form.js";
import { Page, Section } from "../../pages/static/pieces/page.js";
import { Pressed, refused, t, unanswered } from "./shown.js";

/** @import { Children } from "../../pages/static/ground/html.js" */

const SEND = "form > .acts > button";
const LARGEST = 2 ** 20;

const filled = () => ({
  name: "Ada Lovelace", email: "ada@hillside.example", phone: "+234 1 555 0100", points: "12", site: "https://hillside.example", search: "lake", message: t("fields.letter"),
  password: "a long secret", code: "123456", school: "2", kind: "a", stages: ["x", "y"], agree: true, at: "2026-12-12T10:00:00Z",
});

/** All fields. @param {{ required: boolean, hint?: string }} props */
function AllFields({ required, hint }) {
  const common = { required, hint };
  return html`
    ${h(Field, { ...common, name: "name", label: t("name"), suggestions: ["Ada", "Grace"], maxlength: 100 })}
    ${h(Field, { ...common, name: "email", label: t("email"), type: "email" })}
    ${h(Field, { ...common, name: "phone", label: t("fields.phone"), type: "tel" })}
    ${h(Field, { ...common, name: "points", label: t("fields.points"), type: "number", inputmode: "numeric" })}
    ${h(Field, { ...common, name: "site", label: t("fields.site"), type: "url" })}
    ${h(Field, { ...common, name: "search", label: t("fields.search"), type: "search" })}
    ${h(Field, { ...common, name: "message", label: t("form.message"), rows: 3 })}
    ${h(Password, { ...common, name: "password", label: t("password"), autocomplete: "new-password" })}
    ${h(Code, { ...common, name: "code", label: t("code") })}
    ${h(Select, { ...common, name: "school", label: t("school"), options: [["1", "Hillside"], ["2", "Lakeside"]] })}
    ${h(Choice, { ...common, name: "kind", label: t("kind"), options: [["a", t("first")], ["b", t("second")]] })}
    ${h(Choice, { ...common, name: "stages", label: t("form.stages"), many: true, options: [["x", t("screening")], ["y", t("league")]] })}
    ${h(Check, { ...common, name: "agree", label: t("form.agree") })}
    ${h(DateTime, { ...common, name: "at", label: t("form.begins") })}
    ${h(FileField, { ...common, name: "file", label: t("form.document"), accept: "image/png", largest: LARGEST })}`;
}

/** A form whose file a user has chosen, of this size in bytes. @param {{ size: number, children?: Children }} props */
function WithFile({ size, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const input = /** @type {HTMLInputElement} */ (place.current?.querySelector("[type=file]"));
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(size)], "scan.png"));
    input.files = chosen.files;
    input.dispatchEvent(new Event("change"));
  }, []);
  return html`<div ref=${place}>${children}</div>`;
}

export const Fields = () => {
  const common = { verb: t("save"), stays: true, done: () => {} };
  const errors = Object.fromEntries([...Object.keys(filled()), "file"].map((name) => [name, [t("fields.wrongValue")]]));
  return h(Page, { title: t("fields.title") },
    h(Section, { title: t("fields.filled") }, h(Pressed, { on: [".joined > button"] }, h(WithFile, { size: LARGEST },
      h(Form, { ...common, initial: filled(), send: unanswered }, h(AllFields, { required: true }))))),
    h(Section, { title: t("fields.empty") }, h(Pressed, { on: [SEND] },
      h(Form, { ...common, initial: {}, send: unanswered }, h(AllFields, { required: true })))),
    h(Section, { title: t("fields.wrong") }, h(Pressed, { on: [SEND] }, h(WithFile, { size: LARGEST + 1 },
      h(Form, { ...common, initial: filled(), send: () => Promise.reject(refused(400, { code: "invalid", errors })) }, h(AllFields, { required: false, hint: t("fields.hint") }))))));
};

/** A form that has been sent. @param {{ title: string, send: () => Promise<any>, draft?: string, theirs?: Record<string, string> }} props */
const Sent = ({ title, send, draft, theirs }) =>
  h(Section, { title }, h(Pressed, { on: [SEND] }, h(Form, {
    initial: { name: "Ada", school: "1" }, verb: t("save"), stays: true, send, done: () => {},
    ...(draft && { draft }), ...(theirs && { etag: '"1"', reread: async () => ({ values: theirs, etag: '"2"' }) }),
  }, ...two())));

const two = () => [h(Field, { name: "name", label: t("name") }), h(Select, { name: "school", label: t("school"), options: [["1", "Hillside"], ["2", "Lakeside"]] })];

export const Forms = () => {
  // The user has changed the name, before another person has.
  for (const each of ["conflict", "together", "kept"]) sessionStorage.setItem(`draft.${each}`, JSON.stringify({ name: "Mary" }));
  const changed = () => Promise.reject(refused(412, { code: "precondition_failed" }));
  const errors = { name: [t("fields.wrongValue")], detail: [t("forms.elsewhere")] };
  return h(Page, { title: t("forms.title") },
    h(Sent, { title: t("forms.sending"), send: unanswered }),
    h(Sent, { title: t("forms.rejected"), send: () => Promise.reject(refused(400, { code: "invalid", errors })) }),
    h(Sent, { title: t("forms.away"), send: () => Promise.reject(new Unreachable()) }),
    h(Sent, { title: t("forms.conflict"), send: changed, draft: "conflict", theirs: { name: "Grace", school: "2" } }),
    h(Sent, { title: t("forms.together"), send: changed, draft: "together", theirs: { name: "Ada", school: "2" } }),
    h(Section, { title: t("forms.draft") }, h(Form, { initial: { name: "Ada" }, draft: "kept", verb: t("save"), quiet: true, stays: true, send: unanswered, done: () => {} }, ...two())),
    h(Section, { title: t("forms.danger") }, h(Form, {
      initial: {}, verb: t("forms.erase"), danger: true, stays: true, send: unanswered, done: () => {},
      actions: html`<a class="button" href="/">${t("forms.cancel")}</a>`,
    }, h(Field, { name: "name", label: t("name"), required: true }))));
};
