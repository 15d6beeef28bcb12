// The question on the home page whether the candidate takes part in the new season, with the consent of a guardian if
// the league demands it.

import { Refused } from "../../../pages/static/ground/api.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Check } from "../../../pages/static/pieces/fields.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Part } from "./pieces.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Demand, Profile } from "./calls.js" */

/** @param {{ name: string, done: () => void }} props `name` is that of the season. */
export function Joining({ name, done }) {
  const reading = useRead(async () => ({ profile: await calls.profile(), demand: await calls.consent() }), []);
  return h(Part, { title: t("start.joinTitle") }, html`<p>${t("start.joinWhat", { name })}</p>`,
    loaded(reading, ({ profile, demand }) => h(JoiningForm, { name, profile, demand, done, reread: reading.again })));
}

/** @param {{ name: string, profile: Profile, demand: Demand, done: () => void, reread: () => void }} props */
function JoiningForm({ name, profile, demand, done, reread }) {
  // A guardian who has agreed to an earlier text has to agree again.
  const agreed = `agreed.${demand.version}`;
  /** @param {FormValues} values */
  const send = async ({ school, year, ...values }) => {
    const guardian = { name: values["guardian_consent.name"], email: values["guardian_consent.email"], version: demand.version ?? "" };
    try {
      return await calls.join({ school, ...(year && { year: Number(year) }), ...(demand.required && { guardian_consent: guardian }) });
    } catch (error) {
      if (error instanceof Refused && error.errors.guardian_consent?.version) {
        reread();
        error.errors = { [agreed]: t("start.consentChanged") };
      }
      throw error;
    }
  };
  return h(Form, {
    initial: { school: profile.school ?? "", year: profile.year === null ? "" : String(profile.year) },
    verb: t("start.join", { name }),
    send,
    done: () => {
      done();
      notice({ text: t("start.joined", { name }) });
    },
    stays: true,
  },
  h(Field, { name: "school", label: t("start.school"), required: true, maxlength: 200, hint: t("start.schoolHint") }),
  h(Field, { name: "year", label: t("start.year"), type: "number", inputmode: "numeric", hint: t("start.yearHint") }),
  demand.required && html`
    <p>${t("start.guardianWhy")}</p>
    <blockquote class="start-consent" tabindex="0">${demand.text}</blockquote>
    ${h(Field, { name: "guardian_consent.name", label: t("start.guardianName"), required: true, maxlength: 200 })}
    ${h(Field, { name: "guardian_consent.email", type: "email", label: t("start.guardianEmail"), required: true, inputmode: "email", maxlength: 254 })}
    ${h(Check, { name: agreed, label: t("start.agree"), required: true, key: agreed })}`);
}
