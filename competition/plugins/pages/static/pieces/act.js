// Buttons whose action takes a moment. This module knows no action: the caller passes a function, which sends the request.

import { newKey } from "../ground/api.js";
import { h, html, useRef, useState } from "../ground/html.js";
import { Failed } from "./states.js";

/** @import { Children } from "../ground/html.js" */

/**
 * A button whose action takes a moment. While the action runs, the button can't be pressed again. If the action
 * fails, the reason is shown below the button. `kind` is "bad" if the button opens a `confirm` with `danger`: the
 * button has red words, and that of the dialog is filled with red. Buttons in the rows of a list are an exception: a
 * column of red buttons would alarm.
 *
 * @param {{ act: (key: string) => Promise<unknown>, kind?: "first" | "bad" | "", children?: Children }} props
 */
export function Act({ act, kind = "", children }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const key = useRef("");
  const run = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    key.current ||= newKey();
    try {
      await act(key.current);
      key.current = "";
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return html`<button type="button" class=${`button ${kind}`} aria-disabled=${busy} onClick=${run}>${children}</button>
    ${Boolean(error) && h(Failed, { error })}`;
}
