// The page of one school, with its other names and its teachers.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { Merging } from "./merging.js";
import { ALL, Cancel, hasTeachers, SchoolFields, schoolOf } from "./pieces.js";
import { Teachers } from "./teachers.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { School as One } from "./calls.js" */

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
    actions: school && isAdmin && html`${isAtLeast("manager") && html`<a class="button" href=${`/console/slips?${new URLSearchParams({ school: school.name, only: school.name })}`}>${t("schools.slips")}</a>`}
      <button type="button" class="button" onClick=${() => open("change")}>${t("schools.change")}</button>
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
