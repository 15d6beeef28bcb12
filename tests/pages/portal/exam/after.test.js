// The page after an exam: what it says about the submission, the receipt, late answers, and what stays on the device.

import { equal, ok, test } from "../../kit/cases.js";
import { push } from "../../kit/front-end.js";
import { click, screen } from "../../kit/screen.js";
import { refused } from "../../kit/service.js";
import { clear } from "../../../../competition/plugins/portal/static/exam/sitting/store.js";
import { FIRST } from "./model.js";
import { DRAFT, opened, SUBMIT } from "./page.js";

/** The names under which the browser has stored exams. */
const kept = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((each) => each.startsWith("exam."));

/** Note what the page saves as files. */
function files() {
  /** @type {Promise<string>[]} */
  const found = [];
  URL.createObjectURL = (blob) => {
    found.push(/** @type {Blob} */ (blob).text());
    return "blob:none";
  };
  HTMLAnchorElement.prototype.click = function () {
    if (!this.download) this.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  };
  return found;
}

test("a candidate submits and saves the receipt, and the device forgets the exam", async () => {
  const saved = files();
  const it = await opened();
  it.choose("B");
  await it.passes(3);
  await it.submit();
  await it.reads(/^Submitted at .* The league has received your answer to one of 12 questions.$/);
  equal((await it.shows("link", "Home")).getAttribute("href"), "/home");
  // Words come before the key and the signature.
  ok(document.querySelector(".sheet details:not([open]) code"));
  equal(document.querySelectorAll(".sheet code").length, document.querySelectorAll(".sheet details code").length);
  ok(it.said("status: Submitted at").length);
  await it.until(() => screen.queryByText(/matches the answers on this device/));
  click(await it.shows("button", "Save the receipt"));
  equal(JSON.parse((await saved[0]) ?? "").handed_in_by, "candidate");
  ok(kept().length);
  click(await it.shows("button", "Forget on this device"));
  await it.until(() => location.pathname === "/home");
  equal(kept(), []);
});

test("a receipt that is not genuine is called so", async () => {
  const it = await opened();
  const forge = it.service.replies[SUBMIT];
  it.service.replies[SUBMIT] = async (/** @type {any} */ asked) => {
    const reply = await forge(asked);
    reply.body.receipt.answered = 12;
    return reply;
  };
  await it.submit();
  await it.until(() => screen.queryByText(/The receipt is not genuine/));
});

test("a device without the answers does not compare them with the receipt", async () => {
  const it = await opened({
    start: false,
    prepare: (exam) => {
      exam.open();
      exam.submit([{ question: FIRST, selected_option: "B" }]);
    },
  });
  await it.reads("The league has received your answer to one of 12 questions.");
  await it.until(() => screen.queryByText("The receipt is genuine."));
});

test("a candidate who is offline at the end sees which answers were submitted and which are late", async () => {
  const it = await opened();
  it.choose("B");
  await it.passes(3);
  it.line.isCut = true;
  await it.goTo(2);
  it.choose("C");
  await it.jumps(66 * 60);
  await it.back();
  await it.reads("The league submitted your saved answer for you.");
  await it.reads(/Your answer to question 2 is on this device only/);
  await it.reads(/staff can give you more time, after which this device sends what is missing. It stays here for 30 days./);
  await it.until(() => screen.queryByText(/It does not cover all answers on this device./));
  // Staff give time, and the device sends it.
  it.exam.giveTime(30);
  push("portal", "exam_clock", { exam: 7, ...it.exam.time() });
  await it.reads("Question 2 of 12");
  await it.passes(3);
  equal(it.exam.final.slice(0, 2), "BC");
});

test("once the exam is sealed, answers that did not arrive can no longer count", async () => {
  const it = await opened();
  it.choose("B");
  await it.passes(3);
  it.line.isCut = true;
  await it.goTo(2);
  it.choose("C");
  await it.jumps(66 * 60);
  it.exam.isSealed = true;
  await it.back();
  await it.reads(/Your answer to question 2 is on this device only: it did not reach the league in time. The results are final, so this can no longer count./);
});

test("a candidate of whom no answer arrived is told whom to contact", async () => {
  const it = await opened();
  it.line.isCut = true;
  it.choose("C");
  await it.jumps(66 * 60);
  await it.back();
  await it.reads("Your time is up.");
  await it.passes(400);
  await it.reads("No answers reached the league, so nothing was submitted. Contact help@league.example.");
  await it.shows("heading", "Nothing was submitted");
  ok(it.said("No answers reached the league").some((each) => each.startsWith("alert:")));
  await it.reads("staff can give you more time");
});

test("an exam that is concluded early says what counts", async () => {
  const it = await opened();
  it.choose("B");
  await it.passes(3);
  it.exam.conclude();
  await it.jumps(360);
  await it.back();
  await it.reads(/^The league closed the exam at .* Your answer saved by then counts.$/);
});

test("after an early conclusion, a page says that the league has the answers, and can be closed", async () => {
  const it = await opened();
  Math.random = () => 0.9;
  it.choose("B");
  await it.goTo(2);
  it.choose("C");
  await it.passes(20);
  it.exam.conclude();
  await it.passes(40);
  await it.shows("heading", "The exam is closed");
  await it.reads("The league has your 2 answers. You can close this page.");
});

test("a page with an answer that the league does not have asks to keep it open", async () => {
  const it = await opened();
  Math.random = () => 0.9;
  it.choose("B");
  await it.passes(20);
  it.exam.conclude();
  it.choose("C");
  it.line.errors.push([DRAFT, refused(503, "service_unavailable")]);
  push("portal", "exam_clock", { exam: 7, ...it.exam.time() });
  await it.until(() => document.querySelector("main.after") ?? void it.clock.passes(1));
  await it.reads("The league has closed the exam. This page is sending your last answers. Keep it open.");
});

