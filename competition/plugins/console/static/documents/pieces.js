// The parts that the list and the review of documents share: the decision that can still be undone, the next case, and
// names. `deciding.js` has the decisions themselves.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import { useKeys } from "../../../pages/static/pieces/keys.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { STAGES } from "../ranks.js";
import * as deciding from "./deciding.js";
import { t } from "./words.js";

/** @import { Item } from "./calls.js" */

/** The decision that can still be undone, and texts about earlier decisions. */
export function Decisions() {
  const { waiting, outcomes } = deciding.useDecisions();
  // Leave the region empty at first, so that screen readers read the text that appears in it.
  const [isThere, appear] = useState(false);
  useEffect(() => appear(true), []);
  const undo = () => {
    const decision = deciding.undo();
    if (decision) void go(`/console/documents/${decision.id}`);
  };
  useKeys({ u: { text: t("documents.undo"), act: undo } });
  return html`<div role="status" class="doc-decision">
      ${isThere && waiting && html`<p class="note info"><span>${t(waiting.approve ? "documents.approving" : "documents.rejecting", { name: waiting.name })} ${" "}
        <button type="button" class="button small" onClick=${undo}>${t("documents.undo")} <kbd aria-hidden="true">U</kbd></button></span></p>`}
    </div>
    ${outcomes.map((each) => h(Note, { key: each.id, kind: each.kind, alert: true }, html`<p>${each.text}</p>
      <div class="acts">${each.kind === "bad" && html`<a class="button" href=${`/console/documents/${each.id}`}>${t("documents.openAgain")}</a>`}
      <button type="button" class="button" onClick=${() => deciding.hide(each)}>${t("documents.hide")}</button></div>`))}`;
}

export const ALL = "/console/documents";

/** The person to review next, or null. @param {Item[]} items */
export const nextOf = (items) => items.find((each) => !deciding.isDone(each.user_id)) ?? null;

/** @param {string} role */
export const roleOf = (role) =>
  STAGES.some((each) => each === role) ? t(`people.stage.${/** @type {"screening"} */ (role)}`) : t(`staff.role.${/** @type {"volunteer"} */ (role)}`);

/** @param {Item} row */
export const reviewer = ({ reviewed_by: by }) => (by ? `${by.user.first_name} ${by.user.last_name}` : null);
