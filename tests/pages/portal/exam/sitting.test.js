// `sitting/` alone, with a model of the service and a clock that stands still: proves how often the page of an exam
// sends requests, what they contain, that candidates do not send them all at the same moment, and that no answer is
// lost if a reply comes late or not at all.

import { equal, ok, test } from "../../kit/cases.js";
import { Device, phoned } from "./devices.js";
import { FIRST, GRACE, MINUTE, Refused } from "./model.js";

const [ONE, TWO, THREE] = [FIRST, FIRST + 1, FIRST + 2];
const LASTS = 3600;

/** @param {{ name: string }[]} requests @param {string} name @returns {any[]} */
const named = (requests, name) => requests.filter((each) => each.name === name);

/** The pauses between times. @param {number[]} times */
const pauses = (times) => times.slice(1).map((each, index) => each - (times[index] ?? 0));

/** @param {number[]} found @param {number} from @param {number} to */
function between(found, from, to) {
  ok(found.length, "There is nothing.");
  ok(found.every((each) => from <= each && each <= to), `${found} are not between ${from} and ${to}.`);
}

/** @param {any[]} answers */
const byQuestion = (answers) => Object.fromEntries(answers.filter((each) => each.selected_option).map((each) => [each.question, each.selected_option]));

test("the start is one request", async () => {
  const it = phoned();
  equal((await it.start()).map((each) => each.name), ["open"]);
});

test("choices in a row share one save, which has only what has changed", async () => {
  const it = phoned({ random: 0.999 });
  await it.start();
  await it.passes(60);
  for (const letters of ["A", "-B", "C"]) {
    it.choose(letters);
    equal(await it.passes(0.5), []);
  }
  const [save] = named(await it.passes(5), "save");
  equal(byQuestion(save.body.answers), { [ONE]: "C", [TWO]: "B" });
  it.choose("--D");
  const saves = named(await it.passes(5), "save");
  equal(saves.map((each) => each.body.answers), [[{ question: THREE, selected_option: "D" }]]);
  equal(it.sitting.saving, "saved");
});

for (const [trip, shortest, longest] of [[0.1, 7.5, 15], [3, 15, 30], [20, 30, 60]]) {
  for (const [random, expected] of [[0, shortest], [0.999, longest]]) {
    test(`signs of life are ${expected} seconds apart if a reply takes ${trip} seconds`, async () => {
      const it = phoned({ random, trip });
      await it.passes(1 + Number(trip));
      void it.sitting.open();
      await it.passes(200);
      const saves = named(await it.passes(600), "save");
      equal(saves.flatMap((each) => each.body.answers), []);
      // Each pause begins after the reply, and every third one after news have been read, too.
      between(pauses(saves.map((each) => each.second)), Number(expected) - 0.1, Number(expected) + 2 * Number(trip) + 0.2);
    });
  }
}

for (const [random, pause] of [[0, 1.5], [0.999, 3]]) {
  test(`retries come at random times: after ${pause} seconds`, async () => {
    const it = phoned({ random });
    await it.start();
    it.line.lost.add("save");
    it.choose("A");
    const saves = named(await it.passes(20), "save");
    between(pauses(saves.map((each) => each.second)), Number(pause) - 0.1, Number(pause) + 0.1);
    equal(it.sitting.saving, "away");
    // Exactly the same save is sent again.
    equal(new Set(saves.map((each) => JSON.stringify(each.body))).size, 1);
  });
}

for (const [random, second] of [[0, 0], [0.5, 75], [0.999, 150]]) {
  test(`a candidate submits ${second} seconds after the deadline, at random in the first half of the grace period`, async () => {
    const it = phoned({ random });
    await it.start();
    it.choose("A");
    await it.passes(LASTS + 300);
    between(it.line.seconds("submit"), LASTS + Number(second) - 1, LASTS + Number(second) + 4);
  });
}

