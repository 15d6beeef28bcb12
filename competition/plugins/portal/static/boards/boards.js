// The list of the leaderboards that the candidate may read.

import { h, html } from "../../../pages/static/ground/html.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { AsOf, Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { useBoards } from "./calls.js";
import { name, why } from "./pieces.js";
import { t } from "./words.js";

export function Boards() {
  const reading = useBoards();
  const boards = reading.value?.available_leaderboards ?? [];
  const nothing = reading.value ? boards.length === 0 && t("boards.none") : why(reading.error);
  return h(
    Page,
    { title: t("boards") },
    nothing
      ? h(Empty, {}, nothing)
      : loaded(reading, () => html`
        ${table({
          caption: t("boards"),
          // Show the newest leaderboard first.
          rows: boards.toReversed(),
          id: (row) => row.exam_id,
          columns: [
            { title: t("boards.board"), cell: (row) => html`<a href=${`/boards/${row.stage}/${row.round}`}>${name(row)}</a><span class="small muted">${row.exam_title}</span>` },
            { title: t("boards.candidates"), end: true, cell: (row) => t("boards.count", { count: row.total_candidates }) },
            { title: t("boards.average"), end: true, cell: (row) => t("boards.percent", { score: row.average_score }) },
          ],
        })}
        <p>${h(AsOf, { at: reading.at })}</p>`),
  );
}
