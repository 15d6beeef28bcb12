// The exam day: a page that stays open while an exam runs.

import { Refused } from "../../../pages/static/ground/api.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Act, confirm } from "../../../pages/static/pieces/dialog.js";
import { DateTime } from "../../../pages/static/pieces/fields.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Sheet, Tag, When, whenInWords } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { config, settingOf } from "../../../pages/static/pieces/start.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded, Loading } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import { candidateSearch } from "../sitters.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Answer, Asked, Clock, dayOf, giveLink, howMuch, LastHour, Numbers, Outsiders, recipientOf, SilentSchool, stateName, StateTag } from "./pieces.js";
import { AtOnce, mayReopen, Reopen } from "./reopening.js";
import { grouped, remembered, STATES, suspected } from "./watch.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Allowance, Clarification, CurrentExam, NewAllowance } from "./calls.js" */
/** @import { Sitter } from "../sitters.js" */
/** @import { Counts, Moment, State } from "./watch.js" */

// How often the page polls, in seconds: without a socket, and with a socket, in case a message gets lost.
const POLLED = 5;
const LIVE = 30;
// The shortest time between two readings of the silent candidates, in milliseconds: each user may read 60 times a
// minute.
const PAUSE = 4_000;
// The shortest time between two readings of the list of candidates, in milliseconds.
const LIST = 5_000;
const MINUTE = 60_000;
// How long to wait after the last key press before names of schools are requested, in milliseconds.
const TYPING = 300;

/** @param {string} name */
const isEnabled = (name) => config().plugins.includes(name);

/**
 * The counts of the last hour, for each exam that the user has watched. They stay when the user leaves the
 * page.
 *
 * @type {Map<number, Moment[]>}
 */
const hours = new Map();

/** The exams that are open, or open within a day. */
export function Days() {
  const reading = useRead(calls.current, []);
  useReturn(reading.again);
  return h(
    Page,
    { title: t("day.days"), lead: t("day.daysLead"), actions: isEnabled("clarifications") && html`<a class="button" href="/console/day/questions">${t("day.asked")}</a>` },
    loaded(reading, (exams) => table({
      caption: t("day.days"),
      rows: exams,
      id: (exam) => exam.id,
      columns: [
        { title: t("day.exam"), cell: (exam) => html`<a href=${dayOf(String(exam.id))}>${exam.title}</a>` },
        { title: t("day.state"), cell: (exam) => h(Tag, { kind: exam.status === "ongoing" ? "ok" : "" }, t(exam.status === "ongoing" ? "exams.state.ongoing" : "day.opensSoon")) },
        { title: t("day.opens"), cell: (exam) => h(When, { at: exam.scheduled_date }) },
        { title: t("day.closes"), cell: (exam) => h(When, { at: exam.closes_at }) },
      ],
    }), {
      empty: (exams) => exams.length === 0,
      nothing: h(Empty, { action: isAtLeast("admin") && html`<a class="button" href="/console/exams">${t("day.allExams")}</a>` }, t("day.noDays")),
    }),
  );
}

/**
 * The counts and the silent candidates of an exam, live.
 *
 * @param {number} exam
 */
function useWatch(exam) {
  const [isLive, setLive] = useState(socket.state() === "live");
  const [pushed, push] = useState(/** @type {{ at: number, counts: Counts } | null} */ (null));
  const reading = calls.useSilent(exam, isLive ? LIVE : POLLED);
  const again = useRef(reading.again);
  again.current = reading.again;
  useEffect(() => {
    push(null);
    const stops = [
      socket.onState((state) => setLive(state === "live")),
      socket.on("open", () => again.current()),
      socket.on("exam_activity", (/** @type {any} */ message) => {
        if (message.exam === exam) push({ at: Date.now(), counts: message.counts });
      }),
      socket.follow("follow_exam", { exam }, "unfollow_exam"),
    ];
    return () => stops.forEach((stop) => void stop());
  }, [exam]);

  const read = reading.value && reading.at !== null ? { at: reading.at, counts: reading.value.counts } : null;
  const latest = pushed && pushed.at > (read?.at ?? 0) ? pushed : read;
  const isOutdated = Boolean(reading.value && latest && latest.counts.silent !== reading.value.counts.silent);
  useEffect(() => {
    if (!isOutdated) return undefined;
    const timer = setTimeout(() => again.current(), Math.max(0, (reading.at ?? 0) + PAUSE - Date.now()));
    return () => clearTimeout(timer);
  }, [isOutdated, reading.at]);
  useEffect(() => {
    if (latest) hours.set(exam, remembered(hours.get(exam) ?? [], latest));
  }, [exam, latest?.at]);
  return { reading, latest };
}

