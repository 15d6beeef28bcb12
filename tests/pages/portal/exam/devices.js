// The devices of a candidate, with their tabs, storage and connection, and the proof that no answer is lost.
//
// A tab is a real `Sitting`. Tabs of one device share its storage, its locks and its channels, and get each other's
// storage events, as in a browser. All tabs live in one document, so each has window events of its own.

import { check } from "../../../../competition/plugins/pages/static/ground/receipts.js";
import { Sitting } from "../../../../competition/plugins/portal/static/exam/sitting/sitting.js";
import { afterwards, equal, ok } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { Exam, Refused } from "./model.js";

/** @typedef {import("../../../../competition/plugins/portal/static/exam/sitting/sitting.js").Service} Service */
/** @typedef {keyof Service} Call */

export const USER = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a001";
const NONE = "-";

/** The error of a request without a reply. */
const noReply = () => new TypeError("Failed to fetch");

/** A device's connection to the service. */
export class Line {
  isCut = false;
  /** Calls whose request arrives and whose reply gets lost. @type {Set<Call>} */
  lost = new Set();
  /** Errors that a firewall or a busy service sends in place of a reply. @type {Partial<Record<Call, any>>} */
  errors = {};
  isSignedOut = false;
  /** How long a request and its reply take, in seconds. */
  trip = 0;
  /** How much longer the replies to some calls take, in seconds. @type {Partial<Record<Call, number>>} */
  late = {};
  /** All requests: when they were sent, in seconds by the page's clock, what, and their body. @type {{ second: number, name: Call, body: any }[]} */
  sent = [];

  /** @param {...Call} names The times of these requests. */
  seconds(...names) {
    return this.sent.filter((each) => names.includes(each.name)).map((each) => each.second);
  }

  /**
   * The service, as a sitting on this line calls it.
   *
   * @param {import("./model.js").Exam} exam
   * @param {() => boolean} isAlive Whether the tab is there.
   * @returns {Service}
   */
  to(exam, isAlive) {
    /** @type {Record<Call, (...sent: any[]) => any>} */
    const acts = {
      time: () => exam.time(),
      open: () => ({ title: "Round 1", description: "", countdown_minutes: exam.minutes, questions: exam.questions.map(question), ...exam.open() }),
      save: (changes) => exam.save(changes),
      draft: () => exam.readDraft(),
      submit: (answers, key) => exam.submit(answers, key),
      receipt: () => exam.receipt(),
      messages: () => exam.messages,
      keys: () => [],
      verify: () => ({ isGenuine: false, isComplete: false }),
    };
    const call = (/** @type {Call} */ name) => async (/** @type {any[]} */ ...given) => {
      if (!isAlive()) return new Promise(() => {});
      this.sent.push({ second: performance.now() / 1000, name, body: structuredClone(given[0]) });
      if (this.trip) await pause(this.trip / 2);
      if (this.isCut) throw noReply();
      if (this.isSignedOut) throw new Refused(401, "not_authenticated");
      const error = this.errors[name];
      if (error) throw error;
      const reply = structuredClone(await acts[name](...given));
      if (this.trip || this.late[name]) await pause(this.trip / 2 + (this.late[name] ?? 0));
      if (this.isCut || this.lost.has(name)) throw noReply();
      // What a killed tab gets, nobody sees.
      return isAlive() ? reply : new Promise(() => {});
    };
    return /** @type {any} */ (Object.fromEntries(Object.keys(acts).map((name) => [name, call(/** @type {Call} */ (name))])));
  }
}

