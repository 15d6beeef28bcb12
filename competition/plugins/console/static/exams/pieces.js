// The parts that the pages of exams share: state and stage in words, the fields that every exam needs, and the dialog
// that asks before an exam would open at once. This module sends no requests.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { Select } from "../../../pages/static/pieces/choices.js";
import { ask } from "../../../pages/static/pieces/dialog.js";
import { DateTime } from "../../../pages/static/pieces/fields.js";
import { Field } from "../../../pages/static/pieces/form.js";
import { Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { EXAM_STAGES } from "../ranks.js";
import { t } from "./words.js";

/** @typedef {"draft" | "scheduled" | "ongoing" | "concluded" | "cancelled"} State */
const KINDS = /** @type {const} */ ({ draft: "", scheduled: "info", ongoing: "ok", concluded: "", cancelled: "bad" });

/** @type {() => [string, string][]} */
export const stages = () => EXAM_STAGES.map((each) => [each, t(`exams.${each}`)]);

/** @param {{ of: State }} props */
export const StateTag = ({ of }) => h(Tag, { kind: KINDS[of] }, t(`exams.state.${of}`));

/** @param {{ stage: "screening" | "league" | "final", round: number }} exam */
export const stageOf = ({ stage, round }) => t("exams.stageRound", { stage: t(`exams.${stage}`), round });

/** The fields that every exam needs. */
export const Basics = () => html`
  ${h(Field, { name: "title", label: t("exams.title"), required: true, maxlength: 255, hint: t("exams.titleHint") })}
  ${h(Select, { name: "stage", label: t("exams.stage"), required: true, options: stages(), hint: t("exams.stageHint") })}
  ${h(Field, { name: "round", label: t("exams.round"), type: "number", inputmode: "numeric", required: true, hint: t("exams.roundHint") })}
  ${h(DateTime, { name: "scheduled_date", label: t("exams.opens"), hint: t("exams.opensHint") })}
  ${h(Field, { name: "open_duration_hours", label: t("exams.hours"), type: "number", inputmode: "numeric", required: true, hint: t("exams.hoursHint") })}
  ${h(Field, { name: "countdown_minutes", label: t("exams.minutes"), type: "number", inputmode: "numeric", required: true, hint: t("exams.minutesHint") })}
  ${h(Field, { name: "description", label: t("exams.description"), rows: 4, maxlength: 10_000, hint: t("exams.descriptionHint") })}`;

/**
 * The values of the form, as the API expects them.
 *
 * @param {Record<string, any>} typed
 */
export const basics = ({ title, stage, round, scheduled_date, open_duration_hours, countdown_minutes, description }) => ({
  title, stage, scheduled_date, description,
  round: Number(round),
  open_duration_hours: Number(open_duration_hours),
  countdown_minutes: Number(countdown_minutes),
});

export const EXAMS = "/console/exams";
export const HOUR = 3_600_000;

export const crumbs = () => [{ href: EXAMS, text: t("exams") }];

/** The link from an exam's paper or preview up to the plan of the exam. @param {{ id: number, title: string }} exam */
export const crumb = (exam) => ({ href: `${EXAMS}/${exam.id}`, text: exam.title });

/**
 * Ask before an exam is saved whose start is in the past, because it would open at once, and nobody notices a wrong day
 * in the form. Don't ask if the exam has already opened. Resolves to whether the exam may be saved.
 *
 * @param {{ scheduled_date?: string | null, open_duration_hours?: number }} changes
 * @param {string | null} opened The start of the exam before these changes.
 */
export async function mayOpen({ scheduled_date, open_duration_hours = 0 }, opened) {
  const opens = Date.parse(scheduled_date ?? "");
  const isOver = opens + open_duration_hours * HOUR < Date.now();
  if (!(opens < Date.now()) || (opened && Date.parse(opened) <= Date.now())) return true;
  return ask({
    title: t(isOver ? "exams.isPastTitle" : "exams.opensNowTitle"),
    what: t(isOver ? "exams.isPast" : "exams.opensNow", { at: whenInWords(opens, dates.when), ago: dates.ago(opens) }),
    verb: t(isOver ? "exams.saveIt" : "exams.openNow"),
  });
}