/** @param {PageProps} props */
export function Day({ params, query }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const about = useRead(() => calls.exam(exam, isAtLeast("admin")), [exam]);
  useReturn(about.again);
  const { reading, latest } = useWatch(exam);
  const asks = isEnabled("clarifications");
  const tab = query.get("tab") ?? "silent";
  // The number of open questions: undefined until it is read, and null if it can't be read.
  const [open, setOpen] = useState(/** @type {number | null | undefined} */ (asks ? undefined : null));
  const counts = latest?.counts;
  const watch = reading.value;
  const isOver = watch?.status === "concluded" || watch?.status === "cancelled";
  // The page appears at once: a number that arrived later would move the buttons below it.
  const isReady = [watch || reading.error, about.value || about.error, open !== undefined].every(Boolean);

  const conclude = async () => {
    const found = await calls.previewConclusion(exam);
    const until = whenInWords(found.hand_in_until, dates.when);
    const done = await confirm({
      title: t("day.conclude"),
      what: html`${found.affected ? t("day.concludes", { count: found.affected, until }) : t("day.concludesNobody")} ${found.not_started > 0 && html`<strong>${t("day.neverStarted", { count: found.not_started })}</strong>`}`,
      items: found.people.map((each) => each.full_name),
      count: found.affected,
      verb: found.affected ? t("day.concludeFor", { count: found.affected }) : t("day.concludeNow"),
      danger: true,
      act: () => calls.conclude(exam),
    });
    if (!done) return;
    reading.again();
    about.again();
    notice({ text: t("day.concluded") });
  };

  return h(
    Page,
    {
      title: about.value?.title ? t("day.title", { title: about.value.title }) : t("day.untitled"),
      crumbs: [{ href: "/console/day", text: t("day.days") }],
      lead: isReady && watch && reading.at !== null && html`${h(Clock, { server: watch.server_time, at: reading.at, opens: about.value?.scheduled_date ?? null, closes: about.value?.closes_at ?? null })} ${h(AsOf, { at: latest?.at ?? null })}`,
      actions: isReady && !isOver && html`
        ${isAtLeast("admin") && isEnabled("allowances") && html`<a class="button" href=${`${dayOf(id)}/time`}>${t("day.giveTime")}</a>`}
        ${asks && html`<a class="button" href=${`${dayOf(id)}?tab=announcements`}>${t("day.announce")}</a>`}
        ${isAtLeast("admin") && watch?.status === "ongoing" && h(Act, { act: conclude, kind: "bad" }, t("day.conclude"))}`,
    },
    !isReady && h(Loading, {}),
    isReady && html`
      ${isOver && h(Note, {}, html`<p>${t("day.isOver")} ${isAtLeast("admin") && html`<a href=${`/console/exams/${id}/results`}>${t("day.toResults")}</a>`}</p>`)}
      ${loaded(reading, () => html`
        ${h(Unread, { readings: [about] })}
        ${counts && (counts.eligible === 0
          ? h(Empty, { action: isAtLeast("manager") && html`<a class="button" href="/console/documents">${t("day.toDocuments")}</a>` }, t("day.nobody"))
          : html`<p>${t("day.eligible", { count: counts.eligible })}</p>${h(Numbers, { exam: id, counts, questions: asks ? (open ?? null) : undefined })}`)}`)}
      ${h(Tabs, {
        label: t("day.parts"),
        tabs: [
          { value: "silent", text: t("day.silent"), ...(counts && { count: counts.silent }) },
          { value: "candidates", text: t("day.candidates"), ...(counts && { count: counts.eligible }) },
          ...(asks ? [{ value: "questions", text: t("day.questions"), ...(typeof open === "number" && { count: open }) }, { value: "announcements", text: t("day.announcements") }] : []),
          ...(isEnabled("allowances") ? [{ value: "time", text: t("day.given") }] : []),
        ],
      })}
      ${tab === "silent" && html`${h(Silent, { exam: id, reading })}${latest && h(LastHour, { hour: hours.get(exam) ?? [latest], now: latest.at })}`}
      ${tab === "candidates" && h(Candidates, { exam: id, rule: about.value?.scores_visible, stage: about.value?.stage, version: Math.floor((latest?.at ?? 0) / LIST), now: watch?.server_time ?? "" })}
      ${tab === "announcements" && h(Announcements, { exam })}
      ${tab === "time" && h(Given, { exam })}`,
    asks && h(Questions, { exam, shown: isReady && tab === "questions", setOpen }),
    // Below everything that can be pressed, because it is read after the numbers.
    isReady && h(LastGiven, { exam, version: Math.floor((latest?.at ?? 0) / MINUTE) }),
  );
}

