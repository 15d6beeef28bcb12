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
import * as calls from "./calls.js";
import { crumbs, round } from "./pieces.js";
import { t } from "./words.js";

/** @import { Exam, Previewed } from "./calls.js" */
/** @import { FormValues } from "../../../pages/static/pieces/form.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */

/** Publish leaderboards, now or at a later time. @param {PageProps} props */
export function Publish({ query }) {
  const reading = useRead(async () => {
    const exams = await calls.exams();
    const done = new Set(exams.results.filter((each) => each.published_at).map((each) => each.id));
    const offered = exams.results.filter((each) => !["draft", "cancelled"].includes(each.status));
    return { exams: offered.sort((a, b) => place(a, done.has(a.id)) - place(b, done.has(b.id))), published: done };
  }, []);
  const asked = query.get("exams")?.split(",") ?? [];
  /**
   * @param {FormValues} values
   * @param {string} key
   */
  const send = async ({ exams, when: time, publish_at }, key) => {
    const ids = exams.map(Number);
    const at = time === "at" ? publish_at : null;
    const found = (await calls.preview(ids)).exams;
    const over = found.filter((each) => each.is_over);
    const count = (at ? found : over).reduce((sum, each) => sum + each.candidates, 0);
    const what = at ? t("boards.publishesAt", { count, when: whenInWords(at, dates.when) }) : over.length > 0 && t("boards.publishes", { count });
    return confirm({
      title: t("boards.publishTitle"),
      what: html`${what} ${over.length < found.length && t("boards.waits")} ${found.map(replacing)}`,
      items: found.map((each) => t(each.is_over ? "boards.item" : "boards.openItem", { exam: each.title, count: each.candidates })),
      verb: t(at ? "boards.planCount" : "boards.publishCount", { count: found.length }),
      danger: !at && over.length > 0,
      act: async () => (await calls.publish(ids, at, key), { at, count: found.length }),
    });
  };
  return h(
    Page,
    { title: t("boards.publishTitle"), crumbs: crumbs(), lead: t("boards.publishLead") },
    loaded(reading, ({ exams, published }) => h(
      Form,
      {
        initial: { exams: asked.filter((each) => exams.some((exam) => String(exam.id) === each)), when: "now", publish_at: null },
        verb: t("boards.check"),
        check: (values) => ({ ...(!values.exams.length && { exams: t("boards.chooseExam") }) }),
        send: (values, { key }) => send(values, key),
        done: async (reply) => {
          if (!reply) return;
          await go("/console/boards");
          notice({ text: reply.at ? t("boards.scheduled", { count: reply.count, when: whenInWords(reply.at, dates.when) }) : t("boards.started", { count: reply.count }) });
        },
      },
      h(Choice, { name: "exams", label: t("boards.exams"), many: true, required: true, options: exams.map((each) => option(each, published.has(each.id))) }),
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
 * The option for an exam in the choice of exams to publish, with the state of the exam.
 *
 * @param {Exam} exam
 * @param {boolean} isPublished
 * @returns {[value: string, text: string]}
 */
const option = (exam, isPublished) => [String(exam.id), t("boards.option", { exam: exam.title, round: round(exam), state: stateOf(exam, isPublished) })];

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
 */
function stateOf(exam, isPublished) {
  if (isPublished) return t("boards.isPublished");
  if (exam.status === "concluded") return t("boards.isOver");
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
