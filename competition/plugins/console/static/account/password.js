// The page for a new password, in three steps: the address, the code that was sent there, and the new password. The
// code is never stored.

import { config } from "../../../pages/static/ground/config.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { go, setQuery } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Code } from "../../../pages/static/pieces/fields.js";
import { Field, Form, Password } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { SIGN_IN, useStep } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/**
 * Set a new password in three steps: the address, the code that was sent there, the new password.
 *
 * @param {PageProps} props
 */
export function NewPassword({ query }) {
  const [email, setEmail] = useState(session.user()?.user.email ?? "");
  const [code, setCode] = useState("");
  const [minutes, setMinutes] = useState(0);
  // The code is not stored. After a reload, the page asks for it again.
  const step = code ? 3 : query.get("step") === "code" ? 2 : 1;
  useStep(step);
  const address = h(Field, { name: "email", label: t("account.email"), type: "email", required: true, autocomplete: "username" });
  const resend = async () => {
    await calls.resendPasswordCode(email);
    notice({ text: t("account.codeSent", { email }) });
  };
  const finish = async () => {
    // The service has ended all sessions of the account, so sign the user out here.
    if (session.user()) await session.close(async () => {});
    await go(SIGN_IN);
    notice({ text: t("account.passwordChanged") });
  };
  return h(Page, { title: t("account.newPassword"), lead: t("account.step", { step, steps: 3 }), crumbs: session.user() ? [{ href: "/console/account", text: t("nav.account") }] : [{ href: SIGN_IN, text: t("account.signIn") }] },
    step === 1 && html`
      ${h(Form, {
        key: "email",
        initial: { email },
        stays: true,
        verb: t("account.sendCode"),
        send: (values) => calls.sendPasswordCode(values.email.trim()),
        done: (reply, values) => {
          // The address in the reply is masked, so show the one that was typed.
          setEmail(values.email.trim());
          setMinutes(reply.expires_in_minutes);
          setQuery({ step: "code" }, { push: true });
        },
      }, address)}
      <p><button type="button" class="button plain" onClick=${() => setQuery({ step: "code" }, { push: true })}>${t("account.hasCode")}</button></p>`,
    step === 2 && html`
      ${email && html`<p>${t("account.codeOnItsWay", { email })} ${minutes > 0 && t("account.codeValid", { count: minutes })}</p>`}
      ${h(Form, {
        key: "code",
        initial: { email, otp: "" },
        stays: true,
        verb: t("account.checkCode"),
        send: (values) => calls.checkPasswordCode(values.email.trim(), values.otp),
        done: (_, values) => {
          setEmail(values.email.trim());
          setCode(values.otp);
        },
        actions: email && h(Act, { act: resend }, t("account.sendAgain")),
      }, !email && address, h(Code, { name: "otp", label: t("account.code") }))}`,
    step === 3 && html`
      ${h(Note, {}, html`<p>${t("account.sessionsEnd")}</p>`)}
      ${h(Form, {
        key: "password",
        initial: { new_password: "", confirm_password: "" },
        stays: true,
        verb: t("account.changePassword"),
        check: (values) => (/** @type {Record<string, string>} */ (values.new_password && values.confirm_password && values.new_password !== values.confirm_password ? { confirm_password: t("account.differ") } : {})),
        send: (values) => calls.changePassword(email, code, /** @type {any} */ (values)),
        done: finish,
        actions: html`<button type="button" class="button" onClick=${() => setCode("")}>${t("account.otherCode")}</button>`,
      },
      html`<input class="hide" type="email" name="username" autocomplete="username" value=${email} readonly tabindex="-1" aria-hidden="true" />`,
      h(Password, { name: "new_password", label: t("account.newPassword"), hint: t("account.passwordRules", { shortest: config().passwords.shortest }), autocomplete: "new-password" }),
      h(Password, { name: "confirm_password", label: t("account.repeat"), autocomplete: "new-password" }))}`);
}
