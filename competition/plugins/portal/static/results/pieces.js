// The parts that the list of results and the page of one result share: the round in words, an address, and when to read
// again. This module sends no requests.

import { useEffect } from "../../../pages/static/ground/html.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { t } from "./words.js";

/** @import { Exam } from "./calls.js" */

/**
 * Read again after each notification, because it may be about a new score or leaderboard.
 *
 * @param {() => void} again
 */
export function useNews(again) {
  useReturn(again);
  useEffect(() => {
    const stop = socket.on("notification_activity", again);
    return () => void stop();
  }, [again]);
}

/** @param {Exam} exam */
export const round = (exam) => t("exams.round", { stage: t(`exams.${exam.stage}`), round: exam.round });

/**
 * The address of a result, or of the list of results.
 *
 * @param {number | null} exam The id of the exam; null for the list.
 * @param {number | null | undefined} season The id of an earlier season. Without it, the address is in the current one.
 */
export const address = (exam, season) => `/results${exam ? `/${exam}` : ""}${season ? `?season=${season}` : ""}`;
