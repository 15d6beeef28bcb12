// Delete exams from this device: all exams of a user who signs out, and exams of earlier users that they can no longer
// submit.

import * as session from "../../pages/static/ground/session.js";
import { signOut } from "../../pages/static/pieces/start.js";
import { mayLeave } from "./leave/question.js";
import { storages } from "./unsent.js";

/** Sign out, and delete the candidate's exams on this device. Asks first if answers would be lost, in any tab. */
export async function leave() {
  const user = session.user()?.user.id ?? "";
  // Loaded before the end of the session, which leaves the page.
  const { clear } = await import("./exam/sitting.js");
  const { count, silent } = await session.losses();
  const sure = !(count || silent) || (await mayLeave(count, silent));
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
