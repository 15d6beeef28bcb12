// The exams that are stored on this device: the keys, what is stored under each, and what may be deleted. The other
// modules of this folder read and write values by `Store`. Outside, only `ground/session.js` knows how a key begins, to
// find out whose exam it is. This module makes no request, and does not know the phases of an exam. To decide
// what may be deleted, it reads the stored times, and knows until when the service accepts answers.
//
// All values of one exam of one user have keys that begin with `exam.7.8f14….`, followed by:
//
// - `version`: the version of this form. An exam without it has version 1.
// - `paper`: StoredPaper. `draft`: StoredDraft. `clock`: StoredClock.
// - `chosen.101`: the Option that was chosen for question 101. `flag.101`: whether the question is flagged.
// - `used`: whether the candidate has chosen anything on this device.
// - `messages`: Message[]. `heard`: how many messages the service had at that time.
// - `submission`: { key, answers }, from when the candidate submits. `receipt`: the receipt of the service.
// - `over`: whether the exam is over. `late`: the Answer[] that did not reach the service.
//
// A device keeps what an earlier release of the pages has stored. So if the form of a value changes, this module gets a
// higher version, and reads exams of all earlier versions. `tests/pages/portal/exam/stored-1.json` is one of version 1.

/** @typedef {{ id: number, text: string, option_a: string, option_b: string, option_c: string, option_d: string, rendered: any, spoken: any }} PaperQuestion */
/** @typedef {"" | "A" | "B" | "C" | "D"} Option "" is no answer. */
/** @typedef {{ question: number, selected_option: Option }} Answer */
/** @typedef {{ sequence: number, follows?: number, answers: Answer[] }} Changes `follows` is the sequence of the draft that the page knew. */
/** @typedef {{ kind: "announcement" | "answer" | "time", id: number, question?: number | null, asked?: string | null, text?: string | null, minutes?: number, until?: string, at: string, isNew?: boolean }} Message `isNew`: the candidate has not opened it yet. */
/** @typedef {{ title: string, minutes: number, questions: PaperQuestion[], description?: string }} StoredPaper */
/** @typedef {{ sequence: number, saved: Record<string, Option>, sent: Changes | null }} StoredDraft `saved` is what the service has. `sent` is the save without a reply. */
/** @typedef {{ ahead?: number, opens?: string | null, closes?: string | null, deadline?: string, planned?: string, until?: string, sealed?: boolean }} StoredClock Times by the service's clock, and by how many milliseconds it is ahead of the device's. `until` is the last moment for submitting. `planned` is the deadline before the exam was concluded early. If `sealed`, the results are final. */

const VERSION = 1;
const PREFIX = "exam.";
/** The beginning of the keys of choices. Each has its own key, so that no tab overwrites the choices of another tab. */
export const CHOSEN = "chosen.";
// How long other users' answers are stored on this device after the last moment for submitting them, in milliseconds.
const KEPT = 24 * 3600 * 1000;
// How long answers that the service does not have stay on the candidate's own device, in milliseconds. If the candidate
// gets more time, the page sends them.
const LATE_KEPT = 30 * KEPT;

/** @param {number} question @param {Option} option @returns {Answer} */
export const answerTo = (question, option) => ({ question, selected_option: option });

/** The ids of the questions. @param {StoredPaper | null} paper */
export const questionsOf = (paper) => paper?.questions?.map((each) => each.id) ?? [];

/** @param {Answer[]} answers @returns {Record<string, Option>} */
export const byQuestion = (answers) => Object.fromEntries(answers.map((each) => [each.question, each.selected_option]));

/**
 * One exam of one user in the browser's storage. If the browser does not store a value, it stays in memory.
 */
export class Store {
  /** @type {Map<string, string>} */
  #memory = new Map();
  /** Whether the browser has stored everything. */
  works = true;

  /**
   * @param {string | number} exam
   * @param {string} user
   * @param {Storage | null} storage
   */
  constructor(exam, user, storage) {
    this.name = `${PREFIX}${exam}.${user}`;
    this.storage = storage;
  }

  /** Begin to store this exam. */
  begin() {
    this.set("version", VERSION);
  }

  /** @param {string} key @returns {any} */
  get(key) {
    const text = this.text(key);
    return text === null ? null : JSON.parse(text);
  }

  /** @param {string} key */
  text(key) {
    const name = `${this.name}.${key}`;
    try {
      return this.#memory.get(name) ?? this.storage?.getItem(name) ?? null;
    } catch {
      return null;
    }
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    const name = `${this.name}.${key}`;
    const text = JSON.stringify(value);
    try {
      if (!this.storage) throw new TypeError("There is no storage.");
      this.storage.setItem(name, text);
      this.#memory.delete(name);
    } catch {
      // Delete the earlier choice. Otherwise a reload would take it for the present one, which the service may have.
      if (key.startsWith(CHOSEN)) this.drop(key);
      this.#memory.set(name, text);
    }
    this.works = this.#memory.size === 0;
  }