test("a device takes over what another one has saved before it submits at the deadline", async () => {
  const it = phoned({ random: 0.999 });
  await it.start();
  it.choose("A");
  await it.passes(LASTS + 10);
  equal(it.sitting.phase, "over");
  it.exam.save({ sequence: 9000, answers: [{ question: TWO, selected_option: "B" }] });
  const [submission] = named(await it.passes(200), "submit");
  equal(byQuestion(submission.body), { [ONE]: "A", [TWO]: "B" });
});

test("a choice that is taken back is unsaved until the service has confirmed it", async () => {
  const it = phoned({ random: 0.999 });
  await it.start();
  await it.save("B");
  it.line.lost.add("save");
  it.choose("C");
  await it.passes(2.5);
  it.choose("B");
  equal(it.sitting.unsaved, [ONE]);
  // If the page is closed now, the service gets the choice that counts.
  it.line.sent.length = 0;
  it.tab.happens("pagehide");
  const sent = it.line.sent.map((each) => each.body);
  equal(sent.map((each) => each.answers), [[{ question: ONE, selected_option: "B" }]]);
  await it.passes(0.1);
  it.line.lost.clear();
  const requests = await it.passes(5);
  equal(requests[0]?.body, sent[0]);
  // Another device may have saved in between, so the page reads the draft.
  ok(named(requests, "draft").length);
  equal([it.sitting.saving, it.sitting.chosen(ONE), it.exam.final[0]], ["saved", "B", "B"]);
});

test("a save that overtakes one of another device is merged, question by question", async () => {
  const it = phoned();
  const laptop = new Device(it.exam, it.proof);
  await it.start();
  await it.save("BB");
  const { sitting } = laptop.open();
  await it.passes(1);
  it.line.isCut = true;
  it.choose("-C");
  await it.passes(5);
  sitting.answer(ONE, "A");
  sitting.answer(THREE, "D");
  await it.passes(3);
  await it.back();
  await it.passes(3);
  equal(it.sitting.elsewhere, [
    { question: ONE, selected_option: "A" },
    { question: THREE, selected_option: "D" },
  ]);
  equal([it.exam.final.slice(0, 4), it.sitting.saving], ["ACD-", "saved"]);
  // The next choice takes the message away.
  it.choose("---A");
  equal(it.sitting.elsewhere, []);
});

test("a paper that arrives late undoes no answer", async () => {
  const it = phoned();
  await it.start();
  it.line.late.open = 5;
  void it.sitting.open();
  it.choose("C");
  const saves = named(await it.passes(10), "save").map((each) => each.body.sequence);
  equal(it.sitting.chosen(ONE), "C");
  equal(saves, [...new Set(saves)].sort((one, other) => one - other));
});

test("a paper that arrives late undoes no submission", async () => {
  const it = phoned({ random: 0.999 });
  await it.start();
  it.line.late.open = 5;
  void it.sitting.open();
  it.line.lost.add("submit");
  void it.sitting.submit();
  await it.passes(10);
  equal(it.sitting.phase, "submitting");
  it.line.lost.clear();
  await it.passes(120);
  equal(it.sitting.phase, "ended");
});

test("an old reply does not take the paper away", async () => {
  const it = phoned();
  await it.passes(1);
  it.line.late.time = 5;
  it.phone.online();
  await it.passes(1);
  void it.sitting.open();
  await it.passes(1);
  equal(it.sitting.phase, "running");
  await it.passes(10);
  equal(it.sitting.phase, "running");
});

