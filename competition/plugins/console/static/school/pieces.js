// The pieces of a teacher's pages: the slips, and the form of a pupil.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { guard } from "../../../pages/static/ground/router.js";
import { Act, ask } from "../../../pages/static/pieces/dialog.js";
import { Field } from "../../../pages/static/pieces/form.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { print } from "../../../pages/static/pieces/print.js";
import { table } from "../../../pages/static/pieces/table.js";
import { drawing } from "../qr.js";
import { t } from "./words.js";

/** @import { Pupil, Slip } from "./calls.js" */

const KINDS = /** @type {const} */ ({ unconfirmed: "warn", not_joined: "", not_verified: "warn", verified: "ok", removed: "" });
const SLIPS_PER_SHEET = 8;

/** @returns {[string, string][]} */
export const states = () => /** @type {const} */ (["unconfirmed", "verified", "not_verified", "not_joined", "removed"]).map((each) => [each, t(`school.state.${each}`)]);

/** @param {{ state: Pupil["state"] }} props */
export const StateTag = ({ state }) => h(Tag, { kind: KINDS[state] }, t(`school.state.${state}`));

/** @param {{ year: number | null, group: string | null }} pupil */
export const classOf = ({ year, group }) => group || (year === null ? "" : t("school.yearOf", { year }));

/** The fields of a pupil that can be changed later, too. */
export const PupilFields = () => html`
  ${h(Field, { name: "first_name", label: t("school.firstName"), required: true, maxlength: 150 })}
  ${h(Field, { name: "last_name", label: t("school.lastName"), required: true, maxlength: 150 })}
  ${h(Field, { name: "year", label: t("school.year"), inputmode: "numeric", maxlength: 2, hint: t("school.yearHint") })}
  ${h(Field, { name: "group", label: t("school.group"), maxlength: 50 })}
  ${h(Field, { name: "external_id", label: t("school.number"), maxlength: 50, hint: t("school.numberHint") })}`;

/**
 * The values of `PupilFields`, for the API.
 *
 * @param {Record<string, any>} values
 */
export const pupilOf = ({ first_name, last_name, year, group, external_id: number }) => ({
  first_name, last_name, group: group ?? "", year: year ? Number(year) : null, external_id: number || null,
});

/** What is wrong with a school year, by the name of the field. @param {Record<string, any>} values */
export const wrongYear = ({ year }) => (year && !/^([1-9]|1[0-3])$/.test(String(year).trim()) ? { year: t("school.yearHint") } : /** @type {Record<string, string>} */ ({}));

/**
 * Slips whose codes are shown only here: the page asks before it is left, until they are printed.
 *
 * @param {{ school: string, slips: Slip[], done: () => void }} props
 */
export function Issued({ school, slips, done }) {
  const [isKept, keep] = useState(true);
  const withCode = slips.filter((each) => each.code !== null);
  useEffect(() => {
    if (!isKept || !withCode.length) return undefined;
    return guard(() => ask({ title: t("school.leaveTitle"), what: t("school.leaveWhat", { count: withCode.length }), verb: t("school.leave"), danger: true }));
  }, [isKept, withCode.length]);
  const printAll = async () => {
    const draw = await drawing();
    const sheets = [];
    for (let from = 0; from < withCode.length; from += SLIPS_PER_SHEET) sheets.push(withCode.slice(from, from + SLIPS_PER_SHEET));
    print(sheets.map((each) => html`<article class="print-sheet school-slips">${each.map((slip) => h(PrintedSlip, { school, slip, draw }))}</article>`));
  };
  return html`<div class="flow">
    ${withCode.length > 0 && h(Note, { kind: "warn" }, html`<p>${t("school.shownOnce", { count: withCode.length })}</p>`)}
    ${withCode.length < slips.length && h(Note, { kind: "info" }, t("school.haveCodes", { count: slips.length - withCode.length }))}
    <div class="acts">${withCode.length > 0 && h(Act, { act: printAll, kind: "first" }, t("school.print", { count: withCode.length }))}
      <button type="button" class="button" onClick=${() => { keep(false); done(); }}>${t(withCode.length ? "school.printed" : "school.back")}</button></div>
    ${table({
      caption: t("school.slips"),
      rows: slips,
      id: (row) => row.user_id,
      columns: [
        { title: t("school.name"), cell: (row) => row.full_name },
        { title: t("school.group"), cell: classOf },
        { title: t("school.login"), cell: (row) => html`<code>${row.login}</code>` },
        { title: t("school.code"), cell: (row) => (row.code ? html`<code>${row.code}</code>` : t("school.hasCode")) },
      ],
    })}</div>`;
}

/** @param {{ school: string, slip: Slip, draw: (text: string, canvas: HTMLCanvasElement) => void }} props */
function PrintedSlip({ school, slip, draw }) {
  const address = `${location.origin}/`;
  return html`<section class="school-slip">
    <p><strong>${slip.full_name}</strong><br />${school}${classOf(slip) && `, ${classOf(slip)}`}</p>
    <dl><div><dt>${t("school.login")}</dt><dd>${slip.login}</dd></div><div><dt>${t("school.code")}</dt><dd>${slip.code}</dd></div></dl>
    <p class="school-address">${location.host}</p>
    <canvas ref=${(/** @type {HTMLCanvasElement | null} */ canvas) => canvas && draw(address, canvas)}></canvas>
  </section>`;
}
