// The parts that the list of results and the page of one result share: the round in words, and when to read again. This
// module sends no requests.

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