for (const [seconds, phase] of [[200, "submitting"], [900, "nothing"]]) {
  test(`time that is given after a rejected submission can be used: ${phase}`, async () => {
    const it = phoned({ random: 0.999 });
    await it.start();
    for (const each of /** @type {const} */ (["time", "save", "submit", "receipt"])) it.line.lost.add(each);
    it.line.errors = Object.fromEntries(["save", "open", "submit"].map((each) => [each, new Refused(403, "exam_not_open")]));
    it.line.isCut = true;
    it.choose("A");
    await it.passes(LASTS + 350);
    it.line.isCut = false;
    it.line.lost.clear();
    await it.passes(Number(seconds));
    equal(it.sitting.phase, phase);
    it.line.errors = {};
    it.exam.giveTime(120);
    it.sitting.hear("clock", it.exam.time());
    const requests = await it.passes(60);
    equal([it.sitting.phase, it.sitting.saving, named(requests, "submit")], ["running", "saved", []]);
  });
}

test("time that is given while the socket is closed is found when it opens", async () => {
  const it = phoned({ random: 0.999 });
  await it.start();
  await it.save("A");
  it.line.isCut = true;
  await it.passes(LASTS + 350);
  it.line.isCut = false;
  await it.passes(60);
  equal([it.sitting.phase, it.sitting.receipt?.handed_in_by], ["ended", "service"]);
  it.exam.giveTime(120);
  void it.sitting.catchUp();
  await it.passes(5);
  equal(it.sitting.phase, "running");
});

test("time that is given after the deadline can be used, by a message and by a request", async () => {
  const it = phoned({ random: 0.9 });
  await it.start();
  it.choose("BC");
  await it.passes(LASTS + 2);
  equal([it.sitting.phase, it.exam.final.slice(0, 2)], ["over", "BC"]);
  it.exam.giveTime(10);
  it.sitting.hear("clock", it.exam.time());
  equal(it.sitting.phase, "running");
  it.choose("--A");
  await it.passes(602);
  equal(it.sitting.phase, "over");
  // Without a message, the page asks the service before it submits.
  it.exam.giveTime(10);
  await it.back();
  equal(it.sitting.phase, "running");
  it.choose("---A");
  void it.sitting.submit();
  await it.passes(1);
  equal([it.sitting.phase, it.exam.submitted], ["ended", "BCAA"]);
  equal(it.sitting.messages.map((each) => [each.kind, each.minutes]), [["time", 10], ["time", 10]]);
});

test("time that is given after the automatic submission reopens the exam with all answers", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.line.isCut = true;
  it.choose("-C");
  await it.jumps(LASTS + 360);
  await it.back();
  equal([it.sitting.phase, it.sitting.receipt?.handed_in_by, it.exam.submitted], ["ended", "service", "B"]);
  equal(byQuestion(it.sitting.late), { [TWO]: "C" });
  it.exam.giveTime(10);
  it.sitting.hear("clock", it.exam.time());
  await it.passes(4);
  equal([it.sitting.phase, it.sitting.saving, it.sitting.late, it.exam.final.slice(0, 2)], ["running", "saved", [], "BC"]);
  await it.save("--D");
  void it.sitting.submit();
  await it.passes(1);
  equal([it.exam.submitted, it.sitting.late, (await it.sitting.check()).isComplete], ["BCD", [], true]);
});

test("a submission that staff take back goes on from the page that showed its receipt", async () => {
  const it = phoned();
  await it.start();
  await it.save("BC");
  it.choose("--A");
  void it.sitting.submit();
  await it.passes(1);
  equal([it.sitting.phase, it.exam.submitted], ["ended", "BCA"]);
  // The receipt stays while the submission counts.
  it.sitting.hear("clock", it.exam.time());
  await it.passes(4);
  equal([it.sitting.phase, it.sitting.receipt?.answered], ["ended", 3]);
  it.exam.reopen();
  it.sitting.hear("clock", it.exam.time());
  await it.passes(4);
  equal([it.sitting.phase, it.sitting.receipt, it.exam.final.slice(0, 3)], ["running", null, "BCA"]);
  await it.save("---D");
  void it.sitting.submit();
  await it.passes(1);
  equal([it.sitting.phase, it.exam.submitted, (await it.sitting.check()).isComplete], ["ended", "BCAD", true]);
});

