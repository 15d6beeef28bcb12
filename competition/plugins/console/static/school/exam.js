// The page of one exam for a teacher: which pupils have started, and the results once candidates see them.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { Export } from "../exports.js";
import { SeasonTag, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { classOf, crumbs, EXAMS } from "./pieces.js";
import { t } from "./words.js";

// The largest page of the API, so that a class is on one page.
const MOST = 100;

/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/** @param {PageProps} props */
export function OneExam({ params, query }) {
  const exam = Number(params.id);
  const season = query.get("season");
  const [version, setVersion] = useState(0);
  const reading = useRead(async () => {
    const about = (await calls.exams({ limit: MOST, ...(season && { season: Number(season) }) })).results.find((each) => each.id === exam) ?? null;
    return { about, results: about?.status === "concluded" ? await calls.resultsIfVisible(exam) : null };
  }, [exam, season, version]);
  const ofSeason = useSeason(season ? Number(season) : undefined);
  const { about, results } = reading.value ?? {};
  useReturn(() => setVersion((before) => before + 1));
  return h(Page, {
    title: about?.title ?? t("school.exam"),
    lead: html`${about?.scheduled_date && h(When, { at: about.scheduled_date })} ${h(SeasonTag, { season: ofSeason })}`,
    crumbs: [...crumbs(), { href: season ? `${EXAMS}?season=${season}` : EXAMS, text: t("school.exams") }],
    actions: results && h(Export, { tables: [{ name: "results", text: t("school.results"), read: calls.exported(exam) }] }),
  },
    h(Unread, { readings: [ofSeason] }),
    loaded(reading, ({ results: found }) => found
      ? h(Section, { title: t("school.results") }, html`<p>${found.average === null ? t("school.nobodyScored") : t("school.average", { score: String(found.average) })}</p>`, list({
          name: t("school.results"),
          id: (/** @type {{ user_id: string }} */ row) => row.user_id,
          call: (query) => calls.results(exam, query),
          filters: [
            { name: "search", label: t("school.search") },
            { name: "group", label: t("school.group") },
          ],
          columns: [
            { title: t("school.name"), cell: (row) => row.full_name },
            { title: t("school.group"), cell: classOf },
            { title: t("school.score"), end: true, cell: (row) => row.score },
            { title: t("school.rank"), end: true, cell: (row) => row.rank ?? "-" },
          ],
          found: (count) => t("school.found", { count }),
          empty: t("school.nobodyScored"),
        }))
      : h(Section, { title: t("school.who") }, html`${about && html`<p><strong>${t("school.day", about.counts)}</strong></p>`}<p>${t("school.whoLead")}</p>
          <div class="acts"><button type="button" class="button" onClick=${() => setVersion((before) => before + 1)}>${t("school.refresh")}</button></div>`, list({
          name: t("school.who"),
          id: (/** @type {{ user_id: string }} */ row) => row.user_id,
          call: (query) => calls.states(exam, query),
          fixed: { limit: String(MOST) },
          version,
          filters: [
            { name: "search", label: t("school.search") },
            { name: "group", label: t("school.group") },
            { name: "state", label: t("school.stateOf"), options: [["not_started", t("school.notStarted")], ["sitting", t("school.sitting")], ["submitted", t("school.submitted")]] },
          ],
          columns: [
            { title: t("school.name"), cell: (row) => row.full_name },
            { title: t("school.group"), cell: classOf },
            { title: t("school.stateOf"), cell: (row) => ({ not_started: t("school.notStarted"), sitting: t("school.sitting"), submitted: t("school.submitted") })[row.state] },
            { title: t("school.started"), cell: (row) => row.started_at && dates.time(row.started_at) },
            { title: t("school.handedIn"), cell: (row) => row.submitted_at && dates.time(row.submitted_at) },
          ],
          found: (count) => t("school.found", { count }),
          empty: t("school.nobody"),
        }))));
}
