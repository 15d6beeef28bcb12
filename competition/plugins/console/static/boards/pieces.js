// Parts of the pages about leaderboards.

import { h, html, useEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act, confirm } from "../../../pages/static/pieces/dialog.js";
import { DateTime } from "../../../pages/static/pieces/fields.js";
import { useForm } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Section, When } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { Available, Exam, Previewed, Publication, Ranking } from "./calls.js" */
/**
 * @template T
 * @typedef {import("../../../pages/static/pieces/table.js").Column<T>} Column
 */

// How often the page polls, in seconds: while a publication is planned, and otherwise. The device's clock may
// be wrong, so it does not decide whether a publication is near.
const OFTEN = 5;
export const SELDOM = 60;

/** @param {{ stage: "screening" | "league" | "final", round: number }} exam */
export const round = ({ stage, round }) => t("boards.round", { stage: t(`boards.stage.${stage}`), round: String(round) });

/**
 * The address of a leaderboard, or of an earlier version of it.
 *
 * @param {{ stage: string, round: number, exam_id?: number }} board Of several exams of a round, the latest counts, or
 *   `exam_id`.
 * @param {number} [snapshot]
 */
export function address({ stage, round, exam_id: exam }, snapshot) {
  const query = new URLSearchParams({ ...(exam && { exam: String(exam) }), ...(snapshot && { snapshot: String(snapshot) }) });
  return `/console/boards/${stage}/${round}${query.size ? `?${query}` : ""}`;
}

/** A score with two decimals, as leaderboards show it. @param {number} value */
export const points = (value) => number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @type {() => Column<Available>[]} */
export const boardColumns = () => [
  { title: t("boards.exam"), cell: (board) => html`<a href=${address({ stage: board.stage, round: board.round })}>${board.exam_title}</a>` },
  { title: t("boards.roundTitle"), cell: round },
  { title: t("boards.candidates"), end: true, cell: (board) => number(board.total_candidates) },
  { title: t("boards.average"), end: true, cell: (board) => points(board.average_score) },
];

/**
 * The exams that can be published, and the planned publications. `published` has the ids of the exams that have
 * a leaderboard.
 *
 * @param {{ published: Set<number>, snapshot: number | undefined, changed: () => void }} props
 */
export function ToPublish({ published, snapshot, changed }) {
  const [every, set] = useState(SELDOM);
  const planned = calls.usePlanned(every);
  const rows = planned.value?.results ?? [];
  const exams = useRead(calls.exams, []);
  const ids = rows.map((each) => each.id).join();
  const ready = useRead(() => calls.preview(), [snapshot, ids]);
  const isRead = planned.value !== undefined;
  useEffect(() => {
    set(rows.length > 0 ? OFTEN : SELDOM);
  }, [rows.length > 0]);
  // If a planned publication has disappeared from the list, its leaderboard is published. Read the leaderboards
  // again, because this may have happened after the last reading.
  useEffect(() => {
    if (isRead) changed();
  }, [ids, isRead]);
  // The leaderboard of a published exam may be replaced by that of a later exam of its round.
  const done = new Set([...published, ...(ready.value?.exams ?? []).filter((each) => each.published_at).map((each) => each.id)]);
  const due = useRef(/** @type {Map<number, Publication>} */ (new Map()));
  const withdrawn = useRef(/** @type {Set<number>} */ (new Set()));
  useEffect(() => {
    for (const row of rows) if (isDue(row) && !withdrawn.current.has(row.id)) due.current.set(row.exam, row);
    // The notice has the exam's title.
    if (exams.busy) return;
    const waiting = new Set(rows.map((each) => each.exam));
    for (const [exam, row] of [...due.current]) {
      if (waiting.has(exam) || !done.has(exam)) continue;
      due.current.delete(exam);
      notice({ text: t("boards.isDone", { exam: title(row) }) });
    }
  }, [planned.value, published, ready.value, exams.busy]);
  const titles = new Map(exams.value?.results.map((each) => [each.id, each.title]));
  /** @param {Publication} row */
  const title = (row) => titles.get(row.exam) ?? t("boards.examNumber", { id: String(row.exam) });

  /** @param {Publication} row */
  const withdraw = async (row) => {
    const done = await confirm({
      title: t("boards.withdraw"),
      what: t("boards.withdraws", { exam: title(row) }),
      verb: t("boards.withdraw"),
      cancel: t("boards.keepPlanned"),
      act: async () => (await calls.withdraw(row.id), true),
    });
    if (!done) return;
    // Until it is read again, the list still has the publication.
    withdrawn.current.add(row.id);
    due.current.delete(row.exam);
    notice({ text: t("boards.withdrawn", { exam: title(row) }) });
    planned.again();
  };
  /** @type {Column<Publication>[]} */
  const columns = [
    { title: t("boards.exam"), cell: title },
    { title: t("boards.when"), cell: (row) => (isDue(row) ? h(UnderWay, {}) : h(When, { at: row.publish_at })) },
    { title: t("boards.action"), cell: (row) => h(Act, { act: () => withdraw(row) }, t("boards.withdraw")) },
  ];
  /** @type {Column<Previewed>[]} */
  const waiting = [
    { title: t("boards.exam"), cell: (row) => row.title },
    { title: t("boards.roundTitle"), cell: round },
    { title: t("boards.results"), end: true, cell: (row) => number(row.candidates) },
    { title: t("boards.action"), cell: (row) => (row.is_over ? html`<a class="button" href=${`/console/boards/publish?exams=${row.id}`}>${t("boards.publishOne")}</a>` : t("boards.stillSubmitting")) },
  ];
  return html`${rows.length > 0 && h(Unread, { readings: [exams] })}${loaded(ready, (value) => {
      const results = value.exams.filter((each) => !done.has(each.id));
      return results.length > 0 && h(Section, { title: t("boards.ready") }, table({ caption: t("boards.ready"), columns: waiting, rows: results, id: (row) => row.id }));
    })}
    ${loaded(planned, ({ results }) => results.length > 0 && h(Section, { title: t("boards.planned") }, table({ caption: t("boards.planned"), columns, rows: results, id: (row) => row.id })))}`;
}

