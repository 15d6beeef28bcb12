// Addresses and pages.

import { h } from "../../../../competition/plugins/pages/static/ground/html.js";
import { nextPage } from "../../../../competition/plugins/pages/static/ground/next.js";
import * as router from "../../../../competition/plugins/pages/static/ground/router.js";
import { Page } from "../../../../competition/plugins/pages/static/pieces/page.js";
import { additions } from "../../../../competition/plugins/pages/static/pieces/start.js";
import { t } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock, until } from "../../kit/clock.js";
import { show } from "../../kit/pieces.js";
import { click, screen } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";

test("a route without parameters wins, and parameters are decoded", () => {
  const table = ["/exams/:id", "/exams/new", "/", "/a/:b/c/:d"].map((path) => ({ path }));
  const expected = {
    "/exams/7": ["/exams/:id", { id: "7" }],
    "/exams/7/": ["/exams/:id", { id: "7" }],
    "/exams/new": ["/exams/new", {}],
    "/": ["/", {}],
    "/a/x%20y/c/%C3%A9": ["/a/:b/c/:d", { b: "x y", d: "é" }],
  };
  for (const [path, [route, params]] of Object.entries(expected)) equal(router.match(table, path), { route: { path: route }, params });
  for (const path of ["/exams", "/exams/7/day", "/exams/%", "/b"]) equal(router.match(table, path), null);
});

test("a new page has its title, and its heading has the focus", async () => {
  await show(() => h("a", { href: "/people/19" }, "Person 19"), { pages: { "/people/:id": ({ params }) => h(Page, { title: `Person ${params.id}` }) } });
  equal(document.title, "Here - Small - Mathematics league");
  click(await screen.findByRole("link", { name: "Person 19" }));
  const heading = await screen.findByRole("heading", { name: "Person 19" });
  await until(() => document.activeElement === heading);
  equal(document.title, "Person 19 - Small - Mathematics league");
  equal(location.pathname, "/people/19");
});

test("links of other sites, for downloads and for other windows are left to the browser", async () => {
  await show(() => h("p", {}, h("a", { href: "/elsewhere", download: "" }, "Download"), h("a", { href: "/elsewhere", target: "_blank" }, "Window"), h("a", { href: "https://other.example/" }, "Site"), h("a", { href: "/elsewhere" }, "Page")));
  const isHandled = (/** @type {string} */ name, /** @type {MouseEventInit} */ more = {}) => {
    const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...more });
    // Nothing is left to the browser here.
    let found = false;
    addEventListener("click", () => {
      found = event.defaultPrevented;
      event.preventDefault();
    }, { once: true });
    screen.getByRole("link", { name }).dispatchEvent(event);
    return found;
  };
  await screen.findByRole("heading", { name: "Here" });
  for (const name of ["Download", "Window", "Site"]) ok(!isHandled(name), name);
  ok(!isHandled("Page", { ctrlKey: true }), "With Ctrl, a link opens a new window.");
  ok(isHandled("Page"));
});

test("the query is changed, and empty values are removed", async () => {
  await show(() => "Here.", { path: "/?page=2&search=a" });
  equal(router.withQuery({ page: null, search: "b" }), "/?search=b");
  router.setQuery({ page: "", stage: "league" });
  equal(location.search, "?search=a&stage=league");
});

test("a page whose module fails at first is loaded again", async () => {
  let tries = 0;
  const load = async () => {
    tries += 1;
    if (tries <= 2) throw new TypeError("Failed to fetch");
    return () => h(Page, { title: "Loaded" });
  };
  const clock = stopClock();
  await show(() => h("a", { href: "/late" }, "Late"), { routes: [{ path: "/late", load }] });
  click(await screen.findByRole("link", { name: "Late" }));
  await clock.passes(3);
  ok(await until(() => screen.queryByRole("heading", { name: "Loaded" })));
});

