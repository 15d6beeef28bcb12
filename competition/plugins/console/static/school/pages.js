// The pages of a teacher: the own pupils, their login slips, and their exams.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Act, confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, When } from "../../../pages/static/pieces/page.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Export } from "../exports.js";
import { ImportLink } from "../importing.js";
import * as calls from "./calls.js";
import { classOf, Issued, PupilFields, pupilOf, StateTag, states, wrongYear } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Reading } from "../../../pages/static/ground/poll.js" */
/** @import { Exam, Pupil, School as Own, Slip } from "./calls.js" */

const HOME = "/console/school";
const crumbs = () => [{ href: HOME, text: t("school.title") }];
const importLink = () => h(ImportLink, { kind: "pupils", from: "volunteer", text: t("school.import") });

// The pupils whose slips the next page issues. After a reload, it asks whose.
/** @type {Pupil[]} */
let chosen = [];
const slipsOf = (/** @type {Pupil[]} */ pupils) => {
  chosen = pupils;
  return go(`${HOME}/slips`);
};

/**
 * A page of the user's own school. Staff who are not teachers read that only teachers have it.
 *
 * @param {Reading<Own | null>} reading
 * @param {(school: Own) => Children} shown
 */
const ofSchool = (reading, shown) => loaded(reading, (school) => school && shown(school), { empty: (school) => school === null, nothing: h(Empty, {}, t("school.noTeacher")) });

export function School() {
  const reading = useRead(calls.own, []);
  const exams = useRead(() => calls.exams({ limit: 5 }), []);
  const [version, setVersion] = useState(0);
  const [editing, edit] = useState(/** @type {Pupil | null} */ (null));
  const refresh = () => {
    reading.again();
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
    lead: school && t("school.counts", { count: school.candidates }),
    actions: school && html`<a class="button first" href=${`${HOME}/new`}>${t("school.enter")}</a> ${importLink()}
      <a class="button" href=${`${HOME}/slips`}>${t("school.slips")}</a> <a class="button" href=${`${HOME}/exams`}>${t("school.exams")}</a>`,
  }, ofSchool(reading, (found) => html`
    ${h(Unread, { readings: [exams] })}
    ${h(Section, { title: t("school.next") }, h(Next, { school: found, exams: exams.value?.results ?? [] }))}
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
      select: (selection) => h(Act, { act: async () => slipsOf((await selection.rows()).filter((each) => each.login !== null)) }, t("school.slipsOf", { count: selection.count })),
      found: (count) => t("school.found", { count }),
      empty: t("school.none"),
      action: importLink(),
    }))}
    ${editing && h(Edit, { pupil: editing, close: () => edit(null), done })}`));
}

/** What to do next, in order. @param {{ school: Own, exams: Exam[] }} props */
function Next({ school, exams }) {
  const next = exams.filter((each) => each.status === "ongoing" || each.status === "scheduled").at(-1);
  return html`<ol class="school-next">
    ${school.candidates === 0 && html`<li>${t("school.nextEnter")}</li>`}
    ${school.unconfirmed > 0 && html`<li><a href=${`${HOME}?state=unconfirmed`}>${t("school.nextConfirm", { count: school.unconfirmed })}</a> ${t("school.nextConfirmWhy")}</li>`}
    ${school.candidates > 0 && html`<li><a href=${`${HOME}/slips`}>${t("school.nextSlips")}</a></li>`}
    ${next ? html`<li><a href=${`${HOME}/exams/${next.id}`}>${next.title}</a> ${next.scheduled_date && h(When, { at: next.scheduled_date })}</li>` : html`<li>${t("school.nextNoExam")}</li>`}
  </ol>`;
}

