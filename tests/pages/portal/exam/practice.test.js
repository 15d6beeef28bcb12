// The practice exam, which has a pretended service and a clock of its own.

import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { go, open } from "../../kit/front-end.js";
import { click, screen, within } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";

const STORED = "practice.service";

/** Start the practice exam, and let it save B for the first question. */
async function practised() {
  const clock = stopClock();
  Math.random = () => 0.01;
  const device = { isOnline: true };
  Object.defineProperty(navigator, "onLine", { configurable: true, get: () => device.isOnline });
  await open("/practice", { service: new Service() });
  const it = {
    clock,
    device,
    /** @param {string} role @param {string | RegExp} name @param {any} [where] @returns {Promise<any>} */
    shows: (role, name, where = screen) => clock.until(() => where.queryAllByRole(role, { name })[0], `${role} ${name}`),
    /** Wait for a text on the page, also one for screen readers. @param {string} text */
    says: (text) => clock.until(() => document.body.textContent?.includes(text), `the text ${text}`),
    /** Wait for a text in the bar, about saving. @param {string} text */
    bar: (text) => clock.until(() => document.querySelector(".bar .state")?.textContent?.includes(text), `the bar: ${text}`),
  };
  click(await it.shows("button", "Start"));
  await clock.passes(1);
  click(await it.shows("radio", /^B, /));
  await clock.passes(3);
  await it.bar("Your answer is saved at");
  return it;
}

test("the practice exam calls nothing saved while the device is offline", async () => {
  const it = await practised();
  it.device.isOnline = false;
  // Nothing has been sent since. The question before submitting knows that there is no connection.
  click(await it.shows("link", "All questions"));
  click(await it.shows("button", "Submit now"));
  const dialog = await it.shows("dialog", "Submit now?");
  ok(dialog.textContent.includes("You have no connection."), dialog.textContent);
  click(within(dialog).getByRole("button", { name: "Keep working" }));
  location.hash = "2";
  await it.says("Question 2 of 10");
  click(await it.shows("radio", /^C, /));
  await it.clock.passes(5);
  await it.bar("One answer saved on this device only.");
  equal(JSON.parse(sessionStorage.getItem(STORED) ?? "").saved, { 1: "B" });
  // A page that is opened without a connection does not promise to send the answer soon.
  await go("/");
  await go("/practice");
  await it.clock.passes(0.1);
  await it.bar("No connection.");
  it.device.isOnline = true;
  dispatchEvent(new Event("online"));
  await it.clock.passes(3);
  await it.bar("All 2 answers saved at");
  equal(JSON.parse(sessionStorage.getItem(STORED) ?? "").saved, { 1: "B", 2: "C" });
});

test("the practice exam warns and ends by its own clock", async () => {
  const it = await practised();
  for (const [minutes, text] of /** @type {const} */ ([[5, "5 minutes left."], [4, "One minute left."]])) {
    equal(document.body.textContent?.includes(text), false, text);
    await it.clock.jumps(minutes * 60);
    await it.says(text);
  }
  await it.shows("navigation", "Questions");
  await it.clock.jumps(60);
  await it.clock.passes(30);
  await it.says("The league has received your answer to one of 10 questions.");
});

test("the practice exam names the answer that only the lost device had", async () => {
  const it = await practised();
  click(await it.shows("button", "Pretend the connection is lost"));
  location.hash = "2";
  await it.says("Question 2 of 10");
  click(await it.shows("radio", /^C, /));
  click(await it.shows("button", "Pretend this device is lost"));
  await it.clock.passes(1);
  await it.says("Your latest choice in question 2 was on the lost device only: choose it again.");
  click(await it.shows("radio", /^C, /));
  await it.says("sent your saved answers");
  await it.clock.passes(3);
  await it.bar("All 2 answers saved at");
  ok(!document.body.textContent?.includes("lost device only"));
});
