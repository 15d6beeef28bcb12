// The status of an appeal, for the list and the page of one appeal. This module sends no requests.

import { h } from "../../../pages/static/ground/html.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { t } from "./words.js";

/** @import { Appeal } from "./calls.js" */

/** @type {Record<Appeal["status"], "warn" | "ok" | "bad">} */
const COLOURS = { open: "warn", accepted: "ok", rejected: "bad" };

/** @param {{ status: Appeal["status"] }} props */
export const Status = ({ status }) => h(Tag, { kind: COLOURS[status] }, t(`appeals.status.${status}`));
