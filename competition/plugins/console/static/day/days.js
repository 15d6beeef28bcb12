// The list of exams that are open, or open within a day. Each leads to the page of its day.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { dayOf, isEnabled } from "./pieces.js";
import { t } from "./words.js";

/** The exams that are open, or open within a day. */
export function Days() {
  const reading = useRead(calls.current, []);
  useReturn(reading.again);
  return h(
    Page,
    { title: t("day.days"), lead: t("day.daysLead"), actions: isEnabled("clarifications") && html`<a class="button" href="/console/day/questions">${t("day.asked")}</a>` },
    loaded(reading, (exams) => table({
      caption: t("day.days"),
      rows: exams,
      id: (exam) => exam.id,
      columns: [
        { title: t("day.exam"), cell: (exam) => html`<a href=${dayOf(String(exam.id))}>${exam.title}</a>` },
        { title: t("day.state"), cell: (exam) => h(Tag, { kind: exam.status === "ongoing" ? "ok" : "" }, t(exam.status === "ongoing" ? "exams.state.ongoing" : "day.opensSoon")) },
        { title: t("day.opens"), cell: (exam) => h(When, { at: exam.scheduled_date }) },
        { title: t("day.closes"), cell: (exam) => h(When, { at: exam.closes_at }) },
      ],
    }), {
      empty: (exams) => exams.length === 0,
      nothing: h(Empty, { action: isAtLeast("admin") && html`<a class="button" href="/console/exams">${t("day.allExams")}</a>` }, t("day.noDays")),
    }),
  );
}
