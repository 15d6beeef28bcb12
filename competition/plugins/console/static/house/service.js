// The page about the health of the service. Admins also see the checks of the next exams, and superadmins the backups.

import { Refused } from "../../../pages/static/ground/api.js";
import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { AsOf, Empty, Failed, loaded, Loading } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Readiness, UpcomingExam } from "./calls.js" */

const STATES = /** @type {const} */ ({ ok: ["ok", "house.works"], degraded: ["warn", "house.degraded"], failed: ["bad", "house.failed"] });
const WHOLE = /** @type {const} */ ({ ready: ["ok", "house.ready"], degraded: ["warn", "house.partly"], unavailable: ["bad", "house.unavailable"] });

const BACKUPS = /** @type {const} */ ({ success: ["ok", "house.succeeded"], first_failure: ["warn", "house.firstFailure"], final_failure: ["bad", "house.finalFailure"] });

export const ServicePage = () => h(Page, { title: t("nav.service"), lead: t("house.serviceLead") },
  h(Health, {}),
  isAtLeast("admin") && h(Preflights, {}),
  isAtLeast("superadmin") && h(Backups, {}));

/** @type {Record<string, () => string>} */
const CHECKS = {
  database: () => t("house.database"),
  migrations: () => t("house.migrations"),
  redis: () => t("house.redis"),
  storage: () => t("house.storage"),
  disk: () => t("house.disk"),
};

/** Whether the service works. If it does not, the reply is an error with the same body. */
function Health() {
  const { value, error, at, again } = calls.useReady();
  const refused = /** @type {Readiness | null} */ (error instanceof Refused && "checks" in error.body ? error.body : null);
  const report = refused ?? (error ? null : value);
  if (!report) return error ? h(Failed, { error, again }) : h(Loading, {});
  const [kind, words] = WHOLE[report.status];
  return html`<div class="flow">
    ${h(Note, { kind }, html`<p><strong>${t(words)}</strong></p>`)}
    ${table({
      caption: t("house.parts"),
      id: (each) => each.name,
      rows: report.checks,
      columns: [
        { title: t("house.part"), cell: (each) => CHECKS[each.name]?.() ?? each.name },
        { title: t("house.state"), cell: (each) => html`${h(Tag, { kind: STATES[each.status][0] }, t(STATES[each.status][1]))} ${each.message}` },
      ],
    })}
    <p class="line">${h(AsOf, { at })}</p></div>`;
}

/** The next exams, each with the problems that its checks have found. */
function Preflights() {
  const reading = calls.useUpcoming();
  return h(Section, { title: t("house.preflight") }, loaded(reading, ({ upcoming_exams: exams }) => table({
    caption: t("house.preflight"),
    id: (exam) => exam.id,
    rows: exams,
    columns: [
      { title: t("house.exam"), cell: (exam) => html`<a href=${`/console/exams/${exam.id}`}>${exam.title}</a>` },
      { title: t("house.opens"), cell: (exam) => h(When, { at: exam.scheduled_date }) },
      { title: t("house.result"), cell: (exam) => h(Result, { exam }) },
    ],
  }), { empty: ({ upcoming_exams: exams }) => exams.length === 0, nothing: h(Empty, { action: html`<a class="button" href="/console/exams">${t("nav.exams")}</a>` }, t("house.noExams")) }));
}

/** @param {{ exam: UpcomingExam }} props */
function Result({ exam: { id } }) {
  const reading = useRead(() => calls.preflight(id), [id]);
  return html`<div class="result">${loaded(reading, ({ checks }) => {
    const errors = checks.filter((each) => each.level === "error");
    const warnings = checks.filter((each) => each.level === "warning");
    return html`<div class="acts">
        ${errors.length > 0 && h(Tag, { kind: "bad" }, t("house.errors", { count: errors.length }))}
        ${warnings.length > 0 && h(Tag, { kind: "warn" }, t("house.warnings", { count: warnings.length }))}
        ${!errors.length && !warnings.length && h(Tag, { kind: "ok" }, t("house.passed"))}</div>
      ${errors.length > 0 && html`<ul class="small">${errors.map((each) => html`<li>${each.message}</li>`)}</ul>`}`;
  })}</div>`;
}

const Backups = () => h(Section, { title: t("house.backups") }, list({
  name: t("house.backups"),
  id: (each) => each.id,
  call: calls.backups,
  empty: t("house.noBackups"),
  columns: [
    { title: t("house.file"), cell: (each) => html`<span class="break">${each.backup_filename}</span>` },
    { title: t("house.made"), sort: "timestamp", cell: (each) => h(When, { at: each.timestamp }) },
    { title: t("house.result"), cell: (each) => html`${h(Tag, { kind: BACKUPS[each.status][0] }, t(BACKUPS[each.status][1]))} ${each.error_message}` },
  ],
}));
