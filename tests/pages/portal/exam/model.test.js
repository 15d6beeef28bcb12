import { equal, test } from "../../kit/cases.js";
import { stopClock } from "../../kit/clock.js";
import { Exam, FIRST } from "./model.js";

const { minutes, hours, questions, plays } = await (await fetch("/tests/pages/portal/exam/contract.json")).json();
// The fields of the replies that depend on nothing but the script.
const FIELDS = [
  ...["status", "opens_at", "closes_at", "extra_minutes", "submitted", "started_at", "deadline", "hand_in_until", "seconds_remaining", "server_time"],
  ...["draft", "applied", "sequence", "answered", "saved_at", "answers", "receipt", "submitted_at", "handed_in_by", "questions"],
];

for (const { name, opens_in: opensIn, steps } of plays) {
  test(`the model and the service reply the same: ${name}`, async () => {
    const clock = stopClock();
    const opens = clock.now + opensIn * 1000;
    const exam = new Exam({ opens, minutes, hours, questions });
    /** @param {Record<string, string>} given */
    const answers = (given) => Object.entries(given).map(([number, option]) => ({ question: FIRST + Number(number) - 1, selected_option: /** @type {any} */ (option) }));
    /** @type {Record<string, (...given: any[]) => any>} */
    const acts = {
      after: (seconds) => clock.jumps(seconds),
      time: () => exam.time(),
      open: () => exam.open(),
      save: (sequence, given) => exam.save({ sequence, answers: answers(given) }),
      draft: () => exam.readDraft(),
      submit: (key, given) => exam.submit(answers(given), key),
      receipt: () => exam.receipt(),
      giveTime: (given) => exam.giveTime(given),
      conclude: () => exam.conclude(),
      switch: (on) => exam.switch(on),
      move: (seconds) => exam.move(clock.now + seconds * 1000),
    };
    /** @param {any} value @returns {any} */
    const plain = (value) => {
      if (Array.isArray(value)) return value.map(plain);
      if (typeof value === "string" && /^\d{4}-.*Z$/.test(value)) return (Date.parse(value) - opens) / 1000;
      if (value === null || typeof value !== "object") return value;
      if ("selected_option" in value) return [value.question - FIRST + 1, value.selected_option];
      return Object.fromEntries(FIELDS.filter((each) => each in value && !(each === "questions" && Array.isArray(value[each]))).map((each) => [each, plain(value[each])]));
    };
    for (const [index, { act, given, reply }] of steps.entries()) {
      let found = null;
      try {
        found = plain(await acts[act]?.(...given) ?? null);
      } catch (error) {
        found = { code: /** @type {any} */ (error).code, http: /** @type {any} */ (error).status };
        if (!found.http) throw error;
      }
      if (reply !== undefined) equal(found, reply, `Step ${index + 1}, ${act} ${JSON.stringify(given)}:`);
    }
  });
}
