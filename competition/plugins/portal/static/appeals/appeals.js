// The page of the candidate's appeals in a season, by exam, with the replies. In an earlier season, they can only be read.

import { settingOf } from "../../../pages/static/ground/config.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Sheet, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { chosenEarlier, SeasonTabs, useSeasons } from "../seasons.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Appeal, Exam } from "./calls.js" */

// How many exams are shown at first.
const SHOWN = 5;

const KINDS = /** @type {const} */ ({ open: "info", accepted: "ok", rejected: "warn" });

/** @param {PageProps} props */
export function Appeals({ query }) {
  const seasons = useSeasons();
  const season = chosenEarlier(query, seasons);
  return h(
    Page,
    { title: t("appeals"), lead: season ? t("appeals.leadEarlier") : season === null && t("appeals.lead", { count: settingOf("appeals.days") }) },
    h(SeasonTabs, { reading: seasons }),
    season ? h(Earlier, { key: season, season }) : season === null && h(Current, {}),
  );
}

/** The exams of the current season that the candidate has taken, with the appeals. */
function Current() {
  const reading = useRead(async () => {
    const [exams, appeals] = await Promise.all([calls.taken(), calls.appeals(null)]);
    return { exams, appeals };
  }, []);
  useReturn(reading.again);
  // Read again after a new notification, because it may be about a reply to an appeal.
  useEffect(() => {
    const stop = socket.on("notification_activity", reading.again);
    return () => void stop();
  }, [reading.again]);
  const [shown, show] = useState(SHOWN);
  return loaded(
    reading,
    ({ exams, appeals }) => html`
      ${exams.slice(0, shown).map((exam) => h(OfExam, {
        key: exam.id,
        exam,
        appeals: appeals.filter((each) => each.exam === exam.id),
        actions: html`<a class="button" href=${`/appeals/new?exam=${exam.id}`} aria-label=${t("appeals.newIn", { title: exam.title })}>${t("appeals.new")}</a>`,
      }))}
      ${exams.length > shown && html`<div class="acts"><button type="button" class="button" onClick=${() => show(shown + SHOWN)}>${t("appeals.earlier")}</button></div>`}`,
    { empty: ({ exams }) => exams.length === 0, nothing: h(Empty, { action: html`<a class="button" href="/exams">${t("appeals.toExams")}</a>` }, t("appeals.none")) },
  );
}

/** The appeals of an earlier season, by exam. @param {{ season: number }} props */
function Earlier({ season }) {
  const reading = useRead(() => calls.appeals(season), []);
  return loaded(
    reading,
    (appeals) => [...new Map(appeals.map((each) => [each.exam, each])).values()].map((one) => h(OfExam, {
      key: one.exam,
      exam: { ...one, title: one.exam_title },
      appeals: appeals.filter((each) => each.exam === one.exam),
      season,
    })),
    { empty: (appeals) => appeals.length === 0, nothing: h(Empty, {}, t("appeals.noneEarlier")) },
  );
}

/**
 * @param {{ exam: Pick<Exam, "title" | "stage" | "round">, appeals: Appeal[], season?: number, actions?: Children }} props
 *   `season` is the id of an earlier season.
 */
function OfExam({ exam, appeals, season, actions }) {
  return h(
    Section,
    { title: exam.title, actions },
    html`<p class="muted">${t("exams.round", { stage: t(`exams.${exam.stage}`), round: exam.round })}</p>`,
    appeals.length > 0 ? appeals.map((appeal) => h(OneAppeal, { key: appeal.id, appeal, season })) : h(Empty, {}, t("appeals.noneHere")),
  );
}

/** @param {{ appeal: Appeal, season: number | undefined }} props */
function OneAppeal({ appeal, season }) {
  return h(
    Sheet,
    {},
    html`<div class="head"><h3><a href=${`/results/${appeal.exam}${season ? `?season=${season}` : ""}`}>${about(appeal)}</a></h3>${h(Tag, { kind: KINDS[appeal.status] }, t(`appeals.${appeal.status}`))}</div>
      <p class="small muted">${t("appeals.made")} ${h(When, { at: appeal.created_at })}</p>
      <p class="plain">${appeal.text}</p>
      ${appeal.answer !== null
        ? h(Note, { kind: KINDS[appeal.status] }, html`<p><strong>${t("appeals.reply")}</strong> <span class="small">${h(When, { at: appeal.answered_at })}</span></p><p class="plain">${appeal.answer}</p>`)
        : html`<p class="muted">${t("appeals.waiting")}</p>`}`,
  );
}

/** The subject of an appeal, in words: a question, or the whole result. @param {Appeal} appeal */
function about({ question, question_number: number }) {
  if (question === null) return t("appeals.whole");
  return number === null ? t("appeals.aQuestion") : t("appeals.question", { number });
}
