// The page of a candidate: the account, open exams, extra time, questions, and the history; and the results, appeals and
// advancements of one season, which the user chooses. It offers the changes that the rank of the user allows.

import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as session from "../../../pages/static/ground/session.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Options } from "../../../pages/static/pieces/maths.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { switchAccount } from "../activation.js";
import { actWords } from "../acts.js";
import { Details } from "../details.js";
import { isAtLeast, STAGES } from "../ranks.js";
import * as calls from "./calls.js";
import { nameOf, stages, StateTag } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Candidate as One, Asked, Candidate, Entry, Given, Past, Stage, Taken } from "./calls.js" */

/** @typedef {(text?: string) => void} Done Closes a dialog. The text, if any, says what has changed. */
const SEATS = /** @type {const} */ ({ not_started: "", sitting: "info", silent: "warn", submitted: "ok", handed_in: "ok" });

// The words for the state of a question that a candidate has asked.
const ASKED = /** @type {const} */ ({ open: "day.isOpen", answered: "day.isAnswered", dismissed: "day.isDismissed" });

// A time among the values of an audit entry, such as 2026-03-01T09:00:00Z.
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** @typedef {{ candidate: Candidate, done: Done }} Editing */

/** @param {PageProps} props */
export function Candidate({ params, query }) {
  const id = params.id ?? "";
  const reading = useRead(() => calls.candidate(id), [id]);
  const [editing, edit] = useState(/** @type {"stage" | "percent" | "minutes" | "details" | null} */ (null));
  const [version, setVersion] = useState(0);
  const candidate = reading.value;
  const refresh = () => {
    reading.again();
    setVersion((before) => before + 1);
  };
  useReturn(refresh);
  /** @param {string} [text] */
  const close = (text) => {
    edit(null);
    if (!text) return;
    notice({ text });
    refresh();
  };
  return h(
    Page,
    {
      title: candidate ? nameOf(candidate) : t("people.candidate"),
      crumbs: [{ href: "/console/candidates", text: t("people.candidates") }],
      lead: candidate?.school ?? "",
      actions: candidate && html`
        ${candidate.is_user_verified && html`<button type="button" class="button" onClick=${() => edit("stage")}>${t("people.assign")}</button>`}
        <button type="button" class="button" onClick=${() => edit("minutes")}>${t("people.give")}</button>
        ${isAtLeast("manager") && html`<button type="button" class="button" onClick=${() => edit("details")}>${t("people.edit")}</button>`}`,
    },
    loaded(reading, (value) => html`
      ${h(About, { candidate: value })}
      ${h(Section, { title: t("people.now") }, h(Now, { candidate: value, version }))}
      ${isAtLeast("manager") && h(Section, { title: t("people.documents") }, h(Identity, { id, version }))}
      ${h(Section, { title: t("people.time"), actions: html`<button type="button" class="button" onClick=${() => edit("percent")}>${t("people.changePercent")}</button>` },
        h(Time, { candidate: value, version, done: close }))}
      ${isEnabled("clarifications") && h(Section, { title: t("people.asked") }, h(Questions, { id, version }))}
      ${h(OneSeason, { candidate: value, season: query.get("season"), version })}
      ${isAtLeast("manager") && h(Section, { title: t("people.history") }, h(History, { candidate: value, version }))}
      ${isAtLeast("manager") && h(Section, { title: t("people.account") }, h(AccountLead, {}), html`
        <div class="acts">${h(Act, { act: () => activate(value, close), kind: value.is_active ? "bad" : "" }, value.is_active ? t("activation.deactivate") : t("activation.activate"))}
        ${h(Act, { act: () => remove(value, close), kind: "bad" }, t("people.delete"))}</div>`)}
      ${editing === "stage" && h(StageOf, { candidate: value, done: close })}
      ${editing === "percent" && h(Extra, { candidate: value, done: close })}
      ${editing === "minutes" && h(Minutes, { candidate: value, done: close })}
      ${editing === "details" && h(Details, { user: value.user, isCandidate: true, done: close })}`),
  );
}

