// One candidate's exam, from the countdown to the receipt: its phases, and when to call the service. `store.js` stores
// the exam on the device, `clock.js` has the time, and `draft.js` the answers. This module has no user interface, and
// names no paths of the API. Its caller passes the functions that call the service; the practice exam passes functions
// that pretend to. Of the document, it knows only whether the user sees it.
//
// Each choice is stored on the device immediately, and saved at the service a moment later, as a draft. The sequence of
// a save is one more than the newest sequence that the page knows. If another device has saved in the meantime, the
// service does not apply the save. The page then merges the answers of both devices, question by question.
//
// Tabs share localStorage. Each choice has a key of its own, so that no tab overwrites the choices of another
// tab. Everything else is written under a lock, by one tab at a time.

import { Clock } from "./clock.js";
import { Draft } from "./draft.js";
import { missing, Store } from "./store.js";

/** @import { Times } from "./clock.js" */
/** @import { Answer, Changes, Message, Option, PaperQuestion } from "./store.js" */
/** @typedef {{ exam: number, submitted_at: string, handed_in_by: "candidate" | "service" | "staff", questions: number, answered: number, salt: string, digest: string, key_id: string, signature: string, candidate: string }} Receipt */
/** @typedef {{ kid: string, x: string }} PublicKey A JSON Web Key; only the fields that are used. */
/** @typedef {{ isGenuine: boolean, isComplete: boolean | null }} Checked */
/** @typedef {(receipt: Receipt, keys: PublicKey[], answers: Answer[]) => Promise<Checked | null>} Check Checks a receipt with these keys. Resolves to null if the browser can't. */
/** @typedef {Times & { status: string, started_at: string | null, submitted: boolean, messages?: number }} Progress */
/** @typedef {Times & { title: string, countdown_minutes: number, questions: PaperQuestion[], draft: Changes, description: string }} Paper */
/**
 * The service. Each call rejects with an error if it fails. An error without `status` means that there was no
 * reply.
 *
 * @typedef {object} Service
 * @property {() => Promise<Progress>} time
 * @property {() => Promise<Paper>} open
 * @property {(changes: Changes, options?: { keepalive?: boolean }) => Promise<Times & { applied: boolean, saved_at: string }>} save
 * @property {() => Promise<Changes>} draft
 * @property {(answers: Answer[], key: string) => Promise<{ receipt: Receipt | null }>} submit
 * @property {() => Promise<Receipt>} receipt
 * @property {() => Promise<Message[]>} messages The announcements and answers.
 * @property {() => Promise<PublicKey[]>} keys The public keys of receipts.
 * @property {(receipt: Receipt, answers: Answer[]) => Promise<Checked>} verify Checks a receipt for a browser that can't do so itself.
 */
/**
 * The phases of an exam:
 *
 * - `loading`: the phase is not known yet. `away`: the service can't be reached, and nothing is on this device.
 * - `before`, `ready`, `opening`, `running`: until the time is over.
 * - `over`: the service has said that the time is over. `submitting`, then `ended`: with a receipt, or without
 *   one (`nothing`).
 * - `missed`: the exam is over, and was never started here. `refused`: see `trouble`.
 *
 * @typedef {"loading" | "away" | "before" | "ready" | "opening" | "running" | "over" | "submitting" | "ended" | "nothing" | "missed" | "refused"} Phase
 */
/** @typedef {"saved" | "here" | "saving" | "away" | "signedOut" | "rejected"} Saving How the answers are saved. */

