// The parts that the pages of leaderboards share: addresses, rounds, points. This module sends no requests.

import { Refused } from "../../../pages/static/ground/api.js";
import { number } from "../../../pages/static/ground/texts.js";
import { t } from "./words.js";

/**
 * @template T
 * @typedef {import("../../../pages/static/pieces/table.js").Column<T>} Column
 */

/** How often the pages of leaderboards poll, in seconds. */
export const SELDOM = 60;

/** @param {{ stage: "screening" | "league" | "final", round: number }} exam */
export const round = ({ stage, round }) => t("boards.round", { stage: t(`boards.stage.${stage}`), round: String(round) });

/**
 * The address of a leaderboard, or of an earlier version of it.
 *
 * @param {{ stage: string, round: number, exam_id?: number }} board If a round has several exams, the latest counts, or
 *   `exam_id`.
 * @param {number} [snapshot]
 */
export function address({ stage, round, exam_id: exam }, snapshot) {
  const query = new URLSearchParams({ ...(exam && { exam: String(exam) }), ...(snapshot && { snapshot: String(snapshot) }) });
  return `/console/boards/${stage}/${round}${query.size ? `?${query}` : ""}`;
}

/** A score with two decimals, as leaderboards show it. @param {number} value */
export const points = (value) => number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * Whether a reading failed only because nothing is published yet.
 *
 * @param {{ error: unknown }} reading
 */
export const isUnpublished = ({ error }) => error instanceof Refused && error.code === "leaderboard_not_published";

export const crumbs = () => [{ href: "/console/boards", text: t("boards.title") }];