  /** @param {string} key */
  drop(key) {
    this.#memory.delete(`${this.name}.${key}`);
    remove(this.storage, (name) => name === `${this.name}.${key}`);
  }

  forget() {
    this.#memory.clear();
    remove(this.storage, (name) => name.startsWith(`${this.name}.`));
  }

  /** The key of a choice in the browser's storage. @param {number} question */
  nameOf(question) {
    return `${this.name}.${CHOSEN}${question}`;
  }
}

/**
 * @param {Storage | null} storage
 * @param {(name: string) => boolean} matches
 */
function remove(storage, matches) {
  try {
    if (storage) for (const each of Object.keys(storage).filter(matches)) storage.removeItem(each);
  } catch {
    // The browser forbids storage, so there is nothing in it.
  }
}

/**
 * The stored exams: whose they are, and the key of what is stored.
 *
 * @param {Storage | null} storage
 */
function stored(storage) {
  try {
    return Object.keys(storage ?? {}).filter((each) => each.startsWith(PREFIX)).map((name) => {
      const [, exam = "", user = "", ...rest] = name.split(".");
      return { name, exam, user, key: rest.join(".") };
    });
  } catch {
    return []; // The browser forbids storage.
  }
}

/**
 * The keys of the choices of an exam that the service does not have, and could still get. The service takes none after
 * the exam was sealed, or after the candidate has submitted.
 *
 * @param {Store} store
 * @returns {string[]}
 */
export function missing(store) {
  if (store.get("clock")?.sealed || (store.get("receipt")?.handed_in_by ?? "service") !== "service") return [];
  const saved = store.get("draft")?.saved ?? {};
  const late = store.get("late")?.map((/** @type {Answer} */ each) => each.question);
  const ids = late ?? questionsOf(store.get("paper")).filter((id) => (store.get(CHOSEN + id) ?? saved[id] ?? "") !== (saved[id] ?? ""));
  return ids.map((/** @type {number} */ id) => store.nameOf(id));
}

/**
 * Delete stored exams. With `of`, delete all exams of this user, who has signed out. With `except`, delete the
 * exams of all other users. Answers that another user could not submit stay until a day after the last moment
 * for submitting them. With neither, nobody is signed in: delete only exams whose last moment is a day ago.
 *
 * An exam with answers that the service does not have stays for 30 days. After the user has signed out, it stays only
 * if `isOwn`: on the candidate's own device.
 *
 * @param {Storage | null} storage
 * @param {{ of?: string, except?: string, isOwn?: boolean }} whose The ids of users.
 */
export function clear(storage, { of, except, isOwn }) {
  /** @param {{ exam: string, user: string }} one */
  const keeps = ({ exam, user }) => {
    if (of ? user !== of : user === except) return true;
    const store = new Store(exam, user, storage);
    try {
      // The device's clock may be wrong by days.
      const { until, ahead = 0 } = store.get("clock") ?? {};
      const isWithin = (/** @type {number} */ time) => until && Date.now() + ahead < Date.parse(until) + time;
      if ((!of || isOwn) && isWithin(LATE_KEPT) && missing(store).length) return true;
      return !of && (!except || store.get("receipt") === null) && isWithin(KEPT);
    } catch {
      // This release of the pages can't read the exam, so it can't tell whether answers would be lost.
      return !of || isOwn;
    }
  };
  const names = new Set(stored(storage).filter((each) => !keeps(each)).map((each) => each.name));
  remove(storage, (name) => names.has(name));
}

/** Whether an exam of the service is stored. The practice exam has no number. @param {Storage} storage */
export const hasExams = (storage) => stored(storage).some((each) => /^\d/.test(each.exam));

/**
 * The user whose paper of this exam is stored, or null if there is none, or more than one.
 *
 * @param {Storage | null} storage
 * @param {string} exam
 */
export function holder(storage, exam) {
  const found = stored(storage).filter((each) => each.exam === exam && each.key === "paper");
  return found.length === 1 ? (found[0]?.user ?? null) : null;
}

/**
 * The keys of the user's stored choices that the service does not have, and could still get.
 *
 * @param {Storage} storage
 * @param {string} user The id of the user.
 */
export function unsent(storage, user) {
  return stored(storage).flatMap(({ exam, user: of, key }) => {
    if (of !== user || key !== "paper") return [];
    try {
      return missing(new Store(exam, user, storage));
    } catch {
      // This release of the pages can't read the exam. That must not keep the user from signing out.
      return [];
    }
  });
}
