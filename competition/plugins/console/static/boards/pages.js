// Leaderboards: what is published, what can be, and when.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act, confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { DateTime, Form } from "../../../pages/static/pieces/form.js";
import { list, Pages } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, table, Tabs, When } from "../../../pages/static/pieces/page.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import { t } from "../words.js";
import * as calls from "./calls.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Board, Publication, Waiting } from "./calls.js" */

const BOARDS = "/console/boards";

/** @param {{ stage: string, round: number }} board */
const href = ({ stage, round }) => `${BOARDS}/${stage}/${round}`;

/** @param {{ exam_title: string, stage: "screening" | "league" | "final", round: number }} board */
const link = (board) => html`<a href=${href(board)}>${board.exam_title}</a>`;

/** @param {{ stage: "screening" | "league" | "final", round: number }} board */
const place = ({ stage, round }) => t("boards.place", { stage: t(`stage.${stage}`), round });

/** @param {PageProps} props */
export function Boards({ query }) {
  const earlier = query.get("tab") === "earlier";
  return h(Page, { title: t("nav.boards"), lead: t("boards.lead") },
    h(Tabs, { label: t("boards.parts"), tabs: [{ value: "now", text: t("boards.now") }, { value: "earlier", text: t("boards.earlier") }] }),
    earlier ? h(Earlier, {}) : html`${isAtLeast("admin") && h(ToPublish, {})}${h(Published, {})}`);
}

function Published() {
  const reading = calls.useBoards();
  return h(Section, { title: t("boards.published") },
    loaded(reading, (rows) => table({
      caption: t("boards.published"),
      id: (/** @type {Board} */ row) => row.exam_id,
      rows,
      columns: [
        { title: t("boards.exam"), cell: link },
        { title: t("boards.stage"), cell: place },
        { title: t("boards.candidates"), cell: (/** @type {Board} */ row) => number(row.total_candidates), end: true },
        { title: t("boards.average"), cell: (/** @type {Board} */ row) => number(row.average_score), end: true },
      ],
    }), { empty: (rows) => !rows.length, nothing: h(Empty, {}, t("boards.none")) }));
}

/** What can be published, and what is planned. */
function ToPublish() {
  const waiting = calls.useWaiting();
  const planned = calls.usePlanned();
  const [when, setWhen] = useState(/** @type {Waiting | null} */ (null));
  const again = () => {
    waiting.again();
    planned.again();
  };
  /** @param {Waiting} exam */
  const now = async (exam) => {
    const done = await confirm({
      title: t("boards.publishTitle", { title: exam.title }),
      what: t("boards.publishes", { count: exam.candidates }),
      verb: t("boards.publishFor", { count: exam.candidates }),
      danger: true,
      act: () => calls.publish([exam.id], null),
    });
    if (!done) return;
    notice({ text: t("boards.publishing", { title: exam.title }) });
    again();
  };
  /** @param {Publication} publication */
  const cancel = async (publication) => {
    await calls.cancel(publication.id);
    notice({ text: t("boards.cancelled") });
    again();
  };
  return html`${h(Section, { title: t("boards.ready") },
      loaded(waiting, (rows) => table({
        caption: t("boards.ready"),
        id: (/** @type {Waiting} */ row) => row.id,
        rows,
        columns: [
          { title: t("boards.exam"), cell: (/** @type {Waiting} */ row) => html`<a href=${`/console/exams/${row.id}/results`}>${row.title}</a>` },
          { title: t("boards.stage"), cell: place },
          { title: t("boards.candidates"), cell: (/** @type {Waiting} */ row) => number(row.candidates), end: true },
          { title: t("boards.action"), cell: (/** @type {Waiting} */ row) => row.is_over
            ? html`<span class="acts">${h(Act, { act: () => now(row) }, t("boards.publish"))}<button type="button" class="button" onClick=${() => setWhen(row)}>${t("boards.later")}</button></span>`
            : html`<span class="muted">${t("boards.notOver")}</span>` },
        ],
      }), { empty: (rows) => !rows.length, nothing: h(Empty, {}, t("boards.nothingReady")) }))}
    ${loaded(planned, (rows) => rows.length > 0 && h(Section, { title: t("boards.planned") }, table({
      caption: t("boards.planned"),
      id: (/** @type {Publication} */ row) => row.id,
      rows,
      columns: [
        { title: t("boards.at"), cell: (/** @type {Publication} */ row) => h(When, { at: row.publish_at }) },
        { title: t("boards.exam"), cell: (/** @type {Publication} */ row) => html`<a href=${`/console/exams/${row.exam}`}>${t("boards.examNumber", { id: String(row.exam) })}</a>` },
        { title: t("boards.action"), cell: (/** @type {Publication} */ row) => h(Act, { act: () => cancel(row) }, t("boards.cancel")) },
      ],
    })))}
    ${when && h(Later, { exam: when, close: () => setWhen(null), done: again })}`;
}

