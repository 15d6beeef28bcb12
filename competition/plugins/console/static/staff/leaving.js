// The list of accounts that are to be erased, of candidates and staff. Until then they can be restored.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { ActOnRows, confirmEach } from "../../../pages/static/pieces/each.js";
import { list } from "../../../pages/static/pieces/list.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import * as calls from "./calls.js";
import { ROLES, rolesBelow } from "./pieces.js";
import { t } from "./words.js";

/** @import { Selection } from "../../../pages/static/pieces/list.js" */
/** @import { Leaving as Left, Role } from "./calls.js" */

/** The accounts that are to be erased. */
export function Leaving() {
  const [version, setVersion] = useState(0);
  /** @param {Left} row */
  const restore = async (row) => {
    const name = row.full_name;
    const restored = await confirm({
      title: t("staff.restoreOne", { name }),
      what: row.is_own ? t("staff.restoresOwn", { name }) : t("staff.restores", { name }),
      verb: t("staff.restore"),
      act: () => calls.restore(row.user_id),
    });
    if (!restored) return;
    notice({ text: t("staff.restored", { name }) });
    setVersion((before) => before + 1);
  };
  /** @param {Selection<Left>} selection */
  const restoreAll = async (selection) => {
    const rows = await selection.rows();
    const own = rows.filter((each) => each.is_own).length;
    const tried = await confirmEach({
      title: t("staff.restoreThem", { count: rows.length }),
      what: own ? t("staff.restoresThemOwn", { count: own }) : t("staff.restoresThem"),
      verb: t("staff.restoreThem", { count: rows.length }),
      items: rows,
      name: (row) => row.full_name,
      act: (row) => calls.restore(row.user_id),
      done: (count) => t("staff.restoredThem", { count }),
    });
    if (!tried) return;
    selection.clear();
    setVersion((before) => before + 1);
  };
  return h(
    Page,
    { title: t("staff.leaving"), lead: t("staff.leavingLead") },
    list({
      name: t("staff.leaving"),
      id: (/** @type {Left} */ row) => row.user_id,
      call: calls.deletions,
      filters: [{ name: "search", label: t("staff.searchLeaving") }],
      columns: [
        { title: t("staff.name"), cell: (row) => html`${row.full_name}<span class="small muted">${row.email}</span>` },
        { title: t("staff.role"), sort: "role", cell: (row) => roleOf(row.role) },
        { title: t("staff.requested"), sort: "created_at", cell: (row) => html`${dates.day(row.requested_at)}<br /><span class="small muted">${row.is_own ? t("staff.byOwner") : t("staff.byManager")}</span>` },
        { title: t("staff.erased"), sort: "erase_at", cell: (row) => html`${h(When, { at: row.erase_at })}<br /><span class="small muted">${dates.ago(row.erase_at)}</span>` },
        { title: t("staff.action"), cell: (row) => mayRestore(row.role) && html`<button type="button" class="button small" aria-label=${t("staff.restoreNow", { name: row.full_name })} onClick=${() => restore(row)}>${t("staff.restore")}</button>` },
      ],
      found: (count) => t("staff.foundLeaving", { count }),
      empty: t("staff.noneLeaving"),
      select: (selection) => h(ActOnRows, { selection, act: () => restoreAll(selection), text: t("staff.restoreThem", { count: selection.count }) }),
      version,
    }),
  );
}

/** @param {string} role */
const roleOf = (role) =>
  ROLES.includes(/** @type {Role} */ (role)) ? t(`staff.role.${/** @type {Role} */ (role)}`) : t("staff.candidate", { stage: t(`people.stage.${/** @type {"screening"} */ (role)}`) });

/** Whether the user may restore the account of a candidate, or of staff with this role. @param {string} role */
const mayRestore = (role) => !ROLES.includes(/** @type {Role} */ (role)) || rolesBelow().includes(/** @type {Role} */ (role));