/**
 * The open exams of the candidate's stage, with the candidate's progress in them.
 *
 * @param {{ candidate: Candidate, version: number }} props
 */
function Now({ candidate, version }) {
  const open = candidate.records.available_exams;
  const ids = open.map((each) => each.id);
  const reading = useRead(async () => new Map(await Promise.all(ids.map(async (id) => /** @type {const} */ ([id, await calls.seat(id, candidate)])))), [ids.join(), version]);
  if (!open.length) return html`<p>${t("people.noOpenExam")}</p>`;
  return loaded(reading, (seats) => html`<ul class="people-open">${open.map((exam) => {
    const seat = seats.get(exam.id);
    return html`<li class="sheet pad flow" key=${exam.id}>
      <div class="acts"><strong>${exam.title}</strong> ${seat && h(Tag, { kind: SEATS[seat.state] }, t(`people.seat.${seat.state}`))}</div>
      ${seat
        ? h(Facts, {
            facts: [
              [t("people.started"), seat.started_at ? h(When, { at: seat.started_at }) : null],
              [t("people.deadline"), !seat.submitted_at && seat.deadline ? h(When, { at: seat.deadline }) : null],
              [t("people.lastSeen"), !seat.submitted_at && seat.last_seen_at ? dates.ago(seat.last_seen_at, seat.now) : null],
              [t("people.answered"), seat.started_at ? t("people.answeredOf", { done: seat.answered, of: exam.question_count }) : null],
              [t("people.submitted"), seat.submitted_at ? h(When, { at: seat.submitted_at }) : null],
            ],
          })
        : html`<p>${t("people.noSeat")}</p>`}
      <p class="acts"><a href=${`/console/exams/${exam.id}/day`}>${t("people.openDay")}</a>
        ${seat && seat.state !== "submitted" && html` <a href=${`/console/exams/${exam.id}/day/time?${new URLSearchParams({ candidate: candidate.user.id })}`}>${t("people.giveNow")}</a>`}</p>
    </li>`;
  })}</ul>`);
}

/**
 * The verification of the candidate's identity, for managers.
 *
 * @param {{ id: string, version: number }} props
 */
function Identity({ id, version }) {
  const reading = useRead(() => calls.verification(id), [id, version]);
  return loaded(reading, (record) => {
    const hasDocuments = record.status !== "not_submitted" && record.status !== "email_not_verified";
    const waits = record.is_pending || Boolean(record.changes?.length);
    return html`<p>${record.changes?.length ? t("people.identity.changes") : t(`people.identity.${record.status}`)}
        ${record.is_rejected && record.rejection_reason && html` ${t("people.reasonWas", { reason: record.rejection_reason })}`}</p>
      ${hasDocuments && html`<p><a class=${waits ? "button first" : "button"} href=${`/console/documents/${id}`}>${waits ? t("people.review") : t("people.showDocuments")}</a></p>`}`;
  });
}

/**
 * The candidate's extra time.
 *
 * @param {{ candidate: Candidate, version: number, done: Done }} props
 */
function Time({ candidate, version, done }) {
  const { percent, reason, exams, updated_at: at } = candidate.allowances;
  return html`<p>${percent ? t("people.percent", { percent }) : t("people.noPercent")} ${percent > 0 && reason && t("people.because", { reason })}
      ${at && html` <span class="small muted">${t("people.since", { day: dates.day(at) })}</span>`}</p>
    ${exams.length > 0 && table({
      caption: t("people.minutesGiven"),
      rows: exams,
      id: (/** @type {Given} */ row) => row.id,
      columns: [
        { title: t("people.exam"), cell: (row) => titleOf(candidate, row.exam) },
        { title: t("people.extra"), cell: (row) => (row.extra_minutes === null ? t("people.lostTime") : dates.span(row.extra_minutes * 60)) },
        { title: t("people.for"), cell: (row) => (row.candidate_id ? t("people.forOne") : (row.school ?? t("people.forAll"))) },
        { title: t("people.reason"), cell: (row) => row.reason },
        {
          title: t("people.given"),
          cell: (row) => html`<span class="acts">${dates.day(row.created_at)}
            ${row.candidate_id && h(TakeBack, { candidate, given: row, version, done })}</span>`,
        },
      ],
    })}`;
}