test("after the deadline too, a page with nothing to send says that it can be closed", async () => {
  const it = await opened({ about: { countdown_minutes: 1 } });
  Math.random = () => 0.9;
  it.choose("B");
  await it.passes(61);
  await it.shows("heading", "Your time is up");
  await it.reads("You can close this page");
});

test("the page says that the time is up, and whether another device submits", async () => {
  const it = await opened({ about: { countdown_minutes: 1 } });
  Math.random = () => 0.9;
  await it.passes(61);
  await it.shows("heading", "Your time is up");
  await it.reads(/^At \d\d:\d\d.*, the league submits the answers that it has.$/);
});

test("a candidate who is signed out while submitting signs in on the page", async () => {
  const it = await opened();
  it.choose("B");
  await it.passes(3);
  it.line.errors.push([SUBMIT, refused(401, "not_authenticated")]);
  await it.submit();
  await it.passes(1);
  await it.reads("You have been signed out");
  click(await it.shows("button", "Sign in"));
  await it.shows("dialog", "Sign in");
  await it.back();
  await it.reads("The league has received your answer to one of 12 questions.");
});

test("on a shared computer, an exam goes with the receipt when the candidate leaves the page", async () => {
  const it = await opened({ isShared: true });
  it.choose("B");
  await it.passes(3);
  equal(Object.keys(localStorage).filter((each) => each.startsWith("exam.")), []);
  ok(kept().length);
  await it.submit();
  await it.reads("when you leave this page, your answers are deleted here");
  ok(kept().length);
  click(await it.shows("link", "Results"));
  await it.until(() => location.pathname === "/results/7");
  await it.until(() => !kept().length);
});

test("on a shared computer, answers that are late stay", async () => {
  const it = await opened({ isShared: true });
  it.choose("B");
  await it.passes(3);
  it.line.isCut = true;
  await it.goTo(2);
  it.choose("C");
  await it.jumps(66 * 60);
  await it.back();
  await it.reads("did not reach the league in time");
  await it.reads("Keep this tab open.");
  click(await it.shows("link", "Results"));
  await it.until(() => location.pathname === "/results/7");
  await it.passes(1);
  ok(kept().length);
});

const DAY = 24 * 3600_000;
const LATE = [{ question: 102, selected_option: "C" }];
for (const [what, whose, ends, more, stays] of /** @type {[string, Parameters<typeof clear>[1], number, Record<string, any>, boolean][]} */ ([
  ["29 days after the end, beside the service's receipt", { except: "ben" }, -29 * DAY, { receipt: { handed_in_by: "service" }, late: LATE }, true],
  ["29 days after the end, with nobody signed in", {}, -29 * DAY, { late: LATE }, true],
  ["31 days after the end", {}, -31 * DAY, { late: LATE }, false],
  ["of an exam that is sealed", { except: "ben" }, -2 * DAY, { late: LATE, sealed: true }, false],
  ["beside the candidate's own submission", { except: "ben" }, -2 * DAY, { receipt: { handed_in_by: "candidate" } }, false],
  ["of the user who signs out of an own device", { of: "ada", isOwn: true }, -DAY, {}, true],
  ["of the user who signs out of a shared computer", { of: "ada" }, -DAY, {}, false],
])) {
  test(`answers that the service does not have ${stays ? "stay" : "are deleted"}: ${what}`, () => {
    const { sealed, ...values } = more;
    const all = { paper: { questions: [{ id: 101 }, { id: 102 }] }, draft: { saved: { 101: "B" } }, "chosen.101": "B", "chosen.102": "C", clock: { until: new Date(Date.now() + ends).toISOString(), sealed }, ...values };
    for (const [key, value] of Object.entries(all)) localStorage.setItem(`exam.7.ada.${key}`, JSON.stringify(value));
    clear(localStorage, whose);
    equal(localStorage.getItem("exam.7.ada.chosen.102") !== null, stays);
  });
}

for (const [what, whose, clock, receipt, stays] of /** @type {[string, { of?: string, except?: string }, any, boolean, boolean][]} */ ([
  ["of the user who signs out", { of: "ada" }, { until: 0 }, false, false],
  ["of another user than the one who signs out", { of: "ben" }, { until: 0 }, false, true],
  ["of the user who is signed in", { except: "ada" }, { until: -9 * DAY }, true, true],
  ["of an earlier user, not submitted, 23 hours after the last moment", { except: "ben" }, { until: -DAY + 3600_000 }, false, true],
  ["of an earlier user, submitted", { except: "ben" }, { until: 0 }, true, false],
  ["of an earlier user, 25 hours after the last moment", { except: "ben" }, { until: -DAY - 3600_000 }, false, false],
  ["with nobody signed in, submitted, 23 hours after", {}, { until: -DAY + 3600_000 }, true, true],
  ["with nobody signed in, 25 hours after", {}, { until: -DAY - 3600_000 }, true, false],
  ["on a device whose clock is three days ahead", {}, { until: -2 * DAY, ahead: -3 * DAY }, false, true],
  ["without a clock", {}, null, false, false],
])) {
  test(`a stored exam ${stays ? "stays" : "is deleted"}: ${what}`, () => {
    localStorage.setItem("exam.7.ada.paper", "{}");
    localStorage.setItem("other", "1");
    if (clock) localStorage.setItem("exam.7.ada.clock", JSON.stringify({ ...clock, until: new Date(Date.now() + clock.until).toISOString() }));
    if (receipt) localStorage.setItem("exam.7.ada.receipt", "{}");
    clear(localStorage, whose);
    equal([localStorage.getItem("exam.7.ada.paper") !== null, localStorage.getItem("other")], [stays, "1"]);
  });
}

