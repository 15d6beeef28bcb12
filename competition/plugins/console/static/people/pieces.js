// The parts that the pages of candidates share: names, stages, and the state of an account. This module sends no
// requests.

import { h } from "../../../pages/static/ground/html.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { STAGES } from "../ranks.js";
import { t } from "./words.js";

/** @import { Row } from "./calls.js" */

const KINDS = /** @type {const} */ ({ active: "ok", pending: "info", inactive: "warn", deactivated: "bad" });

/** @param {{ user: { first_name: string, last_name: string } }} of */
export const nameOf = ({ user }) => `${user.first_name} ${user.last_name}`;

/** @returns {[string, string][]} */
export const stages = () => STAGES.map((each) => [each, t(`people.stage.${each}`)]);

/** @param {{ status: Row["status"] }} props */
export const StateTag = ({ status }) => h(Tag, { kind: KINDS[status] }, t(`people.state.${status}`));