test("a page that never reaches the service says so", async () => {
  const it = phoned({ prepare: (phone) => void (phone.line.isCut = true) });
  await it.passes(30);
  equal(it.sitting.phase, "away");
});

test("an exam that is switched off before the start is found when it is back", async () => {
  const it = phoned();
  await it.passes(1);
  equal(it.sitting.phase, "ready");
  it.exam.switch(false);
  await it.back();
  equal([it.sitting.phase, it.sitting.trouble], ["refused", null]);
  it.exam.switch(true);
  await it.passes(61);
  equal(it.sitting.phase, "ready");
});

test("a page that is seen again after sleep does not trust its clock", async () => {
  const it = phoned();
  await it.start();
  it.line.isCut = true;
  const left = Number(it.sitting.secondsLeft);
  // While a device sleeps, only the clock of its operating system goes on.
  it.sleeps(600);
  it.tab.happens("visibilitychange");
  document.dispatchEvent(new Event("visibilitychange"));
  await it.passes(1);
  ok(it.sitting.isUnsure);
  between([Number(it.sitting.secondsLeft)], left - 602, left - 600);
  await it.back();
  equal(it.sitting.isUnsure, false);
});

for (const hours of [-1, 1]) {
  test(`a clock of the device that is wrong by ${hours} hours changes nothing`, async () => {
    const it = phoned({ opensIn: 600, prepare: (_, clock) => clock.sleeps(hours * 3600) });
    await it.passes(1);
    between([Number(it.sitting.secondsToOpening)], 598, 600);
    await it.passes(602);
    await it.start();
    between([Number(it.sitting.secondsLeft)], LASTS - 3, LASTS);
    await it.save("B");
    it.choose("-C");
    await it.passes(LASTS);
    equal([it.sitting.phase, it.exam.submitted], ["ended", "BC"]);
  });
}

test("a device's clock that is set back during the exam gives no time", async () => {
  const it = phoned();
  await it.start();
  it.line.isCut = true;
  const left = Number(it.sitting.secondsLeft);
  it.clock.sleeps(-3600);
  await it.passes(5);
  between([Number(it.sitting.secondsLeft)], left - 5, left - 4);
});

test("the countdown goes on without a connection, also after a reload, and follows a start that is moved", async () => {
  const it = phoned({ opensIn: 300 });
  await it.passes(1);
  it.line.isCut = true;
  it.tab = it.tab.reload();
  await it.passes(10);
  equal([it.sitting.phase, it.sitting.isAway], ["before", true]);
  between([Number(it.sitting.secondsToOpening)], 288, 290);
  it.exam.move(it.exam.now() + 20 * MINUTE);
  await it.back();
  between([Number(it.sitting.secondsToOpening)], 20 * 60 - 2, 20 * 60);
  equal(it.sitting.isAway, false);
  it.exam.move(it.exam.now() - MINUTE);
  await it.back();
  equal(it.sitting.phase, "ready");
});

test("a start without a reply goes on when the connection is back", async () => {
  const it = phoned();
  await it.passes(1);
  it.line.lost.add("open");
  void it.sitting.open();
  await it.passes(5);
  equal([it.sitting.phase, it.sitting.isAway], ["opening", true]);
  it.line.lost.clear();
  await it.passes(10);
  equal(it.sitting.phase, "running");
});

test("a submission without a reply counts once, also after a reload", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.line.lost.add("submit").add("receipt");
  void it.sitting.submit();
  await it.passes(5);
  equal([it.sitting.phase, it.sitting.isAway], ["submitting", true]);
  it.tab = it.tab.reload();
  await it.passes(5);
  equal([it.sitting.phase, it.sitting.isAway], ["submitting", true]);
  it.line.lost.clear();
  await it.passes(10);
  equal([it.sitting.phase, it.sitting.receipt?.handed_in_by, it.exam.submitted], ["ended", "candidate", "B"]);
});

