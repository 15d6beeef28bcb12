// Dates and times, on top of Intl. The API sends and receives UTC. Pages show times in the reader's time zone, and add
// the league's time if it differs. Forms use the league's time zone. This module knows only the device's clock, not the
// service's.

import { language } from "./texts.js";

const MINUTE = 60_000;
const DATE = /** @type {const} */ ({ day: "numeric", month: "short", year: "numeric" });
const SHORT = /** @type {const} */ ({ day: "numeric", month: "short" });
const TIME = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DIGITS = /** @type {const} */ ({ year: "numeric", month: "2-digit", day: "2-digit", second: "2-digit" });
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
let league = "UTC";
// The formats are reused, because creating one takes much longer than using it.
/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @typedef {string | number | Date} Moment An ISO 8601 string, milliseconds since 1970, or a Date. */

/**
 * Set the league's time zone.
 *
 * @param {string} zone
 */
export function setZone(zone) {
  league = zone;
}

export const leagueZone = () => league;
export const ownZone = () => own;

/**
 * The name of a time zone for people: "Lagos" for Africa/Lagos.
 *
 * @param {string} [zone]
 */
export const city = (zone = league) => (zone.split("/").pop() ?? zone).replaceAll("_", " ");

/**
 * @param {Moment} at
 * @param {Intl.DateTimeFormatOptions} options
 * @param {string} [zone]
 * @param {string} [locale]
 */
function shown(at, options, zone = own, locale = language() === "en" ? "en-GB" : language()) {
  const key = JSON.stringify([options, zone, locale]);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    formats.set(key, format);
  }
  return format.format(new Date(at));
}

/**
 * A date, such as "12 Dec 2026".
 *
 * @param {Moment} at
 * @param {string} [zone]
 */
export const day = (at, zone) => shown(at, DATE, zone);

/**
 * A date without its year, where the year is clear: "12 Dec".
 *
 * @param {Moment} at
 * @param {string} [zone]
 */
export const shortDay = (at, zone) => shown(at, SHORT, zone);

/**
 * A time, such as "10:00".
 *
 * @param {Moment} at
 * @param {string} [zone]
 */
export const time = (at, zone) => shown(at, TIME, zone);

/**
 * A date and a time: "Sat 12 Dec 2026, 10:00".
 *
 * @param {Moment} at
 * @param {string} [zone]
 */
export const when = (at, zone) =>
  `${shown(at, { weekday: "short" }, zone)} ${day(at, zone)}, ${time(at, zone)}`;

/**
 * The time in the league's time zone, with the date if the date differs. Null if clocks show the same in both
 * zones.
 *
 * @param {Moment} at
 */
export function leagueTime(at) {
  if (when(at) === when(at, league)) return null;
  return day(at) === day(at, league) ? time(at, league) : when(at, league);
}

/**
 * How long ago a moment was, or how far ahead it is: "3 days ago", "in 5 minutes".
 *
 * @param {Moment} at
 * @param {Moment} [from]
 */
export function ago(at, from = Date.now()) {
  const minutes = (new Date(at).getTime() - new Date(from).getTime()) / MINUTE;
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  if (Math.abs(minutes) < 59.5) return format.format(Math.round(minutes), "minute");
  if (Math.abs(minutes) < 23.5 * 60) return format.format(Math.round(minutes / 60), "hour");
  return format.format(Math.round(minutes / 1440), "day");
}

/**
 * A length of time in words: "5 min", "1 hr, 30 min", "3 days".
 *
 * @param {number} seconds
 */
export function span(seconds) {
  const minutes = Math.round(seconds / 60);
  const parts = /** @type {const} */ ([
    [Math.floor(minutes / 1440), "day"],
    [Math.floor(minutes / 60) % 24, "hour"],
    [minutes % 60, "minute"],
  ]);
  const named = parts
    .filter(([value, unit]) => value > 0 || (unit === "minute" && minutes === 0))
    .map(([value, unit]) => value.toLocaleString(language(), { style: "unit", unit, unitDisplay: "short" }));
  return new Intl.ListFormat(language(), { style: "narrow", type: "unit" }).format(named);
}

/**
 * A number of seconds in the format of a clock: "42:18", "1:02:05". A negative number is shown as "00:00".
 *
 * @param {number} seconds
 */
export function clock(seconds) {
  const left = Math.max(0, Math.floor(seconds));
  const digits = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const hours = Math.floor(left / 3600);
  const rest = `${digits(Math.floor(left / 60) % 60)}:${digits(left % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/**
 * The date and the time in a zone, in the format of the inputs of forms: { date: "2026-12-12", time: "11:00" }.
 *
 * @param {Moment} at
 * @param {string} [zone]
 */
export function fromUtc(at, zone = league) {
  // The Swedish format, 2026-12-12, is the one that the inputs use.
  const [date = "", clockTime = ""] = shown(at, { ...DIGITS, ...TIME }, zone, "sv-SE").split(" ");
  return { date, time: clockTime.slice(0, 5) };
}

/**
 * The moment at which a zone's clocks show a date and a time, in UTC: "2026-12-12T10:00:00.000Z". If clocks show
 * that time twice, it is the first of the two. If they skip it, the result is later by the skipped time.
 *
 * @param {string} date
 * @param {string} clockTime
 * @param {string} [zone]
 */
export function toUtc(date, clockTime, zone = league) {
  const wanted = Date.parse(`${date}T${clockTime}Z`);
  if (Number.isNaN(wanted)) return null;
  // The zone's offset a day before and a day after: they differ if the clocks change in between.
  const before = offset(wanted - 1440 * MINUTE, zone);
  const after = offset(wanted + 1440 * MINUTE, zone);
  const right = [before, after].find((each) => offset(wanted - each, zone) === each) ?? before;
  return new Date(wanted - right).toISOString();
}

/**
 * How far a zone is ahead of UTC at a moment, in milliseconds.
 *
 * @param {number} at
 * @param {string} zone
 */
function offset(at, zone) {
  const minute = Math.floor(at / MINUTE) * MINUTE;
  const { date, time: clockTime } = fromUtc(minute, zone);
  return Date.parse(`${date}T${clockTime}Z`) - minute;
}
