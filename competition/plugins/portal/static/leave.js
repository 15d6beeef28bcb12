// Delete exams from this device: all exams of a user who signs out, and exams of earlier users that those users
// can no longer submit.

import * as session from "../../pages/static/ground/session.js";
import { signOut } from "../../pages/static/pieces/start.js";
import { mayLeave } from "./leave/question.js";
import { storages } from "./storages.js";

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
      // This tab replies, too.
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
  // Load the module now, because the page is left when the session ends.
  const { clear } = await import("./exam/sitting.js");
  const { count, silent } = await losses();
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
