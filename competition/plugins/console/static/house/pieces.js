// The parts of the pages about the service itself.

import { t } from "./words.js";

/**
 * @param {Record<string, readonly [string, Parameters<typeof t>[0]]>} all
 * @returns {[string, string][]}
 */
export const states = (all) => Object.entries(all).map(([value, [, words]]) => [value, t(words)]);
