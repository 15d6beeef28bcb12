// Charts as SVG, for at most a hundred points. Colours and patterns come from classes, geometry is in attributes. Each
// chart has a title, and its numbers as a table. The classes have their styles in `charts.css` of the console, because
// no page for candidates has charts.

import { html, useId } from "../ground/html.js";
import { number } from "../ground/texts.js";
import { t } from "./more/words.js";

/** @import { Children } from "../ground/html.js" */
/** @typedef {{ label: string, value: number }} Point */
/** @typedef {{ label: string, values: (number | null)[] }} Series */

const WIDTH = 600;
const ROW = 32;
const HEIGHT = 200;
const NAMES = 180;
const BOTTOM = 24;
const LEFT = 48;
// The room for each character of a name or of a number, in the size that charts have on a phone, and how many characters
// of a name are shown.
const CHARACTER = 12;
const DIGIT = 15;
const LONGEST = 26;

/** @param {string[]} texts */
const longest = (texts) => Math.max(0, ...texts.map((each) => each.length));

/**
 * @param {string} title
 * @param {string[]} heads
 * @param {(string | number)[][]} rows
 * @param {Children} picture
 */
const chart = (title, heads, rows, picture) => html`<figure class="chart">
  <figcaption>${title}</figcaption>
  ${picture}
  <details><summary class="small">${t("charts.numbers")}</summary>
    <table><caption class="hide">${title}</caption>
      <thead><tr>${heads.map((each, at) => html`<th scope="col" class=${at ? "end" : undefined}>${each}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((each, at) => (at ? html`<td class="numbers end">${each}</td>` : html`<th scope="row">${each}</th>`))}</tr>`)}</tbody>
    </table></details>
</figure>`;

/**
 * A bar chart, for the numbers of different things.
 *
 * @param {{ title: string, points: Point[], unit?: string, write?: (value: number) => string }} props
 */
export function Bars({ title, points, unit = t("charts.value"), write = number }) {
  const highest = Math.max(1e-9, ...points.map((each) => each.value));
  const labels = points.map(({ label }) => (label.length > LONGEST ? `${label.slice(0, LONGEST - 1).trimEnd()}…` : label));
  const left = Math.max(NAMES, 8 + CHARACTER * longest(labels));
  const room = WIDTH - left - 80;
  return chart(title, [t("charts.name"), unit], points.map((each) => [each.label, write(each.value)]),
    points.length > 0 && html`<svg class="bars" role="img" aria-label=${title} viewBox=${`0 0 ${WIDTH} ${points.length * ROW}`}>
      ${points.map((each, at) => {
        const length = Math.max(0, (each.value / highest) * room);
        return html`<g transform=${`translate(0 ${at * ROW})`}>
          <text x=${left - 8} y=${ROW / 2} class="last">${labels[at]}</text>
          <rect class="c1" x=${left} y="5" height=${ROW - 10} width=${length} rx="2" />
          <text x=${left + length + 8} y=${ROW / 2} class="numbers">${write(each.value)}</text></g>`;
      })}</svg>`);
}

/**
 * The shares of a whole, as parts of a single bar with a legend.
 *
 * @param {{ title: string, points: Point[] }} props At most six points.
 */
export function Shares({ title, points }) {
  const id = useId();
  const total = points.reduce((sum, each) => sum + each.value, 0) || 1;
  const share = (/** @type {number} */ value) => number(value / total, { style: "percent", maximumFractionDigits: 0 });
  let x = 0;
  return chart(title, [t("charts.name"), t("charts.value"), t("charts.share")], points.map((each) => [each.label, number(each.value), share(each.value)]),
    html`<svg role="img" aria-label=${title} viewBox=${`0 0 ${WIDTH} 28`}>
      <defs>${patterns(id, points.length)}</defs>
      ${points.map((each, at) => {
        const width = (each.value / total) * WIDTH;
        x += width;
        return html`<rect class=${`c${at + 1}`} x=${x - width} width=${width} height="28" /><rect class="edge" fill=${`url(#${id}-${at})`} x=${x - width} width=${width} height="28" />`;
      })}</svg>
    <ul class="legend small">${points.map((each, at) => html`<li>${sample(id, at)} ${each.label} <span class="numbers">${number(each.value)} (${share(each.value)})</span></li>`)}</ul>`);
}

/**
 * @param {string} id
 * @param {number} at
 */
