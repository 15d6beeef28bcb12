// The service's clock on this device, and the times of one exam. This module knows the device's two clocks, the times
// in replies, and the stored times. It does not know the phases of an exam or the answers, and makes no request.

/** @import { Store, StoredClock } from "./store.js" */
/** @typedef {{ server_time: string, deadline: string | null, hand_in_until?: string | null, opens_at?: string | null, closes_at?: string | null, sealed?: boolean }} Times The times in a reply of the service, and whether the results are final. */

const SECOND = 1000;
// The two clocks of the device differ by more than this if it slept, or its clock was set.
const UNSURE = 2 * SECOND;

/** The time by the service's clock, also without a connection. */
export class Clock {
  /** Whether the time may be wrong: the device slept, or its clock was set. */
  isUnsure = true;
  /** The shortest round trip so far, in milliseconds. Its reply gave the most exact time. */
  trip = Infinity;
  #slept = 0;
  #steps = { timer: performance.now(), clock: Date.now() };
  #store;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** A clock in milliseconds that never jumps while the page is open. It includes the time for which the device slept. */
  get own() {
    return performance.timeOrigin + performance.now() + this.#slept;
  }

  /** The service's time now, in milliseconds since 1970. */
  get now() {
    return this.own + (this.times.ahead ?? 0);
  }

  /** @returns {StoredClock} */
  get times() {
    return this.#store.get("clock") ?? {};
  }

  /** How long until one of these times, in seconds, or null if the time is not known. @param {"opens" | "closes" | "deadline" | "until"} name */
  secondsTo(name) {
    const { ahead = 0, [name]: at } = this.times;
    return at ? Math.max(0, (Date.parse(at) - this.own - ahead) / SECOND) : null;
  }

  /**
   * Set the clock by a reply, assuming that the service read its clock halfway between request and reply. Returns by
   * how many milliseconds the deadline has moved.
   *
   * @param {number} sentAt
   * @param {Times} times
   */
  set(sentAt, times) {
    const before = this.times;
    const clock = { ...before };
    const trip = this.own - sentAt;
    const ahead = Date.parse(times.server_time) - (sentAt + trip / 2);
    // The quickest reply gives the most exact time. But after sleep, use any reply. Also use a reply if it differs from
    // the known time by more than its round trip explains, because then the device's clock has changed.
    const differs = clock.ahead === undefined || Math.abs(ahead - clock.ahead) > trip + UNSURE;
    if (this.isUnsure || differs || trip <= this.trip) {
      this.trip = trip;
      clock.ahead = ahead;
    }
    this.isUnsure = false;
    if (times.opens_at !== undefined) clock.opens = times.opens_at;
    if (times.closes_at !== undefined) clock.closes = times.closes_at;
    if (times.sealed) clock.sealed = true;
    const moved = times.deadline && before.deadline ? Date.parse(times.deadline) - Date.parse(before.deadline) : 0;
    if (times.deadline) {
      clock.deadline = times.deadline;
      // An earlier deadline means that the exam was concluded before the candidate's time was over.
      if (moved < -SECOND) clock.planned = before.planned ?? before.deadline;
      else if (moved > SECOND) delete clock.planned;
      if (times.hand_in_until) clock.until = times.hand_in_until;
      else if (before.until) clock.until = new Date(Date.parse(before.until) + moved).toISOString();
    }
    this.#store.set("clock", clock);
    return moved;
  }

  /**
   * Compare how far both clocks of the device have moved. Only the page's clock stops while the device sleeps. Returns
   * whether they differ. Then only the service knows the time.
   */
  tick() {
    const now = { timer: performance.now(), clock: Date.now() };
    const jump = now.clock - this.#steps.clock - (now.timer - this.#steps.timer);
    const differs = Math.abs(jump) > UNSURE;
    if (differs) {
      // The time during sleep has passed too. Until the service replies, the page shows the shorter remaining time.
      if (jump > 0) this.#slept += jump;
      this.isUnsure = true;
    }
    this.#steps = now;
    return differs;
  }
}
