// The list of the exams of a teacher's pupils, with how many pupils have started and submitted each.

import { h, html } from "../../../pages/static/ground/html.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { When } from "../../../pages/static/pieces/when.js";
import * as calls from "./calls.js";
import { crumbs, EXAMS } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Exam } from "./calls.js" */

/** @param {PageProps} props */
export function Exams({ query }) {
  const read = calls.useSeasons();
  const seasons = read.value ?? [];
  const season = query.get("season");
  return h(Page, { title: t("school.exams"), lead: t("school.examsLead"), crumbs: crumbs() },
    h(Unread, { readings: [read] }),
    seasons.length > 1 && h(Tabs, { label: t("school.seasons"), name: "season", tabs: seasons.map(({ id, name: text }) => ({ value: String(id), text })) }),
    list({
      name: t("school.exams"),
      id: (/** @type {Exam} */ row) => row.id,
      call: calls.exams,
      fixed: season ? { season } : {},
      filters: [{ name: "search", label: t("school.searchExams") }],
      columns: [
        { title: t("school.exam"), sort: "title", cell: (row) => html`<a href=${`${EXAMS}/${row.id}${season ? `?season=${season}` : ""}`}>${row.title}</a>` },
        { title: t("school.examState"), cell: (row) => h(Tag, { kind: row.status === "ongoing" ? "ok" : "" }, t(`school.exam.${row.status}`)) },
        { title: t("school.at"), sort: "scheduled_date", cell: (row) => row.scheduled_date && h(When, { at: row.scheduled_date }) },
        { title: t("school.ends"), cell: (row) => row.closes_at && h(When, { at: row.closes_at }) },
        { title: t("school.notStarted"), end: true, cell: (row) => row.counts.not_started },
        { title: t("school.sitting"), end: true, cell: (row) => row.counts.sitting },
        { title: t("school.submitted"), end: true, cell: (row) => row.counts.submitted },
      ],
      found: (count) => t("school.examsFound", { count }),
      empty: t("school.noExams"),
    }));
}
