// Delete exams from this device: all exams of a user who signs out, and exams of earlier users that those users can no
// longer submit. `exam/sitting/store.js` knows what is stored, and which answers would be lost.

import * as session from "../../pages/static/ground/session.js";
import { signOut } from "../../pages/static/pieces/start.js";
import { clear, hasExams } from "./exam/sitting/store.js";
import { mayLeave } from "./leave/question.js";
import { forgetImages, isShared, storages } from "./storages.js";

// How long to wait for the other tabs, in milliseconds.
const PATIENCE = 1_500;

/** How many answers only this device has, in all tabs, and how many tabs do not reply. */
async function losses() {
  const names = new Set();
  const tabs = await session.otherTabs();
  let replies = 0;
  const channel = new BroadcastChannel("portal.unsent");
  await new Promise((resolve) => {
    channel.onmessage = ({ data }) => {
      for (const each of data) names.add(each);
      replies += 1;
      // There is one reply more than other tabs, because this tab replies too.
      if (tabs !== null && replies > tabs) resolve(null);
    };
    setTimeout(resolve, PATIENCE);
    channel.postMessage("count");
  });
  channel.close();
  return { count: names.size, silent: Math.max(0, (tabs ?? 0) + 1 - replies) };
}

/** Sign out, and delete the candidate's exams on this device. Asks first if answers would be lost, in any tab. */
export async function leave() {
  const user = session.user()?.user.id ?? "";
  const { count, silent } = await losses();
  const sure = !(count || silent) || (await mayLeave(count, silent));
  if (!sure) return;
  await signOut();
  for (const each of storages()) clear(each, { of: user, isOwn: !isShared() });
}

/**
 * Delete what earlier users of this device have left: exams that nobody can submit any more and, if a user is signed
 * in, also the submitted exams of other users. Images belong to no user: delete them when no exam needs them.
 */
export async function forgetOthers() {
  const user = session.user()?.user.id;
  for (const each of storages()) clear(each, user ? { except: user } : {});
  const isNeeded = storages().some(hasExams);
  // On a shared computer, only the tab of an exam knows that it needs its images.
  if (!isNeeded && !(await session.otherTabs())) await forgetImages();
}
