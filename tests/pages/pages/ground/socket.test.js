// Live messages: all tabs of a browser share one socket, which is opened again after it closes.

import { read } from "../../../../competition/plugins/pages/static/ground/config.js";
import { equal, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { Service } from "../../kit/service.js";
import { Browser } from "../../kit/tabs.js";

const clock = stopClock();
const browser = new Browser();
const ADDRESS = "wss://league.example/v1/ws/notifications/";
const HOUR = 3600;

/** @type {Socket[]} */
const opened = [];

class Socket {
  static OPEN = 1;
  readyState = 0;
  /** @type {any[]} What the service has received. */
  received = [];
  /** @type {any} */
  onopen = null;
  /** @type {any} */
  onmessage = null;
  /** @type {any} */
  onclose = null;

  /** @param {string} url */
  constructor(url) {
    this.url = url;
    opened.push(this);
    queueMicrotask(() => {
      this.readyState = 1;
      this.onopen?.();
    });
  }

  /** @param {string} text */
  send(text) {
    this.received.push(JSON.parse(text));
  }

  /** @param {string} type @param {unknown} message */
  pushes(type, message) {
    this.onmessage({ data: JSON.stringify({ type, message }) });
  }

  /** The service closes the socket. @param {number} code @param {string} [reason] */
  ends(code, reason = "") {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }

  close() {
    this.ends(1000);
  }
}

/** The latest socket. */
const socket = () => /** @type {Socket} */ (opened.at(-1));

globalThis.WebSocket = /** @type {any} */ (Socket);
// The pauses before a socket is opened again are random.
Math.random = () => 0.5;
new Service();
await read();
const issued = example("POST /ws/tickets/");
const tickets = { asked: 0, status: 201, body: issued };
// Promises alone read these replies, so they arrive while the clock stands still.
globalThis.fetch = /** @type {any} */ (
  async () => {
    tickets.asked += 1;
    const { status, body } = tickets;
    return { ok: status < 300, status, headers: new Headers({ "Content-Type": "application/json" }), json: async () => body };
  }
);

/** Open a tab, whose socket is open. */
async function open() {
  const tab = await browser.tab("socket.js");
  /** @type {any[]} */
  const seen = [];
  tab.run(({ on, start }) => {
    on("news", (/** @type {unknown} */ message) => seen.push(message));
    on("open", () => seen.push("open"));
    start(ADDRESS, "t");
  });
  await clock.passes(1);
  return Object.assign(tab, { seen });
}

const follows = { action: "follow_exam", data: { exam: 7 } };
const unfollows = { action: "unfollow_exam", data: { exam: 7 } };

test("tabs share a socket, and another one opens it when its tab is closed", async () => {
  const [first, second] = [await open(), await open()];
  equal(opened.map(({ url }) => url), [`${ADDRESS}?ticket=${issued.ticket}&language=en`]);
  socket().pushes("news", 1);
  await clock.passes(0);
  equal([first.seen, second.seen], [["open", 1], ["open", 1]]);
  equal([first.module.state(), second.module.state()], ["live", "live"]);
  const stop = second.run(({ follow }) => follow("follow_exam", { exam: 7 }, "unfollow_exam"));
  await clock.passes(0);
  equal(socket().received, [follows]);
  first.close();
  await clock.passes(1);
  // The tab that now has the socket sends its actions again.
  equal(opened.length, 2);
  equal(socket().received, [follows]);
  second.run(stop);
  equal(socket().received, [follows, unfollows]);
});

test("an object that two tabs follow is followed until both have stopped", async () => {
  const [first, second] = [await open(), await open()];
  const [stop] = [second, first].map((tab) => tab.run(({ follow }) => follow("follow_exam", { exam: 7 })));
  await clock.passes(0);
  second.run(stop);
  socket().ends(1011);
  await clock.passes(1);
  equal(socket().received, [follows]);
});

test("a new socket follows what all tabs follow", async () => {
  const [first, , third] = [await open(), await open(), await open()];
  third.run(({ follow }) => follow("follow_exam", { exam: 7 }));
  first.close();
  await clock.passes(1);
  equal([opened.length, socket().received], [2, [follows]]);
});

test("what was followed may be stopped after the socket was", async () => {
  const tab = await open();
  const stop = tab.run(({ follow }) => follow("follow_exam", { exam: 7 }, "unfollow_exam"));
  tab.run((module) => module.stop());
  tab.run(stop);
  equal([tab.module.state(), opened.length], ["asking", 1]);
});

test("when the service restarts, the page connects at the time that it is given", async () => {
  await open();
  socket().ends(1012, "Restarting. Reconnect in 3600.0 seconds.");
  await clock.passes(HOUR - 1);
  equal(opened.length, 1);
  await clock.passes(2);
  equal(opened.length, 2);
});

test("a closed socket is opened again, and missed messages can be read", async () => {
  const tab = await open();
  socket().ends(1011);
  await clock.passes(1);
  equal(tab.seen, ["open", "open"]);
  equal(opened.length, 2);
});

test("the pauses get longer while the socket does not stay open", async () => {
  Math.random = () => 1;
  await open();
  for (const pause of [1, 2, 4]) {
    const before = opened.length;
    socket().ends(1011);
    await clock.passes(pause - 0.5);
    equal(opened.length, before);
    await clock.passes(1);
    equal(opened.length, before + 1);
  }
});

test("a socket that is rejected is not opened again", async () => {
  const tab = await open();
  socket().ends(4403, "permission_denied");
  await clock.passes(HOUR);
  equal(tab.module.state(), "asking");
  equal(opened.length, 1);
});

test("a user who gets no ticket polls instead", async () => {
  Object.assign(tickets, { status: 403, body: { code: "permission_denied", detail: "No." } });
  const tab = await open();
  await clock.passes(HOUR);
  equal(tab.module.state(), "asking");
  equal([opened.length, tickets.asked], [0, 1]);
});

test("a session that has ended opens no socket", async () => {
  await open();
  socket().ends(4001);
  await clock.passes(HOUR);
  equal(opened.length, 1);
});