const sample = (id, at) => html`<svg class="sample" viewBox="0 0 16 16" aria-hidden="true"><rect class=${`c${at + 1}`} width="16" height="16" /><rect fill=${`url(#${id}-${at})`} width="16" height="16" /></svg>`;

/**
 * Patterns, so that no information depends on the colour alone.
 *
 * @param {string} id
 * @param {number} count
 */
const patterns = (id, count) =>
  ["", "M0 8L8 0", "M0 0L8 8", "M0 4H8", "M4 0V8", "M0 4H8M4 0V8"].slice(0, count).map(
    (path, at) => html`<pattern id=${`${id}-${at}`} width="8" height="8" patternUnits="userSpaceOnUse"><path class="hatch" d=${path || "M0 0"} /></pattern>`,
  );

/**
 * Lines over time, or over any row of labels. A value of null is a gap.
 *
 * @param {{ title: string, labels: string[], series: Series[], write?: (value: number) => string }} props At most six series.
 */
export function Line({ title, labels, series, write = number }) {
  const all = series.flatMap((each) => each.values.filter((value) => value !== null));
  const top = nice(Math.max(1, ...all));
  const y = (/** @type {number} */ value) => 8 + (1 - value / top) * (HEIGHT - BOTTOM - 8);
  const rows = labels.map((label, at) => [label, ...series.map((each) => { const value = each.values[at]; return value == null ? "-" : write(value); })]);
  // At most six labels fit.
  const every = Math.ceil(labels.length / 6);
  // A time below the last point would be cut off at the edge.
  const isCut = (/** @type {string} */ label, /** @type {number} */ at) => at > 0 && at === labels.length - 1 && label.length > 3;
  // Leave out the middle of the axis if it is not a whole number of candidates.
  const parts = write === number && top % 2 ? [0, 1] : [0, 0.5, 1];
  const left = Math.max(LEFT, 8 + DIGIT * longest(parts.map((part) => write(part * top))));
  const x = (/** @type {number} */ at) => left + (at * (WIDTH - left - 16)) / Math.max(1, labels.length - 1);
  return chart(title, [t("charts.name"), ...series.map((each) => each.label)], rows,
    html`<svg class="line" role="img" aria-label=${title} viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}>
      ${parts.map((part) => html`<line class="grid" x1=${left} x2=${WIDTH} y1=${y(part * top)} y2=${y(part * top)} /><text class="last numbers" x=${left - 8} y=${y(part * top)}>${write(part * top)}</text>`)}
      ${labels.map((label, at) => at % every === 0 && html`<text class=${isCut(label, at) ? "last" : at ? "middle" : ""} x=${isCut(label, at) ? WIDTH : x(at)} y=${HEIGHT - 8}>${label}</text>`)}
      ${series.map((each, at) => html`<path class=${`s${at + 1}`} d=${path(each.values, x, y)} />`)}</svg>
    ${series.length > 1 && html`<ul class="legend small">${series.map((each, at) => html`<li><svg class="sample" viewBox="0 0 16 16" aria-hidden="true"><path class=${`s${at + 1}`} d="M0 8H16" /></svg> ${each.label}</li>`)}</ul>`}`);
}

/**
 * @param {(number | null)[]} values
 * @param {(at: number) => number} x
 * @param {(value: number) => number} y
 */
function path(values, x, y) {
  let isGap = true;
  return values
    .map((value, at) => {
      if (value === null) {
        isGap = true;
        return "";
      }
      const step = `${isGap ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
      // A point without neighbours is drawn too.
      const end = isGap && (values[at + 1] ?? null) === null ? "h.1" : "";
      isGap = false;
      return step + end;
    })
    .join("");
}

/**
 * The next larger round number: 1, 2 or 5, followed by zeros.
 *
 * @param {number} value
 */
function nice(value) {
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((each) => each * size).find((each) => each >= value) ?? value;
}

/**
 * A part of a whole: "62% verified". It shows 100% only if the part is the whole.
 *
 * @param {{ label: string, value: number, of: number }} props
 */
export const Meter = ({ label, value, of }) => html`<div class="meter">
  <p><span>${label}</span> <span class="numbers">${t("charts.of", { value, of })}, ${number(of ? Math.floor(100 * value / of) / 100 : 0, { style: "percent", maximumFractionDigits: 0 })}</span></p>
  <meter aria-label=${label} min="0" max=${of || 1} value=${value}></meter>
</div>`;
