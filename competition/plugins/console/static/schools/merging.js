// The dialog that merges other schools into one, on the page of a school. First it shows whom that would concern.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Dialog } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { Cancel, hasTeachers } from "./pieces.js";
import { t } from "./words.js";

/** @import { Merge, School as One } from "./calls.js" */

/**
 * Merge other schools into this one. In the first step, the user enters their names. The second step shows how many
 * people the merge concerns.
 *
 * @param {{ school: One, close: () => void, done: (text: string) => void }} props
 */
export function Merging({ school, close, done }) {
  const [asked, ask] = useState(/** @type {{ names: string[], reason: string, found: Merge } | null} */ (null));
  if (asked) {
    const { names, reason, found } = asked;
    const merge = async () => {
      await calls.merge(school.id, { names, reason });
      done(t("schools.merged", { name: school.name }));
    };
    const isForManagers = found.needs_manager && !isAtLeast("manager");
    return h(Dialog, { title: t("schools.mergeInto", { name: school.name }), onClose: close }, html`<div class="flow">
      <p>${names.join(", ")}</p>
      <p>${t("schools.concerned", { count: found.candidates })} ${hasTeachers() && t("schools.movedTeachers", { count: found.teachers })} ${found.allowances > 0 && t("schools.movedTime", { count: found.allowances })}</p>
      ${found.needs_manager && html`<p><strong>${t(isForManagers ? "schools.onlyManagers" : "schools.givesRights")}</strong></p>`}
      <div class="acts">${!isForManagers && h(Act, { act: merge, kind: "first" }, t("schools.merge"))}
        <button type="button" class="button" onClick=${() => ask(null)}>${t("schools.back")}</button></div></div>`);
  }
  return h(Dialog, { title: t("schools.mergeInto", { name: school.name }), onClose: close }, h(Form, {
    initial: { names: "", reason: "" },
    verb: t("schools.preview"),
    stays: true,
    send: async (values) => {
      const names = String(values.names).split("\n").map((each) => each.trim()).filter(Boolean);
      return { names, reason: values.reason, found: await calls.preview(school.id, names) };
    },
    done: ask,
    actions: h(Cancel, { close }),
  }, h(Field, { name: "names", label: t("schools.names"), required: true, rows: 4, hint: t("schools.namesHint") }),
    h(Field, { name: "reason", label: t("schools.reason"), required: true, maxlength: 500 })));
}
