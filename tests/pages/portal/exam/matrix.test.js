// An exam loses its connection at each step, and then each trouble happens: proves that no answer is lost.
//
// In each test, the candidate chooses B and C, and the service has them at the end, or those that reached it in time.
// `tests/browser/test_portal_matrix.py` repeats some of the cells with the whole page and the real service.

import { equal, ok, test } from "../../kit/cases.js";
import { Device, phoned } from "./devices.js";
import { FIRST, Refused } from "./model.js";

const { opens: OPENS, outcomes, otherwise } = await (await fetch("/tests/pages/portal/exam/matrix.json")).json();
const LASTS = 60;
const GRACE = 5;
const [ONE, TWO, FOUR] = [FIRST, FIRST + 1, FIRST + 3];
// How many seconds a candidate tries to end the exam.
const LONGEST = 600;
const ENDS = ["ended", "nothing", "missed"];

/** @typedef {ReturnType<typeof phoned> & { waitUntilOpen(): Promise<void>, begin(): Promise<void> }} Case One candidate's exam on a phone. */

/** @param {Parameters<typeof phoned>[0]} options @returns {Case} */
function sat(options) {
  const it = /** @type {Case} */ (phoned({ opensIn: OPENS * 60, ...options }));
  it.waitUntilOpen = async () => {
    const left = it.exam.opens - it.exam.now();
    if (left > 0) await it.jumps(left / 1000);
  };
  it.begin = async () => {
    await it.waitUntilOpen();
    it.phone.online();
    await it.passes(0);
    void it.sitting.open();
    await it.passes(0);
    equal(it.sitting.phase, "running");
  };
  return it;
}

// The steps at which the connection is lost.

/** @type {Record<string, (it: Case) => Promise<void>>} */
const STEPS = {
  async before_the_start(it) {
    await it.passes(0);
    equal(it.sitting.phase, "before");
    it.line.isCut = true;
  },
  async at_the_start(it) {
    await it.waitUntilOpen();
    it.phone.online();
    await it.passes(0);
    it.line.lost.add("open");
    void it.sitting.open();
    await it.passes(5);
    equal([it.sitting.phase, it.sitting.isAway, it.exam.startedAt !== null], ["opening", true, true]);
    it.line.isCut = true;
  },
  async while_choosing(it) {
    await it.begin();
    await it.save("B");
    it.line.isCut = true;
    it.sitting.answer(TWO, "C");
    equal(it.sitting.unsaved, [TWO]);
  },
  async while_saving(it) {
    await it.begin();
    await it.save("B");
    it.line.lost.add("save");
    it.sitting.answer(TWO, "C");
    await it.passes(3);
    equal([it.exam.final.slice(0, 2), it.sitting.unsaved], ["BC", [TWO]]);
    it.line.isCut = true;
  },
  async at_the_deadline(it) {
    await STEPS.while_choosing?.(it);
    await it.jumps(60 * LASTS);
    equal(it.sitting.secondsLeft, 0);
  },
  async while_submitting(it) {
    await it.begin();
    await it.save("B");
    await it.save("-C");
    it.line.lost.add("submit").add("receipt");
    void it.sitting.submit();
    await it.passes(3);
    equal([it.sitting.phase, it.sitting.isAway, it.exam.submitted], ["submitting", true, "BC"]);
    it.line.isCut = true;
  },
  async before_the_receipt(it) {
    await it.begin();
    await it.save("B");
    await it.save("-C");
    it.line.lost.add("receipt");
    await it.jumps(60 * (LASTS + GRACE + 1));
    it.phone.online();
    await it.passes(0);
    ok(it.line.seconds("receipt").length);
    it.line.isCut = true;
  },
};

// What happens then, and how the phone differs from the beginning.

