// Addresses and pages. A front-end has one document, with the routes that `routes.json` declares:
//
//     { "path": "/exams/:id", "module": "exam/exam.js", "page": "Exam" }
//
// A page is a component with the properties { params, query }. Plain links work: the router handles clicks on links
// that match a route, and leaves all others to the browser. The router does not know the session: `pieces/start.js`
// acts on `open` and `stays`.

import { useLayoutEffect, useState } from "./html.js";
import { loaded } from "./texts.js";

/** @import { Children } from "./html.js" */

/** @typedef {{ params: Record<string, string>, query: URLSearchParams }} PageProps */
/** @typedef {(props: PageProps) => Children} PageComponent */
/**
 * @typedef {object} Route
 * @property {string} path The address below the prefix. `:name` is a parameter.
 * @property {() => Promise<PageComponent>} load Loads the module of the page.
 * @property {boolean} [open] Whether the page needs no session.
 * @property {boolean} [stays] Whether the page stays when the session ends. The page of an exam stays.
 */
/**
 * The page that the browser shows. If there is no page, `problem` is the reason: the page could not be loaded
 * ("updated"), or no route matches the address ("missing").
 *
 * @typedef {{ route: Route | null, page: PageComponent | null, problem: "updated" | "missing" | null, params: Record<string, string>, query: URLSearchParams, path: string }} Place
 */

// The pauses before a module is requested again, in milliseconds. During an update, both the old and the new
// release may answer requests.
const PAUSES = [700, 2_000];

/** @type {Route[]} */
let routes = [];
let prefix = "/";
/** @type {Place} */
let place = { route: null, page: null, problem: null, params: {}, query: new URLSearchParams(), path: "" };
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {Set<() => Promise<boolean>>} */
const guards = new Set();
/** The position in the browser's history, to return to it if the user stays on a page. */
let index = 0;
let turn = 0;
/**
 * Where to scroll once the new page has its heading, in pixels. Null if no new page is expected.
 *
 * @type {number | null}
 */
let arriving = null;
/** @type {Map<number, number>} */
const scrolled = new Map();

/**
 * Find the route of a path, and its parameters. A route without parameters wins.
 *
 * @template {{ path: string }} R
 * @param {R[]} table
 * @param {string} path The address below the prefix.
 * @returns {{ route: R, params: Record<string, string> } | null}
 */
export function match(table, path) {
  const parts = split(path);
  const found = table
    .map((route) => ({ route, params: compare(split(route.path), parts) }))
    .filter((each) => each.params !== null)
    .sort((one, other) => Object.keys(one.params ?? {}).length - Object.keys(other.params ?? {}).length);
  return /** @type {any} */ (found[0] ?? null);
}

/** @param {string} path */
const split = (path) => path.split("/").filter(Boolean);

/**
 * @param {string[]} pattern
 * @param {string[]} parts
 */
function compare(pattern, parts) {
  if (pattern.length !== parts.length) return null;
  /** @type {Record<string, string>} */
  const params = {};
  for (const [at, each] of pattern.entries()) {
    const part = parts[at] ?? "";
    if (each.startsWith(":")) {
      try {
        params[each.slice(1)] = decodeURIComponent(part);
      } catch {
        return null; // In an address that the user typed, anything may follow a percent sign.
      }
    } else if (each !== part) return null;
  }
  return params;
}

/**
 * The routes that the document declares: those of `routes.json`, and those of other plugins.
 *
 * @returns {Route[]}
 */
export function declared() {
  /** @type {(Omit<Route, "load"> & { module: string, page: string })[]} */
  const routes = JSON.parse(document.getElementById("page")?.dataset.routes ?? "[]");
  return routes.map(({ module, page, ...route }) => ({ ...route, load: async () => (await import(module))[page] }));
}

/** The page that is shown. */
export const here = () => place;

/** The page that is shown, for a component: it is drawn again when the address changes. */
export function usePlace() {
  const [, redraw] = useState(place);
  // Listen before the browser paints, because a fast user may follow a link right after that.
  useLayoutEffect(() => onPlace(() => redraw(place)), []);
  return place;
}

/**
 * Call a function when another page is shown, or when the address of the present page has changed.
 *
 * @param {() => void} listener
 */
export function onPlace(listener) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Start the router, and show the page of the present address.
 *
 * @param {Route[]} table
 * @param {string} below The beginning of all addresses.
 */
export async function begin(table, below) {
  routes = table;
  prefix = below;
  history.scrollRestoration = "manual";
  index = history.state?.index ?? 0;
  history.replaceState({ index }, "");
  addEventListener("click", clicked);
  addEventListener("popstate", moved);
  await show(true);
}

/**
 * An address, if it is one of this site, or null. Use it for each address that comes from outside, such as from the
 * query of a link.
 *
 * @param {string} href
 */
export function own(href) {
  const url = URL.parse(href, location.href);
  // `/.//other.example` has this origin. But the path is `//other.example`, which alone is another site.
  return url?.href.startsWith(`${location.origin}/`) && !url.pathname.startsWith("//") ? url : null;
}

/**
 * The route of an address of this front-end, or null.
 *
 * @param {URL} url
 */
