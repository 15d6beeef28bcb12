/*
 * An exam that survives anything: one candidate, one exam, any number of tabs and devices.
 *
 * What a pupil chooses is kept here at once (`chosen`), and saved at the service a moment later as
 * a draft. `saved` is what the service had when it last answered: what differs is still to be saved.
 * Each save has the sequence after the newest one known. So a save that was made elsewhere shows:
 * ours is not applied, and what is here is merged with what is there, question by question.
 *
 * Tabs share localStorage. A choice is a key of its own, so that no tab undoes what another one
 * wrote; everything else is written under a lock, by one tab at a time.
 */

const SECOND = 1000;
const PATIENCE = 20 * SECOND;
const LONGEST_PAUSE = 60 * SECOND;
// Several choices in a row are one save; with nothing to save, one is a sign of life.
const SAVE_AFTER = 2 * SECOND;
const SAVE_EVERY = 15 * SECOND;
// Thousands have the same deadline. Their drafts are saved: nobody has to be first.
const SHARE_OF_GRACE = 0.5;
// Handed in from another device, or about to be by the service.
const OVER = ["exam_already_submitted", "exam_not_open"];
// It hands in within seconds of the end of the grace; what has no answer it does not hand in.
const TRIES_FOR_A_RECEIPT = 20;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const atRandom = (milliseconds) => Math.random() * milliseconds;

/** What the service said no to; decide by `code`. */
export class Refused extends Error {
  constructor(status, { code = "", detail = "" }, retryAfter) {
    super(detail);
    Object.assign(this, { status, code, retryAfter });
  }

  /** It may be answered later: the service restarts, or there were too many requests. */
  get isForAMoment() {
    return this.status === 429 || this.status >= 500;
  }
}

/** JSON in localStorage, below a name. */
class Store {
  constructor(name) {
    this.name = name;
  }

  get(key) {
    return JSON.parse(localStorage.getItem(`${this.name}.${key}`));
  }

  set(key, value) {
    localStorage.setItem(`${this.name}.${key}`, JSON.stringify(value));
  }

  drop(key) {
    localStorage.removeItem(`${this.name}.${key}`);
  }

  forget() {
    const names = Object.keys(localStorage).filter((each) => each.startsWith(`${this.name}.`));
    names.forEach((each) => localStorage.removeItem(each));
  }
}

/** The service, for whoever is logged in in this browser. */
export class Service {
  #store = new Store("service");

  constructor(baseUrl, apiKey) {
    Object.assign(this, { baseUrl, apiKey });
  }

  get user() {
    return this.#store.get("login")?.user ?? null;
  }

  async logIn(email, password) {
    const login = await this.#send("POST", "/auth/login/", { email, password });
    this.#keep(login, login.profile.user.id);
  }

  /** The reply. Throws Refused, or what fetch throws when there was no answer. */
  async call(method, path, body, headers = {}) {
    const { access } = this.#store.get("login") ?? {};
    try {
      return await this.#send(method, path, body, { Authorization: `Bearer ${access}`, ...headers });
    } catch (error) {
      if (error.status !== 401) throw error;
    }
    await this.#refresh(access);
    return this.call(method, path, body, headers);
  }

  /** The reply, however long that takes: only for what may be sent twice. Throws Refused. */
  async insist(method, path, body, headers) {
    for (let wait = SECOND; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      try {
        return await this.call(method, path, body, headers);
      } catch (error) {
        if (isRefusal(error)) throw error;
        await pause((error.retryAfter ?? 0) * SECOND + atRandom(wait));
      }
    }
  }

  /** A refresh token counts once: of several tabs one refreshes, the others find its login. */
  #refresh(access) {
    return navigator.locks.request("service.refresh", async () => {
      const login = this.#store.get("login");
      if (login?.access !== access) return;
      const { refresh, user } = login ?? {};
      this.#keep(await this.#send("POST", "/auth/token/refresh/", { refresh }), user);
    });
  }

  #keep({ access, refresh }, user) {
    this.#store.set("login", { access, refresh, user });
  }

  async #send(method, path, body, headers = {}) {
    const reply = await fetch(this.baseUrl + path, {
      method,
      headers: { "X-Api-Key": this.apiKey, "Content-Type": "application/json", ...headers },
      body: body && JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (reply.ok) return reply.json();
    // A proxy's error is no JSON.
    const error = await reply.json().catch(() => ({}));
    throw new Refused(reply.status, error, Number(reply.headers.get("Retry-After")));
  }
}

/**
 * The exam as one candidate sits it. Fires "change" whenever what it shows has changed.
 *
 *     const sitting = new Sitting(service, 7);
 *     await sitting.open();
 *     sitting.answer(question.id, "B");
 *     await sitting.handIn();
 */
export class Sitting extends EventTarget {
  /** Whether the service answered last time, and what it refused, such as an old login. */
  isOnline = true;
  trouble = null;

  #service;
  #path;
  #store;
  #timer;

