// The results of an exam, and the regrades that correct them.

import { Refused } from "../../../pages/static/ground/api.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { language, number } from "../../../pages/static/ground/texts.js";
import { Act, confirm } from "../../../pages/static/pieces/dialog.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { LETTERS, Maths, Options, spoken } from "../../../pages/static/pieces/maths.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Sheet, Tag, When } from "../../../pages/static/pieces/page.js";
import { table } from "../../../pages/static/pieces/table.js";
import { Tabs } from "../../../pages/static/pieces/tabs.js";
import { config } from "../../../pages/static/pieces/start.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { Export } from "../exports.js";
import { ImportLink } from "../importing.js";
import { isAtLeast } from "../ranks.js";
import { candidateSearch } from "../sitters.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import {
  Alarms, AnalysedQuestions, Chosen, correct, described, Effect, Moved, PaperScore, percentOf, printedOf, RegradeState, regradesOf, resultsOf, score,
} from "./pieces.js";

/** @import { Letter } from "../../../pages/static/pieces/maths.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { AnalysedQuestion, Change, ExamResult, PaperQuestion, Regrade, RegradedScore, Sitter } from "./calls.js" */
/**
 * @template T
 * @typedef {import("../../../pages/static/pieces/table.js").Column<T>} Column
 */

/** @param {string} name */
const isEnabled = (name) => config().plugins.includes(name);

/**
 * The result of a request, or null if its object does not exist.
 *
 * @template T
 * @param {Promise<T>} reading
 */
