// Each button of the console whose request fails explains it, keeps what was typed, and can be pressed again.

import { t as slips } from "../../../../competition/plugins/console/static/slips/words.js";
import { refusal } from "../../../../competition/plugins/pages/static/ground/texts.js";
import { t } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { open, settled, staff, visit } from "../../kit/front-end.js";
import { click, fill, screen, waitFor } from "../../kit/screen.js";
import { refused, Service } from "../../kit/service.js";
import { useUploads } from "../../kit/uploads.js";
import { FILES, league, OWN, pages, PLUGINS, tabs } from "./league.js";
import { buttons, closeDialogs, press, typed } from "./pressing.js";
import { APART, ELSEWHERE, isWrite, named } from "./requests.js";

/** @import { Asked } from "../../kit/service.js" */

const ID = "8c1f0a";
// A shared module sends it.
const DOWNLOAD = "POST /downloads/links/";
// What to do before the buttons of a page are pressed, so that they have something to send.
/** @type {Record<string, (service: Service) => Promise<void> | void>} */
const BEFORE = {
  "/questions": () => document.querySelector("tbody input[type=checkbox]")?.dispatchEvent(new MouseEvent("click")),
  "/seasons": () => document.querySelector("#page details")?.setAttribute("open", ""),
  "/exams/:id/paper": () => click(/** @type {HTMLElement} */ (screen.getAllByRole("button", { name: /Remove/ })[0])),
  "/slips": async () => {
    document.querySelector("tbody input[type=checkbox]")?.dispatchEvent(new MouseEvent("click"));
    click(await screen.findByRole("button", { name: slips("slips.of", { count: 1 }) }));
    await screen.findByRole("button", { name: slips("slips.issue") });
  },
  "/exams/:id/printed": async () => {
    fill(/** @type {HTMLInputElement} */ (screen.getAllByRole("searchbox")[0]), "Ben");
    click((await screen.findAllByRole("button", { name: /x x/ }))[0]);
  },
};

// The reply to an upload is read as a file, which may take longer than a page without open requests stays the same.
const happens = (/** @type {() => boolean} */ isSo) => waitFor(() => ok(isSo())).then(() => true, () => false);

test("each button whose request fails", async () => {
  const known = await named();
  useUploads();
  const service = new Service(league);
  service.config.files = FILES;
  /** @type {string[]} */
  let failed = [];
  const fail = (/** @type {string} */ operation) => () => {
    failed.push(operation);
    return refused(500, "server_error");
  };
  Object.assign(service.replies, Object.fromEntries([...known, DOWNLOAD].map((each) => [each, fail(each)])));
  await open("/console/account", { as: staff("superadmin", { id: OWN }), service, plugins: PLUGINS });
  const texts = [refusal({ code: "server_error", detail: "" }), t("states.later"), ID];

  /** @type {(path: string, address: string) => Promise<void>} */
  const arrive = async (path, address) => {
    await closeDialogs();
    // Without what was typed there before.
    for (const each of Object.keys(sessionStorage)) if (each.startsWith("draft.")) sessionStorage.removeItem(each);
    await visit(address);
    await settled(service);
    await BEFORE[path]?.(service);
    await settled(service);
    failed = [];
  };
  /** @type {(pressed: { button: HTMLElement, before: string[] }) => Promise<string | null>} */
  const problem = async ({ button, before }) => {
    const isExplained = await happens(() => texts.every((each) => document.body.textContent?.includes(each)));
    if (!isExplained) return "is not explained";
    // Further fields may have appeared, because a list that they are for has arrived.
    const left = typed();
    const lost = before.filter((each) => !left.includes(each));
    if (lost.length) return `loses what was typed: ${lost.join()}`;
    const count = failed.length;
    click(screen.queryAllByRole("button", { name: t("states.again") }).at(-1) ?? button);
    return (await happens(() => failed.length > count)) ? null : "can't be sent again";
  };

  /** @type {Set<string>} */
  const sent = new Set();
  /** @type {string[]} */
  const wrong = [];
  for (const { path, addresses } of pages) {
    const done = new Set();
    const waiting = [...addresses];
    const seen = new Set(waiting);
    for (let address = waiting.shift(); address; address = waiting.shift()) {
      await arrive(path, address);
      for (const each of tabs()) if (!seen.has(each)) waiting.push(each), seen.add(each);
      const texts = buttons().map((each) => each.firstChild?.textContent?.trim() ?? "");
      for (const [at, text] of texts.entries()) {
        // Several rows have the same button, and several tabs.
        if (done.has(text)) continue;
        done.add(text);
        await arrive(path, address);
        const button = buttons()[at];
        const pressed = button && (await press(service, button, () => failed.length > 0));
        const operation = failed[0] ?? "";
        if (!pressed || APART.includes(operation)) continue;
        sent.add(operation);
        const fault = await problem(pressed);
        if (fault) wrong.push(`${address}: ${text}: ${operation} ${fault}`);
      }
    }
  }
  equal(wrong, []);
  ok(sent.has(DOWNLOAD));
  const elsewhere = [...Object.values(ELSEWHERE).flat(), ...APART];
  equal([...known].filter((each) => isWrite(each) && !sent.has(each)).sort(), elsewhere.sort(), "Requests that were not sent:");
});