  constructor(service, exam) {
    super();
    this.#service = service;
    this.#path = `/exams/${exam}`;
    this.#store = new Store(`exam.${exam}.${service.user}`);
    // Of another tab.
    addEventListener("storage", () => this.#tell());
    addEventListener("online", () => this.#saveAfter(0));
    addEventListener("visibilitychange", () => document.hidden || this.#saveAfter(0));
  }

  /** `{title, questions}`, null before the start. */
  get paper() {
    return this.#store.get("paper");
  }

  get receipt() {
    return this.#store.get("receipt");
  }

  /** Nothing can be changed any more. */
  get isClosed() {
    return this.#isOver || this.secondsLeft === 0;
  }

  /** "" for a question without an answer. */
  chosen(question) {
    return this.#store.get(`chosen.${question}`) ?? "";
  }

  /** The questions whose answers the service does not have yet. */
  get unsaved() {
    const { saved } = this.#draft;
    return this.#questions.filter((id) => this.chosen(id) !== (saved[id] ?? ""));
  }

  /** By the service's clock; null before the start. What this device's clock says does not matter,
   * also when somebody sets it meanwhile. */
  get secondsLeft() {
    const { ahead, deadline } = this.#store.get("clock") ?? {};
    return deadline ? Math.max(0, (Date.parse(deadline) - this.#ownTime - ahead) / SECOND) : null;
  }

  /** Open the paper, which starts the clock; or go on, after a reload and without a network too. */
  async open() {
    const sentAt = this.#ownTime;
    try {
      const opened = await this.#service.call("GET", `${this.#path}/take-exam/`);
      // Handed in by the service, and then time was given.
      if (this.receipt) ["receipt", "submission", "over"].forEach((each) => this.#store.drop(each));
      this.#keepClock(sentAt, opened);
      this.#store.set("paper", { title: opened.title, questions: opened.questions });
      await this.#alone(() => this.#merge(opened.draft));
      this.isOnline = true;
    } catch (error) {
      if (OVER.includes(error.code)) {
        const { started_at: started } = await this.#service.insist("GET", `${this.#path}/time/`);
        // It is not open yet, or never was for this candidate.
        if (!started) throw error;
        return this.#end();
      }
      if (isRefusal(error) || this.paper === null) throw error;
      this.isOnline = false;
    }
    this.trouble = null;
    this.#tell();
    if (this.#store.get("submission")) return this.handIn();
    this.#saveAfter(SAVE_AFTER);
  }

  /** Choose an option, or "" for none. */
  answer(question, option) {
    if (this.isClosed) return;
    this.#store.set(`chosen.${question}`, option);
    this.#tell();
    this.#saveAfter(SAVE_AFTER);
  }

  /** Hand in what is chosen, once, in as many tries as it takes. From then on nothing can be
   * changed, and `open` goes on with it after a reload. */
  async handIn() {
    clearTimeout(this.#timer);
    await this.#alone(async () => {
      if (this.receipt) return;
      if (!this.#store.get("submission")) {
        // Kept before it is sent: with the same key it may be sent again.
        this.#store.set("submission", { key: crypto.randomUUID(), answers: this.#answers });
        this.#tell();
      }
      const { key, answers } = this.#store.get("submission");
      const path = `${this.#path}/submit-exam-answers/`;
      try {
        const headers = { "Idempotency-Key": key };
        const { receipt } = await this.#service.insist("POST", path, { answers }, headers);
        this.#store.set("receipt", receipt);
      } catch (error) {
        if (!OVER.includes(error.code)) throw error;
      }
    });
    await this.#end();
  }

  /** What the receipt proves: that it `isGenuine`, and that it is of what is shown here
   * (`isComplete`), which it is not when the last answers had not arrived in time. */
  async check() {
    const { keys } = await this.#service.insist("GET", "/receipts/keys/");
    return check(this.receipt, keys, this.#store.get("submission")?.answers ?? this.#answers);
  }

  /** On a computer that others use as well, once the receipt is kept elsewhere. */
  forget() {
    clearTimeout(this.#timer);
    this.#store.forget();
    this.#tell();
  }

  get #questions() {
    return this.paper?.questions.map((each) => each.id) ?? [];
  }

  get #answers() {
    return this.#questions.map((id) => answerTo(id, this.chosen(id)));
  }

  /** `sent` is the save that has no answer yet. */
  get #draft() {
    return this.#store.get("draft") ?? { sequence: 0, saved: {}, sent: null };
  }

  get #isOver() {
    return ["submission", "over", "receipt"].some((each) => this.#store.get(each) !== null);
  }

  /** Milliseconds that nobody sets while the page is open. */
  get #ownTime() {
    return performance.timeOrigin + performance.now();
  }

  /** The time was told half-way between question and answer, as far as anybody knows. */
  #keepClock(sentAt, { server_time: told, deadline, hand_in_until: until }) {
    const clock = this.#store.get("clock") ?? { grace: 0 };
    clock.ahead = Date.parse(told) - (sentAt + this.#ownTime) / 2;
    clock.deadline = deadline;
    if (until) clock.grace = Date.parse(until) - Date.parse(deadline);
    this.#store.set("clock", clock);
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }

  /** One tab at a time. */
  #alone(action) {
    return navigator.locks.request(this.#store.name, action);
  }

  #saveAfter(milliseconds) {
    clearTimeout(this.#timer);
    if (this.paper && !this.#isOver) {
      this.#timer = setTimeout(() => this.#goOn(), milliseconds);
    }
  }

  /** Save, or hand in at the deadline; then wait until there is something to do again. */
  async #goOn() {
    try {
      if (this.secondsLeft === 0) await this.#closeAtDeadline();
      else await this.#alone(() => this.#isOver || this.#save());
      [this.isOnline, this.trouble] = [true, null];
    } catch (error) {
      if (OVER.includes(error.code)) return this.#end();
      [this.isOnline, this.trouble] = [false, isRefusal(error) ? error : null];
    }
    this.#tell();
    const wait = (this.isOnline && this.unsaved.length ? SAVE_AFTER : SAVE_EVERY) / 2;
    const left = this.secondsLeft * SECOND;
    this.#saveAfter(Math.min(wait + atRandom(wait), left || SAVE_EVERY));
  }

  async #save() {
    if (!this.#draft.sent) {
      const answers = this.unsaved.map((id) => answerTo(id, this.chosen(id)));
      this.#keepDraft({ sent: { sequence: this.#draft.sequence + 1, answers } });
    }
    // One that got no answer may have arrived: it is sent again as it was.
    const { sent, saved } = this.#draft;
    const sentAt = this.#ownTime;
    const reply = await this.#service.call("PUT", `${this.#path}/draft/`, sent);
    this.#keepClock(sentAt, reply);
    if (reply.applied) {
      this.#keepDraft({ sequence: sent.sequence, saved: { ...saved, ...byQuestion(sent.answers) }, sent: null });
    } else {
      this.#merge(await this.#service.call("GET", `${this.#path}/draft/`));
    }
  }

  /** Take over what another device saved. What was chosen here stays, unless the same question was
   * answered differently there since. */
  #merge({ sequence, answers }) {
    const { saved: before, sent } = this.#draft;
    const ours = byQuestion(sent?.answers ?? []);
    const now = byQuestion(answers);
    for (const id of this.#questions) {
      const there = now[id] ?? "";
      if (![before[id] ?? "", ours[id]].includes(there)) this.#store.set(`chosen.${id}`, there);
    }
    this.#keepDraft({ sequence, saved: now, sent: null });
  }

  #keepDraft(changes) {
    this.#store.set("draft", { ...this.#draft, ...changes });
  }

