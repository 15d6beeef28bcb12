import { t as people } from "../../../../competition/plugins/console/static/people/words.js";
import { t } from "../../../../competition/plugins/console/static/slips/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { until } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { go, open, staff } from "../../kit/front-end.js";
import { arrived, says } from "../../kit/said.js";
import { click, screen, within } from "../../kit/screen.js";
import { page, refused, Service } from "../../kit/service.js";

const LIST = "GET /candidates/";
const SLIPS = "POST /candidates/slips/";
const id = (/** @type {number} */ number) => `8f14e45f-ceea-467f-a1d5-d1b1c3b3a${String(number).padStart(3, "0")}`;
const person = (/** @type {number} */ number, has_email = false) =>
  example("CandidateItem", { user: { id: id(number), first_name: "Pupil", last_name: String(number), email: has_email ? "a@b.example" : `bcd23${number}@slip.invalid` }, has_email });
/** @param {number} number @param {Record<string, any>} [more] */
const slip = (number, more) =>
  example("Slip", { user_id: id(number), full_name: `Pupil ${number}`, school: "West", year: 7, group: "7B", login: "bcd234", code: `bcdf-ghjk-m${number}`, ...more });
const ordered = (/** @type {any} */ { body }) => ({ slips: body.candidates.map((/** @type {string} */ each) => slip(Number(each.slice(-3)))) });
const press = async (/** @type {string} */ name) => click(await screen.findByRole("button", { name }));

/** The codes of all candidates without email that the list has. @param {number} count @param {Record<string, any>} replies */
async function issued(count, replies) {
  const service = new Service({ [LIST]: page(Array.from({ length: count }, (_, at) => person(at + 1))), [SLIPS]: ordered, ...replies });
  await open("/console/slips?school=West", { as: staff("manager"), service });
  await press("Select this page");
  await press(t("slips.of", { count }));
  await says(t("slips.chosen", { count }));
  await press(t("slips.issue"));
  return service;
}

test("managers choose candidates without email from the list of candidates", async () => {
  const service = new Service({ [LIST]: page([person(1), person(2, true)]), [SLIPS]: { slips: [slip(1)] } });
  await open("/console/candidates", { as: staff("manager"), service });
  await press("Select this page");
  await press(people("people.slipsOf", { count: 2 }));
  await arrived(t("slips.title"));
  await says(t("slips.chosen", { count: 1 }));
  await press(t("slips.issue"));
  await says("bcdf-ghjk-m1");
  equal(service.sent(SLIPS)[0]?.body, { candidates: [id(1)], renew: false, unused: false });
  await screen.findByRole("row", { name: /Pupil 1.*West.*7B/ });
});

test("staff below managers choose nobody", async () => {
  for (const path of ["/console/candidates", "/console/slips"]) {
    await open(path, { as: staff("admin"), service: new Service({ [LIST]: page([person(1)]) }) });
    await screen.findByRole("row", { name: /Pupil 1/ });
    equal(screen.queryAllByRole("button", { name: "Select this page" }).length, 0);
  }
});

test("the page has candidates without email of one school", async () => {
  const service = await issued(1, {});
  const { query } = service.asked.find((each) => each.path.endsWith("/candidates/")) ?? {};
  equal([query?.get("has_email"), query?.get("school")], ["false", "West"]);
});

test("slips are issued in parts, and a part that fails can be tried again", async () => {
  let parts = 0;
  const service = await issued(60, { [SLIPS]: (/** @type {any} */ asked) => (++parts === 2 ? refused(503, "service_unavailable") : ordered(asked)) });
  await says(t("slips.shownOnce", { count: 50 }));
  await says(t("slips.missing", { count: 10 }));
  await press(t("slips.resume"));
  await says(t("slips.shownOnce", { count: 60 }));
  equal(service.sent(SLIPS).map((each) => each.body.candidates.length), [50, 10, 10]);
});

