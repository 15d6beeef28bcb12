// The list of the questions of candidates, in all exams, that wait for an answer. Staff answer them on the page of the
// exam's day.

import { h, html } from "../../../pages/static/ground/html.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { dayOf } from "./pieces.js";

/** The open questions, the oldest first. Staff can also answer questions about exams that are over. */
export function OpenQuestions() {
  return h(Page, { title: t("day.asked"), lead: t("day.askedLead"), crumbs: [{ href: "/console/day", text: t("day.days") }] },
    list({
      name: t("day.asked"),
      id: (asked) => asked.id,
      call: calls.openQuestions,
      fixed: { ordering: "asked_at" },
      filters: [{ name: "search", label: t("day.searchAsked") }],
      columns: [
        { title: t("day.question"), cell: (asked) => html`<a href=${`${dayOf(String(asked.exam))}?tab=questions`}>${asked.text}</a>` },
        { title: t("day.candidate"), cell: (asked) => html`<bdi>${asked.candidate?.full_name}</bdi><span class="small muted"> <bdi>${asked.candidate?.school}</bdi></span>` },
        { title: t("day.exam"), cell: (asked) => asked.exam_title },
        { title: t("day.sent"), cell: (asked) => h(When, { at: asked.asked_at }) },
      ],
      found: (count) => t("day.askedFound", { count }),
      empty: t("day.noneAsked"),
    }));
}
