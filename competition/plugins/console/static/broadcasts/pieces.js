// The words of the pages of broadcasts: groups of people and channels. This module sends no requests.

import { t } from "./words.js";

/** @import { Targets } from "./calls.js" */

/**
 * The groups of people who get a broadcast.
 *
 * @param {Targets} targets
 * @param {boolean | null} [joined] Whether only candidates who have joined the season get it (true), or only
 *   the others (false). If null, all get it.
 */
export const groups = ({ candidate = [], staff = [] }, joined = null) => [
  ...candidate.map((each) => t(`broadcasts.stage.${each}`)).map((group) => (joined === null ? group : t(`broadcasts.narrowed.${joined}`, { group }))),
  ...staff.map((each) => t(`broadcasts.rank.${each}`)),
];

/** @param {readonly ("email" | "platform")[]} channels */
export const channels = (channels) => channels.map((each) => t(`broadcasts.channel.${each}`)).join(", ");

export const crumbs = () => [{ href: "/console/broadcasts", text: t("broadcasts.title") }];