async function orNothing(reading) {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

/**
 * The links to the pages above this one.
 *
 * @param {string} id
 * @param {{ value?: { title: string } | undefined }} about
 */
const crumbs = (id, about) => [
  { href: "/console/exams", text: t("results.exams") },
  { href: `/console/exams/${id}`, text: about.value?.title ?? t("results.exam") },
];

/** @param {PageProps} props */
export function Results({ params, query }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const about = useRead(() => calls.exam(exam), [exam]);
  const tab = query.get("tab") ?? "scores";
  return h(
    Page,
    {
      title: about.value ? t("results.title", { title: about.value.title }) : t("results.results"),
      crumbs: crumbs(id, about),
      actions: html`${isEnabled("regrades") && html`<a class="button" href=${regradesOf(id)}>${t("results.regrades")}</a>`}
        ${about.value?.status === "concluded" && isAtLeast("admin") && isEnabled("leaderboard") && html`<a class="button" href=${`/console/boards/publish?exams=${id}`}>${t("results.publish")}</a>`}
        ${isAtLeast("admin") && html`<a class="button" href=${printedOf(id)}>${t("results.toPrinted")}</a>`}
        ${about.value?.status === "concluded" && h(ImportLink, { kind: "answers", from: "admin", exam, text: t("exams.fromPaper") })}
        ${h(ImportLink, { kind: "scores", from: "admin", exam, text: t("results.importScores") })}
        ${isAtLeast("admin") && h(Export, { tables: [
          { name: "results", text: t("results.results"), bySchool: true, read: calls.results(exam) },
          { name: "absent", text: t("results.absent"), bySchool: true, read: calls.absent(exam) },
          { name: "answers", text: t("results.answers"), bySchool: true, read: calls.answers(exam) },
          ...(isEnabled("allowances") ? [{ name: "allowances", text: t("results.extraTime"), read: calls.extraTime(exam) }] : []),
        ] })}`,
    },
    h(Unread, { readings: [about] }),
    about.value && about.value.status !== "concluded" && h(Note, {}, html`<p>${t("results.notOver")} <a href=${`/console/exams/${id}/day`}>${t("results.toDay")}</a></p>`),
    h(Tabs, { label: t("results.parts"), tabs: [{ value: "scores", text: t("results.scores") }, ...(isEnabled("analysis") ? [{ value: "analysis", text: t("results.analysis") }] : [])] }),
    tab === "analysis" ? h(Analysis, { id }) : h(Scores, { id }),
  );
}

/** @type {Column<ExamResult>} */
const CANDIDATE = { title: "", cell: (row) => html`<a href=${`/console/candidates/${row.candidate_id}`}><bdi>${row.candidate_name}</bdi></a><span class="small muted"> <bdi>${row.candidate_school}</bdi></span>` };

/** The source of a score. @param {ExamResult} row */
function source(row) {
  if (!row.auto_score) return h(Tag, { kind: "info" }, t("results.byHand", { name: row.score_submitted_by }));
  if (row.handed_in_by === "staff") return h(Tag, {}, t("results.byStaff"));
  return row.handed_in_by === "service" ? h(Tag, {}, t("results.byService")) : t("results.byCandidate");
}

/** @param {{ id: string }} props */
const Scores = ({ id }) =>
  list({
    name: t("results.scores"),
    id: (row) => row.candidate_id,
    call: (query) => calls.scores(Number(id), query),
    filters: [{ name: "search", label: t("results.search") }],
    columns: [
      { ...CANDIDATE, title: t("results.candidate") },
      { title: t("results.score"), sort: "score", end: true, cell: (row) => score(row.score) },
      { title: t("results.submitted"), cell: (row) => h(When, { at: row.submitted_at }) },
      { title: t("results.by"), cell: source },
      { title: t("results.recorded"), sort: "recorded_at", cell: (row) => h(When, { at: row.recorded_at }) },
      ...(isEnabled("drafts") ? [{ title: t("results.drafts"), cell: (/** @type {{ candidate_id: string, candidate_name: string }} */ row) => html`<a href=${`${resultsOf(id)}/${row.candidate_id}`}>${t("results.look")}<span class="hide"> <bdi>${row.candidate_name}</bdi></span></a>` }] : []),
    ],
    found: (count) => t("results.found", { count }),
    empty: t("results.noneYet"),
  });

/** @param {{ id: string }} props */
function Analysis({ id }) {
  const reading = useRead(() => orNothing(calls.analysis(Number(id))), [id]);
  useReturn(reading.again);
  return loaded(reading, (found) => found && html`
    ${h(AnalysedQuestions, { exam: id, of: found })}
    <div class="acts">${h(Act, { act: () => calls.saveAnalysis(Number(id)) }, t("results.csv"))}</div>`,
    { empty: (found) => found === null, nothing: h(Empty, {}, t("results.noSubmissions")) });
}

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

/** @param {Sitter} sitter */
const stageAndScore = ({ role, score: before }) => html`<span class="acts">${h(Tag, {}, t(`people.stage.${role}`))}
  ${before !== null && h(Tag, { kind: "warn" }, t("results.has", { score: score(before) }))}</span>`;

/** Record the scores of candidates who have worked on a printed paper. @param {PageProps} props */
export function Printed({ params }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const about = useRead(() => calls.exam(exam), [exam]);
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
      lead: t("results.printedLead"),
      crumbs: [...crumbs(id, about), { href: resultsOf(id), text: t("results.results") }],
    },
    loaded(about, ({ title, question_count: count }) => html`
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
 * @param {Record<string, any>} values
 * @param {number} count
 * @returns {Record<string, string>}
 */
const wrongScore = ({ unit, written }, count) =>
  percentOf(unit, written, count) === null ? { written: unit === "right" ? t("results.wrongRight", { count }) : t("results.wrongPercent") } : {};

/** @param {PageProps} props */
export function Regrades({ params }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const about = useRead(() => calls.exam(exam), [exam]);
  const paper = useRead(() => calls.paper(exam), [exam]);
  return h(
    Page,
    {
      title: about.value ? t("results.regradesOf", { title: about.value.title }) : t("results.regrades"),
      lead: t("results.regradesLead"),
      crumbs: [...crumbs(id, about), { href: resultsOf(id), text: t("results.results") }],
      actions: html`<a class="button first" href=${`${regradesOf(id)}/new`}>${t("results.correct")}</a>`,
    },
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

/** Correct the key of a question. @param {PageProps} props */
export function NewRegrade({ params, query }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const asked = Number(query.get("question"));
  // The preview that the new one replaces.
  const replaced = Number(query.get("instead"));
  const about = useRead(() => calls.exam(exam), [exam]);
  const reading = useRead(async () => {
    const [paper, analysis, before] = await Promise.all([
      calls.paper(exam),
      isEnabled("analysis") ? orNothing(calls.analysis(exam)) : null,
      replaced ? orNothing(calls.regrade(exam, replaced, { limit: "1" })) : null,
    ]);
    return { paper, analysed: analysis?.questions ?? [], before: before?.status === "preview" ? before : null };
  }, [exam, replaced]);
  const position = (reading.value?.paper.findIndex((each) => each.id === asked) ?? -1) + 1;
  return h(
    Page,
    {
      title: position ? t("results.correctOne", { position }) : t("results.correct"),
      lead: position ? t("results.previewFirst") : t("results.chooseQuestion"),
      crumbs: [...crumbs(id, about), { href: resultsOf(id), text: t("results.results") }, { href: regradesOf(id), text: t("results.regrades") }],
    },
    loaded(reading, ({ paper, analysed, before }) => {
      const question = paper.find((each) => each.id === asked);
      const figures = (/** @type {number} */ each) => analysed.find((found) => found.question === each);
      return html`${h(Unread, { readings: [about] })}${question
        ? h(Correction, { key: asked, id, question, figures: figures(asked), before })
        : table({
            caption: t("results.allQuestions"),
            rows: paper.map((each, at) => ({ ...each, position: at + 1, found: figures(each.id) })),
            id: (each) => each.id,
            columns: [
              { title: t("results.question"), cell: (each) => html`<a href=${correct(id, each.id)}>${t("results.numbered", { position: each.position })}</a> <span class="small">${h(Maths, { of: each })}</span>` },
              { title: t("results.key"), cell: (each) => each.found?.correct_answer.split("").join(", ") ?? each.correct_answer },
              { title: t("results.alarms"), cell: (each) => (each.found?.alarms.length ? h(Alarms, { of: each.found }) : "-") },
            ],
          })}`;
    }, { empty: ({ paper }) => paper.length === 0, nothing: h(Empty, {}, t("results.noPaper")) }),
  );
}

/** @param {{ id: string, question: PaperQuestion, figures: AnalysedQuestion | undefined, before: Regrade | null }} props */
function Correction({ id, question, figures, before }) {
  const exam = Number(id);
  const now = /** @type {Letter[]} */ ((figures?.correct_answer ?? question.correct_answer).split(""));
  /** @param {Record<string, any>} values @returns {Change} */
  const change = ({ how, accept }) => ({
    question: question.id,
    ...(how === "accept" && { accept: LETTERS.filter((each) => accept.includes(each)) }),
    ...(how === "credit_all" && { credit_all: true }),
    ...(how === "void" && { void: true }),
  });
  /** @param {Record<string, any>} values @returns {Record<string, string>} */
  const check = ({ how, accept }) => {
    if (how !== "accept") return {};
    if (!accept.length) return { accept: t("results.acceptOne") };
    return LETTERS.filter((each) => accept.includes(each)).join() === now.join() ? { accept: t("results.acceptSame") } : {};
  };
  return html`
    ${h(Sheet, {}, h(Options, { question, chosen: null, right: now }), figures && figures.alarms.length > 0 && html`<p>${h(Alarms, { of: figures })}</p>`, figures && h(Chosen, { of: figures }))}
    ${h(Form, {
      initial: before ? begun(before, now) : { how: "accept", accept: now, reason: "" },
      draft: `results.regrade.${exam}.${question.id}${before ? `.${before.id}` : ""}`,
      verb: t("results.previewIt"),
      check,
      send: async (values) => {
        const made = await calls.preview(exam, [change(values)], values.reason);
        // The new preview is what counts. The earlier one may be gone, or applied.
        if (before) await calls.remove(exam, before.id).catch(() => {});
        return made;
      },
      done: (/** @type {Regrade} */ regrade) => go(`${regradesOf(id)}/${regrade.id}`),
      actions: html`<a class="button" href=${regradesOf(id)}>${t("results.cancel")}</a>`,
    },
    h(Choice, { name: "how", label: t("results.how"), required: true, options: [["accept", t("results.accept")], ["credit_all", t("results.creditAll")], ["void", t("results.void")]] }),
    h(Accepted, { question }),
    h(Field, { name: "reason", label: t("results.reason"), hint: t("results.reasonHint"), rows: 3, required: true, maxlength: 500 }))}`;
}

/**
 * The values of the form for a preview that is to be changed.
 *
 * @param {Regrade} regrade
 * @param {Letter[]} now The options that count as right now.
 */
function begun({ changes: [change], reason }, now) {
  return { how: change?.void ? "void" : change?.credit_all ? "credit_all" : "accept", accept: change?.accept ?? now, reason };
}

/** @param {{ question: PaperQuestion }} props */
function Accepted({ question }) {
  const { values, set } = useForm();
  if (values.how !== "accept") return null;
  const right = LETTERS.filter((each) => values.accept.includes(each));
  return html`${choiceOf(question)}
    <div class="acts">${LETTERS.map((letter) => html`<button type="button" class="button" onClick=${() => set("accept", [letter])}>${t("results.only", { letter })}</button>`)}</div>
    <p role="status">${right.length > 0 && t("results.thenRight", { letters: new Intl.ListFormat(language()).format(right), count: right.length })}</p>`;
}

/** @param {PaperQuestion} question */
const choiceOf = (question) => h(Choice, { name: "accept", label: t("results.acceptWhich"), required: true, many: true, options: LETTERS.map((letter) => /** @type {[string, string]} */ ([letter, t("results.option", { text: spoken(question, letter) })])) });

/** The effect of a regrade, and its buttons. @param {PageProps} props */
export function OneRegrade({ params }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const regradeId = Number(params.rid);
  const [version, setVersion] = useState(0);
  const about = useRead(() => calls.exam(exam), [exam]);
  const reading = useRead(async () => {
    const [regrade, paper, total] = await Promise.all([calls.regrade(exam, regradeId, { limit: "1" }), calls.paper(exam), calls.countScores(exam)]);
    return { regrade, paper, total };
  }, [exam, regradeId, version]);
  useReturn(reading.again);
  const regrade = reading.value?.regrade;
  const count = regrade?.effect.scores_changed ?? 0;

  /** @param {string} text */
  const changed = (text) => {
    setVersion((before) => before + 1);
    notice({ text });
  };
  const apply = async () => {
    const done = await confirm({
      title: t("results.apply"),
      what: count ? t("results.applies", { count }) : t("results.appliesNothing"),
      items: regrade?.reason ? [regrade.reason] : [],
      verb: count ? t("results.applyTo", { count }) : t("results.apply"),
      act: () => calls.apply(exam, regradeId),
    });
    if (done) changed(t("results.wasApplied", { count }));
  };
  const revert = async () => {
    const done = await confirm({ title: t("results.revert"), what: t("results.reverts", { count }), verb: t("results.revertFor", { count }), danger: true, act: () => calls.revert(exam, regradeId) });
    if (done) changed(t("results.wasReverted"));
  };
  const remove = async () => {
    await calls.remove(exam, regradeId);
    if (await go(regradesOf(id))) notice({ text: t("results.wasDeleted") });
  };
  const again = async () => {
    if (!regrade) return;
    const fresh = await calls.preview(exam, regrade.changes, regrade.reason);
    await go(`${regradesOf(id)}/${fresh.id}`);
  };
  return h(
    Page,
    {
      title: reading.value && regrade ? regrade.changes.map((each) => described(each, reading.value?.paper ?? [])).join("; ") : t("results.regrade"),
      lead: regrade && h(RegradeState, { of: regrade }),
      crumbs: [...crumbs(id, about), { href: resultsOf(id), text: t("results.results") }, { href: regradesOf(id), text: t("results.regrades") }],
      actions: regrade && isAtLeast("admin") && html`
        ${regrade.status === "preview" && html`${h(Act, { act: again }, t("results.previewAgain"))}
          ${regrade.changes.length === 1 && html`<a class="button" href=${`${correct(id, regrade.changes[0]?.question ?? 0)}&instead=${regradeId}`}>${t("results.changeIt")}</a>`}
          ${h(Act, { act: remove }, t("results.deleteIt"))}
          <a class="button" href=${regradesOf(id)}>${t("results.dontApply")}</a>
          ${h(Act, { act: apply, kind: "first" }, count ? t("results.applyTo", { count }) : t("results.apply"))}`}
        ${regrade.status === "applied" && h(Act, { act: revert, kind: "bad" }, t("results.revert"))}`,
    },
    loaded(reading, ({ regrade: found, total }) => html`
      ${h(Unread, { readings: [about] })}
      ${found.status === "preview" && h(Note, { kind: "warn" }, html`<p>${t("results.isPreview")}</p>`)}
      ${h(Effect, { of: found, total })}
      ${found.status === "applied" && found.changes.map((each) => h(InBank, { key: each.question, change: each }))}
      ${found.status === "preview" && html`<p class="small muted">${t("results.notPrinted")} <a href=${printedOf(id)}>${t("results.printed")}</a></p>`}
      ${h(Facts, { facts: [
        [t("results.reason"), found.reason],
        [t("results.created"), html`${h(When, { at: found.created_at })} ${found.created_by && t("results.byName", { name: name(found.created_by) })}`],
        [t("results.appliedAt"), found.applied_at && html`${h(When, { at: found.applied_at })} ${found.applied_by && t("results.byName", { name: name(found.applied_by) })}`],
      ] })}
      ${h(Section, { title: t("results.who") }, h(Differences, { id, regrade: found, version }))}`),
  );
}

/**
 * What the bank says of a question that was corrected, and the button that corrects it there too. A paper is frozen, but
 * the next exam takes the question from the bank.
 *
 * @param {{ change: Change }} props
 */
function InBank({ change: { question, accept } }) {
  const reading = useRead(() => orNothing(calls.inBank(question)), [question]);
  const bank = reading.value?.body;
  const [right, ...others] = accept ?? [];
  if (!bank || bank.is_archived || (!others.length && right === bank.correct_answer)) return h(Unread, { readings: [reading] });
  const link = html`<a href=${`/console/questions/${question}`}>${t("questions.number", { number: String(question) })}</a>`;
  if (!right || others.length) return h(Note, { kind: "warn" }, html`<p>${t("results.bankStays")} ${link}</p>`);
  const act = async () => {
    await calls.correctBank(question, /** @type {Letter} */ (right), reading.value?.etag ?? null);
    reading.again();
    notice({ text: t("results.bankCorrected", { right }) });
  };
  return h(Note, { kind: "warn" }, html`<p>${t("results.bankDiffers", { wrong: bank.correct_answer })} ${link}</p>`, h(Act, { act }, t("results.correctBank", { right })));
}

/** @param {{ user: { first_name: string, last_name: string } }} staff */
const name = ({ user }) => `${user.first_name} ${user.last_name}`;

/** @param {{ id: string, regrade: Regrade, version: number }} props */
function Differences({ id, regrade, version }) {
  const { in: rising, out: falling } = regrade.effect;
  const has = (/** @type {{ user_id: string }[]} */ people, /** @type {RegradedScore} */ row) => people.some((each) => each.user_id === row.candidate.user_id);
  /** @param {RegradedScore} row */
  const advances = (row) => (has(rising, row) ? h(Tag, { kind: "ok" }, t("results.noYes")) : has(falling, row) ? h(Tag, { kind: "bad" }, t("results.yesNo")) : "-");
  return list({
    name: t("results.who"),
    id: (row) => row.candidate.user_id,
    call: (query) => calls.regrade(Number(id), regrade.id, query),
    version,
    filters: [{ name: "search", label: t("results.searchName") }],
    columns: [
      { title: t("results.candidate"), sort: "last_name", cell: (row) => html`<a href=${`/console/candidates/${row.candidate.user_id}`}><bdi>${row.candidate.full_name}</bdi></a><span class="small muted"> <bdi>${row.candidate.school}</bdi></span>` },
      { title: t("results.score"), sort: "score_after", cell: (row) => h(Moved, { from: score(row.score_before), to: score(row.score_after), difference: row.score_after - row.score_before, write: score }) },
      { title: t("results.rank"), sort: "rank_after", cell: (row) => (row.rank_before === null || row.rank_after === null ? "-" : h(Moved, { from: number(row.rank_before), to: number(row.rank_after), difference: row.rank_before - row.rank_after })) },
      ...(rising.length || falling.length ? [{ title: t("results.advances"), cell: advances }] : []),
    ],
    found: (count) => t("results.changedRows", { count }),
    empty: t("results.nobodyChanges"),
  });
}
