// The list of published leaderboards, with their earlier versions and those of earlier seasons. Admins also see the exams
// that can be published, and the publications that are planned.

import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, whenInWords } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { seasons } from "../calls.js";
import { isAtLeast } from "../ranks.js";
import { inShort } from "../zone.js";
import * as calls from "./calls.js";
import { address, isUnpublished, points, round, SELDOM } from "./pieces.js";
import { t } from "./words.js";

/** @import { Previewed, Available, Publication } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Column } from "./pieces.js" */

// How often the page polls while a publication is planned, in seconds. Otherwise it polls every `SELDOM` seconds. The
// device's clock may be wrong, so it does not decide whether a publication is near.
const OFTEN = 5;

// When a publication is due, it takes seconds. After this time, in milliseconds, the page says what to check.
const SLOW = 60_000;

/** @param {PageProps} props */
export function Boards({ query }) {
  const mayPublish = isAtLeast("admin");
  const boards = calls.useBoards(SELDOM);
  const nothing = isUnpublished(boards);
  const available = boards.value?.available_leaderboards ?? [];
  const published = h(Section, { title: t("boards.published") }, nothing
    ? h(Empty, {}, t("boards.none"))
    : loaded(boards, ({ published_at: at }) => html`<p class="line small muted"><span>${at && t("boards.latest", { when: whenInWords(at, dates.when) })}</span>${h(AsOf, { at: boards.at })}</p>
        ${table({ caption: t("boards.published"), columns: boardColumns(), rows: available, id: (row) => row.exam_id })}`,
        { empty: () => available.length === 0, nothing: h(Empty, {}, t("boards.none")) }));
  return h(
    Page,
    { title: t("boards.title"), lead: t("boards.lead"), actions: mayPublish && html`<a class="button first" href="/console/boards/publish">${t("boards.publish")}</a>` },
    h(Tabs, { label: t("boards.title"), tabs: [
      { value: "now", text: t("boards.now") },
      { value: "earlier", text: t("boards.earlier") },
      ...(config().plugins.includes("seasons") ? [{ value: "seasons", text: t("boards.ofSeasons") }] : []),
    ] }),
    query.get("tab") === "earlier" ? h(Earlier, {})
      : query.get("tab") === "seasons" ? h(OfSeasons, { season: query.get("season") })
      : html`${mayPublish && (boards.value || nothing) && h(ToPublish, { published: new Set(available.map((each) => each.exam_id)), snapshot: boards.value?.snapshot_id, changed: boards.again })}
        ${published}`,
  );
}

