// Live messages. This module does not know their types: pages name the types that they listen to.
//
// All tabs of a browser share one socket, because a user may have at most five. The tab that has the lock opens the
// socket, and passes its messages on to the other tabs. If that tab is closed, another one opens a socket.
//
// A message may be lost while there is no socket. So after each opening ("open"), pages must read the data that may
// have changed.

import { api, isReached, onReached } from "./api.js";
import * as session from "./session.js";
import { language } from "./texts.js";

/**
 * @typedef {"live" | "asking" | "away"} State `live`: messages arrive. `asking`: pages poll. `away`: no connection.
 */
/** @typedef {{ action: string, data: unknown }} Action */

// The longest pause before a socket is opened again, and the longest one after a restart of the service, in
// milliseconds.
const LONGEST = 60_000;
const RESTART = 20_000;
// The codes with which the service closes a socket.
const ENDED = 4001;
const NOT_AUTHENTICATED = 4401;
const FORBIDDEN = 4403;
const RESTARTS = 1012;
const WRONG = [1008, 1009, 4429];
// The number of seconds to wait, in the reason with which the service closes a socket before a restart.
const SECONDS = /\d+(\.\d+)?/;

let url = "";
let open = false;
/** Whether this tab has the lock. */
let leads = false;
let stopped = true;
/** @type {WebSocket | null} */
let socket = null;
/** @type {BroadcastChannel | undefined} */
let channel;
/** @type {AbortController | undefined} */
let waiting;
/** @type {Map<string, Set<(message: any) => void>>} */
const listeners = new Map();
/**
 * The actions with which this tab follows objects, such as exams. `followed` also has those of the other tabs,
 * if this tab leads.
 *
 * @type {Map<string, Action>}
 */
const own = new Map();
/** @type {Map<string, Action>} */
const followed = new Map();
/** @type {Set<(state: State) => void>} */
const watchers = new Set();

/** @returns {State} */
export const state = () => (open ? "live" : isReached() && navigator.onLine ? "asking" : "away");

/**
 * Call a function when the state may have changed.
 *
 * @param {(state: State) => void} watcher
 */
export function onState(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const changed = () => {
  for (const each of watchers) each(state());
};
onReached(changed);
addEventListener("online", changed);
addEventListener("offline", changed);

/**
 * Call a function for each message of a type, such as "notification_activity", and for "open". After "open",
 * missed messages have to be read.
 *
 * @param {string} type
 * @param {(message: any) => void} listener
 */
export function on(type, listener) {
  const those = listeners.get(type) ?? new Set();
  listeners.set(type, those.add(listener));
  return () => those.delete(listener);
}

/**
 * Send an action once, if there is a socket.
 *
 * @param {string} action
 * @param {unknown} data
 */
export function send(action, data) {
  if (leads) write({ action, data });
  else channel?.postMessage({ kind: "send", action: { action, data } });
}

/**
 * Follow an object, such as ("follow_exam", { exam: 7 }). The action is sent after each opening. Returns a
 * function that stops following.
 *
 * @param {string} action
 * @param {unknown} data
 * @param {string} [ends] The action that stops following it.
 */
export function follow(action, data, ends) {
  const key = JSON.stringify([action, data]);
  own.set(key, { action, data });
  followed.set(key, { action, data });
  if (leads) write({ action, data });
  else channel?.postMessage({ kind: "follow", key, action: { action, data } });
  return () => {
    own.delete(key);
    followed.delete(key);
    // If another tab follows the same object, it answers with all objects that it follows.
    channel?.postMessage({ kind: "unfollow", key });
    if (ends) send(ends, data);
  };
}

/**
 * Open the socket, in this tab or another one, until `stop` is called.
 *
 * @param {string} address The address of the sockets.
 * @param {string} name The name of the front-end.
 */
export function start(address, name) {
  if (!stopped) return;
  url = address;
  stopped = false;
  channel = new BroadcastChannel(`${name}.socket`);
  channel.onmessage = ({ data }) => fromOtherTab(data);
  channel.postMessage({ kind: "hello" });
  waiting = new AbortController();
  const lead = async () => {
    leads = true;
    channel?.postMessage({ kind: "lead" });
    await keepOpen();
    leads = false;
  };
  // Without locks each tab has a socket of its own.
  const locks = /** @type {LockManager | undefined} */ (navigator.locks);
  if (locks) locks.request(`${name}.socket`, { signal: waiting.signal }, lead).catch(() => {});
  else void lead();
}

/** Close the socket of this tab. */
export function stop() {
  stopped = true;
  open = false;
  waiting?.abort();
  socket?.close();
  channel?.close();
  // A page that the user leaves later stops following, and would post that to the closed channel, which throws.
  channel = undefined;
  followed.clear();
  changed();
}

/** @param {any} message */
function fromOtherTab(message) {
  const { kind, key, action } = message;
  if (kind === "frame") deliver(message.type, message.message);
  else if (kind === "state") become(message.open);
  else if (kind === "hello") {
    if (leads) channel?.postMessage({ kind: "state", open });
  } else if (kind === "lead" || (kind === "unfollow" && own.has(key))) {
    for (const [each, value] of own) channel?.postMessage({ kind: "follow", key: each, action: value });
  } else if (leads && kind === "follow" && !followed.has(key)) {
    followed.set(key, action);
    write(action);
  } else if (kind === "unfollow") followed.delete(key);
  else if (leads && kind === "send") write(action);
}

/** @param {boolean} value */
function become(value) {
  const opened = value && !open;
  open = value;
  changed();
  if (opened) deliver("open", null);
}

/**
 * @param {string} type
 * @param {unknown} message
 */
function deliver(type, message) {
  for (const each of listeners.get(type) ?? []) each(message);
}

/** @param {Action} action */
function write(action) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(action));
}

