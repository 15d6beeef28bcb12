// Additions of other plugins to the console. The module of a plugin is `added-page.js`.

import { equal, ok, test } from "../kit/cases.js";
import { open, staff } from "../kit/front-end.js";
import { says } from "../kit/said.js";
import { click, screen, waitFor, within } from "../kit/screen.js";
import { Service } from "../kit/service.js";
import { t } from "./words.js";

/** @param {string} role */
async function withAddition(role) {
  const service = new Service();
  service.config.modules = /** @type {any} */ ({ portal: [], console: ["/tests/pages/console/added-page.js"] });
  await open("/console/account", { as: staff(role), service, frame: true });
  await screen.findByRole("heading", { level: 1, name: t("nav.account") });
  return screen.getByRole("navigation", { name: t("navigation") });
}

test("an entry of a plugin is in its group of the navigation, and leads to the plugin's page", async () => {
  const menu = await withAddition("admin");
  const link = await within(menu).findByRole("link", { name: "Certificates" });
  const group = /** @type {HTMLElement} */ (link.closest("ul"));
  ok(within(group).getByRole("link", { name: t("nav.boards") }));
  click(link);
  await says("Certificate of 7");
  await waitFor(() => equal(within(menu).getByRole("link", { name: "Certificates" }).getAttribute("aria-current"), "page"));
});

test("an entry of a plugin is hidden below its rank", async () => {
  const menu = await withAddition("moderator");
  ok(within(menu).getByRole("link", { name: t("nav.boards") }));
  equal(within(menu).queryByRole("link", { name: "Certificates" }), null);
});
