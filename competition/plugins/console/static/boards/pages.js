// The pages of leaderboards: the published leaderboards, their earlier versions, and the form to publish.

import { Refused } from "../../../pages/static/ground/api.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Act, confirm } from "../../../pages/static/pieces/dialog.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { list, Pages } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, When, whenInWords } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { print, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { Export } from "../exports.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { address, boardColumns, option, place, points, PublishAt, ranks, round, SELDOM, ToPublish } from "./pieces.js";

/** @import { Exam, Previewed } from "./calls.js" */
/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/**
 * Whether a reading failed only because nothing is published yet.
 *
 * @param {{ error: unknown }} reading
 */
const isUnpublished = ({ error }) => error instanceof Refused && error.code === "leaderboard_not_published";

const crumbs = () => [{ href: "/console/boards", text: t("boards.title") }];

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
    h(Tabs, { label: t("boards.title"), tabs: [{ value: "now", text: t("boards.now") }, { value: "earlier", text: t("boards.earlier") }] }),
    query.get("tab") === "earlier"
      ? h(Earlier, {})
      : html`${mayPublish && (boards.value || nothing) && h(ToPublish, { published: new Set(available.map((each) => each.exam_id)), snapshot: boards.value?.snapshot_id, changed: boards.again })}
        ${published}`,
  );
}

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

/** @param {PageProps} props */
export function Board({ params, query }) {
  const snapshot = Number(query.get("snapshot")) || undefined;
  const id = Number(query.get("exam"));
  const which = { stage: /** @type {calls.Which["stage"]} */ (params.stage), round: Number(params.round), ...(id && { exam_id: id }) };
  const reading = calls.useBoard({ ...which, ...(snapshot && { snapshot }), page: Number(query.get("page")) || 1 }, SELDOM);
  const exam = reading.value?.exam_details;
  const versions = useRead(async () => (exam ? calls.snapshots({ exam_id: exam.id, limit: calls.MOST }) : null), [exam?.id]);
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
      crumbs: crumbs(),
      lead: exam && round(exam),
      actions: exam && printed && html`${h(Act, { act: () => printAll(exam.title, printed) }, t("boards.print"))}
        ${links && snapshot === undefined && !id && h(Export, { tables: [{ name: "board", text: t("boards.one"), bySchool: true, read: calls.exported(which) }] })}`,
    },
    snapshot !== undefined && h(Note, { kind: "warn" }, html`<p>${shown ? t("boards.isEarlierFrom", { when: whenInWords(shown.published_at, dates.when) }) : t("boards.isEarlier")}</p><a href=${address(which)}>${t("boards.toLatest")}</a>`),
    isUnpublished(reading)
      ? h(Empty, { action: html`<a class="button" href="/console/boards">${t("boards.title")}</a>` }, t("boards.notPublished"))
      : loaded(reading, ({ exam_details: details, top_three: top = [], remaining_candidates: others = [], pagination }) => html`
        ${details && h(Facts, { facts: [[t("boards.candidates"), String(details.total_candidates)], [t("boards.average"), points(details.average_score)], [t("boards.questions"), String(details.total_questions)], [t("boards.ranking"), t(`boards.ranking.${details.ranking}`)]] })}
        ${h(Section, { title: t("boards.top") }, top.length > 0 ? ranks(t("boards.top"), top, links) : h(Empty, {}, t("boards.nobody")))}
        ${others.length > 0 && h(Section, { title: t("boards.others") }, ranks(t("boards.others"), others, links), pagination && h(Pages, { position: pagination }))}
        ${h(AsOf, { at: reading.at })}`),
    h(Unread, { readings: [versions] }),
    exam && versions.value && versions.value.results.length > 1 && h(Section, { title: t("boards.earlier") },
      versions.value.pagination.has_next && h(Note, {}, html`<p>${t("boards.onlyLatest", { shown: versions.value.results.length, count: versions.value.pagination.count })} <a href=${`/console/boards?tab=earlier&search=${encodeURIComponent(exam.title)}`}>${t("boards.allVersions")}</a></p>`),
      table({
        caption: t("boards.earlier"),
        rows: versions.value.results,
        id: (row) => row.snapshot_id,
        columns: [
          { title: t("boards.publishedAt"), cell: (row) => html`<a href=${address(which, row === versions.value?.results[0] ? undefined : row.snapshot_id)}>${whenInWords(row.published_at, dates.when)}</a>` },
          { title: t("boards.candidates"), end: true, cell: (row) => String(row.published_leaderboards.find((each) => each.exam_id === exam?.id)?.total_candidates ?? "") },
        ],
      })),
  );
}

