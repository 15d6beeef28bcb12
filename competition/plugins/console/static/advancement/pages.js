// Advancement: plans that decide which candidates go to the next stage.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act, confirm } from "../../../pages/static/pieces/dialog.js";
import { Choice, Field, Form, Select, useForm } from "../../../pages/static/pieces/form.js";
import { list, Pages } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, table, Tag, When } from "../../../pages/static/pieces/page.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import { t } from "../words.js";
import * as calls from "./calls.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Plan, Preview } from "./calls.js" */

const PLANS = "/console/advancement";
/** @type {Record<string, string>} */
const NEXT = { screening: "league", league: "final", final: "winner" };
/** @type {Record<string, "ok" | "info" | "warn" | "">} */
const KINDS = { open: "info", frozen: "warn", applied: "ok", undone: "" };

/** @param {Plan} plan */
const named = (plan) => t("advancement.named", { from: stage(plan.from_stage), to: stage(plan.to_stage) });

/** @param {string} name */
const stage = (name) => t(/** @type {"stage.screening"} */ (`stage.${name}`));

/** A rule in words. @param {Plan["rule"]} rule */
const ruled = ({ minimum, percent, top }) =>
  [
    ...(top ? [t("advancement.rule.top", { count: top })] : []),
    ...(percent ? [t("advancement.rule.percent", { percent })] : []),
    ...(minimum !== undefined ? [t("advancement.rule.minimum", { minimum })] : []),
  ].join(", ");

export function Plans() {
  return h(Page, {
    title: t("nav.advancement"),
    lead: t("advancement.lead"),
    actions: isAtLeast("admin") && html`<a class="button first" href=${`${PLANS}/new`}>${t("advancement.new")}</a>`,
  }, list({
    name: t("nav.advancement"),
    id: (row) => row.id,
    call: calls.plans,
    columns: [
      { title: t("advancement.plan"), cell: (row) => html`<a href=${`${PLANS}/${row.id}`}>${named(row)}</a>` },
      { title: t("advancement.rule"), cell: (row) => ruled(row.rule) },
      { title: t("advancement.state"), cell: (row) => h(Tag, { kind: KINDS[row.status] ?? "" }, t(/** @type {"advancement.state.open"} */ (`advancement.state.${row.status}`))) },
      { title: t("advancement.created"), cell: (row) => h(When, { at: row.created_at }), sort: "created_at" },
    ],
    empty: t("advancement.none"),
  }));
}

/** The exams of the chosen stage, as choices. */
function Exams() {
  const { values } = useForm();
  const from = values.from_stage;
  const reading = useRead(() => calls.exams(from), [from]);
  return loaded(reading, (exams) => exams.length
    ? h(Choice, { name: "exams", label: t("advancement.exams"), hint: t("advancement.examsHint"), many: true, required: true, options: exams.map((each) => /** @type {[string, string]} */ ([String(each.id), each.title])) })
    : h(Note, { kind: "warn" }, t("advancement.noExams")));
}

/** The number that the chosen rule needs. */
function Amount() {
  const { values } = useForm();
  const kind = /** @type {"top" | "percent" | "minimum"} */ (values.kind);
  return h(Field, { name: "amount", type: "number", label: t(`advancement.amount.${kind}`), required: true });
}

export function NewPlan() {
  const stages = /** @type {[string, string][]} */ (Object.keys(NEXT).map((each) => [each, t("advancement.named", { from: stage(each), to: stage(NEXT[each] ?? "") })]));
  return h(Page, { title: t("advancement.new"), crumbs: [{ href: PLANS, text: t("nav.advancement") }], lead: t("advancement.newLead") },
    h(Form, {
      initial: { from_stage: "screening", exams: [], kind: "top", amount: "", ties: "in" },
      verb: t("advancement.create"),
      send: ({ from_stage: from, exams, kind, amount, ties }, { key }) =>
        calls.create(/** @type {any} */ ({ from_stage: from, to_stage: NEXT[from], exams: exams.map(Number), rule: { [kind]: Number(amount) }, ties }), key),
      done: async (plan) => {
        await go(`${PLANS}/${plan.id}`);
        notice({ text: t("advancement.isCreated") });
      },
    },
      h(Select, { name: "from_stage", label: t("advancement.stages"), options: stages }),
      h(Exams, {}),
      h(Choice, { name: "kind", label: t("advancement.rule"), options: [["top", t("advancement.kind.top")], ["percent", t("advancement.kind.percent")], ["minimum", t("advancement.kind.minimum")]] }),
      h(Amount, {}),
      h(Choice, { name: "ties", label: t("advancement.ties"), hint: t("advancement.tiesHint"), options: [["in", t("advancement.ties.in")], ["out", t("advancement.ties.out")]] })));
}

