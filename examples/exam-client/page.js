// A plain page that shows the state of a Sitting (sitting/sitting.js). Only service.js knows paths of the service.

import { Refused, Service } from "./service.js";
import { check } from "./receipts.js";
import { Sitting } from "./sitting/sitting.js";

const $ = (id) => document.getElementById(id);
const LOGIN = $("login");
const OPTIONS = ["a", "b", "c", "d"];

// With this service worker, the page can be reloaded without a network.
navigator.serviceWorker?.register("offline.js");

// The service and the exam, stored for reloads. A link may set them: ?service=…&key=…&exam=….
const PLACE = "page";
const place = {
  ...JSON.parse(localStorage.getItem(PLACE)),
  ...Object.fromEntries(new URLSearchParams(location.search)),
};
for (const name of ["service", "key", "exam"]) LOGIN.elements[name].value = place[name] ?? "";

let service;
let sitting;

LOGIN.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { service: address, key, exam, email, password } = Object.fromEntries(new FormData(LOGIN));
  localStorage.setItem(PLACE, JSON.stringify({ service: address, key, exam }));
  await tried(async () => {
    await new Service(address, key).logIn(email, password);
    await start(address, key, exam);
    if (sitting.phase === "ready") await sitting.open();
  });
});

async function start(address, key, exam) {
  sitting?.end();
  service = new Service(address, key);
  place.exam = exam;
  sitting = new Sitting({ service: service.exam(exam), check, exam, user: service.user, storage: localStorage });
  sitting.addEventListener("change", show);
  LOGIN.hidden = true;
  await sitting.begin();
}

async function tried(action) {
  $("trouble").textContent = "";
  try {
    await action();
  } catch (error) {
    $("trouble").textContent = error.message;
    if (error instanceof Refused && error.status === 401) LOGIN.hidden = false;
  }
}

// The text of the page while there is no paper to show, by phase.
const BEFORE = {
  away: "No connection to the service. This page keeps trying.",
  before: "The exam has not begun yet. This page waits for it.",
  ready: "The exam is open. Your time begins when you start.",
  opening: "Getting your exam. Your time begins when it appears.",
  missed: "This exam is over.",
  nothing: "No answers reached the service, so nothing was submitted.",
};

function show() {
  $("trouble").textContent = sitting.trouble?.message ?? "";
  if (sitting.trouble?.status === 401) LOGIN.hidden = false;
  $("before").textContent = BEFORE[sitting.phase] ?? "";
  $("start").hidden = sitting.phase !== "ready";
  if (!sitting.paper && !sitting.receipt) return;
  if (!sitting.paper) return showReceipt();
  document.querySelector("main").hidden = false;
  $("title").textContent = sitting.paper.title;
  if (!$("paper").children.length) $("paper").append(...sitting.paper.questions.map(field));
  for (const { id } of sitting.paper.questions) {
    const option = sitting.chosen(id);
    for (const each of $("paper").elements[`question-${id}`]) each.checked = each.value === option;
  }
  for (const each of $("paper").children) each.disabled = isClosed();
  $("news").replaceChildren(...sitting.messages.map(message));
  $("hand-in").hidden = $("ask").hidden = isClosed();
  $("state").textContent = state();
  showClock();
  $("end").hidden = sitting.phase !== "ended";
  if (sitting.phase === "ended") showReceipt();
}

/** Whether answers can no longer be changed. */
const isClosed = () => sitting.phase !== "running";

const SAVING = {
  saved: "All answers are saved.",
  signedOut: "You have been logged out. New answers are stored on this device. Log in to save them.",
  rejected: "The service rejects your answers. They are stored on this device. Inform the organisers.",
};

function state() {
  if (["ended", "nothing"].includes(sitting.phase)) return "";
  if (isClosed()) return "Your answers are being submitted. Leave this page open.";
  const count = sitting.unsaved.length;
  if (sitting.saving === "away") return `No connection: ${count} answers are stored on this device. You can continue.`;
  return SAVING[sitting.saving] ?? "Saving…";
}

function field(question, index) {
  const set = document.createElement("fieldset");
  const legend = document.createElement("legend");
  legend.append(`${index + 1}. `, ...shown(question, "text"));
  set.append(legend, ...OPTIONS.map((each) => choice(question, each.toUpperCase(), shown(question, `option_${each}`))));
  set.append(choice(question, "", ["No answer"]));
  return set;
}

