// A moment as an element, also in a table. It is in a module of its own, because the page of an exam has none, and has to
// stay small.

import * as dates from "../ground/dates.js";
import { createContext, html, useContext, useLayoutEffect } from "../ground/html.js";
import { t } from "./words.js";

/** In a table, a function that says that a cell has the league's time, too. The table then names its zone once. */
export const inTable = createContext(/** @type {((hasLeagueTime: true) => void) | null} */ (null));

/**
 * A moment in the reader's time zone, and below it in the league's if that shows another time.
 *
 * @param {object} props
 * @param {string | null} props.at
 * @param {string} [props.none]
 * @param {(at: dates.Moment) => string} [props.shown] The function of dates.js that writes the reader's time.
 */
export function When({ at, none = "-", shown = dates.when }) {
  const tell = useContext(inTable);
  const there = at ? dates.leagueTime(at) : null;
  useLayoutEffect(() => {
    if (there) tell?.(true);
  }, [there, tell]);
  if (!at) return html`<span>${none}</span>`;
  return html`<span class="when"><time datetime=${at} class="numbers">${shown(at)}</time>
    ${there && html` <span class="small muted">${tell ? `(${there})` : t("page.there", { time: there, city: dates.city() })}</span>`}</span>`;
}
