// The page that publishes leaderboards, now or later. Before that, it shows what the service would publish and replace.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { DateTime } from "../../../pages/static/pieces/fields.js";
import { Form, useForm } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, whenInWords } from "../../../pages/static/pieces/page.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { inShort } from "../zone.js";
import * as calls from "./calls.js";
import { crumbs, round } from "./pieces.js";
import { t } from "./words.js";

/** @import { Exam, Previewed, Publication } from "./calls.js" */
/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/** Publish leaderboards, now or at a later time. @param {PageProps} props */
export function Publish({ query }) {
  const reading = useRead(async () => {
    const exams = await calls.exams();
    const done = new Set(exams.results.filter((each) => each.published_at).map((each) => each.id));
    const offered = exams.results.filter((each) => !["draft", "cancelled"].includes(each.status));
    // The list of exams does not know whether candidates can still submit an exam that is concluded.
    const concluded = offered.filter((each) => each.status === "concluded" && !done.has(each.id)).map((each) => each.id);
    const found = concluded.length ? (await calls.preview(concluded)).exams : [];
    const until = new Map(found.map((each) => [each.id, each.hand_in_until]));
    return { exams: offered.sort((a, b) => place(a, done.has(a.id)) - place(b, done.has(b.id))), published: done, until };
  }, []);
  const asked = query.get("exams")?.split(",") ?? [];
  /**
   * Ask, publish, and go to the leaderboards.
   *
   * @param {Previewed[]} found
   * @param {FormValues} values
   */
  const publish = async (found, { exams, when: time, publish_at }) => {
    const ids = exams.map(Number);
    const at = time === "at" ? publish_at : null;
    const over = found.filter((each) => each.is_over);
    const count = (at ? found : over).reduce((sum, each) => sum + each.candidates, 0);
    const what = at ? t("boards.publishesAt", { count, when: whenInWords(at, dates.when) }) : over.length > 0 && t("boards.publishes", { count });
    const reply = await confirm({
      title: t("boards.publishTitle"),
      what: html`${what} ${over.length < found.length && t("boards.waits")} ${found.map(replacing)}`,
      items: found.map(item),
      verb: t(at ? "boards.planCount" : "boards.publishCount", { count: found.length }),
      danger: !at && over.length > 0,
      act: (key) => calls.publish(ids, at, key),
    });
    if (!reply) return;
    await go("/console/boards");
    notice({ text: at ? t("boards.scheduled", { count: found.length, when: whenInWords(at, dates.when) }) : started(reply.publications ?? []) });
  };
  return h(
    Page,
    { title: t("boards.publishTitle"), crumbs: crumbs(), lead: t("boards.publishLead") },
    loaded(reading, ({ exams, published, until }) => h(
      Form,
      {
        initial: { exams: asked.filter((each) => exams.some((exam) => String(exam.id) === each)), when: "now", publish_at: null },
        verb: t("boards.check"),
        check: (values) => ({ ...(!values.exams.length && { exams: t("boards.chooseExam") }) }),
        send: async ({ exams: ids }) => (await calls.preview(ids.map(Number))).exams,
        done: publish,
      },
      h(Choice, { name: "exams", label: t("boards.exams"), many: true, required: true, options: exams.map((each) => option(each, stateOf(each, published.has(each.id), until.get(each.id) ?? null))) }),
      sameRound(exams).map((each) => h(Note, { kind: "warn" }, t("boards.sameRound", each))),
      h(Choice, { name: "when", label: t("boards.when"), required: true, options: [["now", t("boards.atOnce")], ["at", t("boards.later")]] }),
      h(PublishAt, {}),
    ), { empty: ({ exams }) => exams.length === 0, nothing: h(Empty, { action: html`<a class="button" href="/console/exams">${t("nav.exams")}</a>` }, t("boards.noExams")) }),
  );
}

/** The field for the time of a publication that is not published at once. */
function PublishAt() {
  const { values } = useForm();
  return values.when === "at" ? h(DateTime, { name: "publish_at", label: t("boards.publishAt"), required: true }) : null;
}

/**
 * What a publication that was requested for now waits for, in words.
 *
 * @param {Publication[]} publications
 */
function started(publications) {
  const late = publications.flatMap(({ publish_at: at, expected_at: expected }) => (expected && Date.parse(expected) > Date.parse(at) ? [Date.parse(expected)] : []));
  const count = publications.length;
  return late.length > 0 ? t("boards.startedUntil", { count, when: inShort(Math.max(...late)) }) : t("boards.started", { count });
}

/** An exam in the question before a publication, with its number of results. @param {Previewed} board */
function item({ title: exam, candidates: count, is_over: isOver, hand_in_until: until }) {
  if (isOver) return t("boards.item", { exam, count });
  return until ? t("boards.closingItem", { exam, count, when: inShort(until) }) : t("boards.openItem", { exam, count });
}

/**
 * The option for an exam in the choice of exams to publish, with the state of the exam.
 *
 * @param {Exam} exam
 * @param {string} state
 * @returns {[value: string, text: string]}
 */
const option = (exam, state) => [String(exam.id), t("boards.option", { exam: exam.title, round: round(exam), state })];

/**
 * The position of an exam in the choice of exams to publish. Exams that are over come first, published exams
 * come last.
 *
 * @param {Exam} exam
 * @param {boolean} isPublished
 */
const place = (exam, isPublished) => (isPublished ? 3 : ["concluded", "ongoing", "scheduled"].indexOf(exam.status));

/**
 * @param {Exam} exam
 * @param {boolean} isPublished
 * @param {string | null} until The latest time at which answers to a concluded exam are accepted, or null if it is over.
 */
function stateOf(exam, isPublished, until) {
  if (isPublished) return t("boards.isPublished");
  if (exam.status === "concluded") return until ? t("boards.isClosing", { when: inShort(until) }) : t("boards.isOver");
  return exam.status === "ongoing" ? t("boards.isOpen") : t("boards.isPlanned");
}

/**
 * The effect of a publication on the leaderboard of another exam of the same round, in words.
 *
 * @param {Previewed} board
 */
const replacing = ({ title, replaces, replaced_by: later }) =>
  (replaces && ` ${t("boards.replaces", { exam: title, other: replaces.title })}`) || (later && ` ${t("boards.replacedBy", { exam: title, other: later.title })}`);

/**
 * The rounds that have several exams, with the titles of the exams.
 *
 * @param {Exam[]} exams
 */
function sameRound(exams) {
  const rounds = [...new Set(exams.map(round))].map((name) => ({ round: name, found: exams.filter((each) => round(each) === name) }));
  return rounds.filter(({ found }) => found.length > 1).map(({ round: name, found }) => ({ round: name, exams: found.map((each) => each.title).join(", ") }));
}