/**
 * The latest allowance, with its author and its recipients.
 *
 * @param {{ exam: number, version: number }} props
 */
function LastGiven({ exam, version }) {
  const reading = useRead(async () => (isEnabled("allowances") ? (await calls.allowances(exam, { limit: "1" })).results : []), [exam, version]);
  const given = reading.value?.[0];
  if (!given) return h(Unread, { readings: [reading] });
  const by = given.created_by ? given.created_by.user.first_name : "-";
  return html`<p class="small muted">${t("day.last", { time: whenInWords(given.created_at), by, whom: recipientOf(given), gift: howMuch(given), count: given.affected })}</p>`;
}

/** After which time without a sign the service calls a candidate silent. */
const silence = () => ({ span: dates.span(settingOf("invigilation.silent_after")) });

/** @param {{ exam: string, reading: ReturnType<typeof calls.useSilent> }} props */
function Silent({ exam, reading }) {
  const seats = reading.value?.results ?? [];
  const groups = grouped(seats);
  const checked = suspected(groups);
  const others = useRead(
    async () => new Map(await Promise.all(checked.map(async ({ school }) => /** @type {const} */ ([school, await calls.sitting(Number(exam), school)])))),
    [exam, JSON.stringify(checked.map((each) => [each.school, each.seats.length]))],
  );
  return loaded(reading, (watch) => html`
    <p class="muted">${t("day.whySilent", silence())}</p>
    ${watch.pagination.count > seats.length && h(Note, { kind: "warn" }, html`<p>${t("day.firstSilent", { shown: seats.length, count: watch.pagination.count })}</p>`)}
    ${groups.map((group) => h(SilentSchool, { key: group.school, exam, group, isChecked: checked.includes(group), others: others.value?.get(group.school), now: watch.server_time }))}
    ${h(Unread, { readings: [others] })}`,
    { empty: () => seats.length === 0, nothing: h(Empty, {}, t("day.nobodySilent", silence())) });
}

/** @param {{ exam: string, stage: CurrentExam["stage"] | undefined, version: unknown, now: string, rule: import("./reopening.js").Rule }} props */
function Candidates({ exam, stage, version, now, rule }) {
  const [taken, take] = useState(0);
  return html`${h(AtOnce, { rule })}${list({
    name: t("day.candidates"),
    id: (seat) => seat.candidate.user_id,
    call: (query) => calls.seats(Number(exam), query),
    version: `${version} ${taken}`,
    filters: [
      { name: "search", label: t("day.search") },
      { name: "school", label: t("day.school") },
      { name: "state", label: t("day.state"), options: STATES.map((each) => [each, stateName(each)]) },
    ],
    columns: [
      { title: t("day.candidate"), cell: ({ candidate }) => html`${isAtLeast("admin") ? html`<a href=${`/console/candidates/${candidate.user_id}`}><bdi>${candidate.full_name}</bdi></a>` : html`<bdi>${candidate.full_name}</bdi>`}<span class="small muted"> <bdi>${candidate.school}</bdi></span>` },
      { title: t("day.state"), cell: (seat) => h(StateTag, { state: seat.state }) },
      { title: t("day.lastSeen"), cell: (seat) => html`<span class="numbers">${seat.last_seen_at ? whenInWords(seat.last_seen_at) : "-"}</span>` },
      { title: t("day.answered"), end: true, cell: (seat) => (seat.started_at ? seat.answered : "-") },
      { title: t("day.deadline"), cell: (seat) => html`<span class="numbers">${seat.deadline ? whenInWords(seat.deadline) : "-"}</span>${seat.extra_minutes > 0 && html` <span class="small muted">${t("day.extra", { span: dates.span(seat.extra_minutes * 60) })}</span>`}` },
      { title: t("day.time"), cell: (seat) => (seat.state === "submitted" && mayReopen() ? h(Reopen, { exam: Number(exam), seat, done: () => take((before) => before + 1) }) : giveLink(exam, seat, now)) },
    ],
    found: (count) => t("day.found", { count }),
    empty: t("day.nobody"),
    missing: ({ search }) => search && h(Outsiders, { search, stage, key: search }),
  })}`;
}

