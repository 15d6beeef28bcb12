import { t } from "../../../../competition/plugins/console/static/documents/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock, until as so } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { go, open, staff } from "../../kit/front-end.js";
import { words } from "../../kit/said.js";
import { click, fill, frame, press, screen } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const DECIDE = "POST /user/verification/action/{user_id}/";
const maria = staff("manager");
const id = (/** @type {number} */ number) => `8f14e45f-ceea-467f-a1d5-d1b1c3b3a00${number}`;
const NAMES = [["Amara", "Obi"], ["Ben", "Carter"], ["Chloé", "Martin"]];
const [AMARA, BEN, CHLOE] = [2, 3, 4].map(id);
const reviewer = (/** @type {string} */ first_name, /** @type {string} */ last_name, user_id = id(9)) => example("StaffProfile", { user: { id: user_id, first_name, last_name } });

/** @type {ReturnType<typeof stopClock>} */
let clock;
/** Wait until a condition is true, without letting time pass. @param {() => any} isSo @param {string} [what] */
const until = (isSo, what) =>
  so(() => {
    void clock.passes(0);
    return isSo();
  }, what ?? String(isSo));

/**
 * A review that starts with Amara, while three people wait. The clock stands still.
 *
 * @param {Record<string, any>} [replies]
 * @param {string} [path]
 */
async function review(replies, path = `/console/documents/${AMARA}`) {
  const people = NAMES.map(([first_name, last_name], at) => ({ id: id(at + 2), first_name, last_name }));
  /** @type {Record<string, any>} Decisions of other managers, by person. */
  const decided = {};
  const item = (/** @type {any} */ { id, first_name, last_name }) => example("VerificationItem", { user_id: id, full_name: `${first_name} ${last_name}`, role: "screening", is_pending: !decided[id], ...decided[id] });
  const service = new Service({
    "GET /account-management/{user_id}/": ({ params }) => new Reply(200, { profile: example("Account", { profile: { user: people.find((each) => each.id === params.user_id) } }).profile }, { ETag: `"${params.user_id}"` }),
    "GET /user/verification/status/{user_id}/": ({ params: { user_id = "" } }) => example("VerificationRecord", decided[user_id] ? { is_approved: decided[user_id].is_approved, is_rejected: !decided[user_id].is_approved } : { is_pending: true }),
    "GET /user/verification/list/": ({ query }) => page(people.filter((each) => (query.has("user_id") ? each.id === query.get("user_id") : !decided[each.id])).map(item)),
    [DECIDE]: ({ params: { user_id = "" }, body }) => {
      decided[user_id] = { is_approved: body.is_approved, is_rejected: !body.is_approved, reviewed_by: reviewer("Maria", "Okafor", maria.user.id) };
      return example(DECIDE);
    },
    ...replies,
  });
  clock = stopClock();
  await open(path, { as: maria, service });
  const shown = async (/** @type {string} */ name) => {
    await until(() => screen.queryByRole("heading", { name, level: 1 }) && !document.querySelector(".loading"), name);
    await frame();
    await clock.passes(0);
  };
  if (path.includes(AMARA ?? "")) await shown("Amara Obi");
  const sent = () => service.sent(DECIDE).map(({ params, body, headers }) => [params.user_id, body.is_approved, headers.get("If-Match")]);
  const status = () => words(document.querySelector(".doc-decision") ?? undefined);
  return { service, decided, shown, sent, status };
}

const pressed = (/** @type {string} */ key) => press(key, document.body);
const approving = () => t("documents.approving", { name: "Amara Obi" });

test("an approval is sent after four seconds, and can be undone until then", async () => {
  const { shown, sent, status } = await review();
  await until(() => words().includes(t("documents.position", { at: 1, count: 3 })));
  await click(screen.getByRole("button", { name: `${t("documents.approve")}` }));
  await shown("Ben Carter");
  await until(() => status().includes(approving()));
  await clock.passes(3.9);
  await click(screen.getByRole("button", { name: t("documents.undo") }));
  await shown("Amara Obi");
  await clock.passes(60);
  equal(sent(), []);
  await pressed("a");
  await shown("Ben Carter");
  await clock.passes(3.9);
  equal(sent(), []);
  await clock.passes(0.2);
  equal(sent(), [[AMARA, true, `"${AMARA}"`]]);
  await until(() => !status().includes(approving()));
});