/** @param {boolean} [isPast] Whether the leaderboards are of an earlier season. @returns {Column<Available>[]} */
const boardColumns = (isPast = false) => [
  // Without the exam, the address leads to a leaderboard of the current season.
  { title: t("boards.exam"), cell: ({ stage, round, exam_id, exam_title: title }) => html`<a href=${address({ stage, round, ...(isPast && { exam_id }) })}>${title}</a>` },
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
function ToPublish({ published, snapshot, changed }) {
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
  // The exams that are published. `published` lacks those whose leaderboard was replaced by that of a later exam of
  // their round, so their `published_at` counts too.
  const done = new Set([...published, ...(ready.value?.exams ?? []).filter((each) => each.published_at).map((each) => each.id)]);
  const due = useRef(/** @type {Map<number, Publication>} */ (new Map()));
  const withdrawn = useRef(/** @type {Set<number>} */ (new Set()));
  useEffect(() => {
    for (const row of rows) if (isDue(row) && !withdrawn.current.has(row.id)) due.current.set(row.exam, row);
    // Wait for the titles of the exams, because the notice below contains the title of an exam.
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
    // The list has the publication until it is read again. Remember the withdrawal, so that no notice says that the
    // publication is done.
    withdrawn.current.add(row.id);
    due.current.delete(row.exam);
    notice({ text: t("boards.withdrawn", { exam: title(row) }) });
    planned.again();
  };
  /** @type {Column<Publication>[]} */
  const columns = [
    { title: t("boards.exam"), cell: title },
    { title: t("boards.when"), cell: (row) => (isDue(row) ? h(UnderWay, { publication: row }) : h(When, { at: row.publish_at })) },
    { title: t("boards.action"), cell: (row) => h(Act, { act: () => withdraw(row) }, t("boards.withdraw")) },
  ];
  /** @type {Column<Previewed>[]} */
  const waiting = [
    { title: t("boards.exam"), cell: (row) => row.title },
    { title: t("boards.roundTitle"), cell: round },
    { title: t("boards.results"), end: true, cell: (row) => number(row.candidates) },
    { title: t("boards.action"), cell: (row) => html`${row.hand_in_until && html`<p>${t("boards.stillSubmitting", { when: inShort(row.hand_in_until) })}</p>`}<a class="button" href=${`/console/boards/publish?exams=${row.id}`}>${t("boards.publishOne")}</a>` },
  ];
  return html`${rows.length > 0 && h(Unread, { readings: [exams] })}${loaded(ready, (value) => {
      const results = value.exams.filter((each) => !done.has(each.id));
      return results.length > 0 && h(Section, { title: t("boards.ready") }, table({ caption: t("boards.ready"), columns: waiting, rows: results, id: (row) => row.id }));
    })}
    ${loaded(planned, ({ results }) => results.length > 0 && h(Section, { title: t("boards.planned") }, table({ caption: t("boards.planned"), columns, rows: results, id: (row) => row.id })))}`;
}

/**
 * The state of a publication whose time has come. The page polls, so this component is drawn again every few
 * seconds.
 *
 * @param {{ publication: Publication }} props
 */
function UnderWay({ publication: { publish_at: at, expected_at: expected } }) {
  const [since] = useState(() => Date.now());
  if (expected === null) return html`<span>${t("boards.nobodyTook")}</span>`;
  // The service publishes later than planned if candidates can still submit.
  if (Date.parse(expected) > Math.max(Date.parse(at), Date.now())) return html`<span>${t("boards.waitsUntil", { when: inShort(expected) })}</span>`;
  const isSlow = Math.max(since, Date.parse(expected)) + SLOW <= Date.now();
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

/** All publications, each with the leaderboards that it has computed. */
const Earlier = () => list({
  name: t("boards.earlier"),
  id: (row) => row.snapshot_id,
  call: calls.snapshots,
  filters: [{ name: "search", label: t("boards.searchTitle") }],
  columns: [
    { title: t("boards.publishedAt"), sort: "published_at", cell: (row) => h(When, { at: row.published_at }) },
    { title: t("boards.title"), cell: (row) => html`${row.published_leaderboards.map((each) => html`<div><a href=${address(each, row.snapshot_id)}>${each.exam_title}</a> <span class="small muted">${round(each)}</span></div>`)}` },
  ],
  found: (count) => t("boards.versions", { count }),
  empty: t("boards.noVersions"),
});

/**
 * The leaderboards of one earlier season, at first of the latest.
 *
 * @param {{ season: string | null }} props `season` is the id in the address.
 */
function OfSeasons({ season }) {
  const reading = useRead(async () => (await seasons()).filter((each) => each.status === "closed"), []);
  return loaded(reading, (closed) => {
    const shown = closed.find((each) => String(each.id) === season) ?? closed[0];
    return html`${closed.length > 1 && h(Tabs, { label: t("boards.ofSeasons"), name: "season", tabs: closed.map(({ id, name }) => ({ value: String(id), text: name })) })}
      ${shown && h(OfSeason, { key: shown.id, season: shown })}`;
  }, { empty: (closed) => closed.length === 0, nothing: h(Empty, {}, t("boards.noSeasons")) });
}

/** @param {{ season: Awaited<ReturnType<typeof seasons>>[number] }} props */
function OfSeason({ season: { id, name } }) {
  const reading = useRead(() => calls.boards(id), []);
  const nothing = h(Empty, {}, t("boards.noneInSeason"));
  return h(Section, { title: t("season.name", { name }), actions: html`<a class="button" href=${`/console/seasons/${id}`}>${t("season.toSeason", { name })}</a>` },
    isUnpublished(reading) ? nothing : loaded(reading, ({ available_leaderboards: rows = [] }) => table({ caption: t("boards.published"), columns: boardColumns(true), rows, id: (row) => row.exam_id }),
      { empty: ({ available_leaderboards: rows = [] }) => rows.length === 0, nothing }));
}
