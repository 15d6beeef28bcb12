// A pretended service, which the practice exam passes to its Sitting. It makes no requests, and stores what it receives
// in this tab, so that candidates can try a reload, or a lost device.

/** @import { Receipt } from "../../../../pages/static/ground/receipts.js" */
/** @import { Service } from "../sitting/sitting.js" */
/** @import { Answer, Changes, PaperQuestion } from "../sitting/store.js" */
/** @typedef {{ started: number | null, sequence: number, saved: Record<string, Answer["selected_option"]>, receipt: Receipt | null, isCut?: boolean }} Kept */

const MINUTES = 10;
const MINUTE = 60_000;
const STORED = "practice.service";
const TRIP = 250;

/** @returns {Kept} */
function read() {
  try {
    const text = sessionStorage.getItem(STORED);
    if (text) return JSON.parse(text);
  } catch {
    // The browser forbids storage.
  }
  return kept;
}

/** @type {Kept} */
let kept = { started: null, sequence: 0, saved: {}, receipt: null, isCut: false };

/** @param {Partial<Kept>} changes */
function write(changes) {
  kept = { ...read(), ...changes };
  try {
    sessionStorage.setItem(STORED, JSON.stringify(kept));
  } catch {
    // Without storage, the data lasts until the page is closed.
  }
}

/** Begin again. */
export function restart() {
  write({ started: null, sequence: 0, saved: {}, receipt: null, isCut: false });
}

/** A rejection, in the form in which the real service sends it. @param {number} status @param {string} code */
const refusal = (status, code) => Object.assign(new Error(code), { status, code });

/**
 * The service of the practice exam.
 *
 * @param {string} title
 * @param {PaperQuestion[]} questions
 */
export function pretended(title, questions) {
  // A reload does not bring a lost connection back.
  const line = {
    get isCut() {
      return read().isCut === true;
    },
    /** @param {boolean} isCut */
    cut: (isCut) => write({ isCut }),
  };
  /**
   * @template T
   * @param {() => T} reply
   * @returns {Promise<T>}
   */
  const sent = async (reply) => {
    await new Promise((resolve) => setTimeout(resolve, TRIP));
    // Candidates may switch off the device's own connection. Then the page must not say that an answer is saved.
    if (line.isCut || (read().started !== null && !navigator.onLine)) throw new Error("There is no connection.");
    return reply();
  };
  const times = () => {
    const { started } = read();
    const end = started === null ? null : new Date(started + MINUTES * MINUTE).toISOString();
    return { server_time: new Date().toISOString(), deadline: end, hand_in_until: end, opens_at: null, closes_at: new Date(Date.now() + 60 * MINUTE).toISOString() };
  };
  const draft = () => {
    const { sequence, saved } = read();
    const answers = Object.entries(saved).filter(([, option]) => option);
    return { sequence, answers: answers.map(([id, option]) => ({ question: Number(id), selected_option: option })) };
  };
  /** @param {Answer[]} answers @param {"candidate" | "service"} by */
  const receipt = (answers, by) => ({
    ...{ exam: 0, candidate: "", submitted_at: new Date().toISOString(), handed_in_by: by, questions: questions.length },
    ...{ answered: answers.filter((each) => each.selected_option).length, salt: "", digest: "", key_id: "", signature: "" },
  });
  /** @type {Service} */
  const service = {
    time: () =>
      sent(() => {
        const { started, receipt: given } = read();
        return { ...times(), status: "ongoing", started_at: started === null ? null : new Date(started).toISOString(), submitted: given !== null, messages: 0 };
      }),
    open: () =>
      sent(() => {
        if (read().receipt) throw refusal(400, "exam_already_submitted");
        if (read().started === null) write({ started: Date.now() });
        return { ...times(), title, description: "", countdown_minutes: MINUTES, questions, draft: draft() };
      }),
    save: (changes) =>
      sent(() => {
        if (read().receipt) throw refusal(400, "exam_already_submitted");
        const applied = changes.sequence > read().sequence;
        if (applied) write({ sequence: changes.sequence, saved: { ...read().saved, ...Object.fromEntries(changes.answers.map((each) => [each.question, each.selected_option])) } });
        return { ...times(), applied, saved_at: new Date().toISOString() };
      }),
    draft: () => sent(draft),
    submit: (answers) =>
      sent(() => {
        write({ receipt: read().receipt ?? receipt(answers, "candidate") });
        return { receipt: read().receipt };
      }),
    receipt: () =>
      sent(() => {
        const { receipt: given, started } = read();
        if (!given && started !== null && Date.now() > started + MINUTES * MINUTE) write({ receipt: receipt(draft().answers, "service") });
        const found = read().receipt;
        if (!found) throw refusal(404, "not_found");
        return found;
      }),
    messages: async () => [],
    keys: async () => [],
    verify: async () => ({ isGenuine: false, isComplete: false }),
  };
  return { service, line };
}