test("the review leaves out the manager's own request", async () => {
  const item = (/** @type {string | undefined} */ user_id) => example("VerificationItem", { user_id, is_pending: true });
  const { shown } = await review({ "GET /user/verification/list/": () => page([AMARA, maria.user.id, BEN].map(item)) });
  await until(() => words().includes(t("documents.position", { at: 1, count: 2 })));
  await pressed("a");
  await shown("Ben Carter");
});

test("the key U takes back a decision", async () => {
  const { shown, sent } = await review();
  await pressed("a");
  await shown("Ben Carter");
  await pressed("u");
  await shown("Amara Obi");
  await clock.passes(60);
  equal(sent(), []);
});

test("a rejection needs a reason, which the person will read", async () => {
  const { service, shown } = await review();
  await pressed("r");
  await until(() => words().includes(t("documents.reasonMissing")));
  ok(document.activeElement === screen.getAllByRole("radio")[0]);
  await click(/** @type {HTMLElement} */ (document.activeElement));
  await until(() => !words().includes(t("documents.reasonMissing")));
  await fill(screen.getByLabelText(t("documents.details")), " Take the picture by daylight. ");
  await pressed("r");
  await shown("Ben Carter");
  await clock.passes(5);
  equal(service.sent(DECIDE)[0]?.body, { is_approved: false, is_rejected: true, rejection_reason: `${t("documents.reason.unreadable")} Take the picture by daylight.` });
});

test("another reason alone is enough, but not a choice without a text", async () => {
  const { service, shown } = await review();
  await click(screen.getByLabelText(t("documents.reason.other")));
  await pressed("r");
  await until(() => words().includes(t("documents.reasonMissing")));
  await fill(screen.getByLabelText(t("documents.otherDetails")), "Two people are in it.");
  await pressed("r");
  await shown("Ben Carter");
  await clock.passes(5);
  equal(service.sent(DECIDE)[0]?.body.rejection_reason, "Two people are in it.");
});

test("the next decision sends the one before at once", async () => {
  const { shown, sent } = await review();
  await pressed("a");
  await shown("Ben Carter");
  await pressed("a");
  await until(() => sent().length === 1);
  equal(sent().map(([user]) => user), [AMARA]);
});

test("the list of documents names a decision that is about to be sent, and leaving the review sends it", async () => {
  const { sent } = await review();
  await pressed("a");
  await go("/console/documents");
  await until(() => screen.queryByRole("row", { name: /Amara Obi/ })?.textContent?.includes(t("documents.deciding")));
  equal(sent(), []);
  await go("/console/candidates");
  await until(() => sent().length === 1);
});

for (const [what, leave] of /** @type {[string, () => void][]} */ ([
  ["closing the page", () => dispatchEvent(new Event("pagehide"))],
  ["a click outside the page's content, as on “Sign out”", () => document.body.click()],
  ["hiding the page", () => {
    Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }],
])) {
  test(`${what} sends the decision`, async () => {
    const { shown, sent } = await review();
    await pressed("a");
    await shown("Ben Carter");
    leave();
    await until(() => sent().length === 1);
  });
}

test("a click in the page's content does not send the decision", async () => {
  const { shown, sent } = await review();
  await pressed("a");
  await shown("Ben Carter");
  screen.getByRole("main").click();
  await clock.passes(1);
  equal(sent(), []);
});

test("skipped people are shown again when the review starts again", async () => {
  const { shown } = await review({}, "/console/documents");
  const begin = async () => click(await until(() => screen.queryByRole("button", { name: t("documents.begin") })));
  await begin();
  for (const name of ["Amara Obi", "Ben Carter", "Chloé Martin"]) {
    await shown(name);
    await pressed("s");
  }
  await shown(t("documents.title"));
  await begin();
  await shown("Amara Obi");
  await click(screen.getByRole("button", { name: t("documents.skip") }));
  await shown("Ben Carter");
});