/**
 * What a publication does to the leaderboard of another exam of the same round, in words.
 *
 * @param {Previewed} board
 */
const replacing = ({ title, replaces, replaced_by: later }) =>
  (replaces && ` ${t("boards.replaces", { exam: title, other: replaces.title })}`) || (later && ` ${t("boards.replacedBy", { exam: title, other: later.title })}`);

/**
 * The rounds that have several exams, with the titles of the exams.
 *
 * @param {Exam[]} exams
 */
function sameRound(exams) {
  const rounds = [...new Set(exams.map(round))].map((name) => ({ round: name, found: exams.filter((each) => round(each) === name) }));
  return rounds.filter(({ found }) => found.length > 1).map(({ round: name, found }) => ({ round: name, exams: found.map((each) => each.title).join(", ") }));
}

/** Publish leaderboards, now or at a later time. @param {PageProps} props */
export function Publish({ query }) {
  const reading = useRead(async () => {
    const exams = await calls.exams();
    const done = new Set(exams.results.filter((each) => each.published_at).map((each) => each.id));
    const offered = exams.results.filter((each) => !["draft", "cancelled"].includes(each.status));
    return { exams: offered.sort((a, b) => place(a, done.has(a.id)) - place(b, done.has(b.id))), published: done };
  }, []);
  const asked = query.get("exams")?.split(",") ?? [];
  /**
   * @param {FormValues} values
   * @param {string} key
   */
  const send = async ({ exams, when: time, publish_at }, key) => {
    const ids = exams.map(Number);
    const at = time === "at" ? publish_at : null;
    const found = (await calls.preview(ids)).exams;
    const over = found.filter((each) => each.is_over);
    const count = (at ? found : over).reduce((sum, each) => sum + each.candidates, 0);
    const what = at ? t("boards.publishesAt", { count, when: whenInWords(at, dates.when) }) : over.length > 0 && t("boards.publishes", { count });
    return confirm({
      title: t("boards.publishTitle"),
      what: html`${what} ${over.length < found.length && t("boards.waits")} ${found.map(replacing)}`,
      items: found.map((each) => t(each.is_over ? "boards.item" : "boards.openItem", { exam: each.title, count: each.candidates })),
      verb: t(at ? "boards.planCount" : "boards.publishCount", { count: found.length }),
      danger: !at && over.length > 0,
      act: async () => (await calls.publish(ids, at, key), { at, count: found.length }),
    });
  };
  return h(
    Page,
    { title: t("boards.publishTitle"), crumbs: crumbs(), lead: t("boards.publishLead") },
    loaded(reading, ({ exams, published }) => h(
      Form,
      {
        initial: { exams: asked.filter((each) => exams.some((exam) => String(exam.id) === each)), when: "now", publish_at: null },
        verb: t("boards.check"),
        check: (values) => ({ ...(!values.exams.length && { exams: t("boards.chooseExam") }) }),
        send: (values, { key }) => send(values, key),
        done: async (reply) => {
          if (!reply) return;
          await go("/console/boards");
          notice({ text: reply.at ? t("boards.scheduled", { count: reply.count, when: whenInWords(reply.at, dates.when) }) : t("boards.started", { count: reply.count }) });
        },
      },
      h(Choice, { name: "exams", label: t("boards.exams"), many: true, required: true, options: exams.map((each) => option(each, published.has(each.id))) }),
      sameRound(exams).map((each) => h(Note, { kind: "warn" }, t("boards.sameRound", each))),
      h(Choice, { name: "when", label: t("boards.when"), required: true, options: [["now", t("boards.atOnce")], ["at", t("boards.later")]] }),
      h(PublishAt, {}),
    ), { empty: ({ exams }) => exams.length === 0, nothing: h(Empty, { action: html`<a class="button" href="/console/exams">${t("nav.exams")}</a>` }, t("boards.noExams")) }),
  );
}
