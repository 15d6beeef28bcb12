// The list of exams: those to come, and all. Moderators see only exams that are open, or open within a day.

import { h, html } from "../../../pages/static/ground/html.js";
import { withQuery } from "../../../pages/static/ground/router.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { EXAMS, stageOf, stages, StateTag } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { State } from "./pieces.js" */

/** @typedef {{ id: number, title: string, stage: "screening" | "league" | "final", round: number, status: State, scheduled_date: string | null, question_count: number }} Row */
const STATES = /** @type {const} */ (["scheduled", "ongoing", "draft", "concluded", "cancelled"]);

/** @param {PageProps} props */
export function Exams({ query }) {
  if (!isAtLeast("admin")) return h(Current, {});
  const all = query.get("tab") === "all";
  return h(Page, {
    title: t("exams"),
    actions: html`<a class="button first" href=${`${EXAMS}/new`}>${t("exams.plan")}</a>`,
  },
    h(Tabs, { label: t("exams.parts"), tabs: [{ value: "coming", text: t("exams.coming") }, { value: "all", text: t("exams.all") }] }),
    all
      ? list({
          name: t("exams"),
          id: (row) => row.id,
          call: calls.exams,
          fixed: { ordering: "-scheduled_date" },
          filters: [
            { name: "search", label: t("exams.search") },
            { name: "stage", label: t("exams.stage"), options: stages() },
            { name: "status", label: t("exams.state"), options: states() },
          ],
          columns: columns(),
          found: (count) => t("exams.found", { count }),
          empty: t("exams.none"),
        })
      : h(Coming, {}));
}

/** @type {() => [string, string][]} */
const states = () => STATES.map((each) => [each, t(`exams.state.${each}`)]);

/** The columns of a list of exams. @type {() => import("../../../pages/static/pieces/table.js").Column<Row>[]} */
const columns = () => [
  { title: t("exams.exam"), sort: "title", cell: (row) => html`<a href=${`/console/exams/${row.id}`}>${row.title}</a><span class="small muted">${stageOf(row)}</span>` },
  { title: t("exams.state"), cell: (row) => h(StateTag, { of: row.status }) },
  { title: t("exams.opens"), sort: "scheduled_date", cell: (row) => h(When, { at: row.scheduled_date, none: t("exams.noDate") }) },
  { title: t("exams.questions"), end: true, cell: (row) => (row.question_count ? String(row.question_count) : html`<strong>${t("exams.noQuestions")}</strong>`) },
  { title: t("exams.go"), cell: (row) => html`<span class="acts">${row.status === "ongoing" && html`<a href=${`/console/exams/${row.id}/day`}>${t("exams.day")}</a>`}
    ${row.status === "concluded" && html`<a href=${`/console/exams/${row.id}/results`}>${t("exams.theResults")}</a>`}
    ${["draft", "scheduled", "cancelled"].includes(row.status) && html`<a href=${`/console/exams/${row.id}`}>${t("exams.continue")}</a>`}</span>` },
];

/** The exams that are open, scheduled, or have no date yet. */
function Coming() {
  const readings = calls.useComing();
  const over = calls.useOver();
  const failed = readings.find((each) => each.error);
  const at = Math.min(...readings.map((each) => each.at ?? Infinity));
  const values = readings.map((each) => each.value);
  const count = values.reduce((sum, each) => sum + (each?.pagination.count ?? 0), 0);
  const whole = {
    value: values.every(Boolean) ? values.flatMap((each) => each?.results ?? []) : undefined,
    error: failed?.error ?? null,
    at: Number.isFinite(at) ? at : null,
    busy: readings.some((each) => each.busy),
    again: () => [...readings, over].forEach((each) => each.again()),
  };
  // The frame of the console polls the same path, and both share the request.
  const dashboard = calls.useCurrent();
  const unpublished = dashboard.value?.todo.find((each) => each.kind === "leaderboard.unpublished");
  return html`<p class="line">${h(AsOf, { at: whole.at })}</p>
    ${!failed && h(Unread, { readings: [dashboard] })}
    ${unpublished && h(Note, {}, html`<p>${t("exams.unpublished", { count: unpublished.count })} <a href=${`/console/${unpublished.link.replace(/^\//, "")}`}>${t("exams.toBoards")}</a></p>`)}
    ${loaded(whole, (rows) => html`${count > rows.length && h(Note, {}, html`<p>${t("exams.firstComing", { shown: rows.length, count })} <a href=${withQuery({ tab: "all" })}>${t("exams.all")}</a></p>`)}
      ${table({ caption: t("exams.coming"), columns: columns(), rows, id: (row) => row.id })}`, {
      empty: (rows) => !rows.length,
      nothing: h(Empty, { action: html`<a class="button" href=${`${EXAMS}/new`}>${t("exams.plan")}</a>` }, t("exams.noneComing")),
    })}
    ${!failed && h(Unread, { readings: [over] })}
    ${over.value && over.value.results.length > 0 && h(Section, { title: t("exams.justOver") }, table({ caption: t("exams.justOver"), columns: columns(), rows: over.value.results, id: (row) => row.id }))}`;
}

/** The exams that moderators may see: exams that are open, or open within a day. */
function Current() {
  const reading = calls.useCurrent();
  return h(Page, { title: t("exams"), lead: t("exams.currentLead") },
    html`<p class="line">${h(AsOf, { at: reading.at })}</p>`,
    loaded(reading, ({ current_exams: rows }) => table({
      caption: t("exams"),
      id: (row) => row.id,
      rows,
      columns: columns().slice(0, 3).map((each, at) => (at ? each : { ...each, cell: (row) => html`<a href=${`${EXAMS}/${row.id}/day`}>${row.title}</a><span class="small muted">${stageOf(row)}</span>` })),
    }), { empty: ({ current_exams: rows }) => !rows.length, nothing: h(Empty, {}, t("exams.noCurrent")) }));
}
