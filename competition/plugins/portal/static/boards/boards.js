// The list of the leaderboards that the candidate may read.

import { h, html } from "../../../pages/static/ground/html.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { chosen, SeasonTabs, useSeasons } from "../seasons.js";
import { useBoards } from "./calls.js";
import { address, name, why } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/** @param {PageProps} props */
export function Boards({ query }) {
  const season = chosen(query);
  const seasons = useSeasons();
  const reading = useBoards(season);
  const boards = reading.value?.available_leaderboards ?? [];
  const none = t(season ? "boards.noneEarlier" : "boards.none");
  const nothing = reading.value ? boards.length === 0 && none : why(reading.error, none);
  return h(
    Page,
    { title: t("boards") },
    h(SeasonTabs, { reading: seasons }),
    nothing
      ? h(Empty, {}, nothing)
      : loaded(reading, () => html`
        ${table({
          caption: t("boards"),
          // Show the newest leaderboard first.
          rows: boards.toReversed(),
          id: (row) => row.exam_id,
          columns: [
            { title: t("boards.board"), cell: (row) => html`<a href=${address(row, season)}>${name(row)}</a><span class="small muted">${row.exam_title}</span>` },
            { title: t("boards.candidates"), end: true, cell: (row) => t("boards.count", { count: row.total_candidates }) },
            { title: t("boards.average"), end: true, cell: (row) => t("boards.percent", { score: row.average_score }) },
          ],
        })}
        <p>${h(AsOf, { at: reading.at })}</p>`),
  );
}
