// The only module that turns text into HTML: questions with formulas and images, as the API renders them. Trusted Types
// reject HTML from anywhere else. The same policy accepts the address of the portal's service worker, so this module
// has that address too.
//
// The policy only accepts or rejects HTML; it never changes it. If a tag or an attribute is not in the lists, or is not
// written as `TAG` expects, the page shows the question's text instead. The lists are the same for all browsers, so
// what an author sees is what a candidate sees.

const TAGS = new Set(
  ("br img math mrow mi mn mo mtext mspace ms mfrac msqrt mroot msub msup msubsup munder mover" +
    " munderover mmultiscripts mprescripts mtable mtr mtd mstyle merror mpadded mphantom").split(" "),
);
const ATTRIBUTES = new Set(
  ("accent accentunder alt alttext columnalign columnlines columnspacing columnspan depth dir display" +
    " displaystyle fence form frame height largeop linethickness loading lspace mathvariant maxsize" +
    " minsize movablelimits notation rowalign rowlines rowspacing rowspan rspace scriptlevel separator" +
    " src stretchy symmetric voffset width xmlns").split(" "),
);
// A tag as the API writes it: lower case, and each attribute with a value in double quotes.
const TAG = /<(?:\/([a-z]+)|([a-z]+)((?: [a-z]+="[^"<]*")*) ?\/?)>/g;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;
const SOURCE = /^(?:https?:\/)?\/[^\s\\]/;
const WORKER = "/sw.js";

/**
 * Whether HTML has only tags and attributes of questions.
 *
 * @param {string} text
 */
export function isPlain(text) {
  const rest = text.replace(TAG, (all, closed, opened, attributes = "") => {
    const known = [...attributes.matchAll(ATTRIBUTE)].every(
      ([, name, value]) => ATTRIBUTES.has(name) && (name !== "src" || (opened === "img" && SOURCE.test(value))),
    );
    return known && TAGS.has(closed ?? opened) ? "" : all;
  });
  return !rest.includes("<");
}

const rules = {
  /** @param {string} text */
  createHTML(text) {
    if (!isPlain(text)) throw new TypeError("This is not the HTML of a question.");
    return text;
  },
  /** @param {string} address */
  createScriptURL(address) {
    if (address !== WORKER) throw new TypeError("This is not the address of the service worker.");
    return address;
  },
};
// A policy can be created once per name, so this module must be loaded from one address only.
/** @type {typeof rules} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("pages", rules) ?? rules;

// Reuse the object that was made for a text. Preact compares objects, and would insert equal HTML again.
/** @type {Map<string, string | null>} */
const made = new Map();
const KEPT = 500;

/**
 * HTML that an element accepts (`dangerouslySetInnerHTML`), or null if the text does not pass the
 * check.
 *
 * @param {string} text
 */
export function trusted(text) {
  if (!made.has(text)) {
    if (made.size > KEPT) made.clear();
    made.set(text, isPlain(text) ? policy.createHTML(text) : null);
  }
  return made.get(text) ?? null;
}

/** The address of the service worker, as `navigator.serviceWorker.register` accepts it. */
export const workerAddress = () => policy.createScriptURL(WORKER);
