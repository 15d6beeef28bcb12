// The page that invites a member of staff, with a role below the user's own.

import { h, html } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { ALL, RoleField } from "./pieces.js";
import { t } from "./words.js";

export const Invite = () =>
  h(
    Page,
    { title: t("staff.inviteTitle"), lead: t("staff.inviteLead"), crumbs: [{ href: ALL, text: t("staff.title") }] },
    h(Form, {
      initial: { first_name: "", last_name: "", email: "", phone: "", occupation: "", role: "volunteer" },
      draft: "staff.invite",
      verb: t("staff.sendInvitation"),
      send: (values, { key }) => calls.invite(/** @type {any} */ (values), key),
      done: async (_, values) => {
        await go(ALL);
        notice({ text: t("staff.invited", { name: `${values.first_name} ${values.last_name}`, email: values.email }) });
      },
      actions: html`<a class="button" href=${ALL}>${t("staff.cancel")}</a>`,
    },
      h(Field, { name: "first_name", label: t("staff.firstName"), required: true }),
      h(Field, { name: "last_name", label: t("staff.lastName"), required: true }),
      h(Field, { name: "email", label: t("staff.email"), type: "email", required: true, hint: t("staff.emailHint") }),
      h(Field, { name: "phone", label: t("staff.phone"), type: "tel", required: true, hint: t("staff.phoneHint") }),
      h(Field, { name: "occupation", label: t("staff.occupation"), hint: t("staff.occupationHint") }),
      h(RoleField, {})),
  );
