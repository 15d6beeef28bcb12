// The bar, the questions, the overview, and the page after the exam. They show a Sitting, and act on it. They know
// neither the API nor the session, so the practice exam uses them too.

import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { save } from "../../../pages/static/ground/save.js";
import { h, html, useEffect, useExternal, useRef, useState } from "../../../pages/static/ground/html.js";
import { language } from "../../../pages/static/ground/texts.js";
import { ask, Dialog } from "../../../pages/static/pieces/dialog.js";
import { KeyList, useKeys } from "../../../pages/static/pieces/keys.js";
import { LETTERS, Options } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { setTitle, Facts, whenInWords } from "../../../pages/static/pieces/page.js";
import { PrintButton, PrintSheet } from "../../../pages/static/pieces/print.js";
import { Failed } from "../../../pages/static/pieces/states.js";
import { isShared } from "../storages.js";
import { t } from "./words.js";

/** @import { Children } from "../../../pages/static/ground/html.js" */
/** @import { Checked, Receipt } from "../../../pages/static/ground/receipts.js" */
/** @import { Sitting } from "./sitting/sitting.js" */
/** @import { Message, PaperQuestion } from "./sitting/store.js" */
/** @typedef {{ kind: "" | "ok" | "warn" | "bad" | "info", text: string, more?: string }} Words A text of the bar. */
/** @typedef {(text: string, alert?: boolean) => void} Say Lets screen readers read a text aloud. */

const OVERVIEW = "all";
const MINUTE = 60;
// When the page warns: minutes before the end, and minutes without a connection.
const WARNINGS = [10, 5, 1];
const AWAY_WARNINGS = [5, 10, 20];
const LONG_AWAY = 10;
// How long a text for screen readers stays, in milliseconds.
const READ = 5_000;

/** A stored choice about the page, such as a hidden clock. It is no personal data. @param {string} name */
export const remembered = (name) => {
  try {
    return localStorage.getItem(`device.${name}`);
  } catch {
    return null; // The browser forbids storage.
  }
};

/**
 * @param {string} name
 * @param {string | null} value
 */
export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`device.${name}`);
    else localStorage.setItem(`device.${name}`, value);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}

/** Draw the component again when the sitting has something new to show. @param {Sitting} sitting */
export function useSitting(sitting) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const show = () => redraw((before) => before + 1);
    sitting.addEventListener("change", show);
    show();
    return () => sitting.removeEventListener("change", show);
  }, [sitting]);
}

/** Draw the component again each second. */
function useSeconds() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
}

/** Two regions whose texts screen readers read aloud, and the function that sets a text. @returns {[Children, Say]} */
export function useSpeech() {
  const [said, set] = useState({ text: "", alert: false });
  useEffect(() => {
    // After this time, the text has been read aloud. Remove it, because the user of a screen reader would otherwise
    // find it a second time.
    const timer = setTimeout(() => said.text && set({ text: "", alert: false }), READ);
    return () => clearTimeout(timer);
  }, [said]);
  const regions = html`<div class="hide" role="status">${!said.alert && said.text}</div><div class="hide" role="alert">${said.alert && said.text}</div>`;
  return [regions, (text, alert = false) => set({ text, alert })];
}

/** The numbers of questions as a list, like "12, 31 and 40". @param {Sitting} sitting @param {number[]} ids */
const numbers = (sitting, ids) => listed(ids.map((id) => String(1 + (sitting.paper?.questions.findIndex((each) => each.id === id) ?? 0))));

/** @param {string[]} words */
const listed = (words) => new Intl.ListFormat(language()).format(words);

/** The number of answers. @param {Sitting} sitting */
const answered = (sitting) => (sitting.paper?.questions.length ?? 0) - sitting.blank.length;

/** A time in the reader's time zone, or "". @param {string | null | undefined} at */
const clockTime = (at) => (at ? dates.time(at) : "");

