// Reading from the API: once, or again and again (polling).
//
//     const exams = useRead(() => api.get("/exams/"), []);
//     const counts = usePoll("/exams/{exam_id}/invigilation/", { exam_id }, 5);
//
// Both return a Reading. This module does not know how a Reading is shown: `loaded` of `pieces/states.js` does that.

import { address, onReached, request, Unreachable } from "./api.js";
import { useCallback, useEffect, useRef, useState } from "./html.js";
import { onSession } from "./session.js";

/** @import { paths } from "../types/api.js" */
/** @import { Params, Path, Reply } from "./api.js" */

/**
 * The state of something that is read from the API: the value of the last success, and the error if a later try
 * has failed. `at` is when the value was read, in milliseconds.
 *
 * @template T
 * @typedef {{ value: T | undefined, at: number | null, error: unknown, busy: boolean, again: () => void }} Reading
 */
/** @typedef {{ value: any, at: number | null, error: unknown, etag: string | null, failures: number, busy: boolean, isOld: boolean, timer: any, abort: AbortController, watchers: Map<() => void, number>, now: () => void }} Shared */

// The longest pause after failures, in milliseconds. All pauses vary at random by the share `SPREAD`.
const LONGEST = 120_000;
const SPREAD = 0.2;
// The pause before something is read again that could not be read without a connection, in milliseconds. It doubles
// with each failure.
const FIRST = 10_000;
// The longest delay that setTimeout accepts, in milliseconds.
const NEVER = 2 ** 31 - 1;

/** @type {Map<string, Shared>} */
const all = new Map();

/**
 * Poll a path as long as it has watchers, and the page is visible. All watchers of the same address share one
 * request.
 *
 * @param {string} path
 * @param {Record<string, any>} params
 * @param {number} every How often to poll, in seconds.
 * @param {() => void} watcher Called after each change of the reading.
 */
export function poll(path, params, every, watcher) {
  const key = address(path, params);
  const shared = all.get(key) ?? begin(path, params);
  all.set(key, shared);
  shared.watchers.set(watcher, every);
  if (shared.at === null && !shared.busy) shared.now();
  else plan(shared);
  return {
    reading: shared,
    /** @param {number} seconds */
    pace(seconds) {
      shared.watchers.set(watcher, seconds);
      plan(shared);
    },
    stop() {
      shared.watchers.delete(watcher);
      if (shared.watchers.size) return;
      clearTimeout(shared.timer);
      shared.abort.abort();
      if (all.get(key) === shared) all.delete(key);
    },
  };
}

/**
 * Read a path again now, in all polls of it, because the user has changed its data.
 *
 * @param {Path<"get">} path A path without parameters in it.
 */
export function changed(path) {
  for (const [key, each] of all) if (key.split("?")[0] === address(path, {})) each.now();
}

/**
 * @param {string} path
 * @param {Record<string, any>} params
 */
function begin(path, params) {
  /** @type {Shared} */
  const shared = {
    ...{ value: undefined, at: null, error: null, etag: null, failures: 0, busy: false, isOld: false, timer: undefined },
    abort: new AbortController(),
    watchers: new Map(),
    now: () => void read(shared, path, params),
  };
  return shared;
}

/**
 * @param {Shared} shared
 * @param {string} path
 * @param {Record<string, any>} params
 */
async function read(shared, path, params) {
  // The reply to a request under way may be from before the change after which the caller wants to read again.
  shared.isOld = shared.busy;
  if (shared.busy) return;
  clearTimeout(shared.timer);
  shared.busy = true;
  tell(shared);
  try {
    // A failed request is retried only while there is no value yet. Afterwards, the page shows the failure, and
    // the next poll is the retry.
    const options = { retry: shared.at === null, signal: shared.abort.signal };
    const reply = await request("get", path, params, undefined, shared.etag ? { ...options, ifNoneMatch: shared.etag } : options);
    if (reply.status !== 304) ({ body: shared.value, etag: shared.etag } = reply);
    Object.assign(shared, { at: Date.now(), error: null, failures: 0 });
  } catch (error) {
    if (shared.abort.signal.aborted) return;
    shared.error = error;
    shared.failures += 1;
  } finally {
    shared.busy = false;
  }
  tell(shared);
  if (shared.isOld && !shared.error) shared.now();
  else plan(shared);
}

