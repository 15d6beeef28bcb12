// The places of the page of examples with lists that have no rows, or whose rows are out of date or selected. `main.js`
// has the list that works.

import { h, html, useState } from "../../pages/static/ground/html.js";
import { ActOnRows } from "../../pages/static/pieces/each.js";
import { list } from "../../pages/static/pieces/list.js";
import { Page, Section } from "../../pages/static/pieces/page.js";
import { Pressed, refused, t, unanswered } from "./shown.js";

/** @import { Selection } from "../../pages/static/pieces/list.js" */

const names = ["Ada", "Grace", "Mary"];

/** The second page of a list. @param {string[]} shown @param {number} count */
const pageOf = (shown, count) => ({
  results: shown.map((name) => ({ name })),
  pagination: { count, page: 2, page_size: 20, has_next: count > 40, has_previous: count > 20 },
});

/** @param {Partial<Parameters<typeof list<any>>[0]>} options */
const people = (options) => list({
  name: t("people.title"), id: (row) => row.name, found: (count) => t("candidates", { count }), empty: t("people.empty"),
  columns: [{ title: t("name"), sort: "name", cell: (row) => row.name }, { title: t("school"), cell: () => "Hillside School" }],
  call: unanswered,
  ...options,
});

const select = (/** @type {Selection} */ selection) => h(ActOnRows, { selection, act: async () => {}, text: t("lists.archive", { count: selection.count }) });

// It is read again as soon as it has its rows, and that fails.
const Stale = () => {
  const [version, set] = useState(0);
  const call = async () => {
    if (version) throw refused(503, { code: "service_unavailable" });
    return pageOf(names, 2417);
  };
  return people({ call, version, select, shown: () => set(1) });
};

// The filters and the order are in the address, which all lists share.
export const FILTERED = "/lists?search=lake&stage=league&after=2026-12-12&ordering=-name";

export const ORDERED = "/lists/all?ordering=name";

export const Lists = () =>
  h(Page, { title: t("lists.title"), actions: html`<a class="button" href=${ORDERED}>${t("lists.all")}</a>` },
    h(Section, { title: t("lists.waits") }, people({})),
    h(Section, { title: t("lists.fails") }, people({ call: () => Promise.reject(refused(429, { code: "throttle_exceeded" }, { "Retry-After": "30" })) })),
    h(Section, { title: t("lists.empty") }, people({ call: async () => pageOf([], 0), action: html`<a class="button" href="/">${t("lists.invite")}</a>` })),
    h(Section, { title: t("lists.unmatched") }, people({
      call: async () => pageOf([], 0),
      filters: [{ name: "search", label: t("people.search") }, { name: "stage", label: t("stage"), options: [["screening", t("screening")], ["league", t("league")]] }, { name: "after", label: t("lists.after"), type: "date" }],
      missing: () => html`<p>${t("lists.missing")}</p>`,
    })),
    h(Section, { title: t("lists.stale") }, h(Pressed, { on: ["tbody input"] }, h(Stale, {}))));

export const AllSelected = () =>
  h(Page, { title: t("lists.all") }, h(Pressed, { on: [".selected > button ~ button"] }, people({ call: async () => pageOf(names, 2417), select })));
