// Checks receipts with the service's public keys, in the browser. It has no page, and makes no request.

/** @typedef {import("./calls.js").Receipt} Receipt */
/** @typedef {Record<string, string>} Given The chosen options by question id, without blanks. */
/** @typedef {{ isGenuine: boolean, isComplete: boolean | null }} Verdict `isComplete` is null if no answers were compared. */

/** Whether this browser can check signatures. Browsers from before 2025 can't, and no browser can on a page without https. */
export const canCheck = async () => {
  try {
    await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
    return true;
  } catch {
    return false;
  }
};

/**
 * Canonical JSON (RFC 8785) of the types that a receipt has. JSON.stringify can't write it: objects sort integer
 * keys by value (9, 10), canonical JSON sorts them as text ("10", "9").
 *
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = /** @type {Record<string, unknown>} */ (value);
  return `{${Object.keys(fields).sort().map((each) => `${JSON.stringify(each)}:${canonical(fields[each])}`)}}`;
}

/** @param {unknown} value */
const encoded = (value) => new TextEncoder().encode(canonical(value));

/** @param {string} text */
const decoded = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));

/**
 * Whether the service has signed the receipt, and whether the receipt covers these answers.
 *
 * @param {Receipt} receipt
 * @param {(JsonWebKey & { kid: string })[]} keys
 * @param {Given | null} given
 * @returns {Promise<Verdict>}
 */
export async function check(receipt, keys, given) {
  const { signature, ...signed } = receipt;
  const jwk = keys.find((each) => each.kid === receipt.key_id);
  // As "raw", because WebKit rejects this key as "jwk": it accepts no field "use".
  const key = jwk && (await crypto.subtle.importKey("raw", decoded(jwk.x ?? ""), "Ed25519", false, ["verify"]));
  const isGenuine = key !== undefined && (await crypto.subtle.verify("Ed25519", key, decoded(signature), encoded(signed)));
  if (!given) return { isGenuine, isComplete: null };
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoded({ salt: receipt.salt, answers: given })));
  return { isGenuine, isComplete: decoded(receipt.digest).every((each, at) => each === digest[at]) };
}