/**
 * The tab with the questions of candidates. It is rendered even if it is not `shown`, because it counts the
 * open questions.
 *
 * @param {{ exam: number, shown: boolean, setOpen: (count: number | null) => void }} props
 */
function Questions({ exam, shown, setOpen }) {
  const [isLive, setLive] = useState(socket.state() === "live");
  const reading = calls.useOpenQuestions(exam, isLive ? LIVE : 2 * POLLED);
  const paper = useRead(async () => (shown ? calls.paper(exam) : []), [exam, shown]);
  const [answering, setAnswering] = useState(/** @type {Clarification | null} */ (null));
  const [version, setVersion] = useState(0);
  const again = useRef(reading.again);
  again.current = reading.again;
  const count = reading.value?.pagination.count ?? 0;
  const isKnown = Boolean(reading.value);
  const isRead = isKnown || Boolean(reading.error);
  useEffect(() => {
    if (isRead) setOpen(isKnown ? count : null);
  }, [isRead, isKnown, count]);
  useEffect(() => {
    const stops = [
      socket.onState((state) => setLive(state === "live")),
      socket.on("open", () => again.current()),
      socket.on("exam_question", (/** @type {any} */ message) => {
        if (message.exam === exam) again.current();
      }),
    ];
    return () => stops.forEach((stop) => void stop());
  }, [exam]);
  useEffect(() => setVersion((before) => before + 1), [count]);
  // The tab has the number of open questions, so its failure is shown on all tabs.
  if (!shown) return h(Unread, { readings: [reading] });

  const changed = () => {
    setAnswering(null);
    setVersion((before) => before + 1);
    reading.again();
  };
  const isGone = answering?.status === "open" && reading.value && !reading.value.results.some((each) => each.id === answering.id);
  /**
   * Answer or dismiss a question. Resolves to null if another member of staff has just done so. The page then
   * shows their answer, and sending again replaces it.
   *
   * @param {Clarification} asked
   * @param {Parameters<typeof calls.answer>[1]} body
   */
  const write = async (asked, body) => {
    try {
      return await calls.answer(asked.id, body);
    } catch (error) {
      if (!(error instanceof Refused && error.status === 412)) throw error;
      reading.again();
      return null;
    }
  };
  /**
   * @param {Clarification} asked
   * @param {Record<string, any>} values
   */
  const send = async (asked, values) => {
    const body = { answer: values.answer, public: values.to === "all", only_if_open: asked.status === "open" && !isGone };
    if (!body.public) return write(asked, body);
    const found = await calls.previewAnnouncement(exam);
    return confirm({
      title: t("day.answerAll"),
      what: t("day.answersAll", { count: found.affected }),
      verb: t("day.answerTo", { count: found.affected }),
      act: () => write(asked, body),
    });
  };
  /** @param {Clarification} asked */
  const form = (asked) => h(Answer, {
    key: asked.id,
    asked,
    send: (/** @type {Record<string, any>} */ values) => send(asked, values),
    done: (/** @type {unknown} */ reply) => {
      if (!reply) return;
      changed();
      notice({ text: t("day.answerSent") });
    },
    close: () => setAnswering(null),
  });
  /** @param {Clarification} asked */
  const dismiss = async (asked) => {
    const done = await confirm({
      title: t("day.dismiss"), what: t("day.dismisses", { name: asked.candidate?.full_name ?? "" }), verb: t("day.dismiss"),
      act: () => write(asked, { dismiss: true, only_if_open: true }),
    });
    if (done) changed();
  };

  return html`
    ${answering && (isGone || answering.status !== "open") && h(Sheet, {},
      isGone && h(Note, { kind: "warn", alert: true }, html`<p>${t("day.answeredMeanwhile")}</p>`),
      h(Asked, { asked: answering, paper: paper.value }), form(answering))}
    ${loaded(reading, (found) => html`${found.pagination.has_next && h(Note, {}, html`<p>${t("day.firstOpen", { shown: found.results.length, count: found.pagination.count })}</p>`)}
      ${found.results.map((asked) => h(Sheet, { key: asked.id },
        h(Asked, { asked, paper: paper.value }),
        answering?.id === asked.id ? form(asked) : html`<div class="acts">
          <button type="button" class="button" onClick=${() => setAnswering(asked)}>${t("day.answerIt")}<span class="hide"> <bdi>${asked.candidate?.full_name}</bdi></span></button>
          ${h(Act, { act: () => dismiss(asked) }, t("day.dismiss"))}</div>`))}`,
      { empty: (found) => found.results.length === 0, nothing: h(Empty, {}, t("day.noQuestions")) })}
    ${h(Section, { title: t("day.allQuestions") }, list({
      name: t("day.allQuestions"),
      id: (asked) => asked.id,
      call: (query) => calls.questions(exam, query),
      version,
      filters: [{ name: "status", label: t("day.state"), options: [["answered", t("day.isAnswered")], ["dismissed", t("day.isDismissed")], ["open", t("day.isOpen")]] }],
      columns: [
        { title: t("day.question"), cell: (asked) => html`${asked.text}<span class="small muted"> <bdi>${asked.candidate?.full_name}</bdi>, ${whenInWords(asked.asked_at)}</span>` },
        { title: t("day.answer"), cell: (asked) => asked.answer ?? h(Tag, { kind: asked.status === "open" ? "warn" : "" }, t(asked.status === "open" ? "day.isOpen" : "day.isDismissed")) },
        { title: t("day.toWhom"), cell: (asked) => (asked.answer === null ? "-" : t(asked.public ? "day.all" : "day.oneCandidate")) },
        { title: t("day.change"), cell: (asked) => (asked.status === "open" ? "-" : html`<button type="button" class="button small" onClick=${() => setAnswering(asked)}>${t("day.changeAnswer")}</button>`) },
      ],
      empty: t("day.noQuestionsYet"),
    }))}`;
}

