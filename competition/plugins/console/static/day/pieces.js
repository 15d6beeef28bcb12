// The parts that the pages of the exam day share: the state of a candidate, given time in words, and the search for
// candidates who can't take the exam.

import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Tag, whenInWords } from "../../../pages/static/pieces/page.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { CurrentExam } from "./calls.js" */
/** @import { State } from "./watch.js" */
/** @import { components } from "../../../pages/static/types/api.js" */

/** @typedef {components["schemas"]["Allowance"]} Allowance */
/** @typedef {components["schemas"]["CandidateItem"]} Anybody */

/** @param {string} exam */
export const dayOf = (exam) => `/console/exams/${exam}/day`;

/**
 * The name of a state. In an exam that `isDone`, silent candidates are those who have not submitted.
 *
 * @type {(state: State, isDone?: boolean) => string}
 */
export const stateName = (state, isDone = false) => t(isDone && state === "silent" ? "day.unsubmitted" : `day.${state}`);

/** @type {Record<State, "" | "ok" | "warn" | "info">} */
const KINDS = { not_started: "", sitting: "info", silent: "warn", submitted: "ok", handed_in: "ok" };

/** @param {{ state: State, isDone?: boolean }} props */
export const StateTag = ({ state, isDone = false }) => h(Tag, { kind: KINDS[state] }, stateName(state, isDone));

/**
 * The recipient of an allowance, in words, such as "Hillside School".
 *
 * @param {Allowance} given
 */
export const recipientOf = (given) => given.school ?? given.candidate?.full_name ?? (given.everyone ? t("day.everyone") : t("day.oneCandidate"));

/** @param {Allowance} given */
export const howMuch = (given) =>
  given.lost
    ? t("day.lostFrom", { from: whenInWords(given.lost.from), until: whenInWords(given.lost.until) })
    : dates.span((given.extra_minutes ?? 0) * 60);

/**
 * Candidates of the league whom a search finds, but who can't take the exam, each with the reason.
 *
 * @param {{ search: string, stage: CurrentExam["stage"] | undefined }} props
 */
export function Outsiders({ search, stage }) {
  const reading = useRead(() => calls.anybody(search), [search]);
  /** @param {Anybody} candidate */
  const why = ({ is_active: isActive, is_user_verified: isVerified, role }) =>
    !isActive ? t("day.outInactive") : !isVerified ? t("day.outIdentity") : stage && role !== stage ? t("day.outStage", { stage: t(`people.stage.${role}`) }) : null;
  /** @param {Anybody} candidate */
  const link = (candidate) => (!candidate.is_user_verified && isAtLeast("manager") ? "documents" : "candidates");
  const found = (reading.value ?? []).flatMap((each) => {
    const reason = why(each);
    return reason === null ? [] : [{ each, reason }];
  });
  return html`${h(Unread, { readings: [reading] })}
    ${found.length > 0 && h(Note, { kind: "warn" }, html`<ul class="items">${found.map(({ each, reason }) => {
      const { id, first_name: first, last_name: last } = each.user;
      const name = `${first} ${last}`;
      return html`<li>${isAtLeast("admin") ? html`<a href=${`/console/${link(each)}/${id}`}>${name}</a>` : name}, <span class="muted">${each.school}</span>: ${reason}</li>`;
    })}</ul>`)}`;
}

/** @param {string} name */
export const isEnabled = (name) => config().plugins.includes(name);