/** @param {Shared} shared */
function tell(shared) {
  for (const each of shared.watchers.keys()) each();
}

/** @param {Shared} shared */
function plan(shared) {
  clearTimeout(shared.timer);
  if (shared.busy || document.hidden) return;
  const every = Math.min(...shared.watchers.values()) * 1000;
  const pause = shared.failures ? Math.min(every * 2 ** shared.failures, Math.max(every, LONGEST)) : every;
  const spread = pause * (1 - SPREAD + 2 * SPREAD * Math.random());
  // The page waits for the service's Retry-After, even if it is longer.
  const retry = (/** @type {any} */ (shared.error)?.retryAfter ?? 0) * 1000;
  shared.timer = setTimeout(shared.now, Math.min(Math.max(spread, retry), NEVER));
}

document.addEventListener("visibilitychange", () => {
  for (const each of all.values()) {
    if (document.hidden) clearTimeout(each.timer);
    else each.now();
  }
});

// Delete all values, because the next user must not see what this user has read.
onSession((change) => {
  if (change === "signed out") all.clear();
});

/**
 * Read something when the page appears, when `inputs` change, and when `again` is called. If there is no connection,
 * read again when it is back.
 *
 * @template T
 * @param {() => Promise<T>} read
 * @param {readonly unknown[]} inputs The values that the request depends on.
 * @returns {Reading<T>}
 */
export function useRead(read, inputs) {
  const [state, set] = useState(/** @type {Omit<Reading<T>, "again">} */ ({ value: undefined, at: null, error: null, busy: true }));
  const newest = useRef(0);
  const failures = useRef(0);
  const again = useCallback(() => {
    const turn = ++newest.current;
    set((before) => ({ ...before, busy: true }));
    read().then(
      (value) => {
        if (turn !== newest.current) return;
        failures.current = 0;
        set({ value, at: Date.now(), error: null, busy: false });
      },
      (error) => {
        if (turn !== newest.current) return;
        failures.current += 1;
        set((before) => ({ ...before, error, busy: false }));
      },
    );
  }, inputs);
  useEffect(() => {
    again();
    return () => {
      newest.current += 1;
    };
  }, [again]);
  useEffect(() => (state.error instanceof Unreachable ? whenConnected(again, failures.current) : undefined), [state.error, again]);
  return { ...state, again };
}

/**
 * Call a function when the device has a connection again, or after a pause. After the first failure, call it also when
 * the service replies to another request. After further failures, the pauses protect a service that has too many
 * requests.
 *
 * @param {() => void} again
 * @param {number} failures How often the request has failed.
 */
function whenConnected(again, failures) {
  const pause = Math.min(FIRST * 2 ** (failures - 1), LONGEST);
  const timer = setTimeout(again, pause * (1 - SPREAD + 2 * SPREAD * Math.random()));
  const stop = onReached((reached) => reached && failures === 1 && again());
  addEventListener("online", again);
  return () => {
    clearTimeout(timer);
    stop();
    removeEventListener("online", again);
  };
}

/**
 * Poll a path while the page shows the component.
 *
 * @template {Path<"get">} P
 * @param {P} path
 * @param {Params<paths[P]["get"]>} params
 * @param {number} every How often to poll, in seconds.
 * @param {boolean} [when] Whether to poll now. Set it to false instead of skipping the call: a component must
 *   always call its hooks.
 * @returns {Reading<Reply<paths[P]["get"]>>}
 */
export function usePoll(path, params, every, when = true) {
  const [, redraw] = useState(0);
  const polling = useRef(/** @type {ReturnType<typeof poll> | null} */ (null));
  const key = address(path, params);
  useEffect(() => {
    if (!when) return undefined;
    const { stop } = (polling.current = poll(path, params, every, () => redraw((before) => before + 1)));
    redraw((before) => before + 1);
    return () => {
      polling.current = null;
      stop();
    };
  }, [key, when]);
  // A new pace only changes the timer. If it started a new poll instead, and the pace depended on the value, requests
  // would follow each other without a pause.
  useEffect(() => polling.current?.pace(every), [every]);
  const { value, at = null, error = null, busy = true, now = () => {} } = polling.current?.reading ?? {};
  return { value, at, error, busy, again: now };
}
