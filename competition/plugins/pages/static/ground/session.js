// The session of the person who uses this browser, shared by all its tabs. This module makes no requests: its callers
// pass the functions that exchange tokens and that log out.
//
// Signing out deletes what the tab has stored, except for exams of other users. For this, the module knows how
// `exam/sitting/store.js` of the portal names stored exams: a tab has one storage for all front-ends, and signing out of
// the console must keep them too.
//
// The access token is in memory. The refresh token and the user are in sessionStorage, which belongs to one
// tab. A refresh token works once: if it is used again after more than ten seconds, the service ends the
// session. So tabs refresh one at a time (Web Locks), and give the new tokens to the other tabs at once
// (BroadcastChannel). Each asks the other tabs first, because a duplicated tab, or one that was frozen, has old tokens.
//
// The reply with the new tokens may get lost. The service then repeats it, however late, for a request with the same
// Idempotency-Key. So the key is stored, and given to the other tabs, before it is sent, and used until a reply
// arrives.

/** @typedef {{ access: string, refresh: string }} Tokens */
/**
 * A user as the API describes them.
 *
 * @typedef {{ profile_type: string, role: string, user: { id: string, email: string, is_email_verified: boolean, first_name: string, last_name: string } } & Record<string, any>} Profile
 */
/**
 * The tokens and their user. `key` is the Idempotency-Key of a renewal that has begun. The access token should be
 * renewed from `renew`, and is valid until `expires`, both by the device's clock.
 *
 * @typedef {{ access: string | null, refresh: string, key?: string | undefined, user: Profile, renew: number, expires: number }} Pair
 */
/** @typedef {"opened" | "changed" | "expired" | "signed out"} Change */

// How long a tab waits for the replies of all other tabs, in milliseconds. A tab that is busy replies late, and it
// may be the only one that has the key of a renewal whose reply got lost.
const ANSWERS = 1_500;
// How long a page waits at its start for new tokens, in milliseconds. Without a connection, it goes on without them.
const PATIENCE = 2_500;
// An access token is renewed after this share of its lifetime.
const PART = 0.8;

// All browsers that the pages support have locks (Safari since 15.4), but only for pages of https and localhost.
// Without locks, two tabs may renew at the same time with different keys. Nobody is signed out by that: for ten
// seconds, the service gives both the same refresh token. A tab that is later than that asks the other tabs first,
// and gets the new tokens, or the key of a renewal that has no reply yet. Only a tab that was frozen between its
// question and its request is too late. Then the user has to sign in again, and an exam keeps its answers.
const locks = /** @type {LockManager | undefined} */ (navigator.locks);

/** @type {Pair | null} */
let pair = null;
let name = "";
/** @type {() => string} */
let newKey = () => "";
/** @type {(refresh: string, key: string) => Promise<Tokens>} */
let exchange = async () => Promise.reject(new Error("The session has not begun."));
/** @type {BroadcastChannel | undefined} */
let channel;
/** @type {Promise<boolean> | null} */
let renewing = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {Set<(change: Change) => void>} */
const listeners = new Set();

/** The user who is signed in, or null. */
export const user = () => pair?.user ?? null;

/** The present access token, for a request that can't wait. It may be about to expire. */
export const access = () => pair?.access ?? null;

/**
 * Call a function when the user signs in or out, here or in another tab, or when the session has expired.
 *
 * @param {(change: Change) => void} listener
 */