/**
 * The button that takes extra time back. If the candidate has started the exam, a text says that the time is in use.
 *
 * @param {{ candidate: Candidate, given: Given, version: number, done: Done }} props
 */
function TakeBack({ candidate, given, version, done }) {
  const { available_exams: open, performance } = candidate.records;
  const isOpen = open.some((each) => each.id === given.exam);
  const isTaken = given.extra_minutes === null || performance.exams_taken.some((each) => each.exam_id === given.exam);
  const seat = useRead(async () => (isOpen && !isTaken ? calls.seat(given.exam, candidate) : null), [given.exam, version]);
  if (isTaken || seat.value?.started_at) return html`<span class="muted">${t("people.isUsed")}</span>`;
  return seat.value !== undefined && html`<button type="button" class="button small" onClick=${() => takeBack(candidate, given, done)}>${t("people.takeBack")}</button>`;
}

/**
 * @param {Candidate} candidate
 * @param {number} id
 */
function titleOf({ records }, id) {
  const taken = records.performance.exams_taken.find((each) => each.exam_id === id)?.exam_title;
  return taken ?? records.available_exams.find((each) => each.id === id)?.title ?? t("people.examNumber", { id: String(id) });
}

/**
 * @param {Candidate} candidate
 * @param {Given} given
 * @param {Done} done
 */
async function takeBack(candidate, given, done) {
  const exam = titleOf(candidate, given.exam);
  const taken = await confirm({
    title: t("people.takeBackOne", { exam }),
    what: t("people.takesBack", { name: nameOf(candidate), exam }),
    verb: t("people.takeBack"),
    danger: true,
    act: async () => {
      await calls.takeBack(given);
      return true;
    },
  });
  if (taken) done(t("people.takenBack", { exam }));
}

/**
 * The exams, appeals and advancements of a season, below the tabs for the seasons that the candidate has joined. A
 * candidate of the first season has no tabs.
 *
 * @param {{ candidate: Candidate, season: string | null, version: number }} props `season` is the id in the address.
 */
function OneSeason({ candidate, season, version }) {
  const { user: { id }, seasons = [] } = candidate;
  const past = seasons.find((each) => String(each.season) === season);
  // The address may name a season that is current again, because its successor was undone.
  const current = { value: past ? "" : (season ?? ""), text: t("people.season") };
  const shown = { id, season: past?.season, version };
  return html`${seasons.length > 0 && h(Tabs, { label: t("people.seasons"), name: "season", tabs: [current, ...seasons.map((each) => ({ value: String(each.season), text: each.name }))] })}
    ${h(Section, { title: t("people.exams") }, past ? h(EarlierExams, { key: past.season, id, past, version }) : h(Exams, { of: candidate, none: t("people.noExams") }))}
    ${isEnabled("appeals") && h(Section, { title: t("appeals.title") }, h(Appeals, shown))}
    ${isEnabled("advancement") && h(Section, { title: t("advancement.title") }, h(Advancements, shown))}`;
}

/**
 * The exams of an earlier season, with the stage and the school that the candidate had at its end.
 *
 * @param {{ id: string, past: Past, version: number }} props
 */
function EarlierExams({ id, past, version }) {
  const reading = useRead(() => calls.candidate(id, past.season), [version]);
  return html`${h(Facts, { facts: [[t("people.stage"), t(`people.stage.${past.stage}`)], [t("people.school"), past.school]] })}
    ${loaded(reading, (value) => h(Exams, { of: value, none: t("people.noExamsEarlier"), isPast: true }))}`;
}

/**
 * The exams that the candidate has taken, with the scores.
 *
 * @param {{ of: Candidate, none: string, isPast?: boolean }} props An earlier season has no ranks.
 */
