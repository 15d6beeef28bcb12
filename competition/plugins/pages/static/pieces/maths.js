// Questions with formulas and images. The API renders them to MathML. If there is no MathML, or `ground/markup.js`
// rejects it, the page shows the text. This module knows no answer key: the page passes the options that it may show as
// correct.

import { h, html, useEffect, useId, useLayoutEffect, useRef } from "../ground/html.js";
import { trusted } from "../ground/markup.js";
import { t } from "./words.js";

/** @typedef {"text" | "option_a" | "option_b" | "option_c" | "option_d"} Part */
/** @typedef {Partial<Record<Part, string | null>>} Parts */
/** @typedef {Parts & { rendered?: Parts | null, spoken?: Parts | null }} Question A question, as every endpoint describes it. */
/** @typedef {"A" | "B" | "C" | "D"} Letter */

export const LETTERS = /** @type {const} */ (["A", "B", "C", "D"]);
/** @type {(letter: Letter) => Part} */
const partOf = (letter) => /** @type {Part} */ (`option_${letter.toLowerCase()}`);

// French puts a narrow space before some of these marks.
const BEFORE = /[([«“‘][\u00a0\u202f]?$/;
const AFTER = /^[\u00a0\u202f]?[.,;:!?)\]»”’…]+/;

/**
 * Keep the punctuation beside each formula on its line: browsers may wrap between them.
 *
 * @param {HTMLElement} place
 */
function keepTogether(place) {
  for (const formula of place.querySelectorAll("math:not([display=block])")) {
    const before = neighbour(formula.previousSibling, BEFORE);
    const after = neighbour(formula.nextSibling, AFTER);
    if (!before && !after) continue;
    const together = document.createElement("span");
    together.className = "together";
    formula.replaceWith(together);
    together.append(before, formula, after);
  }
}

/**
 * Remove the text that matches a pattern from a text node, and return it.
 *
 * @param {ChildNode | null} node
 * @param {RegExp} pattern
 */
function neighbour(node, pattern) {
  if (!(node instanceof Text)) return "";
  const [found = ""] = pattern.exec(node.data) ?? [];
  if (found) node.data = node.data.replace(pattern, "");
  return found;
}

// The pauses before an image is loaded again, in milliseconds. The last pause is then repeated.
const PAUSES = [2_000, 5_000, 15_000, 30_000];
/** @type {WeakMap<HTMLImageElement, number>} */
const failures = new WeakMap();

/**
 * Load an image again that could not be loaded, because the service or its storage was unavailable. The handler of
 * `error` events, which don't bubble.
 *
 * @param {Event} event
 */
export function loadAgain({ target }) {
  if (!(target instanceof HTMLImageElement)) return;
  const count = failures.get(target) ?? 0;
  failures.set(target, count + 1);
  setTimeout(() => target.isConnected && (target.src = target.src), PAUSES[count] ?? PAUSES.at(-1));
}

/**
 * A part of a question, as HTML if there is any, otherwise as text.
 *
 * @param {{ of: Question, part?: Part }} props
 */
export function Maths({ of, part = "text" }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const rendered = of.rendered?.[part];
  const markup = rendered ? trusted(rendered) : null;
  useLayoutEffect(() => {
    if (place.current) keepTogether(place.current);
  }, [markup]);
  useEffect(() => {
    // A formula that is wider than the screen scrolls on its own, so the keyboard must reach it.
    const own = place.current;
    if (!own) return;
    const update = () => {
      const isWide = own.scrollWidth > own.clientWidth + 1;
      if (isWide) own.tabIndex = 0;
      else own.removeAttribute("tabindex");
    };
    const observer = new ResizeObserver(update);
    observer.observe(own);
    return () => observer.disconnect();
  }, [markup]);
  if (markup === null) return html`<span class="question plain">${of[part] ?? ""}</span>`;
  return html`<span class="question" ref=${place} onErrorCapture=${loadAgain} dangerouslySetInnerHTML=${{ __html: markup }}></span>`;
}

/**
 * The name of an option for screen readers: "B, x squared plus one half".
 *
 * @param {Question} question
 * @param {Letter} letter
 */
export function spoken(question, letter) {
  const part = partOf(letter);
  return `${letter}, ${question.spoken?.[part] ?? question[part] ?? ""}`;
}

/**
 * The four options of a question.
 *
 * @param {object} props
 * @param {Question} props.question
 * @param {Letter | null} props.chosen
 * @param {(letter: Letter) => void} [props.choose] Without it, the options can't be chosen.
 * @param {Letter[]} [props.right] The correct options, once they may be shown.
 */
export function Options({ question, chosen, choose, right }) {
  const name = useId();
  // Without a label, browsers would name the group after the characters of its formulas, such as "1 2 + 1 3".
  return html`<fieldset class="options" disabled=${!choose} aria-label=${question.spoken?.text ?? undefined}>
    <legend>${h(Maths, { of: question })}</legend>
    ${LETTERS.map((letter) => {
      const isRight = right?.includes(letter);
      return html`<label class=${`option ${isRight ? "right" : ""}`}>
        <input type="radio" name=${name} value=${letter} checked=${chosen === letter} aria-label=${spoken(question, letter)} onChange=${() => choose?.(letter)} />
        <kbd aria-hidden="true">${letter}</kbd>${h(Maths, { of: question, part: partOf(letter) })}
        ${right && isRight && html`<span class="tag ok">${t("maths.right")}</span>`}
        ${right && chosen === letter && !isRight && html`<span class="tag bad">${t("maths.yours")}</span>`}
      </label>`;
    })}
  </fieldset>`;
}
