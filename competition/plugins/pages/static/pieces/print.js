// Printing: `print` prints the given content, and nothing else of the page.

import { html, render } from "../ground/html.js";
import { t } from "./words.js";

/** @import { Children } from "../ground/html.js" */

/**
 * Add the content to the page until it is printed. Nothing else of the page is printed.
 *
 * @param {Children} content
 */
export function lay(content) {
  const place = document.createElement("div");
  place.className = "print";
  document.body.append(place);
  render(html`${content}`, place);
  const end = () => {
    render(null, place);
    place.remove();
  };
  addEventListener("afterprint", end, { once: true });
  return place;
}

/**
 * Print something, such as several h(PrintSheet).
 *
 * @param {Children} content
 */
export function print(content) {
  const place = lay(content);
  // Wait until the images and the font are loaded.
  const images = [...place.querySelectorAll("img")].map((each) => each.decode().catch(() => {}));
  void Promise.all([document.fonts.ready, ...images]).then(() => window.print());
}

/**
 * A sheet of paper, with its title.
 *
 * @param {{ title: string, detail?: string, children?: Children }} props
 */
export const PrintSheet = ({ title, detail, children }) => html`<article class="print-sheet">
  <header><h1>${title}</h1>${detail && html`<p>${detail}</p>`}</header>
  ${children}
</article>`;

/**
 * A button that prints.
 *
 * @param {{ content: () => Children, children?: Children }} props
 */
export const PrintButton = ({ content, children }) => html`<button type="button" class="button" onClick=${() => print(content())}>${children ?? t("print.print")}</button>`;

