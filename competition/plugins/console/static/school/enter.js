// The page on which a teacher enters pupils by hand, one after another.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Section } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { openSlips } from "../chosen.js";
import * as calls from "./calls.js";
import { classOf, crumbs, ofSchool, PupilFields, pupilOf, SLIPS, wrongYear } from "./pieces.js";
import { t } from "./words.js";

/** @import { Entered, Pupil } from "./calls.js" */

/** Enter pupils by hand, one after the other. */
export function Enter() {
  const reading = useRead(calls.own, []);
  const [entered, setEntered] = useState(/** @type {Pupil[]} */ ([]));
  const [kept, keep] = useState({ year: "", group: "" });
  return h(Page, { title: t("school.enter"), lead: t("school.enterLead"), crumbs: crumbs() }, ofSchool(reading, () => html`
    ${h(Form, {
      key: entered.length,
      initial: { first_name: "", last_name: "", email: "", external_id: "", guardian_name: "", guardian_email: "", ...kept },
      verb: t("school.enterVerb"),
      stays: true,
      check: wrongYear,
      send: ({ email, guardian_name, guardian_email, ...values }) => calls.enter({ ...pupilOf(values), email: email || null, guardian_name: guardian_name || null, guardian_email: guardian_email || null }),
      done: (/** @type {Entered} */ { warnings, ...pupil }, values) => {
        keep({ year: values.year, group: values.group });
        setEntered((before) => [pupil, ...before.filter((each) => each.user_id !== pupil.user_id)]);
        notice({ text: t("school.entered", { name: pupil.full_name }) });
        for (const text of warnings) notice({ kind: "warn", text: t("school.warning", { name: pupil.full_name, text }) });
      },
    }, h(PupilFields, { fixed: [] }),
      h(Field, { name: "email", type: "email", label: t("school.email"), inputmode: "email", maxlength: 254, hint: t("school.emailHint") }),
      h(Field, { name: "guardian_name", label: t("school.guardian"), maxlength: 200, hint: t("school.guardianHint") }),
      h(Field, { name: "guardian_email", type: "email", label: t("school.guardianEmail"), inputmode: "email", maxlength: 254 }))}
    ${entered.length > 0 && h(Section, { title: t("school.justEntered") },
      table({ caption: t("school.justEntered"), rows: entered, id: (row) => row.user_id, columns: [
        { title: t("school.name"), cell: (row) => row.full_name },
        { title: t("school.group"), cell: classOf },
        { title: t("school.login"), cell: (row) => row.login && html`<code>${row.login}</code>` },
      ] }),
      entered.some((each) => each.login) && html`<div class="acts">${h(Act, { act: () => openSlips(SLIPS, entered.filter((each) => each.login !== null)) }, t("school.theirSlips"))}</div>`)}`));
}
