// The answers of one exam on this device, and what the service has of them. This module decides what a save contains
// and how the answers of several devices are merged. It does not know when to save, and makes no request.

import { answerTo, byQuestion, CHOSEN, questionsOf } from "./store.js";

/** @import { Answer, Changes, Option, Store, StoredDraft, StoredPaper } from "./store.js" */

/** The draft of one candidate, as it is stored on this device. */
export class Draft {
  /** @type {{ text: string | null, value: StoredPaper | null }} */
  #paper = { text: null, value: null };
  #store;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** The paper as it was opened, or null. */
  get paper() {
    const text = this.#store.text("paper");
    if (text !== this.#paper.text) this.#paper = { text, value: text === null ? null : JSON.parse(text) };
    return this.#paper.value;
  }

  /** Store the paper as it was opened. @param {StoredPaper} paper */
  open(paper) {
    this.#store.set("paper", paper);
  }

  /** The ids of the questions. */
  get questions() {
    return questionsOf(this.paper);
  }

  /** @returns {StoredDraft} */
  get #state() {
    return this.#store.get("draft") ?? { sequence: 0, saved: {}, sent: null };
  }

  /** @param {Partial<StoredDraft>} changes */
  #update(changes) {
    this.#store.set("draft", { ...this.#state, ...changes });
  }

  /**
   * The chosen option, or "" for none. A choice may be missing, because the browser could not store it before a reload.
   * Then the option is the one that the service has.
   *
   * @param {number} question
   * @returns {Option}
   */
  chosen(question) {
    return this.#store.get(CHOSEN + question) ?? this.#state.saved[question] ?? "";
  }

  /** @param {number} question @param {Option} option */
  choose(question, option) {
    this.#store.set(CHOSEN + question, option);
  }

  /** The questions whose answers the service does not have yet. */
  get unsaved() {
    const { saved: before, sent } = this.#state;
    // A save without a reply may have arrived, or not.
    const ours = byQuestion(sent?.answers ?? []);
    return this.questions.filter((id) => [before[id] ?? "", ours[id] ?? this.chosen(id)].some((each) => each !== this.chosen(id)));
  }

  /** The answers to all questions. */
  get answers() {
    return this.questions.map((id) => answerTo(id, this.chosen(id)));
  }

  /** The answers that the service does not have yet. */
  get unsavedAnswers() {
    return this.unsaved.map((id) => answerTo(id, this.chosen(id)));
  }

  /**
   * The body of the next save. If the last save got no reply, it may have arrived, so the body is exactly the same
   * again.
   */
  next() {
    const { sequence, sent } = this.#state;
    return sent ?? this.#send(sequence + 1);
  }

  /**
   * The body of the save that is sent when the user leaves the page, even if the save before has no reply yet. The
   * choices may have changed since that save, so the body has a higher sequence.
   */
  last() {
    const { sequence, sent } = this.#state;
    return this.#send((sent?.sequence ?? sequence) + 1);
  }

  /** @param {number} sequence @returns {Changes} */
  #send(sequence) {
    const sent = { sequence, follows: this.#state.sequence, answers: this.unsavedAnswers };
    this.#update({ sent });
    return sent;
  }

  /** Whether a save is the one that waits for its reply. @param {Changes} sent */
  waitsFor({ sequence }) {
    return this.#state.sent?.sequence === sequence;
  }

  /**
   * Record that the service has applied a save. Returns false if this page can't tell what the service has now: if the
   * save followed another one that got no reply, another device may have saved in between.
   *
   * @param {Changes} sent
   */
  confirm({ sequence, answers }) {
    const { sequence: newest, saved } = this.#state;
    if (sequence !== newest + 1) return false;
    this.#update({ sequence, saved: { ...saved, ...byQuestion(answers) }, sent: null });
    return true;
  }

  /**
   * Take over the answers that another device has saved. A choice made here stays, unless the other device has
   * since changed the answer to that question. A draft that is older than a save of this browser changes no choice.
   * Returns the choices that have changed on this device. At the first draft on this device, these are none.
   *
   * @param {Changes} there
   */
  merge({ sequence, answers }) {
    const { sequence: newest, saved: before, sent } = this.#state;
    const ours = byQuestion(sent?.answers ?? []);
    const now = byQuestion(answers);
    const isKnown = this.#store.get("draft") !== null;
    /** @type {Answer[]} */
    const changed = [];
    for (const id of this.questions) {
      const option = now[id] ?? "";
      if (sequence < newest || [before[id] ?? "", ours[id]].includes(option)) continue;
      if (this.chosen(id) !== option) changed.push(answerTo(id, option));
      this.choose(id, option);
    }
    this.#update({ sequence: Math.max(sequence, newest), saved: now, sent: null });
    return isKnown ? changed : [];
  }
}
