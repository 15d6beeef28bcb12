// The page for signing in, with a code for accounts that have a second factor. It admits no staff: they get a link to
// the console.

import { Refused } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Field, Form, Password } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { knownEmail, loginOf, rememberWhose, useLeaveIfSignedIn, Whose, whose } from "./pieces.js";
import { t } from "./words.js";

/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { Schemas } from "./calls.js" */

/** The page for signing in. It asks for a code if the account has a second factor. */
export function SignIn() {
  useLeaveIfSignedIn();
  const [challenge, ask] = useState(/** @type {{ challenge: string, email: string } | null} */ (null));
  const [isStaff, setStaff] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const [slip, hold] = useState(/** @type {{ login: Schemas["Login"], shared: string } | null} */ (null));
  const done = async (/** @type {Schemas["Login"] | null} */ login, /** @type {FormValues} */ values) => {
    // The reply is not a login yet: the account has a second factor, and the form asks for its code next.
    if (!login) return;
    if (login.profile.profile_type !== "candidate") {
      setStaff(true);
      ask(null);
      await calls.logOut(login.refresh).catch(() => {});
      return;
    }
    // Two candidates may have exchanged their slips. So the session begins only when the candidate has confirmed the
    // name.
    if (!login.profile.has_email) hold({ login, shared: values.shared });
    else begin(login, values.shared);
  };
  const begin = (/** @type {Schemas["Login"]} */ login, /** @type {string} */ shared) => {
    rememberWhose(shared);
    session.open(login);
  };
  if (slip) {
    const { login, shared } = slip;
    const leave = async () => {
      await calls.logOut(login.refresh).catch(() => {});
      hold(null);
      notice({ text: t("account.notYou") });
    };
    return h(IsThisYou, { login, yes: () => begin(login, shared), no: leave });
  }
  if (challenge) {
    return h(
      Page,
      { title: t("account.secondFactor"), lead: t("account.secondFactorWhy") },
      h(
        Form,
        { key: "code", initial: {}, verb: t("signIn"), stays: true, send: ({ code }) => calls.answer({ ...challenge, code }), done,
          actions: html`<button type="button" class="button" onClick=${() => ask(null)}>${t("account.back")}</button>` },
        h(Field, { name: "code", label: t("account.code"), required: true, autocomplete: "one-time-code", maxlength: 50, hint: t("account.secondFactorHint") }),
      ),
    );
  }
  const send = async (/** @type {FormValues} */ { email, password, shared }) => {
    try {
      return await calls.logIn(email, password, shared);
    } catch (error) {
      if (error instanceof Refused) setRefused(true);
      if (!(error instanceof Refused && error.code === "second_factor_required")) throw error;
      rememberWhose(shared);
      ask({ challenge: /** @type {Schemas["LoginRefusal"]} */ (error.body).challenge ?? "", email });
      return null;
    }
  };
  return h(
    Page,
    { title: t("signIn"), lead: html`${t("account.noAccount")} <a href="/register">${t("register")}</a>` },
    isStaff && h(Note, { kind: "warn", alert: true }, html`<p>${t("account.isStaff")} ${config().plugins.includes("console") && html`<a href="/console/">${t("account.console")}</a>`}</p>`),
    h(
      Form,
      { key: "password", initial: { email: knownEmail(), shared: whose() }, verb: t("signIn"), stays: true, send, done,
        actions: html`<a href="/password">${t("account.forgotten")}</a>` },
      h(Field, { name: "email", label: t("account.emailOrLogin"), required: true, autocomplete: "username", inputmode: "email", maxlength: 254 }),
      h(Password, { name: "password", label: t("account.password"), autocomplete: "current-password", hint: t("account.slipHint") }),
      h(Whose, {}),
    ),
    // The service rejects the password of a deleted account like a wrong one.
    isRefused && config().plugins.includes("privacy") && html`<p><a href="/restore">${t("account.restoreLink")}</a></p>`,
  );
}

/**
 * The question after signing in with a login slip: whether the slip's name is the candidate's own.
 *
 * @param {{ login: Schemas["Login"], yes: () => void, no: () => Promise<void> }} props
 */
function IsThisYou({ login: { profile }, yes, no }) {
  const school = "school" in profile ? profile.school : "";
  return h(
    Page,
    { title: t("account.isThisYou") },
    h(Facts, {
      facts: [
        [t("account.name"), `${profile.user.first_name} ${profile.user.last_name}`],
        [t("account.school"), school ?? ""],
        [t("account.login"), loginOf(profile.user.email)],
      ],
    }),
    html`<div class="acts"><button type="button" class="button first" onClick=${yes}>${t("account.yes")}</button> ${h(Act, { act: no }, t("account.no"))}</div>`,
  );
}
