// Texts in the reader's language. This module has no texts of its own. Each plugin, or each folder of a front-end, has
// a catalogue, with one file per language:
//
//     export const t = catalogue({ en: () => import("./texts/en.js"), fr: () => import("./texts/fr.js") });
//     t("people.found", { count: 38 })
//
// A text has placeholders such as {name}. A plural is an object with a text per category of
// Intl.PluralRules, and is chosen by the value `count`: { one: "{count} candidate", other: "{count} candidates" }.
// Numbers are written as the language writes them.

/** @typedef {{ zero?: string, one?: string, two?: string, few?: string, many?: string, other: string }} Plural */
/** @typedef {Record<string, string | Plural>} Texts */
/** @typedef {Record<string, string | number>} Values */
/**
 * The texts of another language. tsc reports a missing or misspelled key.
 *
 * @template {Texts} En
 * @typedef {{ [Key in keyof En]: En[Key] extends string ? string : Plural }} Translation
 */
/**
 * @template {Texts} T
 * @typedef {() => Promise<{ default: T }>} Load
 */
/** @typedef {{ texts: Texts, loads: Record<string, Load<any>>, language: string }} Catalogue */

const CHOICE = "language";
// A language for tests. It puts brackets around each text of a catalogue, so that texts outside the catalogues
// can be seen.
const TEST = "xx";

// Letters of Hebrew, Arabic and other scripts that are written from right to left. A name with such letters would
// move the signs beside it to its other side, so a text encloses it in isolates, as <bdi> does in HTML.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** @type {Catalogue[]} */
const catalogues = [];
/** @type {Set<() => void>} */
const listeners = new Set();
let now = "en";

/** The language of the page: `en` or `fr`. */
export const language = () => (now === TEST ? "en" : now);

/**
 * The catalogue of a plugin or folder, as a function that returns the text of a key. `loaded` loads the texts.
 *
 * @template {Texts} En
 * @template {string} [Key=never]
 * @param {{ en: Load<En> } & Record<string, Load<Translation<En>>>} loads
 * @param {(key: Key, values?: Values) => string} [shared] A catalogue with the texts that this one does not have.
 */
export function catalogue(loads, shared) {
  /** @type {Catalogue} */
  const own = { texts: {}, loads, language: "" };
  catalogues.push(own);
  /**
   * @param {(keyof En & string) | Key} key
   * @param {Values} [values]
   */
  return (key, values) => {
    const text = own.texts[key];
    return text === undefined && shared ? shared(/** @type {Key} */ (key), values) : written(text ?? key, values);
  };
}

/**
 * A text with its placeholders filled.
 *
 * @param {string | Plural} text
 * @param {Values} [values]
 */
export function written(text, values = {}) {
  const one = typeof text === "string" ? text : counted(text, Number(values.count));
  const filled = one.replace(/\{(\w+)\}/g, (all, name) => {
    const value = values[name] ?? all;
    if (typeof value === "number") return number(value);
    return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
  });
  return now === TEST ? `⟦${filled}⟧` : filled;
}

/**
 * The form of a plural for a number. French uses the singular for 0 too, but a singular without the number,
 * such as "Une copie", would be wrong for 0.
 *
 * @param {Plural} text
 * @param {number} count
 */
function counted(text, count) {
  const found = text[plural(count)] ?? text.other;
  return count === 0 && !found.includes("{count}") ? text.other : found;
}

/** @param {number} count */
const plural = (count) => new Intl.PluralRules(language()).select(count);

/**
 * A number in the format of the page's language.
 *
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export const number = (value, options) => new Intl.NumberFormat(language(), options).format(value);

/**
 * The text of an API error in the reader's language: the text `refused.<code>` of any catalogue, otherwise
 * the API's own.
 *
 * @param {{ code: string, detail: string }} error
 */
export function refusal({ code, detail }) {
  const found = catalogues.findLast((each) => each.texts[`refused.${code}`]);
  return found ? written(/** @type {string} */ (found.texts[`refused.${code}`])) : detail;
}

/**
 * Set the language at the start. It is the language that the user has chosen, otherwise that of the browser.
 *
 * @param {string[]} offered The languages. The first one is used if the browser prefers none of them.
 */
export function begin(offered) {
  const wanted = [stored(), ...navigator.languages.map((each) => each.slice(0, 2))];
  now = wanted.find((each) => each && (each === TEST || offered.includes(each))) ?? offered[0] ?? "en";
  document.documentElement.lang = language();
}

function stored() {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null; // The browser forbids storage.
  }
}

/**
 * Change the language, and remember the choice.
 *
 * @param {string} chosen
 */
export async function choose(chosen) {
  const before = now;
  now = chosen;
  try {
    await loaded();
  } catch (error) {
    now = before;
    throw error;
  }
  try {
    localStorage.setItem(CHOICE, chosen);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  document.documentElement.lang = language();
  for (const each of listeners) each();
}

/**
 * Call a function when the language has changed.
 *
 * @param {() => void} listener
 */
export function onLanguage(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Load the texts of all catalogues that are not loaded yet. */
export async function loaded() {
  const code = language();
  await Promise.all(
    catalogues.map(async (each) => {
      if (each.language === code) return;
      each.texts = (await (each.loads[code] ?? each.loads.en)?.())?.default ?? {};
      each.language = code;
    }),
  );
}
