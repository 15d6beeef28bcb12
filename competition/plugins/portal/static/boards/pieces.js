// The parts that the pages of leaderboards share: the name of a leaderboard, and why there is none. This module sends
// no requests.

import { Refused } from "../../../pages/static/ground/api.js";
import { html } from "../../../pages/static/ground/html.js";
import { t } from "./words.js";

/** @import { Stage } from "./calls.js" */

/** @param {{ stage: Stage, round: number }} board */
export const name = ({ stage, round }) => t("exams.round", { stage: t(`exams.${stage}`), round });

/**
 * The reason why there is no leaderboard to show, in words. Null for any other error.
 *
 * @param {unknown} error
 */
export function why(error) {
  if (!(error instanceof Refused)) return null;
  if (error.code === "leaderboard_not_published") return t("boards.none");
  if (error.code === "unverified_candidate") return html`${t("boards.unverified")} <a href="/documents">${t("documents")}</a>`;
  if (error.code === "leaderboard_hidden") return t("boards.hidden");
  return error.status === 404 ? t("boards.notThis") : null;
}