/** @param {{ exam: Waiting, close: () => void, done: () => void }} props */
function Later({ exam, close, done }) {
  return h(Dialog, { title: t("boards.publishTitle", { title: exam.title }), onClose: close },
    html`<p>${t("boards.publishesLater", { count: exam.candidates })}</p>`,
    h(Form, {
      initial: { publish_at: null },
      verb: t("boards.plan"),
      stays: true,
      send: ({ publish_at: at }) => calls.publish([exam.id], at),
      done: (_, { publish_at: at }) => {
        close();
        notice({ text: t("boards.isPlanned", { title: exam.title, when: dates.when(at) }) });
        done();
      },
      actions: html`<button type="button" class="button" onClick=${close}>${t("boards.close")}</button>`,
    }, h(DateTime, { name: "publish_at", label: t("boards.at"), required: true })));
}

/** The earlier publications. */
function Earlier() {
  return list({
    name: t("boards.earlier"),
    id: (row) => row.snapshot_id,
    call: calls.snapshots,
    columns: [
      { title: t("boards.at"), cell: (row) => h(When, { at: row.published_at }), sort: "published_at" },
      { title: t("boards.changed"), cell: (row) => row.published_leaderboards.map((/** @type {Board} */ each, /** @type {number} */ at) => html`${at > 0 && ", "}<a href=${`${href(each)}?snapshot=${row.snapshot_id}`}>${each.exam_title}</a>`) },
    ],
    empty: t("boards.none"),
  });
}

/** @param {PageProps} props */
export function Board({ params, query }) {
  const { stage = "", round = "" } = params;
  const snapshot = query.get("snapshot");
  const reading = calls.useBoard({ stage, round, snapshot, page: query.get("page") });
  const shown = reading.value;
  const exam = shown?.exam_details;
  return h(Page, {
    title: exam?.title ?? t("boards.board"),
    crumbs: [{ href: BOARDS, text: t("nav.boards") }],
    actions: exam && html`<a class="button" href=${`/console/exams/${exam.id}/results`}>${t("boards.toResults")}</a>`,
  },
    snapshot && h(Note, { kind: "warn" }, html`<p>${t("boards.isEarlier", { when: shown?.published_at ? dates.when(shown.published_at) : "" })} <a href=${`${BOARDS}/${stage}/${round}`}>${t("boards.toNow")}</a></p>`),
    loaded(reading, ({ exam_details: details, top_three: top = [], remaining_candidates: rest = [], pagination, published_at: at }) => html`
      ${details && h(Facts, { facts: [
        [t("boards.published"), at && h(When, { at })],
        [t("boards.candidates"), number(details.total_candidates)],
        [t("boards.average"), number(details.average_score)],
        [t("boards.ranking"), t(`boards.ranking.${details.ranking}`)],
      ] })}
      ${table({
        caption: t("boards.board"),
        id: (row) => row.candidate.id,
        rows: pagination && pagination.page > 1 ? rest : [...top, ...rest],
        columns: [
          { title: t("boards.rank"), cell: (row) => number(row.rank) },
          { title: t("boards.candidate"), cell: (row) => html`<a href=${`/console/candidates/${row.candidate.user_id}`}>${row.candidate.full_name}</a>` },
          { title: t("boards.school"), cell: (row) => row.candidate.school },
          { title: t("boards.score"), cell: (row) => number(row.score, { minimumFractionDigits: 2 }), end: true },
          ...(details?.ranking === "time" ? [{ title: t("boards.time"), cell: (/** @type {any} */ row) => dates.clock(row.seconds_used ?? 0), end: true }] : []),
        ],
      })}
      ${pagination && h(Pages, { position: pagination })}`, { empty: (value) => !value.top_three?.length, nothing: h(Empty, {}, t("boards.empty")) }));
}
