// Tests of where things are on the page of a running exam. Each size of the screen has a file that calls `testLayout`.

import { equal, ok, test } from "../../kit/cases.js";
import { opened } from "./page.js";

// The styles of the portal, which the blank document does not have.
const styles = document.createElement("link");
styles.rel = "stylesheet";
styles.href = "/competition/plugins/portal/static/exam/style.css";
document.head.append(styles);
await new Promise((resolve) => styles.addEventListener("load", resolve));

const LONG = "Question 3 has a misprint: read 17 instead of 71. ".repeat(6).trim();

/** The places of the bar, the foot and the options on the screen. */
const places = () =>
  [...document.querySelectorAll(".bar, .bottom, .option")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height];
  });

/** What a finger at the middle of each place would press. @param {number[][]} places */
const pressed = (places) =>
  places
    .map(([x = 0, y = 0, width = 0, height = 0]) => document.elementFromPoint(x + width / 2, y + height / 2)?.closest("a, button, input, label, summary")?.textContent)
    .filter(Boolean);

/** @param {"en" | "fr"} language */
async function shown(language) {
  localStorage.setItem("language", language);
  localStorage.setItem("device.layout", "all");
  const it = await opened({ start: false });
  (await it.until(() => /** @type {HTMLElement | null} */ (document.querySelector("button.first")))).click();
  await it.until(() => document.querySelectorAll(".option").length === 48);
  await it.passes(4);
  return it;
}

/** @param {"en" | "fr"} language */
export function testLayout(language) {
  for (const scroll of [0, 300]) {
    test(`news neither cover nor move a question, ${scroll} pixels down`, async () => {
      const it = await shown(language);
      scrollTo(0, scroll);
      const before = places();
      const isNew = () => document.querySelector(".bar .news.info b");
      it.exam.messages.push({ id: 1, exam: 7, text: LONG, created_at: new Date(it.clock.now).toISOString() });
      await it.passes(50);
      ok(isNew() && document.querySelector(".bar .news")?.textContent?.includes("Question 3 has a misprint"));
      equal(String(places()), String(before), "An announcement");
      it.exam.giveTime(10);
      await it.passes(50);
      equal(String(places()), String(before), "Given time");
      it.line.isCut = true;
      /** @type {HTMLElement} */ (document.querySelectorAll("[type=radio]")[1]).click();
      await it.passes(60);
      ok(document.querySelector(".bar .state.warn"));
      equal(String(places()), String(before), "A lost connection");
    });
  }

  test("an early conclusion moves nothing under the finger, and covers nothing", async () => {
    const it = await shown(language);
    /** @type {HTMLElement} */ (document.querySelector("[type=radio]")).click();
    await it.passes(4);
    scrollTo(0, 300);
    const before = places();
    ok(pressed(before).length > 1);
    it.exam.conclude();
    Math.random = () => 0.9;
    await it.passes(20);
    await it.until(() => document.activeElement?.matches("main.after h1"));
    // Nobody who was about to choose an option presses something else.
    equal(pressed(before), []);
    for (const part of document.querySelectorAll("main.after h1, main.after .note")) {
      const { x, y, height } = part.getBoundingClientRect();
      ok(y >= 0 && y + height <= innerHeight, `${part.textContent} is at ${y}, ${height} high, of ${innerHeight}.`);
      ok(part.contains(document.elementFromPoint(x + 1, y + height / 2)), part.textContent ?? "");
    }
  });
}

/** On a phone, a question has half of the screen, and the focus is never behind the bar or the foot. */
export function testRoom() {
  test("the bar and the foot cover neither a focused option nor more than half of the screen", async () => {
    await opened();
    const [bar, foot] = [".bar", ".bottom"].map((each) => /** @type {Element} */ (document.querySelector(each)));
    const ends = () => [bar?.getBoundingClientRect().bottom ?? 0, foot?.getBoundingClientRect().top ?? 0];
    const [top = 0, bottom = 0] = ends();
    ok(bottom - top >= innerHeight / 2);
    const options = [...document.querySelectorAll(".option")];
    for (const option of [options[3], options[0]]) {
      /** @type {HTMLElement | null | undefined} */ (option?.querySelector("input"))?.focus();
      const box = option?.getBoundingClientRect();
      const [above = 0, below = 0] = ends();
      ok(box && above <= box.top && box.bottom <= below);
    }
    // Without scrolling, or a pupil takes A to C for all options.
    scrollTo(0, 0);
    ok((options[3]?.getBoundingClientRect().bottom ?? Infinity) <= (ends()[1] ?? 0));
  });
}

/** Where there is room, the bar is one row, so that the question has most of the screen. */
export function testBar() {
  test("the clock, the state of saving and the news stand beside each other, in a quarter of the screen", async () => {
    await opened();
    const [bar, clock, state, news] = [".bar", ".bar .clock", ".bar .state", ".bar .news"].map((each) => document.querySelector(each)?.getBoundingClientRect() ?? new DOMRect());
    ok(bar && bar.height <= innerHeight / 4, `The bar has ${bar?.height} of ${innerHeight} pixels.`);
    for (const [one, other] of [[clock, state], [state, news]]) {
      ok(one && other && one.right <= other.left && one.top < other.bottom && other.top < one.bottom, JSON.stringify([one, other]));
    }
  });
}
