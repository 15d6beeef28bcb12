// The whole page of an exam in this document, with the model of the service, and a clock that stands still:
//
//     const it = await opened({ opensIn: 600 });
//     await it.passes(600);
//     click(await it.shows("button", "Start"));
//
// Without `start: false`, the exam is open and the candidate has started it.

import { stopClock } from "../../kit/clock.js";
import { example } from "../../kit/examples.js";
import { candidate, open } from "../../kit/front-end.js";
import { click, screen, within } from "../../kit/screen.js";
import { lost, page, refused, Reply, Service } from "../../kit/service.js";
import { canonical, encoded, Exam, Refused } from "./model.js";

const ID = 7;
export const TIME = "GET /exams/{exam_id}/time/";
export const TAKE = "GET /exams/{exam_id}/take-exam/";
export const DRAFT = "PUT /exams/{exam_id}/draft/";
export const SUBMIT = "POST /exams/{exam_id}/submit-exam-answers/";
export const RECEIPT = "GET /exams/{exam_id}/receipt/";
export const DASHBOARD = "GET /dashboard/candidate/";
/** How often a test looks for something, with a frame or two between. */
const LONGEST = 600;
/** The regions that screen readers read aloud. */
const LIVE = ["status", "alert"];

/**
 * @param {object} [options]
 * @param {number} [options.opensIn] When the exam opens, in seconds.
 * @param {boolean} [options.start]
 * @param {boolean} [options.isShared] Whether this is a shared computer.
 * @param {any} [options.as] The user who is signed in; null for nobody.
 * @param {Record<string, any>} [options.replies] Replies in place of the model's.
 * @param {Record<string, any>} [options.about] Fields of the exam.
 * @param {string[]} [options.plugins]
 * @param {(exam: Exam) => void} [options.prepare] What has happened before the page opens.
 */