test("a candidate who is signed out goes on, and signs in on the page", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.line.isSignedOut = true;
  it.choose("-C");
  await it.passes(3);
  equal([it.sitting.saving, it.exam.final.slice(0, 2)], ["signedOut", "B-"]);
  it.choose("--D");
  it.line.isSignedOut = false;
  it.sitting.goOn();
  await it.passes(3);
  equal([it.sitting.saving, it.exam.final.slice(0, 3)], ["saved", "BCD"]);
  it.line.isSignedOut = true;
  void it.sitting.submit();
  await it.passes(5);
  equal([it.sitting.phase, it.sitting.trouble.status], ["submitting", 401]);
  it.line.isSignedOut = false;
  it.sitting.goOn();
  await it.passes(1);
  equal(it.exam.submitted, "BCD");
});

test("a candidate who submits without a connection and is back too late sees which answers are late", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.line.isCut = true;
  it.choose("-C");
  void it.sitting.submit();
  await it.passes(5);
  equal([it.sitting.phase, it.sitting.isAway], ["submitting", true]);
  await it.jumps(LASTS + 360);
  await it.back();
  equal([it.sitting.phase, it.sitting.receipt?.handed_in_by, it.exam.submitted], ["ended", "service", "B"]);
  equal(byQuestion(it.sitting.late), { [TWO]: "C" });
  equal((await it.sitting.check()).isComplete, false);
});

test("a candidate of whom no answer arrived keeps the answers, and waits for a receipt until no device can submit", async () => {
  const it = phoned();
  await it.start();
  it.line.isCut = true;
  it.choose("-C");
  await it.jumps(LASTS + 360);
  await it.back();
  equal(it.sitting.phase, "over");
  await it.passes(600);
  equal([it.sitting.phase, it.exam.submitted], ["nothing", null]);
  equal(byQuestion(it.sitting.late), { [TWO]: "C" });
});

test("answers reach the service from a page that is opened again after the conclusion", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.line.isCut = true;
  it.choose("-C");
  it.tab.kill();
  it.exam.conclude();
  it.line.isCut = false;
  it.tab = it.phone.open();
  await it.passes(GRACE / 1000 - 10);
  equal([it.sitting.phase, it.sitting.receipt?.handed_in_by, it.exam.submitted], ["ended", "candidate", "BC"]);
});

test("a candidate who is offline when the exam is concluded learns what counts", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.line.isCut = true;
  it.choose("-C");
  it.exam.conclude();
  await it.jumps(360);
  await it.back();
  equal([it.sitting.phase, it.sitting.wasClosedEarly, it.exam.submitted], ["ended", true, "B"]);
  equal(byQuestion(it.sitting.late), { [TWO]: "C" });
});

test("a device learns that another device has submitted", async () => {
  const it = phoned();
  await it.start();
  const laptop = new Device(it.exam, it.proof);
  const { sitting } = laptop.open();
  await it.passes(1);
  sitting.answer(ONE, "B");
  void sitting.submit();
  await it.passes(1);
  it.choose("-C");
  await it.passes(5);
  equal([it.sitting.phase, it.sitting.wasSubmittedHere, it.exam.submitted], ["ended", false, "B"]);
  equal((await it.sitting.check()).isComplete, false);
});

test("a device on which nothing was chosen leaves the submission to the others", async () => {
  const it = phoned();
  await it.start();
  it.line.isCut = true;
  it.choose("BC");
  const [laptop, tablet] = [new Device(it.exam, it.proof), new Device(it.exam, it.proof)];
  const one = laptop.open().sitting;
  await it.passes(1);
  equal([one.phase, it.sitting.isUsed, one.isUsed], ["running", true, false]);
  await it.jumps(LASTS + 60);
  // A device that opens the exam only now does the same.
  const other = tablet.open().sitting;
  await it.passes(60);
  equal([one.phase, other.phase, it.exam.submitted], ["over", "over", null]);
  await it.back();
  await it.passes(40);
  equal([it.sitting.phase, one.phase, other.phase, it.exam.submitted], ["ended", "ended", "ended", "BC"]);
});

