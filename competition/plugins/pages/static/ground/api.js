// Requests to the API, with types from the OpenAPI document. This module names no path: its callers do.
//
//     const exam = await api.get("/exams/{exam_id}/", { exam_id: 7 });
//     await api.post("/exams/{exam_id}/conclude/", { exam_id: 7 }, {}, { key });
//
// A call returns the body of the reply, or rejects with Refused (the service has rejected the request) or Unreachable
// (there was no reply).

import { config, read as readConfig } from "./config.js";
import * as session from "./session.js";
import { language } from "./texts.js";

/** @import { paths } from "../types/api.js" */

/** @typedef {"get" | "put" | "post" | "patch" | "delete"} Method */
/**
 * The paths that support a method.
 *
 * @template {Method} M
 * @typedef {{ [P in keyof paths]: paths[P] extends Record<M, { responses: any }> ? P : never }[keyof paths]} Path
 */
/** @template T @typedef {[NonNullable<T>] extends [never] ? {} : NonNullable<T>} Some */
/**
 * The parameters of an operation, in the path and in the query.
 *
 * @template O
 * @typedef {(O extends { parameters: { path: infer P } } ? Some<P> : {}) & (O extends { parameters: { query?: infer Q } } ? Partial<Some<Q>> : {})} Params
 */
/**
 * @template O
 * @typedef {O extends { requestBody?: infer R } ? NonNullable<R> extends { content: { "application/json": infer B } } ? [NonNullable<R>] extends [never] ? undefined : B : undefined : undefined} Body
 */
/**
 * The body of a successful reply.
 *
 * @template O
 * @typedef {O extends { responses: infer R } ? { [S in keyof R]: S extends 200 | 201 | 202 ? R[S] extends { content: { "application/json": infer B } } ? B : undefined : never }[keyof R] : never} Reply
 */
/**
 * @typedef {object} Options
 * @property {string} [key] The Idempotency-Key. With it, a POST can be sent again.
 * @property {boolean} [retry] Whether to send the request again if there was no reply, or one with the status
 *   502, 503 or 504. The default is true for GET, PUT, DELETE and requests with a key.
 * @property {number} [timeout] How long to wait for each reply, in milliseconds.
 * @property {AbortSignal} [signal]
 * @property {boolean} [anonymous] Don't send the token of the session.
 * @property {boolean} [keepalive] The request goes on when the page is closed.
 * @property {string} [ifMatch] The ETag of the version that the change is based on.
 * @property {string} [ifNoneMatch] The ETag of a version that need not be sent again.
 */
/** @typedef {{ status: number, body: any, etag: string | null, response: Response }} Answer */

// How long to wait for a reply, and the pauses before the retries, in milliseconds.
const TIMEOUT = 20_000;
const PAUSES = [500, 2_000, 8_000];
// If the next retry would be later than this, in milliseconds, the request fails instead.
const LONGEST_PAUSE = 60_000;
const AWAY = [502, 503, 504];

/** The service has rejected a request. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{ code?: string, detail?: string, errors?: Record<string, any> }} body
   * @param {Headers} headers
   */
  constructor(status, body, headers) {
    super(body.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = body.code ?? "";
    this.detail = body.detail ?? "";
    this.errors = body.errors ?? {};
    this.body = body;
    this.requestId = headers.get("X-Request-Id");
    /** How long to wait before the next request, in seconds, or null. */
    this.retryAfter = Number(headers.get("Retry-After")) || null;
  }
}

/** There was no reply from the service: none at all, or one from a proxy. */
export class Unreachable extends Error {
  /** @type {string | null} */
  requestId = null;
}

/** @type {Set<(reached: boolean) => void>} */
const listeners = new Set();
let reached = true;

/** Read the configuration again. Resolves to whether the API key has been replaced. */
async function isReplaced() {
  const { api_key: before } = config();
  await readConfig().catch(() => {});
  return config().api_key !== before;
}

/** Whether the service has replied to the latest request. */
export const isReached = () => reached;

/**
 * Call a function when the service can no longer be reached, or can again.
 *
 * @param {(reached: boolean) => void} listener
 */
export function onReached(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {boolean} value */
function note(value) {
  if (value === reached) return;
  reached = value;
  for (const each of listeners) each(value);
}

/**
 * A new Idempotency-Key. Create it when the user decides, so that all tries of the request have the same key.
 */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, "0")).join("");

/**
 * The address of a request. Parameters with a placeholder in the path are filled in. All others become the
 * query. Empty values (undefined, null, "") are left out, and a list becomes several parameters.
 *
 * @param {string} path
 * @param {Record<string, any>} [params]
 */
export const address = (path, params = {}) => config().api + target(path, params);

/**
 * The address of a request, relative to the address of the API. See `address` for the parameters.
 *
 * @param {string} path
 * @param {Record<string, any>} [params]
 */
export function target(path, params = {}) {
  const rest = new URLSearchParams();
  const named = new Set(path.match(/\{\w+\}/g));
  for (const [key, value] of Object.entries(params)) {
    if (named.has(`{${key}}`)) path = path.replace(`{${key}}`, encodeURIComponent(String(value)));
    else for (const each of [value].flat()) if (each != null && each !== "") rest.append(key, String(each));
  }
  if (path.includes("{")) throw new TypeError(`A parameter of ${path} is missing.`);
  return path + (rest.size ? `?${rest}` : "");
}

/**
 * The headers of each request.
 *
 * @param {string | null} token
 * @returns {Record<string, string>}
 */