test("a module that can't be loaded asks for a reload", async () => {
  /** @type {any[]} */
  const errors = [];
  console.error = (each) => errors.push(each.message);
  const clock = stopClock();
  await show(() => h("a", { href: "/broken" }, "Broken"), { routes: [{ path: "/broken", load: () => Promise.reject(new TypeError("Failed to fetch")) }] });
  click(await screen.findByRole("link", { name: "Broken" }));
  await clock.passes(3);
  ok(await until(() => screen.queryByRole("heading", { name: t("start.updated") })));
  ok(screen.getByRole("button", { name: t("start.reloadNow") }));
  equal(errors, ["Failed to fetch"]);
});

test("an address without a page says so", async () => {
  await show(() => "Here.", { path: "/nothing" });
  ok(await screen.findByRole("heading", { name: t("start.missing"), level: 1 }));
});

const OTHER = [
  "https://other.example/x",
  "//other.example/x",
  "///other.example/x",
  "/\\other.example/x",
  "\\\\other.example/x",
  "/.//other.example/x",
  "/.\\\\other.example/x",
  "/%2e//other.example/x",
  "/a/..//other.example/x",
  "/a/%2E%2e//other.example/x",
  "/a/..\\/other.example/x",
  "/\t/other.example/x",
  "/.\n//other.example/x",
  " //other.example/x",
  "https:other.example\\x",
  "http:///other.example/x",
  "https://%",
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  `blob:${location.origin}/x`,
  `${location.origin}//other.example/x`,
  `${location.origin}.other.example/x`,
  `${location.protocol}//${location.host}@other.example/x`,
  `${location.protocol}//other.example@${location.host}/x`,
];
const OWN = {
  "/elsewhere": "/elsewhere",
  "/people/../elsewhere?a=//b#c": "/elsewhere?a=//b#c",
  "/%2F/elsewhere": "/%2F/elsewhere",
  "/people//elsewhere": "/people//elsewhere",
  "/ç": "/%C3%A7",
};

test("no address of another site is a page, in whatever form", async () => {
  await show(() => "Here.");
  await screen.findByRole("heading", { name: "Here" });
  /** @type {string[]} */
  const left = [];
  const navigation = /** @type {any} */ (globalThis).navigation;
  const leaves = (/** @type {any} */ event) => {
    left.push(event.destination.url);
    event.preventDefault();
  };
  navigation.addEventListener("navigate", leaves);
  for (const each of OTHER) {
    equal([each, router.own(each), await router.go(each)], [each, null, false]);
    equal(left, []);
  }
  for (const [each, address] of Object.entries(OWN)) equal(router.own(each)?.href, location.origin + address);
  navigation.removeEventListener("navigate", leaves);
  equal(location.pathname, "/");
});

test("signing in leads to another page of this site, and otherwise to the front page", async () => {
  await show(() => "Here.", { as: null, path: "/sign-in" });
  await screen.findByRole("heading", { name: "Sign in" });
  const next = (/** @type {string} */ wanted) => {
    history.replaceState(null, "", `/sign-in?next=${encodeURIComponent(wanted)}`);
    return nextPage("/home");
  };
  for (const each of [...OTHER, "", "/sign-in?next=/elsewhere", "#x"]) equal([each, next(each)], [each, "/home"]);
  for (const [each, address] of Object.entries(OWN)) equal(next(each), address);
});

test("an address that begins with two slashes is no page", async () => {
  await show(() => "Here.", { path: `${location.origin}//elsewhere` });
  ok(await screen.findByRole("heading", { name: t("start.missing"), level: 1 }));
});

test("a module of a plugin that exports routes is reported, and its other additions work", async () => {
  const service = new Service();
  const address = "/tests/pages/kit/with-routes.js";
  service.config.modules = /** @type {any} */ ({ small: [address] });
  /** @type {string[]} */
  const errors = [];
  console.error = (each) => errors.push(each);
  await show(() => "Here.", { service });
  ok(await screen.findByRole("heading", { name: "Here" }));
  equal(errors, [`${address} exports routes. Declare them in its routes.json.`]);
  equal(additions(), [{ routes: [], todos: {} }]);
});
