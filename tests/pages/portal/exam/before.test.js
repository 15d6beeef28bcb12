// The page before an exam, and at its start.

import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { candidate } from "../../kit/front-end.js";
import { click, screen } from "../../kit/screen.js";
import { refused } from "../../kit/service.js";
import { DASHBOARD, opened, TAKE, TIME } from "./page.js";

test("the countdown and the start are shown, and read aloud once each", async () => {
  const it = await opened({ opensIn: 360, start: false });
  await it.reads("The exam starts in 0");
  ok(["06:00", "05:59"].includes((await it.shows("timer")).textContent));
  await it.reads("You don’t need to reload this page.");
  for (const [seconds, text] of /** @type {const} */ ([[61, "The exam opens in 5 minutes."], [240, "The exam opens in one minute."], [65, "The exam is open until"]])) {
    await it.passes(seconds);
    await it.until(() => it.said(text).length, text);
    await it.passes(5);
    equal(it.said(text).length, 1, text);
  }
  await it.shows("button", "Start");
  await it.reads("If the connection is lost, carry on.");
  await it.reads("When your time is over, the league submits your saved answers");
});

test("a candidate reads the introduction and their own minutes before the start, and the introduction during the exam", async () => {
  const it = await opened({ start: false, about: { description: "No calculator.\nPaper is allowed.", countdown_minutes: 75 } });
  await it.reads("Your 75 minutes begin when you press Start.");
  await it.reads("Round one");
  await it.reads("No calculator.");
  // The device's time zone is not that of the league.
  await it.reads(/open until .*\d\d:\d\d \(.*the league.s time zone\)/);
  click(await it.shows("button", "Start"));
  click(await it.shows("link", "All questions"));
  await it.reads("Paper is allowed.");
});

test("without extra time for candidates, the page shows the minutes of the exam", async () => {
  const it = await opened({ start: false, plugins: [], about: { countdown_minutes: 40 } });
  await it.reads("Your 40 minutes begin when you press Start.");
  equal(it.service.sent("GET /exams/{exam_id}/own-time/"), []);
});

test("the countdown names the start in both time zones", async () => {
  const it = await opened({ opensIn: 3600, start: false });
  await it.reads(/The exam starts in .*, at .*\d\d:\d\d \(.*the league.s time zone\)/);
});

test("the start button comes with the facts above it, or without them after two seconds, and never moves", async () => {
  /** @type {(facts: any) => void} */
  let tell = () => {};
  const facts = new Promise((resolve) => {
    tell = resolve;
  });
  const it = await opened({ start: false, replies: { [DASHBOARD]: () => facts } });
  await it.passes(1.5);
  equal(screen.queryByRole("button", { name: "Start" }), null);
  await it.passes(1);
  const start = await it.shows("button", "Start");
  const before = start.getBoundingClientRect().top;
  tell(example(DASHBOARD, { available_exams: [example("AvailableExam", { id: 7, title: "Round one", description: "No calculator.", countdown_minutes: 60 })] }));
  await it.passes(1);
  equal([start.isConnected, start.getBoundingClientRect().top, screen.queryByText("No calculator.")], [true, before, null]);
});

test("a candidate whose identity is not approved is sent to the documents", async () => {
  const it = await opened({ start: false, replies: { [TIME]: refused(403, "unverified_candidate", "The league has not approved your identity yet.") } });
  await it.reads("The league has not approved your identity yet.");
  // Nothing has failed, and trying again would not help.
  equal([screen.queryByRole("alert"), screen.queryByRole("button", { name: "Try again" })].map((each) => each?.textContent?.trim() || null), [null, null]);
  equal((await it.shows("link", "Documents")).getAttribute("href"), "/documents");
});

test("a visitor without a session is asked to sign in, and comes back", async () => {
  const it = await opened({ start: false, as: null });
  await it.until(() => location.pathname === "/sign-in");
  equal(location.search, "?next=%2Fexams%2F7");
});

