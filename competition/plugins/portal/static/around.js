// The navigation of the portal, around every page but that of an exam. It knows pages only by their addresses.
// `frame.js` loads it with the first page that needs it.

import { config } from "../../pages/static/ground/config.js";
import { h, useEffect, useExternal, useRef } from "../../pages/static/ground/html.js";
import * as session from "../../pages/static/ground/session.js";
import * as socket from "../../pages/static/ground/socket.js";
import { Act } from "../../pages/static/pieces/act.js";
import { Connection, Frame, Language } from "../../pages/static/pieces/frame.js";
import { useUnread } from "./calls.js";
import { t } from "./words.js";

/** @import { Children } from "../../pages/static/ground/html.js" */

/** The number of unread notifications, or undefined if there are none. @param {boolean} when */
function useNews(when) {
  const { value, again } = useUnread(when);
  const newest = useRef(again);
  newest.current = again;
  useEffect(() => {
    const read = () => newest.current();
    const stops = [socket.on("notification_activity", read), socket.on("open", read)];
    return () => stops.forEach((stop) => stop());
  }, []);
  return (when && value?.stats.unread_count) || undefined;
}

// Load this module only when the user leaves, or when there is something to delete.
const leaving = () => import("./leave.js");

/** @param {{ children?: Children }} props */
export function Around({ children }) {
  const user = useExternal(session.onSession, session.user);
  useEffect(() => {
    // Delete the exams that earlier users have left. The page of an exam deletes them itself, even without a
    // connection.
    const tidy = () => void leaving().then((all) => all.forgetOthers()).catch(() => {});
    tidy();
    const stop = session.onSession((change) => change === "opened" && tidy());
    return () => void stop();
  }, []);
  const signedIn = user?.profile_type === "candidate";
  const unread = useNews(signedIn);
  const links = signedIn
    ? [
        { href: "/home", text: t("home") },
        { href: "/exams", text: t("exams") },
        { href: "/results", text: t("results") },
        { href: "/boards", text: t("boards") },
        { href: "/appeals", text: t("appeals") },
        { href: "/inbox", text: t("inbox"), count: unread },
        { href: "/documents", text: t("documents") },
        { href: "/account", text: t("account") },
        { href: "/practice", text: t("practice") },
      ]
    : [
        { href: "/", text: t("start") },
        { href: "/practice", text: t("practice") },
        { href: "/device", text: t("device") },
        { href: "/register", text: t("register") },
        { href: "/sign-in", text: t("signIn") },
      ];
  return h(
    Frame,
    {
      name: config().name,
      home: signedIn ? "/home" : "/",
      label: t("navigation"),
      groups: [{ links }],
      aside: signedIn && h(Connection, {}),
      foot: [h(Language, {}), signedIn && h(Act, { act: async () => (await leaving()).leave() }, t("signOut"))],
    },
    children,
  );
}