test("a candidate who leaves at the deadline loses no answer", async () => {
  // The page waits for minutes until it submits.
  const it = phoned({ random: 0.9 });
  await it.start();
  await it.save("B");
  it.line.isCut = true;
  it.choose("-C");
  await it.jumps(LASTS);
  await it.back();
  await it.passes(2);
  equal([it.sitting.phase, it.exam.final.slice(0, 2)], ["over", "BC"]);
  it.tab.kill();
  await it.jumps(360);
  equal(it.exam.submitted, "BC");
});

test("two tabs show the same answers, and submit once", async () => {
  const it = phoned();
  await it.start();
  const tab = it.phone.open();
  await it.passes(1);
  equal([it.sitting.hasOtherTab, tab.sitting.hasOtherTab, tab.sitting.phase], [true, true, "running"]);
  it.choose("B");
  await it.passes(0);
  equal(tab.sitting.chosen(ONE), "B");
  tab.sitting.answer(TWO, "C");
  await it.passes(4);
  equal([it.sitting.chosen(TWO), it.sitting.saving, it.exam.final.slice(0, 2)], ["C", "saved", "BC"]);
  void it.sitting.submit();
  await it.passes(5);
  equal([it.sitting.phase, tab.sitting.phase, it.exam.submitted], ["ended", "ended", "BC"]);
  tab.sitting.end();
  // Signing out in another tab ends a sitting, and leaving its page ends it again.
  tab.sitting.end();
  await it.passes(0);
  equal(it.sitting.hasOtherTab, false);
});

test("a tab that is killed leaves its answers on the device", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.line.isCut = true;
  it.choose("-CD");
  it.tab.kill();
  it.tab = it.phone.open();
  await it.passes(5);
  equal([it.sitting.phase, it.sitting.unsaved], ["running", [TWO, THREE]]);
  await it.back();
  equal([it.sitting.saving, it.exam.final.slice(0, 3)], ["saved", "BCD"]);
});

test("a choice just before the page is hidden or left reaches the service", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.choose("-C");
  it.line.sent.length = 0;
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  it.tab.happens("visibilitychange");
  delete (/** @type {any} */ (document).hidden);
  equal([it.line.sent.map((each) => each.name), it.exam.final.slice(0, 2)], [["save"], "BC"]);
  await it.passes(5);
  it.choose("--D");
  it.tab.happens("pagehide");
  equal(it.exam.final.slice(0, 3), "BCD");
  // If nothing is unsaved, the page sends nothing.
  await it.passes(5);
  it.line.sent.length = 0;
  it.tab.happens("pagehide");
  equal(it.line.sent, []);
});

test("without storage, each answer is sent at once", async () => {
  const it = phoned({ prepare: (phone) => void (phone.isForbidden = true) });
  await it.start();
  equal(it.sitting.isStored, false);
  it.line.late.save = 2;
  it.choose("B");
  await it.passes(0.4);
  equal([it.sitting.saving, it.exam.final[0]], ["here", "B"]);
  await it.passes(3);
  equal(it.sitting.saving, "saved");
});

test("a device that gets full during the exam loses no answer", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.phone.isFull = () => true;
  await it.save("-C");
  equal(it.sitting.isStored, false);
  it.tab = it.tab.reload();
  await it.passes(3);
  // After a reload, the page has the answers of the service.
  await it.save("--D");
  equal([it.exam.questions.slice(0, 3).map((id) => it.sitting.chosen(id)).join(""), it.exam.final.slice(0, 3)], ["BCD", "BCD"]);
  it.phone.isFull = () => false;
  it.tab = it.tab.reload();
  await it.passes(3);
  await it.save("---A");
  equal([it.sitting.isStored, it.exam.final.slice(0, 4)], [true, "BCDA"]);
});