test("the page says who has a code, and replaces it only after a question that names them", async () => {
  const service = await issued(2, { [SLIPS]: (/** @type {any} */ { body }) => ({ slips: body.candidates.map((/** @type {string} */ each) => {
    const isUsed = each === id(2);
    const hasCode = !body.renew || (body.unused && isUsed);
    return slip(Number(each.slice(-3)), { ...(hasCode && { code: null }), ...(body.unused && { used: isUsed }) });
  }) }) });
  await says(t("slips.haveCodes", { count: 2 }));
  equal(screen.queryAllByRole("button", { name: t("slips.printed") }).length, 0);
  await press(t("slips.renewUnused"));
  await says("bcdf-ghjk-m1");
  await screen.findByRole("row", { name: new RegExp(`Pupil 2.*${t("slips.used")}`) });
  await press(t("slips.renew"));
  const dialog = await screen.findByRole("dialog", { name: t("slips.renewTitle", { count: 1 }) });
  ok(dialog.textContent.includes("Pupil 2") && dialog.textContent.includes(t("slips.renews")));
  await click(within(dialog).getByRole("button", { name: t("slips.renew") }));
  await says("bcdf-ghjk-m2");
  await says("bcdf-ghjk-m1");
  equal(service.sent(SLIPS).map(({ body }) => [body.candidates.length, body.renew, body.unused]), [[2, false, false], [2, true, true], [1, true, false]]);
});

test("while later parts are made, the page says how many there are, and lets nobody lose or leave them", async () => {
  /** @type {(() => void)[]} */
  const waiting = [];
  const service = await issued(120, { [SLIPS]: (/** @type {any} */ asked) => new Promise((resolve) => void waiting.push(() => resolve(ordered(asked)))) });
  await says(t("slips.making", { done: 0, count: 120 }));
  equal(screen.queryAllByRole("button", { name: t("slips.others") }).length, 0);
  void go("/console/candidates");
  const dialog = await screen.findByRole("dialog", { name: t("slips.leaveTitle") });
  ok(dialog.textContent.includes(t("slips.leaveMaking")));
  await click(within(dialog).getAllByRole("button").at(-1));
  await until(() => waiting.length === 1);
  waiting[0]?.();
  await says(t("slips.making", { done: 50, count: 120 }));
  await says(t("slips.shownOnce", { count: 50 }));
  for (const name of [t("slips.print", { count: 50 }), t("slips.printed"), t("slips.resume")]) equal(screen.queryAllByRole("button", { name }).length, 0, name);
  await until(() => waiting.length === 2);
  const left = go("/console/candidates");
  await click(within(await screen.findByRole("dialog", { name: t("slips.leaveTitle") })).getByRole("button", { name: t("slips.leave") }));
  await left;
  await arrived(people("people.candidates"));
  waiting[1]?.();
  await until(() => service.waiting === 0);
  equal(service.sent(SLIPS).length, 2);
});

test("who was not reached gets a slip as it was asked for, after codes of others were replaced", async () => {
  let parts = 0;
  const service = await issued(60, { [SLIPS]: (/** @type {any} */ asked) => {
    if (++parts === 2) return refused(503, "service_unavailable");
    return parts === 1 ? { slips: ordered(asked).slips.map((/** @type {any} */ each) => ({ ...each, ...(each.user_id === id(1) && { code: null }) })) } : ordered(asked);
  } });
  await says(t("slips.missing", { count: 10 }));
  await screen.findByRole("alert");
  await press(t("slips.renew"));
  await click(within(await screen.findByRole("dialog")).getByRole("button", { name: t("slips.renew") }));
  await says(t("slips.shownOnce", { count: 50 }));
  await press(t("slips.resume"));
  await says(t("slips.shownOnce", { count: 60 }));
  equal(service.sent(SLIPS).map(({ body }) => [body.candidates.length, body.renew]), [[50, false], [10, false], [1, true], [10, false]]);
});

