// The page of an exam: before, during and after it. It connects a Sitting with the session, the live messages and the
// device's storages. It stays when the session ends, and opens without a connection on a device that has the paper. All
// its modules are loaded before the start, because later there may be no connection, or a new release. Only two
// are loaded when needed: `leave.js`, without which the page works, and `joining.js`, for candidates who can't start.

import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { check } from "../../../pages/static/ground/receipts.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import * as socket from "../../../pages/static/ground/socket.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Facts, setTitle, whenInWords } from "../../../pages/static/pieces/page.js";
import { signOut } from "../../../pages/static/pieces/start.js";
import { explained, Failed, loaded } from "../../../pages/static/pieces/states.js";
import { t } from "./words.js";
import * as calls from "./calls.js";
import { Ask, SignInAgain } from "./dialogs.js";
import { After, images, Running, useSitting, useSpeech } from "./pieces.js";
import { Sitting } from "./sitting/sitting.js";
import { clear, holder } from "./sitting/store.js";
import { examStorage, forgetImages, IMAGES, isShared, storages } from "../storages.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Say } from "./pieces.js" */

// How long the start button waits for the facts about the exam, in milliseconds.
const LONGEST_WAIT = 2_000;
// About how long to wait before each image of the paper is requested, in milliseconds.
const PAUSE = 1_000;

/**
 * The id of the candidate on this device: the user who is signed in, otherwise the candidate whose paper is
 * stored here.
 *
 * @param {string} exam
 * @param {Storage | null} kept
 */
const owner = (exam, kept) => session.user()?.user.id ?? holder(kept, exam);

/** @param {PageProps} props */
export function Exam({ params }) {
  const exam = params.id ?? "";
  const [sat, set] = useState(/** @type {{ sitting: Sitting, user: string } | null} */ (null));
  useEffect(() => {
    const kept = examStorage();
    const user = owner(exam, kept);
    if (!user) {
      void go(`/sign-in?next=${encodeURIComponent(location.pathname + location.hash)}`, { replace: true });
      return undefined;
    }
    for (const each of storages()) clear(each, { except: user });
    const made = new Sitting({ service: calls.service(Number(exam), user), check, exam, user, storage: kept });
    set({ sitting: made, user });
    const stops = follow(made, exam);
    void made.begin();
    const end = () => {
      made.end();
      for (const each of stops) each();
      if (leavesNothing(made)) made.forget();
    };
    let last = session.user()?.user.id;
    // If the candidate signs out in another tab of this browser, delete the answers here too. If a different
    // candidate signs out there, this exam stays.
    const leave = (/** @type {session.Change} */ change) => {
      const before = last;
      last = session.user()?.user.id;
      if (change !== "signed out" || before !== user) return;
      end();
      for (const each of storages()) clear(each, { of: user, isOwn: !isShared() });
      location.replace("/");
    };
    stops.push(session.onSession(leave));
    return end;
  }, [exam]);
  return sat && h(Sat, { ...sat, exam });
}

/** The addresses of the images, in the order of the paper. @param {Sitting} sitting */
const paperImages = (sitting) => [...new Set(sitting.paper?.questions.flatMap(images))];

/**
 * Pass live messages, and a new login, on to the sitting.
 *
 * @param {Sitting} sitting
 * @param {string} exam
 */
function follow(sitting, exam) {
  const concerns = (/** @type {{ exam: number }} */ message) => String(message.exam) === exam;
  const update = (/** @type {socket.State} */ state) => {
    sitting.isLive = state === "live";
  };
  update(socket.state());
  return [
    socket.on("exam_clock", (message) => concerns(message) && sitting.hear("clock", message)),
    socket.on("exam_message", (message) => concerns(message) && sitting.hear("message", message)),
    socket.on("open", () => void sitting.catchUp()),
    socket.onState(update),
    session.onSession((change) => {
      if (change === "opened") sitting.goOn();
    }),
    awake(sitting),
  ];
}

/** Keep the screen on while the exam is running, where the browser can. @param {Sitting} sitting */
function awake(sitting) {
  /** @type {WakeLockSentinel | null} */
  let lock = null;
  const update = async () => {
    const wanted = sitting.phase === "running" && !document.hidden;
    if (wanted && (!lock || lock.released)) lock = await navigator.wakeLock?.request("screen").catch(() => null) ?? null;
    else if (!wanted) void lock?.release();
  };
  sitting.addEventListener("change", update);
  return () => {
    sitting.removeEventListener("change", update);
    void lock?.release();
  };
}

