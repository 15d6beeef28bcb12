// Delete exams from this device: all exams of a user who signs out, and exams of earlier users that those users
// can no longer submit.

import * as session from "../../pages/static/ground/session.js";
import { signOut } from "../../pages/static/pieces/start.js";
import { mayLeave } from "./leave/question.js";

/** The storages in which a candidate's exams may be. A browser may reject them. */
function storages() {
  return [() => sessionStorage, () => localStorage].flatMap((each) => {
    try {
      return [each()];
    } catch {
      return [];
    }
  });
}

/**
 * How many answers of a user are only on this device, in exams that are not submitted. It reads the data that a
 * Sitting stores. It is not in sitting.js, because the page of an exam does not need it, and must stay small.
 *
 * @param {Storage} storage
 * @param {string} user The id of the user.
 */
function unsent(storage, user) {
  let count = 0;
  for (const each of Object.keys(storage)) {
    const [kind, exam, of, what] = each.split(".");
    if (kind !== "exam" || of !== user || what !== "paper") continue;
    try {
      const stored = (/** @type {string} */ key) => JSON.parse(storage.getItem(`exam.${exam}.${user}.${key}`) ?? "null");
      const { saved = {} } = stored("draft") ?? {};
      const isUnsent = (/** @type {{ id: number }} */ { id }) => (stored(`chosen.${id}`) ?? "") !== (saved[id] ?? "");
      if (!stored("receipt")) count += stored("paper").questions.filter(isUnsent).length;
    } catch {
      // Nobody can read this exam any more. It must not keep the user from signing out.
    }
  }
  return count;
}

/** Sign out, and delete the candidate's exams on this device. Asks first if answers would be lost. */
export async function leave() {
  const user = session.user()?.user.id ?? "";
  // Load the module now, because the page is left when the session ends.
  const { clear } = await import("./exam/sitting.js");
  const count = storages().reduce((sum, each) => sum + unsent(each, user), 0);
  const sure = !count || (await mayLeave(count));
  if (!sure) return;
  await signOut();
  for (const each of storages()) clear(each, { of: user });
}

/** Delete the data of other users' exams that they can no longer submit. */
export async function forgetOthers() {
  const user = session.user()?.user.id;
  const isNeeded = (/** @type {Storage} */ each) => Object.keys(each).some((name) => name.startsWith("exam.") && name.split(".")[2] !== user);
  const found = storages().filter(isNeeded);
  if (!user || !found.length) return;
  const { clear } = await import("./exam/sitting.js");
  for (const each of found) clear(each, { except: user });
}