const pause = (/** @type {number} */ seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const question = (/** @type {number} */ id) => ({ id, text: `Question ${id}`, option_a: "1", option_b: "2", option_c: "3", option_d: "4", rendered: null, spoken: null });

/** A device: what its browser stores, and its tabs. */
export class Device {
  /** @type {Map<string, string>} */
  stored = new Map();
  /** Whether the browser has no room for a value under this name. @type {(name: string) => boolean} */
  isFull = () => false;
  isForbidden = false;
  line = new Line();
  /** @type {Tab[]} */
  tabs = [];

  /** @param {import("./model.js").Exam} exam @param {Proof} proof */
  constructor(exam, proof) {
    this.exam = exam;
    this.proof = proof;
  }

  /** Open the page of the exam in a new tab. */
  open() {
    const tab = new Tab(this);
    this.tabs.push(tab);
    this.proof.watch(tab);
    void tab.sitting.begin();
    return tab;
  }

  /** Let each tab continue, because the connection is back. */
  online() {
    for (const tab of this.tabs) tab.happens("online");
  }
}

export class Tab {
  isAlive = true;
  #events = new EventTarget();
  /** @type {Set<Channel>} */
  channels = new Set();

  /** @param {Device} device */
  constructor(device) {
    this.device = device;
    const { addEventListener, BroadcastChannel } = globalThis;
    const own = this.#events.addEventListener.bind(this.#events);
    const tab = this;
    globalThis.addEventListener = document.addEventListener = /** @type {any} */ (own);
    globalThis.BroadcastChannel = /** @type {any} */ (function (/** @type {string} */ name) {
      return new Channel(name, tab);
    });
    try {
      this.sitting = new Sitting({ service: device.line.to(device.exam, () => this.isAlive), exam: 7, user: USER, check, storage: device.isForbidden ? null : this.#storage() });
    } finally {
      globalThis.addEventListener = addEventListener;
      globalThis.BroadcastChannel = BroadcastChannel;
      delete (/** @type {any} */ (document).addEventListener);
    }
  }

  /** An event of the window, or of its document. @param {string} name */
  happens(name) {
    this.#events.dispatchEvent(new Event(name));
  }

  /** Load the page again. Its handlers run before that, as far as a browser lets them. */
  reload() {
    this.happens("pagehide");
    this.kill();
    return this.device.open();
  }

  /** End the tab without a warning: none of its handlers runs. */
  kill() {
    this.isAlive = false;
    this.sitting.end();
    this.device.tabs = this.device.tabs.filter((each) => each !== this);
  }

  /** What the tab sees of the device's storage. @returns {Storage} */
  #storage() {
    const { stored, tabs } = this.device;
    const change = (/** @type {string} */ name, /** @type {string | null} */ value) => {
      if (!this.isAlive || (stored.get(name) ?? null) === value) return;
      if (value === null) stored.delete(name);
      else stored.set(name, value);
      const others = this.device.tabs.filter((each) => each !== this);
      void Promise.resolve().then(() => {
        for (const each of others) each.#events.dispatchEvent(new StorageEvent("storage", { key: name }));
      });
    };
    const storage = {
      getItem: (/** @type {string} */ name) => stored.get(name) ?? null,
      setItem: (/** @type {string} */ name, /** @type {string} */ value) => {
        if (this.device.isFull(name)) throw new DOMException("full", "QuotaExceededError");
        change(name, value);
      },
      removeItem: (/** @type {string} */ name) => change(name, null),
    };
    return /** @type {any} */ (
      new Proxy(storage, {
        ownKeys: () => [...stored.keys()],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      })
    );
  }
}

/** A BroadcastChannel between the tabs of a device. */
class Channel {
  /** @type {((event: { data: any }) => void) | null} */
  onmessage = null;

  /** @param {string} name @param {Tab} tab */
  constructor(name, tab) {
    this.name = name;
    this.tab = tab;
    tab.channels.add(this);
  }

  /** @param {any} data */
  postMessage(data) {
    if (!this.tab.channels.has(this)) throw new DOMException("The channel is closed.", "InvalidStateError");
    const others = this.tab.device.tabs.filter((each) => each !== this.tab).flatMap((each) => [...each.channels]);
    void Promise.resolve().then(() => {
      for (const each of others) if (each.name === this.name) each.onmessage?.({ data });
    });
  }

  close() {
    this.tab.channels.delete(this);
  }
}

/**
 * A candidate's exam on a phone, at a clock that stands still. The proof is checked after the test.
 *
 * @param {object} [options]
 * @param {number} [options.random] What `Math.random` returns.
 * @param {number} [options.trip]
 * @param {number} [options.opensIn] When the exam opens, in seconds.
 * @param {(phone: Device, clock: ReturnType<typeof stopClock>) => void} [options.prepare] Changes the phone before its page opens.
 */
export function phoned({ random = 0.01, trip = 0, opensIn = -3600, prepare = () => {} } = {}) {
  const clock = stopClock();
  grantLocks();
  Math.random = () => random;
  const world = { asleep: 0 };
  // The service's clock does not follow the device's when that is set.
  const begun = Date.now() - performance.now();
  const now = () => begun + performance.now() + world.asleep;
  const exam = new Exam({ now, opens: now() + opensIn * 1000 });
  const proof = new Proof(exam);
  afterwards(() => proof.check());
  const phone = new Device(exam, proof);
  phone.line.trip = trip;
  prepare(phone, clock);
  const it = {
    clock,
    exam,
    proof,
    phone,
    line: phone.line,
    tab: phone.open(),
    get sitting() {
      return it.tab.sitting;
    },
    /** Let time pass. Returns the requests in it. @param {number} seconds */
    async passes(seconds) {
      it.line.sent.length = 0;
      await clock.passes(seconds);
      return [...it.line.sent];
    },
    /** Let time pass at once, also at the service. @param {number} seconds */
    async jumps(seconds) {
      await clock.jumps(seconds);
      exam.handIn();
    },
    /** Let the device sleep. @param {number} seconds */
    sleeps(seconds) {
      world.asleep += seconds * 1000;
      clock.sleeps(seconds);
    },
    /** Start the exam. Returns the requests. */
    async start() {
      await it.passes(1 + it.line.trip);
      it.line.sent.length = 0;
      void it.sitting.open();
      await clock.passes(1 + it.line.trip);
      return [...it.line.sent];
    },
    /** Choose options, like "B-D" for questions 1 and 3. @param {string} letters */
    choose(letters) {
      for (const [index, letter] of [...letters].entries()) if (letter !== NONE) it.sitting.answer(exam.questions[index] ?? 0, /** @type {any} */ (letter));
    },
    /** Choose options, and let the page save them. @param {string} letters */
    async save(letters) {
      it.choose(letters);
      await clock.passes(3 + 2 * it.line.trip);
      equal(it.sitting.saving, "saved");
    },
    /** The connection is back. */
    async back() {
      it.line.isCut = false;
      it.line.lost.clear();
      it.line.errors = {};
      phone.online();
      await clock.passes(1);
    },
  };
  return it;
}

/** Give the browser locks that it grants at once. `stopClock` takes the real ones away. */
export function grantLocks() {
  /** @type {Map<string, Promise<any>>} */
  const last = new Map();
  const request = (/** @type {string} */ name, /** @type {() => Promise<any>} */ run) => {
    const next = (last.get(name) ?? Promise.resolve()).then(run, run);
    last.set(name, next.catch(() => {}));
    return next;
  };
  Object.defineProperty(navigator, "locks", { configurable: true, value: { request } });
}

/**
 * Proves that no answer is lost. Whenever a sitting changes, what it calls saved must be what the service has stored. At
 * the end, the service must have the answers that were last called saved, and each other answer that was chosen must
 * be named as late.
 */
export class Proof {
  /** @type {Set<string>} */
  #faults = new Set();
  /** @type {{ tab: Tab, called: Map<number, string> }[]} */
  #watched = [];
  /** The last answer to each question that was called saved, and all that were shown since. @type {Map<number, { letter: string, later: Set<string> }>} */
  #last = new Map();
  /** How often a tab has called an answer saved. */
  claims = 0;

  /** @param {import("./model.js").Exam} exam */
  constructor(exam) {
    this.exam = exam;
  }

  /** @param {Tab} tab */
  watch(tab) {
    const watched = { tab, called: new Map() };
    this.#watched.push(watched);
    tab.sitting.addEventListener("change", () => tab.isAlive && this.#look(watched));
  }

  /** @param {{ tab: Tab, called: Map<number, string> }} watched */
  #look({ tab: { sitting }, called }) {
    if (sitting.phase !== "running") return;
    const { unsaved, saving } = sitting;
    if (saving === "saved" && unsaved.length) this.#faults.add(`All is called saved, but not ${unsaved}.`);
    for (const id of this.exam.questions) {
      const letter = sitting.chosen(id);
      const last = this.#last.get(id);
      last?.later.add(letter);
      if (unsaved.includes(id)) continue;
      if (letter) {
        this.claims += 1;
        if (!this.exam.had(id, letter)) this.#faults.add(`Question ${id}: ${letter} was not stored.`);
      }
      if ((called.get(id) ?? "") !== letter) this.#last.set(id, { letter, later: new Set([letter]) });
      called.set(id, letter);
    }
  }

  check() {
    const { final, submission } = this.exam;
    for (const [id, { letter, later }] of this.#last) {
      const stored = (final[this.exam.questions.indexOf(id)] ?? NONE).replace(NONE, "");
      if (!later.has(stored)) this.#faults.add(`Question ${id}: ${letter} was called saved. Stored: ${final}`);
    }
    for (const { tab } of this.#watched) if (tab.isAlive) this.#compare(tab.sitting, submission?.answers ?? "");
    equal([...this.#faults], [], "The proof:");
  }

  /** @param {Sitting} sitting @param {string} submitted */
  #compare(sitting, submitted) {
    const { phase, receipt } = sitting;
    if (receipt && phase === "ended" && receipt.answered !== submitted.replaceAll(NONE, "").length) this.#faults.add(`The page: ${receipt.answered} answers. Submitted: ${submitted}`);
    // A device of which the receipt does not cover all answers says so itself.
    if (!sitting.paper || (phase !== "nothing" && !(phase === "ended" && receipt?.handed_in_by === "service"))) return;
    const late = sitting.late.map((each) => each.question);
    for (const [index, id] of this.exam.questions.entries()) {
      const letter = sitting.chosen(id);
      if (letter && letter !== submitted[index] && !late.includes(id) && !this.exam.had(id, letter)) this.#faults.add(`Question ${id}: ${letter} is neither submitted nor called late.`);
    }
  }

  /** Fails if no tab has called an answer saved, because then nothing was proved. */
  expectClaims() {
    ok(this.claims, "No answer was called saved.");
  }
}
