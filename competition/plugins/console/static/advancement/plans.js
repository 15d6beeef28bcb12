// The list of advancement plans, each with its rule in words.

import { h, html } from "../../../pages/static/ground/html.js";
import { number } from "../../../pages/static/ground/texts.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { address, ruleText, Status, title } from "./pieces.js";
import { t } from "./words.js";

export function Plans() {
  const link = isAtLeast("admin") && html`<a class="button first" href="/console/advancement/new">${t("advancement.new")}</a>`;
  return h(
    Page,
    { title: t("advancement.title"), lead: t("advancement.lead"), actions: link },
    list({
      name: t("advancement.plans"),
      id: (plan) => plan.id,
      call: calls.plans,
      columns: [
        { title: t("advancement.plan"), cell: (plan) => html`<a href=${address(plan)}>${title(plan)}</a>` },
        { title: t("advancement.rule"), cell: (plan) => ruleText(plan.rule) },
        { title: t("advancement.examCount"), end: true, cell: (plan) => number(plan.exams.length) },
        { title: t("advancement.status"), cell: (plan) => h(Status, { plan }) },
        { title: t("advancement.created"), sort: "created_at", cell: (plan) => h(When, { at: plan.created_at }) },
      ],
      found: (count) => t("advancement.found", { count }),
      empty: t("advancement.none"),
    }),
  );
}
