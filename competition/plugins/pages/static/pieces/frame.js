// The frame of a front-end, with the state of the connection, and the choice of the language. It knows no page: the
// front-end passes the links. It is in a module of its own, because the page of an exam has no frame, and has to stay
// small.

import { config } from "../ground/config.js";
import { h, html, useEffect, useExternal, useLayoutEffect, useState } from "../ground/html.js";
import { usePlace } from "../ground/router.js";
import * as socket from "../ground/socket.js";
import * as texts from "../ground/texts.js";
import { Dialog } from "./dialog.js";
import { Note } from "./notice.js";
import { t } from "./words.js";

/** @import { Children } from "../ground/html.js" */
/** @import { Link } from "./page.js" */
/** @typedef {{ title?: string, links: Link[] }} Group A part of the navigation, with or without a heading. */

/** The name of each language, in that language. */
export const languageNames = { en: "English", fr: "Français" };

/**
 * The frame of a front-end: a bar at the top, the navigation (behind "Menu" on a phone), and the page.
 *
 * @param {object} props
 * @param {string} props.name The name in the bar: that of the league.
 * @param {string} props.home The address that the name links to.
 * @param {string} props.label The name of the navigation for screen readers.
 * @param {Group[]} props.groups
 * @param {Children} [props.aside] The end of the bar: the connection, a clock. Keep it short, for phones.
 * @param {Children} [props.foot] The end of the navigation, after its links: the language, "Sign out".
 * @param {Children} [props.children] The page.
 */
export function Frame({ name, home, label, groups, aside, foot, children }) {
  const { path } = usePlace();
  const [open, setOpen] = useState(false);
  // Close the menu before the browser paints, because a fast user may open it again right after that.
  useLayoutEffect(() => setOpen(false), [path]);
  useEffect(() => {
    // If the module can't be loaded, the frame works, but does not move the focus.
    const ending = import("./focus.js").then((all) => all.keepFocus(), () => {});
    return () => void ending.then((end) => end?.());
  }, []);
  const hasNavigation = groups.some((each) => each.links.length);
  // The current link is the one to this page, or to the nearest page above it. All pages are below a link that ends with
  // a slash, so it is current on its own page only.
  const links = groups.flatMap((each) => each.links);
  const current = links.find((link) => link.marks?.test(path))?.href ?? links
    .map((link) => link.href)
    .filter((href) => path === href || (!href.endsWith("/") && path.startsWith(`${href}/`)))
    .sort((one, other) => other.length - one.length)[0];
  const navigation = html`<nav aria-label=${label}>
    ${groups.map((group) => html`${group.title && html`<h2 class="small muted">${group.title}</h2>`}
      <ul>${group.links.map((link) => html`<li><a href=${link.href} aria-current=${link.href === current ? "page" : undefined}><span>${link.text}</span>
        ${link.count !== undefined && html`<span class="count numbers">${link.count}</span>`}</a></li>`)}</ul>`)}
    ${foot && html`<div class="foot acts">${foot}</div>`}
  </nav>`;
  return html`<a class="skip button" href="#main">${t("page.skip")}</a>
    <div class=${`frame ${hasNavigation ? "" : "bare"}`}>
      <header class="top">
        ${hasNavigation && html`<button type="button" class="button menu" aria-haspopup="dialog" onClick=${() => setOpen(true)}>${t("page.menu")}</button>`}
        <a class="name" href=${home}>${name}</a><div class="aside">${aside}</div>
      </header>
      ${hasNavigation && html`<div class="side">${navigation}</div>`}
      <main id="main" tabindex="-1">${children}</main>
    </div>
    ${open && h(Dialog, { title: t("page.menu"), class: "drawer", onClose: () => setOpen(false) },
      html`${navigation}<button type="button" class="button" onClick=${() => setOpen(false)}>${t("page.close")}</button>`)}`;
}

/** The state of the connection in words, for the frame of a front-end. Empty while messages arrive live. */
export function Connection() {
  const state = useExternal(socket.onState, socket.state);
  return html`<span role="status" class=${`connection small ${state}`}>${t(`start.${state}`)}</span>`;
}

/** The choice of the language, for the frame. */
export function Language() {
  const [error, fail] = useState(/** @type {unknown} */ (null));
  const other = config().languages.filter((each) => each !== texts.language() && each in languageNames);
  return html`${other.map((each) => html`<button type="button" class="button plain" lang=${each} onClick=${() => texts.choose(each).catch(fail)}>${languageNames[/** @type {"en"} */ (each)]}</button>`)}
    ${Boolean(error) && h(Note, { kind: "bad" }, t("states.away"))}`;
}
