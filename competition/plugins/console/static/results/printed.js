// The page on which staff enter the scores of printed papers, one candidate after another.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import { candidateSearch } from "../sitters.js";
import * as calls from "./calls.js";
import { CANDIDATE, crumbs, percentOf, resultsOf, score, source } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Sitter } from "./calls.js" */

/** Record the scores of candidates who have worked on a printed paper. @param {PageProps} props */
export function Printed({ params }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const about = useRead(() => calls.exam(exam), [exam]);
  const season = useSeason(about.value?.season);
  // Undefined until the first candidate is chosen, and null while the next candidate is to be chosen.
  const [chosen, choose] = useState(/** @type {Sitter | null | undefined} */ (undefined));
  const [unit, setUnit] = useState("right");
  const [said, say] = useState("");
  const [version, setVersion] = useState(0);

  /** @param {{ unit: string, written: string }} values @param {number} count */
  const send = async ({ unit: chosenUnit, written }, count) => {
    const { id: candidate, name } = /** @type {Sitter} */ (chosen);
    const given = percentOf(chosenUnit, written, count) ?? 0;
    // Read again, because a colleague may have recorded the same paper in the meantime.
    const before = await calls.scoreOf(exam, candidate);
    const act = async () => (await calls.record(exam, candidate, given)).data.score;
    if (before === null) return act();
    const values = { name, before: score(before), score: score(given) };
    return confirm({ title: t("results.replaceTitle", values), what: t("results.replaces", values), verb: t("results.replaceIt", values), danger: true, act });
  };
  /** @param {number | null} given @param {Record<string, any>} values */
  const done = (given, values) => {
    if (given === null || !chosen) return;
    say(t("results.wasRecorded", { name: chosen.name, score: score(given) }));
    setUnit(values.unit);
    choose(null);
    setVersion((before) => before + 1);
  };

  return h(
    Page,
    {
      title: about.value ? t("results.printedOf", { title: about.value.title }) : t("results.printed"),
      lead: !isClosed(season) && t("results.printedLead"),
      crumbs: [...crumbs(id, about), { href: resultsOf(id), text: t("results.results") }],
    },
    h(ClosedSeason, { season }),
    loaded(about, ({ title, question_count: count }) => !isClosed(season) && html`
      <p role="status" class="results-said">${said && !chosen && said}</p>
      ${chosen
        ? h(Section, { title: chosen.name }, html`<p class="muted"><bdi>${chosen.school}</bdi>, ${t(`people.stage.${chosen.role}`)}</p>`,
            h(Form, {
              key: chosen.id,
              initial: { unit: count ? unit : "percent", written: "" },
              verb: chosen.score === null ? t("results.record") : t("results.replace"),
              danger: chosen.score !== null,
              check: (values) => wrongScore(values, count),
              send: (values) => send(/** @type {any} */ (values), count),
              done,
              actions: html`<button type="button" class="button" onClick=${() => choose(null)}>${t("results.chooseOther")}</button>`,
            }, h(PaperScore, { sitter: chosen, title, count })))
        : candidateSearch({ search: (typed, limit) => calls.searched(exam, typed, limit), choose, hint: t("results.sitterHint"), focused: chosen === null, about: stageAndScore })}`),
    h(Section, { title: t("results.latest") }, list({
      name: t("results.latest"),
      id: (row) => row.candidate_id,
      call: (query) => calls.scores(exam, query),
      version,
      fixed: { ordering: "-recorded_at" },
      columns: [
        { ...CANDIDATE, title: t("results.candidate") },
        { title: t("results.score"), end: true, cell: (row) => score(row.score) },
        { title: t("results.by"), cell: source },
        { title: t("results.recorded"), cell: (row) => h(When, { at: row.recorded_at }) },
      ],
      found: (count) => t("results.found", { count }),
      empty: t("results.noneRecorded"),
    })),
  );
}

/**
 * The fields for the score of a printed paper, and a sentence about the effect.
 *
 * @param {{ sitter: Sitter, title: string, count: number }} props
 */
function PaperScore({ sitter: { name, score: before }, title, count }) {
  const { values, id } = useForm();
  const isRight = values.unit === "right";
  const given = percentOf(values.unit, values.written, count);
  // Focus the field, so that several papers can be recorded without the mouse: name, Enter, score, Enter.
  useEffect(() => document.getElementById(id("written"))?.focus(), []);
  const words = { name, title, before: score(before ?? 0), score: score(given ?? 0) };
  return html`
    ${count > 0 && h(Choice, { name: "unit", label: t("results.unit"), required: true, options: [["right", t("results.unitRight", { count })], ["percent", t("results.unitPercent")]] })}
    ${h(Field, { name: "written", label: isRight ? t("results.rightAnswers", { count }) : t("results.inPercent"), required: true, inputmode: isRight ? "numeric" : "decimal", maxlength: 6 })}
    ${before !== null && h(Note, { kind: "warn" }, html`<p>${t("results.hasScore", words)}</p>`)}
    <p role="status">${given !== null && values.written !== "" && t("results.willGet", words)}</p>`;
}

/** @param {Sitter} sitter */
const stageAndScore = ({ role, score: before }) => html`<span class="acts">${h(Tag, {}, t(`people.stage.${role}`))}
  ${before !== null && h(Tag, { kind: "warn" }, t("results.has", { score: score(before) }))}</span>`;

/**
 * @param {Record<string, any>} values
 * @param {number} count
 * @returns {Record<string, string>}
 */
const wrongScore = ({ unit, written }, count) =>
  percentOf(unit, written, count) === null ? { written: unit === "right" ? t("results.wrongRight", { count }) : t("results.wrongPercent") } : {};
