// A page with its heading and the title of the document, and small pieces for its content: sections, tags, facts,
// times. This module does not know the frame around the page.

import * as dates from "../ground/dates.js";
import { h, html, useEffect, useLayoutEffect, useRef } from "../ground/html.js";
import { arrived } from "../ground/router.js";
import { Notices } from "./notice.js";
import { t } from "./words.js";

/** @import { Children, VNode } from "../ground/html.js" */
/** @import { Kind } from "./notice.js" */
/** @typedef {{ href: string, text: string, count?: number | undefined, marks?: RegExp }} Link `marks` matches the paths of other pages that belong to the link. */

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
