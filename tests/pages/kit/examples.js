// Examples of what the service sends, made from its OpenAPI document: the least that each schema requires.
//
//     const row = example("CandidateRow", { user: { first_name: "Amara" }, school: "Hillside School" });
//     const exam = example("GET /exams/{exam_id}/", { title: "Round 1" });
//
// A name is that of a component, or of an operation, for the body of its successful reply.

/** @type {Record<string, any>} */
const all = await (await fetch("/examples.json")).json();

/** The operations that have an example, by their method and path. */
export const operations = Object.fromEntries(Object.entries(all).filter(([name]) => name.includes(" ")));

/**
 * @param {string} name
 * @param {Record<string, any>} [values] They replace values of the example. Objects are merged, lists are not.
 */
export function example(name, values) {
  if (!(name in all)) throw new Error(`The document has no ${name}.`);
  const body = structuredClone(all[name]);
  return values ? merged(body, values) : body;
}

/** @param {any} one @param {any} other @returns {any} */
export function merged(one, other) {
  if (!isObject(one) || !isObject(other)) return other;
  return { ...one, ...Object.fromEntries(Object.entries(other).map(([key, value]) => [key, key in one ? merged(one[key], value) : value])) };
}

/** @param {unknown} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
