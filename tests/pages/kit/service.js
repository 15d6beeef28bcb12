// A service in place of the real one. It replaces `fetch`:
//
//     const service = new Service({
//       "GET /exams/{exam_id}/": { id: 7, title: "Round 1", … },
//       "POST /exams/{exam_id}/conclude/": () => refused(409, "exam_not_open"),
//       "GET /candidates/": (asked) => page(people.filter((each) => each.role === asked.query.get("role"))),
//     });
//
// After the test, Python compares the requests and replies with the OpenAPI document, so a test can't expect what
// the real service does not send. A GET without a reply here gets an example; any other request fails the test.

import { afterwards } from "./cases.js";
import { example, operations } from "./examples.js";

/** @typedef {{ method: string, path: string, params: Record<string, string>, query: URLSearchParams, headers: Headers, body: any }} Asked */
/** @typedef {Record<string, any>} Replies By "METHOD /path/": the body, a `Reply`, or a function of `Asked`. */

export class Reply {
  /**
   * @param {number} status
   * @param {any} [body] JSON; a string is HTML, as from a proxy, and a Blob is a file.
   * @param {Record<string, string>} [headers]
   */
  constructor(status, body, headers = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** No reply arrives. */
export const lost = () => {
  throw new TypeError("Failed to fetch");
};

/**
 * A rejected request.
 *
 * @param {number} status
 * @param {string} code
 * @param {string} [detail]
 * @param {Record<string, any>} [more]
 */
export const refused = (status, code, detail = "Rejected.", more = {}) => new Reply(status, { code, detail, ...more });

/**
 * A page of a list.
 *
 * @param {any[]} results
 * @param {Record<string, any>} [more]
 */
export const page = (results, more = {}) => ({
  pagination: { count: results.length, page: 1, page_size: 20, total_pages: 1, has_next: false, has_previous: false, next: null, previous: null },
  results,
  ...more,
});

/** What the pages ask for at their start, without a test's saying so. */
const usual = {
  "POST /auth/token/refresh/": () => tokens(),
  "POST /ws/tickets/": () => refused(403, "permission_denied", "No sockets here."),
};

let issued = 0;
const encoded = (/** @type {any} */ value) => btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");

/**
 * New tokens of a session.
 *
 * @param {number} [seconds] How long the access token is valid.
 */
export function tokens(seconds = 7200) {
  issued += 1;
  const now = Math.floor(Date.now() / 1000);
  const claims = { sid: "s", iat: now, exp: now + seconds, jti: String(issued) };
  return { access: `${encoded({ alg: "HS256" })}.${encoded(claims)}.c2ln`, refresh: `refresh-${issued}` };
}

export class Service {
  /** Every request for the API, in order. @type {Asked[]} */
  asked = [];
  /** Requests and replies, for the comparison with the OpenAPI document. @type {any[]} */
  exchanged = [];
  /** @type {string[]} */
  unexpected = [];
  /** Whether no reply arrives. */
  isAway = false;
  /** How many requests wait for their reply. */
  waiting = 0;
  config = {
    name: "Mathematics league",
    support_email: "help@league.example",
    time_zone: "Africa/Lagos",
    languages: ["en", "fr"],
    plugins: [],
    release: "x",
    api: "/v1",
    api_key: "the-key",
    sockets: "ws://127.0.0.1:1/v1/ws/notifications/",
    files_origin: null,
    passwords: { shortest: 8, longest: 128 },
    files: {},
    settings: {},
    modules: { portal: [], console: [] },
  };

  /** @param {Replies} [replies] */
  constructor(replies = {}) {
    /** @type {Replies} */
    this.replies = { ...usual, ...replies };
    globalThis.fetch = async (address, options) => {
      this.waiting += 1;
      try {
        return await this.#answer(new URL(String(address), location.href), options ?? {});
      } finally {
        this.waiting -= 1;
      }
    };
    /** @type {any} */ (globalThis).service = this;
    afterwards(() => {
      if (this.unexpected.length) throw new Error(`The test has no reply for: ${this.unexpected.join(", ")}`);
    });
  }

  /**
   * The requests of an operation, such as "POST /exams/{exam_id}/conclude/".
   *
   * @param {string} operation
   */
  sent(operation) {
    return this.asked.filter((each) => this.#find(each.method, each.path, { [operation]: null }));
  }

  /**
   * @param {URL} url
   * @param {RequestInit} options
   */
  async #answer(url, options) {
    options.signal?.throwIfAborted();
    if (this.isAway) lost();
    if (url.pathname === "/pages/config.json") return response(new Reply(200, this.config));
    const path = url.pathname.replace(/^\/v1/, "");
    const method = options.method ?? "GET";
    const found = this.#find(method, path, this.replies) ?? this.#example(method, path);
    const body = typeof options.body === "string" ? JSON.parse(options.body) : options.body;
    /** @type {Asked} */
    const asked = { method, path, params: found?.params ?? {}, query: url.searchParams, headers: new Headers(options.headers), body };
    this.asked.push(asked);
    if (!found) {
      this.unexpected.push(`${method} ${path}`);
      return response(refused(404, "not_found"));
    }
    const given = found.operation in this.replies ? this.replies[found.operation] : example(found.operation);
    const result = await aborted(typeof given === "function" ? given(asked) : given, options.signal);
    const reply = result instanceof Reply ? result : new Reply(result === undefined ? 204 : 200, result);
    const isFile = reply.body instanceof Blob;
    this.exchanged.push({
      operation: found.operation,
      query: [...new Set(url.searchParams.keys())],
      sent: body instanceof FormData ? undefined : body,
      // The document says nothing about what is in a file.
      status: isFile ? 304 : reply.status,
      body: isFile ? undefined : reply.body,
    });
    return response(reply);
  }

  /** @param {string} method @param {string} path */
  #example(method, path) {
    return method === "GET" ? this.#find(method, path, operations) : undefined;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Replies} table
   */
  #find(method, path, table) {
    const matches = Object.keys(table).flatMap((operation) => {
      const [, wanted, template] = /** @type {RegExpMatchArray} */ (operation.match(/^(\S+) (\S+)$/));
      const pattern = new RegExp(`^${template?.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
      const params = wanted === method && path.match(pattern);
      return params ? [{ operation, params: { ...params.groups } }] : [];
    });
    // A path without parameters wins.
    return matches.sort((one, other) => Object.keys(one.params).length - Object.keys(other.params).length)[0];
  }
}

/**
 * The response of a reply. Its text is read at once: the browser takes its own time for it, so a test whose clock stands
 * still would not know when.
 *
 * @param {Reply} reply
 */
function response({ status, body, headers }) {
  if (body instanceof Blob) return new Response(body, { status, headers });
  const isHtml = typeof body === "string";
  const isEmpty = [204, 304].includes(status) || body === undefined;
  const text = isHtml ? body : JSON.stringify(body);
  const all = { ...(!isEmpty && { "Content-Type": isHtml ? "text/html" : "application/json" }), "X-Request-Id": "8c1f0a", ...headers };
  const made = new Response(isEmpty ? null : text, { status, headers: all });
  return isEmpty ? made : Object.assign(made, { json: async () => JSON.parse(text), text: async () => text });
}

/**
 * @param {any} result
 * @param {AbortSignal | null | undefined} signal
 */
const aborted = (result, signal) =>
  Promise.race([
    result,
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  ]);
