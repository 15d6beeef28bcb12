// The page of a running exam: the paper, the bar, what is read aloud, and the dialogs.

import * as session from "../../../../competition/plugins/pages/static/ground/session.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { candidate } from "../../kit/front-end.js";
import { click, fill, press, screen, within } from "../../kit/screen.js";
import { refused, Reply, tokens } from "../../kit/service.js";
import { DRAFT, opened } from "./page.js";

const AMARA = candidate().user.id;
const BEN = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a999";

/** The option of each question in the list of numbers, and whether it is here only. */
const strip = () => [...document.querySelectorAll(".strip a")].map((each) => `${(each.ariaLabel ?? "").match(/\b[A-D]\b/)?.[0] ?? "."}${each.classList.contains("here-only") ? "'" : ""}`).join("");
const start = (/** @type {string} */ letters) => letters.padEnd(12, ".");

const login = (/** @type {string} */ id) => new Reply(200, example("POST /auth/login/", { ...tokens(), profile: { user: { id } } }));

test("an answer is called saved only when the service has it, and later answers and flags stay after a return", async () => {
  const it = await opened();
  it.choose("B");
  await it.passes(0.1);
  equal(strip().slice(0, 2), "B'");
  ok(it.bar().startsWith("Saved on this device only"), it.bar());
  await it.passes(3);
  equal([strip(), it.exam.final[0]], [start("B"), "B"]);
  ok(it.bar().startsWith("Your answer is saved at"));
  await it.goTo(2);
  ok(it.bar().startsWith("Your other answer is saved at"), it.bar());
  await it.goTo(1);
  click(await it.shows("button", "Next"));
  await it.reads("Question 2 of 12");
  press("c");
  press("f");
  await it.shows("button", "Remove the flag");
  await it.passes(3);
  ok(it.bar().startsWith("All 2 answers saved at"));
  click(await it.shows("link", "All questions"));
  await it.reads("2 of 12 answered.");
  await it.reads("Flagged: 2.");
  await it.reads("Not answered: 3, 4,");
  // Screen readers would otherwise interrupt the candidate after each choice.
  equal(it.said("aved"), []);
});

test("the keys choose and turn pages, the address keeps the place, and the keys can be switched off", async () => {
  const it = await opened();
  for (const [index, [key, turn]] of [["4", "n"], ["b", "PageDown"], ["2", "n"], ["a", "n"]].entries()) {
    press(String(key), document.body);
    await it.passes(0.1);
    press(String(turn), document.body);
    await it.reads(`Question ${index + 2} of 12`);
  }
  equal([strip(), location.hash], [start("DBBA").replaceAll(/[A-D]/g, "$&'"), "#5"]);
  press("p", document.body);
  await it.reads("Question 4 of 12");
  press("PageUp", document.body);
  await it.reads("Question 3 of 12");
  await it.goTo(12);
  press("n", document.body);
  await it.passes(0.1);
  equal(location.hash, "#12");
  press("?", document.body);
  const dialog = await it.shows("dialog");
  for (const action of ["Choose D", "Next", "Back", "Flag"]) ok(within(dialog).getAllByText(action).length);
  click(within(dialog).getByRole("checkbox"));
  click(within(dialog).getByRole("button", { name: "Close" }));
  await it.passes(0.1);
  press("d", document.body);
  await it.passes(0.1);
  equal(strip()[22], undefined);
  equal(it.exam.questions.length, 12);
});

test("a candidate sees all questions on one page, and the keys act on the one with the focus", async () => {
  const it = await opened();
  equal(screen.getAllByRole("radio").length, 4);
  click(await it.shows("button", "All questions on one page"));
  await it.until(() => screen.queryAllByRole("radio").length === 4 * 12);
  const question = await it.shows("region", "Question 9");
  click(screen.getAllByRole("link", { name: /^Question 9:/ })[0]);
  await it.until(() => question.getBoundingClientRect().top < innerHeight);
  click(within(question).getByRole("radio", { name: /^B, / }));
  within(screen.getByRole("region", { name: "Question 3" })).getByRole("radio", { name: /^A, / }).focus();
  press("c");
  await it.passes(4);
  equal(strip(), start("..C.....B"));
  // The device remembers the layout.
  equal(localStorage.getItem("device.layout"), "all");
  click(await it.shows("button", "One question at a time"));
  await it.until(() => screen.queryAllByRole("radio").length === 4);
  equal(localStorage.getItem("device.layout"), null);
});