function Exams({ of: { records }, none, isPast = false }) {
  const { stats, exams_taken: taken } = records.performance;
  const [answers, show] = useState(/** @type {Taken | null} */ (null));
  if (!taken.length) return h(Empty, {}, none);
  const { current_rank: rank, total_candidates: of } = stats.leaderboard_ranking;
  return html`${h(Facts, {
      facts: [
        [t("people.total"), html`<span class="numbers">${number(stats.total_score)}</span>`],
        [t("people.average"), html`<span class="numbers">${number(stats.average_score)}</span>`],
        [t("people.rank"), isPast ? null : rank === null ? t("people.noRank") : t("people.rankOf", { rank, count: of })],
      ],
    })}
    ${table({
      caption: t("people.exams"),
      rows: taken,
      id: (row) => row.exam_id,
      columns: [
        { title: t("people.exam"), cell: (row) => html`<a href=${`/console/exams/${row.exam_id}/results`}>${row.exam_title}</a>` },
        { title: t("people.stage"), cell: (row) => t(`people.stage.${row.exam_stage}`) },
        { title: t("people.score"), end: true, cell: (row) => number(row.score) },
        { title: t("people.submitted"), cell: (row) => submitted(row) },
        {
          title: t("people.answers"),
          cell: (row) => (answered(row) ? html`<button type="button" class="button small" onClick=${() => show(row)}>${t("people.showAnswers", { count: answered(row) })}</button>` : t("people.noAnswers")),
        },
      ],
    })}
    ${answers && h(Answers, { taken: answers, onClose: () => show(null) })}`;
}

/**
 * The candidate's appeals in a season.
 *
 * @param {{ id: string, season: number | undefined, version: number }} props Without `season`, the current season.
 */
function Appeals({ id, season, version }) {
  const reading = useRead(() => calls.appeals(id, season), [id, season, version]);
  return loaded(reading, (rows) => table({
    caption: t("appeals.title"),
    rows,
    id: (row) => row.id,
    columns: [
      { title: t("appeals.exam"), cell: (row) => html`<a href=${`/console/appeals/${row.id}`}>${row.exam_title}</a>` },
      { title: t("appeals.says"), cell: (row) => html`<span class="excerpt">${row.text}</span>` },
      { title: t("appeals.sent"), cell: (row) => h(When, { at: row.created_at }) },
      { title: t("appeals.status"), cell: (row) => t(`appeals.status.${row.status}`) },
    ],
  }), { empty: (rows) => !rows.length, nothing: h(Empty, {}, t("people.noAppeals")) });
}

/**
 * The questions that the candidate has asked in exams, with the answers.
 *
 * @param {{ id: string, version: number }} props
 */
function Questions({ id, version }) {
  const reading = useRead(() => calls.asked(id), [id, version]);
  return loaded(reading, (rows) => table({
    caption: t("people.asked"),
    rows,
    id: (/** @type {Asked} */ row) => row.id,
    columns: [
      { title: t("people.exam"), cell: (row) => html`<a href=${`/console/exams/${row.exam}/day?tab=questions`}>${row.exam_title}</a>` },
      { title: t("day.question"), cell: (row) => html`<span class="excerpt">${row.text}</span>` },
      { title: t("day.answer"), cell: (row) => (row.answer ? html`<span class="excerpt">${row.answer}</span>` : t(ASKED[row.status])) },
      { title: t("day.sent"), cell: (row) => h(When, { at: row.asked_at }) },
    ],
  }), { empty: (rows) => !rows.length, nothing: h(Empty, {}, t("people.noneAsked")) });
}

/**
 * The stages to which the candidate has advanced in a season, by which plan and when.
 *
 * @param {{ id: string, season: number | undefined, version: number }} props Without `season`, the current season.
 */
