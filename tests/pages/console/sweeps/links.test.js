// No member of staff sees a link to a page whose requests the service would reject.

import { RANKS } from "../../../../competition/plugins/console/static/ranks.js";
import { as, mayUse } from "../../kit/access.js";
import { equal, ok, test } from "../../kit/cases.js";
import { open, settled, staff, visit } from "../../kit/front-end.js";
import { refused, Reply, Service } from "../../kit/service.js";
import { league, OWN, pages, PLUGINS } from "./league.js";

// The page of an address, without the ids of its objects.
const kind = (/** @type {string} */ address) => {
  const { pathname, searchParams } = new URL(address, location.origin);
  const shown = [...searchParams].map(([name, value]) => (["tab", "step"].includes(name) ? value : name));
  return [pathname.replace(/\/[0-9a-f-]{36}\b|\/\d+\b/g, "/…"), ...shown].join(" ");
};

for (const rank of RANKS) {
  test(rank, async () => {
    const rejected = refused(403, "permission_denied");
    const replies = as(rank, league);
    // The service checks these in their views.
    const all = replies["GET /user/list/"];
    replies["GET /user/list/"] = ["manager", "superadmin"].includes(rank) ? all : (/** @type {any} */ { query }) => (query.get("profile") === "candidate" ? league["GET /user/list/"] : rejected);
    replies["GET /exams/{exam_id}/paper/"] = (/** @type {any} */ asked) => (asked.params.exam_id === "3" || !mayUse(rank, "GET /exams/{exam_id}/paper/") ? rejected : league["GET /exams/{exam_id}/paper/"]());
    const service = new Service(replies);
    await open("/console/", { as: staff(rank, { id: OWN }), service, frame: true, plugins: PLUGINS });
    /** @type {Set<string>} */
    const known = new Set();
    /** @type {string[]} */
    const denied = [];
    /** The pages that the rank reaches, in all states of their objects. */
    const states = new Map(pages.flatMap(({ addresses }) => addresses.map((each) => [each, addresses])));
    const waiting = ["/console/"];
    for (let address = waiting.shift(); address; address = waiting.shift()) {
      service.exchanged.length = 0;
      await visit(address);
      await settled(service);
      for (const { operation, status } of service.exchanged) if (status === 403 && !operation.startsWith("POST /ws/") && !isExpected(operation)) denied.push(`${address}: ${operation}`);
      for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[href^='/console/'], a[href^='?']"))) {
        const next = link.pathname + link.search;
        for (const each of [next, ...(states.get(link.pathname) ?? [])]) {
          if (known.has(each === next ? kind(each) : each)) continue;
          known.add(each === next ? kind(each) : each);
          waiting.push(each);
        }
      }
    }
    equal(denied, []);
    ok(known.size > 3, "The rank sees no links.");
  });
}

// Moderators read the paper of an exam that has opened. Before, pages ask, and do without it.
const isExpected = (/** @type {string} */ operation) => operation === "GET /exams/{exam_id}/paper/";