test("a hidden clock stays hidden until the last five minutes", async () => {
  const it = await opened();
  click(await it.shows("button", "Hide"));
  await it.shows("button", "Show");
  equal([screen.queryByRole("timer"), localStorage.getItem("device.clock")], [null, "hidden"]);
  await it.jumps(55.5 * 60);
  await it.passes(3);
  ok((await it.shows("timer")).textContent.startsWith("04:"));
  equal(screen.queryByRole("button", { name: "Show" }), null);
});

test("a lost connection is announced at once, again after 5, 10 and 20 minutes, and when it is back", async () => {
  const it = await opened();
  it.choose("B");
  await it.passes(3);
  it.line.isCut = true;
  await it.goTo(2);
  it.choose("C");
  await it.passes(8);
  const [first] = it.said("No connection.");
  ok(first?.startsWith("status: No connection. One answer saved on this device only. Carry on."), it.heard.join("\n"));
  for (const minutes of [5, 10, 20]) {
    await it.jumps(60 * (minutes - (minutes === 5 ? 0 : minutes / 2)));
    await it.passes(3);
    const [text] = it.said(`No connection for ${minutes} min.`);
    equal(text?.includes("Tell your teacher"), minutes >= 10);
    equal(it.said(`No connection for ${minutes} min.`).length, 1);
  }
  await it.jumps(300);
  ok(it.bar().startsWith("No connection for 25 min."));
  await it.back();
  await it.passes(3);
  ok(it.said("You are back online. All 2 answers saved at").length, it.heard.join("\n"));
  equal(it.said("25 min"), []);
});

test("a lost session and a rejected save are announced as alerts, with what to do", async () => {
  const it = await opened();
  it.line.isSignedOut = true;
  it.service.replies["POST /auth/token/refresh/"] = refused(401, "invalid_token");
  it.choose("B");
  await it.passes(4);
  ok(it.said("alert: You have been signed out. New answers are saved on this device only.").length, it.heard.join("\n"));
  equal(strip().slice(0, 2), "B'");
  it.line.isSignedOut = false;
  it.service.replies["POST /auth/login/"] = login(BEN);
  it.service.replies["POST /auth/logout/"] = new Reply(204);
  click(within(/** @type {any} */ (document.querySelector(".bar"))).getByRole("button", { name: "Sign in" }));
  const dialog = await it.shows("dialog", "Sign in");
  equal(/** @type {any} */ (within(dialog).getByLabelText("Email")).value, "amara@school.example");
  fill(within(dialog).getByLabelText("Password"), "correct horse battery");
  await it.passes(0.1);
  click(within(dialog).getByRole("button", { name: "Sign in" }));
  // Nothing is sent for another candidate.
  await it.reads("This is another candidate");
  equal([it.service.sent("POST /auth/logout/").length, it.exam.final[0]], [1, "-"]);
  it.service.replies["POST /auth/login/"] = login(AMARA);
  fill(within(dialog).getByLabelText("Password"), "correct horse battery");
  await it.passes(0.1);
  click(within(dialog).getByRole("button", { name: "Sign in" }));
  await it.until(() => !screen.queryByRole("dialog"));
  await it.passes(3);
  equal([it.exam.final[0], it.bar().startsWith("Your answer is saved at")], ["B", true]);
  it.line.errors.push([DRAFT, refused(400, "invalid", "Rejected by a firewall.")]);
  await it.goTo(2);
  it.choose("C");
  await it.passes(3);
  ok(it.said("alert: Saving failed.").length);
  ok(/Show your teacher this number: \S/.test(it.bar()));
});