function Advancements({ id, season, version }) {
  const reading = useRead(() => calls.advancements(id, season), [id, season, version]);
  return loaded(reading, (rows) => table({
    caption: t("advancement.title"),
    rows,
    id: (row) => row.id,
    columns: [
      { title: t("people.advancedTo"), cell: (row) => t(`people.stage.${row.to_stage}`) },
      { title: t("advancement.plan"), cell: (row) => html`<a href=${`/console/advancement/${row.id}`}>${t("advancement.fromTo", { from: t(`advancement.stage.${row.from_stage}`), to: t(`advancement.stage.${row.to_stage}`) })}</a>` },
      { title: t("people.when"), cell: (row) => h(When, { at: row.applied_at }) },
    ],
  }), { empty: (rows) => !rows.length, nothing: h(Empty, {}, t("people.notAdvanced")) });
}

/** How many questions have an answer. @param {Taken} row */
const answered = ({ submission }) => submission.filter((each) => each.selected_option).length;

/** @param {Taken} row */
function submitted(row) {
  if (!row.submitted_at) return t("people.byStaff", { name: row.score_submitted_by });
  return html`${h(When, { at: row.submitted_at })}${row.handed_in_by === "service" && html` ${h(Tag, {}, t("people.automatically"))}`}`;
}

/** @param {{ taken: Taken, onClose: () => void }} props */
const Answers = ({ taken, onClose }) =>
  h(Dialog, { title: taken.exam_title, onClose }, html`<div class="flow">
    <ol class="flow">${taken.submission.map((each) => html`<li key=${each.question_id}>${h(Options, { question: each, chosen: /** @type {any} */ (each.selected_option) })}</li>`)}</ol>
    <div class="acts"><button type="button" class="button" onClick=${onClose}>${t("people.close")}</button></div></div>`);

/**
 * The audit entries about the candidate.
 *
 * @param {{ candidate: Candidate, version: number }} props
 */
function History({ candidate, version }) {
  const id = candidate.user.id;
  /** @param {Entry} entry */
  const actorName = ({ actor_id: actor, actor_name: name }) => {
    if (actor === null) return t("people.operator");
    if (actor === session.user()?.user.id) return t("people.you");
    return actor === id ? nameOf(candidate) : (name ?? t("people.formerStaff"));
  };
  return list({
    name: t("people.history"),
    id: (/** @type {Entry} */ row) => row.id,
    call: (query) => calls.history(id, query),
    columns: [
      { title: t("people.what"), cell: (row) => html`${actWords(row.action)} ${row.subject && html`<span class="muted">${subjectOf(row.subject)}</span>`}` },
      { title: t("people.change"), cell: (row) => changes(row).map((each) => html`<div>${each}</div>`) },
      { title: t("people.who"), cell: actorName },
      { title: t("people.when"), cell: (row) => h(When, { at: row.created_at }) },
    ],
    empty: t("people.noHistory"),
    found: (count) => t("people.entries", { count }),
    version,
  });
}

// The words for fields and values in the audit trail. All other fields and values are shown as they are recorded.
/** @type {Record<string, () => string>} */
const FIELDS = {
  first_name: () => t("people.firstName"),
  last_name: () => t("people.lastName"),
  school: () => t("people.school"),
  phone: () => t("people.phone"),
  profile_picture: () => t("people.field.picture"),
  percent: () => t("people.field.percent"),
  extra_minutes: () => t("people.minutes"),
  reason: () => t("people.reason"),
  erase_at: () => t("people.field.erased"),
  status: () => t("people.state"),
  answer: () => t("people.field.answer"),
  public: () => t("people.field.public"),
  everyone: () => t("people.field.everyone"),
};

/** @type {Record<string, () => string>} */
const VALUES = {
  ...Object.fromEntries(STAGES.map((each) => [each, () => t(`people.stage.${each}`)])),
  pending: () => t("people.value.pending"),
  approved: () => t("people.value.approved"),
  rejected: () => t("people.value.rejected"),
  true: () => t("people.state.active"),
  false: () => t("people.state.deactivated"),
  face_id: () => t("people.value.face"),
  id_card: () => t("people.value.card"),
  verification_document: () => t("people.value.letter"),
  ...FIELDS,
};

