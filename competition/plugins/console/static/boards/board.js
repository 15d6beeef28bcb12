// The page of a published leaderboard, or of an earlier version of it. The service ranks the candidates.

import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Pages } from "../../../pages/static/pieces/list.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, whenInWords } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { print, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Export } from "../exports.js";
import { isAtLeast } from "../ranks.js";
import { isClosed, seasonCrumbs, SeasonTag, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { address, crumbs, isUnpublished, points, round, SELDOM } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Ranking } from "./calls.js" */
/** @import { Column } from "./pieces.js" */

/** @param {PageProps} props */
export function Board({ params, query }) {
  const snapshot = Number(query.get("snapshot")) || undefined;
  const id = Number(query.get("exam"));
  const which = { stage: /** @type {calls.Which["stage"]} */ (params.stage), round: Number(params.round), ...(id && { exam_id: id }) };
  const reading = calls.useBoard({ ...which, ...(snapshot && { snapshot }), page: Number(query.get("page")) || 1 }, SELDOM);
  const exam = reading.value?.exam_details;
  const versions = useRead(async () => (exam ? calls.snapshots({ exam_id: exam.id, limit: calls.MOST }) : null), [exam?.id]);
  const season = useSeason(versions.value?.results[0]?.season);
  const shown = versions.value?.results.find((each) => each.snapshot_id === snapshot);
  const links = isAtLeast("admin");
  const printed = snapshot === undefined ? versions.value?.results[0] : shown;
  /** @type {(title: string, version: { snapshot_id: number, published_at: string }) => Promise<void>} */
  const printAll = async (title, version) => {
    const rows = await calls.everyRank({ ...which, snapshot: version.snapshot_id });
    const detail = t("boards.printed", { round: round(which), when: whenInWords(version.published_at, dates.when) });
    print(h(PrintSheet, { title, detail }, ranks(t("boards.one"), rows, false)));
  };
  return h(
    Page,
    {
      title: exam?.title ?? t("boards.one"),
      crumbs: isClosed(season) ? seasonCrumbs(season) : crumbs(),
      lead: exam && html`${round(exam)} ${h(SeasonTag, { season })}`,
      actions: exam && printed && html`${h(Act, { act: () => printAll(exam.title, printed) }, t("boards.print"))}
        ${config().plugins.includes("schools") && snapshot === undefined && html`<a class="button" href=${`/console/boards/${which.stage}/${which.round}/schools${id ? `?exam=${id}` : ""}`}>${t("boards.ofSchools")}</a>`}
        ${links && snapshot === undefined && h(Export, { tables: [{ name: "board", text: t("boards.one"), bySchool: true, read: calls.exported(which) }] })}`,
    },
    snapshot !== undefined && h(Note, { kind: "warn" }, html`<p>${shown ? t("boards.isEarlierFrom", { when: whenInWords(shown.published_at, dates.when) }) : t("boards.isEarlier")}</p><a href=${address(which)}>${t("boards.toLatest")}</a>`),
    isUnpublished(reading)
      ? h(Empty, { action: html`<a class="button" href="/console/boards">${t("boards.title")}</a>` }, t("boards.notPublished"))
      : loaded(reading, ({ exam_details: details, top_three: top = [], remaining_candidates: others = [], pagination }) => html`
        ${details && h(Facts, { facts: [[t("boards.candidates"), String(details.total_candidates)], [t("boards.average"), points(details.average_score)], [t("boards.questions"), String(details.total_questions)], [t("boards.ranking"), t(`boards.ranking.${details.ranking}`)]] })}
        ${h(Section, { title: t("boards.top") }, top.length > 0 ? ranks(t("boards.top"), top, links) : h(Empty, {}, t("boards.nobody")))}
        ${others.length > 0 && h(Section, { title: t("boards.others") }, ranks(t("boards.others"), others, links), pagination && h(Pages, { position: pagination }))}
        ${h(AsOf, { at: reading.at })}`),
    h(Unread, { readings: [versions, season] }),
    exam && versions.value && versions.value.results.length > 1 && h(Section, { title: t("boards.earlier") },
      versions.value.pagination.has_next && h(Note, {}, html`<p>${t("boards.onlyLatest", { shown: versions.value.results.length, count: versions.value.pagination.count })} <a href=${`/console/boards?tab=earlier&search=${encodeURIComponent(exam.title)}`}>${t("boards.allVersions")}</a></p>`),
      table({
        caption: t("boards.earlier"),
        rows: versions.value.results,
        id: (row) => row.snapshot_id,
        columns: [
          { title: t("boards.publishedAt"), cell: (row) => html`<a href=${address(which, row === versions.value?.results[0] ? undefined : row.snapshot_id)}>${h(When, { at: row.published_at })}</a>` },
          { title: t("boards.candidates"), end: true, cell: (row) => String(row.published_leaderboards.find((each) => each.exam_id === exam?.id)?.total_candidates ?? "") },
        ],
      })),
  );
}

/**
 * @param {string} caption
 * @param {Ranking[]} rows
 * @param {boolean} links Whether the user may open candidates.
 */
function ranks(caption, rows, links) {
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