/** The candidate's session ends, and one answer is on the device only. Then Ben signs in, in another tab. @param {boolean} [isShared] */
async function followed(isShared) {
  const it = await opened({ isShared });
  it.line.isSignedOut = true;
  it.service.replies["POST /auth/token/refresh/"] = refused(401, "invalid_token");
  it.choose("B");
  await it.passes(4);
  ok(it.bar().startsWith("You have been signed out."), it.bar());
  it.line.isSignedOut = false;
  const tab = new BroadcastChannel("portal.session");
  const later = Date.now() + 3600_000;
  tab.postMessage({ kind: "pair", pair: { ...tokens(), user: candidate("screening", { id: BEN }), renew: later, expires: later } });
  await it.until(() => session.user()?.user.id === BEN);
  return { it, tab };
}

test("nothing is sent for another candidate who signs in in another tab", async () => {
  const { it } = await followed();
  const { length } = it.service.asked;
  await it.goTo(2);
  it.choose("C");
  await it.passes(120);
  equal(it.service.asked.slice(length).filter((each) => each.path.startsWith("/exams/")), []);
  equal([strip().slice(0, 4), it.exam.final.slice(0, 2)], ["B'C'", "--"]);
  ok(it.bar().startsWith("You have been signed out."), it.bar());
});

for (const isShared of [false, true]) {
  test(`answers stay when another candidate signs out in another tab, ${isShared ? "on a shared computer" : "on the candidate's own device"}`, async () => {
    const { it, tab } = await followed(isShared);
    it.line.isSignedOut = true;
    tab.postMessage({ kind: "closed" });
    await it.until(() => session.user() === null);
    await it.goTo(2);
    it.choose("C");
    await it.passes(3);
    equal(strip().slice(0, 4), "B'C'");
    it.line.isSignedOut = false;
    it.service.replies["POST /auth/login/"] = login(AMARA);
    click(within(/** @type {any} */ (document.querySelector(".bar"))).getByRole("button", { name: "Sign in" }));
    const dialog = await it.shows("dialog", "Sign in");
    fill(within(dialog).getByLabelText("Password"), "correct horse battery");
    await it.passes(0.1);
    click(within(dialog).getByRole("button", { name: "Sign in" }));
    await it.until(() => !screen.queryByRole("dialog"));
    await it.passes(3);
    equal([it.exam.final.slice(0, 2), it.bar().startsWith("All 2 answers saved at")], ["BC", true]);
  });
}

test("the time is announced 10, 5 and 1 minutes before the end, once, until the candidate stops it", async () => {
  const it = await opened();
  for (const [minutes, text] of /** @type {const} */ ([[50, "10 minutes left. Not answered: 1, 2"], [5, "5 minutes left."]])) {
    await it.jumps(60 * minutes - 1);
    await it.passes(3);
    equal(it.said(text).length, 1, it.heard.join("\n"));
  }
  click(await it.shows("button", /1 new/));
  click(await it.shows("button", "Stop time warnings"));
  await it.jumps(60 * 4 - 3);
  await it.passes(3);
  equal(it.said("One minute left."), []);
});

test("news are read aloud when they arrive, and stay new until the candidate opens them", async () => {
  const it = await opened();
  click(await it.shows("button", "No messages"));
  await it.reads("appear here");
  click(await it.shows("button", "Close"));
  const at = new Date(it.clock.now).toISOString();
  it.exam.messages.push({ id: 1, exam: 7, text: "Question 4 is right.", created_at: at });
  await it.passes(50);
  ok(it.said("Question 4 is right.").length, it.heard.join("\n"));
  it.exam.messages.push({ id: 2, exam: 7, question: 101, text: "Is the dot a product?", status: "answered", answer: "Yes.", public: false, asked_at: at, answered_at: at });
  await it.passes(50);
  ok(it.said("about question 1: Yes.").length, it.heard.join("\n"));
  click(await it.shows("button", /2 new/));
  const dialog = await it.shows("dialog", "Messages");
  equal(within(dialog).getAllByText("New").length, 2);
  within(dialog).getByText("Is the dot a product?");
  await it.passes(0.1);
  click(within(dialog).getByRole("button", { name: "Close" }));
  await it.shows("button", "Messages (2)");
  it.exam.giveTime(10);
  await it.passes(50);
  await it.shows("button", /1 new.*You have 10 more minutes, until/);
  ok(/^1:0[78]:/.test((await it.shows("timer")).textContent ?? ""));
});