/**
 * A deadline in the reader's time zone and, if it differs, in the league's.
 *
 * @param {string | null | undefined} at
 */
const deadlineTime = (at) => (at ? whenInWords(at) : "");

/**
 * How the answers are saved, in words. It says "saved", without further words, only if the service has confirmed
 * it.
 *
 * @param {Sitting} sitting
 * @param {boolean} [isBlank] Whether the words stand over a question without an answer.
 * @returns {Words}
 */
export function savingWords(sitting, isBlank = false) {
  const { saving, unsaved, savedAt } = sitting;
  const count = unsaved.length;
  if (saving === "signedOut") return { kind: "bad", text: t("exam.signedOut"), more: t("exam.signedOutHere") };
  if (saving === "rejected") return { kind: "bad", text: t("exam.rejected"), more: t("exam.rejectedHere", { id: sitting.trouble?.requestId ?? sitting.trouble?.code ?? "" }) };
  if (saving === "away") {
    const minutes = Math.floor((Date.now() - (sitting.awaySince ?? 0)) / 60_000);
    const since = minutes ? t("exam.away", { count: minutes }) : t("exam.awayNow");
    const here = count ? t("exam.awayHere", { count }) : savedAt ? t("exam.awayNothing", { time: clockTime(savedAt) }) : "";
    return { kind: "warn", text: since, more: `${here} ${minutes >= LONG_AWAY ? t("exam.awayLong") : t("exam.carryOn")}`.trim() };
  }
  const made = answered(sitting);
  const saved = saving === "saved" && made && t(made === 1 && isBlank ? "exam.savedOther" : "exam.saved", { count: made, time: clockTime(savedAt) });
  if (!sitting.isStored) return { kind: "bad", text: t("exam.noStorage"), more: saved || t("exam.sent") };
  if (saving === "saved") return saved ? { kind: "ok", text: saved } : { kind: "", text: t("exam.nothingYet") };
  return { kind: "", text: saving === "saving" ? t("exam.saving") : t("exam.here") };
}

/** A message in words. @param {Sitting} sitting @param {Message} message */
export function messageWords(sitting, message) {
  if (message.kind === "time") return t("exam.moreTime", { count: message.minutes ?? 0, time: deadlineTime(message.until) });
  if (message.text === null) return t("exam.dismissed");
  const about = message.question ? t("exam.aboutQuestion", { number: numbers(sitting, [message.question]) }) : "";
  const kind = message.kind === "answer" ? t("exam.answer") : t("exam.announcement");
  return t("exam.message", { label: [kind, `(${clockTime(message.at)})`, about].join(" ").trim(), text: message.text ?? "" });
}

/** @param {Sitting} sitting */
function elsewhereWords(sitting) {
  const changes = sitting.elsewhere.map(({ question, selected_option: option }) => {
    const number = numbers(sitting, [question]);
    return option ? t("exam.elsewhereOption", { number, option }) : t("exam.elsewhereBlank", { number });
  });
  return `${t("exam.elsewhere")} ${changes.join(" ")}`;
}

/**
 * The clock. Screen readers don't read it aloud automatically, because it is no live region.
 *
 * @param {{ sitting: Sitting, say: Say, isSilent: boolean, warn: (text: string) => void }} props
 */