function routeOf(url) {
  if (!own(url.href) || !`${url.pathname}/`.startsWith(prefix)) return null;
  return match(routes, url.pathname.slice(prefix.length - 1));
}

/** @param {MouseEvent} event */
function clicked(event) {
  const link = /** @type {Element | null} */ (event.target)?.closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.href);
  const isHere = url.pathname === location.pathname && url.search === location.search;
  if ((isHere && url.hash) || !routeOf(url)) return;
  event.preventDefault();
  void go(link.href);
}

/**
 * Go to an address of this site. Resolves to false if the user stays, because a form has unsaved changes or the address
 * is one of another site.
 *
 * @param {string} href
 * @param {{ replace?: boolean }} [options] `replace`: Back does not return to the present page.
 */
export async function go(href, { replace = false } = {}) {
  const url = own(href);
  if (!url || !(await mayLeave(url))) return false;
  if (!routeOf(url)) {
    dropGuards();
    location.assign(url);
    return true;
  }
  await enter(url, replace);
  return true;
}

/**
 * Show another address of this front-end.
 *
 * @param {URL} url
 * @param {boolean} replace
 */
function enter(url, replace) {
  if (!replace) scrolled.set(index++, scrollY);
  // A new page begins at its top, even if the user has gone back from another page at this position.
  scrolled.delete(index);
  history[replace ? "replaceState" : "pushState"]({ index }, "", url);
  return show();
}

/**
 * Change the query of the address: a filter, a tab, a page of a list. Empty values are removed.
 *
 * @param {Record<string, string | null | undefined>} changes
 * @param {{ push?: boolean }} [options] `push`: Back returns to the present query.
 */
export function setQuery(changes, { push = false } = {}) {
  const url = new URL(withQuery(changes), location.href);
  if (url.href === location.href) return;
  void enter(url, !push);
}

/**
 * The address of this page with another query, for a link.
 *
 * @param {Record<string, string | null | undefined>} changes
 */
export function withQuery(changes) {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(key, value);
    else url.searchParams.delete(key);
  }
  return url.pathname + url.search;
}

/**
 * Ask before the user leaves the page. Returns a function that removes the question again.
 *
 * @param {() => Promise<boolean>} ask Resolves to whether the user may leave.
 */
export function guard(ask) {
  guards.add(ask);
  addEventListener("beforeunload", stay);
  return () => {
    guards.delete(ask);
    if (!guards.size) dropGuards();
  };
}

// Browsers don't keep a page for Back if it listens to `beforeunload`. So add this listener only while a guard may ask.
const stay = (/** @type {Event} */ event) => event.preventDefault();

function dropGuards() {
  guards.clear();
  removeEventListener("beforeunload", stay);
}

/** @param {URL} url */
async function mayLeave(url) {
  if (url.pathname === location.pathname) return true;
  for (const each of guards) if (!(await each())) return false;
  dropGuards();
  return true;
}

async function moved() {
  const next = history.state?.index ?? 0;
  const delta = next - index;
  const path = place.path;
  if (guards.size && location.pathname !== path && delta) {
    // The browser has already moved: go back to the page, ask, and then move forward again.
    removeEventListener("popstate", moved);
    history.go(-delta);
    await new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    addEventListener("popstate", moved);
    if (await mayLeave(new URL("about:blank"))) history.go(delta);
    return;
  }
  scrolled.set(index, scrollY);
  index = next;
  await show();
}

/**
 * Show the page of the present address.
 *
 * @param {boolean} [first] Whether the document was just loaded. The browser has then set the focus already.
 */
export async function show(first = false) {
  const own = ++turn;
  const path = location.pathname;
  const found = routeOf(new URL(location.href));
  const query = new URLSearchParams(location.search);
  /** @type {Place} */
  let next = { route: null, page: null, problem: "missing", params: {}, query, path };
  if (found && found.route === place.route && place.page) next = { ...place, params: found.params, query, path };
  else if (found) {
    const page = await load(found.route);
    next = { route: found.route, page, problem: page ? null : "updated", params: found.params, query, path };
  }
  // While the module was loading, the user has gone on to another page.
  if (own !== turn) return;
  if (place.path !== path && !first) arriving = scrolled.get(index) ?? 0;
  place = next;
  for (const each of listeners) each();
}

/** @param {Route} route */
async function load(route) {
  try {
    return await insist(async () => {
      const page = await route.load();
      // The page's module may have registered a catalogue of texts.
      await loaded();
      return page;
    });
  } catch (error) {
    console.error(error);
    return null;
  }
}

/**
 * Load modules. Tries three times.
 *
 * @template T
 * @param {() => Promise<T>} load
 */
export async function insist(load) {
  for (let failures = 0; ; failures++) {
    try {
      return await load();
    } catch (error) {
      const pause = PAUSES[failures];
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * Move the focus to the heading of a page that the user has gone to, and scroll. Pages do this by h(Page).
 *
 * @param {HTMLElement} heading
 */
export function arrived(heading) {
  if (arriving === null) return;
  heading.focus({ preventScroll: true });
  scrollTo(0, arriving);
  arriving = null;
}

/** Where the user was on this page before going on from it, in pixels. Undefined if the user has not been here. */
export const left = () => scrolled.get(index);
