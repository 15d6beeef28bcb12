// A small model of the service, for one candidate's exam: drafts with sequences, the submission, the receipt, the
// grace period, the automatic submission, the conclusion, and given time.
//
// `contract.json` is a script with the replies of the service. `model.test.js` plays it to this model, and
// `test_contract.py` to the real service.

/** @typedef {import("../../../../competition/plugins/portal/static/exam/sitting/store.js").Option} Option */
/** @typedef {{ question: number, selected_option: Option }} Answer */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** For this time after the deadline, the service takes answers. */
export const GRACE = 5 * MINUTE;
/** The ids of the questions are the numbers from here on. */
export const FIRST = 101;
const NONE = "-";
const UNCHANGED = ".";

/** An error of the service. */
export class Refused extends Error {
  /** @param {number} status @param {string} code */
  constructor(status, code) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

const at = (/** @type {number} */ time) => new Date(time).toISOString();

export class Exam {
  /** The answers that the service had, one letter per question, oldest first. @type {string[]} */
  history = [];
  /** @type {number | null} */
  startedAt = null;
  /** @type {{ sequence: number, answers: string, changes: string, savedAt: number, closedAt: number | null } | null} */
  draft = null;
  /** @type {{ answers: string, key: string | null, submittedAt: number, by: "candidate" | "service" } | null} */
  submission = null;
  /** Announcements and answered questions, as the page's Messages. @type {any[]} */
  messages = [];
  /** Given time, in milliseconds. */
  extra = 0;
  /** When the exam was switched off. @type {number | null} */
  offSince = null;

  /**
   * @param {object} [options]
   * @param {() => number} [options.now] The service's clock, in milliseconds since 1970.
   * @param {number} [options.opens] When the exam opens.
   * @param {number} [options.minutes]
   * @param {number} [options.hours] How long the exam is open.
   * @param {number} [options.questions]
   */
  constructor({ now = () => Date.now(), opens = now() - HOUR, minutes = 60, hours = 24, questions = 12 } = {}) {
    this.now = now;
    this.opens = opens;
    this.minutes = minutes;
    this.closes = this.planned = opens + hours * HOUR;
    this.questions = Array.from({ length: questions }, (_, index) => FIRST + index);
  }

  /** Whether the results are final. */
  isSealed = false;

  /** The deadline, or null before the start. */
  get deadline() {
    if (this.startedAt === null) return null;
    // A changed end is the same for all candidates.
    const window = this.closes === this.planned ? this.closes + this.extra : this.closes;
    return Math.min(this.startedAt + this.minutes * MINUTE + this.extra, window, this.offSince ?? Infinity);
  }

  /** The answers that the service has now, with "-" for none. */
  get final() {
    this.handIn();
    return this.submission?.answers ?? this.draft?.answers ?? NONE.repeat(this.questions.length);
  }

  /** The submitted answers as in Python's tests: "BC.A", or null. */
  get submitted() {
    this.handIn();
    return this.submission && this.submission.answers.replace(/-+$/, "").replaceAll(NONE, ".");
  }

  /** Whether the service had this answer at some time. @param {number} question @param {string} option */
  had(question, option) {
    return this.history.some((each) => each[question - FIRST] === (option || NONE));
  }

  // What the candidate can call.

