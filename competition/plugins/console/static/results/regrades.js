// The list of the regrades of an exam, with each correction in words.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { crumbs, described, isEnabled, regradesOf, RegradeState, resultsOf } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Regrade } from "./calls.js" */

/** @param {PageProps} props */
export function Regrades({ params }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const about = useRead(() => calls.exam(exam), [exam]);
  const paper = useRead(() => calls.paper(exam), [exam]);
  const season = useSeason(about.value?.season);
  return h(
    Page,
    {
      title: about.value ? t("results.regradesOf", { title: about.value.title }) : t("results.regrades"),
      lead: t("results.regradesLead"),
      crumbs: [...crumbs(id, about), { href: resultsOf(id), text: t("results.results") }],
      actions: !isClosed(season) && html`<a class="button first" href=${`${regradesOf(id)}/new`}>${t("results.correct")}</a>`,
    },
    h(ClosedSeason, { season }),
    loaded(paper, (questions) => html`${h(Unread, { readings: [about] })}${list({
      name: t("results.regrades"),
      id: (row) => row.id,
      call: (query) => calls.regrades(exam, query),
      filters: [{ name: "status", label: t("results.status"), options: [["preview", t("results.preview")], ["applied", t("results.applied")], ["reverted", t("results.reverted")]] }],
      columns: [
        { title: t("results.correction"), cell: (/** @type {Regrade} */ row) => html`<a href=${`${regradesOf(id)}/${row.id}`}>${row.changes.map((each) => described(each, questions)).join("; ")}</a><span class="small muted"> ${row.reason}</span>` },
        { title: t("results.status"), cell: (row) => h(RegradeState, { of: row }) },
        { title: t("results.changed"), end: true, cell: (row) => number(row.effect.scores_changed) },
        { title: t("results.created"), sort: "created_at", cell: (row) => h(When, { at: row.created_at }) },
        { title: t("results.appliedAt"), sort: "applied_at", cell: (row) => h(When, { at: row.applied_at }) },
      ],
      empty: t("results.noRegrades"),
      action: isEnabled("analysis") && html`<a class="button" href=${`${resultsOf(id)}?tab=analysis`}>${t("results.toAnalysis")}</a>`,
    })}`),
  );
}
