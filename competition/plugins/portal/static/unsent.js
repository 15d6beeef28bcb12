// The answers that would be lost if the user signed out, for the question before that. On a shared computer, each tab has
// a storage of its own, so each tab names its answers. On an own device, the browser keeps them.

import * as session from "../../pages/static/ground/session.js";
import { sittings, unsent as missing } from "./exam/sitting.js";
import { isShared, storages } from "./storages.js";

/**
 * The names of the answers that the service does not have, of the user who is signed in. Tabs that share a storage have
 * the same names in it.
 */
export function unsent() {
  const user = session.user()?.user.id;
  if (!user) return [];
  const isOwn = !isShared();
  // The browser may have rejected to store the answers of an open exam.
  const shown = [...sittings].filter((each) => !isOwn || !each.isStored).flatMap((each) => each.unsent).filter((name) => name.split(".")[2] === user);
  return [...shown, ...(isOwn ? [] : storages().flatMap((each) => stored(each, user)))];
}

/**
 * The stored answers that the service does not have.
 *
 * @param {Storage} storage
 * @param {string} user The id of the user.
 */
function stored(storage, user) {
  return Object.keys(storage).flatMap((each) => {
    const [kind, exam, of, what] = each.split(".");
    if (kind !== "exam" || of !== user || what !== "paper") return [];
    try {
      return missing(storage, `exam.${exam}.${user}`);
    } catch {
      // Nobody can read this exam any more. It must not keep the user from signing out.
      return [];
    }
  });
}