/** @param {{ sitting: Sitting, user: string, exam: string }} props */
function Sat({ sitting, user, exam }) {
  useSitting(sitting);
  const [regions, say] = useSpeech();
  const [open, setOpen] = useState(/** @type {"sign in" | { question: number | null } | null} */ (null));
  const [email] = useState(() => session.user()?.user.email ?? "");
  const { phase, paper } = sitting;
  const title = paper?.title ?? t("exam.exam");
  const isReached = phase === "running" && !sitting.isAway;
  // Once the connection is back, request the images that were left out without it.
  useEffect(() => {
    if (!isReached) return undefined;
    const stop = new AbortController();
    void keepImages(paperImages(sitting), stop.signal);
    return () => stop.abort();
  }, [isReached]);
  // Delete the images after the exam. If more time reopens it, the page requests them again.
  useEffect(() => {
    if (phase === "ended") void forgetImages(paperImages(sitting));
  }, [phase]);
  const close = () => setOpen(null);
  const signIn = () => setOpen("sign in");
  const forget = async () => {
    sitting.forget();
    await forgetImages();
    // `leave.js` asks first, because another tab may have answers of another exam. Without a connection, the module may
    // be missing: then sign out without the question.
    if ((isShared() || !examStorage()) && session.user()) await import("../leave.js").then((all) => all.leave(), signOut);
    await go(session.user() ? "/home" : "/");
  };
  let shown;
  if (phase === "running") {
    const about = (/** @type {number | null} */ question) => setOpen({ question });
    shown = h(Running, { sitting, say, title, signIn, ...(calls.canAsk() && { askAbout: about }) });
  } else if (["over", "submitting", "ended", "nothing"].includes(phase)) {
    const actions = html`<a class="button" href=${`/results/${exam}`}>${t("exam.toResults")}</a><a class="button" href="/home">${t("home")}</a>`;
    shown = h(After, { sitting, say, title, forget, leavesNothing: leavesNothing(sitting), actions, signIn });
  } else shown = h(Before, { sitting, exam: Number(exam), say, signIn });
  return html`${shown}${regions}
    ${open === "sign in" && h(SignInAgain, { user, email, close })}
    ${typeof open === "object" && open && h(Ask, { sitting, exam: Number(exam), about: open.question, close })}`;
}

/**
 * Whether this device forgets the exam when the candidate leaves its page: on a shared computer, once the league has
 * confirmed the submission. Answers that did not reach the league stay until the tab is closed.
 *
 * @param {Sitting} sitting
 */
const leavesNothing = (sitting) => isShared() && sitting.phase === "ended" && !sitting.late.length;

/**
 * Keep the images of the paper for a reload without a connection. Thousands of candidates start in the same minute, so
 * the images are requested one after another, with pauses: first those that the candidate sees first.
 *
 * @param {string[]} addresses
 * @param {AbortSignal} signal Stops the requests.
 */
async function keepImages(addresses, signal) {
  if (!addresses.length) return;
  try {
    const cache = await caches.open(IMAGES);
    for (const each of addresses) {
      if (await cache.match(each)) continue;
      await new Promise((resolve) => setTimeout(resolve, PAUSE * (0.5 + Math.random())));
      if (signal.aborted) return;
      await cache.add(new Request(each, { signal })).catch(() => {});
    }
  } catch {
    // Without a cache, the images need a connection after a reload.
  }
}

/** @type {Record<string, string>} The page on which a candidate who can't take the exam goes on, by the error's code. */
const AHEAD = { unverified_candidate: "documents", exam_not_eligible: "exams", not_found: "exams" };

/**
 * The question whether the candidate takes part in the season, without which the exam can't be started.
 *
 * @param {{ done: () => void }} props
 */
function NotJoined(props) {
  return loaded(useRead(() => import("../joining.js"), []), ({ Joining }) => h(Joining, props));
}

/**
 * The page before the exam runs: a countdown, the start button, or why the candidate can't start.
 *
 * @param {{ sitting: Sitting, exam: number, say: Say, signIn: () => void }} props
 */
