// The dialog before an account is deactivated or activated, for the pages of a candidate and of a member of staff. It
// shows what a deactivation would interrupt, and sends the request. The page shows the result.

import { day, when } from "../../pages/static/ground/dates.js";
import { html } from "../../pages/static/ground/html.js";
import { confirm } from "../../pages/static/pieces/dialog.js";
import { whenInWords } from "../../pages/static/pieces/page.js";
import { activate, previewDeactivation } from "./calls.js";
import { t } from "./words.js";

/**
 * Deactivate or activate an account, after the user has confirmed what that means. Resolves to the sentence about the
 * change, or to null if the user declines.
 *
 * @param {{ user: { id: string, first_name: string, last_name: string }, is_active: boolean }} account
 * @param {boolean} isCandidate
 */
export async function switchAccount({ user, is_active: isActive }, isCandidate) {
  const name = `${user.first_name} ${user.last_name}`;
  const done = isActive ? await deactivate(user.id, name, isCandidate) : await confirm({
    title: t("activation.activateOne", { name }),
    what: t("activation.activates", { name }),
    verb: t("activation.activate"),
    act: () => activate(user.id, true),
  });
  if (!done) return null;
  return isActive ? t("activation.deactivated", { name }) : t("activation.activated", { name });
}

/**
 * @param {string} id
 * @param {string} name
 * @param {boolean} isCandidate
 */
async function deactivate(id, name, isCandidate) {
  // Plugins that are disabled leave out their part of the preview.
  const { sessions, running_exams: exams = [], erase_at: erasure = null } = await previewDeactivation(id);
  return confirm({
    title: t("activation.deactivateOne", { name }),
    what: html`${t(isCandidate ? "activation.deactivatesCandidate" : "activation.deactivates", { name })}
      ${exams.map((exam) => html`<br /><br /><strong>${t("activation.sitting", { name, exam: exam.title, until: whenInWords(exam.deadline) })}</strong> ${t("activation.sittingWhat")}`)}
      ${erasure && html`<br /><br />${t("activation.erasure", { day: day(erasure) })}`}
      <br /><br />${sessions.length ? t("activation.sessions", { count: sessions.length }) : t("activation.noSessions")}`,
    items: sessions.map((each) => t("activation.session", { device: each.device ?? t("activation.unknownDevice"), when: whenInWords(each.refreshed_at, when) })),
    verb: t("activation.deactivate"),
    danger: true,
    act: () => activate(id, false),
  });
}
