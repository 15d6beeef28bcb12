// The teachers of a school, on its page, for managers.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Section, Tag } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { Cancel } from "./pieces.js";
import { t } from "./words.js";

/** @import { School as One, Teacher } from "./calls.js" */

/** @param {{ school: One, reread: () => void }} props */
export function Teachers({ school, reread }) {
  const [adding, add] = useState(false);
  const [version, setVersion] = useState(0);
  const done = (/** @type {string} */ text) => {
    add(false);
    notice({ text });
    setVersion((before) => before + 1);
    reread();
  };
  const end = async (/** @type {Teacher} */ { user }) => {
    const name = `${user.first_name} ${user.last_name}`;
    const act = async () => {
      await calls.removeTeacher(school.id, user.id);
      return true;
    };
    if (await confirm({ title: t("schools.endOne", { name }), what: t("schools.ends"), verb: t("schools.end"), danger: true, act })) done(t("schools.ended", { name }));
  };
  return h(Section, { title: t("schools.teachers"), actions: html`<button type="button" class="button" onClick=${() => add(true)}>${t("schools.addTeacher")}</button>` }, list({
    name: t("schools.teachers"),
    id: (/** @type {Teacher} */ row) => row.user.id,
    call: (query) => calls.teachers(school.id, query),
    version,
    columns: [
      { title: t("schools.teacher"), cell: ({ user }) => html`${user.first_name} ${user.last_name} <span class="small muted">${user.email}</span>` },
      { title: t("schools.status"), cell: (row) => h(Tag, { kind: row.status === "active" ? "ok" : "" }, t(`schools.status.${row.status}`)) },
      { title: t("schools.action"), cell: (row) => h(Act, { act: () => end(row) }, t("schools.end"), html` <span class="hide">${row.user.first_name} ${row.user.last_name}</span>`) },
    ],
    found: (count) => t("schools.teachersFound", { count }),
    empty: t("schools.noTeachers"),
  }), adding && h(Dialog, { title: t("schools.addTeacher"), onClose: () => add(false) }, h(Form, {
    initial: { first_name: "", last_name: "", email: "", phone: "" },
    verb: t("schools.addTeacher"),
    send: ({ first_name, last_name, email, phone }) => calls.addTeacher(school.id, { first_name, last_name, email, ...(phone && { phone }) }),
    done: (/** @type {Teacher} */ { user }) => done(t("schools.added", { name: `${user.first_name} ${user.last_name}` })),
    actions: h(Cancel, { close: () => add(false) }),
  }, html`<p>${t("schools.vouch")}</p>`,
    h(Field, { name: "first_name", label: t("schools.firstName"), required: true, maxlength: 150 }),
    h(Field, { name: "last_name", label: t("schools.lastName"), required: true, maxlength: 150 }),
    h(Field, { name: "email", type: "email", label: t("schools.email"), required: true, inputmode: "email", maxlength: 254 }),
    h(Field, { name: "phone", type: "tel", label: t("schools.phone"), inputmode: "tel", maxlength: 20 }))));
}
