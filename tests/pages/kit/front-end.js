// Open a page of the portal or the console in this document, with a service in place of the real one:
//
//     const service = new Service({ "GET /candidates/": page([…]) });
//     await open("/console/candidates", { as: staff("admin"), service });
//     await screen.findByRole("row", { name: /Amara Obi/ });
//
// The page has its router, session and texts, and the frame of the front-end, unless `frame` is false.

import { h } from "../../../competition/plugins/pages/static/ground/html.js";
import * as router from "../../../competition/plugins/pages/static/ground/router.js";
import { start } from "../../../competition/plugins/pages/static/pieces/start.js";
import { Service, tokens } from "./service.js";

/** @typedef {{ path: string, module: string, page: string, open?: boolean, stays?: boolean }} Declared A route of `routes.json`. */

// A test replaces `fetch`.
const real = fetch;

/**
 * The routes of a front-end, with the addresses of the modules.
 *
 * @param {string} name `console` or `portal`.
 * @returns {Promise<Declared[]>}
 */
export async function routesOf(name) {
  const folder = `/competition/plugins/${name}/static/`;
  /** @type {Declared[]} */
  const routes = await (await real(`${folder}routes.json`)).json();
  return routes.map((each) => ({ ...each, module: folder + each.module }));
}

/** A socket that never opens. */
export class NoSocket extends EventTarget {
  static OPEN = WebSocket.OPEN;
  close() {}
}

/**
 * A user who can sign in.
 *
 * @param {string} profile_type
 * @param {string} role
 * @param {Record<string, any>} [fields] Fields of the user.
 */
const profile = (profile_type, role, fields = {}) => ({
  profile_type,
  role,
  user: {
    id: "8f14e45f-ceea-467f-a1d5-d1b1c3b3a001",
    email: "maria@league.example",
    phone: "+2348012345678",
    first_name: "Maria",
    last_name: "Okafor",
    is_active: true,
    is_email_verified: true,
    date_joined: "2026-01-05T09:00:00Z",
    ...fields,
  },
});

/** @param {string} [role] @param {Record<string, any>} [fields] */
export const staff = (role = "admin", fields) => ({ ...profile("staff", role, fields), occupation: "Teacher" });

/** @param {string} [role] @param {Record<string, any>} [fields] */
export const candidate = (role = "screening", fields) => ({
  ...profile("candidate", role, { first_name: "Amara", last_name: "Obi", email: "amara@school.example", ...fields }),
  school: "Hillside School",
  is_user_verified: true,
  verification_status: "approved",
});

/**
 * A frame with nothing in it. The page of an exam has none, as in the portal.
 *
 * @param {{ children?: any }} props
 */
const Plain = ({ children }) => (router.here().route?.stays ? children : h("main", {}, children));

/**
 * @param {string} path
 * @param {object} options
 * @param {any} [options.as] The user who is signed in: `staff()` or `candidate()`.
 * @param {Service} options.service
 * @param {boolean} [options.frame] Whether to show the frame of the front-end, which has requests of its own.
 * @param {string[]} [options.plugins] The enabled plugins that the configuration names.
 * @param {Declared[]} [options.added] Routes that other plugins declare, with the addresses of the modules.
 */
export async function open(path, { as, service, frame = false, plugins, added = [] }) {
  const name = path.startsWith("/console") ? "console" : "portal";
  const prefix = name === "console" ? "/console/" : "/";
  if (plugins) service.config.plugins = /** @type {any} */ (plugins);
  globalThis.WebSocket = /** @type {any} */ (NoSocket);
  sessionStorage.clear();
  if (as) sessionStorage.setItem(`${name}.session`, JSON.stringify({ refresh: tokens().refresh, user: as }));
  history.replaceState(null, "", path);
  const folder = `../../../competition/plugins/${name}/static`;
  // The blank document has no worker.
  Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
  /** @type {HTMLElement} */ (document.getElementById("page")).dataset.routes = JSON.stringify([...(await routesOf(name)), ...added]);
  if (frame) return void (await import(`${folder}/main.js`));
  const { t } = await import(`${folder}/words.js`);
  await start({ name, title: () => t(name), prefix, routes: router.declared(), frame: Plain, signIn: `${prefix}sign-in` });
}

/** Go to another page of the front-end. @param {string} path */
export const go = (path) => router.go(path);

/**
 * Show an address as if the user had just arrived: no component of the present page is kept. The router must have
 * started: see `open`.
 *
 * @param {string} path
 */
export async function visit(path) {
  for (const each of ["/nowhere", path]) {
    history.replaceState(null, "", each);
    await router.show();
    await drawn();
  }
}

/** Wait until the browser has drawn what has changed, and effects have run: for example, before a form is sent. */
export const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/**
 * Wait until the page has read everything. Use it where a test can't say what the page will show: otherwise wait
 * for that. Rejects after half a minute.
 *
 * @param {Service} service
 */
export async function settled(service) {
  const start = performance.now();
  for (let quiet = 0, asked = 0; quiet < 2; quiet += 1) {
    await drawn();
    if (service.waiting || service.asked.length > asked || document.querySelector(".loading")) quiet = -1;
    asked = service.asked.length;
    if (performance.now() - start > LONGEST) throw new Error(`The page is still reading: ${service.asked.slice(-5).map((each) => each.path).join(", ")}`);
  }
}

// How long a page may read, in milliseconds.
const LONGEST = 30_000;

/**
 * A live message of the service. The page gets it as from another tab, which has the socket.
 *
 * @param {string} name `console` or `portal`.
 * @param {string} type
 * @param {unknown} message
 */
export function push(name, type, message) {
  const channel = new BroadcastChannel(`${name}.socket`);
  channel.postMessage({ kind: "state", open: true });
  channel.postMessage({ kind: "frame", type, message });
  channel.close();
}
