// The tests of a file, and how to run one of them:
//
//     test("a choice is saved", async () => { … });
//
// Each test runs in a document of its own, so modules start in their first state. A failed test throws.

import { options } from "../../../competition/plugins/pages/static/vendor/preact.js";

// Effects run right after the drawing, and not after a frame, whose moment the browser chooses.
/** @type {any} */ (options).requestAnimationFrame = queueMicrotask;

/** @type {Map<string, () => unknown>} */
const cases = new Map();
/** @type {Set<() => unknown>} What to check after a test, for example that every request was expected. */
const checks = new Set();

/** @param {string} name @param {() => unknown} run */
export function test(name, run) {
  if (cases.has(name)) throw new Error(`Two tests are called ${name}.`);
  cases.set(name, run);
}

/**
 * Call a function after the test. The test fails if it throws.
 *
 * @param {() => unknown} check
 */
export const afterwards = (check) => void checks.add(check);

/** The names of all tests of the document's file. */
export const names = () => [...cases.keys()];

/**
 * Run a test. Resolves to the error, as a text, or null.
 *
 * @param {string} name
 */
export async function run(name) {
  try {
    await cases.get(name)?.();
    for (const check of checks) await check();
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.message}\n${error.stack}` : String(error);
  }
}

/**
 * Whether two values are the same as JSON. Keys may stand in another order.
 *
 * @param {unknown} found
 * @param {unknown} expected
 * @param {string} [what]
 */
export function equal(found, expected, what = "") {
  const [one, other] = [found, expected].map((each) => JSON.stringify(sorted(each), null, 1));
  if (one !== other) throw new Error(`${what}\nfound    ${one}\nexpected ${other}`);
}

/**
 * @param {unknown} is
 * @param {string} [what]
 */
export function ok(is, what = "The condition is false.") {
  if (!is) throw new Error(what);
}

/** @param {any} value @returns {any} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
