// Lists: their filters, order and page are in the address.

import { Refused } from "../../../../competition/plugins/pages/static/ground/api.js";
import { h, html, useState } from "../../../../competition/plugins/pages/static/ground/html.js";
import { setQuery } from "../../../../competition/plugins/pages/static/ground/router.js";
import { Act } from "../../../../competition/plugins/pages/static/pieces/act.js";
import { keepFocus } from "../../../../competition/plugins/pages/static/pieces/focus.js";
import { list } from "../../../../competition/plugins/pages/static/pieces/list.js";
import { t } from "../../../../competition/plugins/pages/static/pieces/more/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { show } from "../../kit/pieces.js";
import { choose, click, fill, screen, waitFor } from "../../kit/screen.js";

/** @type {any[]} */
const asked = [];
/** @type {Set<number>} */
const gone = new Set();

/** A page of 38 people. @param {any} query */
async function people(query) {
  asked.push(query);
  const [page, size] = [Number(query.page ?? 1), Number(query.limit ?? 20)];
  const all = query.search === "nobody" ? [] : Array.from({ length: 38 }, (_, at) => at).filter((each) => !gone.has(each));
  if (page > 1 && all.length <= size * (page - 1)) throw new Refused(404, { code: "not_found" }, new Headers());
  const results = all.slice(size * (page - 1), size * page).map((id) => ({ id, name: `Person ${id}` }));
  return { results, pagination: { count: all.length, page, page_size: size, has_next: size * page < all.length, has_previous: page > 1 } };
}

/** @type {any} */
let selected = null;

const People = () => {
  const [version, again] = useState(0);
  return list({
    name: "People",
    call: people,
    version,
    id: (row) => row.id,
    filters: [{ name: "search", label: "Search" }, { name: "stage", label: "Stage", options: [["screening", "Screening"], ["league", "League"]] }],
    columns: [{ title: "Name", sort: "name", cell: (row) => html`<a href=${`/people/${row.id}`}>${row.name}</a>` }],
    empty: "People appear here.",
    select: (selection) => h(Act, { act: async () => {
      selected = { keys: selection.keys, all: selection.all, rows: await selection.rows() };
      selection.clear();
      again(version + 1);
    } }, `Assign to ${selection.count}`),
  });
};

/** @param {string} [query] */
async function shown(query = "") {
  await show(() => html`${h(People, {})}<a href="/elsewhere">Elsewhere</a>`, { path: `/${query}` });
  await waitFor(() => ok(asked.length));
}

const row = (/** @type {number} */ at) => screen.findByRole("link", { name: `Person ${at}` });
const next = () => screen.findByRole("link", { name: t("list.next") });

test("a list has its filters, order and page in the address", async () => {
  await shown("?search=person");
  equal((await screen.findByLabelText("Search")).value, "person");
  click(await screen.findByRole("button", { name: "Name" }));
  await waitFor(() => equal(location.search, "?search=person&ordering=name"));
  equal((await screen.findByRole("columnheader", { name: "Name" })).getAttribute("aria-sort"), "ascending");
  click(await next());
  await screen.findByText(t("list.range", { from: 21, to: 38, count: 38 }));
  equal(asked.at(-1), { search: "person", ordering: "name", page: "2" });
  // Another order, and another filter, begin at the first page.
  click(screen.getByRole("button", { name: "Name" }));
  await waitFor(() => equal(asked.at(-1), { search: "person", ordering: "-name" }));
  click(await next());
  await waitFor(() => equal(asked.at(-1)?.page, "2"));
  choose(screen.getByLabelText("Stage"), "League");
  await waitFor(() => equal(asked.at(-1), { search: "person", ordering: "-name", stage: "league" }));
});

test("a search begins when the user stops typing, and can be cleared", async () => {
  await shown();
  await row(1);
  for (const text of ["no", "nobo", "nobody"]) fill(screen.getByLabelText("Search"), text);
  await screen.findByText(t("list.nothing", { filters: "Search: nobody" }));
  equal(asked.map(({ search }) => search ?? null), [null, "nobody"]);
  click(screen.getAllByRole("button", { name: t("list.clear") })[0]);
  await row(1);
  equal([screen.getByLabelText("Search").value, location.search], ["", ""]);
});

test("a filter for a day is named as days are, whatever the address has in its place", async () => {
  const Empty = () => list({
    name: "People", id: () => 0, columns: [{ title: "Name", cell: () => "" }], empty: "People appear here.",
    call: async () => ({ results: [], pagination: { count: 0, page: 1, page_size: 20, has_next: false, has_previous: false } }),
    filters: [{ name: "after", label: "After", type: "date" }],
  });
  await show(Empty, { path: "/?after=2026-12-12" });
  await screen.findByText(t("list.nothing", { filters: "After: 12 Dec 2026" }));
  setQuery({ after: "soon" });
  await screen.findByText(t("list.nothing", { filters: "After: soon" }));
});

test("the selection survives paging, and its rows are those that the user has seen", async () => {
  await shown();
  await row(3);
  click(screen.getByRole("checkbox", { name: `${t("list.selectOne")} Person 3` }));
  click(await next());
  await row(30);
  click(screen.getByRole("checkbox", { name: `${t("list.selectOne")} Person 30` }));
  await screen.findByText(t("list.selected", { count: 2 }));
  const before = asked.length;
  click(await screen.findByRole("button", { name: "Assign to 2" }));
  await waitFor(() => ok(selected));
  equal(selected, { keys: ["3", "30"], all: false, rows: [{ id: 3, name: "Person 3" }, { id: 30, name: "Person 30" }] });
  // The list is read again, because its version has changed.
  await waitFor(() => equal(asked.length, before + 1));
  await waitFor(() => equal(screen.queryByText(t("list.selected", { count: 2 })), null));
});

test("all rows that the filters find can be selected", async () => {
  await shown("?search=person&ordering=name");
  await row(1);
  click(screen.getByRole("button", { name: t("list.selectAll", { count: 38 }) }));
  click(await screen.findByRole("button", { name: "Assign to 38" }));
  await waitFor(() => ok(selected));
  equal([selected.keys, selected.all, selected.rows.length], [[], true, 38]);
});

test("a filter ends the selection", async () => {
  await shown();
  await row(3);
  click(screen.getByRole("checkbox", { name: `${t("list.selectOne")} Person 3` }));
  await screen.findByText(t("list.selected", { count: 1 }));
  choose(screen.getByLabelText("Stage"), "League");
  await waitFor(() => equal(screen.queryByText(t("list.selected", { count: 1 })), null));
});

test("a page that no longer exists leads to the page before", async () => {
  await shown("?page=2");
  await row(30);
  for (let each = 20; each < 38; each++) gone.add(each);
  document.dispatchEvent(new Event("visibilitychange"));
  await row(19);
  equal(location.search, "");
});

test("the focus goes to the next row when its row disappears", async () => {
  await shown("?page=2");
  keepFocus();
  const vanish = async (/** @type {number[]} */ ...ids) => {
    for (const each of ids) gone.add(each);
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => equal(screen.queryByRole("link", { name: `Person ${ids[0]}` }), null));
  };
  const isFocused = (/** @type {number} */ at) => waitFor(() => ok(document.activeElement === screen.getByRole("link", { name: `Person ${at}` }), document.activeElement?.outerHTML));
  (await row(36)).focus();
  await vanish(36);
  await isFocused(37);
  // After the last row, it is the row before.
  await vanish(37);
  await isFocused(35);
  // A list without the focus does not take it.
  const other = screen.getByRole("link", { name: "Elsewhere" });
  other.focus();
  await vanish(35);
  ok(document.activeElement === other);
});
