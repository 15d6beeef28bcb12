// The question before signing out deletes answers. Its texts are in a separate catalogue, so that the page of
// an exam need not load them.

import { loaded } from "../../../pages/static/ground/texts.js";
import { ask } from "../../../pages/static/pieces/dialog.js";
import { t } from "./words.js";

/** Ask whether to sign out and delete answers. @param {number} count The number of answers that are only on this device. */
export async function mayLeave(count) {
  await loaded();
  return ask({ title: t("leave.title"), what: t("leave.what", { count }), verb: t("leave.verb", { count }), danger: true });
}