  time() {
    this.handIn();
    return { ...this.#clock(), sealed: this.isSealed };
  }

  open() {
    this.handIn();
    this.#checkRunning();
    this.startedAt ??= this.now();
    return { ...this.#clock(), draft: this.#ownDraft() };
  }

  /** @param {{ sequence: number, answers: Answer[] }} changes */
  save({ sequence, answers }) {
    this.#checkDraft();
    const changes = this.#packed(answers, UNCHANGED);
    const there = this.draft;
    if (!there || there.sequence < sequence) {
      if (there && there.closedAt !== null && there.closedAt > Number(this.deadline) + GRACE) throw new Refused(403, "exam_not_open");
      const before = there?.answers ?? NONE.repeat(changes.length);
      const merged = [...changes].map((each, index) => (each === UNCHANGED ? before[index] : each)).join("");
      this.draft = { sequence, answers: merged, changes, savedAt: this.now(), closedAt: null };
      this.#store();
    }
    const now = /** @type {NonNullable<Exam["draft"]>} */ (this.draft);
    return {
      applied: now.sequence === sequence && now.changes === changes,
      sequence: now.sequence,
      answered: count(now.answers),
      saved_at: at(now.savedAt),
      server_time: at(this.now()),
      deadline: at(Number(this.deadline)),
      seconds_remaining: this.#secondsLeft,
    };
  }

  readDraft() {
    this.#checkDraft();
    return this.#ownDraft();
  }

  /** @param {Answer[]} answers @param {string | null} [key] */
  submit(answers, key = null) {
    this.handIn();
    if (this.submission && (key === null || this.submission.key !== key)) throw new Refused(400, "exam_already_submitted");
    if (!this.submission) this.#checkOpen();
    const packed = this.#packed(answers, NONE);
    if (this.submission) {
      if (this.submission.answers !== packed) throw new Refused(400, "idempotency_key_reused");
    } else {
      this.startedAt ??= this.now();
      this.submission = { answers: packed, key, submittedAt: this.now(), by: "candidate" };
      this.#store();
    }
    return { message: "Your answers have been submitted.", receipt: this.receipt() };
  }

  /** The receipt, without its signature. */
  receipt() {
    this.handIn();
    if (!this.submission) throw new Refused(404, "not_found");
    const { answers, submittedAt, by } = this.submission;
    const given = Object.fromEntries(this.questions.map((id, index) => [id, answers[index]]).filter(([, option]) => option !== NONE));
    return {
      exam: 7,
      candidate: "8f14e45f-ceea-467f-a1d5-d1b1c3b3a001",
      submitted_at: at(submittedAt),
      handed_in_by: by,
      questions: answers.length,
      answered: count(answers),
      salt: "c2FsdA",
      digest: encoded(checksum(canonical({ salt: "c2FsdA", answers: given }))),
      key_id: "key-1",
      signature: "",
    };
  }

  // What happens at the service.

  /** Submit the draft if its time is over. The real service does this every five seconds. */
  handIn() {
    const { draft, deadline } = this;
    if (!draft || draft.closedAt !== null || deadline === null || this.now() <= deadline + GRACE) return;
    draft.closedAt = this.now();
    if (this.submission || !count(draft.answers)) return;
    this.submission = { answers: draft.answers, key: null, submittedAt: deadline, by: "service" };
    this.#store();
  }

  conclude() {
    this.closes = this.now();
  }

  /** Give everyone more time. It withdraws an automatic submission. @param {number} minutes */
  giveTime(minutes) {
    this.handIn();
    if (this.submission?.by === "candidate") return;
    const { deadline } = this;
    this.extra += minutes * MINUTE;
    // Nobody gets time in an exam that was concluded. The service rejects that.
    if (deadline !== null && this.deadline === deadline) this.extra -= minutes * MINUTE;
    if (this.deadline === null || this.now() > this.deadline + GRACE) return;
    if (this.draft) this.draft.closedAt = null;
    if (this.submission?.by === "service") {
      this.submission = null;
      this.#store();
    }
  }

  /** Take the candidate's own submission back. Its answers become the draft, with the next sequence. */
  reopen() {
    if (this.submission?.by !== "candidate") throw new TypeError("The candidate has not submitted.");
    const { answers } = this.submission;
    const sequence = (this.draft?.sequence ?? 0) + 1;
    this.draft = { sequence, answers, changes: answers, savedAt: this.now(), closedAt: null };
    this.submission = null;
    this.#store();
  }

  /** Switch the exam off, or on again. @param {boolean} on */
  switch(on) {
    this.offSince = on ? null : this.now();
  }

  /** Let the exam open at another time. @param {number} opens */
  move(opens) {
    this.closes = this.planned = opens + this.planned - this.opens;
    this.opens = opens;
  }

  get #status() {
    if (this.offSince !== null && this.now() < this.closes) return "cancelled";
    if (this.now() < this.opens) return "scheduled";
    return this.now() < this.closes ? "ongoing" : "concluded";
  }

  get #secondsLeft() {
    return this.deadline === null ? null : Math.max(0, Math.floor((this.deadline - this.now()) / 1000));
  }

  #clock() {
    const { startedAt, deadline } = this;
    return {
      server_time: at(this.now()),
      status: this.#status,
      opens_at: at(this.opens),
      closes_at: at(this.closes),
      extra_minutes: startedAt === null ? 0 : this.extra / MINUTE,
      submitted: this.submission !== null,
      started_at: startedAt === null ? null : at(startedAt),
      deadline: deadline === null ? null : at(deadline),
      hand_in_until: deadline === null ? null : at(deadline + GRACE),
      seconds_remaining: this.#secondsLeft,
      messages: this.messages.length,
    };
  }

  #ownDraft() {
    const { sequence = 0, answers = "", savedAt = null } = this.draft ?? {};
    const given = this.questions.map((question, index) => ({ question, selected_option: /** @type {Option} */ (answers[index]) }));
    return { sequence, answered: count(answers), saved_at: savedAt === null ? null : at(savedAt), answers: given.filter((each) => each.selected_option && /** @type {string} */ (each.selected_option) !== NONE) };
  }

  #checkDraft() {
    this.handIn();
    if (this.startedAt === null) throw new Refused(400, "exam_not_started");
    this.#checkRunning();
  }

  #checkRunning() {
    if (this.submission) throw new Refused(400, "exam_already_submitted");
    this.#checkOpen();
  }

  #checkOpen() {
    const { deadline } = this;
    if (deadline === null ? this.#status !== "ongoing" : this.now() > deadline + GRACE) throw new Refused(403, "exam_not_open");
  }

  /** @param {Answer[]} answers @param {string} omitted */
  #packed(answers, omitted) {
    const row = Array(this.questions.length).fill(omitted);
    const seen = new Set();
    for (const { question, selected_option: option } of answers) {
      if (!this.questions.includes(question) || seen.has(question)) throw new Refused(400, "invalid");
      seen.add(question);
      row[question - FIRST] = option || NONE;
    }
    return row.join("");
  }

  #store() {
    this.history.push(this.submission?.answers ?? this.draft?.answers ?? "");
  }
}

const count = (/** @type {string} */ answers) => answers.replaceAll(NONE, "").length;

/** @param {Uint8Array} bytes */
export const encoded = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Canonical JSON of texts, numbers and objects. @param {any} value @returns {string} */
export const canonical = (value) =>
  value?.constructor === Object
    ? `{${Object.keys(value)
        .sort()
        .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`
    : JSON.stringify(value);

/**
 * A digest of 32 bytes in place of SHA-256, which browsers compute in their own time, so that a test would not know
 * when.
 *
 * @param {string | BufferSource} content
 */
function checksum(content) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(/** @type {any} */ (content));
  return Uint8Array.from({ length: 32 }, (_, index) => bytes.reduce((sum, each) => Math.imul(sum ^ each, 16777619), index) >>> 24);
}

if (globalThis.SubtleCrypto) SubtleCrypto.prototype.digest = async (_, content) => /** @type {any} */ (checksum(content).buffer);
