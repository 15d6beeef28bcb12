// Actions on several selected rows, for which the API has no request of its own: one request follows the other. This
// module does not know the request: the caller passes a function for one row.

import { Refused } from "../ground/api.js";
import { h, html, useEffect, useState } from "../ground/html.js";
import { Act } from "./act.js";
import { confirm } from "./dialog.js";
import { t } from "./more/words.js";
import { notice } from "./notice.js";
import { explained } from "./states.js";

// The most rows of one action: a third of the requests that members of staff may send per minute.
const MOST_ROWS = 100;
// The reasons of failures are shown for at most this many rows.
const REASONS = 5;
// The statuses with which the API rejects the action for one row. With others, such as 401, 429 and 503, it would
// reject the next rows too.
const OWN = [400, 403, 404, 409, 412];

/** @import { Selection } from "./list.js" */

/**
 * The button of an action on the selected rows. If too many rows are selected, a sentence says so.
 *
 * @param {{ selection: Selection, act: () => Promise<unknown>, text: string }} props `text` has the number of rows.
 */
export const ActOnRows = ({ selection, act, text }) => (selection.count > MOST_ROWS
  ? html`<span class="small">${t("each.tooMany", { count: MOST_ROWS })}</span>`
  : h(Act, { act }, text));

/**
 * Ask before an action on several things, and then do it for one after the other. Afterwards a notice says for how
 * many it was done, and another notice names the things for which the API has rejected it, with the reason. If the
 * service can't be reached, the dialog stays, and its button continues with the things that are left.
 *
 *     const changed = await confirmEach({
 *       title: t("house.retryThem", { count }), what: t("house.retryWhat"), verb: t("house.retryThem", { count }),
 *       items: await selection.rows(), name: (job) => job.name,
 *       act: (job) => calls.retryJob(job.id), done: (count) => t("house.retriedThem", { count }),
 *     });
 *
 * @template T
 * @param {object} options
 * @param {string} options.title
 * @param {string} options.what The consequences.
 * @param {string} options.verb The text of the button: a verb and the number.
 * @param {T[]} options.items
 * @param {(item: T) => string} options.name
 * @param {(item: T) => Promise<unknown>} options.act
 * @param {(count: number) => string} options.done The notice afterwards.
 * @returns {Promise<boolean>} Whether anything was tried.
 */
export async function confirmEach({ title, what, verb, items, name, act, done }) {
  let count = 0;
  let at = 0;
  /** @type {{ name: string, reason: string }[]} */
  const failed = [];
  const progress = { show: /** @type {(at: number) => void} */ (() => {}) };
  await confirm({
    title,
    what: html`${what} ${h(Progress, { progress, total: items.length })}`,
    verb,
    items: items.map(name),
    act: async () => {
      for (; at < items.length; at++) {
        progress.show(at);
        const item = /** @type {T} */ (items[at]);
        try {
          await act(item);
          count++;
        } catch (error) {
          if (!isOwn(error)) throw error;
          failed.push({ name: name(item), reason: explained(error).what });
        }
      }
      return true;
    },
  });
  if (count) notice({ text: done(count) });
  reportFailures(failed);
  return count + failed.length > 0;
}

/**
 * Whether the API has rejected an action for one thing only, so that the next thing can be tried.
 *
 * @param {unknown} error
 */
const isOwn = (error) => error instanceof Refused && OWN.includes(error.status);

/**
 * A notice that names the things for which an action has failed, with the reasons of the first ones.
 *
 * @param {{ name: string, reason: string }[]} failed
 */
export function reportFailures(failed) {
  if (!failed.length) return;
  const named = failed.slice(0, REASONS).map(({ name, reason }) => t("each.reason", { name, reason: reason.replace(/\.$/, "") })).join(" ");
  notice({ kind: "warn", text: `${t("each.failed", { count: failed.length })} ${named}` });
}

/** @param {{ progress: { show: (at: number) => void }, total: number }} props */
function Progress({ progress, total }) {
  const [at, show] = useState(0);
  useEffect(() => {
    progress.show = show;
  }, []);
  return html`<span role="status" class="numbers">${at > 0 && t("each.progress", { done: at, total })}</span>`;
}
