// The frame of the console: the navigation, with the pages that the role may use. It knows pages only by their
// addresses.

import { config } from "../../pages/static/ground/config.js";
import { h, html, useExternal, useState } from "../../pages/static/ground/html.js";
import * as session from "../../pages/static/ground/session.js";
import { Act } from "../../pages/static/pieces/act.js";
import { KeyList, useKeys } from "../../pages/static/pieces/keys.js";
import { Connection, Frame, Language } from "../../pages/static/pieces/frame.js";
import { additions, signOut } from "../../pages/static/pieces/start.js";
import { useDashboard, useOwnSchool } from "./calls.js";
import { keys } from "./keys.js";
import { isAtLeast } from "./ranks.js";
import { t } from "./words.js";

/** @import { Children } from "../../pages/static/ground/html.js" */
/** @import { Group } from "../../pages/static/pieces/frame.js" */
/** @import { Rank } from "./ranks.js" */
/**
 * A link for users with the rank `from` or a higher one. Modules of other plugins add entries as `navigation`.
 * `group` is the name of a group, `marks` matches the addresses at which the link is the current one, and `text` may be
 * a function, so that it follows the language.
 *
 * @typedef {{ href: string, text: string | (() => string), from: Rank, group?: string, marks?: RegExp }} Entry
 */

/** @returns {{ name: string, title?: string, links: Entry[] }[]} */
const navigation = () => [
  { name: "home", links: [{ href: "/console/", text: t("home"), from: "volunteer", marks: HOME }] },
  {
    name: "people",
    title: t("nav.people"),
    links: [
      { href: "/console/candidates", text: t("nav.candidates"), from: "moderator", marks: CANDIDATES },
      ...(config().plugins.includes("schools") ? [{ href: "/console/schools", text: t("nav.schools"), from: /** @type {Rank} */ ("moderator") }] : []),
      { href: "/console/documents", text: t("nav.documents"), from: "manager" },
      { href: "/console/staff", text: t("nav.staff"), from: "moderator" },
      { href: "/console/leaving", text: t("nav.leaving"), from: "manager" },
    ],
  },
  {
    name: "exams",
    title: t("nav.exams"),
    links: [
      { href: "/console/exams", text: t("nav.exams"), from: "moderator", marks: EXAMS },
      { href: "/console/questions", text: t("nav.questions"), from: "moderator" },
    ],
  },
  {
    name: "results",
    title: t("nav.results"),
    links: [
      { href: "/console/boards", text: t("nav.boards"), from: "moderator" },
      { href: "/console/advancement", text: t("nav.advancement"), from: "moderator" },
      { href: "/console/appeals", text: t("nav.appeals"), from: "moderator" },
    ],
  },
  {
    name: "league",
    title: t("nav.league"),
    links: [
      { href: "/console/broadcasts", text: t("nav.broadcasts"), from: "manager" },
      ...(config().plugins.includes("imports") ? [{ href: "/console/imports", text: t("nav.imports"), from: /** @type {Rank} */ ("moderator") }] : []),
      ...(config().plugins.includes("seasons") ? [{ href: "/console/seasons", text: t("nav.seasons"), from: /** @type {Rank} */ ("moderator") }] : []),
    ],
  },
  {
    name: "house",
    title: t("nav.house"),
    links: [
      { href: "/console/house/service", text: t("nav.service"), from: "moderator" },
      { href: "/console/house/audit", text: t("nav.audit"), from: "manager" },
      { href: "/console/house/flags", text: t("nav.flags"), from: "superadmin" },
      { href: "/console/house/keys", text: t("nav.keys"), from: "superadmin" },
      { href: "/console/house/jobs", text: t("nav.jobs"), from: "superadmin" },
      { href: "/console/house/mails", text: t("nav.mails"), from: "superadmin" },
      { href: "/console/account", text: t("nav.account"), from: "volunteer", marks: ACCOUNT },
    ],
  },
];

// The start page, and the list to which it links.
const HOME = /^\/console\/(notifications)?$/;

// The pages of the day of exams. If no exam is open, the navigation has no link to them, and they are among the exams.
const DAY = /^\/console\/(day|exams\/\d+\/day)(\/|$)/;
const EXAMS = /^\/console\/(exams|day)(\/|$)/;

// The pages of candidates.
const CANDIDATES = /^\/console\/(candidates|slips)(\/|$)/;

// The pages of the user's own account.
const ACCOUNT = /^\/console\/(account|password)$/;

// The pages of a teacher about the teacher's school. Teachers import only its pupils.
const SCHOOL = /^\/console\/(school|imports)(\/|$)/;

// The kinds of to-dos whose number is shown in the navigation, beside the link to the page where staff deal with them.
const COUNTED = new Map([["/console/documents", "verification.documents"], ["/console/appeals", "appeals.open"]]);

/**
 * The groups for the user who is signed in, with the entries of other plugins.
 *
 * @param {{ kind: string, count: number }[]} todo
 * @returns {Group[]}
 */
function groups(todo) {
  /** @param {Entry} entry */
  const link = ({ href, text, marks }) => {
    const count = href === "/console/" ? todo.length : todo.find((each) => each.kind === COUNTED.get(href))?.count;
    return { href, text: typeof text === "function" ? text() : text, ...(count && { count }), ...(marks && { marks }) };
  };
  const added = /** @type {Entry[]} */ (additions().flatMap((each) => each.navigation ?? []));
  return navigation()
    .map(({ name, title, links }) => ({ title, links: [...links, ...added.filter((each) => (each.group ?? "league") === name)] }))
    .map(({ title, links }) => ({ ...(title && { title }), links: links.filter((each) => isAtLeast(each.from)).map(link) }))
    .filter((each) => each.links.length > 0);
}

/** @param {{ children?: Children }} props */
export function ConsoleFrame({ children }) {
  const [isListed, list] = useState(false);
  const signedIn = useExternal(session.onSession, session.user)?.profile_type === "staff";
  useKeys(signedIn ? keys(() => list(true)) : {});
  const { value } = useDashboard(signedIn && isAtLeast("moderator"));
  const open = value?.current_exams.filter((each) => each.status === "ongoing").length;
  const school = useOwnSchool();
  const teaching = school ? [{ links: [{ href: "/console/school", text: t("nav.school"), count: undefined, marks: SCHOOL }] }] : [];
  const day = open ? [{ links: [{ href: "/console/day", text: t("nav.day"), count: open, marks: DAY }] }] : [];
  const showKeys = html`<button type="button" class="button plain" onClick=${() => list(true)}>${t("keys.button")} <kbd aria-hidden="true">?</kbd></button>`;
  return html`${h(
    Frame,
    {
      name: config().name,
      home: "/console/",
      label: t("navigation"),
      groups: signedIn ? [...teaching, ...day, ...groups(value?.todo ?? [])] : [],
      aside: signedIn && h(Connection, {}),
      foot: [h(Language, {}), showKeys, h(Act, { act: signOut }, t("signOut"))],
    },
    children,
  )}
    ${isListed && h(KeyList, { onClose: () => list(false) })}`;
}
