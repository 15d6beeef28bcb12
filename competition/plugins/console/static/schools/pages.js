// The list of schools, and the page of one school with its other names and teachers.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Act, confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { config } from "../../../pages/static/pieces/start.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Merge, School as One, Teacher } from "./calls.js" */

const ALL = "/console/schools";
const hasTeachers = () => config().plugins.includes("teachers");

export function Schools() {
  const [adding, add] = useState(false);
  return h(Page, {
    title: t("schools.title"),
    lead: t("schools.lead"),
    actions: html`${isAtLeast("admin") && html`<button type="button" class="button first" onClick=${() => add(true)}>${t("schools.add")}</button>`}
      ${hasTeachers() && h(ImportLink, { kind: "teachers", from: "manager", text: t("schools.importTeachers") })}`,
  }, list({
    name: t("schools.title"),
    id: (/** @type {One} */ row) => row.id,
    call: calls.schools,
    filters: [
      { name: "search", label: t("schools.search") },
      { name: "region", label: t("schools.region") },
      { name: "listed", label: t("schools.listed"), options: [["true", t("schools.isListed")], ["false", t("schools.notListed")]] },
    ],
    columns: [
      { title: t("schools.name"), sort: "name", cell: (row) => html`<a href=${`${ALL}/${row.id}`}>${row.name}</a> <span class="small muted">${row.aliases.map((each) => each.name).join(", ")}</span>` },
      { title: t("schools.code"), sort: "code", cell: (row) => row.code ?? "" },
      { title: t("schools.region"), sort: "region", cell: (row) => row.region },
      { title: t("schools.candidates"), end: true, cell: (row) => row.candidates },
      { title: t("schools.verified"), end: true, cell: (row) => row.verified },
      ...(hasTeachers() ? [{ title: t("schools.teachers"), end: true, cell: (/** @type {One} */ row) => row.teachers ?? 0 }] : []),
    ],
    found: (count) => t("schools.found", { count }),
    empty: t("schools.none"),
  }), adding && h(Dialog, { title: t("schools.add"), onClose: () => add(false) }, h(Form, {
    initial: { name: "", code: "", region: "" },
    verb: t("schools.add"),
    send: (values) => calls.add(schoolOf(values)),
    done: (/** @type {One} */ { id }) => go(`${ALL}/${id}`),
    actions: h(Cancel, { close: () => add(false) }),
  }, h(SchoolFields, {}))));
}

/** @param {{ close: () => void }} props */
const Cancel = ({ close }) => html`<button type="button" class="button" onClick=${close}>${t("schools.cancel")}</button>`;

/** @param {Record<string, any>} values */
const schoolOf = ({ name, code, region }) => ({ name, region: region ?? "", code: code || null });

const SchoolFields = () => html`${h(Field, { name: "name", label: t("schools.name"), required: true, maxlength: 200 })}
  ${h(Field, { name: "code", label: t("schools.code"), maxlength: 50, hint: t("schools.codeHint") })}
  ${h(Field, { name: "region", label: t("schools.region"), maxlength: 100 })}`;

