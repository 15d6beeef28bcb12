// The page of all seasons. Superadmins also open the next season here, and undo that within a day. The service decides
// what blocks the opening.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Act, confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { seasons as all } from "../calls.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Blocker, Order, Preview, Season } from "./calls.js" */

const DAY = 24 * 60 * 60 * 1000;
const SEASONS = "/console/seasons";

/** For each kind of thing that blocks the next season, the page on which staff finish it. @type {Record<string, (id: number) => string>} */
const PLACES = {
  exams: (id) => `/console/exams/${id}`,
  "exams.unsealed": (id) => `/console/boards/publish?exams=${id}`,
  "exams.unpublished": (id) => `/console/boards/publish?exams=${id}`,
  scores: (id) => `/console/boards/publish?exams=${id}`,
  appeals: (id) => `/console/appeals/${id}`,
  "leaderboard.publications": () => "/console/boards",
  broadcasts: (id) => `/console/broadcasts/${id}`,
  imports: (id) => `/console/imports/${id}`,
  advancement: (id) => `/console/advancement/${id}`,
};
/** @type {Record<string, () => string>} */
const KINDS = {
  exams: () => t("seasons.blocks.exams"),
  "exams.unsealed": () => t("seasons.blocks.unsealed"),
  "exams.unpublished": () => t("seasons.blocks.unpublished"),
  scores: () => t("seasons.blocks.unpublished"),
  appeals: () => t("seasons.blocks.appeals"),
  "leaderboard.publications": () => t("seasons.blocks.publications"),
  broadcasts: () => t("seasons.blocks.broadcasts"),
  imports: () => t("seasons.blocks.imports"),
  advancement: () => t("seasons.blocks.advancement"),
};

export function Seasons() {
  const reading = useRead(all, []);
  useReturn(reading.again);
  const [renamed, rename] = useState(/** @type {Season | null} */ (null));
  const close = () => rename(null);
  const isSuperadmin = isAtLeast("superadmin");
  return h(Page, { title: t("nav.seasons"), lead: t("seasons.lead") },
    loaded(reading, (seasons) => {
      const [current, earlier] = seasons;
      return html`
        ${table({
          caption: t("nav.seasons"),
          id: (season) => season.id,
          rows: seasons,
          columns: [
            { title: t("seasons.season"), cell: (season) => html`<a href=${`${SEASONS}/${season.id}`}>${season.name}</a>` },
            { title: t("seasons.status"), cell: (season) => (season.status === "current" ? h(Tag, { kind: "ok" }, t("seasons.current")) : h(Tag, {}, t("seasons.closed"))) },
            { title: t("seasons.opened"), cell: (season) => h(When, { at: season.opened_at }) },
            { title: t("seasons.exams"), end: true, cell: (season) => number(season.exams ?? 0) },
            { title: t("seasons.candidates"), end: true, cell: (season) => number(season.candidates ?? 0) },
            ...(isAtLeast("admin") ? [{ title: t("seasons.do"), cell: (/** @type {Season} */ season) => h(Act, { act: async () => rename(season) }, t("seasons.rename"), html` <span class="hide">${season.name}</span>`) }] : []),
          ],
        })}
        ${renamed && h(Dialog, { title: t("seasons.rename"), onClose: close }, h(Rename, { season: renamed, close, done: reading.again }))}
        ${isSuperadmin && current && earlier && Date.now() - new Date(current.opened_at).getTime() < DAY && h(Undo, { current, earlier, done: reading.again })}
        ${isSuperadmin && current && h(Next, { key: current.id, seasons, done: reading.again })}`;
    }, { empty: (seasons) => seasons.length === 0, nothing: h(Empty, {}, t("seasons.none")) }));
}

/** @param {{ season: Season, close: () => void, done: () => void }} props */
const Rename = ({ season, close, done }) => h(Form, {
  initial: { name: season.name },
  verb: t("seasons.renameVerb"),
  send: ({ name }) => calls.rename(season.id, name),
  done: ({ name }) => {
    close();
    done();
    notice({ text: t("seasons.renamed", { name }) });
  },
  actions: html`<button type="button" class="button" onClick=${close}>${t("seasons.cancel")}</button>`,
}, h(Field, { name: "name", label: t("seasons.name"), required: true, maxlength: 50 }));

