// The answers that are only on this device. Each tab names its own before the candidate signs out in any of them: on a
// shared computer, no other tab can read them.

import * as session from "../../pages/static/ground/session.js";

/** @type {Set<() => string[]>} */
const open = new Set();

/**
 * Add the answers of an open exam. The browser may have rejected to store them. Returns a function that ends this.
 *
 * @param {() => string[]} list
 */
export function alsoUnsent(list) {
  open.add(list);
  return () => void open.delete(list);
}

/** The storages in which a candidate's exams may be. A browser may reject them. */
export function storages() {
  return [() => sessionStorage, () => localStorage].flatMap((each) => {
    try {
      return [each()];
    } catch {
      return [];
    }
  });
}

/** The name of an answer, the same in all tabs. @param {string} exam @param {number} question */
export const answerName = (exam, question) => `${exam}.${question}`;

/** The names of the answers that only this tab or this device has, of the user who is signed in. */
export function unsent() {
  const user = session.user()?.user.id;
  if (!user) return [];
  return [...storages().flatMap((each) => stored(each, user)), ...[...open].flatMap((each) => each())];
}

/**
 * The stored answers of a user that the service does not have, in exams that are not submitted. It reads what a Sitting
 * stores.
 *
 * @param {Storage} storage
 * @param {string} user The id of the user.
 */
function stored(storage, user) {
  return Object.keys(storage).flatMap((each) => {
    const [kind, exam = "", of, what] = each.split(".");
    if (kind !== "exam" || of !== user || what !== "paper") return [];
    try {
      const read = (/** @type {string} */ key) => JSON.parse(storage.getItem(`exam.${exam}.${user}.${key}`) ?? "null");
      if (read("receipt")) return [];
      const { saved = {} } = read("draft") ?? {};
      const isUnsent = (/** @type {{ id: number }} */ { id }) => (read(`chosen.${id}`) ?? "") !== (saved[id] ?? "");
      return read("paper").questions.filter(isUnsent).map((/** @type {{ id: number }} */ { id }) => answerName(exam, id));
    } catch {
      // Nobody can read this exam any more. It must not keep the user from signing out.
      return [];
    }
  });
}
