// The version of an object that a form shows.

import { useEffect, useRef, useState } from "../ground/html.js";

/**
 * @template T
 * @typedef {import("./states.js").Reading<T>} Reading
 */

/**
 * What a form shows of something that is read again while the user types: the first reading, and the one after
 * `saved` was called. Other readings don't replace what was typed.
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
