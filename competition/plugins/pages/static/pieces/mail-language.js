// The choice of the language of emails, for the page of the user's own account in both front-ends. The page passes the
// function that saves the choice.

import { config } from "../ground/config.js";
import { h } from "../ground/html.js";
import { t } from "./more/words.js";
import { Select } from "./choices.js";
import { Form } from "./form.js";
import { languageNames } from "./frame.js";
import { notice } from "./notice.js";
import { Section } from "./page.js";

/** @typedef {"en" | "fr" | null} MailLanguage */

// The value of the option for null. The empty value already means that nothing is chosen yet.
const LEAGUE = "league";

/** @param {{ language: MailLanguage, save: (language: MailLanguage) => Promise<unknown>, saved: () => void }} props */
export function MailLanguagePart({ language, save, saved }) {
  const done = () => {
    notice({ text: t("mails.saved") });
    saved();
  };
  const named = Object.entries(languageNames).filter(([code]) => config().languages.includes(code));
  return h(Section, { title: t("mails.title") },
    h(Form, {
      initial: { language: language ?? LEAGUE },
      verb: t("mails.use"),
      quiet: true,
      send: (values) => save(values.language === LEAGUE ? null : /** @type {MailLanguage} */ (values.language)),
      done,
    },
    h(Select, { name: "language", label: t("mails.language"), required: true, options: [[LEAGUE, t("mails.league")], ...named] })));
}
