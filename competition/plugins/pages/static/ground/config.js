// The configuration of the service for its pages: names, limits, the enabled plugins. It has nothing personal, so it is
// stored for a visit without a connection. This module knows no front-end, and only the path of the configuration.

/** @typedef {import("../types/config.js").components["schemas"]["PagesConfig"]} Config */

// How long to wait for the configuration, in milliseconds.
const TIMEOUT = 6_000;
// How long to wait for the configuration if one from an earlier visit is stored, in milliseconds.
const SHORT_TIMEOUT = 2_500;
const STORED = "pages.config";

/** @type {Config | null} */
let known = null;

/** The configuration of the service. */
export function config() {
  if (!known) throw new Error("The front-end has not started.");
  return known;
}

/**
 * The value of a setting of the service, a number that texts mention. It is 0 if the setting's plugin is disabled.
 *
 * @param {string} name The name of the setting without `competition.`.
 */
export const settingOf = (name) => Number(config().settings?.[name] ?? 0);

/** Read the configuration: at the start, and again when the API rejects its key. */
export async function read() {
  const stored = remember();
  try {
    const reply = await fetch("/pages/config.json", { signal: AbortSignal.timeout(stored ? SHORT_TIMEOUT : TIMEOUT) });
    if (!reply.ok) throw new TypeError(`HTTP ${reply.status}`);
    const text = await reply.text();
    known = JSON.parse(text);
    remember(text);
  } catch (error) {
    // Without a connection, use the stored configuration: the page of an exam must still open.
    if (!stored) throw error;
    known = JSON.parse(stored);
  }
}

/** @param {string} [text] */
function remember(text) {
  try {
    if (text) localStorage.setItem(STORED, text);
    return localStorage.getItem(STORED);
  } catch {
    return null; // The browser forbids storage.
  }
}
