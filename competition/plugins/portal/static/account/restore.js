// The page that cancels the deletion of the candidate's account, with the code from the email. It needs no session,
// because the service ended all sessions of the account at the deletion.

import { h } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** The page for cancelling the deletion of an account. */
export function Restore() {
  const done = async () => {
    await go("/sign-in");
    notice({ text: t("account.restored") });
  };
  return h(
    Page,
    { title: t("account.restore"), lead: t("account.restoreWhy") },
    h(Form, { initial: {}, verb: t("account.restore"), stays: true, send: ({ code }) => calls.restore(code), done },
      h(Field, { name: "code", label: t("account.code"), required: true, maxlength: 100 })),
  );
}
