// Keyboard shortcuts: each does the same as a button. This module has no shortcut of its own: components pass them to
// `useKeys`. `KeyList` lists all shortcuts, and the user can switch them off there.

import { h, html, useLayoutEffect, useState } from "../ground/html.js";
import { Dialog } from "./dialog.js";
import { t } from "./words.js";

/** @typedef {{ text: string, act: () => void }} KeyAction */
/** @typedef {Record<string, KeyAction>} KeyMap By key: "a", "?", or two after each other: "g h". */

const OFF = "keys.off";
// How long the second key of a shortcut may take, in milliseconds.
const SECOND = 1_500;
/** @type {Set<{ current: KeyMap }>} */
const maps = new Set();
let first = { key: "", at: 0 };

export const areKeysOn = () => {
  try {
    return localStorage.getItem(OFF) === null;
  } catch {
    return true;
  }
};

/** @param {boolean} on */
export function switchKeys(on) {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  } catch {
    // The browser forbids storage, so the keys stay on.
  }
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !areKeysOn()) return;
  // Shortcuts don't work while the user types, or while a dialog is open. A click on the text of a dialog moves
  // the focus out of the dialog.
  if (document.querySelector("dialog[open]") || (target instanceof Element && target.closest("input:not([type=radio],[type=checkbox]), select, textarea, [contenteditable]"))) return;
  const name = key.length === 1 ? key.toLowerCase() : key;
  const two = Date.now() - first.at < SECOND ? `${first.key} ${name}` : name;
  first = { key: name, at: Date.now() };
  const newest = [...maps].reverse().map((each) => each.current);
  // If a shortcut of two keys ends with this key, it takes precedence over a shortcut of this key alone.
  const found = [two, name].flatMap((wanted) => newest.flatMap((each) => each[wanted] ?? []))[0];
  if (!found) return;
  event.preventDefault();
  first = { key: "", at: 0 };
  found.act();
}

/**
 * Use shortcuts as long as the component is shown. If several components use the same key, the newest one wins.
 *
 * @param {KeyMap} keys
 */
export function useKeys(keys) {
  const [own] = useState({ current: keys });
  own.current = keys;
  useLayoutEffect(() => {
    if (!maps.size) addEventListener("keydown", pressed);
    maps.add(own);
    return () => {
      maps.delete(own);
      if (!maps.size) removeEventListener("keydown", pressed);
    };
  }, []);
}

/**
 * The list of all keys.
 *
 * @param {{ onClose: () => void }} props
 */
export function KeyList({ onClose }) {
  const [on, set] = useState(areKeysOn());
  const all = [...maps].flatMap((each) => Object.entries(each.current));
  const toggle = () => {
    switchKeys(!on);
    set(!on);
  };
  return h(Dialog, { title: t("keys.title"), onClose }, html`<div class="flow">
    <dl class="facts">${all.map(([key, { text }]) => html`<div><dt>${key.split(" ").map((each) => html`<kbd>${each}</kbd> `)}</dt><dd>${text}</dd></div>`)}</dl>
    <label class="choice"><input type="checkbox" checked=${on} onChange=${toggle} /><span>${t("keys.on")}</span></label>
    <div class="acts"><button type="button" class="button" onClick=${onClose}>${t("page.close")}</button></div></div>`);
}
