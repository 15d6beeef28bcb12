// The page for a new password, in two steps: the email address, then the code with the new password. It refers
// candidates without an email address to their teacher.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Code } from "../../../pages/static/pieces/fields.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { checkPasswords, EmailField, knownEmail, NewPassword, rememberEmail, SendCode, SLIPS } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */

const LOGIN_LENGTH = 6;

/**
 * The page for setting a new password, with a code by email. The link in the email leads to the second step.
 *
 * @param {PageProps} props
 */
export function NewPasswordPage({ query }) {
  const isSignedIn = session.user() !== null;
  const [sent, setSent] = useState(/** @type {{ email: string, minutes: number } | null} */ (null));
  const request = async (/** @type {string} */ email) => {
    const reply = await calls.sendPasswordCode(email);
    rememberEmail(email);
    setSent({ email, minutes: reply.expires_in_minutes });
    return reply;
  };
  if (!sent && query.get("step") !== "code") {
    return h(
      Page,
      { title: t("account.newPasswordTitle"), lead: t("account.newPasswordWhy") },
      h(
        Form,
        { key: "email", initial: { email: knownEmail() }, verb: t("account.sendCode"), stays: true, send: ({ email }) => request(email), done: () => {},
          check: ({ email }) => ({ ...(isLogin(email ?? "") && { email: t("account.askTeacher") }) }),
          actions: html`<a href=${isSignedIn ? "/account" : "/sign-in"}>${t("account.back")}</a>` },
        h(EmailField, {}),
      ),
      html`<p><a href="/password?step=code">${t("account.hasCode")}</a></p>`,
    );
  }
  const done = async () => {
    // The service has ended all sessions, this one too. Renewing it fails, which signs the user out here.
    if (isSignedIn) await session.renew().catch(() => {});
    await go("/sign-in");
    notice({ text: t("account.passwordChanged") });
  };
  return h(
    Page,
    { title: t("account.newPasswordTitle"), lead: sent && t("account.passwordCodeSent", { email: sent.email, count: sent.minutes }) },
    h(
      Form,
      {
        key: "code", initial: { email: sent?.email ?? knownEmail() }, verb: t("account.setPassword"), done,
        send: ({ email, otp, new_password, confirm_password }) => calls.changePassword({ email, otp, new_password, confirm_password }),
        check: (values) => checkPasswords(values, "new_password", "confirm_password"),
        actions: sent
          ? html`<button type="button" class="button" onClick=${() => setSent(null)}>${t("account.otherAddress")}</button>`
          : html`<a href="/password">${t("account.sendCode")}</a>`,
      },
      !sent && h(EmailField, {}),
      h(Code, { name: "otp", label: t("account.code"), hint: t("account.codeHint") }),
      h(NewPassword, { first: "new_password", second: "confirm_password" }),
      h(Note, { kind: "info" }, html`<p>${t("account.endsSessions")}</p>`),
    ),
    sent && h(SendCode, { send: () => request(sent.email), text: t("account.sendAgain") }),
  );
}

/**
 * Whether a text is meant as the login of a slip, however it is written.
 *
 * @param {string} text
 */
const isLogin = (text) => text.normalize("NFKC").trim().toLowerCase().replace(/\.$/, "").endsWith(SLIPS) || (!text.includes("@") && text.replace(/[^\p{L}\p{N}]/gu, "").length === LOGIN_LENGTH);
