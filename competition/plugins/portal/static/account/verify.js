// The page for the code that confirms an email address. It also works without a session.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Code } from "../../../pages/static/pieces/fields.js";
import { Form, useForm } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { signOut } from "../../../pages/static/pieces/start.js";
import * as calls from "./calls.js";
import { EmailField, isEmail, knownEmail, SendCode } from "./pieces.js";
import { t } from "./words.js";

/** The page for verifying the email address with a code. */
export function Verify() {
  const user = session.user()?.user;
  const [email] = useState(knownEmail);
  useEffect(() => {
    if (user?.is_email_verified) void go("/home", { replace: true });
  }, []);
  const done = async () => {
    if (session.user()) {
      session.update(await calls.profile());
      await go("/home");
    } else await go("/sign-in");
    notice({ text: session.user() ? t("account.verified") : t("account.verifiedSignIn") });
  };
  return h(
    Page,
    { title: t("account.verify"), lead: email ? t("account.verifyAt", { email }) : t("account.verifyAny") },
    h(
      Form,
      { initial: { email }, verb: t("account.confirm"), stays: true, send: ({ email, otp }) => calls.verifyEmail(email, otp), done },
      !email && h(EmailField, {}),
      h(Code, { name: "otp", label: t("account.code"), hint: t("account.codeHint") }),
      !email && h(ResendVerification, {}),
    ),
    email && h(SendCode, { send: () => calls.sendEmailCode(email), text: t("account.sendAgain") }),
    user && html`<p class="small muted">${t("account.wrongAddress")}</p><div class="acts">${h(Act, { act: signOut }, t("signOut"))}</div>`,
  );
}

function ResendVerification() {
  const { values } = useForm();
  return isEmail(values.email ?? "") ? h(SendCode, { send: () => calls.sendEmailCode(values.email), text: t("account.sendAgain") }) : null;
}