/** @param {PageProps} props */
export function School({ params }) {
  const id = Number(params.id);
  const reading = useRead(() => calls.school(id), [id]);
  const [opened, open] = useState(/** @type {"change" | "merge" | null} */ (null));
  useReturn(reading.again);
  const school = reading.value;
  const done = (/** @type {string} */ text) => {
    open(null);
    notice({ text });
    reading.again();
  };
  const isAdmin = isAtLeast("admin");
  const close = () => open(null);
  return h(Page, {
    title: school?.name ?? t("schools.one"),
    crumbs: [{ href: ALL, text: t("schools.title") }],
    actions: school && isAdmin && html`<button type="button" class="button" onClick=${() => open("change")}>${t("schools.change")}</button>
      <button type="button" class="button" onClick=${() => open("merge")}>${t("schools.merge")}</button>
      ${school.candidates === 0 && h(Act, { act: () => remove(school), kind: "bad" }, t("schools.remove"))}`,
  }, loaded(reading, (found) => html`
    <div class="sheet pad">${h(Facts, { facts: [
      [t("schools.code"), found.code],
      [t("schools.region"), found.region],
      [t("schools.listed"), h(Tag, { kind: found.listed ? "ok" : "" }, t(found.listed ? "schools.isListed" : "schools.notListed"))],
      [t("schools.candidates"), String(found.candidates)],
      [t("schools.verified"), String(found.verified)],
    ] })}</div>
    ${h(Section, { title: t("schools.aliases") }, html`<p>${t("schools.aliasesLead")}</p>
      <ul>${found.aliases.map((each) => html`<li>${each.name} ${isAdmin && h(Act, { act: () => removeAlias(found, each, done) }, t("schools.removeAlias"), html` <span class="hide">${each.name}</span>`)}</li>`)}</ul>`)}
    ${hasTeachers() && isAtLeast("manager") && h(Teachers, { school: found, reread: reading.again })}
    ${opened === "change" && h(Dialog, { title: t("schools.change"), onClose: close }, h(Form, {
      initial: { name: found.name, code: found.code ?? "", region: found.region },
      verb: t("schools.save"),
      send: (values) => calls.change(id, schoolOf(values)),
      done: () => done(t("schools.saved")),
      actions: h(Cancel, { close }),
    }, html`<p>${t("schools.changes")}</p>`, h(SchoolFields, {})))}
    ${opened === "merge" && h(Merging, { school: found, close, done })}`));
}

/** @param {One} school */
async function remove({ id, name }) {
  const act = async () => {
    await calls.remove(id);
    return true;
  };
  if (!(await confirm({ title: t("schools.removeOne", { name }), what: t("schools.removes"), verb: t("schools.remove"), danger: true, act }))) return;
  if (await go(ALL)) notice({ text: t("schools.removed", { name }) });
}

/**
 * @param {One} school
 * @param {{ id: number, name: string }} alias
 * @param {(text: string) => void} done
 */
async function removeAlias(school, { id, name }, done) {
  const act = async () => {
    await calls.removeAlias(school.id, id);
    return true;
  };
  if (await confirm({ title: t("schools.removeAliasOne", { name }), what: t("schools.removesAlias"), verb: t("schools.removeAlias"), danger: true, act })) done(t("schools.aliasRemoved", { name }));
}

/**
 * Merge other schools into this one. The first step names them, the second one shows whom it concerns.
 *
 * @param {{ school: One, close: () => void, done: (text: string) => void }} props
 */
function Merging({ school, close, done }) {
  const [asked, ask] = useState(/** @type {{ names: string[], reason: string, found: Merge } | null} */ (null));
  if (asked) {
    const { names, reason, found } = asked;
    const merge = async () => {
      await calls.merge(school.id, { names, reason });
      done(t("schools.merged", { name: school.name }));
    };
    const isForManagers = found.needs_manager && !isAtLeast("manager");
    return h(Dialog, { title: t("schools.mergeInto", { name: school.name }), onClose: close }, html`<div class="flow">
      <p>${names.join(", ")}</p>
      <p>${t("schools.concerned", { count: found.candidates })} ${hasTeachers() && t("schools.movedTeachers", { count: found.teachers })} ${found.allowances > 0 && t("schools.movedTime", { count: found.allowances })}</p>
      ${found.needs_manager && html`<p><strong>${t(isForManagers ? "schools.onlyManagers" : "schools.givesRights")}</strong></p>`}
      <div class="acts">${!isForManagers && h(Act, { act: merge, kind: "first" }, t("schools.merge"))}
        <button type="button" class="button" onClick=${() => ask(null)}>${t("schools.back")}</button></div></div>`);
  }
  return h(Dialog, { title: t("schools.mergeInto", { name: school.name }), onClose: close }, h(Form, {
    initial: { names: "", reason: "" },
    verb: t("schools.preview"),
    stays: true,
    send: async (values) => {
      const names = String(values.names).split("\n").map((each) => each.trim()).filter(Boolean);
      return { names, reason: values.reason, found: await calls.preview(school.id, names) };
    },
    done: ask,
    actions: h(Cancel, { close }),
  }, h(Field, { name: "names", label: t("schools.names"), required: true, rows: 4, hint: t("schools.namesHint") }),
    h(Field, { name: "reason", label: t("schools.reason"), required: true, maxlength: 500 })));
}

/** @param {{ school: One, reread: () => void }} props */
function Teachers({ school, reread }) {
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
