// The page of an exam day, which stays open while the exam runs: the counts, the silent candidates, questions,
// announcements, and given time. `watch.js` computes what the service does not send.

import { Refused } from "../../../pages/static/ground/api.js";
import { settingOf } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useExternal, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Line } from "../../../pages/static/pieces/charts.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Maths } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Sheet, Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded, Loading } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { isAtLeast } from "../ranks.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import { inZone } from "../zone.js";
import * as calls from "./calls.js";
import { dayOf, howMuch, isEnabled, Outsiders, recipientOf, stateName, StateTag } from "./pieces.js";
import { AtOnce, mayReopen, Reopen } from "./reopening.js";
import { grouped, lines, remembered, statesOf, suspected } from "./watch.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Allowance, CurrentExam } from "./calls.js" */
/** @import { Counts, Moment } from "./watch.js" */
/** @import { components } from "../../../pages/static/types/api.js" */

/** @typedef {components["schemas"]["Clarification"]} Clarification */
/** @typedef {components["schemas"]["Question"]} PaperQuestion */
/** @typedef {components["schemas"]["WatchedSeat"]} Seat */
/** @typedef {import("./watch.js").Group<Seat>} Group */

// How many candidates of a school are shown at once.
const SHOWN = 6;
const TICK = 10_000;

// How often the page polls, in seconds: without a socket, and with a socket, in case a message gets lost.
const POLLED = 5;
const LIVE = 30;

// The shortest time between two readings of the silent candidates, in milliseconds: each user may read 60 times a
// minute.
const PAUSE = 4_000;

// The shortest time between two readings of the list of candidates, in milliseconds.
const LIST = 5_000;
const MINUTE = 60_000;

/**
 * The counts of the last hour, for each exam that the user has watched. They stay when the user leaves the
 * page.
 *
 * @type {Map<number, Moment[]>}
 */
