// The page of an advancement plan: the candidates who would advance now or, after it is applied, those who have
// advanced. The service decides who they are.

import { Refused } from "../../../pages/static/ground/api.js";
import { settingOf } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { ask, confirm } from "../../../pages/static/pieces/dialog.js";
import { list, Pages } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { print, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Export } from "../exports.js";
import { isAtLeast } from "../ranks.js";
import { isClosed, seasonCrumbs, SeasonTag, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { address, crumbs, points, ruleText, stage, Status, title } from "./pieces.js";
import { t } from "./words.js";

/** @import { Advanced, Plan, Contender } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Column } from "../../../pages/static/pieces/table.js" */

// How many names a dialog shows.
const NAMES = 10;

/** @param {PageProps} props */
export function OnePlan({ params, query }) {
  const id = Number(params.id);
  const reading = useRead(() => calls.plan(id), [id]);
  const plan = reading.value;
  const boards = useRead(async () => plan && published(plan.exams), [plan?.exams.join()]);
  const season = useSeason(plan?.season);
  useReturn(reading.again);
  useReturn(boards.again);
  const isAdmin = isAtLeast("admin");
  const mayChange = isAdmin && !isClosed(season);
  const needsBoards = mayChange && plan?.status !== "applied";
  /** @param {Plan} plan */
  const remove = async (plan) => {
    const done = await confirm({
      title: t("advancement.remove"),
      what: t("advancement.removes", { plan: title(plan) }),
      verb: t("advancement.removeOne"),
      danger: true,
      act: async () => (await calls.remove(id), true),
    });
    if (!done) return;
    await go("/console/advancement");
    notice({ text: t("advancement.removed") });
  };
  /** @param {Plan} plan */
  const undo = async (plan) => {
    const { results, pagination } = await calls.advanced(id, { undoable: true, limit: NAMES });
    const count = pagination.count;
    const done = await confirm({
      title: t("advancement.undo"),
      what: t("advancement.undoes", { count, from: stage(plan.from_stage), to: stage(plan.to_stage) }),
      items: results.map((each) => each.candidate.full_name),
      count,
      verb: t("advancement.undoCount", { count }),
      danger: true,
      act: () => calls.undo(id),
    });
    if (!done) return;
    notice({ text: t("advancement.undone", { from: stage(plan.from_stage) }) });
    reading.again();
  };
  /**
   * Ask for a confirmation, and apply the plan. Resolves to whether it was applied.
   *
   * @param {Plan} plan
   */
  const apply = async (plan) => {
    const appeals = await calls.openAppeals(plan.exams);
    const isSure = appeals === 0 || (await ask({ title: t("advancement.appeals"), what: t("advancement.appealsOpen", { count: appeals }), verb: t("advancement.despiteAppeals"), cancel: t("advancement.appealsFirst") }));
    if (!isSure) return false;
    // Scores and stages may have changed since the page was read.
    const preview = await calls.preview(id, 1);
    const count = preview.moving;
    if (count === 0) {
      reading.again();
      return false;
    }
    const done = await confirm({
      title: title(plan),
      what: html`${t("advancement.applies", { count, to: stage(plan.to_stage) })} ${undoHours() ? t("advancement.undoFor", { span: dates.span(undoHours() * 3600) }) : t("advancement.noUndo")}`,
      items: preview.advance.filter((each) => each.candidate.role === plan.from_stage).map((each) => each.candidate.full_name),
      count,
      verb: t("advancement.applyCount", { count }),
      act: () => calls.apply(id),
    });
    if (!done) return false;
    notice({ text: t("advancement.applied", { count: done.advanced, to: stage(plan.to_stage) }) });
    reading.again();
    return true;
  };
  const known = new Map(boards.value?.map((each) => [each.id, each]));
  /** @param {number} exam */
  const examLink = (exam) => {
    const board = known.get(exam);
    if (board) return html`<a href=${`/console/boards/${board.stage}/${board.round}?exam=${exam}`}>${board.title}</a>`;
    const name = t("advancement.unpublished", { id: String(exam) });
    return mayChange ? html`<a href=${`/console/exams/${exam}`}>${name}</a>` : name;
  };
  return h(
    Page,
    {
      title: plan ? title(plan) : t("advancement.plan"),
      crumbs: isClosed(season) ? seasonCrumbs(season) : crumbs(),
      lead: plan && html`${ruleText(plan.rule)} ${h(SeasonTag, { season })}`,
      actions: plan && isAdmin && [
        mayChange && plan.status === "open" && html`<a class="button" href=${`${address(plan)}/change`}>${t("advancement.changeLink")}</a>`,
        mayChange && plan.is_deletable && h(Act, { act: () => remove(plan), kind: "bad" }, t("advancement.remove")),
        mayChange && plan.status === "applied" && !plan.undo_refusal && h(Act, { act: () => undo(plan), kind: "bad" }, t("advancement.undo")),
        h(Export, { tables: [{ name: "plan", text: t("advancement.plan"), read: calls.exported(id) }] }),
      ],
    },
    h(Unread, { readings: [season] }),
    loaded(reading, (row) => html`
      ${isAdmin && (isClosed(season) ? h(Note, {}, html`<p>${t("advancement.closed")}</p>`) : row.undo_refusal && h(Note, {}, html`<p>${row.undo_refusal}</p>`))}
      ${h(Facts, { facts: [
        [t("advancement.status"), html`${h(Status, { plan: row })} <span class="small muted">${t(`advancement.means.${row.status}`)}</span>`],
        [t("advancement.exams"), html`${row.exams.map((each) => html`<div>${examLink(each)}</div>`)}`],
        [t("advancement.ties"), t(`advancement.ties.${row.ties}`)],
        [t("advancement.created"), html`${h(When, { at: row.created_at })}${row.created_by && html` <span class="small muted">${row.created_by.user.first_name} ${row.created_by.user.last_name}</span>`}`],
      ] })}
      ${row.status === "applied" && h(AdvancedCandidates, { plan: row })}
      ${!needsBoards && h(Unread, { readings: [boards] })}
      ${needsBoards && loaded(boards, () => {
        const missing = row.exams.filter((each) => !known.has(each));
        return missing.length > 0
          ? h(Unpublished, { exams: missing })
          : h(Contest, { plan: row, page: Number(query.get("page")) || 1, apply: () => apply(row) });
      })}`),
  );
}

/** A note that some exams have no leaderboard, with the next step. @param {{ exams: number[] }} props */
function Unpublished({ exams }) {
  const deleted = useRead(() => calls.someDeleted(exams), [exams.join()]);
  return loaded(deleted, (isDeleted) => isDeleted
    ? h(Note, { kind: "warn" }, html`<p>${t("advancement.examDeleted")}</p>`)
    : h(Note, { kind: "info" }, html`<p>${t("advancement.notPublished", { count: exams.length })}</p><a href=${`/console/boards/publish?exams=${exams.join()}`}>${t("advancement.publish")}</a>`));
}

/**
 * Those of the exams with these ids whose leaderboards are published.
 *
 * @param {number[]} exams
 */
async function published(exams) {
  const boards = await Promise.all(exams.map(async (exam) => {
    try {
      return await calls.board(exam);
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined;
      throw error;
    }
  }));
  return boards.filter((each) => each !== undefined);
}

/**
 * The candidate's name. Only admins may open the page of a candidate.
 *
 * @param {{ candidate: Contender["candidate"] }} row
 */
const named = ({ candidate: { user_id: id, full_name: name } }) => (isAtLeast("admin") ? html`<a href=${`/console/candidates/${id}`}>${name}</a>` : name);

/**
 * A table with a part of the ranking.
 *
 * @param {string} caption
 * @param {Contender[]} rows
 */
const contenders = (caption, rows) => table({
  caption,
  rows,
  id: (row) => row.candidate.user_id,
  columns: [
    { title: t("advancement.candidate"), cell: named },
    { title: t("advancement.rank"), end: true, cell: (row) => number(row.rank) },
    { title: t("advancement.school"), cell: ({ candidate }) => candidate.school },
    { title: t("advancement.total"), end: true, cell: (row) => points(row.total_score) },
  ],
});

/** The columns of the list of candidates who advanced. @returns {Column<Advanced>[]} */
const advancedColumns = () => [
  { title: t("advancement.candidate"), sort: "last_name", cell: named },
  { title: t("advancement.rank"), end: true, sort: "rank", cell: (row) => number(row.rank) },
  { title: t("advancement.school"), sort: "school", cell: ({ candidate }) => candidate.school },
  { title: t("advancement.total"), end: true, cell: (row) => points(row.total_score) },
  { title: t("advancement.reason"), cell: (row) => t(`advancement.reason.${row.reason}`) },
];

const undoHours = () => settingOf("advancement.undo_hours");

/** The candidates who advanced by an applied plan. @param {{ plan: Plan }} props */
function AdvancedCandidates({ plan }) {
  const id = (/** @type {Advanced} */ row) => row.candidate.user_id;
  const printAll = async () => {
    const rows = await calls.everyAdvanced(plan.id);
    print(h(PrintSheet, { title: title(plan), detail: ruleText(plan.rule) }, table({ caption: t("advancement.advanced"), rows, id, columns: advancedColumns() })));
  };
  return h(
    Section,
    { title: t("advancement.advanced"), actions: h(Act, { act: printAll }, t("advancement.print")) },
    list({
      name: t("advancement.advanced"),
      id,
      call: (query) => calls.advanced(plan.id, query),
      columns: advancedColumns(),
      filters: [{ name: "search", label: t("advancement.search") }],
      found: (count) => t("advancement.advancedFound", { count }),
      empty: t("advancement.noneLeft"),
    }),
  );
}

/** The candidates who would advance now. @param {{ plan: Plan, page: number, apply: () => Promise<boolean> }} props */
function Contest({ plan, page, apply }) {
  const reading = useRead(() => calls.preview(plan.id, page), [plan.id, page]);
  useReturn(reading.again);
  const moving = reading.value?.moving ?? 0;
  const act = async () => {
    if (!(await apply())) reading.again();
  };
  return h(
    Section,
    { title: t("advancement.preview"), actions: moving > 0 && h(Act, { act, kind: "first" }, t("advancement.applyCount", { count: moving })) },
    loaded(reading, (preview) => html`
      <p>${preview.cut_off === null ? t("advancement.nobody", { ranked: preview.ranked }) : t("advancement.cutOff", { count: preview.advancing, ranked: preview.ranked, points: points(preview.cut_off) })}
        ${" "}${preview.tied_at_the_cut > 0 && t(`advancement.tied.${plan.ties}`, { count: preview.tied_at_the_cut })}
        ${" "}${preview.moving < preview.advancing && t("advancement.elsewhere", { count: preview.advancing - preview.moving, from: stage(plan.from_stage) })}</p>
      ${preview.advance.length > 0 && html`<h3>${t("advancement.advance")}</h3>${contenders(t("advancement.advance"), preview.advance)}`}
      ${preview.stay.length > 0 && html`<h3>${t("advancement.stay")}</h3>${contenders(t("advancement.stay"), preview.stay)}`}
      ${h(Pages, { position: preview.pagination })}
      ${h(AsOf, { at: reading.at })}`, { empty: (value) => value.ranked === 0, nothing: h(Empty, {}, t("advancement.noRanked")) }),
  );
}
