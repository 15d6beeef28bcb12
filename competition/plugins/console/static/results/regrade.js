// The page of a regrade: its effect, as the service has computed it, and the buttons that apply and revert it.

import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Unread, useReturn } from "../../../pages/static/pieces/readings.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import { isAtLeast } from "../ranks.js";
import { ClosedSeason, isClosed, useSeason } from "../season.js";
import * as calls from "./calls.js";
import { correct, crumbs, described, orNothing, printedOf, regradesOf, RegradeState, resultsOf, score } from "./pieces.js";
import { t } from "./words.js";

/** @import { Letter } from "../../../pages/static/pieces/maths.js" */
/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Change, Regrade, RegradedScore } from "./calls.js" */

/** The effect of a regrade, and its buttons. @param {PageProps} props */
export function OneRegrade({ params }) {
  const id = params.id ?? "";
  const exam = Number(id);
  const regradeId = Number(params.rid);
  const [version, setVersion] = useState(0);
  const about = useRead(() => calls.exam(exam), [exam]);
  const season = useSeason(about.value?.season);
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
      actions: regrade && !isClosed(season) && isAtLeast("admin") && html`
        ${regrade.status === "preview" && html`${h(Act, { act: again }, t("results.previewAgain"))}
          ${regrade.changes.length === 1 && html`<a class="button" href=${`${correct(id, regrade.changes[0]?.question ?? 0)}&instead=${regradeId}`}>${t("results.changeIt")}</a>`}
          ${h(Act, { act: remove }, t("results.deleteIt"))}
          <a class="button" href=${regradesOf(id)}>${t("results.dontApply")}</a>
          ${h(Act, { act: apply, kind: "first" }, count ? t("results.applyTo", { count }) : t("results.apply"))}`}
        ${regrade.status === "applied" && h(Act, { act: revert, kind: "bad" }, t("results.revert"))}`,
    },
    h(ClosedSeason, { season }),
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
 * The effect of a regrade.
 *
 * @param {{ of: Regrade, total: number | undefined }} props `total` is how many scores the exam has.
 */
const Effect = ({ of: { effect }, total }) => html`
  <p class="results-effect">${effect.scores_changed === 0 ? t("results.noScores") : t("results.scoresChange", { count: effect.scores_changed, total: total ?? effect.scores_changed, up: effect.up, down: effect.down })}
    ${" "}${effect.ranks_changed > 0 && t("results.ranksChange", { count: effect.ranks_changed })}</p>
  ${h(Facts, {
    facts: [
      [t("results.average"), t("results.fromTo", { from: score(effect.average_before), to: score(effect.average_after) })],
      [t("results.in"), effect.in.length > 0 && names(effect.in)],
      [t("results.out"), effect.out.length > 0 && names(effect.out)],
    ].filter(([, value]) => value !== false).map(([label, value]) => /** @type {[string, any]} */ ([label, value])),
  })}`;

/** @param {{ full_name: string, school: string }[]} people */
const names = (people) => html`<ul class="items">${people.map((each) => html`<li><bdi>${each.full_name}</bdi>, <span class="muted"><bdi>${each.school}</bdi></span></li>`)}</ul>`;

/**
 * A value before and after, and the difference.
 *
 * @param {{ from: string, to: string, difference: number, write?: (value: number) => string }} props
 */
const Moved = ({ from, to, difference, write = number }) => html`<span class="numbers">${from === to ? from : t("results.fromTo", { from, to })}</span>
  ${difference !== 0 && html` ${h(Tag, { kind: difference > 0 ? "ok" : "bad" }, `${difference > 0 ? "+" : "−"}${write(Math.abs(difference))}`)}`}`;

/**
 * A note if the question in the bank differs from the corrected one, with the button that corrects it there too. A
 * regrade does not change the bank, from which the next exam takes the question.
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

/** @param {{ user: { first_name: string, last_name: string } }} staff */
const name = ({ user }) => `${user.first_name} ${user.last_name}`;
