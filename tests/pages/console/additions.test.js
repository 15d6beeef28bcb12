// Additions of other plugins to the console. The module of a plugin is `added-page.js`.

import { t } from "../../../competition/plugins/console/static/words.js";
import { equal, ok, test } from "../kit/cases.js";
import { open, staff } from "../kit/front-end.js";
import { says } from "../kit/said.js";
import { screen, within } from "../kit/screen.js";
import { Service } from "../kit/service.js";

const MODULE = "/tests/pages/console/added-page.js";

/** @param {string} role @param {string} path */
async function withAddition(role, path) {
  const service = new Service();
  service.config.modules = /** @type {any} */ ({ portal: [], console: [MODULE] });
  await open(path, { as: staff(role), service, frame: true, added: [{ path: "/additions/:id", module: MODULE, page: "Certificate" }] });
  return screen.findByRole("navigation", { name: t("navigation") });
}

test("a plugin has a page, and an entry in its group of the navigation", async () => {
  const menu = await withAddition("admin", "/console/additions/7");
  await says("Certificate of 7");
  const link = within(menu).getByRole("link", { name: "Certificates" });
  equal(link.getAttribute("aria-current"), "page");
  ok(within(/** @type {HTMLElement} */ (link.closest("ul"))).getByRole("link", { name: t("nav.boards") }));
});

test("an entry of a plugin is hidden below its rank", async () => {
  const menu = await withAddition("moderator", "/console/account");
  ok(within(menu).getByRole("link", { name: t("nav.boards") }));
  equal(within(menu).queryByRole("link", { name: "Certificates" }), null);
});
