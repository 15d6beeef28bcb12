// The answers that this tab would lose if the user signed out. `leave.js` asks all tabs for them before signing out. On
// a shared computer, each tab has a storage of its own, so each tab names its answers. On the user's device, the
// browser keeps them, except for those that it has rejected.

import * as session from "../../pages/static/ground/session.js";
import { sittings } from "./exam/sitting/sitting.js";
import * as store from "./exam/sitting/store.js";
import { isShared, storages } from "./storages.js";

/**
 * The names of the answers that the service does not have, of the user who is signed in. Tabs that share a storage have
 * the same names in it.
 */
export function unsent() {
  const user = session.user()?.user.id;
  if (!user) return [];
  const isOwn = !isShared();
  // The browser may have refused to store the answers of an open exam.
  const shown = [...sittings].filter((each) => each.user === user && (!isOwn || !each.isStored)).flatMap((each) => each.unsent);
  return [...shown, ...(isOwn ? [] : storages().flatMap((each) => store.unsent(each, user)))];
}
