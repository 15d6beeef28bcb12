// The parts that the pages of advancement plans share: the form of a plan, and its rule in words. The form reads the
// exams itself. The page passes the request that saves the plan.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Choice, Select } from "../../../pages/static/pieces/choices.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { EXAM_STAGES, STAGES } from "../ranks.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Plan, Exam, NewPlan } from "./calls.js" */
/** @import { FormValues } from "../../../pages/static/pieces/form.js" */

/** @typedef {"screening" | "league" | "final" | "winner"} Stage */

const KINDS = /** @type {const} */ (["top", "percent", "minimum"]);

/** @type {Record<Plan["status"], "" | "info" | "ok" | "warn">} */
const COLOURS = { open: "", frozen: "info", applied: "ok", undone: "warn" };

/** @param {Stage} name */
export const stage = (name) => t(`advancement.stage.${name}`);

/**
 * The options of a choice.
 *
 * @template {string} T
 * @param {readonly T[]} values
 * @param {(value: T) => string} text
 * @returns {[value: string, text: string][]}
 */
const options = (values, text) => values.map((each) => [each, text(each)]);

/** @param {Plan} plan */
export const title = ({ from_stage: from, to_stage: to }) => t("advancement.fromTo", { from: stage(from), to: stage(to) });

/** @param {number} value */
export const points = (value) => number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {Plan["rule"]} rule */
export function ruleText({ top, percent, minimum }) {
  if (top !== undefined) return t("advancement.rule.best", { count: top });
  if (percent !== undefined) return t("advancement.rule.share", { percent: number(percent) });
  return t("advancement.rule.atLeast", { points: points(minimum ?? 0) });
}

/** @param {{ plan: Plan }} props */
export const Status = ({ plan }) => h(Tag, { kind: COLOURS[plan.status] }, t(`advancement.status.${plan.status}`));

/**
 * The values of the form for a plan.
 *
 * @param {Plan} [plan]
 * @returns {FormValues}
 */
export function formValues(plan) {
  const kind = KINDS.find((each) => plan?.rule[each] !== undefined) ?? "top";
  return {
    from_stage: plan?.from_stage ?? "screening",
    to_stage: plan?.to_stage ?? "league",
    exams: plan?.exams.map(String) ?? [],
    kind,
    value: plan ? String(plan.rule[kind]) : "",
    ties: plan?.ties ?? "in",
  };
}

/**
 * The form for a plan.
 *
 * @param {object} props
 * @param {Plan} [props.plan]
 * @param {string | null} [props.etag]
 * @param {() => Promise<{ values: FormValues, etag: string | null }>} [props.reread]
 * @param {string} props.verb
 * @param {(plan: NewPlan, options: { key: string, ifMatch?: string }) => Promise<Plan>} props.send
 * @param {(plan: Plan) => unknown} props.done
 */
export function PlanForm({ plan, etag = null, reread, verb, send, done }) {
  const exams = useRead(calls.exams, []);
  return loaded(exams, (all) => h(
    Form,
    {
      initial: formValues(plan),
      etag,
      ...(reread && { reread }),
      verb,
      check: (values) => ({
        ...(chosen(values, all).length === 0 && { exams: t("advancement.chooseExam") }),
        ...(STAGES.indexOf(values.to_stage) <= STAGES.indexOf(values.from_stage) && { to_stage: t("advancement.higher") }),
        ...(values.value && !isRule(values) && { value: t(`advancement.wrong.${kindOf(values)}`) }),
      }),
      send: (values, options) => send({
        from_stage: values.from_stage,
        to_stage: values.to_stage,
        exams: chosen(values, all),
        rule: { [values.kind]: Number(values.value) },
        ties: values.ties,
      }, options),
      done,
    },
    h(Select, { name: "from_stage", label: t("advancement.from"), required: true, options: options(EXAM_STAGES, stage) }),
    h(Select, { name: "to_stage", label: t("advancement.to"), required: true, options: options(STAGES.slice(1), stage) }),
    h(ExamChoice, { exams: all }),
    h(Choice, { name: "kind", label: t("advancement.rule"), required: true, options: options(KINDS, (each) => t(`advancement.kind.${each}`)) }),
    h(RuleValue, {}),
    h(Choice, { name: "ties", label: t("advancement.ties"), hint: t("advancement.tiesHint"), required: true, options: [["in", t("advancement.ties.in")], ["out", t("advancement.ties.out")]] }),
  ));
}

/** @param {FormValues} values @returns {typeof KINDS[number]} */
const kindOf = (values) => values.kind;

/** @param {FormValues} values */
const isRule = ({ kind, value }) => (kind === "top" ? /^[1-9]\d*$/.test(value) : Number(value) >= 0 && (kind !== "percent" || Number(value) <= 100));

/**
 * The ids of the chosen exams, without exams of another stage that were chosen before.
 *
 * @param {FormValues} values
 * @param {Exam[]} exams
 */
const chosen = (values, exams) => exams.filter((each) => each.stage === values.from_stage && values.exams.includes(String(each.id))).map((each) => each.id);

/** @param {{ exams: Exam[] }} props */
function ExamChoice({ exams }) {
  const { values } = useForm();
  const some = exams.filter((each) => each.stage === values.from_stage && !["draft", "cancelled"].includes(each.status));
  if (some.length === 0) return h(Empty, { action: html`<a class="button" href="/console/exams">${t("advancement.toExams")}</a>` }, t("advancement.noExams"));
  return h(Choice, {
    name: "exams",
    label: t("advancement.exams"),
    hint: t("advancement.examsHint"),
    many: true,
    required: true,
    options: some.map(option),
  });
}

/** @param {Exam} exam @returns {[value: string, text: string]} */
const option = (exam) => [String(exam.id), t("advancement.examOption", { exam: exam.title, round: String(exam.round) })];

function RuleValue() {
  const { values } = useForm();
  return h(Field, { name: "value", label: t(`advancement.value.${kindOf(values)}`), inputmode: "decimal", required: true });
}

export const crumbs = () => [{ href: "/console/advancement", text: t("advancement.title") }];

/** @param {Plan} plan */
export const address = (plan) => `/console/advancement/${plan.id}`;
