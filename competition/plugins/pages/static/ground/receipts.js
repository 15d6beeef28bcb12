// Check receipts with the service's public keys. This module knows no page and no address, and makes no request. It
// imports nothing, so clients of the service may copy this file.

/** @typedef {{ exam: number, submitted_at: string, handed_in_by: "candidate" | "service" | "staff", questions: number, answered: number, salt: string, digest: string, key_id: string, signature: string, candidate: string }} Receipt */
/** @typedef {{ kid: string, x: string }} PublicKey A JSON Web Key; only the fields that are used. */
/** @typedef {{ question: number, selected_option: string }} Answer An answer with the option "" is blank. */
/** @typedef {{ isGenuine: boolean, isComplete: boolean | null }} Checked `isComplete` is null if no answers were compared. */

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
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (value?.constructor !== Object) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((each) => `${JSON.stringify(each)}:${canonical(value[each])}`)}}`;
}

/** @param {any} value */
const encoded = (value) => new TextEncoder().encode(canonical(value));

/** @param {string} text */
const decoded = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));

/**
 * Whether the service has signed the receipt, and whether the receipt covers these answers. Null if the browser can't
 * check it, because it has no Ed25519, the page is not secure, or the receipt has other fields.
 *
 * @param {Receipt} receipt
 * @param {PublicKey[]} keys
 * @param {Answer[] | null} answers
 * @returns {Promise<Checked | null>}
 */
export async function check(receipt, keys, answers) {
  const { signature, ...signed } = receipt;
  const jwk = keys.find((each) => each.kid === receipt.key_id);
  try {
    // Import the key as "raw". WebKit rejects it as "jwk", because it has the field "use".
    const key = jwk && (await crypto.subtle.importKey("raw", decoded(jwk.x), "Ed25519", false, ["verify"]));
    const isGenuine = key !== undefined && (await crypto.subtle.verify("Ed25519", key, decoded(signature), encoded(signed)));
    if (!answers) return { isGenuine, isComplete: null };
    const given = Object.fromEntries(answers.filter((each) => each.selected_option).map((each) => [each.question, each.selected_option]));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoded({ salt: receipt.salt, answers: given })));
    return { isGenuine, isComplete: decoded(receipt.digest).every((each, at) => each === digest[at]) };
  } catch {
    return null;
  }
}
