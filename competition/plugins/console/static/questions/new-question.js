// The page for a new question, which may begin as a copy of another one. `pieces.js` has the editor.

import { h } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { BANK, Editor, values } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */

const EMPTY = { text: "", option_a: "", option_b: "", option_c: "", option_d: "", correct_answer: "", difficulty: "moderate" };

/** @param {PageProps} props */
export function NewQuestion({ query }) {
  const source = query.get("from");
  const reading = useRead(async () => (source ? (await calls.question(source)).question : null), [source]);
  return h(Page, { title: t("questions.new"), crumbs: [{ href: BANK, text: t("questions") }] },
    loaded(reading, (original) => h(Editor, {
      original,
      initial: original ? values(original) : EMPTY,
      draft: `question.new.${source ?? ""}`,
      verb: t("questions.create"),
      send: (typed, key) => calls.create(typed, key),
      done: async (created) => {
        await go(`${BANK}/${created.id}`);
        notice({ text: t("questions.created") });
      },
    })));
}
