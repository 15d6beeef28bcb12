// Issuing login slips: for the people who were chosen, and then the codes, which are shown once.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { guard } from "../../../pages/static/ground/router.js";
import { language } from "../../../pages/static/ground/texts.js";
import { Act, ask, confirm } from "../../../pages/static/pieces/dialog.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { print } from "../../../pages/static/pieces/print.js";
import { table } from "../../../pages/static/pieces/table.js";
import { drawing } from "../qr.js";
import { MOST_SLIPS } from "./calls.js";
import { t } from "./words.js";

/** @import { How, Order, Slip } from "./calls.js" */
/** @import { Person } from "../chosen.js" */
/** @typedef {ReturnType<typeof useSlips>} Issuing */

/** @type {How} */
const NEW = { renew: false, unused: false };
/** @type {How} */
const REPLACE = { renew: true, unused: false };
/** @type {How} */
export const REPLACE_UNUSED = { renew: true, unused: true };
const SLIPS_PER_SHEET = 8;

/** @param {{ year: number | null, group: string | null }} pupil */
export const classOf = ({ year, group }) => group || (year === null ? "" : t("slips.yearOf", { year }));

/**
 * The slips before, with those that were issued now.
 *
 * @param {Slip[]} before
 * @param {Slip[]} part
 */
function joined(before, part) {
  const issued = new Map(part.map((each) => [each.user_id, each]));
  return [...before.map((each) => issued.get(each.user_id) ?? each), ...part.filter((each) => !before.some(({ user_id: id }) => id === each.user_id))];
}

/**
 * Slips that are issued in parts, and shown as soon as the service has issued them. `missing` has the ids of the people
 * whose slips could not be issued: `resume` tries again.
 *
 * @param {Order} order
 */
export function useSlips(order) {
  const [slips, set] = useState(/** @type {Slip[]} */ ([]));
  const [asked, setAsked] = useState({ ids: /** @type {string[]} */ ([]), how: NEW });
  const [busy, setBusy] = useState(false);
  const issue = async (/** @type {string[]} */ ids, /** @type {How} */ how) => {
    setBusy(true);
    setAsked((before) => ({ ids: [...new Set([...before.ids, ...ids])], how }));
    try {
      for (let from = 0; from < ids.length; from += MOST_SLIPS) {
        const part = await order(ids.slice(from, from + MOST_SLIPS), how);
        set((before) => joined(before, part));
      }
    } finally {
      setBusy(false);
    }
  };
  const missing = busy ? [] : asked.ids.filter((id) => !slips.some((each) => each.user_id === id));
  const clear = () => {
    set([]);
    setAsked({ ids: [], how: NEW });
  };
  return { slips, missing, issue, resume: () => issue(missing, asked.how), clear };
}

/**
 * Ask whether the codes of these people may be replaced, and replace them.
 *
 * @param {Issuing} issuing
 * @param {string[]} ids Whose slips are issued.
 * @param {{ full_name: string }[]} having Who has a code.
 */
const replace = (issuing, ids, having) => confirm({
  title: t("slips.renewTitle", { count: having.length }), what: t("slips.renews"), items: having.map((each) => each.full_name), verb: t("slips.renew"), danger: true,
  act: async () => {
    await issuing.issue(ids, REPLACE);
    return true;
  },
});

/**
 * The people who were chosen, before their slips are issued.
 *
 * @param {{ people: Person[], issuing: Issuing, others: () => void }} props `others` chooses other people.
 */
export function Chosen({ people, issuing, others }) {
  const ids = people.map((each) => each.user_id);
  const having = people.filter((each) => each.has_code);
  return html`<div class="flow"><p>${t("slips.chosen", { count: people.length })}</p>
    ${having.length > 0 && h(Note, { kind: "warn" }, t("slips.someHave", { count: having.length }))}
    <div class="acts">${h(Act, { act: () => issuing.issue(ids, NEW), kind: "first" }, t("slips.issue"))}
      ${having.length > 0 && h(Act, { act: () => replace(issuing, ids, having), kind: "bad" }, t("slips.renew"))}
      <button type="button" class="button" onClick=${others}>${t("slips.others")}</button></div></div>`;
}

