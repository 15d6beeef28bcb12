// Texts in the reader's language.

import * as texts from "../../../../competition/plugins/pages/static/ground/texts.js";
import { equal, test } from "../../kit/cases.js";

/** @param {string} language */
function reads(language) {
  Object.defineProperty(navigator, "languages", { configurable: true, value: [language] });
  texts.begin(["en", "fr"]);
}

/** @param {string} word */
const counts = (word) => [0, 1, 1204].map((count) => texts.written({ one: `{count} ${word}`, other: `{count} ${word}s` }, { count }));

test("plurals and numbers follow the language", () => {
  reads("en-GB");
  equal(counts("candidate"), ["0 candidates", "1 candidate", "1,204 candidates"]);
  // French uses the singular for zero too, and separates thousands by a narrow space.
  reads("fr-FR");
  equal(counts("candidat"), ["0 candidat", "1 candidat", "1\u202f204 candidats"]);
  equal(document.documentElement.lang, "fr");
  // The pages have no texts in Japanese, so they use English.
  reads("ja");
  equal(counts("candidate"), ["0 candidates", "1 candidate", "1,204 candidates"]);
});

test("a singular without its number is not used for zero", () => {
  for (const language of ["en-GB", "fr-FR"]) {
    reads(language);
    equal(texts.written({ one: "One copy", other: "{count} copies" }, { count: 0 }), "0 copies");
  }
});

test("a missing value shows its name", () => {
  reads("en-GB");
  equal(texts.written("Hello {name}"), "Hello {name}");
});

test("a name that is written from right to left is isolated from the text around it", () => {
  reads("en-GB");
  equal(texts.written("{name} (2)", { name: "עדה" }), "\u2068עדה\u2069 (2)");
  equal(texts.written("{name} (2)", { name: "Ada" }), "Ada (2)");
});

test("the chosen language is remembered, and its texts are loaded before it changes", async () => {
  reads("en-GB");
  const t = texts.catalogue({ en: async () => ({ default: { hello: "Hello" } }), fr: async () => ({ default: { hello: "Bonjour" } }) });
  await texts.loaded();
  /** @type {string[]} */
  const seen = [];
  texts.onLanguage(() => seen.push(t("hello")));
  await texts.choose("fr");
  equal(seen, ["Bonjour"]);
  reads("en-GB");
  equal(texts.language(), "fr");
});

test("the language stays if the texts of another one can't be loaded", async () => {
  reads("en-GB");
  const t = texts.catalogue({ en: async () => ({ default: { hello: "Hello" } }), fr: () => Promise.reject(new TypeError("Failed to fetch")) });
  await texts.loaded();
  await texts.choose("fr").catch(() => {});
  equal([texts.language(), t("hello")], ["en", "Hello"]);
});

test("an error has the text of any catalogue, otherwise the words of the service", async () => {
  reads("en-GB");
  texts.catalogue({ en: async () => ({ default: { "refused.exam_not_open": "The exam is not open." } }) });
  await texts.loaded();
  equal(texts.refusal({ code: "exam_not_open", detail: "Not open." }), "The exam is not open.");
  equal(texts.refusal({ code: "other", detail: "Something." }), "Something.");
});
