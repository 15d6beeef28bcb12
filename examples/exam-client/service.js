// The service for the user who is logged in with this browser, and the functions that sitting.js calls. This module
// knows neither the page nor what is stored of an exam.

const SECOND = 1000;
const PATIENCE = 20 * SECOND;
const LOGIN = "service.login";

/** An error of the service. Clients decide by its `code`. An error without `status` means that there was no reply. */
export class Refused extends Error {
  constructor(status, { code = "", detail = "", request_id: requestId = "" }, retryAfter) {
    super(detail || `The service replied with HTTP ${status}.`);
    Object.assign(this, { status, code, detail, requestId, retryAfter });
  }
}

export class Service {
  constructor(baseUrl, apiKey) {
    Object.assign(this, { baseUrl, apiKey });
  }

  /** The id of the user, or null. */
  get user() {
    return this.#login?.user ?? null;
  }

  async logIn(email, password) {
    const login = await this.#send("POST", "/auth/login/", { email, password });
    this.#setLogin(login, login.profile.user.id);
  }

  /** Delete the login from this device. */
  forget() {
    localStorage.removeItem(LOGIN);
  }

  /** The endpoints of one exam, as `Sitting` calls them. `Sitting` repeats failed requests itself. */
  exam(id) {
    const path = `/exams/${id}`;
    return {
      time: () => this.call("GET", `${path}/time/`),
      open: () => this.call("GET", `${path}/take-exam/`),
      save: (changes, { keepalive = false } = {}) => this.call("PUT", `${path}/draft/`, changes, {}, keepalive),
      draft: () => this.call("GET", `${path}/draft/`),
      submit: (answers, key) => this.call("POST", `${path}/submit-exam-answers/`, { answers }, { "Idempotency-Key": key }),
      receipt: () => this.call("GET", `${path}/receipt/`),
      messages: () => this.#messages(path),
      keys: async () => (await this.call("GET", "/receipts/keys/")).keys,
      // Verify a receipt for browsers that can't check its signature.
      verify: async (receipt, answers) => {
        const { valid, reason } = await this.call("POST", "/receipts/verify/", { receipt, answers });
        return { isGenuine: valid || reason === "answers", isComplete: valid };
      },
    };
  }

  /** Ask the staff a question about an exam. A second request with the same key does not ask twice. */
  ask(exam, text, key) {
    return this.call("POST", `/exams/${exam}/clarifications/`, { question: null, text }, { "Idempotency-Key": key });
  }

  /** Send a request and return the reply. Throws Refused, or the error of fetch if there was no reply. */
  async call(method, path, body, headers = {}, keepalive = false) {
    const access = this.#login?.access;
    try {
      return await this.#send(method, path, body, { Authorization: `Bearer ${access}`, ...headers }, keepalive);
    } catch (error) {
      if (error.status !== 401) throw error;
    }
    await this.#refresh(access);
    return this.#send(method, path, body, { Authorization: `Bearer ${this.#login?.access}`, ...headers }, keepalive);
  }

  get #login() {
    return JSON.parse(localStorage.getItem(LOGIN));
  }

  #setLogin({ access, refresh, key }, user) {
    localStorage.setItem(LOGIN, JSON.stringify({ access, refresh, key, user }));
  }

  /**
   * Refresh the login. A refresh token works once, so only one tab refreshes, and the other tabs use the new tokens. If
   * the reply gets lost, the service accepts the same token again, because the key is the same.
   */
  #refresh(access) {
    return navigator.locks.request("service.refresh", async () => {
      const login = this.#login;
      if (!login || login.access !== access) return;
      const key = login.key ?? crypto.randomUUID();
      this.#setLogin({ ...login, key }, login.user);
      const body = { refresh: login.refresh };
      this.#setLogin(await this.#send("POST", "/auth/token/refresh/", body, { "Idempotency-Key": key }), login.user);
    });
  }

  /** The announcements, and the answers to questions. */
  async #messages(path) {
    const [announcements, clarifications] = await Promise.all(
      ["announcements", "clarifications"].map((each) => this.#everything(`${path}/${each}/`)),
    );
    return [
      ...announcements.map(({ id, text, created_at: at }) => ({ kind: "announcement", id, text, at })),
      ...clarifications
        .filter((each) => each.status !== "open")
        .map(({ id, question, text: asked, answer: text, answered_at: at, asked_at: askedAt }) => {
          return { kind: "answer", id, question, asked, text, at: at ?? askedAt };
        }),
    ];
  }

  /** All items of a list, page by page. */
  async #everything(path) {
    const items = [];
    for (let number = 1, more = true; more; number++) {
      const page = await this.call("GET", `${path}?limit=100&page=${number}`);
      items.push(...page.results);
      more = page.pagination.has_next;
    }
    return items;
  }

  async #send(method, path, body, headers = {}, keepalive = false) {
    const reply = await fetch(this.baseUrl + path, {
      method,
      headers: { "X-Api-Key": this.apiKey, "Content-Type": "application/json", ...headers },
      body: body && JSON.stringify(body),
      cache: "no-store",
      keepalive,
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (reply.ok) return reply.json();
    // The error of a proxy is not JSON.
    const error = await reply.json().catch(() => ({}));
    throw new Refused(reply.status, error, Number(reply.headers.get("Retry-After")));
  }
}
