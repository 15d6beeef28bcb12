// Receipts with a signature, as the service makes them.

import { example } from "../../kit/examples.js";

const encoded = (/** @type {ArrayBuffer} */ buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** Canonical JSON: all keys in the order of their text. @param {any} value */
function canonical(value) {
  const keys = new Set();
  JSON.stringify(value, (key, each) => (keys.add(key), each));
  return new TextEncoder().encode(JSON.stringify(value, /** @type {string[]} */ ([...keys].toSorted())));
}

/** A signing key of the service. */
export async function signer() {
  const { publicKey, privateKey } = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]));
  const { x } = await crypto.subtle.exportKey("jwk", publicKey);
  const key = { kty: "OKP", crv: "Ed25519", x, kid: "the-key", alg: "EdDSA", use: "sig" };
  /**
   * @param {Record<string, string>} answers The chosen options by question id.
   * @param {Record<string, any>} [fields]
   */
  const receipt = async (answers, fields) => {
    const salt = "the-salt";
    const digest = encoded(await crypto.subtle.digest("SHA-256", canonical({ salt, answers })));
    const { signature: _, ...signed } = example("Receipt", { exam: 7, salt, digest, key_id: key.kid, answered: Object.keys(answers).length, ...fields });
    return { ...signed, signature: encoded(await crypto.subtle.sign("Ed25519", privateKey, canonical(signed))) };
  };
  return { key, receipt };
}
