// Tabs of a page. They are in a module of their own, because the page of an exam has none, and has to stay small.

import { html } from "../ground/html.js";
import { usePlace, withQuery } from "../ground/router.js";

/**
 * Tabs: links that change the query of the address. The page reads the chosen tab from the query.
 *
 * @param {{ label: string, name?: string, tabs: { value: string, text: string, count?: number }[] }} props The first
 *   tab is shown without a query.
 */
export function Tabs({ label, name = "tab", tabs }) {
  const { query } = usePlace();
  const shown = query.get(name) ?? tabs[0]?.value;
  return html`<nav class="tabs" aria-label=${label}><ul>
    ${tabs.map(({ value, text, count }, at) => html`<li><a href=${withQuery({ [name]: at ? value : null, page: null })} aria-current=${value === shown ? "page" : undefined}>
      ${text}${count !== undefined && html` <span class="count numbers">${count}</span>`}</a></li>`)}
  </ul></nav>`;
}
