// The parts that the pages about the service share: the choice of a state. This module sends no requests.

import { t } from "./words.js";

/**
 * @param {Record<string, readonly [string, Parameters<typeof t>[0]]>} all
 * @returns {[string, string][]}
 */
export const states = (all) => Object.entries(all).map(([value, [, words]]) => [value, t(words)]);
