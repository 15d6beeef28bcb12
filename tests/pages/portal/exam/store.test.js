// What is stored of an exam on the device: that exams of every version of the stored form can be continued, and whose
// they are. `stored-1.json` is a device's storage after a save without a reply. It must never change: when the form
// changes, a new file is added.

import { check } from "../../../../competition/plugins/pages/static/ground/receipts.js";
import { Sitting } from "../../../../competition/plugins/portal/static/exam/sitting/sitting.js";
import { CHOSEN, clear, hasExams, holder, Store, unsent } from "../../../../competition/plugins/portal/static/exam/sitting/store.js";
import { equal, ok, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { Exam } from "./model.js";
import { Line, USER } from "./devices.js";

const DEVICES = ["stored-1.json"];

/** Store what a device has kept. @param {string} file */
async function keep(file) {
  const kept = await (await fetch(`/tests/pages/portal/exam/${file}`)).json();
  for (const [name, text] of Object.entries(kept)) localStorage.setItem(name, text);
}

const names = () => Object.keys(localStorage).sort();

for (const file of DEVICES) {
  test(`an exam that is stored as in ${file} goes on without a connection`, async () => {
    await keep(file);
    stopClock("2026-03-10T10:10:00Z");
    const line = new Line();
    line.isCut = true;
    const sitting = new Sitting({ service: line.to(new Exam(), () => true), check, exam: 7, user: USER, storage: localStorage });
    await sitting.begin();
    equal(sitting.phase, "running");
    equal(sitting.paper?.questions.map((each) => [each.id, sitting.chosen(each.id), sitting.isFlagged(each.id)]),
      [[101, "A", false], [102, "D", true], [103, "C", false], [104, "", false]]);
    equal([sitting.unsaved, sitting.blank, sitting.isUsed], [[102, 103], [104], true]);
    equal([sitting.times.deadline, Math.round(sitting.secondsLeft ?? 0)], ["2026-03-10T11:00:00Z", 50 * 60 - 2]);
    equal(sitting.messages.map((each) => [each.text, each.isNew]), [["Lunch is at noon.", true]]);
    sitting.end();
  });
}

test("the choices that the service does not have are named, if it could still get them", async () => {
  await keep("stored-1.json");
  const store = new Store(7, USER, localStorage);
  equal(unsent(localStorage, USER), [store.nameOf(102), store.nameOf(103)]);
  equal(unsent(localStorage, "another"), []);
  for (const [by, count] of /** @type {const} */ ([["service", 2], ["candidate", 0], ["staff", 0]])) {
    store.set("receipt", { exam: 7, handed_in_by: by });
    equal(unsent(localStorage, USER).length, count, by);
  }
  store.drop("receipt");
  store.set("late", [{ question: 103, selected_option: "C" }]);
  equal(unsent(localStorage, USER), [store.nameOf(103)], "The receipt was compared with the answers.");
  store.set("clock", { ...store.get("clock"), sealed: true });
  equal(unsent(localStorage, USER), []);
  store.drop("clock");
  localStorage.setItem(`${store.name}.draft`, "{");
  equal(unsent(localStorage, USER), [], "An exam that nobody can read keeps nobody.");
});

test("a paper has one holder, or nobody knows whose it is", async () => {
  equal([holder(null, "7"), holder(localStorage, "7"), hasExams(localStorage)], [null, null, false]);
  await keep("stored-1.json");
  equal([holder(localStorage, "7"), holder(localStorage, "8"), hasExams(localStorage)], [USER, null, true]);
  new Store(7, "another", localStorage).set("paper", {});
  equal(holder(localStorage, "7"), null);
});

test("clearing removes the exams of one user, or of all others, and nothing else", async () => {
  await keep("stored-1.json");
  localStorage.setItem("pages.config", "{}");
  const own = names();
  new Store(8, "another", localStorage).set("used", true);
  const all = names();
  clear(localStorage, { of: "nobody" });
  equal(names(), all);
  clear(localStorage, { except: USER });
  equal(names(), own);
  clear(localStorage, { of: USER });
  equal(names(), ["pages.config"]);
});

for (const [what, whose, stays] of /** @type {[string, Parameters<typeof clear>[1], boolean][]} */ ([
  ["while another user is signed in", { except: "another" }, true],
  ["after the user has signed out of an own device", { of: USER, isOwn: true }, true],
  ["after the user has signed out of a shared computer", { of: USER, isOwn: false }, false],
])) {
  test(`an exam that this release can't read ${stays ? "stays" : "is deleted"} ${what}, and keeps no other exam`, async () => {
    await keep("stored-1.json");
    stopClock("2026-03-20T10:00:00Z");
    localStorage.setItem(`exam.7.${USER}.draft`, "{");
    new Store(8, USER, localStorage).set("used", true);
    clear(localStorage, whose);
    equal([localStorage.getItem(`exam.7.${USER}.chosen.102`) !== null, localStorage.getItem(`exam.8.${USER}.used`)], [stays, null]);
  });
}

test("a choice that the browser can't store is kept in memory, and replaces the stored one", () => {
  const full = { getItem: () => null, setItem: () => { throw new DOMException("full", "QuotaExceededError"); }, removeItem: (/** @type {string} */ name) => void removed.push(name), [`exam.7.${USER}.${CHOSEN}101`]: "" };
  /** @type {string[]} */
  const removed = [];
  const store = new Store(7, USER, /** @type {any} */ (full));
  store.set(`${CHOSEN}101`, "B");
  equal([store.get(`${CHOSEN}101`), store.works, removed], ["B", false, [store.nameOf(101)]]);
  ok(new Store(7, USER, null).get("paper") === null);
});
