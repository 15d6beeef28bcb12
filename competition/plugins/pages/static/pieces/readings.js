// Hooks about what a page reads, for the pages that need more than `useRead`.

import { useEffect, useRef, useState } from "../ground/html.js";

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
 * @typedef {import("./states.js").Reading<T>} Reading
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