/** @param {{ current: Season, earlier: Season, done: () => void }} props */
function Undo({ current, earlier, done }) {
  const act = async () => {
    const undone = await confirm({
      title: t("seasons.undo"),
      what: t("seasons.undoes", { name: current.name, earlier: earlier.name }),
      verb: t("seasons.undoVerb", { name: current.name }),
      danger: true,
      act: calls.undo,
    });
    if (!undone) return;
    done();
    notice({ text: t("seasons.undone", { name: undone.name }) });
  };
  return h(Note, {}, html`<p>${t("seasons.canUndo", { name: current.name })} ${h(When, { at: new Date(new Date(current.opened_at).getTime() + DAY).toISOString() })}</p>${h(Act, { act, kind: "bad" }, t("seasons.undo"))}`);
}

/** A name for the next season, which no season has yet: the year after that of the current season. @param {Season[]} seasons */
function suggestion(seasons) {
  const names = seasons.map((each) => each.name);
  const year = Number(names[0]) || new Date().getFullYear();
  return String([...names, ""].map((_, at) => year + at + 1).find((each) => !names.includes(String(each))));
}

/** Warnings about the next season, and the things that block it or, if nothing does, the form that opens it. @param {{ seasons: Season[], done: () => void }} props */
function Next({ seasons, done }) {
  const name = suggestion(seasons);
  const reading = useRead(() => calls.preview({ name, join: "confirm" }), [name]);
  useReturn(reading.again);
  return h(Section, { title: t("seasons.next") }, loaded(reading, (preview) => html`
    ${preview.warnings.map((each) => h(Note, { kind: "warn" }, html`<p>${each.message}</p>`))}
    ${preview.blockers.length > 0 ? h(Blockers, { blockers: preview.blockers }) : h(Opening, { name, again: reading.again, done })}`));
}

/** @param {{ blockers: Blocker[] }} props */
const Blockers = ({ blockers }) => html`
  <p>${t("seasons.blocked", { count: blockers.length })}</p>
  ${table({
    caption: t("seasons.toFinish"),
    id: (each) => `${each.kind} ${each.id}`,
    rows: blockers,
    columns: [
      { title: t("seasons.what"), cell: ({ kind, id, title }) => (PLACES[kind] ? html`<a href=${PLACES[kind](id)}>${title}</a>` : title) },
      { title: t("seasons.why"), cell: ({ kind }) => KINDS[kind]?.() ?? kind },
    ],
  })}`;

/** @param {{ name: string, again: () => void, done: () => void }} props */
function Opening({ name, again, done }) {
  /** @param {Order} order @param {string} key */
  const send = async (order, key) => {
    // Check again, because something may block the season since the page was read.
    const preview = await calls.preview(order);
    if (preview.blockers.length) {
      again();
      return null;
    }
    return confirm({
      title: t("seasons.openTitle", { name: order.name }),
      what: consequences(order, preview),
      verb: t("seasons.openVerb", { name: order.name }),
      act: () => calls.open(order, key),
    });
  };
  return h(Form, {
    initial: { name, join: "confirm" },
    verb: t("seasons.check"),
    send: (values, { key }) => send(/** @type {Order} */ (values), key),
    done: (opened) => {
      if (!opened) return;
      done();
      notice({ text: t("seasons.isOpen", { name: opened.name }) });
    },
  },
  h(Field, { name: "name", label: t("seasons.name"), hint: t("seasons.nameHint"), required: true, maxlength: 50 }),
  h(Choice, { name: "join", label: t("seasons.join"), required: true, options: [["confirm", t("seasons.join.confirm")], ["everybody", t("seasons.join.everybody")]] }));
}

/** The consequences of opening the season, with numbers. @param {Order} order @param {Preview} preview */
const consequences = ({ join }, { candidates: { all, moved } }) => html`
  ${t("seasons.opens", { count: moved })} ${t(`seasons.opens.${join}`, { count: all })} ${t("seasons.opens.closed")} ${t("seasons.opens.undo")}`;
