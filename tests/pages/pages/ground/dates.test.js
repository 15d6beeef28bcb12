// Dates and times, for a reader in London and a league in Lagos.

import * as dates from "../../../../competition/plugins/pages/static/ground/dates.js";
import { equal, test } from "../../kit/cases.js";

export const device = { timezone_id: "Europe/London", locale: "en-GB" };

// The clocks of London go forward on 29 March 2026 at 1:00, and back on 25 October at 2:00.
const TIMES = [
  ["2026-12-12", "11:00", "Africa/Lagos", "2026-12-12T10:00"],
  ["2026-03-29", "00:59", "Europe/London", "2026-03-29T00:59"],
  // Clocks skip this hour, so the result is an hour later.
  ["2026-03-29", "01:30", "Europe/London", "2026-03-29T01:30"],
  ["2026-03-29", "02:00", "Europe/London", "2026-03-29T01:00"],
  // Clocks show this time twice, and the result is the first.
  ["2026-10-25", "01:30", "Europe/London", "2026-10-25T00:30"],
  ["2026-10-25", "02:00", "Europe/London", "2026-10-25T02:00"],
  ["2026-03-08", "02:30", "America/New_York", "2026-03-08T07:30"],
  ["2026-11-01", "01:30", "America/New_York", "2026-11-01T05:30"],
  // On this island in the southern hemisphere, clocks change by half an hour.
  ["2026-10-04", "02:15", "Australia/Lord_Howe", "2026-10-03T15:45"],
  ["2026-04-05", "01:45", "Australia/Lord_Howe", "2026-04-04T14:45"],
  ["2026-01-01", "00:00", "Pacific/Kiritimati", "2025-12-31T10:00"],
];

test("times of a zone become UTC, across changes of its clocks", () => {
  for (const [date = "", time = "", zone = "", utc] of TIMES) equal(dates.toUtc(date, time, zone), `${utc}:00.000Z`, `${date} ${time} ${zone}`);
});

test("each quarter of an hour of a year becomes UTC and back", () => {
  const lost = [];
  for (let at = Date.UTC(2026, 2, 1); at < Date.UTC(2026, 11, 1); at += 900_000) {
    const { date, time } = dates.fromUtc(at, "Europe/Paris");
    const back = Date.parse(dates.toUtc(date, time, "Europe/Paris") ?? "");
    // Clocks show one hour twice.
    if (back !== at && (at - back !== 3_600_000 || date !== "2026-10-25")) lost.push(new Date(at).toISOString());
  }
  equal(lost, []);
});

test("dates name the league's time only where it differs", () => {
  dates.setZone("Africa/Lagos");
  const winter = "2026-12-12T10:00Z";
  equal(
    [dates.when(winter), dates.leagueTime(winter), dates.leagueTime("2026-07-12T10:00Z"), dates.leagueTime("2026-12-12T23:30Z"), dates.city()],
    ["Sat 12 Dec 2026, 10:00", "11:00", null, "Sun 13 Dec 2026, 00:30", "Lagos"],
  );
});

test("lengths of time are written as a clock, in words, and relative to now", () => {
  equal([2538.9, 3725, -1].map(dates.clock), ["42:18", "1:02:05", "00:00"]);
  equal([5400, 20].map(dates.span), ["1 hr 30 min", "0 min"]);
  equal(dates.ago(0, 3 * 86_400_000), "3 days ago");
});
