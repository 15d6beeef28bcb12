// The frame of a front-end, the frame of a page, and small pieces: tags, facts, times.

import * as dates from "../ground/dates.js";
import { h, html, useEffect, useLayoutEffect, useRef, useState } from "../ground/html.js";
import { arrived, usePlace } from "../ground/router.js";
import { Dialog } from "./dialog.js";
import { Notices } from "./notice.js";
import { t } from "./words.js";

/** @import { Children, VNode } from "../ground/html.js" */
/** @import { Kind } from "./notice.js" */
/** @typedef {{ href: string, text: string, count?: number | undefined, marks?: RegExp }} Link `marks` matches the paths of other pages that belong to the link. */
/** @typedef {{ title?: string, links: Link[] }} Group A part of the navigation, with or without a heading. */

/** @type {string[]} */
let suffix = [];
let title = "";
let failed = false;

/**
 * Set the end of all titles: the name of the front-end, and that of the league.
 *
 * @param {string[]} names
 */
export function setNames(names) {
  suffix = names;
}

/**
 * Set the title of the document: "Documents - Console - League". Only h(Page) and forms do this.
 *
 * @param {{ title?: string, failed?: boolean }} change `failed` puts "Error:" before the title.
 */
export function setTitle(change) {
  ({ title = title, failed = failed } = change);
  document.title = (failed ? `${t("form.errorTitle")} ` : "") + [title, ...suffix].filter(Boolean).join(" - ");
}

/**
 * A page: its heading, which becomes the title and takes the focus, and its content.
 *
 * @param {object} props
 * @param {string} props.title
 * @param {Children} [props.lead] A line below the heading.
 * @param {Link[]} [props.crumbs] The pages above this one.
 * @param {Children} [props.actions] Buttons beside the heading. One of them may be `first`.
 * @param {Children} [props.children]
 */
export function Page({ title: heading, lead, crumbs = [], actions, children }) {
  const h1 = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => setTitle({ title: heading, failed: false }), [heading]);
  useEffect(() => {
    if (h1.current) arrived(h1.current);
  });
  return html`${crumbs.length > 0 && html`<nav class="crumbs small" aria-label=${t("page.crumbs")}><ol>
      ${crumbs.map((each) => html`<li><a href=${each.href}>${each.text}</a></li>`)}
    </ol></nav>`}
    <div class="head">
      <div><h1 tabindex="-1" ref=${h1}>${heading}</h1>${lead && html`<p class="muted">${lead}</p>`}</div>
      ${actions && html`<div class="acts">${actions}</div>`}
    </div>
    ${h(Notices, {})}
    <div class="flow">${children}</div>`;
}

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
  // Before the browser paints, because a fast user opens the menu right after that.
  useLayoutEffect(() => setOpen(false), [path]);
  useEffect(() => {
    // Loaded here, because the page of an exam has no frame. Without the module, only convenience is lost.
    const ending = import("./focus.js").then((all) => all.keepFocus(), () => {});
    return () => void ending.then((end) => end?.());
  }, []);
  const hasNavigation = groups.some((each) => each.links.length);
  // The current link is the one to this page, or to the nearest page above it.
  const links = groups.flatMap((each) => each.links);
  const current = links.find((link) => link.marks?.test(path))?.href ?? links
    .map((link) => link.href)
    .filter((href) => path === href || path.startsWith(href.endsWith("/") ? href : `${href}/`))
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

/**
 * A part of a page with a heading.
 *
 * @param {{ title: string, actions?: Children, children?: Children }} props
 */
export const Section = ({ title: heading, actions, children }) => html`<section class="flow">
  <div class="head"><h2>${heading}</h2>${actions && html`<div class="acts">${actions}</div>`}</div>
  ${children}
</section>`;

/**
 * The state of something, in a word and a colour.
 *
 * @param {{ kind?: Kind | "", children?: Children }} props
 */
export const Tag = ({ kind = "", children }) => html`<span class=${`tag ${kind}`}>${children}</span>`;

/**
 * Names and values. Names without a value are left out.
 *
 * @param {{ facts: [label: string, value: Children][] }} props
 */
export const Facts = ({ facts }) => html`<dl class="facts">
  ${facts.filter(([, value]) => ![null, undefined, false, ""].includes(/** @type {any} */ (value))).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
</dl>`;

/**
 * A moment in the reader's time zone, and below it in the league's if that shows another time.
 *
 * @param {{ at: string | null, none?: string }} props
 */
export function When({ at, none = "-" }) {
  if (!at) return html`<span>${none}</span>`;
  const there = dates.leagueTime(at);
  return html`<span class="when"><time datetime=${at} class="numbers">${dates.when(at)}</time>
    ${there && html` <span class="small muted">${t("page.there", { time: there, city: dates.city() })}</span>`}</span>`;
}

/**
 * A moment for a sentence: in the reader's time zone, and in brackets in the league's if that shows another time.
 *
 * @param {dates.Moment} at
 * @param {(at: dates.Moment) => string} [shown] The function of dates.js that writes the reader's time.
 */
export function whenInWords(at, shown = dates.time) {
  const there = dates.leagueTime(at);
  return there ? `${shown(at)} (${t("page.there", { time: there, city: dates.city() })})` : shown(at);
}

/** @type {(props: { children?: Children }) => VNode} A surface with a border. Don't put one into another. */
export const Sheet = ({ children }) => html`<div class="sheet pad flow">${children}</div>`;