test("the review says that nobody waits", async () => {
  const { decided } = await review({}, "/console/documents");
  for (const each of [AMARA, BEN, CHLOE]) decided[each ?? ""] = { is_approved: true };
  await click(await until(() => screen.queryByRole("button", { name: t("documents.begin") })));
  await until(() => screen.queryByRole("alert")?.textContent?.includes(t("documents.noneWaiting")));
  await click(screen.getByRole("button", { name: t("documents.hide") }));
  await until(() => !screen.queryByRole("alert"));
});

test("the decision of another manager is shown, and the review goes on with the next person", async () => {
  const { service, shown, sent, decided } = await review({ [DECIDE]: () => refused(400, "invalid") });
  decided[AMARA ?? ""] = { is_approved: true, reviewed_by: reviewer("Tunde", "Bello") };
  decided[BEN ?? ""] = { is_approved: false, is_rejected: true, reviewed_by: reviewer("Tunde", "Bello") };
  await pressed("a");
  // Ben was next, but another manager has decided on him too.
  await shown("Chloé Martin");
  await pressed("a");
  const by = (/** @type {any} */ key, /** @type {string} */ name) => t(key, { name, by: "Tunde Bello" });
  await until(() => words().includes(by("documents.approvedBy", "Amara Obi")));
  ok(words().includes(by("documents.rejectedBy", "Ben Carter")));
  equal(sent()[0]?.[0], AMARA);
  ok(service.sent("GET /user/verification/list/").some((each) => each.query.get("user_id") === AMARA));
});

test("a decision of unknown origin is shown without a name", async () => {
  const { shown, decided } = await review({ [DECIDE]: () => refused(400, "invalid") });
  decided[AMARA ?? ""] = { is_approved: true, reviewed_by: null };
  await pressed("a");
  await shown("Ben Carter");
  await clock.passes(5);
  await until(() => words().includes(t("documents.approvedElsewhere", { name: "Amara Obi" })));
});

test("a rejected decision counts if it is the same that this reviewer has made before, because only the reply was lost", async () => {
  const { shown, decided, status } = await review({ [DECIDE]: () => refused(400, "invalid") });
  decided[AMARA ?? ""] = { is_approved: true, reviewed_by: reviewer("Maria", "Okafor", maria.user.id) };
  await pressed("a");
  await shown("Ben Carter");
  await clock.passes(5);
  await until(() => !status().includes(approving()));
  equal(screen.queryAllByRole("alert").map(words), []);
});

test("documents that were replaced during the review are not approved", async () => {
  const { shown } = await review({ [DECIDE]: () => refused(412, "precondition_failed") });
  await pressed("a");
  await shown("Ben Carter");
  await clock.passes(5);
  await until(() => screen.queryByRole("alert"));
  ok(screen.getByRole("alert").textContent.includes("Amara Obi"));
  await click(screen.getByRole("link", { name: t("documents.openAgain") }));
  await shown("Amara Obi");
  await pressed("a");
  // The note about the decision before disappears.
  await until(() => !screen.queryByRole("alert"));
});

test("a rejection that could not be sent comes back with its reason", async () => {
  const { shown } = await review({ [DECIDE]: () => refused(500, "server_error") });
  await click(screen.getByLabelText(t("documents.reason.other")));
  await fill(screen.getByLabelText(t("documents.otherDetails")), "Two people are in it.");
  await pressed("r");
  await shown("Ben Carter");
  for (let at = 0; at < 8; at += 1) await clock.passes(15);
  await until(() => screen.queryByRole("alert"));
  ok(words(screen.getByRole("alert")).includes(t("documents.request", { id: "8c1f0a" })), words(screen.getByRole("alert")));
  await click(screen.getByRole("link", { name: t("documents.openAgain") }));
  await shown("Amara Obi");
  equal(screen.getByLabelText(t("documents.otherDetails")).value, "Two people are in it.");
});