const hours = new Map();

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
  // A poll that was under way when the user concluded the exam brings the earlier status. So the page remembers the act
  // until a poll has the new status.
  const [isConcluded, setConcluded] = useState(false);
  const isOver = isConcluded || watch?.status === "concluded" || watch?.status === "cancelled";
  useEffect(() => {
    if (watch?.status === "concluded") setConcluded(false);
  }, [watch?.status, isConcluded]);
  // Candidates with more time may be sitting although the exam is over.
  const isDone = Boolean(isOver && counts && !counts.sitting && !watch?.results.some((seat) => seat.deadline && Date.parse(seat.deadline) > Date.parse(watch.server_time)));
  // An exam that is not over is always of the current season.
  const season = useSeason(isOver ? about.value?.season : undefined);
  const mayChange = !isClosed(season);
  const started = counts && counts.eligible - counts.not_started;
  // The page shows all its parts together, because a number that arrived later would move the buttons below it.
  const isReady = [watch || reading.error, about.value || about.error, open !== undefined].every(Boolean);

  const conclude = async () => {
    const found = await calls.previewConclusion(exam);
    const until = whenInWords(found.hand_in_until, dates.when);
    const done = await confirm({
      title: t("day.conclude"),
      what: html`${found.not_started > 0 && html`<strong>${t("day.neverStarted", { count: found.not_started })}</strong>`} ${found.affected ? t("day.concludes", { count: found.affected, until }) : t("day.concludesNobody")}`,
      items: found.people.map((each) => each.full_name),
      count: found.affected,
      verb: found.affected ? t("day.concludeFor", { count: found.affected }) : t("day.concludeNow"),
      danger: true,
      act: () => calls.conclude(exam),
    });
    if (!done) return;
    setConcluded(true);
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
      ${h(ClosedSeason, { season })}
      ${isOver && h(Note, {}, html`<p>${t("day.isOver")} ${isAtLeast("admin") && html`<a href=${`/console/exams/${id}/results`}>${t("day.toResults")}</a>`}</p>`)}
      ${loaded(reading, () => html`
        ${h(Unread, { readings: [about] })}
        ${counts && (counts.eligible === 0 && !isDone
          ? h(Empty, { action: isAtLeast("admin") && html`<a class="button" href=${`/console/exams/${id}?step=people`}>${t("day.toPeople")}</a>` }, t("day.nobody"))
          : html`<p>${!isDone ? t("day.eligible", { count: counts.eligible }) : started ? t("day.started", { count: started }) : t("day.nobodyStarted")}</p>${h(Numbers, { exam: id, counts, questions: asks ? (open ?? null) : undefined, isDone, mayChange })}`)}`)}
      ${h(Tabs, {
        label: t("day.parts"),
        tabs: [
          { value: "silent", text: isDone ? t("day.unsubmitted") : t("day.silent"), ...(counts && { count: counts.silent }) },
          { value: "candidates", text: t("day.candidates"), ...(counts && { count: counts.eligible }) },
          ...(asks ? [{ value: "questions", text: t("day.questions"), ...(typeof open === "number" && { count: open }) }, { value: "announcements", text: t("day.announcements") }] : []),
          ...(isEnabled("allowances") ? [{ value: "time", text: t("day.given") }] : []),
        ],
      })}
      ${tab === "silent" && html`${h(Silent, { exam: id, reading, isDone, mayChange })}${latest && !isDone && h(LastHour, { hour: hours.get(exam) ?? [latest], now: latest.at })}`}
      ${tab === "candidates" && h(Candidates, { exam: id, isDone, mayChange, rule: about.value?.scores_visible, stage: about.value?.stage, version: Math.floor((latest?.at ?? 0) / LIST), now: watch?.server_time ?? "" })}
      ${tab === "announcements" && h(Announcements, { exam, mayChange })}
      ${tab === "time" && h(Given, { exam, mayChange })}`,
    asks && h(Questions, { exam, shown: isReady && tab === "questions", setOpen, mayChange }),
    // The latest allowance is read after the numbers. It is below all buttons, so that it moves none when it appears.
    isReady && h(LastGiven, { exam, version: Math.floor((latest?.at ?? 0) / MINUTE) }),
  );
}

/**
 * The service's clock, and when the exam opens and closes.
 *
 * @param {{ server: string, at: number, opens: string | null, closes: string | null }} props `at` is when the page got the service's time, by the
 *   device's clock.
 */
function Clock({ server, at, opens, closes }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), TICK);
    return () => clearInterval(timer);
  }, []);
  const now = Date.parse(server) + Date.now() - at;
  const time = inZone(now);
  if (!closes) return html`<span class="numbers">${t("day.now", { time })}</span>`;
  const isOver = Date.parse(closes) <= now;
  /** @param {string} moment */
  const words = (moment) => whenInWords(moment, dates.day(moment) === dates.day(now) ? dates.time : dates.when);
  if (opens && now < Date.parse(opens) && !isOver) return html`<span class="numbers">${t("day.nowOpens", { time, opens: words(opens), closes: words(closes) })}</span>`;
  return html`<span class="numbers">${t(isOver ? "day.nowClosed" : "day.nowCloses", { time, closes: words(closes) })}</span>`;
}

/**
 * How many candidates are in each state, and how many of their questions are open. Each number links to the list of
 * what it counts. Each number keeps its place, so that nothing moves while the user presses it.
 *
 * @param {{ exam: string, counts: Counts, questions: number | null | undefined, isDone: boolean, mayChange: boolean }} props `questions` is null if it can't be
 *   read, and undefined if candidates can't ask. If the exam `isDone`, nobody can be silent any longer. In a closed season, nobody counts as able to start.
 */
const Numbers = ({ exam, counts, questions, isDone, mayChange }) => html`<ul class="day-counts" aria-label=${t("day.counts")}>
  ${statesOf(mayChange).map((state) => html`<li key=${state}><a href=${state === "silent" ? dayOf(exam) : `${dayOf(exam)}?tab=candidates&state=${state}`} class=${state === "silent" && !isDone && counts.silent > 0 ? "warn" : ""}>
    <strong class="numbers">${number(counts[state])}</strong><span>${stateName(state, isDone)}</span></a></li>`)}
  ${questions !== undefined && html`<li><a href=${`${dayOf(exam)}?tab=questions`} class=${questions ? "warn" : ""}>
    <strong class="numbers">${questions === null ? "-" : number(questions)}</strong><span>${t("day.openQuestions")}</span></a></li>`}
</ul>`;

/** @param {{ hour: Moment[], now: number }} props */
function LastHour({ hour, now }) {
  const { minutes, lines: values } = lines(hour, now, [(each) => each.sitting, (each) => each.silent, (each) => each.submitted + each.handed_in]);
  const names = [t("day.sitting"), t("day.silent"), t("day.submitted")];
  return html`${h(Line, {
      title: t("day.hour"),
      labels: minutes.map((each) => dates.time(each)),
      series: values.map((each, at) => ({ label: names[at] ?? "", values: each })),
    })}
    <p class="small muted">${t("day.hourBegins")}</p>`;
}

/**
 * The address of the form that gives time, with these values filled in.
 *
 * @param {string} exam
 * @param {Record<string, string | null>} values
 */
const timeOf = (exam, values) =>
  `${dayOf(exam)}/time?${new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])))}`;

/**
 * @param {string} exam
 * @param {Seat} seat
 * @param {string} now The service's time.
 */
const giveLink = (exam, seat, now) =>
  isAtLeast("admin") && seat.state !== "submitted"
    ? html`<a href=${timeOf(exam, { candidate: seat.candidate.user_id, ...(seat.state === "silent" && { from: seat.last_seen_at, until: now }) })}>${t("day.giveTime")}<span class="hide"> <bdi>${seat.candidate.full_name}</bdi></span></a>`
    : "-";

/**
 * The silent candidates of a school, with a hint if it is the whole school.
 *
 * @param {{ exam: string, group: Group, isChecked: boolean, others: number | undefined, now: string, isDone: boolean, mayChange: boolean }} props With
 *   `isChecked`, the page reads `others`: how many candidates are sitting there and not silent. `now` is the service's
 *   time.
 */
function SilentSchool({ exam, group: { school, seats, from }, isChecked, others, now, isDone, mayChange }) {
  const count = seats.length;
  const isWhole = others === 0;
  const give = isAtLeast("admin") && mayChange && school && count > 1;
  return h(
    Section,
    {
      title: `${school || t("day.noSchool")} (${number(count)})`,
      actions: give && html`<a class="button" href=${timeOf(exam, { school, from, until: now })}>${t("day.giveBack")}<span class="hide"> ${school}</span></a>`,
    },
    // Show the note before its number is read, so that nothing moves afterwards.
    isChecked && h(Note, { kind: isWhole ? "bad" : "warn" }, html`<p class="day-check">${isWhole ? t("day.wholeSchool", { count }) : others === undefined ? t("day.checking", { count }) : t("day.partOfSchool", { count, others })}</p>`),
    table({
      caption: t(isDone ? "day.unsubmittedAt" : "day.silentAt", { school }),
      id: (seat) => seat.candidate.user_id,
      rows: seats.slice(0, SHOWN),
      columns: [
        { title: t("day.candidate"), cell: (seat) => seat.candidate.full_name },
        { title: t("day.lastSeen"), cell: (seat) => h(When, { at: seat.last_seen_at, shown: dates.time }) },
        { title: t("day.answered"), end: true, cell: (seat) => number(seat.answered) },
        { title: t("day.deadline"), cell: (seat) => h(When, { at: seat.deadline, shown: dates.time }) },
        ...(mayChange ? [{ title: t("day.time"), cell: (/** @type {Seat} */ seat) => giveLink(exam, seat, now) }] : []),
      ],
    }),
    count > SHOWN && html`<p><a href=${`${dayOf(exam)}?${new URLSearchParams({ tab: "candidates", state: "silent", school })}`}>${t("day.showAll", { count })}</a></p>`,
  );
}

/**
 * A candidate's question, and the question of the paper that it is about.
 *
 * @param {{ asked: Clarification, paper: PaperQuestion[] | undefined }} props
 */
function Asked({ asked, paper }) {
  const position = paper?.findIndex((each) => each.id === asked.question) ?? -1;
  const question = paper?.[position];
  return html`<p><strong><bdi>${asked.candidate?.full_name}</bdi></strong> <span class="muted"><bdi>${asked.candidate?.school}</bdi>, ${whenInWords(asked.asked_at)},${" "}
      ${asked.question === null ? t("day.aboutExam") : question ? t("day.aboutQuestion", { position: position + 1 }) : t("day.aboutSome")}</span></p>
    <p class="day-asked">${asked.text}</p>
    ${question && html`<details><summary class="small">${t("day.showQuestion", { position: position + 1 })}</summary><p>${h(Maths, { of: question })}</p></details>`}`;
}

/**
 * The form that answers a question, or changes the answer.
 *
 * @param {{ asked: Clarification, send: (values: Record<string, any>) => Promise<any>, done: (reply: any) => unknown, close: () => void }} props
 */
const Answer = ({ asked, send, done, close }) =>
  h(
    Form,
    {
      initial: { answer: asked.answer ?? "", to: asked.answer === null ? "" : asked.public ? "all" : "one" },
      draft: `day.answer.${asked.id}`,
      verb: t("day.sendAnswer"),
      stays: true,
      send,
      done,
      actions: html`<button type="button" class="button" onClick=${close}>${t("day.close")}</button>`,
    },
    h(Field, { name: "answer", label: t("day.answer"), rows: 3, required: true, maxlength: 2000 }),
    h(Choice, {
      name: "to", label: t("day.to"), required: true,
      options: [["one", t("day.toOne", { name: asked.candidate?.full_name ?? "" })], ["all", t("day.toAll")]],
    }),
  );

/** Whether messages arrive live. */
const useLive = () => useExternal(socket.onState, () => socket.state() === "live");

/**
 * The counts and the silent candidates of an exam, live.
 *
 * @param {number} exam
 */
function useWatch(exam) {
  const isLive = useLive();
  const [pushed, push] = useState(/** @type {{ at: number, counts: Counts } | null} */ (null));
  const reading = calls.useSilent(exam, isLive ? LIVE : POLLED);
  const again = useRef(reading.again);
  again.current = reading.again;
  useEffect(() => {
    push(null);
    const stops = [
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

/** How long the service must not have seen a candidate before it counts the candidate as silent. */
const silence = () => ({ span: dates.span(settingOf("invigilation.silent_after")) });

/**
 * The silent candidates by school. If the exam `isDone`, they are those who have not submitted.
 *
 * @param {{ exam: string, reading: ReturnType<typeof calls.useSilent>, isDone: boolean, mayChange: boolean }} props
 */
function Silent({ exam, reading, isDone, mayChange }) {
  const seats = reading.value?.results ?? [];
  const groups = grouped(seats);
  const checked = isDone ? [] : suspected(groups);
  const others = useRead(
    async () => new Map(await Promise.all(checked.map(async ({ school }) => /** @type {const} */ ([school, await calls.sitting(Number(exam), school)])))),
    [exam, JSON.stringify(checked.map((each) => [each.school, each.seats.length]))],
  );
  return loaded(reading, (watch) => html`
    <p class="muted">${isDone ? t("day.whyUnsubmitted") : t("day.whySilent", silence())}</p>
    ${watch.pagination.count > seats.length && h(Note, { kind: isDone ? "info" : "warn" }, html`<p>${t(isDone ? "day.firstUnsubmitted" : "day.firstSilent", { shown: seats.length, count: watch.pagination.count })}</p>`)}
    ${groups.map((group) => h(SilentSchool, { key: group.school, exam, group, isChecked: checked.includes(group), others: others.value?.get(group.school), now: watch.server_time, isDone, mayChange }))}
    ${h(Unread, { readings: [others] })}`,
    { empty: () => seats.length === 0, nothing: h(Empty, {}, isDone ? t("day.allSubmitted") : t("day.nobodySilent", silence())) });
}

/** @param {{ exam: string, stage: CurrentExam["stage"] | undefined, version: unknown, now: string, rule: import("./reopening.js").Rule, isDone: boolean, mayChange: boolean }} props */
function Candidates({ exam, stage, version, now, rule, isDone, mayChange }) {
  const [taken, take] = useState(0);
  return html`${mayChange && h(AtOnce, { rule })}${list({
    name: t("day.candidates"),
    id: (seat) => seat.candidate.user_id,
    call: (query) => calls.seats(Number(exam), query),
    version: `${version} ${taken}`,
    filters: [
      { name: "search", label: t("day.search") },
      { name: "school", label: t("day.school") },
      { name: "state", label: t("day.state"), options: statesOf(mayChange).map((each) => [each, stateName(each, isDone)]) },
    ],
    columns: [
      { title: t("day.candidate"), cell: ({ candidate }) => html`${isAtLeast("admin") ? html`<a href=${`/console/candidates/${candidate.user_id}`}><bdi>${candidate.full_name}</bdi></a>` : html`<bdi>${candidate.full_name}</bdi>`}<span class="small muted"> <bdi>${candidate.school}</bdi></span>` },
      { title: t("day.state"), cell: (seat) => h(StateTag, { state: seat.state, isDone }) },
      { title: t("day.lastSeen"), cell: (seat) => h(When, { at: seat.last_seen_at, shown: dates.time }) },
      { title: t("day.answered"), end: true, cell: (seat) => (seat.started_at ? seat.answered : "-") },
      { title: t("day.deadline"), cell: (seat) => html`${h(When, { at: seat.deadline, shown: dates.time })}${seat.extra_minutes > 0 && html` <span class="small muted">${t("day.extra", { span: dates.span(seat.extra_minutes * 60) })}</span>`}` },
      ...(mayChange ? [{ title: t("day.time"), cell: (/** @type {Seat} */ seat) => (seat.state === "submitted" && mayReopen() ? h(Reopen, { exam: Number(exam), seat, done: () => take((before) => before + 1) }) : giveLink(exam, seat, now)) }] : []),
    ],
    found: (count) => t("day.found", { count }),
    empty: t(isDone ? "day.nobodyStarted" : "day.nobody"),
    missing: ({ search }) => search && mayChange && h(Outsiders, { search, stage, key: search }),
  })}`;
}

/**
 * The tab with the questions of candidates. It is rendered even if it is not `shown`, because it counts the
 * open questions.
 *
 * @param {{ exam: number, shown: boolean, setOpen: (count: number | null) => void, mayChange: boolean }} props
 */
function Questions({ exam, shown, setOpen, mayChange }) {
  const isLive = useLive();
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
      socket.on("open", () => again.current()),
      socket.on("exam_question", (/** @type {any} */ message) => {
        if (message.exam === exam) again.current();
      }),
    ];
    return () => stops.forEach((stop) => void stop());
  }, [exam]);
  useEffect(() => setVersion((before) => before + 1), [count]);
  // The name of this tab has the number of open questions. So a failure to read it is shown on all tabs.
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
        mayChange && (answering?.id === asked.id ? form(asked) : html`<div class="acts">
          <button type="button" class="button" onClick=${() => setAnswering(asked)}>${t("day.answerIt")}<span class="hide"> <bdi>${asked.candidate?.full_name}</bdi></span></button>
          ${h(Act, { act: () => dismiss(asked) }, t("day.dismiss"))}</div>`)))}`,
      { empty: (found) => found.results.length === 0, nothing: mayChange && h(Empty, {}, t("day.noQuestions")) })}
    ${h(Section, { title: t("day.allQuestions") }, list({
      name: t("day.allQuestions"),
      id: (asked) => asked.id,
      call: (query) => calls.questions(exam, query),
      version,
      filters: [{ name: "status", label: t("day.state"), options: [["answered", t("day.isAnswered")], ["dismissed", t("day.isDismissed")], ["open", t("day.isOpen")]] }],
      columns: [
        { title: t("day.question"), cell: (asked) => html`${asked.text}<span class="small muted"> <bdi>${asked.candidate?.full_name}</bdi>, ${h(When, { at: asked.asked_at, shown: dates.time })}</span>` },
        { title: t("day.answer"), cell: (asked) => asked.answer ?? h(Tag, { kind: asked.status === "open" ? "warn" : "" }, t(asked.status === "open" ? "day.isOpen" : "day.isDismissed")) },
        { title: t("day.toWhom"), cell: (asked) => (asked.answer === null ? "-" : t(asked.public ? "day.all" : "day.oneCandidate")) },
        ...(mayChange ? [{ title: t("day.change"), cell: (/** @type {Clarification} */ asked) => (asked.status === "open" ? "-" : html`<button type="button" class="button small" onClick=${() => setAnswering(asked)}>${t("day.changeAnswer")}</button>`) }] : []),
      ],
      empty: t(mayChange ? "day.noQuestionsYet" : "day.nobodyAsked"),
    }))}`;
}

/** @param {{ exam: number, mayChange: boolean }} props */
function Announcements({ exam, mayChange }) {
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
    ${mayChange && h(Form, {
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

/** @param {{ exam: number, mayChange: boolean }} props */
function Given({ exam, mayChange }) {
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
      { title: t("day.by"), cell: (given) => html`${given.created_by ? `${given.created_by.user.first_name} ${given.created_by.user.last_name}` : "-"}, ${h(When, { at: given.created_at, shown: dates.time })}` },
      ...(isAtLeast("admin") && mayChange ? [{ title: t("day.change"), cell: (/** @type {Allowance} */ given) => (isUsed(given) ? html`<span class="muted">${t("day.isUsed")}</span>` : h(Act, { act: () => takeBack(given) }, t("day.takeBack"))) }] : []),
    ],
    empty: t("day.nothingGiven"),
    action: isAtLeast("admin") && mayChange && html`<a class="button" href=${`${dayOf(String(exam))}/time`}>${t("day.giveTime")}</a>`,
  });
}
