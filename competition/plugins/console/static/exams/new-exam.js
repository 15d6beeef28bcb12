// The page for a new exam. `pieces.js` has the fields, which the plan of an exam uses too.

import { h } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import { Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import * as calls from "./calls.js";
import { Basics, basics, crumbs, EXAMS, mayOpen } from "./pieces.js";
import { t } from "./words.js";

const NEW = { title: "", stage: "screening", round: "1", scheduled_date: null, open_duration_hours: "12", countdown_minutes: "60", description: "" };

export function NewExam() {
  return h(Page, { title: t("exams.plan"), lead: t("exams.planLead"), crumbs: crumbs() },
    h(Form, {
      initial: NEW,
      draft: "exam.new",
      verb: t("exams.create"),
      send: async (values, { key }) =>
        (await mayOpen(basics(values), null)) ? calls.create({ ...basics(values), is_active: true, ranking: "standard" }, key) : null,
      done: async (exam) => {
        // An exam that is over at once probably has a wrong year, which nobody notices in the form. So warn about it.
        const isOver = exam.status === "concluded";
        await go(`${EXAMS}/${exam.id}?step=${isOver ? "basics" : "paper"}`);
        notice(isOver ? { kind: "warn", text: t("exams.createdOver") } : { text: t("exams.created") });
      },
    }, h(Basics, {})));
}