/** @param {{ exam: number }} props */
function Announcements({ exam }) {
  const [version, setVersion] = useState(0);
  /** @param {Record<string, any>} values */
  const send = async ({ text }) => {
    const found = await calls.previewAnnouncement(exam);
    return confirm({
      title: t("day.announce"),
      what: html`${found.affected ? t("day.announces", { count: found.affected }) : t("day.announcesNobody")} <br /><br /><q>${text}</q>`,
      verb: found.affected ? t("day.announceTo", { count: found.affected }) : t("day.announce"),
      act: (key) => calls.announce(exam, text, key),
    });
  };
  return html`
    ${h(Form, {
      key: version, initial: { text: "" }, draft: `day.announce.${exam}`, verb: t("day.preview"), send,
      done: (reply) => {
        if (!reply) return;
        setVersion((before) => before + 1);
        notice({ text: t("day.announced") });
      },
    }, h(Field, { name: "text", label: t("day.announcement"), hint: t("day.announcementHint"), rows: 3, required: true, maxlength: 2000 }))}
    ${h(Section, { title: t("day.announcements") }, list({
      name: t("day.announcements"),
      id: (each) => each.id,
      call: (query) => calls.announcements(exam, query),
      version,
      columns: [
        { title: t("day.announcement"), cell: (each) => each.text },
        { title: t("day.sent"), cell: (each) => h(When, { at: each.created_at }) },
      ],
      empty: t("day.noAnnouncements"),
    }))}`;
}