function Clock({ sitting, say, isSilent, warn }) {
  useSeconds();
  const [hidden, hide] = useState(remembered("clock") === "hidden");
  const left = sitting.secondsLeft ?? 0;
  const before = useRef(left);
  useEffect(() => {
    const passed = WARNINGS.find((each) => before.current > each * MINUTE && left <= each * MINUTE && left > (each - 1) * MINUTE);
    before.current = left;
    if (!passed || isSilent) return;
    const blank = sitting.blank.length ? t("exam.notAnswered", { numbers: numbers(sitting, sitting.blank) }) : t("exam.allAnswered");
    const text = `${t("exam.warning", { count: passed })} ${blank}`;
    warn(text);
    say(text);
  });
  const toggle = () => {
    remember("clock", hidden ? null : "hidden");
    hide(!hidden);
  };
  const isShown = !hidden || left <= 5 * MINUTE;
  return html`<div class="clock">
    <span class="small muted">${t("exam.timeLeft")}</span>
    ${isShown
      ? html`<strong class=${`numbers ${sitting.isUnsure ? "unsure" : ""}`} role="timer" aria-live="off">${sitting.isUnsure ? (sitting.isAway ? t("exam.about.time", { span: dates.span(left) }) : t("exam.checking")) : dates.clock(left)}</strong>`
      : html`<strong>${t("exam.hidden")}</strong>`}
    ${left > 5 * MINUTE && html`<button type="button" class="button plain small" onClick=${toggle}>${isShown ? t("exam.hideClock") : t("exam.showClock")}</button>`}
  </div>`;
}

/** @typedef {{ text: string, asked?: string | null, isNew?: boolean, isWarning?: boolean }} News A text of the list of messages. */

/**
 * The bar: the clock, how the answers are saved, and messages. Its height never changes, so that a message neither
 * covers nor moves a question. One line has the newest text. The candidate opens the list of all texts.
 *
 * @param {{ sitting: Sitting, say: Say, isBlank: boolean, signIn?: () => void }} props `isBlank`: the question that is shown
 *   has no answer.
 */
export function Bar({ sitting, say, isBlank, signIn }) {
  useSeconds();
  useSitting(sitting);
  const [warning, warn] = useState("");
  // The list keeps the messages that it had when the candidate opened it, so that its buttons don't move. Later
  // messages still count as unread.
  const [opened, open] = useState(/** @type {News[] | null} */ (null));
  // The choice to stop warnings is not stored, because another candidate may use this device next.
  const [isSilent, setSilent] = useState(false);
  const announced = useRef({ state: "", minutes: 0 });
  useEffect(() => {
    const show = (/** @type {any} */ { detail }) => say(messageWords(sitting, detail));
    sitting.addEventListener("message", show);
    return () => sitting.removeEventListener("message", show);
  }, [sitting]);
  const words = savingWords(sitting, isBlank);
  const minutesAway = sitting.isAway ? Math.floor((Date.now() - (sitting.awaySince ?? 0)) / 60_000) : 0;
  const elsewhere = sitting.elsewhere.length ? elsewhereWords(sitting) : null;
  // Take the state together with the words. When the effect runs, the sitting may have another state.
  const state = `${sitting.isStored ? "" : "no storage "}${["here", "saving", "saved"].includes(sitting.saving) ? "" : sitting.saving}`;
  useEffect(() => {
    // Let screen readers read each change aloud once.
    const { state: before, minutes } = announced.current;
    const isLater = AWAY_WARNINGS.some((each) => minutes < each && minutesAway >= each);
    announced.current = { state, minutes: minutesAway };
    if (state && (state !== before || isLater)) say(`${words.text} ${words.more ?? ""}`, state !== "away");
    else if (!state && before.endsWith("away")) say(`${t("exam.back")} ${words.text}`);
  });
  useEffect(() => {
    if (elsewhere) say(elsewhere);
  }, [elsewhere]);
  /** @type {News[]} */
  const news = [
    ...(warning ? [{ text: warning, isNew: true, isWarning: true }] : []),
    ...sitting.messages.map((each) => ({ ...each, text: messageWords(sitting, each) })),
    ...[elsewhere, sitting.hasOtherTab && t("exam.otherTab")].flatMap((text) => (text ? [{ text, isNew: true }] : [])),
  ];
  const fresh = news.filter((each) => each.isNew);
  const read = () => {
    open(news);
    warn("");
    sitting.elsewhere = [];
    sitting.hasOtherTab = false;
    sitting.readMessages();
  };
  const close = () => open(null);
  const silence = () => {
    setSilent(true);
    close();
  };
  return html`<header class="bar">
    ${h(Clock, { sitting, say, isSilent, warn })}
    <div class=${`state ${words.kind}`}>
      <p><b>${words.text}</b> ${words.more}</p>
      ${sitting.saving === "signedOut" && signIn && html`<button type="button" class="button small" onClick=${signIn}>${t("signIn")}</button>`}
    </div>
    <button type="button" class=${`button news ${fresh[0] ? "info" : ""}`} onClick=${read}>${fresh[0]
      ? html`<b>${t("exam.new", { count: fresh.length })}</b> <span>${fresh[0].text}</span> <u>${t("exam.open")}</u>`
      : news[0] ? t("exam.messages", { count: news.length }) : t("exam.noMessages")}</button>
    ${opened && h(Dialog, { title: t("exam.messagesTitle"), onClose: close }, html`<div class="flow">
      <p>${words.text} ${words.more}</p>
      ${opened[0] ? html`<ul class="messages">${opened.map((each) => html`<li>${each.asked && html`<p class="muted small">${each.asked}</p>`}<p>${each.isNew && html`<span class="tag info">${t("exam.isNew")}</span> `}${each.text}</p></li>`)}</ul>` : html`<p class="muted">${t("exam.messagesHint")}</p>`}
      <div class="acts"><button type="button" class="button" onClick=${close}>${t("exam.close")}</button>
        ${opened.some((each) => each.isWarning) && html`<button type="button" class="button plain" onClick=${silence}>${t("exam.silence")}</button>`}</div></div>`)}
  </header>`;
}

