// The session, in several tabs: they share it, and never use a refresh token twice.

import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { staff } from "../../kit/front-end.js";
import { tokens } from "../../kit/service.js";
import { Browser } from "../../kit/tabs.js";

const clock = stopClock();
const browser = new Browser();
const profile = staff();

// The service renews a token once. It repeats its reply for the same key, and ends the session if another key comes
// with an old token.
const service = {
  /** @type {{ refresh: string, key: string }[]} */
  renewals: [],
  valid: "",
  last: { refresh: "", key: "" },
  hasEnded: false,
  /** @type {(() => Promise<void>) | null} What happens before a reply. */
  meanwhile: null,

  logIn() {
    const login = tokens();
    this.valid = login.refresh;
    return { ...login, profile };
  },

  /** @param {string} refresh @param {string} key */
  async renew(refresh, key) {
    this.renewals.push({ refresh, key });
    const isRepeated = refresh === this.last.refresh && key === this.last.key;
    this.hasEnded ||= refresh !== this.valid && !isRepeated;
    if (this.hasEnded) throw Object.assign(new Error("invalid_token"), { status: 401 });
    const reply = tokens();
    if (isRepeated) reply.refresh = this.valid;
    else this.last = { refresh, key };
    this.valid = reply.refresh;
    await this.meanwhile?.();
    return reply;
  },
};

/** The keys of all renewals, each once. */
const keys = () => [...new Set(service.renewals.map(({ key }) => key))];
let made = 0;

/** Open a tab, which finds its session. */
async function open() {
  const tab = await browser.tab("session.js");
  return begun(tab);
}

/** @param {Awaited<ReturnType<Browser["tab"]>>} tab */
async function begun(tab) {
  /** @type {string[]} */
  const changes = [];
  tab.run(({ onSession }) => onSession((/** @type {string} */ change) => changes.push(change)));
  const exchange = (/** @type {string} */ refresh, /** @type {string} */ key) => service.renew(refresh, key);
  await soon(tab.run(({ begin }) => begin({ name: "t", newKey: () => `key-${++made}`, exchange })));
  return Object.assign(tab, { changes });
}

/**
 * The result of a promise, while time passes.
 *
 * @param {Promise<any>} promise
 */
async function soon(promise) {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  promise.then(end, end);
  for (let passed = 0; !isDone && passed < 100; passed++) await clock.passes(0.1);
  ok(isDone, "It takes more than ten seconds.");
  return promise;
}

/** @param {Awaited<ReturnType<typeof open>>} tab */
const token = (tab) => soon(tab.run((module) => module.token()));
/** @param {Awaited<ReturnType<typeof open>>} tab */
const renew = (tab) => soon(tab.run((module) => module.renew()));
/** @param {Awaited<ReturnType<typeof open>>} tab */
const logIn = (tab) => tab.run((module) => module.open(service.logIn()));
const kept = () => sessionStorage.getItem("t.session") ?? "";

/** The service renews the tokens, but its replies get lost. */
const loses = async () => {
  throw new TypeError("Failed to fetch");
};

test("a new tab gets the session of another one without a request", async () => {
  const first = await open();
  equal(first.module.user(), null);
  logIn(first);
  // The new tab has a storage of its own.
  sessionStorage.clear();
  const second = await open();
  equal(second.module.user(), profile);
  equal(await token(second), await token(first));
  equal(service.renewals, []);
});

test("a reload continues the session with one renewal", async () => {
  const before = await open();
  logIn(before);
  const old = await token(before);
  before.close();
  const after = await open();
  equal(after.module.user(), profile);
  ok((await token(after)) !== old, "The token is new.");
  equal(service.renewals.length, 1);
});

test("two tabs that renew at once use the token once", async () => {
  const first = await open();
  logIn(first);
  const second = await open();
  service.meanwhile = async () => void (await clock.passes(0));
  const both = await soon(Promise.all([first.run((module) => module.renew()), second.run((module) => module.renew())]));
  equal(both, [true, true]);
  equal(service.renewals.length, 1);
  equal(await token(first), await token(second));
});

