// A clock that stands still until the test moves it. It replaces timers, `Date` and `performance.now`.
//
//     const clock = stopClock("2026-03-10T10:00:00Z");
//     await clock.passes(15);

import "./at-once.js";
import sinon from "../../support/vendor/sinon/sinon-esm.js";

// Real timers, for what the browser does in its own time.
const later = globalThis.setTimeout;

/**
 * @param {string} [at]
 */
export function stopClock(at = "2026-03-10T10:00:00Z") {
  // The browser grants locks in its own time, so a test would not know when.
  delete (/** @type {any} */ (Navigator.prototype).locks);
  const clock = sinon.useFakeTimers({
    now: Date.parse(at),
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  return {
    /** The time, in milliseconds since 1970. */
    get now() {
      return Date.now();
    },
    /**
     * Let time pass. Timers run in their order, and promises between them.
     *
     * @param {number} seconds
     */
    passes: (seconds) => clock.tickAsync(Math.round(seconds * 1000)),
    /**
     * Let time pass at once: each timer runs at most once, at the end. It costs the same for a second and for an hour.
     *
     * @param {number} seconds
     */
    jumps: (seconds) => {
      clock.jump(Math.round(seconds * 1000));
      return clock.tickAsync(0);
    },
    /**
     * Let time pass while the page stands still, as on a device that sleeps: timers are late.
     *
     * @param {number} seconds
     */
    sleeps: (seconds) => clock.setSystemTime(Date.now() + seconds * 1000),
    /**
     * Wait until a condition is true. Timers that are due run in the meantime, such as those that draw a page.
     *
     * @template T
     * @param {() => T} isSo
     * @param {string} [what]
     */
    until: (isSo, what = String(isSo)) =>
      until(() => {
        void clock.tickAsync(0);
        return isSo();
      }, what),
    /** End all timers, and use the real clock again. */
    end: () => clock.restore(),
  };
}

/**
 * Wait until a condition is true, also while the clock stands still. Rejects after half a minute.
 *
 * @template T
 * @param {() => T} isSo
 * @param {string} [what]
 * @returns {Promise<T>}
 */
export async function until(isSo, what = String(isSo)) {
  const start = performanceNow();
  for (;;) {
    const found = isSo();
    if (found) return found;
    if (performanceNow() - start > LONGEST) throw new Error(`This did not happen: ${what}`);
    await new Promise((resolve) => later(resolve, 5));
  }
}

const LONGEST = 30_000;
const performanceNow = performance.now.bind(performance);
