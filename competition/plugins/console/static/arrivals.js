// Rows that arrive while a list is open. They are shown after a click, so that no row moves while it is pressed. This
// module only counts: the page polls, and reads its list again.

import { html, useEffect, useRef, useState } from "../../pages/static/ground/html.js";
import { useReturn } from "../../pages/static/pieces/readings.js";
import { t } from "./words.js";

/**
 * How many rows have been added since a list was read. A list is also read when the user returns to the browser's tab.
 *
 * @param {import("../../pages/static/ground/poll.js").Reading<{ pagination: { count: number } }>} poll Counts the rows.
 * @param {unknown} [reset] When this value changes, the list shows all rows.
 * @returns {{ shown: number | undefined, more: number, show: () => void }} `shown` is the number of rows when the list
 *   was last read. Read the list again when it changes.
 */
export function useArrivals({ value, at }, reset) {
  const count = value?.pagination.count;
  const hasReturned = useRef(false);
  const [shown, set] = useState(/** @type {number | undefined} */ (undefined));
  useEffect(() => set(count), [reset, count === undefined]);
  useReturn(() => {
    hasReturned.current = true;
  });
  useEffect(() => {
    // If a colleague has dealt with rows, there are fewer than shown. Read the list at once, so that they disappear.
    if (hasReturned.current || (count !== undefined && shown !== undefined && count < shown)) set(count);
    hasReturned.current = false;
  }, [at]);
  const more = count !== undefined && shown !== undefined ? Math.max(0, count - shown) : 0;
  return { shown, more, show: () => set(count) };
}

/** @param {{ text: string | false, show: () => void }} props */
export const Arrivals = ({ text, show }) =>
  html`<p role="status" class="arrivals">${text && html`${text} <button type="button" class="button small" onClick=${show}>${t("arrivals.show")}</button>`}</p>`;
