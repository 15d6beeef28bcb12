// The page with the answers that a candidate has saved in an exam. The service records each reading in the audit trail.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Maths } from "../../../pages/static/pieces/maths.js";
import { Facts, Page } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import * as calls from "./calls.js";
import { crumbs, orNothing, resultsOf } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/** The answers that a candidate has saved so far. @param {PageProps} props */
export function SavedAnswers({ params }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const candidate = params.candidate ?? "";
  const about = useRead(() => calls.exam(exam), [exam]);
  const person = useRead(() => calls.candidate(candidate), [candidate]);
  const reading = useRead(async () => {
    const [draft, paper] = await Promise.all([orNothing(calls.draft(exam, candidate)), calls.paper(exam)]);
    return { draft, paper };
  }, [exam, candidate]);
  return h(
    Page,
    {
      title: person.value ? t("results.draftsOf", { name: person.value.name }) : t("results.drafts"),
      lead: t("results.draftsLead"),
      crumbs: [...crumbs(id, about), { href: resultsOf(id), text: t("results.results") }],
    },
    h(Unread, { readings: [about, person] }),
    loaded(reading, ({ draft, paper }) => {
      const saved = new Map(draft?.answers.map((each) => [each.question, each.selected_option]));
      return html`
        ${h(Facts, { facts: [
          [t("results.savedAt"), h(When, { at: draft?.saved_at ?? null })],
          [t("results.answered"), t("results.answeredOf", { count: draft?.answered ?? 0, of: paper.length })],
        ] })}
        ${table({
          caption: t("results.drafts"),
          rows: paper.map((question, at) => ({ question, position: at + 1, letter: saved.get(question.id) ?? "" })),
          id: (row) => row.question.id,
          columns: [
            { title: t("results.question"), cell: (row) => html`${t("results.numbered", { position: row.position })} <span class="small">${h(Maths, { of: row.question })}</span>` },
            { title: t("results.saved"), cell: (row) => row.letter || html`<span class="muted">${t("results.blank")}</span>` },
            { title: t("results.key"), cell: (row) => row.question.correct_answer },
          ],
        })}`;
    }, { empty: ({ draft }) => !draft?.saved_at, nothing: h(Empty, {}, t("results.noDrafts")) }),
  );
}
