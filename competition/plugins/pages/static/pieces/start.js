// Start a front-end: read the configuration, choose the language, find the session, load the modules of plugins, and
// start the router. This is the only piece that sends requests: to renew the session, and to sign out. It does not know
// which front-end it starts: `main.js` of each front-end describes it.
//
//     start({ name: "console", title: () => t("console"), prefix: "/console/", routes: declared(), frame: ConsoleFrame, signIn: "/console/sign-in" });

import { api, newKey } from "../ground/api.js";
import { config, read } from "../ground/config.js";
import * as dates from "../ground/dates.js";
import { h, html, render, useExternal } from "../ground/html.js";
import * as router from "../ground/router.js";
import * as session from "../ground/session.js";
import * as socket from "../ground/socket.js";
import * as texts from "../ground/texts.js";
import { Page, setNames } from "./page.js";
import { Failed, Loading } from "./states.js";
import { t } from "./words.js";

/** @import { Children } from "../ground/html.js" */
/**
 * The additions of a module of another plugin: its default export.
 *
 * @typedef {Record<string, any>} Added
 */
/**
 * @typedef {object} FrontEnd
 * @property {string} name
 * @property {() => string} title The name of the front-end. Titles of pages end with it and the league's name.
 * @property {string} prefix
 * @property {router.Route[]} routes
 * @property {(props: { children?: Children }) => Children} frame
 * @property {string} signIn The address of the page for signing in.
 * @property {(user: session.Profile) => boolean} [admits] Whether the front-end has pages for the user.
 * @property {() => Children} [missing] The content if no page has the address.
 */

/** @type {Added[]} */
let added = [];

/** The additions of other plugins' modules to this front-end. */
export const additions = () => added;

/** @param {FrontEnd} frontEnd */
export async function start(frontEnd) {
  const root = document.getElementById("page");
  if (!root) throw new Error("The document has no element for the page.");
  const { routes } = frontEnd;
  const found = router.match(routes, location.pathname.slice(frontEnd.prefix.length - 1));
  texts.begin(["en", "fr"]);
  const reading = read();
  // The configuration may fail to load before the texts have arrived. Its error is handled below.
  reading.catch(() => {});
  // Request the modules of a page that needs no session now, because the configuration and the session take a while on a
  // slow connection. If a request fails, the router repeats it.
  if (found?.route.open) found.route.load().catch(() => {});
  // Without texts, the page stays empty, and its document says that it has not loaded.
  await router.insist(texts.loaded);
  render(html`<main class="alone">${h(Loading, {})}</main>`, root);
  try {
    await reading;
  } catch (error) {
    render(html`<main class="alone">${h(Failed, { error, again: () => location.reload() })}</main>`, root);
    return;
  }
  const { name, languages, modules, time_zone: zone } = config();
  if (!languages.includes(texts.language())) {
    texts.begin(languages);
    await texts.loaded();
  }
  dates.setZone(zone);
  const rename = () => setNames([frontEnd.title(), name]);
  rename();
  const exchange = (/** @type {string} */ refresh, /** @type {string} */ key) => api.post("/auth/token/refresh/", {}, { refresh }, { anonymous: true, key });
  await session.begin({ name: frontEnd.name, newKey, exchange });
  added = await extensions(modules[frontEnd.name] ?? []);
  const draw = () => render(h(App, { frontEnd }), root);
  texts.onLanguage(() => {
    rename();
    draw();
  });
  session.onSession((change) => follow(change, frontEnd));
  addEventListener("pageshow", (event) => {
    // Back shows a page as it was when the user left it. After signing out, nobody may read it.
    if (event.persisted) session.user() ? void session.token().catch(() => {}) : location.reload();
  });
  connect(frontEnd);
  if (found && !found.route.open && !session.user()) history.replaceState(null, "", signInHere(frontEnd));
  await router.begin(routes, frontEnd.prefix);
  draw();
}

/** @param {string[]} addresses */
async function extensions(addresses) {
  const modules = await Promise.allSettled(addresses.map((each) => import(each)));
  // The router loads missing texts again, with its first page.
  await texts.loaded().catch(() => {});
  return modules.flatMap((each, at) => {
    if (each.status === "fulfilled" && each.value.default) {
      // Routes that a module exports have no effect. Log that, because nobody would know why its pages are missing.
      if (each.value.default.routes) console.error(`${addresses[at]} exports routes. Declare them in its routes.json.`);
      return [each.value.default];
    }
    // The other pages work without this module.
    console.error(each.status === "rejected" ? each.reason : "A module of pages has no default export.");
    return [];
  });
}

/** @param {FrontEnd} frontEnd */
function connect(frontEnd) {
  const user = session.user();
  if (user && (frontEnd.admits?.(user) ?? true)) socket.start(config().sockets, frontEnd.name);
}

/**
 * The address of the page for signing in, which leads back to this page.
 *
 * @param {FrontEnd} frontEnd
 */
const signInHere = (frontEnd) => `${frontEnd.signIn}?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`;

/**
 * @param {session.Change} change
 * @param {FrontEnd} frontEnd
 */
function follow(change, frontEnd) {
  const { route } = router.here();
  if (change === "opened") connect(frontEnd);
  else if (change === "signed out" && !route?.stays) location.replace(frontEnd.prefix);
  else if (change === "expired" && !route?.open && !route?.stays) void router.go(signInHere(frontEnd));
}

/** Sign out in all tabs, and leave. */
export const signOut = () => session.close((refresh) => api.post("/auth/logout/", {}, { refresh }, { timeout: 4_000 }));

/** @param {{ frontEnd: FrontEnd }} props */
function App({ frontEnd }) {
  const place = router.usePlace();
  return h(/** @type {any} */ (frontEnd.frame), {}, h(Place, { place, frontEnd, key: place.route?.path }));
}

/** @param {{ place: router.Place, frontEnd: FrontEnd }} props */
function Place({ place, frontEnd }) {
  const { page, problem, params, query, route } = place;
  // A page that needs a session appears when the user has signed in, in another tab too.
  useExternal(session.onSession, session.user);
  if (problem === "updated") {
    return h(Page, { title: t("start.updated") }, html`<p>${t("start.reload")}</p><div class="acts"><button type="button" class="button first" onClick=${() => location.reload()}>${t("start.reloadNow")}</button></div>`);
  }
  if (problem === "missing") return frontEnd.missing?.() ?? h(Page, { title: t("start.missing") }, html`<p>${t("start.address")}</p><p><a href=${frontEnd.prefix}>${t("start.home")}</a></p>`);
  if (!page || !route) return h(Loading, {});
  return h(/** @type {any} */ (page), { params, query, key: JSON.stringify(params) });
}
