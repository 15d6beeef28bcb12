// The first page: the to-dos, the next exams, and the numbers of the season.

import { h, html, useEffect } from "../../../pages/static/ground/html.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { Act } from "../../../pages/static/pieces/dialog.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { config, signOut } from "../../../pages/static/pieces/start.js";
import { AsOf, loaded } from "../../../pages/static/pieces/states.js";
import { useOwnSchool } from "../calls.js";
import { isAtLeast } from "../ranks.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Begin, Exams, isNew, nextExams, Notifications, NotYet, Numbers, Todos } from "./pieces.js";

/** @type {Record<string, () => string>} */
const ROLES = {
  volunteer: () => t("home.volunteer"),
  moderator: () => t("home.moderator"),
  admin: () => t("home.admin"),
  manager: () => t("home.manager"),
  superadmin: () => t("home.superadmin"),
};

export function Home() {
  const user = session.user();
  if (!user) return h(Page, { title: t("home") });
  if (!isAtLeast("volunteer")) return h(NoPages, { isCandidate: user.profile_type === "candidate" });
  const hello = t("home.hello", { name: user.user.first_name, role: ROLES[user.role]?.() ?? user.role });
  if (isAtLeast("moderator")) return h(Dashboard, { hello });
  return h(Volunteer, { hello });
}

/** The first page of a volunteer. A teacher begins with the own school. @param {{ hello: string }} props */
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
    return html`${h(Todos, { todo: dashboard.todo, begin: isNew(dashboard) && h(Begin, { dashboard }), next: next ? { title: next.title, at: next.opens } : null })}
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
