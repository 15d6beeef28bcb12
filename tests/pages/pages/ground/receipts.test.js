// Receipts are checked without a service. This receipt was signed for the test.

import { canCheck, canonical, check } from "../../../../competition/plugins/pages/static/ground/receipts.js";
import { equal, ok, test } from "../../kit/cases.js";

const answers = [{ question: 9, selected_option: "A" }, { question: 10, selected_option: "D" }, { question: 11, selected_option: "" }];
const bytes = (/** @type {any} */ value) => new TextEncoder().encode(canonical(value));
const encoded = (/** @type {ArrayBuffer} */ buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

async function signed() {
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]));
  const digest = encoded(await crypto.subtle.digest("SHA-256", bytes({ salt: "c2FsdA", answers: { 9: "A", 10: "D" } })));
  const content = { exam: 7, candidate: "8f14", submitted_at: "2026-03-10T10:30:00Z", handed_in_by: /** @type {const} */ ("candidate"), questions: 3, answered: 2, salt: "c2FsdA", digest, key_id: "key-1" };
  const signature = encoded(await crypto.subtle.sign("Ed25519", pair.privateKey, bytes(content)));
  return { receipt: { ...content, signature }, keys: [{ kid: "key-1", x: encoded(await crypto.subtle.exportKey("raw", pair.publicKey)) }] };
}

test("the names in canonical JSON are sorted as texts", () => {
  equal(canonical({ answers: { 9: "A", 10: "D" }, salt: "é" }), '{"answers":{"10":"D","9":"A"},"salt":"é"}');
});

test("a receipt is genuine, and complete for the submitted answers only", async () => {
  const { receipt, keys } = await signed();
  ok(await canCheck());
  equal(await check(receipt, keys, answers), { isGenuine: true, isComplete: true });
  equal(await check(receipt, keys, answers.slice(1)), { isGenuine: true, isComplete: false });
  equal(await check(receipt, keys, null), { isGenuine: true, isComplete: null });
  equal(await check({ ...receipt, answered: 3 }, keys, answers), { isGenuine: false, isComplete: true });
  equal(await check(receipt, [], answers), { isGenuine: false, isComplete: true });
});

test("a browser without Ed25519, and a receipt that can't be read, give no verdict", async () => {
  const { receipt, keys } = await signed();
  equal(await check({ ...receipt, signature: "*" }, keys, answers), null);
  SubtleCrypto.prototype.importKey = SubtleCrypto.prototype.generateKey = () => Promise.reject(new DOMException("unknown", "NotSupportedError"));
  equal([await canCheck(), await check(receipt, keys, answers)], [false, null]);
});
