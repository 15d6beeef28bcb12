// What pieces show: states, notices, charts, questions, keys, printing, and the frame.

import { Refused, Unreachable } from "../../../../competition/plugins/pages/static/ground/api.js";
import { h, html, useState } from "../../../../competition/plugins/pages/static/ground/html.js";
import { go } from "../../../../competition/plugins/pages/static/ground/router.js";
import * as charts from "../../../../competition/plugins/pages/static/pieces/charts.js";
import { KeyList, useKeys } from "../../../../competition/plugins/pages/static/pieces/keys.js";
import { Maths, Options } from "../../../../competition/plugins/pages/static/pieces/maths.js";
import { notice } from "../../../../competition/plugins/pages/static/pieces/notice.js";
import { Connection, Language } from "../../../../competition/plugins/pages/static/pieces/frame.js";
import { Facts } from "../../../../competition/plugins/pages/static/pieces/page.js";
import { When } from "../../../../competition/plugins/pages/static/pieces/when.js";
import { table } from "../../../../competition/plugins/pages/static/pieces/table.js";
import { Tabs } from "../../../../competition/plugins/pages/static/pieces/tabs.js";
import { PrintButton, PrintSheet } from "../../../../competition/plugins/pages/static/pieces/print.js";
import { usePrinted } from "../../../../competition/plugins/pages/static/pieces/printed.js";
import { explained, loaded, Loading } from "../../../../competition/plugins/pages/static/pieces/states.js";
import { t } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { show } from "../../kit/pieces.js";
import { click, press, screen, waitFor, within } from "../../kit/screen.js";

/** @param {number} status @param {Record<string, string>} [headers] @param {any} [body] */
const refused = (status, headers = {}, body = { code: "other", detail: "No." }) => new Refused(status, body, new Headers(headers));

test("an error says what has happened, and what to do next", async () => {
  await show(() => "Here.");
  equal(explained(refused(400)), { what: "No.", next: "", requestId: null });
  equal(explained(refused(404)).next, t("states.gone"));
  equal(explained(refused(500, { "X-Request-Id": "8c1f0a" })), { what: "No.", next: t("states.later"), requestId: "8c1f0a" });
  equal(explained(refused(429, { "Retry-After": "30" })).next, t("states.wait", { count: 30 }));
  equal(explained(refused(418, {}, {})).what, t("states.refused", { status: 418 }));
  equal(explained(new Unreachable("None.")), { what: t("states.away"), next: t("states.connection"), requestId: null });
  equal(explained(new TypeError("x is undefined")).what, t("states.broken"));
});

test("a reading shows its failure, and its last value if it has one", async () => {
  const reading = { value: undefined, at: null, error: refused(500), busy: false, again: () => {} };
  await show(() => html`<div id="first">${loaded(reading, () => "never")}</div>
    <div id="later">${loaded({ ...reading, value: 7, at: Date.parse("2026-03-10T10:00Z") }, (value) => `It is ${value}.`)}</div>`);
  const [first, later] = ["first", "later"].map((id) => within(document.getElementById(id)));
  ok(first.getByRole("alert"));
  ok(first.getByRole("button", { name: t("states.again") }));
  ok(later.getByText(/It is 7\./));
  ok(later.getByText(new RegExp(t("states.stale", { time: "10:00" }))));
});

test("a page says that it is loading, and then that it takes longer than usual", async () => {
  const clock = stopClock();
  await show(() => h(Loading, {}));
  const text = () => document.querySelector(".loading [role=status]")?.textContent?.replace(/\s+/g, " ").trim();
  await clock.until(() => document.querySelector(".head"));
  equal(text(), "");
  for (let passed = 0; passed < 10 && !text(); passed++) await clock.passes(0.1);
  equal(text(), t("states.loading"));
  await clock.passes(10);
  equal(text(), `${t("states.loading")} ${t("states.longer")}`);
});

