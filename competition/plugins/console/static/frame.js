// The frame of the console: the navigation, which shows what the role may do.

import { h, useEffect, useState } from "../../pages/static/ground/html.js";
import * as session from "../../pages/static/ground/session.js";
import { Act } from "../../pages/static/pieces/dialog.js";
import { Frame } from "../../pages/static/pieces/page.js";
import { additions, config, Connection, Language, signOut } from "../../pages/static/pieces/start.js";
import { isAtLeast } from "./ranks.js";
import { t } from "./words.js";

/** @import { Children } from "../../pages/static/ground/html.js" */
/** @import { Group } from "../../pages/static/pieces/page.js" */
/** @import { Rank } from "./ranks.js" */
/** @typedef {{ href: string, text: string, from: Rank, group?: string }} Entry A link that is shown from a rank on. */

/** @returns {{ title?: string, links: Entry[] }[]} */
const navigation = () => [
  { links: [{ href: "/console/", text: t("home"), from: "volunteer" }] },
  {
    title: t("nav.people"),
    links: [
      { href: "/console/candidates", text: t("nav.candidates"), from: "moderator" },
      { href: "/console/documents", text: t("nav.documents"), from: "manager" },
      { href: "/console/staff", text: t("nav.staff"), from: "moderator" },
      { href: "/console/leaving", text: t("nav.leaving"), from: "manager" },
    ],
  },
  {
    title: t("nav.exams"),
    links: [
      { href: "/console/exams", text: t("nav.exams"), from: "moderator" },
      { href: "/console/questions", text: t("nav.questions"), from: "moderator" },
    ],
  },
  {
    title: t("nav.results"),
    links: [
      { href: "/console/boards", text: t("nav.boards"), from: "moderator" },
      { href: "/console/advancement", text: t("nav.advancement"), from: "moderator" },
      { href: "/console/appeals", text: t("nav.appeals"), from: "moderator" },
    ],
  },
  {
    title: t("nav.league"),
    links: [{ href: "/console/broadcasts", text: t("nav.broadcasts"), from: "manager" }],
  },
  {
    title: t("nav.house"),
    links: [
      { href: "/console/house/service", text: t("nav.service"), from: "moderator" },
      { href: "/console/house/audit", text: t("nav.audit"), from: "manager" },
      { href: "/console/house/flags", text: t("nav.flags"), from: "superadmin" },
      { href: "/console/house/keys", text: t("nav.keys"), from: "superadmin" },
      { href: "/console/house/jobs", text: t("nav.jobs"), from: "superadmin" },
      { href: "/console/house/mails", text: t("nav.mails"), from: "superadmin" },
      { href: "/console/account", text: t("nav.account"), from: "volunteer" },
    ],
  },
];

/** The groups for the user who is signed in, with the entries of other plugins. @returns {Group[]} */
function groups() {
  const added = /** @type {Entry[]} */ (additions().flatMap((each) => each.navigation ?? []));
  return navigation()
    .map(({ title, links }) => ({ title, links: [...links, ...added.filter((each) => (each.group ?? t("nav.league")) === title)] }))
    .map(({ title, links }) => ({ ...(title && { title }), links: links.filter((each) => isAtLeast(each.from)) }))
    .filter((each) => each.links.length > 0);
}

/** @param {{ children?: Children }} props */
export function ConsoleFrame({ children }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const stop = session.onSession(() => redraw((before) => before + 1));
    return () => void stop();
  }, []);
  const signedIn = session.user()?.profile_type === "staff";
  return h(
    Frame,
    {
      name: config().name,
      home: "/console/",
      label: t("navigation"),
      groups: signedIn ? groups() : [],
      aside: signedIn && h(Connection, {}),
      foot: [h(Language, {}), h(Act, { act: signOut }, t("signOut"))],
    },
    children,
  );
}
