// The parts that the pages of leaderboards share: the name of a leaderboard, and why there is none. This module sends
// no requests.

import { Refused } from "../../../pages/static/ground/api.js";
import { html } from "../../../pages/static/ground/html.js";
import { t } from "./words.js";

/** @import { Stage } from "./calls.js" */

/** @param {{ stage: Stage, round: number }} board */
export const name = ({ stage, round }) => t("exams.round", { stage: t(`exams.${stage}`), round });

/**
 * The address of a leaderboard. One of an earlier season is named by its exam, because the round may have another exam
 * by now.
 *
 * @param {{ stage: Stage, round: number, exam_id: number }} board
 * @param {number | null} season The earlier season, or null for the current one.
 */
export const address = ({ stage, round, exam_id }, season) => `/boards/${stage}/${round}${season ? `?exam=${exam_id}&season=${season}` : ""}`;

/**
 * The reason why there is no leaderboard to show, in words. Null for any other error.
 *
 * @param {unknown} error
 * @param {string} [none] What to say if nothing is published.
 */
export function why(error, none = t("boards.none")) {
  if (!(error instanceof Refused)) return null;
  if (error.code === "leaderboard_not_published") return none;
  if (error.code === "unverified_candidate") return html`${t("boards.unverified")} <a href="/documents">${t("documents")}</a>`;
  if (error.code === "leaderboard_hidden") return t("boards.hidden");
  return error.status === 404 ? t("boards.notThis") : null;
}
