// Hooks and a component about what a page reads, for the pages that need more than `useRead` and `loaded`. They send no
// requests: the page passes its Reading.

import { h, useEffect, useRef, useState } from "../ground/html.js";
import { Failed } from "./states.js";

/**
 * Read again when the user comes back to the page, for results and replies that may have arrived.
 *
 * @param {() => void} again
 */
export function useReturn(again) {
  useEffect(() => {
    const shown = () => document.hidden || again();
    document.addEventListener("visibilitychange", shown);
    return () => document.removeEventListener("visibilitychange", shown);
  }, [again]);
}

/**
 * @template T
 * @typedef {import("../ground/poll.js").Reading<T>} Reading
 */

/**
 * The version of an object that a form shows while the page reads the object again and again. It is the first
 * value that was read and, after each call of `saved`, the next one. All other values are ignored, so that they
 * don't replace the typed text.
 *
 *     const account = useRead(calls.account, []);
 *     const { version, saved } = useVersion(account);
 *     h(Profile, { key: version.etag, ...version, saved })
 *
 * @template T
 * @param {Reading<T>} reading
 * @returns {{ version: T | undefined, saved: () => void }} `saved` also reads again.
 */
export function useVersion(reading) {
  const { value, again } = reading;
  const isWanted = useRef(true);
  const [version, set] = useState(/** @type {T | undefined} */ (undefined));
  useEffect(() => {
    if (value === undefined || !isWanted.current) return;
    isWanted.current = false;
    set(value);
  }, [value]);
  const saved = () => {
    isWanted.current = true;
    again();
  };
  return { version, saved };
}

/**
 * The failure of readings that only add something to a page, such as the title of its exam. Without a failure it
 * shows nothing. Put it beside what `loaded` shows, so that a page explains a failure of the service once.
 *
 * @param {{ readings: Reading<any>[] }} props
 */
export function Unread({ readings }) {
  const failed = readings.filter((each) => each.error && (each.value ?? null) === null);
  const [first] = failed;
  return first ? h(Failed, { error: first.error, again: () => failed.forEach((each) => each.again()) }) : null;
}
