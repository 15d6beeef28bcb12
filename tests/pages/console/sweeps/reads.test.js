// Each page of the console explains each of its readings that fails, and reads again on request.

import { refusal } from "../../../../competition/plugins/pages/static/ground/texts.js";
import { t } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { open, settled, staff, visit } from "../../kit/front-end.js";
import { click, screen } from "../../kit/screen.js";
import { refused, Service } from "../../kit/service.js";
import { league, OWN, pages, PLUGINS } from "./league.js";

const BROKEN = refused(500, "server_error");
// The id of the stand-in service's requests.
const ID = "8c1f0a";

const shown = () => document.body.textContent ?? "";
const isExplained = () => [refusal({ code: "server_error", detail: "" }), t("states.later"), ID].every((each) => shown().includes(each));

for (const { path, addresses } of pages) {
  test(path, async () => {
    const service = new Service(league);
    await open(addresses[0] ?? "", { as: staff("superadmin", { id: OWN }), service, plugins: PLUGINS });
    /** @type {string[]} */
    const wrong = [];
    for (const address of addresses) {
      service.replies = { ...service.replies, ...league };
      service.exchanged.length = 0;
      await visit(address);
      await settled(service);
      const reads = [...new Set(service.exchanged.map(({ operation }) => operation))].filter((each) => each.startsWith("GET "));
      ok(!shown().includes(ID), `${address} shows a failure: ${shown()}`);
      for (const read of reads) {
        service.replies[read] = BROKEN;
        await visit(address);
        await settled(service);
        if (!isExplained()) wrong.push(`${address}: ${read} is not explained`);
        service.replies[read] = league[read];
        for (const again of screen.queryAllByRole("button", { name: t("states.again") })) click(again);
        await settled(service);
        if (shown().includes(ID)) wrong.push(`${address}: ${read} can't be tried again`);
      }
    }
    equal(wrong, []);
  });
}