test("who is refused is named, and the others get their slips", async () => {
  const service = await issued(52, { [SLIPS]: (/** @type {any} */ asked) =>
    (asked.body.candidates.includes(id(2)) ? refused(400, "invalid", "Rejected.", { errors: { candidates: { 1: ["Unknown."] } } }) : ordered(asked)) });
  await says(t("slips.refused", { count: 1, names: "Pupil 2" }));
  await says(t("slips.shownOnce", { count: 51 }));
  equal(service.sent(SLIPS).map(({ body }) => body.candidates.length), [50, 49, 2]);
});

test("people whose accounts are deactivated are named with this reason", async () => {
  const service = await issued(52, { [SLIPS]: (/** @type {any} */ asked) =>
    (asked.body.candidates.includes(id(2)) ? refused(400, "invalid", "Rejected.", { errors: { candidates: { 1: ["Deactivated."] } }, rules: { candidates: { 1: [{ rule: "deactivated" }] } } }) : ordered(asked)) });
  await says(t("slips.deactivated", { count: 1, names: "Pupil 2" }));
  await says(t("slips.shownOnce", { count: 51 }));
  equal(service.sent(SLIPS).map(({ body }) => body.candidates.length), [50, 49, 2]);
});

test("people who were chosen are named, and forgotten when the page is left", async () => {
  await open("/console/candidates", { as: staff("manager"), service: new Service({ [LIST]: page([person(1), person(2)]) }) });
  await press("Select this page");
  await press(people("people.slipsOf", { count: 2 }));
  await arrived(t("slips.title"));
  await says("Pupil 1, Pupil 2");
  await go("/console/candidates");
  await arrived(people("people.candidates"));
  await go("/console/slips");
  await arrived(t("slips.title"));
  await screen.findByRole("row", { name: /Pupil 1/ });
  equal(screen.queryAllByRole("button", { name: t("slips.issue") }).length, 0);
});

test("from the page of a school, candidates of a school whose name contains its name get no slips", async () => {
  const service = new Service({ [LIST]: page([{ ...person(1), school: "West" }, { ...person(2), school: "Westend" }]) });
  await open("/console/slips?school=West&only=West", { as: staff("manager"), service });
  await press("Select this page");
  await press(t("slips.of", { count: 2 }));
  await says(t("slips.chosen", { count: 1 }));
  ok(screen.getByText("Pupil 1"));
});

test("the browser stores no code", async () => {
  await issued(1, {});
  await says("bcdf-ghjk-m1");
  for (const stored of [localStorage, sessionStorage]) ok(!JSON.stringify({ ...stored }).includes("bcdf"));
  ok(!`${JSON.stringify(history.state)}${location.href}`.includes("bcdf"));
});

test("codes that are not printed are not left without a question", async () => {
  await issued(1, {});
  await says(t("slips.shownOnce", { count: 1 }));
  void go("/console/candidates");
  const dialog = await screen.findByRole("dialog", { name: t("slips.leaveTitle") });
  await click(within(dialog).getAllByRole("button").at(-1));
  await press(t("slips.printed"));
  await go("/console/candidates");
  await until(() => location.pathname === "/console/candidates");
});

test("eight slips are on a sheet, each with the address, and its QR code", async () => {
  await issued(9, {});
  let printed = 0;
  globalThis.print = () => {
    printed += 1;
  };
  await press(t("slips.print", { count: 9 }));
  await until(() => printed === 1);
  const sheets = [...document.querySelectorAll(".print-sheet")];
  equal(sheets.map((each) => each.querySelectorAll(".slip").length), [8, 1]);
  const [first] = sheets[0]?.querySelectorAll(".slip") ?? [];
  for (const text of ["Pupil 1", "West", "bcd234", "bcdf-ghjk-m1", location.host]) ok(first?.textContent?.includes(text), text);
  ok((first?.querySelector("canvas")?.width ?? 0) > 20, "There is no QR code.");
  ok(!first?.querySelector("canvas")?.textContent);
  dispatchEvent(new Event("afterprint"));
});
