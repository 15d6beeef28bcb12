// The page that gives time to a candidate, a school or all candidates of an exam. Before that, it shows whom the
// service would give time.

import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { DateTime } from "../../../pages/static/pieces/fields.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, whenInWords } from "../../../pages/static/pieces/page.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import { candidateSearch } from "../sitters.js";
import * as calls from "./calls.js";
import { dayOf, howMuch, Outsiders, recipientOf, StateTag } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Allowance, CurrentExam, NewAllowance } from "./calls.js" */
/** @import { Sitter } from "../sitters.js" */
/** @import { State } from "./watch.js" */

// How long to wait after the last key press before names of schools are requested, in milliseconds.
const TYPING = 300;

/** Give time to a candidate, a school or all candidates, or give back the time that an outage took. @param {PageProps} props */
export function GiveTime({ params, query }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const candidate_id = query.get("candidate");
  const about = useRead(() => calls.exam(exam, true), [exam]);
  const season = useSeason(about.value?.season);
  const person = useRead(async () => (candidate_id ? calls.candidate(candidate_id) : null), [candidate_id]);
  // The form shows whole minutes, so the beginning of the outage is rounded down.
  const from = query.get("from")?.replace(/:\d\d(\.\d+)?Z$/, ":00Z") ?? null;
  const initial = {
    whom: candidate_id ? "candidate" : query.get("school") ? "school" : "",
    school: query.get("school") ?? "",
    candidate: person.value ?? null,
    how: from ? "lost" : "",
    extra_minutes: "",
    "lost.from": from,
    "lost.until": query.get("until"),
    reason: from ? t("day.outage") : "",
  };

  /** @returns {Record<string, string>} */
  const check = (/** @type {Record<string, any>} */ values) => (values.whom === "candidate" && !values.candidate ? { whom: t("day.chooseCandidate") } : {});
  /** @param {Record<string, any>} values */
  const send = async (values) => {
    const body = /** @type {NewAllowance} */ ({
      reason: values.reason,
      ...(values.whom === "candidate" && { candidate_id: values.candidate.id }),
      ...(values.whom === "school" && { school: values.school.trim() }),
      ...(values.whom === "everyone" && { everyone: true }),
      ...(values.how === "minutes" ? { extra_minutes: Number(values.extra_minutes) } : { lost: { from: values["lost.from"], until: values["lost.until"] } }),
    });
    const { affected, people, can_start: later } = await calls.previewTime(exam, body);
    const isLost = values.how === "lost";
    const time = isLost ? t("day.lostFrom", { from: whenInWords(values["lost.from"]), until: whenInWords(values["lost.until"]) }) : dates.span(Number(values.extra_minutes) * 60);
    return confirm({
      title: t("day.giveTime"),
      what: `${affected ? t(isLost ? "day.givesBack" : "day.gives", { count: affected, time }) : t("day.givesNobody")} ${later ? t(isLost ? "day.givesLaterBack" : "day.givesLater", { count: later }) : t("day.givesNobodyLater")}`,
      items: people.map((each) => each.full_name),
      count: affected,
      verb: affected ? t("day.giveTo", { count: affected }) : t("day.giveTime"),
      act: (key) => calls.giveTime(exam, body, key),
    });
  };
  /** @param {Allowance | null} given */
  const done = async (given) => {
    if (!given) return;
    await go(`${dayOf(id)}?tab=time`);
    notice({ text: t("day.gave", { count: given.affected, whom: recipientOf(given), time: howMuch(given) }) });
  };

  return h(
    Page,
    {
      title: t("day.giveTime"),
      lead: !isClosed(season) && t("day.giveLead"),
      crumbs: [{ href: "/console/day", text: t("day.days") }, { href: dayOf(id), text: about.value?.title || t("day.untitled") }],
    },
    h(ClosedSeason, { season }),
    loaded(person, () => html`${h(Unread, { readings: [about] })}${!isClosed(season) && h(Form, { key: candidate_id ?? "", initial, verb: t("day.preview"), check, send, done },
      h(Whom, { exam, stage: about.value?.stage }),
      h(Choice, { name: "how", label: t("day.howMuch"), required: true, options: [["minutes", t("day.minutes")], ["lost", t("day.lost")]] }),
      h(HowMuch, {}),
      h(Field, { name: "reason", label: t("day.reason"), hint: t("day.reasonHint"), rows: 2, required: true, maxlength: 500 }))}`),
  );
}

/** The choice of the recipients. A candidate is chosen in the form, so that nothing that was typed is lost. @param {{ exam: number, stage: CurrentExam["stage"] | undefined }} props */
function Whom({ exam, stage }) {
  const { values, set, id } = useForm();
  /** @type {Sitter | null} */
  const candidate = values.candidate;
  const [isAgain, setAgain] = useState(false);
  /** @param {Sitter & { state: State }} found */
  const choose = ({ id: user, name, school }) => {
    set("candidate", { id: user, name, school });
    // The search, which has the focus, disappears.
    document.getElementById(id("how"))?.querySelector("input")?.focus();
  };
  const another = () => {
    setAgain(true);
    set("candidate", null);
  };
  return html`${h(Choice, {
      name: "whom", label: t("day.toWhom"), required: true,
      options: [["candidate", candidate ? `${candidate.name}, ${candidate.school}` : t("day.oneCandidate")], ["school", t("day.oneSchool")], ["everyone", t("day.everyone")]],
    })}
    ${values.whom === "school" && h(School, {})}
    ${values.whom === "candidate" && (candidate
      ? html`<div class="acts"><button type="button" class="button" onClick=${another}>${t("day.chooseOther")}</button></div>`
      : candidateSearch({ search: (typed, limit) => calls.sitters(exam, typed, limit), choose, hint: t("day.sitterHint"), focused: isAgain, about: ({ state }) => h(StateTag, { state }), missing: (typed) => h(Outsiders, { search: typed, stage, key: typed }) }))}`;
}

/** The field for a school, which suggests names that candidates have entered. */
function School() {
  const typed = (useForm().values.school ?? "").trim();
  const [names, suggest] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    if (typed.length < 2) return undefined;
    let isNewest = true;
    // If the suggestions can't be read, the name can still be typed.
    const timer = setTimeout(() => calls.schools(typed).then(({ results }) => isNewest && suggest(results), () => {}), TYPING);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [typed]);
  return h(Field, { name: "school", label: t("day.school"), hint: t("day.schoolHint"), required: true, suggestions: names });
}

function HowMuch() {
  const { values } = useForm();
  if (values.how === "minutes") return h(Field, { name: "extra_minutes", label: t("day.extraMinutes"), type: "number", inputmode: "numeric", required: true });
  if (values.how !== "lost") return null;
  return html`${h(Note, {}, html`<p>${t("day.lostHint")}</p>`)}
    ${h(DateTime, { name: "lost.from", label: t("day.from"), required: true })}
    ${h(DateTime, { name: "lost.until", label: t("day.until"), required: true })}`;
}
