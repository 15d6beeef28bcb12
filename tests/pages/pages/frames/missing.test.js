// The frames of the portal and the console around a page that does not exist.

import { t } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { candidate, open, staff } from "../../kit/front-end.js";
import { click, screen, within } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";

// The navigation is behind a button.
export const device = { viewport: { width: 360, height: 740 } };

const missing = () => screen.findByRole("heading", { name: t("start.missing"), level: 1 });
const openMenu = async () => {
  click(await screen.findByRole("button", { name: t("page.menu") }));
  return within(await screen.findByRole("dialog", { name: t("page.menu") }));
};

test("staff can go on from an address without a page", async () => {
  await open("/console/nowhere", { as: staff("manager"), service: new Service(), frame: true });
  await missing();
  const menu = await openMenu();
  ok(menu.getByRole("link", { name: /^Documents/ }));
});

test("a candidate can go on from an address without a page", async () => {
  // The server of tests has no service worker.
  navigator.serviceWorker.register = async () => /** @type {any} */ (null);
  await open("/nowhere", { as: candidate(), service: new Service(), frame: true });
  await missing();
  const menu = await openMenu();
  ok(menu.getByRole("link", { name: /^Documents/ }));
});

for (const [path, home] of [["/console/nowhere", "/console/"], ["/nowhere", "/"]]) {
  test(`a visitor can go on from ${path}`, async () => {
    navigator.serviceWorker.register = async () => /** @type {any} */ (null);
    await open(path ?? "", { service: new Service(), frame: true });
    await missing();
    equal(screen.getByRole("link", { name: t("start.home") }).getAttribute("href"), home);
  });
}
