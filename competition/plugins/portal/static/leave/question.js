// The question before signing out deletes answers. Its texts are in a separate catalogue, so that the page of an exam
// need not load them. It does not know where answers are stored: its caller passes the numbers.

import { loaded } from "../../../pages/static/ground/texts.js";
import { ask } from "../../../pages/static/pieces/dialog.js";
import { t } from "./words.js";

/**
 * Ask whether to sign out and delete answers.
 *
 * @param {number} count The number of answers that are only on this device.
 * @param {number} silent The number of tabs that do not reply. They may have such answers too.
 */
export async function mayLeave(count, silent) {
  await loaded();
  const what = [count && t("leave.what", { count }), silent && t("leave.silent", { count: silent })].filter(Boolean).join(" ");
  return ask({ title: t("leave.title"), what, verb: count ? t("leave.verb", { count }) : t("leave.anyway"), danger: true });
}
