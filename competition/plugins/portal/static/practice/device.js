// The page that checks whether the device is ready for an exam. It needs no account.

import { span } from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import * as session from "../../../pages/static/ground/session.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Maths } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, Sheet, Tag } from "../../../pages/static/pieces/page.js";
import { t } from "./words.js";
import { askTime } from "./calls.js";

/** @typedef {"ok" | "warn" | "bad" | "info"} State `ok`: fine. `warn`: an exam works, with a drawback. `bad`: it does not work. `info`: not checked. */
/** @typedef {{ state: State, text: string }} Found */
/** @typedef {"connection" | "clock" | "storage" | "formulas" | "live"} Name */

const NAMES = /** @type {const} */ (["connection", "clock", "storage", "formulas", "live"]);
// Limits in milliseconds: a slow reply, a wrong clock, and the longest time for opening a socket.
const SLOW = 1_500;
const WRONG = 60_000;
const OPENING = 6_000;
const TRIES = 3;
const SAMPLE = {
  text: "x = (-b ± √(b² - 4ac)) / 2a",
  rendered: {
    text: '<math alttext="x equals the fraction of minus b plus or minus the square root of b squared minus 4 a c, over 2 a"><mrow><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><mrow><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>4</mn><mi>a</mi><mi>c</mi></mrow></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac></mrow></math>',
  },
};

export function Device() {
  const [found, set] = useState(/** @type {Partial<Record<Name, Found>>} */ ({}));
  const [turn, again] = useState(0);
  useEffect(() => {
    let isOver = false;
    set({});
    const measured = measure();
    const checks = { connection: reply(measured), clock: clock(measured), storage: storage(), formulas: formulas(), live: live() };
    for (const name of NAMES) void checks[name].then((one) => isOver || set((before) => ({ ...before, [name]: one })));
    return () => {
      isOver = true;
    };
  }, [turn]);
  const isDone = NAMES.every((each) => found[each]);
  return h(
    Page,
    { title: t("device"), lead: t("device.lead") },
    html`<div role="status">${isDone && h(Verdict, { states: NAMES.map((each) => found[each]?.state ?? "info") })}${!isDone && html`<p>${t("device.checking")}</p>`}</div>`,
    h(
      Sheet,
      {},
      html`<dl class="facts">${NAMES.map((each) => html`<div key=${each}><dt>${t(`device.${each}`)}</dt><dd>${found[each] ? h(Line, { found: found[each] }) : t("device.checking")}</dd></div>`)}</dl>
        <p class="small muted">${t("device.sample")}</p>
        <p id="sample">${h(Maths, { of: SAMPLE })}</p>`,
    ),
    html`<div class="acts">
      <button type="button" class="button" onClick=${() => again(turn + 1)}>${t("device.again")}</button>
      <a class="button" href="/practice">${t("practice")}</a>
    </div>`,
  );
}

/** @param {{ states: State[] }} props */
function Verdict({ states }) {
  if (states.includes("bad")) return h(Note, { kind: "bad" }, html`<p><strong>${t("device.notReady")}</strong></p>`);
  if (states.includes("warn")) return h(Note, { kind: "warn" }, html`<p><strong>${t("device.nearly")}</strong></p>`);
  return h(Note, { kind: "ok" }, html`<p><strong>${t("device.ready")}</strong></p>`);
}

/** @param {{ found: Found }} props */
const Line = ({ found: { state, text } }) => html`${h(Tag, { kind: state === "info" ? "" : state }, t(`device.is.${state}`))} ${text}`;

/** @typedef {Awaited<ReturnType<typeof askTime>>} Sample */

/**
 * Measurements of the service's time, the fastest reply first. There are none if there is no connection.
 *
 * @returns {Promise<Sample[]>}
 */
async function measure() {
  try {
    const all = [];
    for (let tries = TRIES; tries; tries--) all.push(await askTime());
    return all.sort((one, other) => one.took - other.took);
  } catch {
    return [];
  }
}

/** @param {Promise<Sample[]>} measured @returns {Promise<Found>} */
async function reply(measured) {
  const middle = (await measured)[Math.floor(TRIES / 2)];
  if (!middle) return { state: "bad", text: t("device.noReply") };
  const seconds = Math.max(0.1, Math.round(middle.took / 100) / 10);
  return middle.took > SLOW ? { state: "warn", text: t("device.slow", { seconds }) } : { state: "ok", text: t("device.fast", { seconds }) };
}

/** @param {Promise<Sample[]>} measured @returns {Promise<Found>} */
async function clock(measured) {
  // The fastest reply measures the clock best.
  const [best] = await measured;
  if (!best) return { state: "info", text: t("device.unknown") };
  if (Math.abs(best.ahead) < WRONG) return { state: "ok", text: t("device.clockRight") };
  const time = span(Math.abs(best.ahead) / 1000);
  return { state: "warn", text: t(best.ahead > 0 ? "device.clockAhead" : "device.clockBehind", { time }) };
}

/** @returns {Promise<Found>} */
async function storage() {
  const name = "device.check";
  try {
    localStorage.setItem(name, name);
    const isKept = localStorage.getItem(name) === name;
    localStorage.removeItem(name);
    if (isKept) return { state: "ok", text: t("device.keeps") };
  } catch {
    // The browser forbids storage.
  }
  return { state: "warn", text: t("device.keepsNothing") };
}

/** @returns {Promise<Found>} */
async function formulas() {
  await document.fonts?.load('1em "League Math"', "√").catch(() => []);
  // Measure after the page is drawn.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const sample = document.getElementById("sample");
  const fraction = sample?.querySelector("mfrac")?.getBoundingClientRect().height ?? 0;
  const letter = sample?.querySelector("mi")?.getBoundingClientRect().height ?? 0;
  // A browser that can't draw formulas writes numerator and denominator in one line.
  return letter > 0 && fraction > 1.6 * letter ? { state: "ok", text: t("device.drawn") } : { state: "bad", text: t("device.notDrawn") };
}

/** @returns {Promise<Found>} */
async function live() {
  if (!session.user()) return { state: "info", text: t("device.signInFirst") };
  const isLive = await new Promise((resolve) => {
    const look = () => {
      if (socket.state() !== "live") return;
      end(true);
    };
    const timer = setTimeout(() => end(false), OPENING);
    const stop = socket.onState(look);
    const end = (/** @type {boolean} */ value) => {
      clearTimeout(timer);
      stop();
      resolve(value);
    };
    look();
  });
  return isLive ? { state: "ok", text: t("device.arrives") } : { state: "warn", text: t("device.arrivesNot") };
}