/** Open the socket again whenever it closes, until the session ends or the user may not use it. */
async function keepOpen() {
  let pause = 1000;
  while (!stopped) {
    let closed;
    try {
      const { ticket } = await api.post("/ws/tickets/", {}, undefined);
      if (stopped) return;
      closed = await used(ticket);
    } catch (error) {
      const { status, retryAfter } = /** @type {any} */ (error);
      closed = { code: status === 429 ? 4429 : status === 403 ? FORBIDDEN : 0, reason: String(retryAfter ?? ""), lasted: 0 };
    }
    if (stopped || closed.code === FORBIDDEN) return;
    // Thousands of clients may lose their connection at the same moment, so the pauses are random.
    if (closed.lasted > LONGEST) pause = 1000;
    let wait = Math.random() * pause;
    pause = Math.min(2 * pause, LONGEST);
    if (closed.code === ENDED || closed.code === NOT_AUTHENTICATED) {
      if (!session.user() || !(await session.renew().catch(() => true))) return;
    } else if (closed.code === RESTARTS) wait = Number(SECONDS.exec(closed.reason)?.[0]) * 1000 || Math.random() * RESTART;
    else if (WRONG.includes(closed.code)) wait = LONGEST;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/**
 * Open a socket with a ticket. Resolves when it is closed.
 *
 * @param {string} ticket
 * @returns {Promise<{ code: number, reason: string, lasted: number }>}
 */
function used(ticket) {
  return new Promise((resolve) => {
    const since = Date.now();
    const opened = new WebSocket(`${url}?ticket=${encodeURIComponent(ticket)}&language=${language()}`);
    socket = opened;
    // A socket that the service rejects opens, and is closed at once. So it counts as open only after a moment.
    const settled = () => {
      for (const each of followed.values()) write(each);
      announce(true);
    };
    let timer = 0;
    opened.onopen = () => {
      timer = setTimeout(settled, 200);
    };
    opened.onmessage = ({ data }) => {
      const { type, message } = JSON.parse(data);
      deliver(type, message);
      channel?.postMessage({ kind: "frame", type, message });
    };
    opened.onclose = ({ code, reason }) => {
      clearTimeout(timer);
      announce(false);
      resolve({ code, reason, lasted: Date.now() - since });
    };
  });
}

/** @param {boolean} value */
function announce(value) {
  if (stopped) return;
  become(value);
  channel?.postMessage({ kind: "state", open: value });
}

session.onSession((change) => {
  if (change === "expired" || change === "signed out") stop();
});