test("a question is sent to the staff once, with its number", async () => {
  const it = await opened();
  it.service.replies["POST /exams/{exam_id}/clarifications/"] = (/** @type {any} */ { body }) =>
    new Reply(201, { id: 1, exam: 7, status: "open", answer: null, public: false, asked_at: new Date(it.clock.now).toISOString(), answered_at: null, ...body });
  click(await it.shows("button", "Ask"));
  const dialog = await it.shows("dialog", "Ask about question 1");
  fill(within(dialog).getByLabelText("What is unclear?"), "Is the dot a product?");
  await it.passes(0.1);
  click(within(dialog).getByRole("button", { name: "Send to the staff" }));
  await it.reads("Your question has been sent.");
  equal(it.service.sent("POST /exams/{exam_id}/clarifications/").map((each) => each.body), [{ question: 101, text: "Is the dot a product?" }]);
});

test("time that the device slept is not shown as left", async () => {
  const it = await opened();
  it.line.isCut = true;
  await it.passes(30);
  it.clock.sleeps(20 * 60);
  await it.passes(2);
  ok((await it.shows("timer")).textContent.startsWith("about 39 min"), document.body.innerText);
});

test("the question before submitting names what is missing, and what happens without a connection", async () => {
  const it = await opened();
  it.choose("B");
  await it.passes(3);
  let dialog = await it.toSubmit();
  ok(dialog.textContent.includes("You have not answered questions 2, 3, 4") && dialog.textContent.includes("change answers after you submit"));
  click(within(dialog).getByRole("button", { name: "Keep working" }));
  it.line.isCut = true;
  await it.goTo(2);
  it.choose("C");
  await it.passes(30);
  dialog = await it.toSubmit();
  ok(dialog.textContent.includes("You have no connection. If you submit now"));
  ok(dialog.textContent.includes("the league submits your saved answer for you at"), dialog.textContent);
  click(within(dialog).getByRole("button", { name: "Submit 2 answers" }));
  await it.reads("No connection. This page will submit your answers as soon as it is back online");
  await it.back();
  await it.reads("The league has received your answers to 2 of 12 questions.");
  equal(it.exam.submitted, "BC");
});

test("the screen stays on during the exam, also after a return to the page", async () => {
  /** @type {any[]} */
  const locks = [];
  Object.defineProperty(navigator, "wakeLock", {
    configurable: true,
    value: {
      request: async () => {
        const lock = { released: false, release: async () => void (lock.released = true) };
        locks.push(lock);
        return lock;
      },
    },
  });
  const held = () => locks.filter((each) => !each.released).length;
  const it = await opened();
  await it.until(() => held() === 1);
  // Browsers release the lock when they hide the page.
  locks[0].released = true;
  it.choose("B");
  await it.until(() => held() === 1);
  await it.submit();
  await it.reads("The league has received your answer");
  await it.until(() => held() === 0);
});


test("without sockets, locks, a wake lock and Ed25519, only convenience is lost", async () => {
  for (const name of ["wakeLock", "clipboard", "serviceWorker"]) delete (/** @type {any} */ (Navigator.prototype)[name]);
  const { importKey } = crypto.subtle;
  const it = await opened({ replies: { "POST /receipts/verify/": { valid: true, reason: null } } });
  SubtleCrypto.prototype.importKey = /** @type {any} */ (
    async (/** @type {any[]} */ ...given) => {
      if (given[2] === "Ed25519") throw new DOMException("unknown", "NotSupportedError");
      return importKey.apply(crypto.subtle, /** @type {any} */ (given));
    }
  );
  it.choose("B");
  await it.passes(3);
  await it.submit();
  await it.until(() => screen.queryByText(/matches the answers on this device/));
  equal(it.service.sent("POST /receipts/verify/").length, 1);
});

test("the submitted exam of an earlier user is deleted when the next one opens the page", async () => {
  localStorage.setItem("exam.7.ben.receipt", "{}");
  const it = await opened();
  it.choose("B");
  await it.passes(3);
  // The exam of an earlier user that is submitted goes when the next one opens a page of an exam.
  equal(Object.keys(localStorage).filter((each) => each.startsWith("exam.7.ben")), []);
  ok(it.bar().startsWith("Your answer is saved at"));
});