export function onSession(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Find the session of this tab or of another tab. Resolves when it is known whether there is a session.
 *
 * @param {object} options
 * @param {string} options.name The name of the front-end: each has a session of its own.
 * @param {() => string} options.newKey Create a new Idempotency-Key.
 * @param {(refresh: string, key: string) => Promise<Tokens>} options.exchange Exchange a refresh token for new
 *   tokens. It rejects with an error that has a `status` if the service has rejected it.
 */
export async function begin(options) {
  ({ name, newKey, exchange } = options);
  channel = new BroadcastChannel(`${name}.session`);
  channel.onmessage = ({ data }) => fromOtherTab(data);
  // This lock shows other tabs that this tab can answer them.
  void locks?.request(`${name}.tab`, { mode: "shared" }, () => new Promise(() => {}));
  pair = stored();
  // The tab that renews the tokens now may be closed before this tab's turn, so ask it for its key at once.
  if (pair) void ask();
  if (pair) await Promise.race([renew(null).catch(() => {}), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  else await ask();
}

/**
 * Start the session of a login.
 *
 * @param {Tokens & { profile: Profile }} login The reply of the API.
 */
export function open(login) {
  take(login, login.profile);
  tell();
  changed("opened");
}

/**
 * Store new data of the user.
 *
 * @param {Profile} profile
 */
export function update(profile) {
  if (!pair) return;
  pair.user = profile;
  store();
  tell();
  changed("changed");
}

/**
 * End the session in all tabs, and delete its data.
 *
 * @param {(refresh: string) => Promise<unknown>} logOut Logs out at the service. The session ends here even if
 *   that fails.
 */
export async function close(logOut) {
  const refresh = pair?.refresh;
  if (refresh) await logOut(refresh).catch(() => {});
  channel?.postMessage({ kind: "closed" });
  end("signed out");
}

/** The access token for a request. If it is about to expire, it is renewed. Null without a session. */
export async function token() {
  if (pair && (!pair.access || Date.now() >= pair.renew)) {
    const renewal = renew();
    try {
      // On a slow line, an answer must not wait for new tokens while the old one is valid.
      if (pair.access && Date.now() < pair.expires) renewal.catch(() => {});
      else await renewal;
    } catch (error) {
      // The service can't be reached, so try the old token, which may still be valid.
      if (!pair?.access) throw error;
    }
  }
  return pair?.access ?? null;
}

/**
 * Renew the tokens. Resolves to whether there is a new access token now. Rejects if the service can't be reached.
 *
 * @param {string | null} [used] The access token that has to be replaced.
 */
export function renew(used = pair?.access ?? null) {
  renewing ??= inTurn(used).finally(() => {
    renewing = null;
  });
  return renewing;
}

/** @param {string | null} used */
async function inTurn(used) {
  return locks ? await locks.request(`${name}.renew`, () => renewed(used)) : renewed(used);
}

/** @param {string | null} used */
async function renewed(used) {
  if (pair?.access === used) await ask();
  if (!pair) return false;
  if (pair.access !== used) return true;
  if (!pair.key) {
    pair.key = newKey();
    store();
    tell();
  }
  const { refresh, key } = pair;
  try {
    const tokens = await exchange(refresh, key);
    // The user may have signed out in the meantime.
    if (pair?.refresh !== refresh) return pair !== null;
    take(tokens, pair.user);
    tell();
    return true;
  } catch (error) {
    const { status } = /** @type {{ status?: number }} */ (error);
    if (status !== 400 && status !== 401 && status !== 403) throw error;
    if (pair?.refresh !== refresh) return pair !== null;
    end("expired");
    return false;
  }
}

/** Request the session from the other tabs, if there are any. */
async function ask() {
  const tabs = await otherTabs();
  if (tabs === 0) return;
  const [question, before] = [newKey(), pair];
  let replies = 0;
  /** @type {((message: MessageEvent) => void) | undefined} */
  let onReply;
  await new Promise((resolve) => {
    // `fromOtherTab` has handled the message before.
    onReply = ({ data }) => {
      if (data.to === question && (++replies === tabs || pair !== before)) resolve(null);
    };
    channel?.addEventListener("message", onReply);
    setTimeout(resolve, ANSWERS);
    channel?.postMessage({ kind: "ask", question });
  });
  if (onReply) channel?.removeEventListener("message", onReply);
}

/** How many other tabs of the front-end there are, or null if the browser does not know. */
export async function otherTabs() {
  const held = (await locks?.query())?.held;
  // One of these locks is this tab's own: `begin` has requested it before, and the browser handles requests for locks
  // in order.
  return held ? held.filter((each) => each.name === `${name}.tab`).length - 1 : null;
}

/** @param {{ kind: string, pair: Pair | null, question?: string }} message */
function fromOtherTab({ kind, pair: theirs, question }) {
  if (kind === "ask") {
    channel?.postMessage({ kind: "pair", pair, to: question });
    return;
  }
  if (kind === "closed") {
    if (pair) end("signed out");
    return;
  }
  if (!theirs) return;
  if (pair?.refresh === theirs.refresh) {
    // Take the key of the other tab's renewal, because that tab may be closed before it gets the reply.
    theirs.key = pair.key ??= theirs.key;
    store();
  }
  if (theirs.access && isNewer(theirs)) {
    const change = pair ? "changed" : "opened";
    pair = theirs;
    store();
    schedule();
    changed(change);
  }
}

/** @param {Pair} theirs */
function isNewer(theirs) {
  if (!pair) return true;
  if (!pair.access) return theirs.user.user.id === pair.user.user.id;
  const [own, other] = [claims(pair.access), claims(theirs.access ?? "")];
  // Tokens have their times in whole seconds, so a newer token may have the same time. If the tokens are equal,
  // the user's data may still be newer.
  return own.sid === other.sid && other.iat >= own.iat && JSON.stringify(theirs) !== JSON.stringify(pair);
}

/**
 * @param {Tokens} tokens
 * @param {Profile} profile
 */
function take({ access: next, refresh }, profile) {
  const { iat, exp } = claims(next);
  // The device's clock may be wrong, so only the token's lifetime is used. A random part spreads the requests
  // of thousands of users who signed in during the same minute.
  const life = (exp - iat) * 1000;
  // Whole milliseconds, because timers drop the rest, and a timer that ends before this time would renew nothing.
  const renew = Math.ceil(Date.now() + life * PART * (0.95 + Math.random() / 20));
  pair = { access: next, refresh, user: profile, renew, expires: Date.now() + life };
  store();
  schedule();
}

/**
 * The claims of a token.
 *
 * @param {string} jwt
 * @returns {{ sid: string, iat: number, exp: number }}
 */
function claims(jwt) {
  try {
    return JSON.parse(atob((jwt.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return { sid: "", iat: 0, exp: 300 };
  }
}

function schedule() {
  clearTimeout(timer);
  if (!pair) return;
  timer = setTimeout(() => void token().catch(() => {}), Math.max(1000, pair.renew - Date.now()));
}

function tell() {
  channel?.postMessage({ kind: "pair", pair });
}

/** @param {Change} change */
function changed(change) {
  for (const each of listeners) each(change);
}

/** @param {"expired" | "signed out"} change */
function end(change) {
  const user = pair?.user.user.id;
  pair = null;
  clearTimeout(timer);
  try {
    // After an expired session, the drafts of forms stay, so that the same user can go on.
    if (change === "expired") sessionStorage.removeItem(`${name}.session`);
    else for (const each of Object.keys(sessionStorage)) if (!isOfAnother(each, user)) sessionStorage.removeItem(each);
  } catch {
    // The browser forbids storage, so there is nothing in it.
  }
  changed(change);
}

/**
 * Whether a stored item is of an exam that another user has begun in this tab. The answers to that exam may not be
 * submitted yet. `exam/sitting/store.js` of the portal names the items: `exam.7.8f14….paper` is of the user `8f14…`.
 *
 * @param {string} item
 * @param {string | undefined} user
 */
const isOfAnother = (item, user) => /^exam\.\d/.test(item) && item.split(".")[2] !== user;

function store() {
  if (!pair) return;
  try {
    const { refresh, key, user: profile } = pair;
    sessionStorage.setItem(`${name}.session`, JSON.stringify({ refresh, key, user: profile }));
  } catch {
    // Without storage, the session lasts until the page is reloaded.
  }
}

/** @returns {Pair | null} */
function stored() {
  try {
    const text = sessionStorage.getItem(`${name}.session`);
    return text ? { ...JSON.parse(text), access: null, renew: 0, expires: 0 } : null;
  } catch {
    return null;
  }
}
