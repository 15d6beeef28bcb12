// The page for a new broadcast: the recipients, whom the service counts again before sending, and the message with its
// preview.

import { config } from "../../../pages/static/ground/config.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { RANKS, STAGES } from "../ranks.js";
import * as calls from "./calls.js";
import { channels, crumbs, groups } from "./pieces.js";
import { t } from "./words.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { NewBroadcast } from "./calls.js" */
/** @typedef {"all" | "true" | "false"} Narrowing Which candidates of the chosen stages get the broadcast, by whether they have joined the season. */
/** @typedef {Record<Narrowing, number>} Count How many people there are. */

const CHANNELS = /** @type {const} */ (["email", "platform"]);
const LONGEST_SUBJECT = 255;
const LONGEST_MESSAGE = 20_000;

export function NewBroadcast() {
  const counts = useRead(audience, []);
  const [count, setCount] = useState(/** @type {number | null} */ (null));
  /**
   * @param {FormValues} values
   * @param {string} key
   */
  const send = async (values, key) => {
    // People may have registered since the page was opened.
    const people = reach(values, await audience()) ?? 0;
    return confirm({
      title: values.subject,
      what: t(values.staff.length ? "broadcasts.sendsAtMost" : "broadcasts.sends", { count: people, channels: channels(values.mediums) }),
      items: groups({ candidate: values.candidate, staff: values.staff }, narrowing(values)),
      verb: t("broadcasts.sendTo", { count: people }),
      danger: true,
      act: () => calls.send(bodyOf(values), key),
    });
  };
  return h(
    Page,
    { title: t("broadcasts.new"), crumbs: crumbs() },
    loaded(counts, (all) => h(
      Form,
      {
        initial: { candidate: [], staff: [], joined: "all", subject: "", message: "", mediums: ["email", "platform"] },
        draft: "broadcast",
        verb: count ? t("broadcasts.sendTo", { count }) : t("broadcasts.send"),
        danger: true,
        check: (values) => ({
          ...(!values.candidate.length && !values.staff.length && { candidate: t("broadcasts.chooseGroup") }),
          ...(!values.mediums.length && { mediums: t("broadcasts.chooseChannel") }),
        }),
        send: (values, { key }) => send(values, key),
        done: async (reply) => {
          if (!reply) return;
          await go(`/console/broadcasts/${reply.id}`);
          notice({ text: t("broadcasts.isSending") });
        },
      },
      h(Audience, { counts: all, onReach: setCount }),
      h(Message, {}),
    )),
  );
}

/**
 * The options of a choice.
 *
 * @template {string} T
 * @param {readonly T[]} values
 * @param {(value: T) => string} text
 * @returns {[value: string, text: string][]}
 */
const options = (values, text) => values.map((each) => [each, text(each)]);

/** @param {FormValues} values @returns {NewBroadcast} */
const bodyOf = ({ subject, message, mediums, candidate, staff, ...values }) => ({
  subject,
  message,
  mediums,
  target_roles: { ...(candidate.length && { candidate }), ...(staff.length && { staff }) },
  ...(candidate.length && narrowing(values) !== null && { joined: narrowing(values) }),
});

const hasSeasons = () => config().plugins.includes("seasons");

/** Which candidates of the chosen stages get the broadcast; null means all. @param {FormValues} values */
const narrowing = ({ joined }) => (joined === "true" ? true : joined === "false" ? false : null);

/** How many people of each role there are. */
async function audience() {
  const [candidates, members] = await Promise.all([Promise.all(STAGES.map(countOf)), Promise.all(RANKS.map(calls.staff))]);
  return new Map(/** @type {[string, Count][]} */ ([...STAGES.map((each, at) => [each, candidates[at]]), ...RANKS.map((each, at) => [each, same(members[at] ?? 0)])]));
}

/** @param {calls.Stage} stage @returns {Promise<Count>} */
async function countOf(stage) {
  if (!hasSeasons()) return same(await calls.candidates(stage, null));
  const [joined, others] = await Promise.all([calls.candidates(stage, true), calls.candidates(stage, false)]);
  return { all: joined + others, true: joined, false: others };
}

/** The same number for each value of `joined`. @param {number} all @returns {Count} */
const same = (all) => ({ all, true: all, false: all });

/**
 * How many people the form's values reach, or null if no group is chosen.
 *
 * @param {FormValues} values
 * @param {Map<string, Count>} counts
 */
function reach(values, counts) {
  const roles = [...values.candidate, ...values.staff];
  return roles.length ? roles.reduce((sum, each) => sum + (counts.get(each)?.[/** @type {Narrowing} */ (values.joined)] ?? 0), 0) : null;
}

/**
 * The choice of the people who get the broadcast, and their number.
 *
 * @param {{ counts: Map<string, Count>, onReach: (count: number | null) => void }} props
 */
function Audience({ counts, onReach }) {
  const { values } = useForm();
  const count = reach(values, counts);
  useEffect(() => onReach(count), [count]);
  /** @param {string} role */
  const size = (role) => number(counts.get(role)?.[/** @type {Narrowing} */ (values.joined)] ?? 0);
  return h(
    Section,
    { title: t("broadcasts.to") },
    html`<div class="audience">
      ${h(Choice, { name: "candidate", label: t("broadcasts.candidates"), many: true, required: true, options: options(STAGES, (each) => t("broadcasts.group", { group: t(`broadcasts.stage.${each}`), size: size(each) })) })}
      ${h(Choice, { name: "staff", label: t("broadcasts.staff"), many: true, required: true, options: options(RANKS, (each) => t("broadcasts.group", { group: t(`broadcasts.rank.${each}`), size: size(each) })) })}
    </div>
    ${hasSeasons() && h(Choice, { name: "joined", label: t("broadcasts.joined"), required: true, options: options(/** @type {Narrowing[]} */ (["all", "true", "false"]), (each) => t(`broadcasts.joined.${each}`)) })}
    <p role="status"><strong>${count === null ? t("broadcasts.nobodyChosen") : t(values.staff.length ? "broadcasts.reachAtMost" : "broadcasts.reach", { count })}</strong> <span class="small muted">${t("broadcasts.countedAgain")}</span></p>`,
  );
}

const Message = () => html`
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