const SECOND = 1000;
const LONGEST_PAUSE = 60 * SECOND;
// When to save, so that several choices in a row share a save. An empty save shows that the candidate is present.
const SAVE_AFTER = 2 * SECOND;
const SAVE_AT_ONCE = 0.3 * SECOND;
const SAVE_EVERY = 15 * SECOND;
const RETRY_AFTER = 3 * SECOND;
// On a slow connection, the pause between empty saves is this many round trips, if that is longer than `SAVE_EVERY`.
const ROUND_TRIPS = 10;
// How often to check for new answers and announcements, without a socket and with one.
const NEWS_EVERY = 30 * SECOND;
const NEWS_EVERY_LIVE = 180 * SECOND;
// Thousands of clients have the same deadline, and their drafts are saved. So each submits at a random time
// within this share of the grace period.
const SHARE_OF_GRACE = 0.5;
// The connection counts as lost if there was no reply for this time, or to two requests in a row.
const AWAY_AFTER = 20 * SECOND;
// Error codes which mean that the answers were submitted from another device, or that the service submits them
// soon.
const OVER = ["exam_already_submitted", "exam_not_open"];
// The service submits drafts within seconds of the end of the grace period. It submits no empty draft, so there
// may never be a receipt.
const TRIES_FOR_A_RECEIPT = 20;

const atRandom = (/** @type {number} */ milliseconds) => Math.random() * milliseconds;

/** The exams that this page shows. @type {Set<Sitting>} */
export const sittings = new Set();

/**
 * One candidate's exam. Fires "change" whenever there is something new to show, and "message" with a Message.
 *
 *     const sitting = new Sitting({ service, check, exam: 7, user: "8f14…", storage: localStorage });
 *     await sitting.begin();
 *     await sitting.open();
 *     sitting.answer(question.id, "B");
 *     await sitting.submit();
 */
export class Sitting extends EventTarget {
  /** @type {Phase} */
  phase = "loading";
  /** The latest error of the service, for example of an expired session. @type {any} */
  trouble = null;
  /** Whether the socket is open, so that messages arrive automatically. */
  isLive = false;
  /** Whether the same exam is open in another tab of this browser. */
  hasOtherTab = false;
  /** The answers that another device has changed, with their present options. @type {Answer[]} */
  elsewhere = [];
  /**
   * Since when the service can't be reached, by the device's clock. Null while it can be reached. A page that was
   * loaded without a connection knows this at once, and does not promise to send answers soon.
   *
   * @type {number | null}
   */
  awaySince = navigator.onLine ? null : Date.now();
  /** When the service last confirmed that it has all answers, by its clock. @type {string | null} */
  savedAt = null;

  #service;
  #check;
  #store;
  #clock;
  #draft;
  #channel;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  #ended = false;
  #failures = 0;
  #savingSince = 0;
  #nextNews = 0;
  /** @type {() => void} */
  #wake = () => {};
  #chain = Promise.resolve();
  #listeners = new AbortController();

