// The page of all seasons. Superadmins also open the next season here, and undo that within a day. The service decides
// what blocks the opening.

import { h, html, useEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { seasons as all } from "../calls.js";
import { isAtLeast } from "../ranks.js";
import { inShort } from "../zone.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Blocker, Order, Preview, Season, UndoPreview } from "./calls.js" */

const SEASONS = "/console/seasons";
const PUBLICATION = "leaderboard.publications";

// How often the page looks whether a leaderboard for which the next season waits is published, in seconds.
const OFTEN = 10;

/** @param {number} id */
const publishing = (id) => `/console/boards/publish?exams=${id}`;
/** @param {number} id */
const basics = (id) => `/console/exams/${id}?step=basics`;

/** For each kind of thing that blocks the next season, the page on which staff finish it, and the reason. @type {Record<string, (blocker: Blocker) => { href: string, why: string }>} */
const KINDS = {
  exams: ({ id, status }) => (status === "ongoing"
    ? { href: `/console/exams/${id}/day`, why: t("seasons.blocks.open") }
    : { href: basics(id), why: t("seasons.blocks.planned") }),
  "exams.unsealed": ({ id, status }) => (status === "concluded"
    ? { href: publishing(id), why: t("seasons.blocks.unsealed") }
    : { href: basics(id), why: t("seasons.blocks.off") }),
  "exams.unpublished": ({ id, status }) => (status === "concluded"
    ? { href: publishing(id), why: t("seasons.blocks.unpublished") }
    : { href: basics(id), why: t("seasons.blocks.off") }),
  scores: ({ id }) => ({ href: publishing(id), why: t("seasons.blocks.unpublished") }),
  appeals: ({ id }) => ({ href: `/console/appeals/${id}`, why: t("seasons.blocks.appeals") }),
  [PUBLICATION]: ({ expected_at: at }) => ({ href: "/console/boards", why: publishes(at) }),
  broadcasts: ({ id }) => ({ href: `/console/broadcasts/${id}`, why: t("seasons.blocks.broadcasts") }),
  imports: ({ id }) => ({ href: `/console/imports/${id}`, why: t("seasons.blocks.imports") }),
  advancement: ({ id }) => ({ href: `/console/advancement/${id}`, why: t("seasons.blocks.advancement") }),
};

/** For each kind of warning, the page on which staff look after it, and further advice. @type {Record<string, { href: string, text: () => string, advice?: () => string }>} */
const WARNINGS = {
  advancement: { href: "/console/advancement", text: () => t("nav.advancement") },
  appeals: { href: "/console/appeals", text: () => t("nav.appeals") },
  backups: { href: "/console/house/service", text: () => t("seasons.reports"), advice: () => t("seasons.backup") },
};

/** When the leaderboard of a blocker is published, in words. @param {string | undefined} at */
function publishes(at) {
  if (!at) return t("seasons.blocks.nobodyTook");
  // The service publishes the leaderboards that are due once a minute.
  return Date.parse(at) <= Date.now() ? t("seasons.blocks.publishing") : t("seasons.blocks.publications", { when: inShort(at) });
}

/**
 * The blockers without those that end with another one: an exam that is open or being published is not also to be
 * published.
 *
 * @param {Blocker[]} blockers
 */
function distinct(blockers) {
  const open = blockers.filter((each) => each.kind === "exams").map((each) => each.id);
  const published = blockers.flatMap((each) => (each.kind === PUBLICATION && each.expected_at && each.exam ? [each.exam] : []));
  const covered = new Set([...open, ...published]);
  return blockers.filter((each) => !(["exams.unsealed", "exams.unpublished", "scores"].includes(each.kind) && covered.has(each.id)));
}

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
        ${isSuperadmin ? current && h(Change, { key: current.id, current, earlier, seasons, done: reading.again }) : html`<p class="muted">${t("seasons.superadmins")}</p>`}`;
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

/**
 * The change of the season: the opening of the current season, which can be undone, and the next season.
 *
 * @param {{ current: Season, earlier: Season | undefined, seasons: Season[], done: () => void }} props
 */
function Change({ current, earlier, seasons, done }) {
  const name = suggestion(seasons);
  const read = () => calls.preview({ name, join: "confirm" });
  const reading = useRead(read, [name]);
  const { value: preview, again } = reading;
  useReturn(again);
  // A publication ends without an action of the user, so look again while one is planned.
  const planned = calls.usePlanned(OFTEN, Boolean(preview?.blockers.some((each) => each.kind === PUBLICATION))).value;
  const state = planned && JSON.stringify(planned.results.map((each) => [each.id, each.expected_at]));
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== undefined && state !== undefined && before.current !== state) again();
    before.current = state;
  }, [state]);
  return html`${earlier && preview?.undo && !preview.undo.refusal && h(Begin, { current, earlier })}
    ${earlier && preview?.undo && h(Undo, { current, earlier, undo: preview.undo, read, again, done })}
    ${h(Section, { title: t("seasons.next") }, loaded(reading, ({ warnings, blockers }) => html`
      ${warnings.map((each) => h(Warning, { warning: each }))}
      ${blockers.length > 0 ? h(Blockers, { blockers: distinct(blockers), again }) : h(Ready, { current, name, again, done })}`))}`;
}

/** @param {{ warning: Preview["warnings"][number] }} props */
function Warning({ warning: { kind, message } }) {
  const known = WARNINGS[kind];
  return h(Note, { kind: "warn" }, html`<p>${message} ${known?.advice?.()}</p>${known && html`<a href=${known.href}>${known.text()}</a>`}`);
}

/**
 * What a season needs that was just opened.
 *
 * @param {{ current: Season, earlier: Season }} props
 */
const Begin = ({ current, earlier }) => h(Section, { title: t("seasons.begin", { name: current.name }) }, html`<ul class="flow">
  <li><a href="/console/exams/new">${t("seasons.begin.exam")}</a></li>
  <li><a href=${`${SEASONS}/${earlier.id}`}>${t("seasons.begin.copy", { earlier: earlier.name })}</a></li>
  <li><a href="/console/broadcasts/new">${t("seasons.begin.write")}</a></li>
</ul>`);

/**
 * The offer to undo the opening of the current season, or the reason why that is not possible.
 *
 * @param {{ current: Season, earlier: Season, undo: UndoPreview, read: () => Promise<Preview>, again: () => void, done: () => void }} props
 */
function Undo({ current, earlier, undo, read, again, done }) {
  const act = async () => {
    // Check again, because a candidate may have started or joined since the page was read.
    const { undo: now } = await read();
    if (!now || now.refusal) return again();
    const undone = await confirm({
      title: t("seasons.undo"),
      what: html`${t("seasons.undoes", { name: current.name, earlier: earlier.name })} ${now.confirmed > 0 && t("seasons.undoesConfirmed", { count: now.confirmed })}`,
      verb: t("seasons.undoVerb", { name: current.name }),
      danger: true,
      act: calls.undo,
    });
    if (!undone) return again();
    done();
    notice({ text: t("seasons.undone", { name: undone.name }) });
  };
  if (undo.refusal) return h(Note, {}, html`<p>${undo.refusal}</p>`);
  return h(Note, {}, html`<p>${t("seasons.canUndo", { name: current.name })} ${h(When, { at: undo.until })}</p>${h(Act, { act, kind: "bad" }, t("seasons.undo"))}`);
}

/** A name for the next season, which no season has yet: the year after that of the current season. @param {Season[]} seasons */
function suggestion(seasons) {
  const names = seasons.map((each) => each.name);
  const year = Number(names[0]) || new Date().getFullYear();
  return String([...names, ""].map((_, at) => year + at + 1).find((each) => !names.includes(String(each))));
}

/** @param {{ blockers: Blocker[], again: () => void }} props */
const Blockers = ({ blockers, again }) => html`
  <h3>${t("seasons.toFinish")}</h3>
  <p>${t("seasons.blocked", { count: blockers.length })}</p>
  ${table({
    caption: t("seasons.toFinish"),
    id: (each) => `${each.kind} ${each.id}`,
    rows: blockers,
    columns: [
      { title: t("seasons.what"), cell: (each) => (KINDS[each.kind] ? html`<a href=${KINDS[each.kind]?.(each).href}>${each.title}</a>` : each.title) },
      { title: t("seasons.why"), cell: (each) => html`${KINDS[each.kind]?.(each).why ?? each.kind}${each.kind === PUBLICATION && !each.expected_at && html` ${h(Act, { act: () => withdraw(each, again) }, t("seasons.withdraw"))}`}` },
    ],
  })}`;

/**
 * Withdraw the publication of an exam that nobody has taken. Such a publication never ends otherwise.
 *
 * @param {Blocker} blocker
 * @param {() => void} again
 */
async function withdraw({ id, title }, again) {
  const done = await confirm({
    title: t("seasons.withdrawTitle"),
    what: t("seasons.withdraws", { title }),
    verb: t("seasons.withdraw"),
    act: async () => (await calls.withdraw(id), true),
  });
  if (!done) return;
  again();
  notice({ text: t("seasons.withdrawn", { title }) });
}

/**
 * The form that opens the next season. It is closed at first, so that nobody opens another season by mistake, for
 * example right after opening one.
 *
 * @param {{ current: Season, name: string, again: () => void, done: () => void }} props
 */
const Ready = ({ current, name, again, done }) => html`
  <p>${t("seasons.ready", { name: current.name })}</p>
  <details><summary>${t("seasons.openNext")}</summary><div class="flow">${h(Opening, { name, again, done })}</div></details>`;

/** @param {{ name: string, again: () => void, done: () => void }} props */
function Opening({ name, again, done }) {
  /** @param {Preview} preview @param {Order} order */
  const ask = async (preview, order) => {
    // Something may block the season since the page was read.
    if (preview.blockers.length) return again();
    const opened = await confirm({
      title: t("seasons.openTitle", { name: order.name }),
      what: consequences(order, preview),
      verb: t("seasons.openVerb", { name: order.name }),
      act: (key) => calls.open(order, key),
    });
    if (!opened) return;
    done();
    notice({ text: t("seasons.isOpen", { name: opened.name }) });
  };
  return h(Form, {
    initial: { name, join: "confirm" },
    verb: t("seasons.check"),
    send: (values) => calls.preview(/** @type {Order} */ (values)),
    done: (preview, values) => ask(preview, /** @type {Order} */ (values)),
  },
  h(Field, { name: "name", label: t("seasons.name"), hint: t("seasons.nameHint"), required: true, maxlength: 50 }),
  h(Choice, { name: "join", label: t("seasons.join"), required: true, options: [["confirm", t("seasons.join.confirm")], ["everybody", t("seasons.join.everybody")]] }));
}

/** The consequences of opening the season, with numbers. @param {Order} order @param {Preview} preview */
const consequences = ({ join }, { candidates: { all, moved } }) => [
  moved > 0 && t("seasons.opens", { count: moved }),
  all > 0 && t(`seasons.opens.${join}`, { count: all }),
  t("seasons.opens.drafts"),
  t("seasons.opens.closed"),
  t("seasons.opens.undo"),
].filter(Boolean).join(" ");