test("a success replaces earlier successes, a warning stays, and all go when the user leaves the page", async () => {
  let undone = 0;
  await show(() => "Here.");
  notice({ text: "Saved." });
  notice({ text: "Two could not be changed.", kind: "warn" });
  notice({ text: "Removed.", undo: async () => (undone += 1) });
  notice({ text: "Moved." });
  const texts = () => [...document.querySelectorAll(".notices .note")].map((each) => each.textContent?.trim());
  await waitFor(() => equal(texts(), ["Two could not be changed.", `Removed. ${t("notice.undo")}`, "Moved."]));
  click(screen.getByRole("button", { name: t("notice.undo") }));
  await waitFor(() => equal([undone, ...texts()], [1, "Two could not be changed.", "Moved."]));
  await go("/elsewhere");
  await screen.findByRole("heading", { name: "Elsewhere" });
  equal(texts(), []);
});

test("a notice goes when another tab of the page is opened, and stays when a list is filtered", async () => {
  await show(() => html`<a href="?tab=other">Other</a> <a href="?search=x">Filter</a>`);
  notice({ text: "Saved." });
  await screen.findByText("Saved.");
  click(screen.getByRole("link", { name: "Filter" }));
  await waitFor(() => equal(location.search, "?search=x"));
  ok(screen.queryByText("Saved."));
  click(screen.getByRole("link", { name: "Other" }));
  await waitFor(() => equal(screen.queryByText("Saved."), null));
});

test("the scale of a chart of numbers has no fractions, and the chart has its numbers as a table", async () => {
  await show(() => h(charts.Line, { title: "Silent in the last hour", labels: ["10:00", "10:05"], series: [{ label: "Hillside", values: [0, 1] }] }));
  const chart = await screen.findByRole("img", { name: "Silent in the last hour" });
  const texts = (/** @type {string} */ selector) => [...chart.querySelectorAll(selector)].map((each) => each.textContent);
  equal(texts("text.last.numbers"), ["0", "1"]);
  // The last time ends at the edge: centred below its point, it would be cut off.
  equal(texts("text.last:not(.numbers)"), ["10:05"]);
  const rows = [.../** @type {any} */ (document.querySelectorAll("figure tbody tr"))].map((each) => [...each.children].map((cell) => cell.textContent));
  equal(rows, [["10:00", "0"], ["10:05", "1"]]);
});

test("long names and numbers have room in a chart, and without points there is no picture", async () => {
  await show(() => html`${h(charts.Bars, { title: "Few", points: [{ label: "The school", value: 1 }] })}
    ${h(charts.Bars, { title: "Long", points: [{ label: "The international school of the lakes", value: 1 }] })}
    ${h(charts.Bars, { title: "None", points: [] })}
    ${h(charts.Line, { title: "Numbers", labels: ["1", "2"], series: [{ label: "Hillside", values: [1000, 100000] }] })}`);
  const images = await screen.findAllByRole("img");
  equal(images.map((/** @type {any} */ each) => each.getAttribute("aria-label")), ["Few", "Long", "Numbers"]);
  const [few, long, numbers] = images.map((/** @type {any} */ each) => each.querySelector("text.last"));
  equal([few.textContent, few.getAttribute("x")], ["The school", "172"]);
  equal([long.textContent, long.getAttribute("x")], ["The international school…", "300"]);
  // The table has the whole name.
  ok(screen.getByRole("rowheader", { name: "The international school of the lakes", hidden: true }));
  equal(numbers.getAttribute("x"), "105");
});

test("a part of a whole is 100% only if it is the whole", async () => {
  await show(() => html`${[[1240, 2000], [1999, 2000], [2000, 2000], [0, 0]].map(([value, of]) => h(charts.Meter, { label: "Verified", value: value ?? 0, of: of ?? 0 }))}`);
  const shares = [...document.querySelectorAll(".meter .numbers")].map((each) => each.textContent?.split(", ").at(-1));
  equal(shares, ["62%", "99%", "100%", "0%"]);
});