test("an exam that is over, or switched off, can't be started", async () => {
  const it = await opened({ start: false });
  await it.shows("button", "Start");
  it.exam.switch(false);
  await it.back();
  await it.reads("This exam is not open. This page tries");
  equal(screen.queryByRole("button", { name: "Start" }), null);
  it.exam.switch(true);
  it.exam.conclude();
  await it.back();
  await it.reads("This exam is over.");
  equal((await it.shows("link", "Results")).getAttribute("href"), "/results/7");
});

test("a start without a reply says that the time may be running", async () => {
  const it = await opened({ start: false });
  const start = await it.shows("button", "Start");
  it.line.isCut = true;
  click(start);
  await it.passes(5);
  await it.reads("Your time may already be running");
  ok(it.service.sent(TAKE).length > 1);
});

test("a candidate who is signed out before the start signs in on the page", async () => {
  const it = await opened({ opensIn: 600, start: false, as: candidate() });
  await it.shows("timer");
  it.line.isSignedOut = true;
  it.service.replies["POST /auth/token/refresh/"] = refused(401, "invalid_token");
  dispatchEvent(new Event("online"));
  await it.passes(2);
  await it.reads("You have been signed out");
  click(await it.shows("button", "Sign in"));
  await it.shows("dialog", "Sign in");
});

test("an exam that is open but has no questions is not called over", async () => {
  const it = await opened({ start: false });
  it.line.errors.push([TAKE, refused(403, "exam_not_open", "This exam has no questions yet.")]);
  click(await it.shows("button", "Start"));
  await it.reads("This exam has no questions yet.");
  await it.shows("button", "Try again");
});

test("a candidate of another stage is sent to the exams", async () => {
  const it = await opened({ start: false, replies: { [TIME]: refused(403, "exam_not_eligible", "This exam is for another stage.") } });
  await it.reads("This exam is for another stage.");
  equal([(await it.shows("link", "Exams")).getAttribute("href"), screen.queryByRole("button", { name: "Try again" })], ["/exams", null]);
});

test("a candidate who has not joined the season is asked on the page of the exam, and can start", async () => {
  let joined = false;
  const it = await opened({
    start: false,
    replies: {
      [TIME]: () => (joined ? it.exam.time() : refused(403, "exam_not_eligible", "You have not joined this season.", { reason: "season_not_joined" })),
      [DASHBOARD]: () => example(DASHBOARD, { available_exams: [example("AvailableExam", { id: 7 })], current_season: { id: 2, name: "2027", joined } }),
      "GET /candidates/me/": example("GET /candidates/me/", { school: "Hillside School", year: 9 }),
      "GET /registration/consent/": { required: false, version: null, text: null },
      "POST /seasons/join/": () => {
        joined = true;
        return { season: 2, school: "Hillside School", year: 9 };
      },
    },
  });
  await it.shows("heading", "Are you taking part again?");
  click(await it.shows("button", "Yes, I take part in 2027"));
  await it.shows("button", "Start");
  equal(it.service.sent("POST /seasons/join/").map((each) => each.body), [{ school: "Hillside School", year: 9 }]);
});

test("before an exam opens, its page has its title, the minutes, the questions, and what to do without a connection", async () => {
  const it = await opened({ opensIn: 600, start: false, about: { countdown_minutes: 75, question_count: 12 } });
  await it.shows("heading", "Round one");
  await it.until(() => document.querySelector(".facts")?.textContent?.includes("75 minutes"));
  ok(document.querySelector(".facts")?.textContent?.includes("12"));
  await it.reads("If the connection is lost, carry on.");
});

test("a candidate who comes two minutes before the start hears of two minutes", async () => {
  const it = await opened({ opensIn: 112, start: false });
  await it.until(() => it.said("The exam opens in 2 minutes.").length);
  equal(it.said("in 5 minutes"), []);
});

test("after the start, the focus is on the question", async () => {
  const it = await opened();
  equal(document.activeElement, await it.shows("heading", /Question 1 of 12/));
});
