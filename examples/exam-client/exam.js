/*
 * An exam client that survives crashes and lost connections: one candidate, one exam, any number of
 * tabs and devices.
 *
 * Each choice is stored on the device immediately (`chosen`), and saved at the service a moment later,
 * as a draft. `saved` has the answers that the service had at its last reply; differences still have to
 * be saved. Each save has the sequence after the newest known one. So the client notices a save of
 * another device: its own is not applied, and it merges both, question by question.
 *
 * Tabs share localStorage. Each choice has a key of its own, so that no tab overwrites the choices of
 * another one. Everything else is written under a lock, by one tab at a time.
 */

const SECOND = 1000;
const PATIENCE = 20 * SECOND;
const LONGEST_PAUSE = 60 * SECOND;
// Several choices in a row share one save. An empty save shows that the candidate is present.
const SAVE_AFTER = 2 * SECOND;
const SAVE_EVERY = 15 * SECOND;
// How often to ask whether there is an answer or an announcement.
const NEWS_EVERY = 30 * SECOND;
// Thousands of clients have the same deadline, and their drafts are saved. So each submits at a random
// time within this share of the grace period.
const SHARE_OF_GRACE = 0.5;
// The answers were submitted from another device, or the service is about to submit them.
const OVER = ["exam_already_submitted", "exam_not_open"];
// The service submits drafts within seconds of the end of the grace period. It submits no empty draft, so
// there may never be a receipt.
const TRIES_FOR_A_RECEIPT = 20;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const atRandom = (milliseconds) => Math.random() * milliseconds;

/** An error of the service; decide by `code`. */
export class Refused extends Error {
  constructor(status, { code = "", detail = "" }, retryAfter) {
    super(detail);
    Object.assign(this, { status, code, retryAfter });
  }

  /** Whether the request may succeed later: the service restarts, or there were too many requests. */
  get isForAMoment() {
    return this.status === 429 || this.status >= 500;
  }
}

/** JSON values in localStorage, whose keys begin with a name. */
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

/** The service, for the user who is logged in in this browser. */
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
    this.#setLogin(login, login.profile.user.id);
  }

  /** Send a request and return the reply. Throws Refused, or the error of fetch if there was no reply. */
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

  /** Send a request until the service answers it, and return the reply. Only for requests that may be
   * sent twice. Throws Refused. */
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

  /** Refresh the login. A refresh token works once, so one tab refreshes, and the others use its login. */
  #refresh(access) {
    return navigator.locks.request("service.refresh", async () => {
      const login = this.#store.get("login");
      if (login?.access !== access) return;
      const { refresh, user } = login ?? {};
      this.#setLogin(await this.#send("POST", "/auth/token/refresh/", { refresh }), user);
    });
  }

  #setLogin({ access, refresh }, user) {
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
    // The error of a proxy is not JSON.
    const error = await reply.json().catch(() => ({}));
    throw new Refused(reply.status, error, Number(reply.headers.get("Retry-After")));
  }
}

/**
 * One candidate's exam. Fires "change" whenever there is something new to show.
 *
 *     const sitting = new Sitting(service, 7);
 *     await sitting.open();
 *     sitting.answer(question.id, "B");
 *     await sitting.handIn();
 */
export class Sitting extends EventTarget {
  /** Whether the service answered the last request, and its error, for example for an expired login. */
  isOnline = true;
  trouble = null;

  #service;
  #path;
  #store;
  #timer;
  #nextNews = 0;