/** @param {PageProps} props */
export function OnePlan({ params, query }) {
  const id = params.id ?? "";
  const reading = calls.usePlan(id);
  const plan = reading.value;
  return h(Page, { title: plan ? named(plan) : t("advancement.plan"), crumbs: [{ href: PLANS, text: t("nav.advancement") }] },
    loaded(reading, (value) => html`
      ${h(Facts, { facts: [
        [t("advancement.state"), h(Tag, { kind: KINDS[value.status] ?? "" }, t(`advancement.state.${value.status}`))],
        [t("advancement.rule"), ruled(value.rule)],
        [t("advancement.ties"), t(`advancement.ties.${value.ties}`)],
        [t("advancement.exams"), value.exams.map((each, at) => html`${at > 0 && ", "}<a href=${`/console/exams/${each}/results`}>${t("boards.examNumber", { id: String(each) })}</a>`)],
        [t("advancement.created"), h(When, { at: value.created_at })],
      ] })}
      ${isAtLeast("admin") && h(Outcome, { plan: value, page: query.get("page"), again: reading.again })}`));
}

/** Who advances, and the button that does it. @param {{ plan: Plan, page: string | null, again: () => void }} props */
function Outcome({ plan, page, again }) {
  const reading = calls.usePreview(String(plan.id), page, plan.status);
  const to = stage(plan.to_stage);
  /** @param {Preview} preview */
  const apply = async ({ advancing, advance }) => {
    const done = await confirm({
      title: t("advancement.applyTitle"),
      what: t("advancement.applies", { count: advancing, to }),
      items: advance.map((each) => each.candidate.full_name),
      count: advancing,
      verb: t("advancement.applyTo", { count: advancing }),
      act: () => calls.apply(plan.id),
    });
    if (!done) return;
    again();
    notice({ text: t("advancement.applied", { count: done.advanced, to }) });
  };
  const undo = async () => {
    const done = await confirm({ title: t("advancement.undoTitle"), what: t("advancement.undoes"), verb: t("advancement.undo"), danger: true, act: () => calls.undo(plan.id) });
    if (!done) return;
    again();
    notice({ text: t("advancement.undone") });
  };
  const isDone = plan.status === "applied";
  return h(Section, { title: t("advancement.outcome") }, loaded(reading, (preview) => html`
    <p>${t("advancement.summary", { count: preview.advancing, ranked: preview.ranked, cut: preview.cut_off === null ? "–" : number(preview.cut_off) })}</p>
    ${preview.tied_at_the_cut > 0 && h(Note, { kind: "warn" }, t("advancement.tied", { count: preview.tied_at_the_cut, cut: number(preview.cut_off ?? 0) }))}
    <div class="acts">${isDone ? h(Act, { act: undo }, t("advancement.undo")) : preview.advancing > 0 && h(Act, { act: () => apply(preview), kind: "first" }, t("advancement.applyTo", { count: preview.advancing }))}</div>
    ${table({
      caption: t("advancement.outcome"),
      id: (row) => row.candidate.id,
      rows: [...preview.advance.map((each) => ({ ...each, advances: true })), ...preview.stay.map((each) => ({ ...each, advances: false }))],
      columns: [
        { title: t("boards.rank"), cell: (row) => number(row.rank) },
        { title: t("boards.candidate"), cell: (row) => html`<a href=${`/console/candidates/${row.candidate.user_id}`}>${row.candidate.full_name}</a>` },
        { title: t("boards.school"), cell: (row) => row.candidate.school },
        { title: t("advancement.total"), cell: (row) => number(row.total_score, { minimumFractionDigits: 2 }), end: true },
        { title: t("advancement.advances"), cell: (row) => row.advances ? h(Tag, { kind: "ok" }, t("advancement.yes")) : h(Tag, {}, t("advancement.no")) },
      ],
    })}
    ${h(Pages, { position: preview.pagination })}`, { empty: (value) => value.ranked === 0, nothing: h(Empty, {}, t("advancement.nobody")) }));
}
