// The parts that the pages of a teacher share: the teacher's school, and the form of a pupil. This module sends no
// requests.

import { h, html } from "../../../pages/static/ground/html.js";
import { Field } from "../../../pages/static/pieces/form.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Reading } from "../../../pages/static/ground/poll.js" */
/** @import { Pupil, School } from "./calls.js" */

export const HOME = "/console/school";
export const SLIPS = `${HOME}/slips`;
export const EXAMS = `${HOME}/exams`;
const KINDS = /** @type {const} */ ({ unconfirmed: "warn", not_joined: "", not_verified: "warn", verified: "ok", removed: "" });

export const crumbs = () => [{ href: HOME, text: t("school.title") }];

/**
 * The content of a page about the user's school. Staff who are not teachers see a text instead.
 *
 * @param {Reading<School | null>} reading
 * @param {(school: School) => Children} shown
 */
export const ofSchool = (reading, shown) => loaded(reading, (school) => school && shown(school), { empty: (school) => school === null, nothing: h(Empty, {}, t("school.noTeacher")) });

/** @returns {[string, string][]} */
export const states = () => /** @type {const} */ (["unconfirmed", "verified", "not_verified", "not_joined", "removed"]).map((each) => [each, t(`school.state.${each}`)]);

/** Whether a candidate of the list is a pupil of the school. @param {Pupil} candidate */
export const isOwn = ({ state }) => state !== "unconfirmed" && state !== "removed";

/** @param {{ state: Pupil["state"] }} props */
export const StateTag = ({ state }) => h(Tag, { kind: KINDS[state] }, t(`school.state.${state}`));

/** @param {{ year: number | null, group: string | null }} pupil */
export const classOf = ({ year, group }) => group || (year === null ? "" : t("school.yearOf", { year }));

/**
 * The fields of a pupil that can be changed later, too, without those that are fixed.
 *
 * @param {{ fixed: readonly string[] }} props
 */
export const PupilFields = ({ fixed }) => html`
  ${fixed.includes("first_name") ? html`<p class="small muted">${t(fixed.includes("phone") ? "school.nameOfPupil" : "school.nameFixed")}</p>` : html`
    ${h(Field, { name: "first_name", label: t("school.firstName"), required: true, maxlength: 150 })}
    ${h(Field, { name: "last_name", label: t("school.lastName"), required: true, maxlength: 150 })}`}
  ${fixed.includes("year") ? html`<p class="small muted">${t("school.yearFixed")}</p>` : h(Field, { name: "year", label: t("school.year"), inputmode: "numeric", maxlength: 2, hint: t("school.yearHint") })}
  ${h(Field, { name: "group", label: t("school.group"), maxlength: 50 })}
  ${h(Field, { name: "external_id", label: t("school.number"), maxlength: 50, hint: t("school.numberHint") })}`;

/**
 * The values of `PupilFields`, for the API.
 *
 * @param {Record<string, any>} values
 */
export const pupilOf = ({ first_name, last_name, year, group, external_id: number }) => ({
  first_name, last_name, group: group ?? "", year: year ? Number(year) : null, external_id: number || null,
});

/** The error of a school year, by the name of the field. Empty if the year is valid. @param {Record<string, any>} values */
export const wrongYear = ({ year }) => (year && !/^([1-9]|1[0-3])$/.test(String(year).trim()) ? { year: t("school.yearHint") } : /** @type {Record<string, string>} */ ({}));