  /** Time may have been given meanwhile: the service is asked before anything is handed in. */
  async #closeAtDeadline() {
    const sentAt = this.#ownTime;
    this.#keepClock(sentAt, await this.#service.call("GET", `${this.#path}/time/`));
    if (this.secondsLeft > 0) return;
    await pause(atRandom(this.#store.get("clock").grace * SHARE_OF_GRACE));
    await this.handIn();
  }

  /** Wait for the receipt of what was handed in, by whomever. */
  async #end() {
    this.#store.set("over", true);
    for (let tries = TRIES_FOR_A_RECEIPT; tries && !this.receipt; tries--) {
      try {
        const receipt = await this.#service.insist("GET", `${this.#path}/receipt/`);
        this.#store.set("receipt", receipt);
      } catch (error) {
        if (error.status !== 404) throw error;
        this.#tell();
        await pause(SAVE_EVERY);
      }
    }
    this.#tell();
  }
}

const answerTo = (question, option) => ({ question, selected_option: option });

const byQuestion = (answers) =>
  Object.fromEntries(answers.map((each) => [each.question, each.selected_option]));

const isRefusal = (error) => error instanceof Refused && !error.isForAMoment;

/** RFC 8785, of what is in a receipt. By hand: an object of JavaScript puts its numbers in order of
 * size, 9 before 10, canonical JSON as texts, "10" before "9". */
function canonical(value) {
  if (value?.constructor !== Object) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((each) => `${JSON.stringify(each)}:${canonical(value[each])}`)}}`;
}

const encoded = (value) => new TextEncoder().encode(canonical(value));

const decoded = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt());

/** Nobody has to be asked, once the keys are known. */
export async function check(receipt, keys, answers) {
  const { signature, ...signed } = receipt;
  const jwk = keys.find((each) => each.kid === receipt.key_id);
  const key = jwk && (await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]));
  const given = byQuestion(answers.filter((each) => each.selected_option));
  const told = encoded({ salt: receipt.salt, answers: given });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", told));
  return {
    isGenuine:
      key !== undefined &&
      (await crypto.subtle.verify("Ed25519", key, decoded(signature), encoded(signed))),
    isComplete: decoded(receipt.digest).every((each, at) => each === digest[at]),
  };
}
