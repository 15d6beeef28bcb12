// Parts of the pages about broadcasts.

import { h, html, useEffect } from "../../../pages/static/ground/html.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Field, useForm } from "../../../pages/static/pieces/form.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Section, Tag } from "../../../pages/static/pieces/page.js";
import { config } from "../../../pages/static/pieces/start.js";
import { RANKS, STAGES } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Broadcast, NewBroadcast, Stage, StaffRole, Targets } from "./calls.js" */

export const CHANNELS = /** @type {const} */ (["email", "platform"]);
const LONGEST_SUBJECT = 255;
const LONGEST_MESSAGE = 20_000;
/** @type {Record<Broadcast["status"], "info" | "ok" | "bad">} */
const COLOURS = { pending: "info", sent: "ok", failed: "bad" };

/**
 * The options of a choice.
 *
 * @template {string} T
 * @param {readonly T[]} values
 * @param {(value: T) => string} text
 * @returns {[value: string, text: string][]}
 */
const options = (values, text) => values.map((each) => [each, text(each)]);

/** @param {{ status: Broadcast["status"] }} props */
export const Status = ({ status }) => h(Tag, { kind: COLOURS[status] }, t(`broadcasts.status.${status}`));

/** The groups of people who get a broadcast. @param {Targets} targets */
export const groups = ({ candidate = [], staff = [] }) => [
  ...candidate.map((each) => t(`broadcasts.stage.${each}`)),
  ...staff.map((each) => t(`broadcasts.rank.${each}`)),
];

/** @param {readonly ("email" | "platform")[]} channels */
export const channels = (channels) => channels.map((each) => t(`broadcasts.channel.${each}`)).join(", ");

/** @param {FormValues} values @returns {NewBroadcast} */
export const bodyOf = ({ subject, message, mediums, candidate, staff }) => ({
  subject,
  message,
  mediums,
  target_roles: { ...(candidate.length && { candidate }), ...(staff.length && { staff }) },
});

/** How many people of each role there are. */
export async function audience() {
  const [candidates, members] = await Promise.all([Promise.all(STAGES.map(calls.candidates)), Promise.all(RANKS.map(calls.staff))]);
  return new Map(/** @type {[string, number][]} */ ([...STAGES.map((each, at) => [each, candidates[at]]), ...RANKS.map((each, at) => [each, members[at]])]));
}

/**
 * How many people the form's values reach, or null if no group is chosen.
 *
 * @param {FormValues} values
 * @param {Map<string, number>} counts
 */
export function reach({ candidate, staff }, counts) {
  const roles = [...candidate, ...staff];
  return roles.length ? roles.reduce((sum, each) => sum + (counts.get(each) ?? 0), 0) : null;
}

/**
 * The choice of the people who get the broadcast, and their number.
 *
 * @param {{ counts: Map<string, number>, onReach: (count: number | null) => void }} props
 */
export function Audience({ counts, onReach }) {
  const { values } = useForm();
  const count = reach(values, counts);
  useEffect(() => onReach(count), [count]);
  /** @param {string} role */
  const size = (role) => number(counts.get(role) ?? 0);
  return h(
    Section,
    { title: t("broadcasts.to") },
    html`<div class="audience">
      ${h(Choice, { name: "candidate", label: t("broadcasts.candidates"), many: true, required: true, options: options(STAGES, (each) => t("broadcasts.group", { group: t(`broadcasts.stage.${each}`), size: size(each) })) })}
      ${h(Choice, { name: "staff", label: t("broadcasts.staff"), many: true, required: true, options: options(RANKS, (each) => t("broadcasts.group", { group: t(`broadcasts.rank.${each}`), size: size(each) })) })}
    </div>
    <p role="status"><strong>${count === null ? t("broadcasts.nobodyChosen") : t(values.staff.length ? "broadcasts.reachAtMost" : "broadcasts.reach", { count })}</strong> <span class="small muted">${t("broadcasts.countedAgain")}</span></p>`,
  );
}

export const Message = () => html`
  ${h(Section, { title: t("broadcasts.message") }, h(Field, { name: "subject", label: t("broadcasts.subject"), required: true, maxlength: LONGEST_SUBJECT }),
    h(Field, { name: "message", label: t("broadcasts.text"), hint: t("broadcasts.messageHint"), rows: 10, required: true, maxlength: LONGEST_MESSAGE }),
    h(Choice, { name: "mediums", label: t("broadcasts.channels"), many: true, required: true, options: options(CHANNELS, (each) => t(`broadcasts.by.${each}`)) }))}
  ${h(Preview, {})}`;

/** The message as its recipients will see it. */
function Preview() {
  const { values } = useForm();
  const { subject, message, mediums } = values;
  const isEmpty = !subject && !message;
  return h(
    Section,
    { title: t("broadcasts.preview") },
    isEmpty
      ? html`<p class="muted">${t("broadcasts.previewEmpty")}</p>`
      : CHANNELS.filter((each) => mediums.includes(each)).map((each) => html`<figure class="sheet letter">
          <figcaption class="small muted">${t(`broadcasts.channel.${each}`)}</figcaption>
          ${each === "email" && html`<p class="letterhead">${config().name}</p>`}
          <div class="pad flow"><p class="subject">${subject}</p><p class="plain">${message}</p></div>
        </figure>`),
  );
}

/** The number of failed emails, and how to send them again. @param {{ count: number, mayResend: boolean }} props */
export const FailedMails = ({ count, mayResend }) => h(Note, { kind: "bad" }, html`<p>${t("broadcasts.mailsFailed", { count })}</p>
  ${mayResend ? html`<a href="/console/house/mails?state=failed">${t("broadcasts.toMails")}</a>` : html`<p>${t("broadcasts.askSuperadmin")}</p>`}`);
