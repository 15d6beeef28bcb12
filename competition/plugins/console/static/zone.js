// Moments in words for sentences. `inZone` always names the time zone, for organisers in several zones. `whenInWords` of
// `pages` names a zone only if the league's time differs from the reader's.

import * as dates from "../../pages/static/ground/dates.js";
import { whenInWords } from "../../pages/static/pieces/page.js";
import { t } from "./words.js";

/** @import { Moment } from "../../pages/static/ground/dates.js" */

/**
 * A moment for a sentence. The league's city is named also if the reader's zone shows the same time.
 *
 * @param {Moment} at
 * @param {(at: Moment) => string} [shown] The function of dates.js that writes the reader's time.
 */
export const inZone = (at, shown = dates.time) =>
  dates.leagueTime(at) ? whenInWords(at, shown) : t("inZone", { time: shown(at), city: dates.city() });

/** A moment for a sentence, without the date if the moment is today. @param {Moment} at */
export const inShort = (at) => whenInWords(at, dates.day(at) === dates.day(Date.now()) ? dates.time : dates.when);