export async function opened({ opensIn = -3600, start = true, isShared = false, as = candidate(), replies = {}, about = {}, plugins = ["clarifications", "allowances"], prepare = () => {} } = {}) {
  const clock = stopClock();
  Math.random = () => 0.01;
  localStorage.setItem("device.shared", isShared ? "1" : "0");
  const exam = new Exam({ opens: Date.now() + opensIn * 1000, minutes: about.countdown_minutes ?? 60 });
  prepare(exam);
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const x = encoded(new Uint8Array(await crypto.subtle.exportKey("raw", /** @type {any} */ (pair).publicKey)));
  const signed = async (/** @type {any} */ receipt) => {
    const { signature, ...content } = receipt;
    const text = new TextEncoder().encode(canonical(content));
    return { ...content, signature: encoded(new Uint8Array(await crypto.subtle.sign("Ed25519", /** @type {any} */ (pair).privateKey, text))) };
  };
  const facts = { id: ID, title: "Round one", description: "", countdown_minutes: 60, ...about };
  const questions = exam.questions.map((id) => example("PaperQuestion", { id, text: `Question ${id}`, option_a: "1", option_b: "2", option_c: "3", option_d: "4", ...about.question }));
  /** @param {(asked: import("../../kit/service.js").Asked) => any} act */
  const model = (act) => async (/** @type {import("../../kit/service.js").Asked} */ asked) => {
    if (line.isCut) lost();
    if (line.isSignedOut) return refused(401, "not_authenticated");
    const error = line.errors.find(([operation]) => operation === `${asked.method} ${asked.path.replace(String(ID), "{exam_id}")}`);
    if (error) return error[1];
    try {
      return await act(asked);
    } catch (refusal) {
      if (refusal instanceof Refused) return refused(refusal.status, refusal.code);
      throw refusal;
    }
  };
  /** @type {{ isCut: boolean, isSignedOut: boolean, errors: [string, Reply][] }} */
  const line = { isCut: false, isSignedOut: false, errors: [] };
  const service = new Service({
    [TIME]: model(() => exam.time()),
    [TAKE]: model(() => {
      const { messages: _, ...found } = /** @type {any} */ (exam.open());
      return example(TAKE, { ...facts, question_count: questions.length, ...found, questions });
    }),
    [DRAFT]: model(({ body }) => exam.save(body)),
    "GET /exams/{exam_id}/draft/": model(() => exam.readDraft()),
    [SUBMIT]: model(async ({ body, headers }) => {
      const { message, receipt } = exam.submit(body.answers, headers.get("Idempotency-Key"));
      return new Reply(201, { message, receipt: await signed(receipt) });
    }),
    [RECEIPT]: model(() => signed(exam.receipt())),
    "GET /receipts/keys/": { keys: [{ kty: "OKP", crv: "Ed25519", x, kid: "key-1", alg: "EdDSA", use: "sig" }] },
    [DASHBOARD]: model(() => example(DASHBOARD, opensIn > 0 ? { upcoming_exams: [example("AnnouncedExam", facts)] } : { available_exams: [example("AvailableExam", facts)] })),
    "GET /exams/{exam_id}/own-time/": model(() => ({ minutes: facts.countdown_minutes })),
    "GET /exams/{exam_id}/announcements/": model(() => page(exam.messages.filter((each) => each.status === undefined))),
    "GET /exams/{exam_id}/clarifications/": model(() => page(exam.messages.filter((each) => each.status !== undefined))),
    ...replies,
  });
  /** @type {string[]} What screen readers have read aloud. */
  const heard = [];
  /** @type {Record<string, string>} */
  const last = {};
  new MutationObserver(() => {
    for (const role of LIVE) {
      const text = [...document.querySelectorAll(`#page [role=${role}]`)].map((each) => each.textContent?.trim()).filter(Boolean).join(" | ");
      if (text && text !== last[role]) heard.push(`${role}: ${text}`);
      last[role] = text;
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
  await open(`/exams/${ID}`, { as, service, plugins });
  /**
   * Let the page draw what it shows now, and run its effects. Preact waits for a frame, and then for a timer, which takes
   * a millisecond if the frame came while the clock moved.
   */
  const drawn = async () => {
    for (let frames = 0; frames < 2; frames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await clock.passes(0.001);
    }
  };
  /**
   * Wait until something is true, while the clock stands still.
   *
   * @template T
   * @param {() => T} isSo
   * @param {string} [what]
   * @returns {Promise<T>}
   */
  const until = async (isSo, what = String(isSo)) => {
    for (let tries = 0; tries < LONGEST; tries++) {
      const found = isSo();
      if (found) return found;
      await drawn();
    }
    throw new Error(`This did not happen: ${what}. Requests: ${service.asked.map((each) => `${each.method} ${each.path}`)}. The page: ${document.body.innerText.slice(0, 600)}`);
  };
  const it = {
    clock,
    exam,
    service,
    line,
    heard,
    /** Let time pass, and let the page draw what it shows then. @param {number} seconds */
    async passes(seconds) {
      await clock.passes(seconds);
      await drawn();
    },
    /** Let an hour pass at once. @param {number} seconds */
    async jumps(seconds) {
      await clock.jumps(seconds);
      exam.handIn();
      await drawn();
    },
    /**
     * Wait for an element by its role and name. The clock stands still.
     *
     * @param {string} role @param {string | RegExp} [name] @param {any} [within]
     */
    shows: (role, name, within = screen) => until(() => within.queryAllByRole(role, name === undefined ? {} : { name })[0], `${role} ${name}`),
    /** Wait for a text. @param {string | RegExp} text */
    reads: (text) => until(() => [...document.querySelectorAll("#page p, #page li, #page h1, #page [role=timer], dialog p")].find((each) => (typeof text === "string" ? each.textContent?.includes(text) : text.test(each.textContent ?? ""))), `the text ${text}`),
    until,
    /** Choose an option of the question that is shown. @param {string} letter */
    choose: (letter) => click(screen.getByRole("radio", { name: new RegExp(`^${letter}, `) })),
    /** Go to a question. @param {number} number */
    async goTo(number) {
      location.hash = String(number);
      await it.reads(new RegExp(`Question ${number} of`));
      await drawn();
    },
    /** The text of the bar about saving. */
    bar: () => document.querySelector(".bar .state")?.textContent?.trim() ?? "",
    /** The connection is back. */
    async back() {
      Object.assign(line, { isCut: false, isSignedOut: false, errors: [] });
      dispatchEvent(new Event("online"));
      await it.passes(1);
    },
    /** Open the overview, and press the button to submit. Resolves to the dialog. */
    async toSubmit() {
      click(await it.shows("link", "All questions"));
      click(await it.shows("button", "Submit now"));
      return it.shows("dialog", "Submit now?");
    },
    async submit() {
      click(await it.shows("button", /^Submit (one|\d+)/, within(await it.toSubmit())));
    },
    /** The texts read aloud that contain this one. @param {string} text */
    said: (text) => heard.filter((each) => each.includes(text)),
  };
  if (start) {
    await clock.passes(1);
    click(await it.shows("button", "Start"));
    await it.shows("navigation", "Questions");
    await drawn();
  }
  return it;
}
