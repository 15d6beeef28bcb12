// The button that copies an exam into the current season, and its dialog. The plan of an exam has it, and the results of
// an exam of a closed season, because the links to such an exam lead there.

import { h } from "../../pages/static/ground/html.js";
import { go } from "../../pages/static/ground/router.js";
import { Act } from "../../pages/static/pieces/act.js";
import { confirm } from "../../pages/static/pieces/dialog.js";
import { notice } from "../../pages/static/pieces/notice.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @param {{ exam: { id: number, title: string } }} props */
export const CopyExam = ({ exam: { id, title } }) => h(Act, { act: () => copy(id, title) }, t("exams.copy"));

/** Ask, copy the exam, and go to the copy. @param {number} id @param {string} title */
async function copy(id, title) {
  const made = await confirm({ title: t("exams.copyTitle", { title }), what: t("exams.copies"), verb: t("exams.copyVerb"), act: (key) => calls.copyExam(id, key) });
  if (!made) return;
  await go(`/console/exams/${made.id}`);
  notice({ text: `${t("exams.copied")} ${made.left_out.length ? t("exams.leftOut", { count: made.left_out.length }) : ""}` });
}
