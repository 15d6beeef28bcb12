// The parts that the pages about schools share: the fields of a school, rounds in words, and whether there are
// teachers. This module sends no requests.

import { config } from "../../../pages/static/ground/config.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { Field } from "../../../pages/static/pieces/form.js";
import { t } from "./words.js";

export const ALL = "/console/schools";

/** @param {{ stage: import("./calls.js").Stage, round: number }} board */
export const round = ({ stage, round }) => t("schools.round", { stage: t(`schools.stage.${stage}`), round: String(round) });

export const hasTeachers = () => config().plugins.includes("teachers");

/** @param {{ close: () => void }} props */
export const Cancel = ({ close }) => html`<button type="button" class="button" onClick=${close}>${t("schools.cancel")}</button>`;

/** @param {Record<string, any>} values */
export const schoolOf = ({ name, code, region }) => ({ name, region: region ?? "", code: code || null });

export const SchoolFields = () => html`${h(Field, { name: "name", label: t("schools.name"), required: true, maxlength: 200 })}
  ${h(Field, { name: "code", label: t("schools.code"), maxlength: 50, hint: t("schools.codeHint") })}
  ${h(Field, { name: "region", label: t("schools.region"), maxlength: 100 })}`;
