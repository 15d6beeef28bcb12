// The service's clock on a device without the phases of an exam: which replies set it, and what sleep does to it.

import { Clock } from "../../../../competition/plugins/portal/static/exam/sitting/clock.js";
import { Store } from "../../../../competition/plugins/portal/static/exam/sitting/store.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";

const at = (/** @type {number} */ seconds) => new Date(Date.parse("2026-03-10T10:00:00Z") + seconds * 1000).toISOString();
const began = () => ({ time: stopClock(at(0)), clock: new Clock(new Store(7, "user", null)) });
/** The times in a reply. @param {number} now @param {number | null} [deadline] */
const times = (now, deadline = 3600) => ({ server_time: at(now), deadline: deadline === null ? null : at(deadline) });

test("the service has read its clock halfway between request and reply, and the quickest reply is the most exact", async () => {
  const { time, clock } = began();
  const sent = clock.own;
  await time.passes(2);
  clock.set(sent, times(101));
  equal(Math.round(clock.now), Date.parse(at(102)));
  const slow = clock.own;
  await time.passes(4);
  clock.set(slow, times(105));
  equal(Math.round(clock.now), Date.parse(at(106)), "A slower reply with a small difference changes nothing.");
  clock.set(clock.own, times(300));
  equal([Math.round(clock.now), Math.round(clock.secondsTo("deadline") ?? 0)], [Date.parse(at(300)), 3300]);
  equal([clock.secondsTo("opens"), clock.secondsTo("until")], [null, null]);
});

test("a deadline that moves is reported, and moves the last moment with it", () => {
  const { clock } = began();
  equal(clock.set(clock.own, { ...times(0), hand_in_until: at(3720) }), 0);
  equal([clock.set(clock.own, times(0, 4200)), clock.times.until], [600_000, at(4320)]);
  equal([clock.set(clock.own, times(0, 60)), clock.times.planned], [-4_140_000, at(4200)]);
  equal([clock.set(clock.own, times(0, 4200)), clock.times.planned], [4_140_000, undefined]);
  equal([clock.set(clock.own, times(0, null)), clock.times.deadline], [0, at(4200)]);
  clock.set(clock.own, { ...times(0, null), sealed: true });
  clock.set(clock.own, times(0));
  equal(clock.times.sealed, true, "A reply to a save does not say so.");
});

test("after sleep the time is unsure, and the shorter time counts until the next reply", async () => {
  const { time, clock } = began();
  clock.set(clock.own, times(0));
  ok(!clock.isUnsure);
  await time.passes(1);
  ok(!clock.tick());
  time.sleeps(600);
  ok(clock.tick());
  equal([clock.isUnsure, Math.round(clock.secondsTo("deadline") ?? 0)], [true, 2999]);
  clock.set(clock.own, times(601));
  equal(clock.isUnsure, false);
});