const question = {
  text: "x+y=10. What is x^2?",
  ...{ option_a: "48", option_b: "1/2", option_c: "sqrt 2", option_d: "None of these" },
  rendered: {
    text: 'The numbers satisfy <math alttext="x+y=10" display="inline"><mrow><mi>x</mi><mo>+</mo><mi>y</mi><mo>=</mo><mn>10</mn></mrow></math>.<br>What is <math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math>?',
    option_a: "48",
    option_b: '<math alttext="\\frac12"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
    option_c: '<math alttext="\\sqrt2"><msqrt><mn>2</mn></msqrt></math><script>alert(1)</script>',
    option_d: null,
  },
  spoken: { text: "The numbers satisfy x plus y equals 10. What is x squared?", option_a: "48", option_b: "one half", option_c: "the square root of 2", option_d: null },
};
const wide = { text: "", rendered: { text: `<math display="block" alttext="wide"><mrow>${"<mi>x</mi><mo>+</mo>".repeat(300)}<mn>1</mn></mrow></math>` } };

test("options have spoken names, and rejected markup is shown as text", async () => {
  const Question = () => {
    const [chosen, choose] = useState(/** @type {any} */ (null));
    return h(Options, { question, chosen, choose });
  };
  await show(Question);
  ok(await screen.findByRole("group", { name: question.spoken.text }));
  const names = screen.getAllByRole("radio").map((/** @type {any} */ each) => each.getAttribute("aria-label"));
  equal(names, ["A, 48", "B, one half", "C, the square root of 2", "D, None of these"]);
  click(screen.getByRole("radio", { name: "B, one half" }));
  await waitFor(() => ok(screen.getByRole("radio", { name: "B, one half" }).checked));
  ok(screen.getByText("sqrt 2"));
  equal(document.querySelectorAll("#page script").length, 0);
  // Punctuation stays on the same line as its formula.
  equal([...document.querySelectorAll(".together")].map((each) => each.textContent), ["x+y=10.", "x2?"]);
});

test("a formula that is wider than the screen scrolls on its own, so it can take the focus", async () => {
  await show(() => html`${h(Options, { question: wide, chosen: null })}${h(Options, { question, chosen: null })}`);
  await waitFor(() => equal(document.querySelectorAll(".question[tabindex='0']").length, 1));
});

test("keys do the same as buttons, can be listed and switched off, and don't work in fields and dialogs", async () => {
  /** @type {string[]} */
  const done = [];
  const Keyed = () => {
    const [isListed, list] = useState(false);
    useKeys({ a: { text: "Choose A", act: () => done.push("a") }, h: { text: "Help", act: () => done.push("h") }, "g h": { text: "Go home", act: () => done.push("g h") }, "?": { text: "Show", act: () => list(true) } });
    return html`<input aria-label="Name" />${isListed && h(KeyList, { onClose: () => list(false) })}`;
  };
  await show(Keyed);
  const name = await screen.findByLabelText("Name");
  await waitFor(() => {
    press("a", document.body);
    ok(done.length);
  });
  done.length = 0;
  for (const key of ["g", "h", "h"]) press(key, document.body);
  press("a", name);
  press("a", document.body, { ctrlKey: true });
  equal(done, ["g h", "h"]);
  press("?", document.body);
  const dialog = await screen.findByRole("dialog", { name: t("keys.title") });
  press("a", document.body);
  click(within(dialog).getByLabelText(t("keys.on")));
  click(within(dialog).getByRole("button", { name: t("page.close") }));
  await waitFor(() => equal(screen.queryByRole("dialog"), null));
  press("a", document.body);
  equal(done, ["g h", "h"]);
});

test("a sheet is printed, and is gone afterwards", async () => {
  let printed = "";
  window.print = () => {
    printed = document.querySelector(".print h1")?.textContent ?? "";
  };
  await show(() => h(PrintButton, { content: () => h(PrintSheet, { title: "Screening 2" }, "The content.") }));
  click(await screen.findByRole("button", { name: t("print.print") }));
  await waitFor(() => equal(printed, "Screening 2"));
  dispatchEvent(new Event("afterprint"));
  equal(document.querySelectorAll(".print").length, 0);
});

test("the browser's own command prints the sheet too", async () => {
  const Shown = () => {
    usePrinted(() => h(PrintSheet, { title: "Screening 3" }));
    return "a table";
  };
  await show(() => h(Shown, {}));
  await screen.findByText("a table");
  dispatchEvent(new Event("beforeprint"));
  equal(document.querySelector("body > .print h1")?.textContent, "Screening 3");
  dispatchEvent(new Event("afterprint"));
  equal(document.querySelectorAll(".print").length, 0);
});