test("a duplicated tab asks the others before it renews", async () => {
  const first = await open();
  logIn(first);
  const copied = kept();
  await renew(first);
  sessionStorage.setItem("t.session", copied);
  const second = await open();
  equal(await token(second), await token(first));
  equal(service.renewals.length, 1);
  ok(!service.hasEnded);
});

test("a frozen tab uses no old token when it goes on", async () => {
  const first = await open();
  logIn(first);
  const second = await open();
  first.freeze();
  await renew(second);
  await renew(second);
  first.thaw();
  await renew(first);
  equal(await token(first), await token(second));
  ok(!service.hasEnded);
});

test("a lost connection does not end the session, but a rejection does, and the drafts of forms stay", async () => {
  const tab = await open();
  logIn(tab);
  const before = await token(tab);
  service.meanwhile = loses;
  await renew(tab).catch(() => {});
  equal(tab.changes, ["opened"]);
  equal(await token(tab), before);
  service.meanwhile = null;
  service.hasEnded = true;
  sessionStorage.setItem("draft.x", "1");
  equal(await renew(tab), false);
  equal(tab.changes, ["opened", "expired"]);
  equal(Object.keys(sessionStorage), ["draft.x"]);
});

test("after a lost reply, a reload repeats the renewal with the same key", async () => {
  const before = await open();
  logIn(before);
  service.meanwhile = loses;
  await renew(before).catch(() => {});
  before.close();
  service.meanwhile = null;
  const after = await open();
  equal(after.module.user(), profile);
  ok(await token(after));
  equal(keys().length, 1);
  // The next renewal has a key of its own.
  equal(await renew(after), true);
  equal(keys().length, 2);
  ok(!service.hasEnded);
});

test("another tab repeats the renewal of a tab that was closed", async () => {
  const first = await open();
  logIn(first);
  const second = await open();
  service.meanwhile = () => new Promise(() => {});
  void first.run((module) => module.renew());
  await clock.passes(0.1);
  equal(service.renewals.length, 1);
  first.close();
  service.meanwhile = null;
  equal(await renew(second), true);
  equal(keys().length, 1);
  ok(!service.hasEnded);
});

test("two tabs that are loaded again use the same key", async () => {
  const before = await open();
  logIn(before);
  before.close();
  service.meanwhile = () => new Promise(() => {});
  // The first tab has begun a renewal. The second tab has no key of its own, and asks the first one.
  const storage = kept();
  const first = await begun(await browser.tab("session.js"));
  equal(service.renewals.length, 1);
  sessionStorage.setItem("t.session", storage);
  const second = await begun(await browser.tab("session.js"));
  first.close();
  service.meanwhile = null;
  ok(await token(second));
  equal(keys().length, 1);
  ok(!service.hasEnded);
});

test("a request does not wait for a renewal while the old token is valid", async () => {
  const tab = await open();
  logIn(tab);
  const old = await token(tab);
  // The renewal begins after 80% of two hours, and has no reply.
  /** @type {() => void} */
  let release = () => {};
  service.meanwhile = () => new Promise((resolve) => {
    release = () => resolve();
  });
  await clock.passes(0.81 * 7200);
  equal(service.renewals.length, 1);
  equal(await token(tab), old);
  release();
  service.meanwhile = null;
  await clock.passes(1);
  ok((await token(tab)) !== old);
  equal(service.renewals.length, 1);
});

test("an expired token is renewed before a request", async () => {
  const tab = await open();
  logIn(tab);
  const old = await token(tab);
  clock.sleeps(7300);
  ok((await token(tab)) !== old);
});

test("signing out ends the session in all tabs, and leaves only an exam of another user", async () => {
  const first = await open();
  logIn(first);
  const second = await open();
  const { id } = profile.user;
  for (const each of ["draft.x", `exam.7.${id}`, "exam.7.another"]) sessionStorage.setItem(each, "1");
  /** @type {string[]} */
  const sent = [];
  await soon(first.run((module) => module.close(async (/** @type {string} */ refresh) => sent.push(refresh))));
  equal(sent, [service.valid]);
  for (const each of [first, second]) {
    equal(await token(each), null);
    equal(each.changes.at(-1), "signed out");
  }
  equal(Object.keys(sessionStorage), ["exam.7.another"]);
});
