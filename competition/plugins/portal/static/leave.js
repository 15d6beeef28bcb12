// Signing out: nothing of the candidate's exams stays on this device.

import * as session from "../../pages/static/ground/session.js";
import { ask } from "../../pages/static/pieces/dialog.js";
import { signOut } from "../../pages/static/pieces/start.js";
import { t } from "./words.js";

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

/** Sign out, and delete the candidate's exams on this device. Asks first if answers would be lost. */
export async function leave() {
  const user = session.user()?.user.id ?? "";
  // Loaded before the end of the session, which leaves the page.
  const { clear, unsent } = await import("./exam/sitting.js");
  const count = storages().reduce((sum, each) => sum + unsent(each, user), 0);
  const sure = !count || (await ask({ title: t("leave.title"), what: t("leave.what", { count }), verb: t("leave.verb", { count }), cancel: t("leave.stay"), danger: true }));
  if (!sure) return;
  await signOut();
  for (const each of storages()) clear(each, { of: user });
}
