// Values that the exam day computes itself: the last hour, and the silent candidates by school. This module imports
// nothing, and gets the current time as an argument, so tests can use it without a page.

/** @typedef {"not_started" | "sitting" | "silent" | "submitted" | "handed_in"} State */
/** @typedef {Record<State | "eligible", number>} Counts */
/** @typedef {{ at: number, counts: Counts }} Moment The counts at a time, in milliseconds since 1970. */
/** @typedef {{ candidate: { school: string }, last_seen_at: string | null }} Seat The fields of a candidate that this module reads. */
/**
 * The silent candidates of a school. `from` is when the first of them fell silent.
 *
 * @template {Seat} S
 * @typedef {{ school: string, seats: S[], from: string | null }} Group
 */

/** @type {State[]} */
const STATES = ["not_started", "sitting", "silent", "submitted", "handed_in"];

/**
 * The states that candidates of an exam can have. In a closed season, nobody can start: the service counts only the
 * candidates who have started.
 *
 * @param {boolean} isCurrent Whether the exam's season is current.
 */
export const statesOf = (isCurrent) => (isCurrent ? STATES : STATES.filter((each) => each !== "not_started"));

const MINUTE = 60_000;
const HOUR = 60;
// If a candidate fell silent this much earlier than the last candidate of the school, the cause was a different
// one. In milliseconds.
const APART = 10 * MINUTE;
// With this many silent candidates of a school, its network may be down.
const MANY = 3;
// At most this many groups are checked, because each check is a request.
const CHECKED = 3;

/**
 * Add new counts to the last hour. For each minute, the latest counts replace earlier ones.
 *
 * @param {Moment[]} hour
 * @param {Moment} now
 * @returns {Moment[]}
 */
export function remembered(hour, now) {
  const minute = Math.floor(now.at / MINUTE);
  return [...hour.filter((each) => each.at < minute * MINUTE && each.at >= (minute - HOUR) * MINUTE), now];
}

/**
 * A line for each state, with a value for each minute of the last hour. The value is the latest known count, or
 * null before the first count.
 *
 * @param {Moment[]} hour
 * @param {number} now
 * @param {((counts: Counts) => number)[]} states
 * @returns {{ minutes: number[], lines: (number | null)[][] }}
 */
export function lines(hour, now, states) {
  const last = Math.floor(now / MINUTE);
  const minutes = Array.from({ length: HOUR + 1 }, (_, index) => (last - HOUR + index) * MINUTE);
  const known = minutes.map((minute) => hour.findLast((each) => each.at < minute + MINUTE)?.counts);
  return { minutes, lines: states.map((state) => known.map((counts) => (counts ? state(counts) : null))) };
}

/**
 * The form in which names of schools are compared, the same as in the service. Candidates write the name of their
 * school in different ways. Upper case comes first, because it turns "ß" into "SS".
 *
 * @param {string} school
 */
const keyOf = (school) => school.normalize("NFC").replace(/[`\u00b4\u02b9\u02bb\u02bc\u05f3\u2018\u2019\u201b\u2032\ua78b\ua78c\uff07]/g, "'").replace(/[\u05f4\u201c-\u201f\u2033\uff02]/g, '"').replace(/[\u05be\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, "-").replace(/[Șș]/g, "ş").replace(/[Țț]/g, "ţ").replace(/[\s\u2800\u3164\uffa0]+/g, " ").trim().toUpperCase().toLowerCase().replace(/i\u0307/g, "i");

/**
 * The silent candidates by school, the largest group first.
 *
 * @template {Seat} S
 * @param {S[]} seats
 * @returns {Group<S>[]}
 */
export function grouped(seats) {
  /** @type {Map<string, S[]>} */
  const schools = new Map();
  for (const seat of seats) {
    const key = keyOf(seat.candidate.school);
    schools.set(key, [...(schools.get(key) ?? []), seat]);
  }
  return [...schools.values()]
    .map((each) => ({ school: each[0]?.candidate.school.trim() ?? "", seats: each, from: began(each) }))
    .sort((one, other) => other.seats.length - one.seats.length || one.school.localeCompare(other.school));
}

/**
 * When the first of a group fell silent. Candidates who fell silent more than `APART` before the last candidate
 * don't count.
 *
 * @param {Seat[]} seats
 */
function began(seats) {
  const times = seats.flatMap((each) => each.last_seen_at ?? []).sort();
  const latest = Date.parse(times.at(-1) ?? "");
  return times.find((each) => latest - Date.parse(each) <= APART) ?? null;
}

/**
 * The groups that may be whole schools. The page has to check whether other candidates are sitting there.
 *
 * @template {Seat} S
 * @param {Group<S>[]} groups
 */
export const suspected = (groups) => groups.filter((each) => each.school && each.seats.length >= MANY).slice(0, CHECKED);
