// The answers of an exam without its phases: what a save contains, what a reply settles, and how the answers of two
// devices are merged.

import { Draft } from "../../../../competition/plugins/portal/static/exam/sitting/draft.js";
import { Store } from "../../../../competition/plugins/portal/static/exam/sitting/store.js";
import { equal, test } from "../../kit/cases.js";

/** @typedef {import("../../../../competition/plugins/portal/static/exam/sitting/store.js").Option} Option */

/** A draft with questions 1 to 3, of which the service has `saved`. @param {Record<number, Option>} [saved] */
function draft(saved) {
  const store = new Store(7, "user", null);
  store.set("paper", { title: "Round 1", minutes: 60, questions: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  if (saved) store.set("draft", { sequence: 4, saved, sent: null });
  return new Draft(store);
}

const given = (/** @type {Record<number, Option>} */ options) => Object.entries(options).map(([question, selected_option]) => ({ question: Number(question), selected_option }));
const letters = (/** @type {Draft} */ it) => it.questions.map((id) => it.chosen(id) || "-").join("");

test("a save has the choices that the service does not have, and is repeated until there is a reply", () => {
  const it = draft({ 1: "A" });
  it.choose(2, "B");
  const sent = it.next();
  equal(sent, { sequence: 5, follows: 4, answers: given({ 2: "B" }) });
  it.choose(3, "C");
  equal(it.next(), sent);
  equal(it.unsaved, [2, 3]);
  equal([it.confirm(sent), it.unsaved], [true, [3]]);
  equal(it.next(), { sequence: 6, follows: 5, answers: given({ 3: "C" }) });
});

test("the save of a page that is left follows the one without a reply, which then settles nothing", () => {
  const it = draft({});
  it.choose(1, "A");
  const sent = it.next();
  it.choose(1, "B");
  const last = it.last();
  equal(last, { sequence: 6, follows: 4, answers: given({ 1: "B" }) });
  equal([it.waitsFor(sent), it.waitsFor(last), it.confirm(last)], [false, true, false]);
});

test("a choice made here stays, unless another device has since changed the same answer", () => {
  const it = draft({ 1: "A", 2: "A", 3: "A" });
  it.choose(1, "B");
  it.choose(2, "B");
  equal(it.merge({ sequence: 9, answers: given({ 1: "A", 2: "C", 3: "D" }) }), given({ 2: "C", 3: "D" }));
  equal([letters(it), it.unsaved], ["BCD", [1]]);
  equal(it.next().sequence, 10);
});

test("a draft that is older than a save of this browser changes no choice", () => {
  const it = draft({ 1: "A" });
  it.choose(1, "A");
  equal([it.merge({ sequence: 3, answers: given({ 1: "D" }) }), letters(it), it.next().sequence], [[], "A--", 5]);
});

test("the first draft on a device is no change by another one", () => {
  const it = draft();
  equal([it.merge({ sequence: 2, answers: given({ 1: "D" }) }), letters(it)], [[], "D--"]);
});
