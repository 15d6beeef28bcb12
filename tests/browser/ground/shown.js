// What the modules of the page of examples share: the texts, rejected requests, and presses in place of a user's.

import { Refused } from "../../pages/static/ground/api.js";
import { html, useEffect, useRef } from "../../pages/static/ground/html.js";
import { catalogue } from "../../pages/static/ground/texts.js";

/** @import { Children } from "../../pages/static/ground/html.js" */

export const t = catalogue({ en: () => import("./texts.en.js"), fr: () => import("./texts.fr.js") });

/**
 * What a request rejects with if the service has rejected it.
 *
 * @param {number} status
 * @param {{ code?: string, detail?: string, errors?: Record<string, any> }} [body]
 * @param {Record<string, string>} [headers]
 */
export const refused = (status, body = {}, headers = {}) => new Refused(status, body, new Headers({ "X-Request-Id": "8c1f0a", ...headers }));

/** A request that is never answered. */
export const unanswered = () => new Promise(() => {});

/**
 * Press what the selectors find, one after the other, each as soon as it is there. Returns a function that gives up.
 *
 * @param {Element} place
 * @param {string[]} selectors
 */
export function press(place, selectors) {
  const left = [...selectors];
  const next = () => {
    const found = left[0] ? place.querySelector(left[0]) : null;
    if (!(found instanceof HTMLElement)) return;
    left.shift();
    found.click();
  };
  const observer = new MutationObserver(next);
  observer.observe(place, { childList: true, subtree: true });
  next();
  return () => observer.disconnect();
}

/**
 * Pieces that show a state only after a press.
 *
 * @param {{ on: string[], children?: Children }} props
 */
export function Pressed({ on, children }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => (place.current ? press(place.current, on) : undefined), []);
  return html`<div class="flow" ref=${place}>${children}</div>`;
}