export const headers = (token) => ({
  Accept: "application/json",
  "Accept-Language": language(),
  "X-Api-Key": config().api_key,
  ...(token && { Authorization: `Bearer ${token}` }),
});

/**
 * Send a request, and return a successful reply (or 304) with its headers. The methods of `api` below are shorter
 * to call.
 *
 * @param {Method} method
 * @param {string} path
 * @param {Record<string, any>} [params]
 * @param {unknown} [body] JSON, or a FormData.
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export async function request(method, path, params, body, options = {}) {
  const response = await respond(method, path, params, body, options);
  return {
    status: response.status,
    body: isJson(response) ? await read(response) : undefined,
    etag: response.headers.get("ETag"),
    response,
  };
}

/**
 * Send a request. Resolves to its successful response, whose body is not read yet.
 *
 * @param {Method} method
 * @param {string} path
 * @param {Record<string, any>} [params]
 * @param {unknown} [body]
 * @param {Options} [options]
 */
async function respond(method, path, params, body, options = {}) {
  const { key, retry = Boolean(key) || (method !== "post" && method !== "patch") } = options;
  const url = address(path, params);
  const isForm = body instanceof FormData;
  const content = body === undefined || isForm ? body : JSON.stringify(body);
  let renewed = false;
  let asked = false;
  for (let failures = 0; ; ) {
    const token = options.anonymous ? null : await session.token();
    /** @type {Response | null} */
    let response = null;
    /** @type {unknown} */
    let cause;
    try {
      response = await fetch(url, {
        method: method.toUpperCase(),
        headers: {
          ...headers(token),
          ...(content !== undefined && !isForm && { "Content-Type": "application/json" }),
          ...(key && { "Idempotency-Key": key }),
          ...(options.ifMatch && { "If-Match": options.ifMatch }),
          ...(options.ifNoneMatch && { "If-None-Match": options.ifNoneMatch }),
        },
        body: /** @type {BodyInit | null} */ (content ?? null),
        cache: "no-store",
        credentials: "omit",
        keepalive: options.keepalive ?? false,
        signal: AbortSignal.any([AbortSignal.timeout(options.timeout ?? TIMEOUT), ...[options.signal ?? []].flat()]),
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      cause = error;
    }
    note(response !== null && (isJson(response) || !AWAY.includes(response.status)));
    if (response && (response.ok || response.status === 304)) return response;
    if (response?.status === 401 && token && !renewed) {
      renewed = true;
      if (await session.renew(token)) continue;
    }
    const failure = response ? await refused(response) : new Unreachable("There was no reply.", { cause });
    if (!asked && failure instanceof Refused && failure.code === "authentication_failed") {
      asked = true;
      if (await isReplaced()) continue;
    }
    const pause = PAUSES[failures++];
    const wait = Math.max((pause ?? 0) * (0.7 + 0.6 * Math.random()), retryAfter(failure));
    const again = retry && pause !== undefined && (!response || AWAY.includes(response.status));
    if (!again || wait > LONGEST_PAUSE) throw failure;
    await new Promise((resolve) => setTimeout(resolve, wait));
    options.signal?.throwIfAborted();
  }
}

/** @param {Refused | Unreachable} failure */
const retryAfter = (failure) => (failure instanceof Refused ? (failure.retryAfter ?? 0) * 1000 : 0);

/** @param {Response} response */
const isJson = (response) => (response.headers.get("Content-Type") ?? "").includes("json");

/** @param {Response} response */
async function read(response) {
  try {
    return await response.json();
  } catch (cause) {
    note(false);
    throw new Unreachable("The reply was interrupted.", { cause });
  }
}

/**
 * The error of a response.
 *
 * @param {Response} response
 */
export async function refused(response) {
  if (isJson(response)) return new Refused(response.status, await read(response), response.headers);
  if (!AWAY.includes(response.status)) return new Refused(response.status, {}, response.headers);
  const failure = new Unreachable(`HTTP ${response.status}`);
  failure.requestId = response.headers.get("X-Request-Id");
  return failure;
}

/**
 * A call without a body. The parameters can be left out if the operation requires none.
 *
 * @template {Method} M
 * @typedef {<P extends Path<M>>(path: P, ...rest: {} extends Params<paths[P][M]> ? [params?: Params<paths[P][M]>, options?: Options] : [params: Params<paths[P][M]>, options?: Options]) => Promise<Reply<paths[P][M]>>} Call
 */
/**
 * A call with a body.
 *
 * @template {Method} M
 * @typedef {<P extends Path<M>>(path: P, params: Params<paths[P][M]>, body: Body<paths[P][M]>, options?: Options) => Promise<Reply<paths[P][M]>>} Send
 */

/** @param {Method} method */
const calls = (method) => async (/** @type {string} */ path, /** @type {any} */ params, /** @type {any} */ options) =>
  (await request(method, path, params, undefined, options)).body;

/** @param {Method} method */
const sends =
  (method) =>
  async (/** @type {string} */ path, /** @type {any} */ params, /** @type {any} */ body, /** @type {any} */ options) =>
    (await request(method, path, params, body, options)).body;

/** @type {{ get: Call<"get">, post: Send<"post">, put: Send<"put">, patch: Send<"patch">, delete: Send<"delete"> }} */
export const api = /** @type {any} */ ({
  get: calls("get"),
  post: sends("post"),
  put: sends("put"),
  patch: sends("patch"),
  delete: sends("delete"),
});
