// Show the shared pieces in a small front-end, with its router and session:
//
//     await show(() => h(Form, { … }), { service });
//     click(screen.getByRole("button", { name: "Save" }));
//
// The component is the page at "/". `pages` has components of further pages, by their routes.

import { h } from "../../../competition/plugins/pages/static/ground/html.js";
import { Page } from "../../../competition/plugins/pages/static/pieces/page.js";
import { start } from "../../../competition/plugins/pages/static/pieces/start.js";
import { NoSocket, staff } from "./front-end.js";
import { Service, tokens } from "./service.js";

/** @import { Children } from "../../../competition/plugins/pages/static/ground/html.js" */
/** @import { PageComponent, Route } from "../../../competition/plugins/pages/static/ground/router.js" */

/**
 * @param {(props: any) => Children} component What the page shows below its heading, "Here".
 * @param {object} [options]
 * @param {any} [options.as] The user who is signed in, or null.
 * @param {Service} [options.service]
 * @param {string} [options.path] The address.
 * @param {Record<string, PageComponent>} [options.pages]
 * @param {Route[]} [options.routes] Routes that load their pages themselves.
 * @param {(props: { children?: Children }) => Children} [options.frame]
 */
export async function show(component, { as = staff(), service = new Service(), path = "/", pages = {}, routes = [], frame } = {}) {
  void service;
  globalThis.WebSocket = /** @type {any} */ (NoSocket);
  if (as) sessionStorage.setItem("small.session", JSON.stringify({ refresh: tokens().refresh, user: as }));
  history.replaceState(null, "", path);
  const elsewhere = () => h(Page, { title: "Elsewhere" });
  const here = (/** @type {any} */ props) => h(Page, { title: "Here" }, h(/** @type {any} */ (component), props));
  const own = Object.entries({ "/": here, "/elsewhere": elsewhere, ...pages }).map(([each, page]) => ({ path: each, load: async () => page }));
  await start({
    name: "small",
    title: () => "Small",
    prefix: "/",
    routes: [...own, { path: "/sign-in", load: async () => () => h(Page, { title: "Sign in" }), open: true }, ...routes],
    frame: frame ?? (({ children }) => h("main", {}, children)),
    signIn: "/sign-in",
  });
}