/** @type {Record<string, { happens: (it: Case) => Promise<void>, prepare?: (phone: Device, clock: any) => void, isForEver?: boolean }>} */
const TROUBLES = {
  back_soon: { happens: (it) => it.back() },
  back_in_ten_minutes: {
    async happens(it) {
      await it.jumps(60 * 10);
      await it.back();
    },
  },
  never_back: { happens: (it) => it.jumps(60 * (OPENS + LASTS + GRACE + 1)), isForEver: true },
  tab_killed: {
    async happens(it) {
      it.tab.kill();
      // The session was stored in the closed tab only.
      it.line.isSignedOut = true;
      it.tab = it.phone.open();
      await it.back();
    },
  },
  second_tab: {
    async happens(it) {
      it.tab = it.phone.open();
      await it.back();
    },
  },
  second_device: {
    async happens(it) {
      // Only the phone's replies get lost, and its connection is cut now.
      it.line.lost.clear();
      const { tab, line } = { tab: new Device(it.exam, it.proof).open(), line: it.line };
      await it.passes(0);
      if (tab.sitting.phase === "running") {
        tab.sitting.answer(FOUR, "A");
        await it.passes(3);
        equal([tab.sitting.saving, line.isCut], ["saved", true]);
      }
      await it.back();
    },
  },
  // The device's clock is an hour ahead.
  clock_is_wrong: { happens: (it) => it.back(), prepare: (_, clock) => clock.sleeps(3600) },
  slept: {
    async happens(it) {
      it.sleeps(120);
      await it.back();
    },
  },
  storage_is_forbidden: { happens: (it) => it.back(), prepare: (phone) => void (phone.isForbidden = true) },
  storage_is_full: { happens: (it) => it.back(), prepare: (phone) => void (phone.isFull = () => true) },
  api_restarted: {
    async happens(it) {
      // A gateway answers while there is no api.
      const away = new Refused(502, "");
      for (const name of /** @type {const} */ (["time", "open", "save", "submit", "receipt"])) it.line.errors[name] = away;
      it.line.isCut = false;
      it.phone.online();
      await it.passes(1);
      await it.back();
    },
  },
  time_given: {
    async happens(it) {
      it.exam.giveTime(10);
      await it.back();
    },
  },
  concluded: {
    async happens(it) {
      await it.waitUntilOpen();
      it.exam.conclude();
      await it.jumps(60 * (GRACE + 1));
      await it.back();
    },
  },
  signed_out_elsewhere: {
    async happens(it) {
      it.line.isSignedOut = true;
      await it.back();
    },
  },
};

/** Do what the page asks for, until the exam has ended. @param {Case} it */
async function finish(it) {
  await it.waitUntilOpen();
  it.phone.online();
  for (let second = 0; second < LONGEST; second++) {
    await it.passes(1);
    const { sitting } = it;
    if (ENDS.includes(sitting.phase)) return;
    if (sitting.trouble?.status === 401) {
      it.line.isSignedOut = false;
      sitting.goOn();
    } else if (sitting.phase === "ready") void sitting.open();
    else if (sitting.phase === "running" && `${sitting.chosen(ONE)}${sitting.chosen(TWO)}` !== "BC") {
      sitting.answer(ONE, "B");
      sitting.answer(TWO, "C");
    } else if (sitting.phase === "running" && sitting.saving === "saved") void sitting.submit();
    else it.phone.online();
  }
  throw new Error(`The exam does not end. It is ${it.sitting.phase}, ${it.sitting.saving}.`);
}

for (const [step, loses] of Object.entries(STEPS)) {
  for (const [trouble, { happens, prepare = () => {}, isForEver = false }] of Object.entries(TROUBLES)) {
    test(`no answer is lost: ${step}, ${trouble}`, async () => {
      const it = sat({ prepare });
      await loses(it);
      await happens(it);
      if (!isForEver) await finish(it);
      const [, , expected] = outcomes.find((/** @type {any} */ each) => each[0] === step && each[1] === trouble) ?? [null, null, otherwise];
      equal(it.exam.submitted, expected);
      if (expected !== null) it.proof.expectClaims();
    });
  }
}
