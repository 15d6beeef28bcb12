// The actions of the audit trail in words. This module knows the texts of actions, and nothing else of an entry.

import { t } from "./words.js";

/**
 * An action in words. Actions of third-party plugins are shown as they are recorded.
 *
 * @param {string} action
 */
export function actWords(action) {
  const key = `audit.${action}`;
  const words = t(/** @type {"audit.exam.create"} */ (key));
  // A catalogue returns the key of a text that it does not have.
  return words.includes(key) ? action : words;
}