/** The part of the address after #: the number of the question, or the overview. */
function useNumber(/** @type {number} */ count) {
  const read = () => (location.hash === `#${OVERVIEW}` ? 0 : Math.min(count, Math.max(1, Number(location.hash.slice(1)) || 1)));
  return useExternal(onHash, read, [count]);
}

/** @param {() => void} changed */
function onHash(changed) {
  addEventListener("hashchange", changed);
  return () => removeEventListener("hashchange", changed);
}

/** @param {number} number 0 is the overview. */
const goTo = (number) => {
  location.hash = number ? String(number) : OVERVIEW;
};

/** The state of a question, in words. @param {Sitting} sitting @param {number} id @param {number[]} unsaved */
function questionState(sitting, id, unsaved) {
  const option = sitting.chosen(id);
  const words = [option ? t("exam.isAnswered", { option }) : t("exam.isBlank")];
  if (unsaved.includes(id)) words.push(t("exam.isHere"));
  if (sitting.isFlagged(id)) words.push(t("exam.isFlagged"));
  return words.join(", ");
}

/**
 * The running exam: one question at a time or all, and the overview, where the candidate submits.
 *
 * @param {{ sitting: Sitting, say: Say, title: string, signIn?: () => void, askAbout?: (question: number | null) => void, extra?: Children }} props
 */
