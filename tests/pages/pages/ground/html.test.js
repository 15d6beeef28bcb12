// The hooks of the pages' own.

import { h, html, render, useExternal } from "../../../../competition/plugins/pages/static/ground/html.js";
import { equal, test } from "../../kit/cases.js";
import { screen, waitFor } from "../../kit/screen.js";

/** A value, and who is told of its changes. @param {string} first */
function external(first) {
  /** @type {Set<() => void>} */
  const told = new Set();
  const it = {
    value: first,
    told,
    read: () => it.value,
    subscribe: (/** @type {() => void} */ changed) => {
      told.add(changed);
      return () => told.delete(changed);
    },
    set(/** @type {string} */ value) {
      it.value = value;
      for (const each of told) each();
    },
  };
  return it;
}

test("a component shows each change of a value outside, also one right after it was drawn", async () => {
  const state = external("asking");
  const Shown = () => html`<p role="status">${useExternal(state.subscribe, state.read)}</p>`;
  const shown = () => screen.getByRole("status").textContent;
  render(h(Shown, {}), document.body);
  // No effect has run yet, so nobody is told.
  equal([shown(), state.told.size], ["asking", 0]);
  state.set("live");
  await waitFor(() => equal(shown(), "live"));
  state.set("away");
  await waitFor(() => equal(shown(), "away"));
  render(null, document.body);
  await waitFor(() => equal(state.told.size, 0));
});

test("a component reads again when what it reads by has changed", async () => {
  const state = external("7");
  const Shown = (/** @type {{ most: number }} */ { most }) => html`<p role="status">${useExternal(state.subscribe, () => Math.min(most, Number(state.value)), [most])}</p>`;
  const shown = () => screen.getByRole("status").textContent;
  render(h(Shown, { most: 3 }), document.body);
  equal(shown(), "3");
  render(h(Shown, { most: 9 }), document.body);
  await waitFor(() => equal(shown(), "7"));
});
