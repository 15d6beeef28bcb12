// The page for a new advancement plan. `pieces.js` has the form.

import { h } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { address, crumbs, PlanForm } from "./pieces.js";
import { t } from "./words.js";

export function NewPlan() {
  return h(
    Page,
    { title: t("advancement.new"), crumbs: crumbs(), lead: t("advancement.newLead") },
    h(PlanForm, {
      verb: t("advancement.create"),
      send: (body, { key }) => calls.create(body, key),
      done: async (plan) => {
        await go(address(plan));
        notice({ text: t("advancement.createdText") });
      },
    }),
  );
}