function message({ kind, question, asked, text, minutes }) {
  const item = document.createElement("li");
  if (kind === "time") {
    item.textContent = `You have ${minutes} more minutes.`;
    return item;
  }
  const number = sitting.paper.questions.findIndex((each) => each.id === question) + 1;
  const about = number ? `Question ${number}` : "The exam";
  const title = kind === "announcement" ? "Announcement" : `${about}${asked ? `: ${asked}` : ""}`;
  item.textContent = `${title} — ${text ?? "Staff have not answered this question."}`;
  return item;
}

// The elements of a rendered question, each with its attributes. Nothing else is shown.
const MATHML = "http://www.w3.org/1998/Math/MathML";
const SHOWN = {
  br: [], img: ["src", "width", "height", "alt"], math: ["display", "alttext"],
  mfrac: ["linethickness", "displaystyle", "scriptlevel"], mi: ["mathvariant"],
  mo: ["stretchy", "symmetric", "largeop", "movablelimits", "fence", "separator", "form", "lspace",
    "rspace", "minsize", "maxsize"],
  mmultiscripts: [], mn: [], mover: ["accent"], mpadded: ["width", "height"], mphantom: [], mprescripts: [],
  mroot: [], mrow: ["displaystyle", "scriptlevel"], mspace: ["width"], msqrt: [],
  mstyle: ["displaystyle", "scriptlevel"], msub: [], msubsup: [], msup: [],
  mtable: ["displaystyle", "scriptlevel"], mtd: ["columnalign"], mtext: [], mtr: [],
  munder: ["accentunder"], munderover: ["accent", "accentunder"],
};

/** A text of a question with its formulas and images, or as it was written if it has none. */
function shown(question, name) {
  if (!question.rendered) return [question[name]];
  const page = new DOMParser().parseFromString(question.rendered[name], "text/html");
  return [...page.body.childNodes].map(copied);
}

/** A copy of a node that has only what is in `SHOWN`. */
function copied(node) {
  const name = node.localName;
  if (!Object.hasOwn(SHOWN, name ?? "")) return document.createTextNode(node.textContent);
  const copy = name === "br" || name === "img"
    ? document.createElement(name) : document.createElementNS(MATHML, name);
  for (const each of SHOWN[name]) {
    if (node.hasAttribute(each)) copy.setAttribute(each, node.getAttribute(each));
  }
  copy.append(...[...node.childNodes].map(copied));
  return copy;
}

function choice(question, option, text) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name: `question-${question.id}`, value: option });
  input.addEventListener("change", () => sitting.answer(question.id, option));
  label.append(input, " ", ...text);
  return label;
}

function showClock() {
  const left = Math.ceil(sitting?.secondsLeft ?? 0);
  $("left").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

// The signature of the last receipt that was checked, so that each receipt is checked once.
let checked = "";

async function showReceipt() {
  const { signature } = sitting.receipt;
  if (checked === signature) return;
  checked = signature;
  document.querySelector("main").hidden = $("end").hidden = false;
  const text = JSON.stringify(sitting.receipt, null, 2);
  $("receipt").href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  let verdict;
  try {
    verdict = await sitting.check();
  } catch {
    // Without a connection, the keys can't be fetched. Try again.
    checked = "";
    setTimeout(show, 5000);
    return;
  }
  const { isGenuine, isComplete } = verdict;
  $("verdict").textContent = !isGenuine
    ? "The receipt is not genuine. Leave this page open and inform the organisers."
    : isComplete
      ? "The receipt is genuine. It covers all answers on this page."
      : "The receipt is genuine, but it covers only the answers that were saved before the end.";
}

$("start").addEventListener("click", () => tried(() => sitting.open()));
$("hand-in").addEventListener("click", () => tried(() => sitting.submit()));
$("forget").addEventListener("click", () => {
  sitting.end();
  sitting.forget();
  service.forget();
  location.reload();
});
// The same key is sent until the question has arrived, so that a second attempt does not ask twice.
let askKey = crypto.randomUUID();
$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  $("asked").textContent = "";
  tried(async () => {
    await service.ask(place.exam, $("ask").elements.text.value, askKey);
    askKey = crypto.randomUUID();
    $("ask").reset();
    $("asked").textContent = "Your question has been sent. The answer will appear on this page.";
  });
});
setInterval(showClock, 500);

if (place.service && new Service(place.service, place.key).user) {
  tried(() => start(place.service, place.key, place.exam));
}
