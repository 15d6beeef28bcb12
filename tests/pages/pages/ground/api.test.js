// Requests to the API.

import * as requests from "../../../../competition/plugins/pages/static/ground/api.js";
import { read as readConfig } from "../../../../competition/plugins/pages/static/ground/config.js";
import * as session from "../../../../competition/plugins/pages/static/ground/session.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { staff } from "../../kit/front-end.js";
import { lost, Service, tokens } from "../../kit/service.js";

const clock = stopClock();
const BUSY = [503, "<html>busy</html>", { "Retry-After": "1" }];
const FINE = [200, { fine: true }];

/** @type {{ method: string, path: string, headers: Record<string, string> }[]} */
const asked = [];

/**
 * The service gives these replies: the status, the body, and headers. A function may throw.
 *
 * @param {...any} replies
 */
function answers(...replies) {
  asked.length = 0;
  globalThis.fetch = async (path, options) => {
    asked.push(/** @type {any} */ ({ path, method: options?.method, headers: options?.headers }));
    const next = replies.shift();
    const [status, body, headers] = typeof next === "function" ? next(asked.at(-1)) : next;
    const content = typeof body === "string" ? "text/html" : "application/json";
    return /** @type {any} */ ({
      ok: status < 300,
      status,
      headers: new Headers({ "Content-Type": content, "X-Request-Id": "8c1f0a", ...headers }),
      json: async () => body,
      text: async () => JSON.stringify(body),
    });
  };
}

/**
 * Send a request. Resolves to the body of the reply, or to the error.
 *
 * @param {any} method
 * @param {any} [options]
 */
async function sent(method, options) {
  let isDone = false;
  const result = requests
    .request(method, "/things/{id}/", { id: 7 }, undefined, options)
    .then(({ body }) => body, (error) => error)
    .finally(() => {
      isDone = true;
    });
  await clock.passes(60);
  // The browser grants the lock of a renewal in its own time.
  await clock.until(() => isDone, "The request ends within a minute.");
  return result;
}

new Service();
await readConfig();

test("parameters fill the path, and the others become the query", () => {
  equal(requests.address("/things/{id}/", { id: "a/b", q: ["x", "y"], none: "", no: null }), "/v1/things/a%2Fb/?q=x&q=y");
  let message = "";
  try {
    requests.address("/things/{id}/");
  } catch (error) {
    message = /** @type {Error} */ (error).message;
  }
  ok(message.includes("parameter"), message);
});

test("a request is repeated only where that does no harm", async () => {
  for (const [method, options] of /** @type {any[]} */ ([["get"], ["put"], ["delete"], ["post", { key: "k" }]])) {
    answers(BUSY, lost, FINE);
    equal(await sent(method, options), { fine: true }, method);
    equal(asked.map(({ headers }) => headers["Idempotency-Key"] ?? null), Array(3).fill(options?.key ?? null));
  }
  for (const method of ["post", "patch"]) {
    answers(BUSY);
    const error = await sent(method);
    ok(error instanceof requests.Unreachable);
    equal([error.requestId, asked.length], ["8c1f0a", 1]);
  }
  // A request that the service rejects is not sent again.
  answers([400, { code: "invalid" }]);
  ok((await sent("get")) instanceof requests.Refused);
  equal(asked.length, 1);
});

test("a request fails after four tries, or if it would have to wait longer than a minute", async () => {
  answers(lost, lost, lost, lost);
  ok((await sent("get")) instanceof requests.Unreachable);
  equal(asked.length, 4);
  answers([503, { code: "unavailable" }, { "Retry-After": "61" }]);
  equal([(await sent("get")).retryAfter, asked.length], [61, 1]);
});

test("a rejection has the parts of the reply", async () => {
  const errors = { answers: { 1: { selected_option: ["Too long."] } } };
  answers([429, { code: "rate_limit_exceeded", detail: "Slow down.", errors }, { "Retry-After": "30" }]);
  const { status, code, message, errors: found, requestId, retryAfter } = await sent("get");
  equal([status, code, message, found, requestId, retryAfter], [429, "rate_limit_exceeded", "Slow down.", errors, "8c1f0a", 30]);
});

test("a replaced API key is read again, once", async () => {
  const rejected = [401, { code: "authentication_failed", detail: "Incorrect credentials." }];
  const config = [200, { api: "/v1", api_key: "new" }];
  answers(rejected, config, FINE);
  equal(await sent("post"), { fine: true });
  equal(asked.map(({ path, headers }) => headers?.["X-Api-Key"] ?? path), ["the-key", "/pages/config.json", "new"]);
  // The service may also reject a password with this code.
  answers(rejected, config);
  equal((await sent("post")).code, "authentication_failed");
  equal(asked.length, 2);
});

test("an expired token is renewed once, and the request repeated", async () => {
  const issued = [tokens(), tokens()];
  const [first, second] = issued.map(({ access }) => `Bearer ${access}`);
  // Without locks, a tab would wait for the replies of other tabs.
  let renewals = 0;
  const beginning = session.begin({ name: "t", newKey: () => "k", exchange: async () => {
    renewals += 1;
    return /** @type {any} */ (issued[1]);
  } });
  await clock.passes(10);
  await beginning;
  session.open({ .../** @type {any} */ (issued[0]), profile: staff() });
  const expired = [401, { code: "invalid_token" }];
  answers(expired, FINE);
  equal(await sent("post"), { fine: true });
  equal(asked.map(({ headers }) => headers.Authorization), [first, second]);
  answers(expired, expired);
  equal((await sent("post")).code, "invalid_token");
  equal([asked.length, renewals], [2, 2]);
});

test("pages know whether the service can be reached", async () => {
  /** @type {boolean[]} */
  const seen = [];
  requests.onReached((reached) => seen.push(reached));
  answers(lost, FINE);
  await sent("get");
  // A proxy without the service is no service.
  answers(BUSY);
  await sent("post");
  // A reply of the service itself shows that it is there.
  answers([503, { code: "unavailable" }]);
  await sent("post");
  equal(seen, [false, true, false, true]);
});