/** @param {{ row: Pupil, edit: (row: Pupil) => void, done: (text: string) => void }} props */
function Acts({ row, edit, done }) {
  const name = row.full_name;
  const confirmed = async () => {
    await calls.confirm(row.user_id, true);
    done(t("school.confirmed", { name }));
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
  const initial = { first_name, last_name, group, external_id: external_id ?? "", year: String(pupil.year ?? "") };
  return h(Dialog, { title: t("school.changeOne", { name: pupil.full_name }), onClose: close }, h(Form, {
    initial,
    verb: t("school.save"),
    check: wrongYear,
    send: (values) => calls.change(pupil.user_id, pupilOf(values)),
    done: () => done(t("school.saved", { name: pupil.full_name })),
    actions: html`<button type="button" class="button" onClick=${close}>${t("school.cancel")}</button>`,
  }, h(PupilFields, {})));
}

/** Enter pupils by hand, one after the other. */
export function Enter() {
  const reading = useRead(calls.own, []);
  const [entered, setEntered] = useState(/** @type {Pupil[]} */ ([]));
  const [kept, keep] = useState({ year: "", group: "" });
  return h(Page, { title: t("school.enter"), lead: t("school.enterLead"), crumbs: crumbs() }, ofSchool(reading, () => html`
    ${h(Form, {
      key: entered.length,
      initial: { first_name: "", last_name: "", email: "", external_id: "", guardian_name: "", guardian_email: "", ...kept },
      verb: t("school.enterVerb"),
      stays: true,
      check: wrongYear,
      send: ({ email, guardian_name, guardian_email, ...values }) => calls.enter({ ...pupilOf(values), email: email || null, guardian_name: guardian_name || null, guardian_email: guardian_email || null }),
      done: (/** @type {Pupil} */ pupil, values) => {
        keep({ year: values.year, group: values.group });
        setEntered((before) => [pupil, ...before.filter((each) => each.user_id !== pupil.user_id)]);
        notice({ text: t("school.entered", { name: pupil.full_name }) });
      },
    }, h(PupilFields, {}),
      h(Field, { name: "email", type: "email", label: t("school.email"), inputmode: "email", maxlength: 254, hint: t("school.emailHint") }),
      h(Field, { name: "guardian_name", label: t("school.guardian"), maxlength: 200, hint: t("school.guardianHint") }),
      h(Field, { name: "guardian_email", type: "email", label: t("school.guardianEmail"), inputmode: "email", maxlength: 254 }))}
    ${entered.length > 0 && h(Section, { title: t("school.justEntered") },
      table({ caption: t("school.justEntered"), rows: entered, id: (row) => row.user_id, columns: [
        { title: t("school.name"), cell: (row) => row.full_name },
        { title: t("school.group"), cell: classOf },
        { title: t("school.login"), cell: (row) => row.login && html`<code>${row.login}</code>` },
      ] }),
      entered.some((each) => each.login) && html`<div class="acts">${h(Act, { act: () => slipsOf(entered.filter((each) => each.login !== null)) }, t("school.theirSlips"))}</div>`)}`));
}

/** Login slips: whose, and then the codes, which are shown once. */
export function Slips() {
  const reading = useRead(calls.own, []);
  const [slips, setSlips] = useState(/** @type {Slip[]} */ ([]));
  const [pupils, setPupils] = useState(() => chosen);
  const got = (/** @type {Slip[]} */ part) => setSlips((before) => [...before, ...part]);
  const finish = () => {
    chosen = [];
    setPupils([]);
    setSlips([]);
  };
  const issue = (/** @type {boolean} */ renew, /** @type {Pupil[]} */ of) => calls.slips(of.map((each) => each.user_id), renew, got);
  const renewAll = async () => {
    const having = pupils.filter((each) => each.has_code);
    const done = await confirm({
      title: t("school.renewTitle", { count: having.length }), what: t("school.renews"), items: having.map((each) => each.full_name), verb: t("school.renew"), danger: true,
      act: async () => {
        await issue(true, pupils);
        return true;
      },
    });
    return done;
  };
  const forUnused = async (/** @type {string} */ group) => {
    const found = await calls.neverSignedIn(group);
    if (!found.length) notice({ kind: "warn", text: t("school.nobodyLeft") });
    // Nobody has signed in with the codes that these replace.
    else await issue(true, found);
  };
  return h(Page, { title: t("school.slips"), lead: t("school.slipsLead"), crumbs: crumbs() }, ofSchool(reading, (school) => {
    if (slips.length) return h(Issued, { school: school.name, slips, done: finish });
    if (pupils.length) {
      const having = pupils.filter((each) => each.has_code).length;
      return html`<div class="flow"><p>${t("school.chosen", { count: pupils.length })}</p>
        ${having > 0 && h(Note, { kind: "warn" }, t("school.someHave", { count: having }))}
        <div class="acts">${h(Act, { act: () => issue(false, pupils), kind: "first" }, t("school.issue"))}
          ${having > 0 && h(Act, { act: renewAll, kind: "bad" }, t("school.renew"))}
          <button type="button" class="button" onClick=${finish}>${t("school.others")}</button></div></div>`;
    }
    return h(Form, {
      initial: { whose: "all", group: "" },
      verb: t("school.issue"),
      stays: true,
      send: ({ whose, group }) => forUnused(whose === "group" ? String(group ?? "").trim() : ""),
      check: ({ whose, group }) => (whose === "group" && !String(group ?? "").trim() ? { group: t("school.whichGroup") } : /** @type {Record<string, string>} */ ({})),
      done: () => {},
    }, h(Choice, { name: "whose", label: t("school.whose"), required: true, hint: t("school.whoseHint"), options: [["all", t("school.allUnused")], ["group", t("school.groupUnused")]] }),
      h(Field, { name: "group", label: t("school.group"), maxlength: 50 }));
  }));
}

/** The exams of the own pupils. */
export const Exams = () =>
  h(Page, { title: t("school.exams"), lead: t("school.examsLead"), crumbs: crumbs() }, list({
    name: t("school.exams"),
    id: (/** @type {Exam} */ row) => row.id,
    call: calls.exams,
    filters: [{ name: "search", label: t("school.searchExams") }],
    columns: [
      { title: t("school.exam"), sort: "title", cell: (row) => html`<a href=${`${HOME}/exams/${row.id}`}>${row.title}</a>` },
      { title: t("school.at"), sort: "scheduled_date", cell: (row) => row.scheduled_date && h(When, { at: row.scheduled_date }) },
      { title: t("school.notStarted"), end: true, cell: (row) => row.counts.not_started },
      { title: t("school.sitting"), end: true, cell: (row) => row.counts.sitting },
      { title: t("school.submitted"), end: true, cell: (row) => row.counts.submitted },
    ],
    found: (count) => t("school.examsFound", { count }),
    empty: t("school.noExams"),
  }));

/** One exam: who has started, and the results once candidates see them. @param {PageProps} props */
export function OneExam({ params }) {
  const exam = Number(params.id);
  const reading = useRead(async () => {
    const about = (await calls.exams({ limit: 100 })).results.find((each) => each.id === exam) ?? null;
    return { about, results: about?.status === "concluded" ? await calls.resultsIfVisible(exam) : null };
  }, [exam]);
  const { about, results } = reading.value ?? {};
  const [version, setVersion] = useState(0);
  useReturn(() => setVersion((before) => before + 1));
  return h(Page, {
    title: about?.title ?? t("school.exam"),
    lead: about?.scheduled_date && h(When, { at: about.scheduled_date }),
    crumbs: [...crumbs(), { href: `${HOME}/exams`, text: t("school.exams") }],
    actions: results && h(Export, { tables: [{ name: "results", text: t("school.results"), read: calls.exported(exam) }] }),
  },
    loaded(reading, ({ results: found }) => found
      ? h(Section, { title: t("school.results") }, html`<p>${found.average === null ? t("school.nobodyScored") : t("school.average", { score: String(found.average) })}</p>`, list({
          name: t("school.results"),
          id: (/** @type {{ user_id: string }} */ row) => row.user_id,
          call: (query) => calls.results(exam, query),
          filters: [{ name: "group", label: t("school.group") }],
          columns: [
            { title: t("school.name"), cell: (row) => row.full_name },
            { title: t("school.group"), cell: classOf },
            { title: t("school.score"), end: true, cell: (row) => row.score },
            { title: t("school.rank"), end: true, cell: (row) => row.rank ?? "-" },
          ],
          found: (count) => t("school.found", { count }),
          empty: t("school.nobodyScored"),
        }))
      : h(Section, { title: t("school.who") }, html`<p>${t("school.whoLead")}</p>
          <div class="acts"><button type="button" class="button" onClick=${() => setVersion((before) => before + 1)}>${t("school.refresh")}</button></div>`, list({
          name: t("school.who"),
          id: (/** @type {{ user_id: string }} */ row) => row.user_id,
          call: (query) => calls.states(exam, query),
          version,
          filters: [
            { name: "group", label: t("school.group") },
            { name: "state", label: t("school.stateOf"), options: [["not_started", t("school.notStarted")], ["sitting", t("school.sitting")], ["submitted", t("school.submitted")]] },
          ],
          columns: [
            { title: t("school.name"), cell: (row) => row.full_name },
            { title: t("school.group"), cell: classOf },
            { title: t("school.stateOf"), cell: (row) => ({ not_started: t("school.notStarted"), sitting: t("school.sitting"), submitted: t("school.submitted") })[row.state] },
            { title: t("school.started"), cell: (row) => row.started_at && dates.time(row.started_at) },
            { title: t("school.handedIn"), cell: (row) => row.submitted_at && dates.time(row.submitted_at) },
          ],
          found: (count) => t("school.found", { count }),
          empty: t("school.nobody"),
        }))));
}
