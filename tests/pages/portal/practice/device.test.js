import { t } from "../../../../competition/plugins/portal/static/practice/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock, until } from "../../kit/clock.js";
import { candidate, open, push } from "../../kit/front-end.js";
import { says, words } from "../../kit/said.js";
import { click, screen } from "../../kit/screen.js";
import { lost, Service } from "../../kit/service.js";

const HEALTH = "GET /health/";
/** The service's time. @param {number} [ahead] How many seconds it is ahead of the device. */
const healthy = (ahead = 0) => () => ({ status: "healthy", timestamp: new Date(Date.now() + ahead * 1000).toISOString() });

/** What the page says of one part. @param {"connection" | "clock" | "storage" | "formulas" | "live"} name */
const found = (name) => words([...document.querySelectorAll("dt")].find((each) => each.textContent === t(`device.${name}`))?.nextElementSibling ?? undefined);

/** @param {Record<string, any>} replies @param {any} [as] */
async function check(replies, as) {
  const service = new Service(replies);
  await open("/device", { as, service });
  return service;
}

test("a device without problems is ready", async () => {
  await check({ [HEALTH]: healthy() }, candidate());
  push("portal", "notification_activity", {});
  await says(t("device.ready"));
  const parts = /** @type {const} */ (["connection", "clock", "storage", "formulas", "live"]);
  equal(parts.filter((each) => !found(each).startsWith(`${t("device.is.ok")} `)), []);
});

test("a wrong clock is named, with the difference", async () => {
  await check({ [HEALTH]: healthy(3600) });
  await says(t("device.nearly"));
  equal(found("clock"), `${t("device.is.warn")} ${t("device.clockBehind", { time: "1 hr" })}`);
});

test("a clock that is ahead is no problem of the connection", async () => {
  await check({ [HEALTH]: healthy(-7200) });
  await says(t("device.clockAhead", { time: "2 hr" }));
  ok(found("connection").startsWith(t("device.is.ok")), found("connection"));
});

test("without a connection the device is not ready, until it is checked again", async () => {
  const service = await check({ [HEALTH]: lost });
  await says(t("device.notReady"));
  await says(t("device.noReply"));
  equal(found("clock"), `${t("device.is.info")} ${t("device.unknown")}`);
  service.replies[HEALTH] = healthy();
  await click(screen.getByRole("button", { name: t("device.again") }));
  await says(t("device.clockRight"));
  await says(t("device.ready"));
});

test("a slow connection is named, by the reply in the middle", async () => {
  const clock = stopClock();
  const pauses = [1000, 2000, 4000];
  const service = new Service({
    [HEALTH]: async () => {
      await new Promise((resolve) => setTimeout(resolve, pauses.shift()));
      return healthy()();
    },
  });
  void open("/device", { service });
  await clock.until(() => service.sent(HEALTH).length === 1);
  await clock.passes(1.1);
  await clock.until(() => service.sent(HEALTH).length === 2);
  await clock.passes(2.1);
  await clock.until(() => service.sent(HEALTH).length === 3);
  await clock.passes(4.1);
  await clock.until(() => found("connection").includes(t("device.slow", { seconds: 2 })));
});

test("a browser that keeps nothing is a drawback", async () => {
  Storage.prototype.setItem = () => {
    throw new DOMException("Full.", "QuotaExceededError");
  };
  await check({ [HEALTH]: healthy() });
  await says(t("device.keepsNothing"));
  await says(t("device.nearly"));
});

test("a browser that can't draw formulas is not ready", async () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("mfrac { display: block; height: 1px; }");
  document.adoptedStyleSheets = [sheet];
  await check({ [HEALTH]: healthy() });
  await says(t("device.notDrawn"));
  await says(t("device.notReady"));
});

test("who is not signed in gets no live messages, and needs none", async () => {
  await check({ [HEALTH]: healthy() });
  await says(t("device.ready"));
  equal(found("live"), `${t("device.is.info")} ${t("device.signInFirst")}`);
});

test("a network in which no messages arrive is a drawback", async () => {
  const clock = stopClock();
  void check({ [HEALTH]: healthy() }, candidate());
  await clock.until(() => found("clock").includes(t("device.clockRight")));
  await clock.passes(5);
  ok(!words().includes(t("device.arrivesNot")), "The page did not wait.");
  await clock.passes(1.5);
  await clock.until(() => found("live").includes(t("device.arrivesNot")));
  await clock.until(() => words().includes(t("device.nearly")));
});

test("a check that is repeated at once shows the newest findings", async () => {
  const service = await check({ [HEALTH]: healthy() });
  await says(t("device.ready"));
  service.replies[HEALTH] = healthy(3600);
  await click(screen.getByRole("button", { name: t("device.again") }));
  await until(() => found("clock").includes("1 hr"));
  await says(t("device.nearly"));
});