test("choices that the browser could not store come back from the service", async () => {
  const it = phoned();
  await it.start();
  await it.save("B--B");
  // The browser stores everything but choices, as if there was no room for just these.
  it.phone.isFull = (name) => name.includes(".chosen.");
  await it.save("AC");
  it.phone.isFull = () => false;
  it.tab = it.tab.reload();
  await it.passes(3);
  await it.save("--D");
  equal(it.exam.final.slice(0, 4), "ACDB");
  // They do not look as if another device had changed them.
  equal(it.sitting.elsewhere, []);
  // Without a connection, too, the page has them after a reload.
  it.phone.isFull = (name) => name.includes(".chosen.");
  await it.save("-B");
  it.phone.isFull = () => false;
  it.line.isCut = true;
  it.tab = it.tab.reload();
  await it.passes(3);
  it.choose("----C");
  equal(it.exam.questions.slice(0, 5).map((id) => it.sitting.chosen(id)).join(""), "ABDBC");
  await it.back();
  equal(it.exam.final.slice(0, 5), "ABDBC");
});

test("a busy service gets the pause that it asks for, and then every answer", async () => {
  const it = phoned();
  const busy = Object.assign(new Refused(503, "unavailable"), { retryAfter: 4 });
  await it.passes(1);
  for (const [name, act] of /** @type {const} */ ([
    ["open", () => it.sitting.open()],
    ["save", () => it.choose("B")],
    ["submit", () => it.sitting.submit()],
  ])) {
    it.line.errors = { [name]: busy };
    it.line.sent.length = 0;
    void act();
    await it.clock.passes(30);
    between(pauses(it.line.seconds(name)), 4, 15);
    it.line.errors = {};
    await it.clock.passes(20);
  }
  equal([it.sitting.phase, it.exam.submitted], ["ended", "B"]);
});

test("a rejected save is not called saved, and is sent again with the next choice", async () => {
  const it = phoned();
  await it.start();
  await it.save("B");
  it.line.errors.save = Object.assign(new Refused(400, "invalid"), { requestId: "8c1f0a" });
  it.choose("-C");
  await it.passes(3);
  equal([it.sitting.saving, it.sitting.unsaved, it.exam.final.slice(0, 2)], ["rejected", [TWO], "B-"]);
  it.line.errors = {};
  it.choose("--D");
  await it.passes(5);
  equal([it.sitting.saving, it.exam.final.slice(0, 3)], ["saved", "BCD"]);
});

test("on a slow connection the page says that it is saving", async () => {
  const it = phoned({ trip: 4 });
  await it.start();
  it.choose("B");
  await it.passes(3.5);
  equal(it.sitting.saving, "saving");
  await it.passes(6);
  equal(it.sitting.saving, "saved");
});

test("news are read every half a minute without a socket, and seldom with one", async () => {
  const it = phoned({ random: 0.999 });
  await it.start();
  between(pauses(named(await it.passes(600), "time").map((each) => each.second)), 30, 46);
  it.sitting.isLive = true;
  await it.passes(60);
  between(pauses(named(await it.passes(900), "time").map((each) => each.second)), 180, 196);
  equal(it.line.seconds("messages"), []);
  const heard = [];
  it.sitting.addEventListener("message", (event) => heard.push(/** @type {any} */ (event).detail.text));
  it.exam.messages.push({ kind: "announcement", id: 1, text: "Read 17.", at: new Date(it.exam.now()).toISOString() });
  await it.passes(200);
  equal([heard, it.line.seconds("messages").length, it.sitting.messages[0]?.isNew], [["Read 17."], 1, true]);
  it.sitting.readMessages();
  it.tab = it.tab.reload();
  await it.passes(60);
  equal(it.sitting.messages.map((each) => [each.text, each.isNew]), [["Read 17.", false]]);
});
