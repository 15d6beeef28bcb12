// The questions of the practice exam, in both languages. Their formulas are already MathML here. For real exams, the
// API renders formulas.

/** @import { PaperQuestion } from "../sitting/store.js" */

const half = '<math alttext="\\frac{1}{2}"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>';
const third = '<math alttext="\\frac{1}{3}"><mfrac><mn>1</mn><mn>3</mn></mfrac></math>';
const x = '<math alttext="x"><mi>x</mi></math>';
const square = '<math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math>';
const root = '<math alttext="\\sqrt{144}"><msqrt><mn>144</mn></msqrt></math>';

/** @type {{ en: string, fr: string, saidEn?: string, saidFr?: string, options: string[], said?: string[] }[]} */
const ALL = [
  { en: "How much is 7 times 8?", fr: "Combien font 7 fois 8 ?", options: ["54", "56", "63", "64"] },
  {
    en: `How much is ${half} + ${third}?`,
    fr: `Combien font ${half} + ${third} ?`,
    saidEn: "How much is one half plus one third?",
    saidFr: "Combien font un demi plus un tiers ?",
    options: ["2/5", "1/6", "5/6", "2/6"],
  },
  { en: "Which of these numbers is prime?", fr: "Lequel de ces nombres est premier ?", options: ["21", "27", "29", "33"] },
  {
    en: `If ${x} is 5, how much is ${square} + 1?`,
    fr: `Si ${x} vaut 5, combien vaut ${square} + 1 ?`,
    saidEn: "If x is 5, how much is x squared plus 1?",
    saidFr: "Si x vaut 5, combien vaut x au carré plus 1 ?",
    options: ["11", "26", "36", "51"],
  },
  { en: "How many degrees do the angles of a triangle have together?", fr: "Combien de degrés font ensemble les angles d’un triangle ?", options: ["90", "180", "270", "360"] },
  {
    en: `How much is ${root}?`,
    fr: `Combien vaut ${root} ?`,
    saidEn: "How much is the square root of 144?",
    saidFr: "Combien vaut la racine carrée de 144 ?",
    options: ["12", "14", "72", "288"],
  },
  { en: "What is 15 % of 200?", fr: "Combien font 15 % de 200 ?", options: ["15", "20", "30", "35"] },
  { en: "Which number comes next: 1, 4, 9, 16, …?", fr: "Quel nombre vient ensuite : 1, 4, 9, 16, … ?", options: ["20", "24", "25", "36"] },
  { en: "A rectangle is 6 cm long and 4 cm wide. What is its area?", fr: "Un rectangle mesure 6 cm sur 4 cm. Quelle est son aire ?", options: ["10 cm²", "20 cm²", "24 cm²", "48 cm²"] },
  { en: "How many sides does a hexagon have?", fr: "Combien de côtés a un hexagone ?", options: ["5", "6", "7", "8"] },
];

/**
 * @param {string} language
 * @returns {PaperQuestion[]}
 */
export const questions = (language) =>
  ALL.map((each, at) => {
    const html = language === "fr" ? each.fr : each.en;
    const said = (language === "fr" ? each.saidFr : each.saidEn) ?? html;
    const [a = "", b = "", c = "", d = ""] = each.options;
    const options = { option_a: a, option_b: b, option_c: c, option_d: d };
    return { id: at + 1, text: said, ...options, rendered: { text: html, ...options }, spoken: { text: said, ...options } };
  });