export function Running({ sitting, say, title, signIn, askAbout, extra }) {
  useSitting(sitting);
  const questions = sitting.paper?.questions ?? [];
  const number = useNumber(questions.length);
  const [all, setAll] = useState(remembered("layout") === "all");
  const [open, setOpen] = useState(false);
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  const isFirst = useRef(true);
  const question = questions[number - 1];
  const unsaved = sitting.unsaved;
  const turn = (/** @type {number} */ by) => goTo(Math.min(questions.length, Math.max(1, (number || 1) + by)));
  // With all questions on one page, the keys act on the question that has the focus.
  const focused = () => (all ? questions[Number(document.activeElement?.closest(".one")?.id.slice(9)) - 1] : question);
  const act = (/** @type {(id: number) => void} */ change) => {
    const { id } = focused() ?? {};
    if (id) change(id);
  };
  useKeys({
    ...Object.fromEntries(LETTERS.flatMap((letter, at) => [letter.toLowerCase(), String(at + 1)].map((key) => [key, { text: t("exam.keyChoose", { option: letter }), act: () => act((id) => sitting.answer(id, letter)) }]))),
    n: { text: t("exam.next"), act: () => turn(1) },
    p: { text: t("exam.backKey"), act: () => turn(-1) },
    PageDown: { text: t("exam.next"), act: () => turn(1) },
    PageUp: { text: t("exam.backKey"), act: () => turn(-1) },
    f: { text: t("exam.flag"), act: () => act((id) => sitting.flag(id)) },
    "?": { text: t("exam.keys"), act: () => setOpen(true) },
  });
  useEffect(() => {
    setTitle({ title: number ? t("exam.titled", { number, title }) : t("exam.overviewTitle") });
    if (isFirst.current) {
      isFirst.current = false;
      // The start button had the focus, and has disappeared, so focus the heading.
      if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    } else if (!all || !number) heading.current?.focus({ preventScroll: true });
    if (all && number) document.getElementById(`question-${number}`)?.scrollIntoView();
    else scrollTo(0, 0);
    preload(questions.slice(number, number + 1));
  }, [number, all]);
  const changeLayout = () => {
    remember("layout", all ? null : "all");
    setAll(!all);
  };
  const shown = all ? questions : question ? [question] : [];
  return html`<div class="exam">
    <a class="skip button" href="#main" onClick=${(/** @type {Event} */ event) => { event.preventDefault(); heading.current?.focus(); }}>${t("exam.skip")}</a>
    ${h(Bar, { sitting, say, isBlank: !all && question !== undefined && !sitting.chosen(question.id), ...(signIn && { signIn }) })}
    ${h(Strip, { sitting, number })}
    <main id="main">
      ${number
        ? html`<h1 class="small muted" tabindex="-1" ref=${heading}><span>${title}</span> <span>${all ? t("exam.count", { count: questions.length }) : t("exam.position", { number, count: questions.length })}</span></h1>
          ${all && extra}
          ${shown.map((each) => h(Question, { key: each.id, sitting, question: each, number: questions.indexOf(each) + 1, named: all, ...(askAbout && { askAbout }) }))}
          ${!all && extra}
          <p class=${`small muted ${unsaved.length ? "" : "unseen"}`}>${t("exam.mark")}</p>
          <div class="under acts">
            <button type="button" class="button plain wide" onClick=${() => setOpen(true)}>${t("exam.keys")}</button>
            <button type="button" class="button plain wide" onClick=${changeLayout}>${all ? t("exam.oneByOne") : t("exam.allAtOnce")}</button>
          </div>`
        : h(Overview, { sitting, heading, unsaved })}
    </main>
    <footer class="bottom">
      ${number
        ? html`<button type="button" class="button" aria-disabled=${number === 1} onClick=${() => turn(-1)}>${t("exam.backKey")}</button>
          <a class="button" href=${`#${OVERVIEW}`}>${t("exam.overview")}</a>
          ${number < questions.length
            ? html`<button type="button" class="button first" onClick=${() => turn(1)}>${t("exam.next")}</button>`
            : html`<a class="button first" href=${`#${OVERVIEW}`}>${t("exam.finish")}</a>`}`
        : html`<a class="button" href="#1">${t("exam.toQuestions")}</a><button type="button" class="button first" onClick=${() => submit(sitting)}>${t("exam.submitNow")}</button>`}
    </footer>
    ${open && h(KeyList, { onClose: () => setOpen(false) })}
  </div>`;
}

/** Load the images of the next questions. @param {PaperQuestion[]} questions */
function preload(questions) {
  for (const each of questions) for (const address of images(each)) new Image().src = address;
}

/** The addresses of a question's images. @param {PaperQuestion} question @returns {string[]} */
export const images = (question) =>
  [...JSON.stringify(question.rendered ?? "").matchAll(/<img src=\\"([^"\\]+)\\"/g)].map((found) => (found[1] ?? "").replaceAll("&amp;", "&"));

/** The numbers of all questions. @param {{ sitting: Sitting, number: number }} props */
function Strip({ sitting, number }) {
  const unsaved = sitting.unsaved;
  const current = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => current.current?.scrollIntoView({ block: "nearest", inline: "center" }), [number]);
  return html`<nav class="strip" aria-label=${t("exam.questions")}><ol>
    ${sitting.paper?.questions.map(({ id }, at) => {
      const isHere = unsaved.includes(id);
      const kind = [isHere ? "here-only" : sitting.chosen(id) ? "done" : "", sitting.isFlagged(id) ? "flag" : ""].join(" ");
      return html`<li><a href=${`#${at + 1}`} class=${kind} ref=${at + 1 === number ? current : undefined} aria-current=${at + 1 === number ? "step" : undefined}
        aria-label=${t("exam.numbered", { number: at + 1, standing: questionState(sitting, id, unsaved) })}>${at + 1}${isHere && html`<span aria-hidden="true">′</span>`}</a></li>`;
    })}
  </ol></nav>`;
}

/**
 * A question. "Clear answer" is shown only after a choice. Its room is reserved, so that nothing moves under a
 * finger.
 *
 * @param {{ sitting: Sitting, question: PaperQuestion, number: number, named: boolean, askAbout?: (question: number | null) => void }} props
 */
function Question({ sitting, question, number, named, askAbout }) {
  const { id } = question;
  const chosen = sitting.chosen(id);
  return html`<section class="one" id=${`question-${number}`} aria-label=${t("exam.question", { number })}>
    ${named && html`<h2 class="small muted">${t("exam.question", { number })}</h2>`}
    ${h(Options, { question, chosen: /** @type {any} */ (chosen || null), choose: (letter) => sitting.answer(id, letter) })}
    <div class="acts">
      <button type="button" class="button" aria-pressed=${sitting.isFlagged(id)} onClick=${() => sitting.flag(id)}>${sitting.isFlagged(id) ? t("exam.unflag") : t("exam.flag")}</button>
      ${askAbout && html`<button type="button" class="button" onClick=${() => askAbout(id)}>${t("exam.ask")}</button>`}
      <button type="button" class="button" disabled=${!chosen} onClick=${() => sitting.answer(id, "")}>${t("exam.clear")}</button>
    </div>
  </section>`;
}

/** @param {{ sitting: Sitting, heading: any, unsaved: number[] }} props */
function Overview({ sitting, heading, unsaved }) {
  const questions = sitting.paper?.questions ?? [];
  const flagged = questions.map((each) => each.id).filter((id) => sitting.isFlagged(id));
  return html`<h1 tabindex="-1" ref=${heading}>${t("exam.overviewTitle")}</h1>
    <p>${t("exam.answered", { count: answered(sitting), of: questions.length })} ${savingWords(sitting).text}</p>
    <ol class="answers">${questions.map(({ id }, at) => html`<li><a href=${`#${at + 1}`} aria-label=${t("exam.numbered", { number: at + 1, standing: questionState(sitting, id, unsaved) })}>
      <span class="numbers">${at + 1}</span> <b>${sitting.chosen(id) || "–"}</b>${sitting.isFlagged(id) && html` <span class="tag warn">${t("exam.flagged")}</span>`}${unsaved.includes(id) && html` <span class="tag warn">${t("exam.isHere")}</span>`}</a></li>`)}</ol>
    ${sitting.blank.length > 0 && html`<p>${t("exam.notAnswered", { numbers: numbers(sitting, sitting.blank) })}</p>`}
    ${flagged.length > 0 && html`<p>${t("exam.areFlagged", { numbers: numbers(sitting, flagged) })}</p>`}
    <p class="muted">${t("exam.automatic", { time: deadlineTime(sitting.times.deadline) })}</p>
    ${sitting.paper?.description && html`<details><summary>${t("exam.introduction")}</summary><p class="plain">${sitting.paper.description}</p></details>`}`;
}

/** Ask the candidate for a confirmation, then submit. @param {Sitting} sitting */
async function submit(sitting) {
  const blank = sitting.blank;
  const count = answered(sitting);
  const time = deadlineTime(sitting.times.deadline);
  const saved = count - sitting.unsaved.filter((id) => sitting.chosen(id)).length;
  const missing = blank.length ? t("exam.confirmBlank", { numbers: numbers(sitting, blank), count: blank.length }) : t("exam.confirmAll");
  // `isAway` is true only after a failed request. A device that has just lost its connection may not have sent any.
  const isAway = sitting.isAway || !navigator.onLine;
  const kept = saved ? t("exam.confirmAwayKept", { count: saved, time }) : t("exam.confirmAwayNone", { time });
  const what = isAway ? `${t("exam.confirmAway")} ${kept}` : `${t("exam.confirm")} ${t("exam.automatic", { time })}`;
  const sure = await ask({ title: t("exam.submitQuestion"), what: html`${missing}<br />${what}`, verb: t("exam.submitVerb", { count }), cancel: t("exam.keepWorking") });
  if (sure) await sitting.submit();
}

/**
 * The page after the exam. It shows the submission, the receipt, and the button that deletes the exam on this
 * device. The practice exam has no receipt.
 *
 * @param {{ sitting: Sitting, say: Say, title: string, forget?: () => void, leavesNothing?: boolean, actions?: Children, extra?: Children, hasReceipt?: boolean, signIn?: () => void }} props
 */
export function After({ sitting, say, title, forget, leavesNothing = false, actions, extra, hasReceipt = true, signIn }) {
  useSitting(sitting);
  useSeconds();
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  const { phase, receipt, late } = sitting;
  const text = afterWords(sitting);
  const isSignedOut = signIn && phase !== "ended" && sitting.trouble?.status === 401;
  useEffect(() => {
    setTitle({ title });
    say(text, phase === "nothing");
  }, [text]);
  useEffect(() => heading.current?.focus(), [phase]);
  return html`<main class="after" id="main"><div class="flow">
    <h1 tabindex="-1" ref=${heading}>${phase === "ended" ? t("exam.ended") : phase === "nothing" ? t("exam.nothingTitle") : phase === "over" ? t(sitting.wasClosedEarly ? "exam.closedTitle" : "exam.overTitle") : t("exam.submitting")}</h1>
    ${sitting.paper && html`<p class="muted">${title}</p>`}
    ${h(Note, { kind: phase === "ended" ? "ok" : phase === "nothing" ? "bad" : "info" }, html`<p>${text}</p>`)}
    ${extra}
    ${isSignedOut && h(Note, { kind: "warn", alert: true }, html`<p>${t("exam.signedOutNow")}</p><button type="button" class="button first" onClick=${signIn}>${t("signIn")}</button>`)}
    ${sitting.trouble && !isSignedOut && phase !== "ended" && h(Failed, { error: sitting.trouble, again: () => sitting.goOn() })}
    ${late.length > 0 && h(Note, { kind: "bad", alert: true }, html`<p>${t("exam.late", { numbers: numbers(sitting, late.map((/** @type {any} */ each) => each.question)), count: late.length })} ${sitting.times.sealed ? t("exam.lateSealed") : `${t("exam.lateTell")} ${t(isShared() ? "exam.lateShared" : "exam.lateOwn")}`}</p>`)}
    ${phase === "ended" && receipt && hasReceipt && h(Received, { sitting, receipt, title })}
    ${(phase === "ended" || phase === "nothing") && html`<div class="acts">${actions}${forget && html`<button type="button" class="button" onClick=${forget}>${t("exam.forget")}</button>`}</div>
      ${forget && html`<p class="muted">${t(leavesNothing ? "exam.forgetLeaving" : "exam.forgetWhy")}</p>`}`}
  </div></main>`;
}

/** @param {Sitting} sitting */
function afterWords(sitting) {
  const { phase, receipt } = sitting;
  const { until, deadline } = sitting.times;
  if (phase === "nothing") return `${t("exam.nothing")} ${config().support_email ? t("exam.contact", { contact: config().support_email }) : t("exam.tellTeacher")}`;
  const count = answered(sitting);
  // If the service has confirmed every answer, it will submit them after the deadline even without this page.
  if (phase !== "ended" && count && !sitting.unsaved.length && sitting.secondsLeft === 0) {
    return t("exam.leagueHas", { count });
  }
  if (phase === "over" && !sitting.isUsed) return t("exam.overHere", { time: deadlineTime(until) });
  if (phase === "over") return sitting.wasClosedEarly ? `${t("exam.closed")} ${t("exam.sendsLast")}` : t("exam.over");
  if (phase !== "ended" || !receipt) {
    if (sitting.isAway) return t("exam.submittingAway", { until: deadlineTime(until) });
    return t("exam.submittingCount", { count });
  }
  const time = clockTime(receipt.submitted_at);
  if (receipt.handed_in_by === "service") {
    return sitting.wasClosedEarly ? t("exam.closedEarly", { time, count: receipt.answered }) : t("exam.endedByService", { time: deadlineTime(deadline) || time, count: receipt.answered });
  }
  const counts = { count: receipt.answered, of: receipt.questions, time };
  return sitting.wasSubmittedHere || !sitting.paper ? t("exam.submitted", counts) : t("exam.submittedElsewhere", counts);
}

/** @param {{ sitting: Sitting, receipt: Receipt, title: string }} props */
function Received({ sitting, receipt, title }) {
  const [checked, set] = useState(/** @type {Checked | null} */ (null));
  const [error, fail] = useState(/** @type {unknown} */ (null));
  const run = () => sitting.check().then(set, fail);
  // Without the answers, this device can't compare them with the receipt.
  const hasAnswers = sitting.paper !== null;
  useEffect(() => void run(), [receipt.signature]);
  /** @type {[string, Children][]} */
  const facts = [
    [t("exam.factExam"), hasAnswers && title],
    [t("exam.factAt"), whenInWords(receipt.submitted_at, dates.when)],
    [t("exam.factAnswers"), t("exam.answered", { count: receipt.answered, of: receipt.questions })],
  ];
  /** @type {[string, Children][]} */
  const signed = [
    [t("exam.factKey"), receipt.key_id && html`<code>${receipt.key_id}</code>`],
    [t("exam.factSignature"), receipt.signature && html`<code>${receipt.signature}</code>`],
  ];
  const verdict = checked && (!checked.isGenuine ? t("exam.forged") : !hasAnswers ? t("exam.genuineAlone") : checked.isComplete ? t("exam.genuine") : t("exam.incomplete"));
  return html`<section class="sheet pad flow" aria-label=${t("exam.receipt")}><h2>${t("exam.receipt")}</h2>
    ${verdict && h(Note, { kind: checked.isGenuine && (checked.isComplete || !hasAnswers) ? "ok" : "warn" }, verdict)}
    ${Boolean(error) && h(Failed, { error, again: run })}
    ${h(Facts, { facts })}
    <p>${t("exam.receiptWhy")}</p>
    <details><summary>${t("exam.signed")}</summary>${h(Facts, { facts: signed })}</details>
    <div class="acts"><button type="button" class="button first" onClick=${() => save(new Blob([JSON.stringify(receipt, null, 2)], { type: "application/json" }), `exam-${receipt.exam}.json`)}>${t("exam.saveReceipt")}</button>
      ${h(PrintButton, { content: () => h(PrintSheet, { title, detail: t("exam.receipt") }, h(Facts, { facts: [...facts, ...signed] })) })}</div>
  </section>`;
}
