// Each list of the console says in a new league what will appear there.

import { equal, test } from "../../kit/cases.js";
import { open, settled, staff, visit } from "../../kit/front-end.js";
import { Service } from "../../kit/service.js";
import { empty, league, OWN, pages, PLUGINS, tabs } from "./league.js";

// An empty text is a sentence.
const SHORTEST = 20;
// Tables of an object that appear with it: the deliveries of a broadcast, and the versions of a leaderboard.
const PARTS = ["/broadcasts/:id"];

const tables = () => document.querySelectorAll("#page tbody tr, #page .list tbody").length;
const sentences = () => [...document.querySelectorAll("#page .empty")].map((each) => each.textContent ?? "");
const rowless = () => document.querySelectorAll("#page tbody:not(:has(tr))").length;

test("each list says why it is empty", async () => {
  const service = new Service(league);
  await open("/console/", { as: staff("superadmin", { id: OWN }), service, plugins: PLUGINS });
  /** @type {string[]} */
  const wrong = [];
  let lists = 0;
  for (const { path, addresses } of pages) {
    const waiting = [...addresses];
    for (let address = waiting.shift(); address; address = waiting.shift()) {
      Object.assign(service.replies, league);
      await visit(address);
      await settled(service);
      waiting.push(...tabs().filter((each) => !waiting.includes(each) && !addresses.includes(each) && !location.search));
      const before = tables();
      Object.assign(service.replies, empty);
      await visit(address);
      await settled(service);
      if (rowless()) wrong.push(`${address} has a table without rows`);
      if (sentences().some((each) => each.length < SHORTEST)) wrong.push(`${address} says too little: ${sentences().join()}`);
      if (before && !tables() && !sentences().length && !PARTS.includes(path)) wrong.push(`${address} does not say why it is empty`);
      lists += sentences().length;
    }
  }
  equal(wrong, []);
  equal(lists > pages.length / 2, true, "lists");
});
