// The page that cancels the deletion of the user's account, with the code from the email. It needs no session, because
// the service ended all sessions of the account at the deletion.

import { h } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { SIGN_IN } from "./pieces.js";
import { t } from "./words.js";

/** Cancel the deletion of the user's account, with the code that was emailed. */
export function Restore() {
  const done = async () => {
    await go(SIGN_IN);
    notice({ text: t("account.restored") });
  };
  return h(Page, { title: t("account.restore"), lead: t("account.restoreWhy"), crumbs: [{ href: SIGN_IN, text: t("account.signIn") }] },
    h(Form, { initial: { code: "" }, stays: true, verb: t("account.restore"), send: ({ code }) => calls.restore(code.trim()), done },
      h(Field, { name: "code", label: t("account.code"), required: true, maxlength: 100 })));
}