/** Whether running attempts have the time already, so that it can't be withdrawn. @param {Allowance} given */
const isUsed = ({ lost, affected }) => lost !== null && affected > 0;

/** @param {{ exam: number }} props */
function Given({ exam }) {
  const [version, setVersion] = useState(0);
  /** @param {Allowance} given */
  const takeBack = async (given) => {
    const done = await confirm({
      title: t("day.takeBack"), what: t("day.takesBack", { whom: recipientOf(given), time: howMuch(given) }), verb: t("day.takeBack"), danger: true,
      act: async () => {
        await calls.takeBack(exam, given.id);
        return true;
      },
    });
    if (!done) return;
    setVersion((before) => before + 1);
    notice({ text: t("day.tookBack") });
  };
  return list({
    name: t("day.given"),
    id: (given) => given.id,
    call: (query) => calls.allowances(exam, query),
    version,
    columns: [
      { title: t("day.toWhom"), cell: (given) => html`${given.candidate_id && isAtLeast("admin") ? html`<a href=${`/console/candidates/${given.candidate_id}`}>${recipientOf(given)}</a>` : recipientOf(given)}<span class="small muted"> ${given.reason}</span>` },
      { title: t("day.time"), cell: howMuch },
      { title: t("day.affected"), end: true, cell: (given) => given.affected },
      { title: t("day.by"), cell: (given) => html`${given.created_by ? `${given.created_by.user.first_name} ${given.created_by.user.last_name}` : "-"}, <span class="numbers">${whenInWords(given.created_at)}</span>` },
      ...(isAtLeast("admin") ? [{ title: t("day.change"), cell: (/** @type {Allowance} */ given) => (isUsed(given) ? html`<span class="muted">${t("day.isUsed")}</span>` : h(Act, { act: () => takeBack(given) }, t("day.takeBack"))) }] : []),
    ],
    empty: t("day.nothingGiven"),
    action: isAtLeast("admin") && html`<a class="button" href=${`${dayOf(String(exam))}/time`}>${t("day.giveTime")}</a>`,
  });
}

/** Give time to a candidate, a school or all candidates, or give back the time that an outage took. @param {PageProps} props */
export function GiveTime({ params, query }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const candidate_id = query.get("candidate");
  const about = useRead(() => calls.exam(exam, true), [exam]);
  const person = useRead(async () => (candidate_id ? calls.candidate(candidate_id) : null), [candidate_id]);
  // The time is in whole minutes, as the form shows it.
  const from = query.get("from")?.replace(/:\d\d(\.\d+)?Z$/, ":00Z") ?? null;
  const initial = {
    whom: candidate_id ? "candidate" : query.get("school") ? "school" : "",
    school: query.get("school") ?? "",
    candidate: person.value ?? null,
    how: from ? "lost" : "",
    extra_minutes: "",
    "lost.from": from,
    "lost.until": query.get("until"),
    reason: from ? t("day.outage") : "",
  };

  /** @returns {Record<string, string>} */
  const check = (/** @type {Record<string, any>} */ values) => (values.whom === "candidate" && !values.candidate ? { whom: t("day.chooseCandidate") } : {});
  /** @param {Record<string, any>} values */
  const send = async (values) => {
    const body = /** @type {NewAllowance} */ ({
      reason: values.reason,
      ...(values.whom === "candidate" && { candidate_id: values.candidate.id }),
      ...(values.whom === "school" && { school: values.school.trim() }),
      ...(values.whom === "everyone" && { everyone: true }),
      ...(values.how === "minutes" ? { extra_minutes: Number(values.extra_minutes) } : { lost: { from: values["lost.from"], until: values["lost.until"] } }),
    });
    const { affected, people, can_start: later } = await calls.previewTime(exam, body);
    const isLost = values.how === "lost";
    const time = isLost ? t("day.lostFrom", { from: whenInWords(values["lost.from"]), until: whenInWords(values["lost.until"]) }) : dates.span(Number(values.extra_minutes) * 60);
    return confirm({
      title: t("day.giveTime"),
      what: `${affected ? t(isLost ? "day.givesBack" : "day.gives", { count: affected, time }) : t("day.givesNobody")} ${later ? t(isLost ? "day.givesLaterBack" : "day.givesLater", { count: later }) : t("day.givesNobodyLater")}`,
      items: people.map((each) => each.full_name),
      count: affected,
      verb: affected ? t("day.giveTo", { count: affected }) : t("day.giveTime"),
      act: (key) => calls.giveTime(exam, body, key),
    });
  };
  /** @param {Allowance | null} given */
  const done = async (given) => {
    if (!given) return;
    await go(`${dayOf(id)}?tab=time`);
    notice({ text: t("day.gave", { count: given.affected, whom: recipientOf(given), time: howMuch(given) }) });
  };

  return h(
    Page,
    {
      title: t("day.giveTime"),
      lead: t("day.giveLead"),
      crumbs: [{ href: "/console/day", text: t("day.days") }, { href: dayOf(id), text: about.value?.title || t("day.untitled") }],
    },
    loaded(person, () => html`${h(Unread, { readings: [about] })}${h(Form, { key: candidate_id ?? "", initial, verb: t("day.preview"), check, send, done },
      h(Whom, { exam, stage: about.value?.stage }),
      h(Choice, { name: "how", label: t("day.howMuch"), required: true, options: [["minutes", t("day.minutes")], ["lost", t("day.lost")]] }),
      h(HowMuch, {}),
      h(Field, { name: "reason", label: t("day.reason"), hint: t("day.reasonHint"), rows: 2, required: true, maxlength: 500 }))}`),
  );
}