// A publication takes seconds. After this time, in milliseconds, the page says what to check.
const SLOW = 60_000;

/**
 * The state of a publication whose time has come. The page polls, so this component is drawn again every few
 * seconds.
 */
function UnderWay() {
  const [since] = useState(() => Date.now());
  const isSlow = since + SLOW <= Date.now();
  return html`<div class="flow"><progress aria-label=${t("boards.underWay")}></progress><span>${t("boards.underWay")}</span>
    <p role="status">${isSlow && html`${t("boards.isSlow")} <a href="/console/house/service">${t("nav.service")}</a>`}</p></div>`;
}

/**
 * Whether the time of a publication has come. A publication that was requested for now is always due, even if
 * the device's clock is behind.
 *
 * @param {Publication} row
 */
const isDue = ({ publish_at: at, created_at: made }) => Date.parse(at) <= Math.max(Date.parse(made), Date.now());

/** The field for the time of a publication that is not published at once. */
export function PublishAt() {
  const { values } = useForm();
  return values.when === "at" ? h(DateTime, { name: "publish_at", label: t("boards.publishAt"), required: true }) : null;
}

/**
 * @param {string} caption
 * @param {Ranking[]} rows
 * @param {boolean} links Whether the user may open candidates.
 */
export function ranks(caption, rows, links) {
  /** @type {Column<Ranking>[]} */
  const columns = [
    { title: t("boards.candidate"), cell: ({ candidate }) => (links ? html`<a href=${`/console/candidates/${candidate.user_id}`}><bdi>${candidate.full_name}</bdi></a>` : candidate.full_name) },
    { title: t("boards.rank"), end: true, cell: (row) => number(row.rank) },
    { title: t("boards.school"), cell: ({ candidate }) => candidate.school },
    { title: t("boards.score"), end: true, cell: (row) => points(row.score) },
  ];
  if (rows.some((each) => each.seconds_used !== undefined)) {
    columns.push({ title: t("boards.seconds"), end: true, cell: (row) => (row.seconds_used === undefined ? "-" : number(row.seconds_used, { maximumFractionDigits: 1 })) });
  }
  return table({ caption, columns, rows, id: (row) => row.candidate.user_id });
}

/**
 * The option for an exam in the choice of exams to publish, with the state of the exam.
 *
 * @param {Exam} exam
 * @param {boolean} isPublished
 * @returns {[value: string, text: string]}
 */
export const option = (exam, isPublished) => [String(exam.id), t("boards.option", { exam: exam.title, round: round(exam), state: stateOf(exam, isPublished) })];

/**
 * The position of an exam in the choice of exams to publish. Exams that are over come first, published exams
 * come last.
 *
 * @param {Exam} exam
 * @param {boolean} isPublished
 */
export const place = (exam, isPublished) => (isPublished ? 3 : ["concluded", "ongoing", "scheduled"].indexOf(exam.status));

/**
 * @param {Exam} exam
 * @param {boolean} isPublished
 */
function stateOf(exam, isPublished) {
  if (isPublished) return t("boards.isPublished");
  if (exam.status === "concluded") return t("boards.isOver");
  return exam.status === "ongoing" ? t("boards.isOpen") : t("boards.isPlanned");
}
