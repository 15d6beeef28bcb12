// Templates, components and hooks, in one import. No other module knows Preact and htm.
//
// Write elements in templates: html`<p class="muted">${text}</p>`. Call your components with h():
// ${h(Tag, { kind: "ok" }, text)}. tsc checks the props of h(), and can't see inside a template.

import htm from "../vendor/htm.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { h } from "../vendor/preact.js";

/** @typedef {import("../vendor/preact.js").ComponentChildren} Children */
/** @typedef {import("../vendor/preact.js").VNode<any>} VNode */

/** @type {(strings: TemplateStringsArray, ...values: any[]) => VNode} */
export const html = /** @type {any} */ (htm.bind(h));

export { Component, createContext, Fragment, h, render } from "../vendor/preact.js";
export {
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "../vendor/hooks.js";

/**
 * A value that changes outside of the components, such as the state of the connection. The component is drawn again
 * after each change.
 *
 * @template T
 * @param {(changed: () => void) => () => unknown} subscribe Calls a function after each change, until the function
 *   that it returns is called.
 * @param {() => T} read
 * @param {readonly unknown[]} [inputs] What `subscribe` and `read` depend on.
 * @returns {T}
 */
export function useExternal(subscribe, read, inputs = []) {
  const [value, set] = useState(read);
  useEffect(() => {
    const changed = () => set(() => read());
    const stop = subscribe(changed);
    // The value may have changed between the drawing and this effect. `subscribe` reports only later changes.
    changed();
    return () => void stop();
  }, inputs);
  return value;
}
