// The answers that only this device has, for the question before signing out. On a shared computer, each tab has a
// storage of its own, so each tab names its answers.

import * as session from "../../pages/static/ground/session.js";
import { sittings } from "./exam/sitting.js";
import { storages } from "./storages.js";

/**
 * The names of the answers that the service does not have, of the user who is signed in. Tabs that share a storage have
 * the same names in it.
 */
export function unsent() {
  const user = session.user()?.user.id;
  if (!user) return [];
  // The browser may have rejected to store the answers of an open exam.
  const shown = [...sittings].flatMap((each) => each.unsent).filter((name) => name.split(".")[2] === user);
  return [...shown, ...storages().flatMap((each) => stored(each, user))];
}

/**
 * The stored answers that the service does not have, in exams that are not submitted. It reads what a Sitting stores.
 *
 * @param {Storage} storage
 * @param {string} user The id of the user.
 */
function stored(storage, user) {
  return Object.keys(storage).flatMap((each) => {
    const [kind, exam, of, what] = each.split(".");
    if (kind !== "exam" || of !== user || what !== "paper") return [];
    const start = `exam.${exam}.${user}`;
    try {
      const read = (/** @type {string} */ key) => JSON.parse(storage.getItem(`${start}.${key}`) ?? "null");
      if (read("receipt")) return [];
      const { saved = {} } = read("draft") ?? {};
      const isUnsent = (/** @type {{ id: number }} */ { id }) => (read(`chosen.${id}`) ?? saved[id] ?? "") !== (saved[id] ?? "");
      return read("paper").questions.filter(isUnsent).map((/** @type {{ id: number }} */ { id }) => `${start}.chosen.${id}`);
    } catch {
      // Nobody can read this exam any more. It must not keep the user from signing out.
      return [];
    }
  });
}
