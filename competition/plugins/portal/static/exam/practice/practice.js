// The practice exam: the pieces of an exam with a pretended service. It needs no account, and sends no request.

import { check } from "../../../../pages/static/ground/receipts.js";
import { go } from "../../../../pages/static/ground/router.js";
import { h, html, useEffect, useState } from "../../../../pages/static/ground/html.js";
import { language } from "../../../../pages/static/ground/texts.js";
import { Note } from "../../../../pages/static/pieces/notice.js";
import { Page } from "../../../../pages/static/pieces/page.js";
import { t } from "./words.js";
import { After, Running, useSitting, useSpeech } from "../pieces.js";
import { questions } from "./questions.js";
import { pretended, restart } from "./rehearsal.js";
import { Sitting } from "../sitting/sitting.js";

const EXAM = "practice";
const USER = "guest";

/** @returns {Storage | null} */
function storage() {
  try {
    return sessionStorage;
  } catch {
    return null; // The browser forbids storage.
  }
}

function begin() {
  const { service, line } = pretended(t("practice"), questions(language()));
  const sitting = new Sitting({ service, check, exam: EXAM, user: USER, storage: storage() });
  void sitting.begin();
  return { sitting, line };
}

/** @typedef {ReturnType<typeof begin>} Tried */

export function Practice() {
  const [tried, set] = useState(/** @type {Tried | null} */ (null));
  useEffect(() => {
    const made = begin();
    set(made);
    return () => made.sitting.end();
  }, []);
  return tried && h(Tried, { tried, again: set });
}

/** @param {{ tried: Tried, again: (tried: Tried) => void }} props */
function Tried({ tried, again }) {
  const { sitting, line } = tried;
  useSitting(sitting);
  const [regions, say] = useSpeech();
  const [isCut, setCut] = useState(line.isCut);
  // The latest choices that only the lost device had. Null on the first device.
  const [lost, setLost] = useState(/** @type {{ id: number, option: string }[] | null} */ (null));
  const cut = () => {
    line.cut(!isCut);
    setCut(!isCut);
    sitting.goOn();
  };
  const restartAll = () => {
    sitting.end();
    sitting.forget();
    restart();
    // Go to the first question. The address still names the overview.
    location.hash = "1";
    again(begin());
  };
  // Delete the data on this device, as if it were lost. Only the answers that were saved at the service come back.
  const loseDevice = () => {
    setLost(sitting.unsaved.map((id) => ({ id, option: sitting.chosen(id) })));
    sitting.forget();
    sitting.end();
    line.cut(false);
    setCut(false);
    again(begin());
  };
  // A save may have been on its way when the device was lost.
  const missing = (lost ?? []).filter(({ id, option }) => sitting.chosen(id) !== option).map(({ id }) => String(id));
  const found = missing.length ? t("practice.isLost", { numbers: new Intl.ListFormat(language()).format(missing), count: missing.length }) : t("practice.isFound");
  const toggle = html`<button type="button" class="button" aria-pressed=${isCut} onClick=${cut}>${isCut ? t("practice.reconnect") : t("practice.cut")}</button>`;
  const extra = html`<div class="under">${h(Note, { kind: isCut || missing.length ? "warn" : "info" }, html`<p>${isCut ? t("practice.isCut") : lost ? found : t("practice.tries")}</p>
    <div class="acts">${toggle}
    <button type="button" class="button" onClick=${loseDevice}>${t("practice.loseDevice")}</button></div>`)}</div>`;
  const { phase } = sitting;
  if (phase === "running") return html`${h(Running, { sitting, say, title: t("practice"), extra })}${regions}`;
  if (["over", "submitting", "ended", "nothing"].includes(phase)) {
    const leave = () => {
      sitting.end();
      sitting.forget();
      restart();
      void go("/");
    };
    const actions = html`<button type="button" class="button first" onClick=${restartAll}>${t("practice.again")}</button><button type="button" class="button" onClick=${leave}>${t("practice.leave")}</button>`;
    return html`${h(After, { sitting, say, title: t("practice"), actions, extra: html`${phase === "ended" && html`<p>${t("practice.receipt")}</p>`}${isCut && toggle}`, hasReceipt: false })}${regions}`;
  }
  return html`<main class="after" id="main">${h(Page, { title: t("practice"), lead: t("practice.lead") }, html`
    <ol class="rules"><li>${t("practice.step1")}</li><li>${t("practice.step2")}</li><li>${t("practice.step3")}</li><li>${t("practice.step4")}</li></ol>
    <div class="acts"><button type="button" class="button first" onClick=${() => sitting.open()}>${t("exam.start")}</button><a class="button" href="/">${t("practice.leave")}</a></div>`)}</main>${regions}`;
}