  /** @param {{ service: Service, check: Check, exam: string | number, user: string, storage: Storage | null }} options */
  constructor({ service, check, exam, user, storage }) {
    super();
    /** The id of the candidate whose exam it is. */
    this.user = user;
    this.#service = service;
    this.#check = check;
    this.#store = new Store(exam, user, storage);
    this.#store.begin();
    this.#clock = new Clock(this.#store);
    this.#draft = new Draft(this.#store);
    sittings.add(this);
    const { signal } = this.#listeners;
    // Another tab has changed the stored exam.
    addEventListener("storage", ({ key }) => key?.startsWith(this.#store.name) && this.#follow(), { signal });
    addEventListener("online", () => this.goOn(), { signal });
    addEventListener("pageshow", () => this.#seen(), { signal });
    addEventListener("pagehide", () => this.#leave(), { signal });
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#leave() : this.#seen()), { signal });
    this.#channel = new BroadcastChannel(this.#store.name);
    this.#channel.onmessage = ({ data }) => {
      if (data === "hello") this.#channel.postMessage("here");
      this.hasOtherTab = data !== "bye";
      this.#notify();
    };
    this.#channel.postMessage("hello");
    this.#ticking = setInterval(() => this.#tick(), SECOND);
  }

  /** Stop all timers and listeners. Nothing is deleted. Another call does nothing. */
  end() {
    if (this.#ended) return;
    this.#leave();
    this.#ended = true;
    sittings.delete(this);
    clearTimeout(this.#timer);
    clearInterval(this.#ticking);
    this.#channel.postMessage("bye");
    this.#channel.close();
    this.#listeners.abort();
    this.#wake();
  }

  /** The paper as it was opened, or null. */
  get paper() {
    return this.#draft.paper;
  }

  /** @returns {Receipt | null} */
  get receipt() {
    return this.#store.get("receipt");
  }

  /** The messages, the newest first. @returns {Message[]} */
  get messages() {
    return this.#store.get("messages") ?? [];
  }

  /** Record that the candidate has opened all present messages. */
  readMessages() {
    this.#store.set("messages", this.messages.map((each) => ({ ...each, isNew: false })));
    this.#notify();
  }

  /** Whether the browser keeps the answers on this device. */
  get isStored() {
    return this.#store.works;
  }

  /** The chosen option, or "" for none. @param {number} question */
  chosen(question) {
    return this.#draft.chosen(question);
  }

  /** @param {number} question @returns {boolean} */
  isFlagged(question) {
    return this.#store.get(`flag.${question}`) === true;
  }

  /** The questions whose answers the service does not have yet. */
  get unsaved() {
    return this.#draft.unsaved;
  }

  /** The names under which the device stores the answers that the service does not have. */
  get unsent() {
    return missing(this.#store);
  }

  /** The questions without an answer. */
  get blank() {
    return this.#draft.questions.filter((id) => this.chosen(id) === "");
  }

  /** How the answers are saved. Only "saved" means that the service has confirmed all of them. @returns {Saving} */
  get saving() {
    if (this.trouble?.status === 401) return "signedOut";
    if (this.trouble) return "rejected";
    if (this.isAway) return "away";
    if (!this.unsaved.length && this.savedAt) return "saved";
    return this.#savingSince && Date.now() - this.#savingSince > SECOND ? "saving" : "here";
  }

  /** Whether the service can't be reached. A single lost reply does not count, unless the device is offline. */
  get isAway() {
    return this.awaySince !== null && (this.#failures > 1 || !navigator.onLine || Date.now() - this.awaySince > AWAY_AFTER);
  }

  /** The remaining time by the service's clock, in seconds, or null before the start. */
  get secondsLeft() {
    return this.#clock.secondsTo("deadline");
  }

  /** How long until the exam opens, in seconds, or null if that is not known. */
  get secondsToOpening() {
    return this.#clock.secondsTo("opens");
  }

  /** Whether the time may be wrong: the device slept, or its clock was set. */
  get isUnsure() {
    return this.#clock.isUnsure;
  }

  /**
   * The times of the exam by the service's clock. `until` is the last moment for submitting. If `sealed`, the results
   * are final.
   */
  get times() {
    return this.#clock.times;
  }

  /** The service's time now, in milliseconds since 1970. */
  get now() {
    return this.#clock.now;
  }

  /**
   * Find out the phase of the exam, and continue from there. This also works after a reload, or without a
   * connection.
   */
  async begin() {
    if (this.receipt) {
      this.#become("ended");
      await this.#reopen();
      return;
    }
    if (this.#store.get("submission")) return this.#goOnSubmitting();
    if (this.paper) this.#become("running");
    const { phase } = this;
    const progress = await this.#asked(() => this.#service.time());
    // While the request was under way, the candidate has started the exam.
    if (this.phase !== phase) return;
    if (!progress) {
      // The countdown goes on without a connection.
      if (!this.paper) this.#become(this.trouble ? "refused" : this.secondsToOpening ? "before" : "away");
      this.#after(this.trouble ? LONGEST_PAUSE : RETRY_AFTER);
      return;
    }
    const { status, started_at: started, submitted, closes_at: closes } = progress;
    if (submitted) return this.#close();
    if (started) {
      // After the exam has closed, candidates with extra time can still continue, and all can still send their answers
      // in the grace period.
      if (status === "ongoing" || this.#clock.secondsTo("until")) return this.open();
      return this.#close();
    }
    if (status === "scheduled") this.#become("before");
    else if (status === "ongoing") this.#become("ready");
    else this.#become(status === "concluded" || (closes && Date.parse(closes) < this.now) ? "missed" : "refused");
    this.#after(this.phase === "before" ? this.#untilOpening() : LONGEST_PAUSE);
  }

  /**
   * Open the paper, which starts the candidate's time. Retries until the service replies.
   *
   * @returns {Promise<void>}
   */
  async open() {
    if (!this.paper) this.#become("opening");
    clearTimeout(this.#timer);
    for (let wait = SECOND; !this.#ended; wait = Math.min(2 * wait, 10 * SECOND)) {
      const sentAt = this.#clock.own;
      try {
        const opened = await this.#service.open();
        // While the request was under way, the candidate has submitted.
        if (this.wasSubmittedHere) return;
        for (const each of ["receipt", "over", "late"]) this.#store.drop(each);
        this.#setClock(sentAt, opened);
        const { title, questions, description, countdown_minutes: minutes } = opened;
        this.#draft.open({ title, minutes, questions, description });
        await this.#locked(() => this.#merge(opened.draft));
        this.#reached();
        this.savedAt ??= opened.server_time;
        if (this.secondsLeft === 0) return this.#closeAtDeadline();
        this.#become("running");
        this.#after(SAVE_AFTER);
        return;
      } catch (error) {
        if (this.wasSubmittedHere) return;
        const { code = "", status } = /** @type {any} */ (error);
        if (OVER.includes(code)) {
          if (this.paper) return this.#close();
          const progress = await this.#asked(() => this.#service.time());
          if (progress?.started_at || progress?.submitted) return this.#close();
          // If the exam is open, the error has another reason, such as that the exam has no questions yet.
          if (progress?.status === "ongoing") this.trouble = error;
          this.#become(progress?.status === "ongoing" ? "refused" : "missed");
          return;
        }
        if (isFinal(error) && status !== 401) {
          this.trouble = error;
          this.#become("refused");
          return;
        }
        this.#lost(error);
        if (this.paper) {
          this.#become("running");
          this.#after(RETRY_AFTER);
          return;
        }
        this.#notify();
        await this.#pause(retryAfter(error) + wait / 2 + atRandom(wait));
      }
    }
  }

  /** Whether staff could reopen the exam: they give more time, or take back a submission. */
  get #mayReopen() {
    return ["nothing", "ended"].includes(this.phase);
  }

  /**
   * Continue if the candidate was given more time after the end. Resolves to whether this is so. A submission that the
   * service has rejected must not be sent again, because it would end the exam.
   */
  async #reopen() {
    const progress = await this.#asked(() => this.#service.time());
    if (!progress?.started_at || progress.submitted || !this.secondsLeft) return false;
    this.#store.drop("submission");
    await this.open();
    return true;
  }

  /** Choose an option, or "" for none. @param {number} question @param {Option} option */
  answer(question, option) {
    if (this.phase !== "running") return;
    this.#draft.choose(question, option);
    this.#store.set("used", true);
    this.elsewhere = [];
    this.#notify();
    this.#after(this.isStored ? SAVE_AFTER : SAVE_AT_ONCE);
  }

  /** @param {number} question */
  flag(question) {
    this.#store.set(`flag.${question}`, !this.isFlagged(question));
    this.#notify();
  }

  /** Try again now, because the candidate has signed in again, or is online again. */
  goOn() {
    if (this.phase === "refused") this.#become("loading");
    this.trouble = null;
    this.#wake();
    this.#after(0);
  }

  /**
   * Handle a message of the socket: the candidate's deadline has moved, or there is an answer or an announcement.
   *
   * @param {"clock" | "message"} kind
   * @param {any} frame
   */
  hear(kind, frame) {
    if (kind === "clock") {
      this.#clock.trip = Infinity;
      this.#setClock(this.#clock.own, frame);
      if (this.phase === "over") this.#become("running");
      if (this.#mayReopen) void this.#reopen();
      else this.#after(SAVE_AFTER);
    } else {
      this.#keep([{ kind: frame.kind, id: frame.id, question: frame.question, text: frame.text, at: frame.created_at }]);
    }
    this.#notify();
  }

  /** Read messages and given time that the socket may have missed. */
  async catchUp() {
    this.#nextNews = 0;
    if (this.phase === "running") this.#after(SAVE_AT_ONCE);
    else if (this.#mayReopen) await this.#reopen();
  }

  /**
   * Submit the chosen answers. Retries until the service replies. From now on, the answers can't be changed.
   */
  async submit() {
    if (!["running", "over"].includes(this.phase)) return;
    await this.#locked(async () => {
      // Store the submission before sending it, because retries must have the same key and the same answers.
      if (!this.#store.get("submission")) this.#store.set("submission", { key: newKey(), answers: this.#draft.answers });
    });
    await this.#goOnSubmitting();
  }

  /** Whether the receipt is genuine, and whether it covers the answers on this device. */
  async check() {
    const receipt = this.receipt;
    if (!receipt) throw new TypeError("There is no receipt.");
    const answers = this.#store.get("submission")?.answers ?? this.#draft.answers;
    const keys = await this.#service.keys();
    return (await this.#check(receipt, keys, answers)) ?? this.#service.verify(receipt, answers);
  }

  /** Whether the exam was concluded before the candidate's time was over. */
  get wasClosedEarly() {
    return Boolean(this.times.planned);
  }

  /**
   * Whether the candidate has chosen anything on this device. If not, another device may have answers that it can't
   * send yet, so this device does not submit at the deadline.
   */
  get isUsed() {
    return this.#store.get("used") === true || this.unsaved.length > 0;
  }

  /** Whether the answers were submitted on this device. */
  get wasSubmittedHere() {
    return this.#store.get("submission") !== null;
  }

  /** The answers that were chosen on this device, but did not reach the service. @returns {Answer[]} */
  get late() {
    return this.#store.get("late") ?? [];
  }

  /** Delete everything of this exam on this device. */
  forget() {
    clearTimeout(this.#timer);
    this.#store.forget();
  }

  #untilOpening() {
    const left = (this.secondsToOpening ?? 60) * SECOND;
    return Math.min(left + SAVE_AT_ONCE + atRandom(SECOND), LONGEST_PAUSE);
  }

  /**
   * Set the clock by a reply, and tell the candidate about given time.
   *
   * @param {number} sentAt
   * @param {Times} times
   */
  #setClock(sentAt, times) {
    const moved = this.#clock.set(sentAt, times);
    if (!times.deadline || moved <= SECOND || !this.paper) return;
    const minutes = Math.round(moved / 60 / SECOND);
    this.#keep([{ kind: "time", id: Date.parse(times.deadline), minutes, until: times.deadline, at: times.server_time }]);
  }

  /** @param {Phase} phase */
  #become(phase) {
    this.phase = phase;
    this.#notify();
  }

  #notify() {
    this.dispatchEvent(new Event("change"));
  }

  /** Handle changes that another tab has made. */
  #follow() {
    if (this.phase === "running" && (this.#store.get("submission") || this.#store.get("over"))) void this.#goOnSubmitting();
    else if (this.phase === "ready" && this.paper) void this.open();
    this.#notify();
  }

  /** Continue after the page was hidden, because its timers may have stopped in the meantime. */
  #seen() {
    this.#tick();
    if (this.phase === "running" || this.phase === "before") this.#after(0);
  }

  /** If the device slept, or its clock was set, ask the service for the time. */
  #tick() {
    if (this.#clock.tick()) this.#after(0);
  }

  /**
   * Run an action in one tab at a time.
   *
   * @param {() => unknown} action
   */
  #locked(action) {
    const run = async () => void (await action());
    // Only pages of https and localhost have locks.
    const locks = /** @type {LockManager | undefined} */ (navigator.locks);
    if (locks) return locks.request(this.#store.name, run);
    this.#chain = this.#chain.then(run, run);
    return this.#chain;
  }

  /** Schedule the next step. @param {number} milliseconds */
  #after(milliseconds) {
    clearTimeout(this.#timer);
    if (!this.#ended) this.#timer = setTimeout(() => void this.#next(), milliseconds);
  }

  /** @param {number} milliseconds @returns {Promise<void>} */
  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #next() {
    if (["loading", "away", "before", "ready", "refused"].includes(this.phase)) await this.begin();
    else if (this.phase === "running") await this.#work();
  }

  /** Save the answers, or submit them at the deadline. Then schedule the next step. */
  async #work() {
    try {
      if (this.secondsLeft === 0 || this.isUnsure) {
        const progress = await this.#read();
        if (progress.submitted) return this.#close();
        if (this.secondsLeft === 0) return this.#closeAtDeadline();
      }
      await this.#locked(() => this.#store.get("submission") || this.#save());
      if (this.phase !== "running") return;
      await this.#readNews();
      this.#reached();
    } catch (error) {
      if (OVER.includes(/** @type {any} */ (error).code)) return this.#close();
      this.#lost(error);
    }
    if (this.phase !== "running") return;
    this.#notify();
    const left = (this.secondsLeft ?? 0) * SECOND;
    const every = Math.min(LONGEST_PAUSE, Math.max(SAVE_EVERY, ROUND_TRIPS * (Number.isFinite(this.#clock.trip) ? this.#clock.trip : 0)));
    let wait = this.awaySince !== null ? RETRY_AFTER : this.unsaved.length ? SAVE_AFTER : every;
    if (this.trouble) wait = LONGEST_PAUSE;
    wait = Math.max(wait / 2 + atRandom(wait / 2), this.#retryAfter);
    // At the deadline, the next step asks the service whether the time is over. Without a connection, it asks
    // again.
    this.#after(left ? Math.min(wait, left + atRandom(SECOND)) : wait);
  }

  #retryAfter = 0;

  /** Record that the service has replied. */
  #reached() {
    this.awaySince = null;
    this.#failures = 0;
    this.#retryAfter = 0;
    this.trouble = null;
  }

  /** Record that a request has failed. @param {unknown} error */
  #lost(error) {
    this.#savingSince = 0;
    this.#retryAfter = retryAfter(error);
    if (isFinal(error)) {
      this.trouble = error;
      return;
    }
    this.trouble = null;
    this.#failures += 1;
    this.awaySince ??= Date.now();
  }

  /** Read the state of the exam, and set the clock. */
  async #read() {
    const sentAt = this.#clock.own;
    const progress = await this.#service.time();
    this.#setClock(sentAt, progress);
    return progress;
  }

  /**
   * Read the state of the exam once. Resolves to null if the request fails.
   *
   * @param {() => Promise<Progress>} ask
   */
  async #asked(ask) {
    const sentAt = this.#clock.own;
    try {
      const progress = await ask();
      this.#setClock(sentAt, progress);
      this.#reached();
      return progress;
    } catch (error) {
      this.#lost(error);
      return null;
    }
  }

  async #readNews() {
    if (this.#clock.own < this.#nextNews) return;
    this.#nextNews = this.#clock.own + (this.isLive ? NEWS_EVERY_LIVE : NEWS_EVERY);
    const { messages = 0 } = await this.#read();
    if (messages === (this.#store.get("heard") ?? 0)) return;
    this.#keep(await this.#service.messages());
    this.#store.set("heard", messages);
  }

  /** Store messages, and fire "message" for the new ones. @param {Message[]} found */
  #keep(found) {
    const known = this.messages;
    const isNew = (/** @type {Message} */ one) => !known.some((each) => each.kind === one.kind && each.id === one.id && each.text === one.text);
    const fresh = found.filter(isNew);
    if (!fresh.length) return;
    const others = known.filter((one) => !fresh.some((each) => each.kind === one.kind && each.id === one.id));
    const all = [...fresh.map((each) => ({ ...each, isNew: true })), ...others].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
    this.#store.set("messages", all);
    for (const each of fresh) this.dispatchEvent(new CustomEvent("message", { detail: each }));
  }

  async #save() {
    const sent = this.#draft.next();
    this.#savingSince = Date.now();
    const sentAt = this.#clock.own;
    const reply = await this.#service.save(sent);
    this.#savingSince = 0;
    this.#setClock(sentAt, reply);
    // While the request was under way, the page was hidden, and has sent all choices in another save.
    if (!this.#draft.waitsFor(sent)) return;
    if (!reply.applied || !this.#draft.confirm(sent)) this.#merge(await this.#service.draft());
    if (!this.unsaved.length) this.savedAt = reply.server_time;
  }

  /**
   * Send the unsaved choices, because the page is hidden or closed. The browser sends them even after that.
   */
  #leave() {
    if (this.receipt || this.#store.get("submission") || !this.unsaved.length) return;
    const sent = this.#draft.last();
    void this.#service.save(sent, { keepalive: true }).catch(() => {});
  }

  /** Take over the answers that another device has saved. @param {Changes} there */
  #merge(there) {
    const changed = this.#draft.merge(there);
    if (changed.length) this.elsewhere = changed;
  }

  /** Submit, after a random pause, because the service has said that the time is over. */
  async #closeAtDeadline() {
    this.#become("over");
    const save = () => this.#locked(() => this.#save()).catch(() => {});
    // Save unsaved answers now, because the candidate may leave the page before it submits. Only few devices have any.
    if (this.unsaved.length) await save();
    const { until, deadline } = this.times;
    const grace = until && deadline ? Date.parse(until) - Date.parse(deadline) : 0;
    await this.#pause(atRandom(grace * SHARE_OF_GRACE));
    // More time may have been given in the meantime.
    if (this.phase !== "over") return;
    // The submission must have what another device has saved since this device's last save.
    if (this.isUsed) await save();
    await this.#asked(() => this.#service.time());
    if (this.secondsLeft) {
      this.#become("running");
      this.#after(0);
    } else if (this.isUsed) await this.submit();
    else await this.#close();
  }

  /** Send the submission until the service answers it. */
  async #goOnSubmitting() {
    clearTimeout(this.#timer);
    if (this.receipt) return this.#close();
    this.#become("submitting");
    for (let wait = SECOND; !this.#ended; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      const { key, answers } = this.#store.get("submission") ?? {};
      if (!key) break;
      try {
        const { receipt } = await this.#service.submit(answers, key);
        if (receipt) this.#store.set("receipt", receipt);
        this.#reached();
        break;
      } catch (error) {
        if (OVER.includes(/** @type {any} */ (error).code)) break;
        this.#lost(error);
        this.#notify();
        // A rejected submission is retried too, because the candidate may sign in again, or get help.
        await this.#pause(retryAfter(error) + atRandom(this.trouble ? LONGEST_PAUSE : wait));
        if (this.receipt) break;
      }
    }
    if (!this.#ended) await this.#close();
  }

  /** Wait for the receipt, because the exam is over. @returns {Promise<void>} */
  async #close() {
    clearTimeout(this.#timer);
    this.#store.set("over", true);
    const waits = () => this.#become(this.#store.get("submission") ? "submitting" : "over");
    if (!this.receipt) {
      waits();
      // While this device had no connection, the deadline may have moved.
      await this.#asked(() => this.#service.time());
    }
    for (let tries = TRIES_FOR_A_RECEIPT; !this.receipt && !this.#ended; ) {
      waits();
      try {
        this.#store.set("receipt", await this.#service.receipt());
        this.#reached();
      } catch (error) {
        const { status } = /** @type {any} */ (error);
        // The service submits drafts only after devices can no longer submit.
        if (status === 404 && !this.#clock.secondsTo("until") && (this.times.sealed || --tries <= 0)) {
          this.#store.set("late", this.#draft.unsavedAnswers);
          return this.#become("nothing");
        }
        if (status !== 404) this.#lost(error);
        this.#notify();
        await this.#pause(retryAfter(error) + SAVE_EVERY / 3 + atRandom(SAVE_EVERY));
        // More time may have been given.
        if (await this.#reopen()) return;
      }
    }
    if (this.#ended) return;
    if (this.receipt?.handed_in_by === "service" && this.paper && this.#store.get("late") === null) {
      // If the last save got no reply, it may have arrived. Then the receipt covers all answers.
      const checked = await this.check().catch(() => null);
      this.#store.set("late", checked?.isComplete ? [] : this.#draft.unsavedAnswers);
    }
    this.#become("ended");
  }
}

/** Whether the same request would be rejected again. @param {any} error */
const isFinal = (error) => Boolean(error.status) && error.status !== 429 && error.status < 500;

/** How long the service asks to wait, in milliseconds. @param {any} error */
const retryAfter = (error) => (error.retryAfter ?? 0) * SECOND;

const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");
