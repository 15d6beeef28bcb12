// Examples with all properties, one item in each list, and nothing that is null. All ids are the same, so the
// examples belong together.
//
//     const service = new Service({ ...readings, "GET /appeals/{appeal_id}/": full("Appeal", { status: "accepted" }) });

import { merged } from "./examples.js";

/** @type {Record<string, any>} */
const all = await (await fetch("/full-examples.json")).json();

const ONE = { page: 1, page_size: 20, total_pages: 1, has_next: false, has_previous: false, next: null, previous: null };

/**
 * @param {string} name As in `example`.
 * @param {Record<string, any>} [values]
 */
export function full(name, values) {
  if (!(name in all)) throw new Error(`The document has no ${name}.`);
  const body = withOnePage(structuredClone(all[name]));
  return values ? merged(body, values) : body;
}

/** The replies to all GET requests, for `Service`. */
export const readings = Object.fromEntries(Object.keys(all).filter((each) => each.startsWith("GET ")).map((each) => [each, () => full(each)]));

/** @param {any} body @returns {any} */
function withOnePage(body) {
  if (Array.isArray(body)) return body.map(withOnePage);
  if (body === null || typeof body !== "object") return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, key === "pagination" ? { ...value, ...ONE } : withOnePage(value)]));
}