test("the language changes at once", async () => {
  await show(() => html`${h(Language, {})}${h(Connection, {})}`);
  const before = await screen.findByText(t("start.asking"));
  click(screen.getByRole("button", { name: "Français" }));
  await waitFor(() => ok(before.textContent !== "" && document.documentElement.lang === "fr"));
  await waitFor(() => ok(screen.getByText(t("start.asking"))));
  ok(screen.getByRole("button", { name: "English" }));
  equal(localStorage.getItem("language"), "fr");
});

test("facts without a value are left out, and a moment has the league's time", async () => {
  await show(() => html`${h(Facts, { facts: [["School", "Hillside"], ["Phone", null], ["Joined", h(When, { at: "2026-12-12T10:00:00Z" })]] })}`);
  equal([...document.querySelectorAll("dt")].map((each) => each.textContent), ["School", "Joined"]);
  ok(screen.getByText(t("page.there", { time: "11:00", city: "Lagos" })));
});

test("a table names the league's time zone once, below it", async () => {
  const rows = ["2026-12-12T10:00:00Z", "2026-12-12T11:00:00Z"];
  await show(() => html`${table({ caption: "Days", columns: [{ title: "Day", cell: (at) => h(When, { at }) }], rows, id: (at) => at })}`);
  const note = t("page.inBrackets", { city: "Lagos" });
  equal((await screen.findAllByText(note)).length, 1);
  equal(screen.getAllByRole("rowheader").map((/** @type {any} */ each) => each.textContent.match(/\(.*\)/)?.[0]), ["(11:00)", "(12:00)"]);
  equal(screen.queryByText(t("page.there", { time: "11:00", city: "Lagos" })), null);
});

test("tabs are links, and the first one is shown without a query", async () => {
  await show(() => h(Tabs, { label: "Parts", tabs: [{ value: "one", text: "One" }, { value: "two", text: "Two", count: 3 }] }));
  click(await screen.findByRole("link", { name: "Two 3" }));
  await waitFor(() => equal(location.search, "?tab=two"));
  await waitFor(() => equal(screen.getByRole("link", { name: "Two 3" }).getAttribute("aria-current"), "page"));
  click(screen.getByRole("link", { name: "One" }));
  await waitFor(() => equal(location.search, ""));
});

const IMAGE = { text: "![7]", rendered: { text: '<img src="/competition/plugins/pages/static/icon.svg" alt="A page" width="4" height="4">' } };

test("an image that could not be loaded is loaded again, after growing pauses", async () => {
  const clock = stopClock();
  await show(() => h(Maths, { of: IMAGE }));
  const image = await clock.until(() => document.querySelector("img"));
  // The page would also count a failure of the browser's own request.
  await clock.until(() => image.complete);
  ok(image.naturalWidth);
  let loaded = 0;
  Object.defineProperty(image, "src", { get: () => "/competition/plugins/pages/static/icon.svg", set: () => (loaded += 1) });
  for (const [at, pause] of [2, 5, 15, 30, 30].entries()) {
    image.dispatchEvent(new Event("error"));
    await clock.passes(pause - 1);
    equal(loaded, at);
    await clock.passes(1);
    equal(loaded, at + 1);
  }
  image.dispatchEvent(new Event("error"));
  image.remove();
  await clock.passes(60);
  equal(loaded, 5);
});

test("the images of questions have a white ground in each theme", async () => {
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = new URL("../../../../competition/plugins/pages/static/style/pieces.css", import.meta.url).href;
  await new Promise((resolve, reject) => {
    Object.assign(style, { onload: resolve, onerror: reject });
    document.head.append(style);
  });
  document.documentElement.style.colorScheme = "dark";
  await show(() => h(Maths, { of: IMAGE }));
  const image = await waitFor(() => document.querySelector("img") ?? Promise.reject(new Error("none")));
  const { backgroundColor, forcedColorAdjust } = getComputedStyle(image);
  equal([backgroundColor, forcedColorAdjust], ["rgb(255, 255, 255)", "none"]);
});