// The words for values of fields. Without a field, true and false say whether the account is active. In a field, they
// mean yes and no.
/** @type {typeof VALUES} */
const VALUES_OF_FIELDS = { ...VALUES, true: () => t("people.value.yes"), false: () => t("people.value.no") };

/** @param {string} subject */
const subjectOf = (subject) => {
  const exam = /^exam (\d+)$/.exec(subject)?.[1];
  return exam ? t("people.examNumber", { id: exam }) : subject.split(" ").map((each) => VALUES[each]?.() ?? each).join(subject.includes("_") ? ", " : " ");
};

/**
 * The old and the new values in words: "Screening → League".
 *
 * @param {Entry} entry
 * @returns {string[]}
 */
function changes({ old, new: now }) {
  const fields = [...new Set([old, now].flatMap((each) => (isRecord(each) ? Object.keys(each) : [])))];
  if (!fields.length) return [arrow(old, now, VALUES)].filter(Boolean);
  return fields
    // Leave out ids, because they mean nothing to readers.
    .filter((each) => each !== "id" && !each.endsWith("_id"))
    .map((each) => [FIELDS[each]?.() ?? each.replaceAll("_", " "), arrow(isRecord(old) ? old[each] : null, isRecord(now) ? now[each] : null, VALUES_OF_FIELDS)])
    .filter(([, text]) => text)
    .map(([field, text]) => t("people.changed", { field: String(field), change: String(text) }));
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * @param {unknown} old
 * @param {unknown} now
 * @param {typeof VALUES} words
 */
const arrow = (old, now, words) =>
  [old, now]
    .filter((each, at, both) => each !== null && each !== undefined && each !== "" && (each !== false || both.includes(true)))
    .map((each) => written(each, words))
    .join(" → ");

/**
 * @param {unknown} value
 * @param {typeof VALUES} words
 * @returns {string}
 */
function written(value, words) {
  if (Array.isArray(value)) return value.map((each) => written(each, words)).join(", ");
  if (typeof value === "number") return number(value);
  if (typeof value === "string" && TIME.test(value)) return whenInWords(value, dates.when);
  if (isRecord(value)) return Object.entries(value).map(([field, each]) => t("people.changed", { field: FIELDS[field]?.() ?? field.replaceAll("_", " "), change: written(each, words) })).join(", ");
  return value === null ? "-" : (words[String(value)]?.() ?? String(value));
}

/** @param {Editing} props */
function StageOf({ candidate, done }) {
  const name = nameOf(candidate);
  return h(Dialog, { title: t("people.assignOne", { name }), onClose: () => done() }, h(Form, {
    initial: { role: candidate.role },
    verb: t("people.assign"),
    stays: true,
    send: (values) => calls.assign(candidate.user.id, values.role),
    done: (_, values) => done(t("people.assigned", { name, stage: t(`people.stage.${/** @type {Stage} */ (values.role)}`) })),
    actions: h(Cancel, { done }),
  }, html`<p>${t("people.assigns", { name })}</p>`, h(Select, { name: "role", label: t("people.stage"), required: true, options: stages() })));
}

/** @param {{ done: Done }} props */
const Cancel = ({ done }) => html`<button type="button" class="button" onClick=${() => done()}>${t("people.cancel")}</button>`;

/** @param {Editing} props */
function Extra({ candidate, done }) {
  const name = nameOf(candidate);
  const { percent, reason } = candidate.allowances;
  return h(Dialog, { title: t("people.percentOne", { name }), onClose: () => done() }, h(Form, {
    initial: { percent: String(percent || ""), reason: reason ?? "" },
    verb: t("people.save"),
    stays: true,
    send: (values) => calls.extend(candidate.user.id, { percent: Number(values.percent), reason: values.reason }),
    done: (reply) => done(reply.percent ? t("people.percentSaved", { name, percent: reply.percent }) : t("people.percentRemoved", { name })),
    actions: h(Cancel, { done }),
  }, html`<p>${t("people.percents", { name })}</p>`,
    h(Field, { name: "percent", label: t("people.percentField"), type: "number", inputmode: "numeric", required: true, hint: t("people.percentHint") }),
    h(Field, { name: "reason", label: t("people.reason"), required: true, rows: 2, maxlength: 500, hint: t("people.reasonHint") })));
}

/** @param {Editing} props */
function Minutes({ candidate, done }) {
  const name = nameOf(candidate);
  const reading = useRead(() => calls.examsOf(candidate.role), [candidate.role]);
  const open = candidate.records.available_exams;
  /** The exam that is probably meant: the only one that is open, or the only one at all. @param {{ id: number }[]} exams */
  const likely = (exams) => (open.length === 1 ? open : exams.length === 1 ? exams : [])[0]?.id ?? "";
  return h(Dialog, { title: t("people.giveOne", { name }), onClose: () => done() }, loaded(reading, (exams) => h(Form, {
    initial: { exam: String(likely(exams)), extra_minutes: "", reason: "" },
    verb: t("people.give"),
    stays: true,
    send: (values, { key }) => calls.give(Number(values.exam), { candidate_id: candidate.user.id, extra_minutes: Number(values.extra_minutes), reason: values.reason }, key),
    done: (reply) => done(t("people.gave", { name, count: reply.extra_minutes })),
    actions: h(Cancel, { done }),
  }, html`<p>${t("people.gives", { name })}</p>`,
    h(Select, { name: "exam", label: t("people.exam"), required: true, options: exams.map((each) => /** @type {[string, string]} */ ([String(each.id), each.title])) }),
    h(Field, { name: "extra_minutes", label: t("people.minutes"), type: "number", inputmode: "numeric", required: true }),
    h(Field, { name: "reason", label: t("people.reason"), required: true, rows: 2, maxlength: 500, hint: t("people.reasonHint") })), {
    empty: (exams) => !exams.length,
    nothing: html`<div class="flow"><p>${t("people.noPlannedExam", { stage: t(`people.stage.${candidate.role}`) })}</p><div class="acts">${h(Cancel, { done })}</div></div>`,
  }));
}

/** @param {string} name */
const isEnabled = (name) => config().plugins.includes(name);

function AccountLead() {
  const reading = useRead(calls.deletionDays, []);
  return html`<p>${t("people.accountLead")}</p>${loaded(reading, (count) => html`<p>${t("people.erasedAfter", { count })}</p>`)}`;
}

/** @param {{ candidate: One }} props */
const About = ({ candidate: { user, role, status, is_user_verified: isVerified } }) => html`<div class="sheet pad">${h(Facts, {
  facts: [
    [t("people.stage"), t(`people.stage.${role}`)],
    [t("people.state"), h(StateTag, { status })],
    [t("people.identity"), h(Tag, { kind: isVerified ? "ok" : "warn" }, isVerified ? t("people.approved") : t("people.notApproved"))],
    [t("people.email"), html`${user.email} ${!user.is_email_verified && h(Tag, { kind: "warn" }, t("people.unconfirmed"))}`],
    [t("people.phone"), user.phone],
    [t("people.joined"), h(When, { at: user.date_joined })],
  ],
})}</div>`;

/**
 * @param {One} candidate
 * @param {(text: string) => void} done
 */
async function activate(candidate, done) {
  const text = await switchAccount(candidate, true);
  if (text) done(text);
}

/**
 * @param {One} candidate
 * @param {(text: string) => void} done
 */
async function remove(candidate, done) {
  const name = nameOf(candidate);
  const count = await calls.deletionDays();
  const removed = await confirm({
    title: t("people.deleteOne", { name }),
    what: t("people.deletes", { name, count }),
    verb: t("people.delete"),
    danger: true,
    act: () => calls.remove(candidate.user.id),
  });
  if (removed) done(t("people.deleted", { name, day: dates.day(removed.erase_at) }));
}
