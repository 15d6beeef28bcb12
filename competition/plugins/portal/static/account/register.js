// The page for registering, with the consent of a guardian if the league demands it. Afterwards the candidate is signed
// in, and verifies the email address.

import { Refused } from "../../../pages/static/ground/api.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Check } from "../../../pages/static/pieces/fields.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { checkPasswords, isEmail, NewPassword, rememberEmail, rememberWhose, School, useLeaveIfSignedIn, Whose, whose } from "./pieces.js";
import { t } from "./words.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Schemas } from "./calls.js" */

/** The page for registering. */
export function Register() {
  useLeaveIfSignedIn();
  const registration = useRead(calls.registration, []);
  const consent = useRead(calls.consent, []);
  return h(
    Page,
    { title: t("register"), lead: html`${t("account.haveAccount")} <a href="/sign-in">${t("signIn")}</a>` },
    loaded(registration, ({ is_candidate_reg_open, support_email }) =>
      is_candidate_reg_open
        ? loaded(consent, (demand) => h(RegisterForm, { demand, reread: consent.again }))
        : h(Note, { kind: "warn" }, html`<p><strong>${t("account.closed")}</strong> ${support_email && html`${t("account.ask")} <a href=${`mailto:${support_email}`}>${support_email}</a>`}</p>`),
    ),
  );
}

/** @param {{ demand: Schemas["ConsentDemand"], reread: () => void }} props */
function RegisterForm({ demand, reread }) {
  // A guardian who has agreed to an earlier text has to agree again.
  const agreed = `agreed.${demand.version}`;
  const send = async (/** @type {FormValues} */ values, /** @type {{ key: string }} */ { key }) => {
    const { first_name, last_name, email, phone, school, password, password2 } = values;
    const guardian = { name: values["guardian_consent.name"], email: values["guardian_consent.email"], version: demand.version ?? "" };
    try {
      return await calls.register({ first_name, last_name, email, phone, school, password, password2, generate_password: false, ...(demand.required && { guardian_consent: guardian }) }, key);
    } catch (error) {
      if (error instanceof Refused && error.errors.guardian_consent?.version) {
        reread();
        error.errors = { [agreed]: t("account.consentChanged") };
      }
      throw error;
    }
  };
  const done = async (/** @type {unknown} */ _, /** @type {FormValues} */ { email, password, shared }) => {
    rememberEmail(email);
    rememberWhose(shared);
    try {
      // Sign in now, so that the candidate need not type the password again after the code.
      session.open(await calls.logIn(email, password, shared));
    } catch {
      // The account exists even if this login fails. The candidate can sign in after entering the code.
    }
    await go("/verify");
  };
  return h(
    Form,
    {
      initial: { shared: whose() },
      draft: "account.register",
      verb: t("account.create"),
      send,
      done,
      check: (values) => ({
        ...(values.email && !isEmail(values.email) && { email: t("account.noEmail") }),
        ...checkPasswords(values, "password", "password2"),
      }),
    },
    h(Field, { name: "first_name", label: t("account.firstName"), required: true, autocomplete: "given-name", maxlength: 150, hint: t("account.nameRule") }),
    h(Field, { name: "last_name", label: t("account.lastName"), required: true, autocomplete: "family-name", maxlength: 150 }),
    h(School, { known: "" }),
    h(Field, { name: "email", type: "email", label: t("account.email"), required: true, autocomplete: "email", inputmode: "email", maxlength: 254, hint: t("account.emailRule") }),
    h(Taken, {}),
    h(Field, { name: "phone", type: "tel", label: t("account.phone"), required: true, autocomplete: "tel", inputmode: "tel", maxlength: 20, hint: t("account.phoneRule") }),
    h(NewPassword, { first: "password", second: "password2" }),
    h(Whose, {}),
    demand.required &&
      html`<section class="sheet pad flow">
        <h2>${t("account.guardian")}</h2>
        <p>${t("account.guardianWhy")}</p>
        <blockquote class="consent" tabindex="0">${demand.text}</blockquote>
        ${h(Field, { name: "guardian_consent.name", label: t("account.guardianName"), required: true, maxlength: 200 })}
        ${h(Field, { name: "guardian_consent.email", type: "email", label: t("account.guardianEmail"), required: true, inputmode: "email", maxlength: 254 })}
        ${h(Check, { name: agreed, label: t("account.agree"), required: true, key: agreed })}
      </section>`,
  );
}

/** The next steps if the service has rejected the address, for example because there is an account already. */
function Taken() {
  const { errors, values } = useForm();
  if (!errors.email || !isEmail(values.email ?? "")) return null;
  return h(Note, { kind: "info" }, html`<p>${t("account.taken")} <a href="/sign-in">${t("signIn")}</a> · <a href="/password">${t("account.forgotten")}</a></p>`);
}