/** The choice of the recipients. A candidate is chosen in the form, so that nothing that was typed is lost. @param {{ exam: number, stage: CurrentExam["stage"] | undefined }} props */
function Whom({ exam, stage }) {
  const { values, set, id } = useForm();
  /** @type {Sitter | null} */
  const candidate = values.candidate;
  const [isAgain, setAgain] = useState(false);
  /** @param {Sitter & { state: State }} found */
  const choose = ({ id: user, name, school }) => {
    set("candidate", { id: user, name, school });
    // The search, which has the focus, disappears.
    document.getElementById(id("how"))?.querySelector("input")?.focus();
  };
  const another = () => {
    setAgain(true);
    set("candidate", null);
  };
  return html`${h(Choice, {
      name: "whom", label: t("day.toWhom"), required: true,
      options: [["candidate", candidate ? `${candidate.name}, ${candidate.school}` : t("day.oneCandidate")], ["school", t("day.oneSchool")], ["everyone", t("day.everyone")]],
    })}
    ${values.whom === "school" && h(School, {})}
    ${values.whom === "candidate" && (candidate
      ? html`<div class="acts"><button type="button" class="button" onClick=${another}>${t("day.chooseOther")}</button></div>`
      : candidateSearch({ search: (typed, limit) => calls.sitters(exam, typed, limit), choose, hint: t("day.sitterHint"), focused: isAgain, about: ({ state }) => h(StateTag, { state }), missing: (typed) => h(Outsiders, { search: typed, stage, key: typed }) }))}`;
}

/** The field for a school, which suggests names that candidates have entered. */
function School() {
  const typed = (useForm().values.school ?? "").trim();
  const [names, suggest] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    if (typed.length < 2) return undefined;
    let isNewest = true;
    // Without suggestions, the name can still be typed.
    const timer = setTimeout(() => calls.schools(typed).then(({ results }) => isNewest && suggest(results), () => {}), TYPING);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [typed]);
  return h(Field, { name: "school", label: t("day.school"), hint: t("day.schoolHint"), required: true, suggestions: names });
}

function HowMuch() {
  const { values } = useForm();
  if (values.how === "minutes") return h(Field, { name: "extra_minutes", label: t("day.extraMinutes"), type: "number", inputmode: "numeric", required: true });
  if (values.how !== "lost") return null;
  return html`${h(Note, {}, html`<p>${t("day.lostHint")}</p>`)}
    ${h(DateTime, { name: "lost.from", label: t("day.from"), required: true })}
    ${h(DateTime, { name: "lost.until", label: t("day.until"), required: true })}`;
}
