// The list of appeals in all exams of a season, by their status. While the list is open, new appeals are counted, and
// shown after a click. The page of a closed season leads to its appeals.

import { h, html } from "../../../pages/static/ground/html.js";
import { number } from "../../../pages/static/ground/texts.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { Arrivals, useArrivals } from "../arrivals.js";
import { isClosed, seasonCrumbs, SeasonTag, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { Status } from "./pieces.js";
import { t } from "./words.js";

/** @import { Appeal } from "./calls.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

const STATUSES = /** @type {const} */ (["open", "accepted", "rejected"]);

/** @param {PageProps} props */
export function Appeals({ query }) {
  const status = statusOf(query);
  const poll = calls.useOpen();
  const open = poll.value?.pagination.count;
  const { shown, more, show } = useArrivals(poll);
  const id = Number(query.get("season")) || undefined;
  const season = useSeason(id);
  return h(
    Page,
    { title: t("appeals.title"), crumbs: seasonCrumbs(season), lead: isClosed(season) ? h(SeasonTag, { season }) : t("appeals.lead") },
    h(Unread, { readings: [season] }),
    h(Tabs, {
      label: t("appeals.title"),
      tabs: [
        ...STATUSES.map((each) => ({ value: each, text: t(`appeals.all.${each}`), ...(each === "open" && open !== undefined && !id && { count: open }) })),
        { value: "all", text: t("appeals.all") },
      ],
    }),
    h(Arrivals, { text: more > 0 && t("appeals.arrived", { count: more }), show }),
    list({
      name: t("appeals.title"),
      id: (row) => row.id,
      call: calls.appeals,
      fixed: { ...(status && { status }), ...(id && { season: String(id) }) },
      filters: [{ name: "search", label: t("appeals.search") }],
      columns: [
        { title: t("appeals.candidate"), cell: (row) => html`<a href=${`/console/appeals/${row.id}?${query}`}><bdi>${row.candidate.full_name}</bdi></a><span class="small muted"><bdi>${row.candidate.school}</bdi></span>` },
        { title: t("appeals.exam"), cell: (row) => row.exam_title },
        { title: t("appeals.about"), cell: (row) => about(row) },
        { title: t("appeals.says"), cell: (row) => html`<span class="excerpt">${row.text}</span>` },
        { title: t("appeals.sent"), sort: "created_at", cell: (row) => h(When, { at: row.created_at }) },
        ...(status ? [] : [{ title: t("appeals.status"), cell: (/** @type {Appeal} */ row) => h(Status, { status: row.status }) }]),
      ],
      found: (count) => t("appeals.found", { count }),
      empty: t(id ? "appeals.noneInSeason" : status === "open" ? "appeals.noneOpen" : "appeals.none"),
      version: shown,
    }),
  );
}

/** The subject of an appeal, in words: a question, or the whole result. @param {Appeal} appeal */
const about = ({ question, question_number: at }) =>
  question === null ? t("appeals.result") : at === null ? t("appeals.question") : t("appeals.questionNumber", { number: number(at) });

/** The status of the appeals in the list, or undefined for all. @param {URLSearchParams} query */
function statusOf(query) {
  const tab = query.get("tab") ?? "open";
  return STATUSES.find((each) => each === tab);
}
