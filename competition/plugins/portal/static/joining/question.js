// The question whether the candidate takes part in the new season, with the consent of a guardian if the league demands
// it. It does not know which page asks: its caller passes what follows.

import { Refused } from "../../../pages/static/ground/api.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Check } from "../../../pages/static/pieces/fields.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Demand, Profile } from "./calls.js" */

/** @param {{ name?: string, done: () => void }} props `name` is that of the season, if the page knows it. */
export function Question({ name: known, done }) {
  const reading = useRead(async () => ({ name: known ?? (await calls.season()), profile: await calls.profile(), demand: await calls.consent() }), [known]);
  return html`<section class="sheet pad flow"><h2>${t("joining.title")}</h2>
    ${loaded(reading, ({ name, profile, demand }) => html`<p>${t("joining.what", { name })}</p>${h(JoiningForm, { name, profile, demand, done, reread: reading.again })}`)}</section>`;
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
        error.errors = { [agreed]: t("joining.consentChanged") };
      }
      throw error;
    }
  };
  return h(Form, {
    initial: { school: profile.school ?? "", year: profile.year === null ? "" : String(profile.year) },
    verb: t("joining.verb", { name }),
    send,
    done: () => {
      done();
      notice({ text: t("joining.done", { name }) });
    },
    stays: true,
  },
  h(Field, { name: "school", label: t("joining.school"), required: true, maxlength: 200, hint: t("joining.schoolHint") }),
  h(Field, { name: "year", label: t("joining.year"), type: "number", inputmode: "numeric", hint: t("joining.yearHint") }),
  demand.required && html`
    <p>${t("joining.guardianWhy")}</p>
    <blockquote class="consent" tabindex="0">${demand.text}</blockquote>
    ${h(Field, { name: "guardian_consent.name", label: t("joining.guardianName"), required: true, maxlength: 200 })}
    ${h(Field, { name: "guardian_consent.email", type: "email", label: t("joining.guardianEmail"), required: true, inputmode: "email", maxlength: 254 })}
    ${h(Check, { name: agreed, label: t("joining.agree"), required: true, key: agreed })}`);
}
