// Reading from the API: once, or again and again.

import { Unreachable } from "../../../../competition/plugins/pages/static/ground/api.js";
import { read as readConfig } from "../../../../competition/plugins/pages/static/ground/config.js";
import { h, html, render, useEffect, useState } from "../../../../competition/plugins/pages/static/ground/html.js";
import * as polls from "../../../../competition/plugins/pages/static/ground/poll.js";
import { equal, test } from "../../kit/cases.js";
import { stopClock, until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { lost, Reply, Service } from "../../kit/service.js";

const clock = stopClock();
const EXAM = "GET /exams/{exam_id}/";
const PATH = "/exams/{exam_id}/";
const AN_HOUR = 3600;
// Pauses vary at random by a fifth. This makes them exact.
Math.random = () => 0.5;

/** @type {number[]} When the exam was asked for, in seconds since the beginning. */
const polled = [];
const began = clock.now;
const service = new Service({
  [EXAM]: (/** @type {any} */ { headers }) => {
    polled.push((clock.now - began) / 1000);
    return headers.get("If-None-Match") ? new Reply(304, undefined) : new Reply(200, example(EXAM, { title: "Round 1" }), { ETag: '"7"' });
  },
});

await readConfig();

/** @param {number} count */
const isPolled = (count) => until(() => polled.length >= count, `${count} requests`);

/** @param {boolean} isHidden */
function hide(isHidden) {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Wait until a poll has its reply. @param {any} poll */
const read = (poll) => until(() => poll.reading.value && !poll.reading.busy);

test("polls share a request, send the ETag, and stop when nobody watches", async () => {
  const [first, second] = [polls.poll(PATH, { exam_id: 7 }, 5, () => {}), polls.poll(PATH, { exam_id: 7 }, 1, () => {})];
  await read(first);
  for (const count of [2, 3]) {
    await clock.passes(1);
    await isPolled(count);
    await read(first);
  }
  equal(polled, [0, 1, 2]);
  equal(second.reading.value.title, "Round 1");
  equal(service.asked.map(({ headers }) => headers.get("If-None-Match")), [null, '"7"', '"7"']);
  for (const each of [first, second]) each.stop();
  await clock.passes(AN_HOUR);
  equal(polled.length, 3);
});

test("a change of the pace keeps the value, and sends no request", async () => {
  const Paced = () => {
    const [every, pace] = useState(3600);
    const { value } = polls.usePoll(PATH, { exam_id: 7 }, every);
    useEffect(() => pace(value ? 1800 : 3600), [value]);
    return html`<p>${value?.title} ${every}</p>`;
  };
  render(h(Paced, {}), document.body);
  await clock.until(() => document.body.textContent === "Round 1 1800");
  equal(polled.length, 1);
  await clock.passes(1801);
  await isPolled(2);
});

test("polls stop while the page is hidden, and go on at once when it is shown", async () => {
  const one = polls.poll(PATH, { exam_id: 7 }, 1800, () => {});
  // The reply arrives when the page is hidden.
  hide(true);
  await read(one);
  await clock.passes(AN_HOUR);
  equal(polled.length, 1);
  hide(false);
  await isPolled(2);
  await read(one);
  hide(true);
  await clock.passes(AN_HOUR);
  equal(polled.length, 2);
  hide(false);
  await isPolled(3);
  await read(one);
  await clock.passes(1801);
  await isPolled(4);
});

test("after failures, the pauses get longer, and a Retry-After is respected", async () => {
  const one = polls.poll(PATH, { exam_id: 7 }, 10, () => {});
  await read(one);
  const failed = async (/** @type {any} */ reply) => {
    const { failures } = /** @type {any} */ (one.reading);
    service.replies[EXAM] = () => {
      polled.push((clock.now - began) / 1000);
      return reply();
    };
    return () => until(() => one.reading.failures === failures + 1 && !one.reading.busy);
  };
  for (const pause of [10, 20, 40]) {
    const isOver = await failed(lost);
    await clock.passes(pause);
    await isOver();
  }
  equal(polled, [0, 10, 30, 70]);
  // The last value stays.
  equal(one.reading.value.title, "Round 1");
  const isOver = await failed(() => new Reply(429, { code: "throttle_exceeded", detail: "Slow down." }, { "Retry-After": "600" }));
  await clock.passes(80);
  await isOver();
  await clock.passes(599);
  equal(polled.length, 5);
  await clock.passes(2);
  await isPolled(6);
});

test("a change by the user is read at once", async () => {
  const one = polls.poll("/exams/", {}, AN_HOUR, () => {});
  await read(one);
  polls.changed("/exams/");
  await until(() => service.sent("GET /exams/").length === 2);
});

test("a change during a request is read after its reply, once", async () => {
  const before = service.sent("GET /exams/").length;
  const one = polls.poll("/exams/", {}, AN_HOUR, () => {});
  polls.changed("/exams/");
  polls.changed("/exams/");
  await until(() => service.sent("GET /exams/").length === before + 2);
  await read(one);
  await clock.passes(60);
  equal(service.sent("GET /exams/").length, before + 2);
});

test("what a page has not read without a connection is read when it is back", async () => {
  let tries = 0;
  const title = async () => {
    tries += 1;
    if (tries === 1) throw new Unreachable("There was no reply.");
    return "Round 1";
  };
  const Title = () => {
    const { value, error } = polls.useRead(title, []);
    return html`<p>${error ? "failed" : value}</p>`;
  };
  render(h(Title, {}), document.body);
  await clock.until(() => document.body.textContent === "failed");
  dispatchEvent(new Event("online"));
  await clock.until(() => document.body.textContent === "Round 1");
  equal(tries, 2);
});