function Before({ sitting, exam, say, signIn }) {
  const [, tick] = useState(0);
  const { trouble } = sitting;
  const { opens, closes } = sitting.times;
  const left = sitting.secondsToOpening ?? 0;
  const waits = sitting.phase === "before" || sitting.phase === "ready";
  // Read the facts only before the start. At the start, thousands of candidates request the paper at the same moment.
  const facts = useRead(async () => (waits ? calls.about(exam) : undefined), [waits]);
  const isKnown = facts.value !== undefined || facts.error !== null;
  // The facts above the start button move it when they appear. If that happened during a press, the press would
  // be lost. So show the button with the facts, or without them after a pause.
  const [isLate, setLate] = useState(false);
  const about = isLate ? null : facts.value;
  const phase = sitting.phase === "ready" && !isKnown && !isLate ? "loading" : sitting.phase;
  useEffect(() => {
    if (sitting.phase !== "ready" || isKnown) return undefined;
    const timer = setTimeout(() => setLate(true), LONGEST_WAIT);
    return () => clearTimeout(timer);
  }, [sitting.phase, isKnown]);
  useEffect(() => {
    const timer = setInterval(() => tick((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => setTitle({ title: t("exam.exam") }), [phase]);
  // The time, and the date if it is not today.
  const shown = (/** @type {dates.Moment} */ at, zone = dates.ownZone()) => (dates.day(at, zone) === dates.day(sitting.now, zone) ? dates.time : dates.when)(at, zone);
  const texts = {
    loading: "",
    away: t("exam.beforeAway"),
    before: t("exam.before", { left: dates.clock(left), time: opens ? whenInWords(opens, shown) : "" }),
    ready: `${t("exam.ready", { time: closes ? whenInWords(closes, shown) : "" })} ${about?.minutes ? t("exam.readyMinutes", { count: about.minutes }) : t("exam.readyTime")}`,
    opening: sitting.isAway ? t("exam.openingAway") : t("exam.opening"),
    missed: t("exam.missed"),
    refused: trouble ? "" : t("exam.notOpen"),
  };
  const text = /** @type {Record<string, string>} */ (texts)[phase] ?? "";
  const soon = phase === "before" ? [1, 5].find((each) => left <= each * 60) : undefined;
  useEffect(() => {
    if (text) say(phase === "before" && soon ? t("exam.opensIn", { count: Math.ceil(left / 60) }) : text);
  }, [phase, soon]);
  return html`<main class="after" id="main"><div class="flow">
    <p><a href="/home">${config().name}</a></p>
    <h1 tabindex="-1">${phase === "ready" ? t("exam.readyTitle") : (about?.title ?? t("exam.exam"))}</h1>
    ${about && phase === "ready" && html`<p class="exam-name">${about.title}</p>`}
    ${phase === "before" && html`<p class="figure numbers" role="timer" aria-live="off">${dates.clock(left)}</p>`}
    ${text && html`<p>${text}</p>`}
    ${phase === "before" && html`<p>${sitting.isAway ? t("exam.beforeAway") : t("exam.noReload")}</p>`}
    ${trouble && (trouble.status === 401
      ? h(Note, { kind: "warn", alert: true }, html`<p>${t("exam.signedOutNow")}</p><button type="button" class="button" onClick=${signIn}>${t("signIn")}</button>`)
      : trouble.body?.reason === "season_not_joined" ? h(NotJoined, { done: () => sitting.goOn() })
      : trouble.code in AHEAD ? h(Note, { kind: "warn" }, html`<p>${trouble.code === "unverified_candidate" ? t("exam.unverified") : explained(trouble).what}</p>
          <p><a class="button" href=${`/${AHEAD[trouble.code]}`}>${t(/** @type {"exams"} */ (AHEAD[trouble.code]))}</a></p>`)
        : h(Failed, { error: trouble, again: () => sitting.goOn() }))}
    ${waits && about && h(Facts, { facts: [[t("exam.factTime"), t("exams.minutes", { count: about.minutes })], [t("exam.questions"), String(about.question_count)]] })}
    ${about?.description && html`<section><h2>${t("exam.introduction")}</h2><p class="plain">${about.description}</p></section>`}
    ${waits && html`<ul class="rules"><li>${t("exam.ruleSaved")}</li><li>${t("exam.ruleLine")}</li><li>${t("exam.ruleEnd")}</li></ul>`}
    ${phase === "ready" && html`<div class="acts"><button type="button" class="button first" onClick=${() => sitting.open()}>${t("exam.start")}</button></div>`}
    ${phase === "missed" && html`<div class="acts"><a class="button" href="/exams">${t("exams")}</a> <a class="button" href=${`/results/${exam}`}>${t("results")}</a></div>`}
    ${waits && html`<p><a href="/practice">${t("practice")}</a> · <a href="/device">${t("device")}</a></p>`}
  </div></main>`;
}
