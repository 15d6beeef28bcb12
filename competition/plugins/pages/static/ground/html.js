// Templates, components and hooks, in one import.
//
// Write elements in templates: html`<p class="muted">${text}</p>`. Call own components with h():
// ${h(Tag, { kind: "ok" }, text)}. tsc checks the props of h(), and can't see inside a template.

import htm from "../vendor/htm.js";
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
