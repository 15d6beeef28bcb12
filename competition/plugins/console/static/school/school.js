// A teacher's first page: what to do next, and the school's pupils.

import { config } from "../../../pages/static/ground/config.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { ImportLink } from "../importing.js";
import { openSlips } from "../chosen.js";
import * as calls from "./calls.js";
import { classOf, EXAMS, HOME, isOwn, ofSchool, PupilFields, pupilOf, SLIPS, StateTag, states, wrongYear } from "./pieces.js";
import { t } from "./words.js";

/** @import { Exam, Pupil, School as Own } from "./calls.js" */

const importLink = () => h(ImportLink, { kind: "pupils", from: "volunteer", text: t("school.import") });

export function School() {
  const reading = useRead(calls.own, []);
  const exams = useRead(() => calls.exams({ limit: 5 }), []);
  const withoutCode = useRead(calls.withoutCode, []);
  const notJoined = useRead(calls.notJoined, []);
  const [version, setVersion] = useState(0);
  const [editing, edit] = useState(/** @type {Pupil | null} */ (null));
  const refresh = () => {
    for (const each of [reading, exams, withoutCode, notJoined]) each.again();
    setVersion((before) => before + 1);
  };
  useReturn(refresh);
  const done = (/** @type {string} */ text) => {
    edit(null);
    notice({ text });
    refresh();
  };
  const school = reading.value;
  return h(Page, {
    title: school?.name ?? t("school.title"),
    // The list below has unconfirmed candidates too, and its filter has pupils who have not joined.
    lead: school && [
      t("school.counts", { count: school.candidates }),
      school.unconfirmed > 0 && t("school.countUnconfirmed", { count: school.unconfirmed }),
      notJoined.value && t("school.countNotJoined", { count: notJoined.value }),
    ].filter(Boolean).join(", "),
    actions: school && html`<a class="button first" href=${`${HOME}/new`}>${t("school.enter")}</a> ${importLink()}
      <a class="button" href=${SLIPS}>${t("school.slips")}</a> <a class="button" href=${EXAMS}>${t("school.exams")}</a>`,
  }, ofSchool(reading, (found) => html`
    ${h(Unread, { readings: [exams, withoutCode, notJoined] })}
    ${h(Section, { title: t("school.next") }, h(Next, { school: found, exams: exams.value?.results, withoutCode: withoutCode.value ?? 0 }))}
    ${h(Section, { title: t("school.pupils") }, list({
      name: t("school.pupils"),
      id: (/** @type {Pupil} */ row) => row.user_id,
      call: calls.pupils,
      version,
      filters: [
        { name: "search", label: t("school.search") },
        { name: "group", label: t("school.group") },
        { name: "state", label: t("school.stateOf"), options: states() },
      ],
      columns: [
        { title: t("school.name"), sort: "last_name", cell: (row) => row.full_name },
        { title: t("school.group"), cell: classOf },
        { title: t("school.number"), cell: (row) => row.external_id ?? "" },
        { title: t("school.login"), cell: (row) => row.login && html`<code>${row.login}</code> ${row.used ? t("school.used") : row.has_code ? t("school.hasCode") : t("school.noCode")}` },
        { title: t("school.stateOf"), cell: (row) => h(StateTag, { state: row.state }) },
        { title: t("school.action"), cell: (row) => h(Acts, { row, edit, done }) },
      ],
      select: (selection) => h(Act, { act: async () => openSlipsOf(await selection.rows()) }, t("school.slipsOf", { count: selection.count })),
      found: (count) => t("school.found", { count }),
      empty: t("school.none"),
      action: importLink(),
    }))}
    ${editing && h(Edit, { pupil: editing, close: () => edit(null), done })}`));
}

/** Open the page of login slips for pupils of the school without an email address. @param {Pupil[]} rows */
async function openSlipsOf(rows) {
  const pupils = rows.filter((each) => each.login !== null && isOwn(each));
  if (pupils.length) await openSlips(SLIPS, pupils);
  else notice({ kind: "warn", text: t("school.noSlips") });
}

/**
 * The next steps of the teacher, in order.
 *
 * @param {{ school: Own, exams: Exam[] | undefined, withoutCode: number }} props `withoutCode`: how many pupils need a slip.
 */
function Next({ school, exams, withoutCode }) {
  const next = exams?.filter((each) => each.status === "ongoing" || each.status === "scheduled").at(-1);
  return html`<ol class="school-next">
    ${school.candidates === 0 && html`<li>${t("school.nextEnter")}</li>`}
    ${school.unconfirmed > 0 && html`<li><a href=${`${HOME}?state=unconfirmed`}>${t("school.nextConfirm", { count: school.unconfirmed })}</a> ${t("school.nextConfirmWhy")} ${config().plugins.includes("seasons") && t("school.confirmJoins")}</li>`}
    ${withoutCode > 0 && html`<li><a href=${SLIPS}>${t("school.nextSlips", { count: withoutCode })}</a></li>`}
    ${next ? html`<li><a href=${`${EXAMS}/${next.id}`}>${next.title}</a> ${next.scheduled_date && h(When, { at: next.scheduled_date })}</li>` : exams && school.candidates > 0 && html`<li>${t("school.nextNoExam")}</li>`}
  </ol>`;
}

/** @param {{ row: Pupil, edit: (row: Pupil) => void, done: (text: string) => void }} props */
function Acts({ row, edit, done }) {
  const name = row.full_name;
  const confirmed = async () => {
    const { warnings } = await calls.confirm(row.user_id, true);
    done(t("school.confirmed", { name }));
    for (const text of warnings) notice({ kind: "warn", text: t("school.warning", { name, text }) });
  };
  const refuse = async () => {
    const act = () => calls.confirm(row.user_id, false);
    if (await confirm({ title: t("school.refuseOne", { name }), what: t("school.refuses"), verb: t("school.refuse"), danger: true, act })) done(t("school.refused", { name }));
  };
  const remove = async () => {
    const act = async () => {
      await calls.remove(row.user_id);
      return true;
    };
    if (await confirm({ title: t("school.removeOne", { name }), what: t("school.removes"), verb: t("school.remove"), danger: true, act })) done(t("school.removed", { name }));
  };
  const of = html` <span class="hide">${name}</span>`;
  if (row.state === "unconfirmed") return html`${h(Act, { act: confirmed }, t("school.confirm"), of)} ${h(Act, { act: refuse }, t("school.refuse"), of)}`;
  if (row.state === "removed") return h(Act, { act: confirmed }, t("school.takeBack"), of);
  return html`<button type="button" class="button" onClick=${() => edit(row)}>${t("school.change")}${of}</button> ${h(Act, { act: remove }, t("school.remove"), of)}`;
}

/** @param {{ pupil: Pupil, close: () => void, done: (text: string) => void }} props */
function Edit({ pupil, close, done }) {
  const { first_name, last_name, group, external_id } = pupil;
  const fixed = pupil.fixed ?? [];
  const initial = { first_name, last_name, group, external_id: external_id ?? "", year: String(pupil.year ?? "") };
  return h(Dialog, { title: t("school.changeOne", { name: pupil.full_name }), onClose: close }, h(Form, {
    initial,
    verb: t("school.save"),
    check: wrongYear,
    send: (values) => calls.change(pupil.user_id, Object.fromEntries(Object.entries(pupilOf(values)).filter(([name]) => !fixed.some((each) => each === name)))),
    done: () => done(t("school.saved", { name: pupil.full_name })),
    actions: html`<button type="button" class="button" onClick=${close}>${t("school.cancel")}</button>`,
  }, h(PupilFields, { fixed })));
}
