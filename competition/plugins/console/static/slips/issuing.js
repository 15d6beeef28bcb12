// Issue login slips: show the people who were chosen, issue their slips, and show the codes, which the service sends
// only once. This module does not know whether a manager or a teacher issues them: the page passes the request.

import { Refused } from "../../../pages/static/ground/api.js";
import { h, html, useEffect, useLayoutEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { guard } from "../../../pages/static/ground/router.js";
import { language } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { ask, confirm } from "../../../pages/static/pieces/dialog.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { print } from "../../../pages/static/pieces/print.js";
import { usePrinted } from "../../../pages/static/pieces/printed.js";
import { Failed } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { drawing } from "../qr.js";
import { MOST_SLIPS } from "./calls.js";
import { t } from "./words.js";

/** @import { How, Order, Slip } from "./calls.js" */
/** @import { Person } from "../chosen.js" */
/** @typedef {{ user_id: string, full_name: string }} Named */
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
 * The slips that were issued before, together with those that were issued now. A new slip replaces the earlier slip of
 * the same person.
 *
 * @param {Slip[]} before
 * @param {Slip[]} part
 */
function joined(before, part) {
  const issued = new Map(part.map((each) => [each.user_id, each]));
  return [...before.map((each) => issued.get(each.user_id) ?? each), ...part.filter((each) => !before.some(({ user_id: id }) => id === each.user_id))];
}

/**
 * The rules by which the service has refused people, by their positions in a request, such as "0". Throws any other
 * error.
 *
 * @param {unknown} error
 */
function refusedIn(error) {
  const places = error instanceof Refused ? Object.keys(error.errors.candidates ?? {}).filter((each) => /^\d+$/.test(each)) : [];
  if (!places.length) throw error;
  const { rules } = /** @type {any} */ (error).body;
  return new Map(places.map((each) => [each, rules?.candidates?.[each]?.[0]?.rule ?? ""]));
}

/**
 * Issue slips with several requests, and return the slips that the service has issued so far. `missing` are the people
 * whose slips could not be issued, because of `error`: `resume` tries again. `refused` are the people to whom the
 * service issues no slip. While slips are issued, `making` is not null. Until the codes are cleared, the page asks
 * before the user leaves.
 *
 * @param {Order} order
 */
export function useSlips(order) {
  const [slips, set] = useState(/** @type {Slip[]} */ ([]));
  const [refused, refuse] = useState(/** @type {(Named & { rule: string })[]} */ ([]));
  const [asked, setAsked] = useState({ people: /** @type {Named[]} */ ([]), how: NEW });
  const [making, setMaking] = useState(/** @type {{ done: number, count: number } | null} */ (null));
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const isShown = useRef(true);
  useEffect(() => () => {
    isShown.current = false;
  }, []);
  const codes = slips.filter((each) => each.code !== null).length;
  const isBusy = making !== null;
  // Set the guard before the browser paints, because a fast user may leave right after that.
  useLayoutEffect(() => {
    if (!isBusy && !codes) return undefined;
    return guard(() => ask({ title: t("slips.leaveTitle"), what: isBusy ? t("slips.leaveMaking") : t("slips.leaveWhat", { count: codes }), verb: t("slips.leave"), danger: true }));
  }, [isBusy, codes]);

  const run = async (/** @type {Named[]} */ people, /** @type {How} */ how) => {
    setError(null);
    setMaking({ done: 0, count: people.length });
    try {
      for (let from = 0; from < people.length && isShown.current; from += MOST_SLIPS) {
        let part = people.slice(from, from + MOST_SLIPS);
        while (part.length) {
          try {
            const issued = await order(part.map((each) => each.user_id), how);
            set((before) => joined(before, issued));
            break;
          } catch (failure) {
            const places = refusedIn(failure);
            const found = part.flatMap((each, at) => (places.has(String(at)) ? [{ ...each, rule: places.get(String(at)) }] : []));
            if (!found.length) throw failure;
            refuse((before) => [...before, ...found]);
            part = part.filter((_, at) => !places.has(String(at)));
          }
        }
        setMaking({ done: Math.min(from + MOST_SLIPS, people.length), count: people.length });
      }
    } catch (failure) {
      setError(failure);
      throw failure;
    } finally {
      setMaking(null);
    }
  };
  const hasBegun = slips.length > 0 || refused.length > 0;
  /** Issue slips. Once some are issued, call this only for people of an earlier call. @type {typeof run} */
  const issue = (people, how) => {
    // `resume` issues missing slips as the first call did, even if codes of other people were replaced in between.
    if (!hasBegun) setAsked({ people, how });
    return run(people, how);
  };
  const settled = new Set([...slips, ...refused].map((each) => each.user_id));
  const missing = isBusy ? [] : asked.people.filter((each) => !settled.has(each.user_id));
  const clear = () => {
    set([]);
    refuse([]);
    setAsked({ people: [], how: NEW });
    setError(null);
  };
  return { slips, refused, asked: asked.people, missing, error, making, hasBegun, issue, resume: () => run(missing, asked.how), clear };
}

/**
 * Ask whether the codes of these people may be replaced, and replace them.
 *
 * @param {Issuing} issuing
 * @param {Named[]} people The people whose slips are issued.
 * @param {Named[]} having Those who already have a code.
 */
const replace = (issuing, people, having) => confirm({
  title: t("slips.renewTitle", { count: having.length }), what: t("slips.renews"), items: having.map((each) => each.full_name), verb: t("slips.renew"), danger: true,
  act: async () => {
    await issuing.issue(people, REPLACE);
    return true;
  },
});

/** How many of the slips have been issued so far. @param {{ making: Issuing["making"] }} props */
const Making = ({ making }) => html`<p role="status">${making && t("slips.making", making)}</p>`;

/**
 * The people who were chosen, before their slips are issued.
 *
 * @param {{ people: Person[], issuing: Issuing, others: () => void }} props `others` chooses other people.
 */
export function Chosen({ people, issuing, others }) {
  const having = people.filter((each) => each.has_code);
  return html`<div class="flow"><p>${t("slips.chosen", { count: people.length })}</p>
    <p>${people.map((each) => each.full_name).join(", ")}</p>
    ${having.length > 0 && h(Note, { kind: "warn" }, t("slips.someHave", { count: having.length }))}
    ${h(Making, { making: issuing.making })}
    <div class="acts">${h(Act, { act: () => issuing.issue(people, NEW), kind: "first" }, t("slips.issue"))}
      ${!issuing.making && having.length > 0 && h(Act, { act: () => replace(issuing, people, having), kind: "bad" }, t("slips.renew"))}
      ${!issuing.making && html`<button type="button" class="button" onClick=${others}>${t("slips.others")}</button>`}</div></div>`;
}

/** The people to whom the service issues no slip, and why. @param {{ text: "slips.deactivated" | "slips.refused", people: Named[] }} props */
const WithoutSlip = ({ text, people }) =>
  people.length > 0 && h(Note, { kind: "warn" }, html`<p>${t(text, { count: people.length, names: people.map((each) => each.full_name).join(", ") })}</p>`);

/**
 * The issued slips, whose codes are shown only here. The buttons are missing while slips are being issued.
 *
 * @param {{ issuing: Issuing, school?: string, done: () => void }} props `school` is that of slips without a school.
 */
export function Issued({ issuing, school = "", done }) {
  const { making, missing, refused, error } = issuing;
  const { compare } = new Intl.Collator(language(), { numeric: true });
  // Within a class, sort the slips as the list from which the pupils were chosen, like the pages of a teacher.
  const places = new Map(issuing.asked.map((each, at) => [each.user_id, at]));
  const place = (/** @type {Slip} */ { user_id: id }) => places.get(id) ?? 0;
  const slips = issuing.slips.toSorted((one, other) => compare(one.school ?? "", other.school ?? "") || compare(classOf(one), classOf(other)) || place(one) - place(other));
  const withCode = slips.filter((each) => each.code !== null);
  const having = slips.filter((each) => each.code === null);
  const printed = (/** @type {Awaited<ReturnType<typeof drawing>>} */ draw) => {
    const sheets = [];
    for (let from = 0; from < withCode.length; from += SLIPS_PER_SHEET) sheets.push(withCode.slice(from, from + SLIPS_PER_SHEET));
    return sheets.map((each) => html`<article class="print-sheet slips">${each.map((slip) => h(PrintedSlip, { slip, school: slip.school ?? school, draw }))}</article>`);
  };
  const printAll = async () => print(printed(await drawing()));
  // The browser's own print command prints the slips too, instead of the table of codes.
  const draw = useRead(drawing, []).value;
  usePrinted(() => draw && withCode.length > 0 && printed(draw));
  return html`<div class="flow">
    ${h(Making, { making })}
    ${withCode.length > 0 && h(Note, { kind: "warn" }, html`<p>${t("slips.shownOnce", { count: withCode.length })}</p>`)}
    ${h(WithoutSlip, { text: "slips.deactivated", people: refused.filter((each) => each.rule === "deactivated") })}
    ${h(WithoutSlip, { text: "slips.refused", people: refused.filter((each) => each.rule !== "deactivated") })}
    ${missing.length > 0 && html`${Boolean(error) && h(Failed, { error })}
      ${h(Note, { kind: "warn" }, html`<p>${t("slips.missing", { count: missing.length })}</p>
      <div class="acts">${h(Act, { act: issuing.resume }, t("slips.resume"))}</div>`)}`}
    ${!making && having.length > 0 && h(HaveCodes, { issuing, having })}
    ${!making && html`<div class="acts">${withCode.length > 0 && h(Act, { act: printAll, kind: "first" }, t("slips.print", { count: withCode.length }))}
      <button type="button" class="button" onClick=${done}>${t(withCode.length ? "slips.printed" : "slips.back")}</button></div>`}
    ${slips.length > 0 && table({
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

/** A note about people who have a code already, with the buttons that replace codes. @param {{ issuing: Issuing, having: Slip[] }} props */
const HaveCodes = ({ issuing, having }) => h(Note, { kind: "info" }, html`<p>${t("slips.haveCodes", { count: having.length })}</p>
  <div class="acts">${having.some((each) => !each.used) && h(Act, { act: () => issuing.issue(having, REPLACE_UNUSED) }, t("slips.renewUnused"))}
    ${h(Act, { act: () => replace(issuing, having, having), kind: "bad" }, t("slips.renew"))}</div>`);

/** @param {{ slip: Slip, school: string, draw: (text: string, canvas: HTMLCanvasElement) => void }} props */
function PrintedSlip({ slip, school, draw }) {
  const address = `${location.origin}/`;
  return html`<section class="slip">
    <p><strong>${slip.full_name}</strong><br />${[school, classOf(slip)].filter(Boolean).join(", ")}</p>
    <dl><div><dt>${t("slips.login")}</dt><dd>${slip.login}</dd></div><div><dt>${t("slips.code")}</dt><dd>${slip.code}</dd></div></dl>
    <p class="slip-address">${location.host}</p>
    <canvas ref=${(/** @type {HTMLCanvasElement | null} */ canvas) => canvas && draw(address, canvas)}></canvas>
  </section>`;
}