  constructor(service, exam) {
    super();
    this.#service = service;
    this.#path = `/exams/${exam}`;
    this.#store = new Store(`exam.${exam}.${service.user}`);
    // Another tab has changed something.
    addEventListener("storage", () => this.#notify());
    addEventListener("online", () => this.#saveAfter(0));
    addEventListener("visibilitychange", () => document.hidden || this.#saveAfter(0));
  }

  /** `{title, questions}`, or null before the start. */
  get paper() {
    return this.#store.get("paper");
  }

  get receipt() {
    return this.#store.get("receipt");
  }

  /** The announcements and answers, the newest first: `{kind, id, question, asked, text}`. `asked` is null
   * if another candidate asked, `text` if the question was dismissed. */
  get news() {
    return this.#store.get("news")?.items ?? [];
  }

  /** Whether answers can no longer be changed. */
  get isClosed() {
    return this.#isOver || this.secondsLeft === 0;
  }

  /** The chosen option, or "" for none. */
  chosen(question) {
    return this.#store.get(`chosen.${question}`) ?? "";
  }

  /** The questions whose answers the service does not have yet. */
  get unsaved() {
    const { saved } = this.#draft;
    return this.#questions.filter((id) => this.chosen(id) !== (saved[id] ?? ""));
  }

  /** The remaining time by the service's clock, or null before the start. Changes of the device's clock
   * have no effect. */
  get secondsLeft() {
    const { ahead, deadline } = this.#store.get("clock") ?? {};
    return deadline ? Math.max(0, (Date.parse(deadline) - this.#ownTime - ahead) / SECOND) : null;
  }

  /** Open the paper, which starts the candidate's time. Or continue, after a reload, even offline. */
  async open() {
    const sentAt = this.#ownTime;
    try {
      const opened = await this.#service.call("GET", `${this.#path}/take-exam/`);
      // The service had submitted the answers, and then the candidate was given more time.
      if (this.receipt) ["receipt", "submission", "over"].forEach((each) => this.#store.drop(each));
      this.#setClock(sentAt, opened);
      this.#store.set("paper", { title: opened.title, questions: opened.questions });
      await this.#locked(() => this.#merge(opened.draft));
      this.isOnline = true;
    } catch (error) {
      if (OVER.includes(error.code)) {
        const { started_at: started } = await this.#service.insist("GET", `${this.#path}/time/`);
        // The exam is not open yet, or the candidate never opened it.
        if (!started) throw error;
        return this.#end();
      }
      if (isRefusal(error) || this.paper === null) throw error;
      this.isOnline = false;
    }
    this.trouble = null;
    this.#notify();
    if (this.#store.get("submission")) return this.handIn();
    this.#saveAfter(SAVE_AFTER);
  }

  /** Choose an option, or "" for none. */
  answer(question, option) {
    if (this.isClosed) return;
    this.#store.set(`chosen.${question}`, option);
    this.#notify();
    this.#saveAfter(SAVE_AFTER);
  }

  /** Submit the chosen answers, once, with as many tries as it takes. From then on nothing can be
   * changed. After a reload, `open` continues the submission. */
  async handIn() {
    clearTimeout(this.#timer);
    await this.#locked(async () => {
      if (this.receipt) return;
      if (!this.#store.get("submission")) {
        // Store it before sending it: with the same key it may be sent again.
        this.#store.set("submission", { key: crypto.randomUUID(), answers: this.#answers });
        this.#notify();
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

  /** Whether the receipt `isGenuine`, and whether it covers the answers shown here (`isComplete`). It
   * does not cover them if the last answers did not arrive in time. */
  async check() {
    const { keys } = await this.#service.insist("GET", "/receipts/keys/");
    return check(this.receipt, keys, this.#store.get("submission")?.answers ?? this.#answers);
  }

  /** Delete everything on this device: for a shared computer, once the receipt is saved elsewhere. */
  forget() {
    clearTimeout(this.#timer);
    this.#store.forget();
    this.#notify();
  }

  get #questions() {
    return this.paper?.questions.map((each) => each.id) ?? [];
  }

  get #answers() {
    return this.#questions.map((id) => answerTo(id, this.chosen(id)));
  }

  /** The state of the draft. `sent` is the save without a reply. */
  get #draft() {
    return this.#store.get("draft") ?? { sequence: 0, saved: {}, sent: null };
  }

  get #isOver() {
    return ["submission", "over", "receipt"].some((each) => this.#store.get(each) !== null);
  }

  /** A clock in milliseconds that does not jump while the page is open. */
  get #ownTime() {
    return performance.timeOrigin + performance.now();
  }

  /** Compare the clocks, assuming that the service read its clock halfway between request and reply. */
  #setClock(sentAt, { server_time: serverTime, deadline, hand_in_until: until }) {
    const clock = this.#store.get("clock") ?? { grace: 0 };
    clock.ahead = Date.parse(serverTime) - (sentAt + this.#ownTime) / 2;
    clock.deadline = deadline;
    if (until) clock.grace = Date.parse(until) - Date.parse(deadline);
    this.#store.set("clock", clock);
  }

  #notify() {
    this.dispatchEvent(new Event("change"));
  }

  /** Run an action in one tab at a time. */
  #locked(action) {
    return navigator.locks.request(this.#store.name, action);
  }

  #saveAfter(milliseconds) {
    clearTimeout(this.#timer);
    if (this.paper && !this.#isOver) {
      this.#timer = setTimeout(() => this.#goOn(), milliseconds);
    }
  }

  /** Save the answers, or submit them at the deadline. Then schedule the next step. */
  async #goOn() {
    try {
      if (this.secondsLeft === 0) await this.#closeAtDeadline();
      else await this.#locked(() => this.#isOver || this.#save());
      await this.#readNews();
      [this.isOnline, this.trouble] = [true, null];
    } catch (error) {
      if (OVER.includes(error.code)) return this.#end();
      [this.isOnline, this.trouble] = [false, isRefusal(error) ? error : null];
    }
    this.#notify();
    const wait = (this.isOnline && this.unsaved.length ? SAVE_AFTER : SAVE_EVERY) / 2;
    const left = this.secondsLeft * SECOND;
    this.#saveAfter(Math.min(wait + atRandom(wait), left || SAVE_EVERY));
  }

  /** Read the announcements and answers if there are new ones. A service without the plugin
   * clarifications has no `messages`. */
  async #readNews() {
    if (this.#isOver || this.#ownTime < this.#nextNews) return;
    this.#nextNews = this.#ownTime + NEWS_EVERY;
    const sentAt = this.#ownTime;
    const clock = await this.#service.call("GET", `${this.#path}/time/`);
    this.#setClock(sentAt, clock);
    const { messages = 0 } = clock;
    if (messages === (this.#store.get("news")?.messages ?? 0)) return;
    const [announcements, clarifications] = await Promise.all(
      ["announcements", "clarifications"].map((each) => this.#everything(`${this.#path}/${each}/`)),
    );
    const items = [
      ...announcements.map(({ id, text, created_at: at }) => ({ kind: "announcement", id, text, at })),
      ...clarifications
        .filter((each) => each.status !== "open")
        .map(({ id, question, text: asked, answer: text, answered_at: at }) => {
          return { kind: "answer", id, question, asked, text, at };
        }),
    ];
    items.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
    this.#store.set("news", { messages, items });
  }

  /** All items of a list, page by page. */
  async #everything(path) {
    const items = [];
    for (let number = 1, more = true; more; number++) {
      const page = await this.#service.call("GET", `${path}?limit=100&page=${number}`);
      items.push(...page.results);
      more = page.pagination.has_next;
    }
    return items;
  }

  async #save() {
    if (!this.#draft.sent) {
      const answers = this.unsaved.map((id) => answerTo(id, this.chosen(id)));
      this.#updateDraft({ sent: { sequence: this.#draft.sequence + 1, answers } });
    }
    // A save without a reply may have arrived, so send exactly the same again.
    const { sent, saved } = this.#draft;
    const sentAt = this.#ownTime;
    const reply = await this.#service.call("PUT", `${this.#path}/draft/`, sent);
    this.#setClock(sentAt, reply);
    if (reply.applied) {
      this.#updateDraft({ sequence: sent.sequence, saved: { ...saved, ...byQuestion(sent.answers) }, sent: null });
    } else {
      this.#merge(await this.#service.call("GET", `${this.#path}/draft/`));
    }
  }

  /** Take over the answers that another device has saved. A choice made here stays, unless the other
   * device has since changed the answer to that question. */
  #merge({ sequence, answers }) {
    const { saved: before, sent } = this.#draft;
    const ours = byQuestion(sent?.answers ?? []);
    const now = byQuestion(answers);
    for (const id of this.#questions) {
      const there = now[id] ?? "";
      if (![before[id] ?? "", ours[id]].includes(there)) this.#store.set(`chosen.${id}`, there);
    }
    this.#updateDraft({ sequence, saved: now, sent: null });
  }

  #updateDraft(changes) {
    this.#store.set("draft", { ...this.#draft, ...changes });
  }

  /** Submit, unless the service says that the candidate has been given more time. */
  async #closeAtDeadline() {
    const sentAt = this.#ownTime;
    this.#setClock(sentAt, await this.#service.call("GET", `${this.#path}/time/`));
    if (this.secondsLeft > 0) return;
    await pause(atRandom(this.#store.get("clock").grace * SHARE_OF_GRACE));
    await this.handIn();
  }

  /** Wait for the receipt of the submission. */
  async #end() {
    this.#store.set("over", true);
    for (let tries = TRIES_FOR_A_RECEIPT; tries && !this.receipt; tries--) {
      try {
        const receipt = await this.#service.insist("GET", `${this.#path}/receipt/`);
        this.#store.set("receipt", receipt);
      } catch (error) {
        if (error.status !== 404) throw error;
        this.#notify();
        await pause(SAVE_EVERY);
      }
    }
    this.#notify();
  }
}

const answerTo = (question, option) => ({ question, selected_option: option });

const byQuestion = (answers) =>
  Object.fromEntries(answers.map((each) => [each.question, each.selected_option]));

const isRefusal = (error) => error instanceof Refused && !error.isForAMoment;

/** Canonical JSON (RFC 8785) of the types that a receipt has. JSON.stringify can't do it: JavaScript objects
 * sort integer keys by value (9, 10), canonical JSON sorts them as strings ("10", "9"). */
function canonical(value) {
  if (value?.constructor !== Object) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((each) => `${JSON.stringify(each)}:${canonical(value[each])}`)}}`;
}

const encoded = (value) => new TextEncoder().encode(canonical(value));

const decoded = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt());

/** Check a receipt with the service's public keys. This needs no request. */
export async function check(receipt, keys, answers) {
  const { signature, ...signed } = receipt;
  const jwk = keys.find((each) => each.kid === receipt.key_id);
  const key = jwk && (await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]));
  const given = byQuestion(answers.filter((each) => each.selected_option));
  const salted = encoded({ salt: receipt.salt, answers: given });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", salted));
  return {
    isGenuine:
      key !== undefined &&
      (await crypto.subtle.verify("Ed25519", key, decoded(signature), encoded(signed))),
    isComplete: decoded(receipt.digest).every((each, at) => each === digest[at]),
  };
}
