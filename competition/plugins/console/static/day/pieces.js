// The parts of the pages of the exam day: counts, the last hour, silent schools, and questions of candidates.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Line } from "../../../pages/static/pieces/charts.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { Maths } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Section, Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import { inZone } from "../zone.js";
import * as calls from "./calls.js";
import { lines, STATES } from "./watch.js";

/** @import { components } from "../../../pages/static/types/api.js" */
/** @import { Counts, Moment, State } from "./watch.js" */
/** @typedef {components["schemas"]["Clarification"]} Clarification */
/** @typedef {components["schemas"]["Allowance"]} Allowance */
/** @typedef {components["schemas"]["CandidateItem"]} Anybody */
/** @import { CurrentExam } from "./calls.js" */
/** @typedef {components["schemas"]["Question"]} PaperQuestion */
/** @typedef {components["schemas"]["WatchedSeat"]} Seat */
/** @typedef {import("./watch.js").Group<Seat>} Group */

// How many candidates of a school are shown at once.
const SHOWN = 6;
const TICK = 10_000;

/** @param {string} exam */
export const dayOf = (exam) => `/console/exams/${exam}/day`;

/** @type {(state: State) => string} */
export const stateName = (state) => t(`day.${state}`);

/** @type {Record<State, "" | "ok" | "warn" | "info">} */
const KINDS = { not_started: "", sitting: "info", silent: "warn", submitted: "ok", handed_in: "ok" };

/** @param {{ state: State }} props */
export const StateTag = ({ state }) => h(Tag, { kind: KINDS[state] }, stateName(state));

/**
 * The service's clock, and when the exam opens and closes.
 *
 * @param {{ server: string, at: number, opens: string | null, closes: string | null }} props `at` is when the page got the service's time, by the
 *   device's clock.
 */
export function Clock({ server, at, opens, closes }) {
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
 * what it counts. Numbers have the same place whatever they are, so that nothing moves while somebody presses it.
 *
 * @param {{ exam: string, counts: Counts, questions: number | null | undefined }} props `questions` is null if it can't be
 *   read, and undefined if candidates can't ask.
 */
export const Numbers = ({ exam, counts, questions }) => html`<ul class="day-counts" aria-label=${t("day.counts")}>
  ${STATES.map((state) => html`<li key=${state}><a href=${state === "silent" ? dayOf(exam) : `${dayOf(exam)}?tab=candidates&state=${state}`} class=${state === "silent" && counts.silent > 0 ? "warn" : ""}>
    <strong class="numbers">${number(counts[state])}</strong><span>${stateName(state)}</span></a></li>`)}
  ${questions !== undefined && html`<li><a href=${`${dayOf(exam)}?tab=questions`} class=${questions ? "warn" : ""}>
    <strong class="numbers">${questions === null ? "-" : number(questions)}</strong><span>${t("day.openQuestions")}</span></a></li>`}
</ul>`;

/** @param {{ hour: Moment[], now: number }} props */
export function LastHour({ hour, now }) {
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
export const giveLink = (exam, seat, now) =>
  isAtLeast("admin") && seat.state !== "submitted"
    ? html`<a href=${timeOf(exam, { candidate: seat.candidate.user_id, ...(seat.state === "silent" && { from: seat.last_seen_at, until: now }) })}>${t("day.giveTime")}<span class="hide"> <bdi>${seat.candidate.full_name}</bdi></span></a>`
    : "-";

/**
 * The silent candidates of a school, with a hint if it is the whole school.
 *
 * @param {{ exam: string, group: Group, isChecked: boolean, others: number | undefined, now: string }} props With
 *   `isChecked`, the page reads `others`: how many candidates are sitting there and not silent. `now` is the service's
 *   time.
 */
export function SilentSchool({ exam, group: { school, seats, from }, isChecked, others, now }) {
  const count = seats.length;
  const isWhole = others === 0;
  const give = isAtLeast("admin") && school && count > 1;
  return h(
    Section,
    {
      title: `${school || t("day.noSchool")} (${number(count)})`,
      actions: give && html`<a class="button" href=${timeOf(exam, { school, from, until: now })}>${t("day.giveBack")}<span class="hide"> ${school}</span></a>`,
    },
    // The note has its place before its number is read.
    isChecked && h(Note, { kind: isWhole ? "bad" : "warn" }, html`<p class="day-check">${isWhole ? t("day.wholeSchool", { count }) : others === undefined ? t("day.checking", { count }) : t("day.partOfSchool", { count, others })}</p>`),
    table({
      caption: t("day.silentAt", { school }),
      id: (seat) => seat.candidate.user_id,
      rows: seats.slice(0, SHOWN),
      columns: [
        { title: t("day.candidate"), cell: (seat) => seat.candidate.full_name },
        { title: t("day.lastSeen"), cell: (seat) => html`<span class="numbers">${seat.last_seen_at ? whenInWords(seat.last_seen_at) : "-"}</span>` },
        { title: t("day.answered"), end: true, cell: (seat) => number(seat.answered) },
        { title: t("day.deadline"), cell: (seat) => html`<span class="numbers">${seat.deadline ? whenInWords(seat.deadline) : "-"}</span>` },
        { title: t("day.time"), cell: (seat) => giveLink(exam, seat, now) },
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
export function Asked({ asked, paper }) {
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
export const Answer = ({ asked, send, done, close }) =>
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

/**
 * Whom an allowance is for, in words, such as "Hillside School".
 *
 * @param {Allowance} given
 */
export const recipientOf = (given) => given.school ?? given.candidate?.full_name ?? (given.everyone ? t("day.everyone") : t("day.oneCandidate"));

/** @param {Allowance} given */
export const howMuch = (given) =>
  given.lost
    ? t("day.lostFrom", { from: whenInWords(given.lost.from), until: whenInWords(given.lost.until) })
    : dates.span((given.extra_minutes ?? 0) * 60);

/**
 * Candidates of the league whom a search finds, but who can't take the exam, each with the reason.
 *
 * @param {{ search: string, stage: CurrentExam["stage"] | undefined }} props
 */
export function Outsiders({ search, stage }) {
  const reading = useRead(() => calls.anybody(search), [search]);
  /** @param {Anybody} candidate */
  const why = ({ is_active: isActive, is_user_verified: isVerified, role }) =>
    !isActive ? t("day.outInactive") : !isVerified ? t("day.outIdentity") : stage && role !== stage ? t("day.outStage", { stage: t(`people.stage.${role}`) }) : null;
  /** @param {Anybody} candidate */
  const link = (candidate) => (!candidate.is_user_verified && isAtLeast("manager") ? "documents" : "candidates");
  const found = (reading.value ?? []).flatMap((each) => {
    const reason = why(each);
    return reason === null ? [] : [{ each, reason }];
  });
  return html`${h(Unread, { readings: [reading] })}
    ${found.length > 0 && h(Note, { kind: "warn" }, html`<ul class="items">${found.map(({ each, reason }) => {
      const { id, first_name: first, last_name: last } = each.user;
      const name = `${first} ${last}`;
      return html`<li>${isAtLeast("admin") ? html`<a href=${`/console/${link(each)}/${id}`}>${name}</a>` : name}, <span class="muted">${each.school}</span>: ${reason}</li>`;
    })}</ul>`)}`;
}