/**
 * Slips whose codes are shown only here: the page asks before it is left, until they are printed.
 *
 * @param {{ issuing: Issuing, school?: string, done: () => void }} props `school` is that of slips without a school.
 */
export function Issued({ issuing, school = "", done }) {
  const [isKept, keep] = useState(true);
  const { compare } = new Intl.Collator(language(), { numeric: true });
  const slips = issuing.slips.toSorted((one, other) => compare(one.school ?? "", other.school ?? "") || compare(one.group, other.group));
  const withCode = slips.filter((each) => each.code !== null);
  const having = slips.filter((each) => each.code === null);
  useEffect(() => {
    if (!isKept || !withCode.length) return undefined;
    return guard(() => ask({ title: t("slips.leaveTitle"), what: t("slips.leaveWhat", { count: withCode.length }), verb: t("slips.leave"), danger: true }));
  }, [isKept, withCode.length]);
  const printAll = async () => {
    const draw = await drawing();
    const sheets = [];
    for (let from = 0; from < withCode.length; from += SLIPS_PER_SHEET) sheets.push(withCode.slice(from, from + SLIPS_PER_SHEET));
    print(sheets.map((each) => html`<article class="print-sheet slips">${each.map((slip) => h(PrintedSlip, { slip, school: slip.school ?? school, draw }))}</article>`));
  };
  return html`<div class="flow">
    ${withCode.length > 0 && h(Note, { kind: "warn" }, html`<p>${t("slips.shownOnce", { count: withCode.length })}</p>`)}
    ${issuing.missing.length > 0 && h(Note, { kind: "warn" }, html`<p>${t("slips.missing", { count: issuing.missing.length })}</p>
      <div class="acts">${h(Act, { act: issuing.resume }, t("slips.resume"))}</div>`)}
    ${having.length > 0 && h(HaveCodes, { issuing, having })}
    <div class="acts">${withCode.length > 0 && h(Act, { act: printAll, kind: "first" }, t("slips.print", { count: withCode.length }))}
      <button type="button" class="button" onClick=${() => { keep(false); done(); }}>${t(withCode.length ? "slips.printed" : "slips.back")}</button></div>
    ${table({
      caption: t("slips.title"),
      rows: slips,
      id: (row) => row.user_id,
      columns: [
        { title: t("slips.name"), cell: (row) => row.full_name },
        ...(slips.some((each) => each.school) ? [{ title: t("slips.school"), cell: (/** @type {Slip} */ row) => row.school }] : []),
        { title: t("slips.group"), cell: classOf },
        { title: t("slips.login"), cell: (row) => html`<code>${row.login}</code>` },
        { title: t("slips.code"), cell: (row) => (row.code ? html`<code>${row.code}</code>` : t(row.used ? "slips.used" : "slips.hasCode")) },
      ],
    })}</div>`;
}

/** Who has a code already, and how to replace it. @param {{ issuing: Issuing, having: Slip[] }} props */
function HaveCodes({ issuing, having }) {
  const ids = having.map((each) => each.user_id);
  return h(Note, { kind: "info" }, html`<p>${t("slips.haveCodes", { count: having.length })}</p>
    <div class="acts">${having.some((each) => !each.used) && h(Act, { act: () => issuing.issue(ids, REPLACE_UNUSED) }, t("slips.renewUnused"))}
      ${h(Act, { act: () => replace(issuing, ids, having), kind: "bad" }, t("slips.renew"))}</div>`);
}

/** @param {{ slip: Slip, school: string, draw: (text: string, canvas: HTMLCanvasElement) => void }} props */
function PrintedSlip({ slip, school, draw }) {
  const address = `${location.origin}/`;
  return html`<section class="slip">
    <p><strong>${slip.full_name}</strong><br />${school}${classOf(slip) && `, ${classOf(slip)}`}</p>
    <dl><div><dt>${t("slips.login")}</dt><dd>${slip.login}</dd></div><div><dt>${t("slips.code")}</dt><dd>${slip.code}</dd></div></dl>
    <p class="slip-address">${location.host}</p>
    <canvas ref=${(/** @type {HTMLCanvasElement | null} */ canvas) => canvas && draw(address, canvas)}></canvas>
  </section>`;
}
