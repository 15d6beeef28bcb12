// The first page: the to-dos, the next exams, and the numbers of the season. Volunteers see only their notifications,
// and teachers are led to the page of their school.

import { Refused } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import { ago, shortDay } from "../../../pages/static/ground/dates.js";
import { h, html, useEffect } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Bars, Line, Meter, Shares } from "../../../pages/static/pieces/charts.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, Page, Section, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { additions, signOut } from "../../../pages/static/pieces/start.js";
import { AsOf, Empty, Failed, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import { useOwnSchool } from "../calls.js";
import { isAtLeast } from "../ranks.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Dashboard, WaitingTodo } from "./calls.js" */

/**
 * The words for a kind of to-do, and the page where staff deal with it. Modules of other plugins add entries as
 * `todos: { [kind]: { text: (todo) => string, href } }`. Without `href`, the API's link is used.
 *
 * @typedef {{ text: (todo: WaitingTodo) => string, href?: string | ((todo: WaitingTodo) => string), since?: (at: string) => string }} TodoWords
 */

/**
 * An exam that is open or scheduled.
 *
 * @typedef {{ id: number, title: string, stage: string, opens: string | null, closes: string | null, isOpen: boolean, isSoon: boolean, isActive: boolean, questions: number }} NextExam
 */

export function Home() {
  const user = session.user();
  if (!user) return h(Page, { title: t("home") });
  if (!isAtLeast("volunteer")) return h(NoPages, { isCandidate: user.profile_type === "candidate" });
  const hello = t("home.hello", { name: user.user.first_name, role: ROLES[user.role]?.() ?? user.role });
  if (isAtLeast("moderator")) return h(Dashboard, { hello });
  return h(Volunteer, { hello });
}

/** @param {string} at */
const oldest = (at) => t("home.oldest", { ago: ago(at) });

/** @type {Record<string, TodoWords>} */
const TODOS = {
  "verification.documents": { text: ({ count }) => t("home.documents", { count }) },
  "preflight.failed": { text: ({ count }) => t("home.preflight", { count }), since: (at) => t("home.opens", { ago: ago(at) }) },
  "exams.without_questions": { text: ({ count }) => t("home.withoutQuestions", { count }), since: (at) => t("home.planned", { ago: ago(at) }) },
  "clarifications.open": { text: ({ count }) => t("home.clarifications", { count }) },
  "appeals.open": { text: ({ count }) => t("home.appeals", { count }) },
  "leaderboard.unpublished": { text: ({ count }) => t("home.unpublished", { count }), since: (at) => t("home.closed", { ago: ago(at) }) },
  "mails.failed": { text: ({ count }) => t("home.mails", { count }) },
  "jobs.failed": { text: ({ count }) => t("home.jobs", { count }) },
  "backups.late": { text: () => t("home.backups"), since: (at) => t("home.lastBackup", { ago: ago(at) }) },
};

/** @param {WaitingTodo} todo */
function words(todo) {
  const all = /** @type {Record<string, TodoWords>} */ (Object.assign({}, ...additions().map((each) => each.todos), TODOS));
  const found = all[todo.kind];
  return {
    text: found?.text(todo) ?? t("home.otherTodo", { kind: todo.kind, count: todo.count }),
    href: (typeof found?.href === "function" ? found.href(todo) : found?.href) ?? `/console/${todo.link.replace(/^\//, "")}`,
    since: todo.oldest && (found?.since ?? oldest)(todo.oldest),
  };
}

/**
 * The tasks that wait for the user. `begin` is shown in a league without exams, where no task can wait yet.
 *
 * @param {{ todo: WaitingTodo[], begin: Children, next: { title: string, at: string | null } | null }} props
 */
function Todos({ todo, begin, next }) {
  const nothing = next?.at ? t("home.nothingNext", { title: next.title, ago: ago(next.at) }) : t("home.nothing");
  return h(Section, { title: t("home.todo") }, begin, todo.length === 0
    ? !begin && h(Empty, {}, nothing)
    : html`<ul class="sheet todos">${todo.map((each) => {
        const { text, href, since } = words(each);
        return html`<li key=${each.kind}><a href=${href}>${text}</a>${since && html`<span class="small muted">${since}</span>`}</li>`;
      })}</ul>`);
}

/**
 * Whether the league has no exam yet, and the user may plan one.
 *
 * @param {Partial<Dashboard>} dashboard Plugins that are disabled leave out their numbers.
 */
const isNew = ({ exams }) => exams?.total === 0 && isAtLeast("admin");

/**
 * The first steps in a league without exams.
 *
 * @param {{ dashboard: Partial<Dashboard> }} props
 */
const Begin = ({ dashboard: { questions } }) => html`<div class="sheet pad flow"><p><strong>${t("home.begin")}</strong></p>
  <ol class="home-begin">
    ${isAtLeast("manager") && html`<li><a href="/console/staff/invite">${t("home.beginStaff")}</a></li>`}
    <li><a href="/console/questions/new">${t("home.beginQuestions")}</a> ${Boolean(questions?.total) && h(Tag, { kind: "ok" }, t("home.bank", { count: questions?.total ?? 0 }))}</li>
    <li><a href="/console/exams/new">${t("home.beginExam")}</a></li>
    ${config().plugins.includes("portal") && html`<li>${t("home.beginPupils")} <a href="/">${location.origin}/</a></li>`}
  </ol></div>`;

/**
 * The open exams and the next scheduled ones, each once. The API lists exams that open within a day in both of
 * its lists.
 *
 * @param {Dashboard} dashboard
 * @returns {NextExam[]}
 */
function nextExams({ current_exams: current, upcoming_exams: upcoming }) {
  const seen = new Set(current.map((each) => each.id));
  const switched = new Map(upcoming.map((each) => [each.id, each.is_active]));
  return [
    ...current.map((each) => ({ ...of(each), closes: each.closes_at, isOpen: each.status === "ongoing", isSoon: true, isActive: switched.get(each.id) ?? true })),
    ...upcoming.filter((each) => !seen.has(each.id)).map((each) => ({ ...of(each), closes: null, isOpen: false, isSoon: false, isActive: each.is_active })),
  ];
}

/** @param {{ id: number, title: string, stage: string, scheduled_date: string | null, question_count: number }} exam */
const of = ({ id, title, stage, scheduled_date: opens, question_count: questions }) => ({ id, title, stage, opens, questions });

/** @type {Record<string, () => string>} */
const STAGES = { screening: () => t("home.screening"), league: () => t("home.league"), final: () => t("home.final"), winner: () => t("home.winner") };

/** @param {string} name */
const stage = (name) => STAGES[name]?.() ?? name;

/** @param {NextExam} exam */
function state({ isOpen, isActive, questions, opens }) {
  if (!isActive) return h(Tag, { kind: "bad" }, t("exams.state.cancelled"));
  if (isOpen) return h(Tag, { kind: "ok" }, t("exams.state.ongoing"));
  if (!questions) return h(Tag, { kind: "warn" }, t("home.noQuestions"));
  return h(Tag, { kind: "info" }, opens ? t("home.opens", { ago: ago(opens) }) : t("exams.noDate"));
}

/**
 * The next step for an exam, with its page. The plan of an exam is for admins.
 *
 * @param {NextExam} exam
 */
function step({ id, isOpen, isSoon, questions }) {
  const isAdmin = isAtLeast("admin");
  if (isAdmin && !questions) return { text: t("home.choose"), href: `/console/exams/${id}/paper` };
  if (isOpen) return { text: t("home.watch"), href: `/console/exams/${id}/day` };
  if (isSoon || !isAdmin) return { text: t("home.day"), href: `/console/exams/${id}/day` };
  return { text: t("home.plan"), href: `/console/exams/${id}` };
}

/** @param {{ exams: NextExam[] }} props */
function Exams({ exams }) {
  const action = isAtLeast("admin") && html`<a class="button" href="/console/exams">${t("home.allExams")}</a>`;
  return h(Section, { title: t("home.exams") }, exams.length === 0
    ? h(Empty, { action }, t("home.noExams"))
    : table({
        caption: t("home.exams"),
        id: (exam) => exam.id,
        rows: exams,
        columns: [
          { title: t("home.exam"), cell: ({ title, stage: name }) => html`${title} <span class="small muted">${stage(name)}</span>` },
          { title: t("home.state"), cell: state },
          { title: t("home.when"), cell: ({ opens, closes, isOpen }) => (isOpen ? html`${t("home.until")} ${h(When, { at: closes })}` : h(When, { at: opens })) },
          { title: t("home.next"), cell: (exam) => html`<a href=${step(exam).href}>${step(exam).text} <span class="hide">${exam.title}</span></a>` },
        ],
      }));
}

/** @param {number} percent */
const share = (percent) => number(percent / 100, { style: "percent", maximumFractionDigits: 1 });

/** @param {{ dashboard: Dashboard }} props The numbers of disabled plugins are missing. */
function Numbers({ dashboard }) {
  const { candidates, exams, questions, scores } = /** @type {Partial<Dashboard> & Pick<Dashboard, "candidates">} */ (dashboard);
  const { easy, moderate, hard } = questions?.by_difficulty ?? {};
  return h(Section, { title: t("home.numbers") }, html`<div class="charts">
    <div class="sheet pad flow">
      ${h(Bars, { title: t("home.byStage"), unit: t("home.candidates"), points: Object.entries(candidates.by_role).map(([name, { count }]) => ({ label: stage(name), value: count })) })}
      ${h(Meter, { label: t("home.verified"), value: candidates.verified, of: candidates.total })}
      ${h(Facts, { facts: [[t("home.registered"), number(candidates.recent_registrations)], [t("home.deactivated"), number(candidates.total - candidates.active)]] })}
    </div>
    <div class="sheet pad flow">
      ${questions && h(Shares, { title: t("home.bank", { count: questions.total }), points: [
        { label: t("home.easy"), value: easy?.count ?? 0 }, { label: t("home.moderate"), value: moderate?.count ?? 0 }, { label: t("home.hard"), value: hard?.count ?? 0 }] })}
      ${h(Facts, { facts: [
        [t("home.examCount"), exams && number(exams.total)],
        [t("home.submissions"), scores && (scores.total_submissions ? t("home.ofWhichRecent", { count: scores.total_submissions, recent: scores.recent_submissions }) : number(0))],
        [t("home.average"), scores?.total_submissions ? share(scores.average_score) : null],
        [t("home.highest"), scores?.total_submissions ? share(scores.highest_score) : null],
      ] })}
    </div>
    <div class="sheet pad wide">${h(ByDay, { days: dashboard.by_day })}</div></div>`);
}

/** @param {{ days: Dashboard["by_day"] }} props */
function ByDay({ days }) {
  const series = [{ label: t("home.registrations"), values: days.map((each) => each.registrations) }];
  // If the plugin that counts submissions is disabled, the days have no such number.
  if (days.some((each) => "submissions" in each)) series.push({ label: t("home.submissions"), values: days.map((each) => each.submissions) });
  // The date is already in the league's time zone. At noon in UTC, it is written without a conversion.
  return h(Line, { title: t("home.byDay"), labels: days.map((each) => shortDay(`${each.day}T12:00Z`, "UTC")), series });
}

/** The latest notifications. */
function Notifications() {
  const reading = calls.useNotifications();
  const read = async () => {
    await calls.markAllAsRead();
    reading.again();
  };
  const { stats, results: latest = [] } = reading.value ?? {};
  const unread = stats?.unread_count ?? 0;
  // This page shows only the latest notifications. It offers to mark all as read only if it shows all unread ones.
  const areShown = unread > 0 && latest.filter((each) => !each.read).length === unread;
  const actions = html`${areShown && h(Act, { act: read }, t("home.markRead", { count: unread }))}
    ${latest.length > 0 && html`<a class="button" href="/console/notifications">${t("home.allNotifications")}</a>`}`;
  return h(Section, { title: t("home.notifications"), actions },
    loaded(reading, ({ results }) => html`<ul class="sheet todos">${results.map((each) => html`<li key=${each.id}>
      <div><p><strong>${each.subject}</strong> ${!each.read && h(Tag, { kind: "info" }, t("home.new"))}</p><p>${each.message}</p></div>
      <span class="small muted">${ago(each.created_at)}</span></li>`)}</ul>`,
    { empty: ({ results }) => results.length === 0, nothing: h(Empty, {}, t("home.noNotifications")) }));
}

/**
 * The reason why the API rejects the dashboard, and the next step of staff who can't work yet.
 *
 * @param {{ error: unknown, again: () => void }} props
 */
function NotYet({ error, again }) {
  const code = error instanceof Refused ? error.code : "";
  const text = { second_factor_required: t("home.needsFactor"), unverified_staff: t("home.unverified") }[code];
  if (!text) return h(Failed, { error, again });
  return h(Note, { kind: "warn", alert: true }, html`<p>${text}</p><a class="button" href="/console/account">${t("home.toAccount")}</a>`);
}

/** @type {Record<string, () => string>} */
const ROLES = {
  volunteer: () => t("home.volunteer"),
  moderator: () => t("home.moderator"),
  admin: () => t("home.admin"),
  manager: () => t("home.manager"),
  superadmin: () => t("home.superadmin"),
};

/** The first page of a volunteer. A teacher is sent to the page of the teacher's school. @param {{ hello: string }} props */
function Volunteer({ hello }) {
  const school = useOwnSchool();
  useEffect(() => {
    if (school) void go("/console/school", { replace: true });
  }, [school]);
  return h(Page, { title: t("home"), lead: hello },
    h(Note, {}, html`<p>${t("home.volunteerSees")}</p>`),
    h(Notifications, {}));
}

/** @param {{ hello: string }} props */
function Dashboard({ hello }) {
  const reading = calls.useDashboard();
  const lead = html`${hello} ${h(AsOf, { at: reading.at })}`;
  if (!reading.value && reading.error) return h(Page, { title: t("home"), lead }, h(NotYet, { error: reading.error, again: reading.again }));
  return h(Page, { title: t("home"), lead }, loaded(reading, (dashboard) => {
    const exams = nextExams(dashboard);
    const next = exams.find((each) => !each.isOpen);
    return html`${h(Todos, { todo: dashboard.todo, begin: isNew(dashboard) && !exams.length && h(Begin, { dashboard }), next: next ? { title: next.title, at: next.opens } : null })}
      ${h(Exams, { exams })}
      ${h(Numbers, { dashboard })}
      ${h(Notifications, {})}`;
  }));
}

/** @param {{ isCandidate: boolean }} props */
function NoPages({ isCandidate }) {
  return h(Page, { title: t("home.noPages") },
    h(Note, { kind: "warn" }, html`<p>${isCandidate ? t("home.candidateHere") : t("home.sponsorHere")}</p>`),
    html`<div class="acts">
      ${isCandidate && config().plugins.includes("portal") && html`<a class="button first" href="/">${t("home.toPortal")}</a>`}
      ${h(Act, { act: signOut }, t("signOut"))}</div>`);
}
