// Signing out deletes the exams on this device. Before that, it asks if answers would be lost.

import { signOut } from "../../../../competition/plugins/pages/static/pieces/start.js";
import { forgetOthers, leave } from "../../../../competition/plugins/portal/static/leave.js";
import { Sitting } from "../../../../competition/plugins/portal/static/exam/sitting/sitting.js";
import { Store } from "../../../../competition/plugins/portal/static/exam/sitting/store.js";
import { IMAGES } from "../../../../competition/plugins/portal/static/storages.js";
import { unsent } from "../../../../competition/plugins/portal/static/unsent.js";
import { equal, ok, test } from "../../kit/cases.js";
import { candidate, open, staff } from "../../kit/front-end.js";
import { click, screen, waitFor, within } from "../../kit/screen.js";
import { Reply, Service } from "../../kit/service.js";
import { opened } from "./page.js";

const USER = candidate().user.id;
const LOGOUT = "POST /auth/logout/";

/** Store an exam of which the service has B for the first question. @param {Record<number, string>} chosen */
function store(chosen, shared = true) {
  const prefix = `exam.7.${USER}`;
  if (shared) localStorage.setItem("device.shared", "1");
  localStorage.setItem(`${prefix}.paper`, JSON.stringify({ title: "Round 1", minutes: 60, questions: [{ id: 101 }, { id: 102 }] }));
  localStorage.setItem(`${prefix}.draft`, JSON.stringify({ sequence: 1, saved: { 101: "B" }, sent: null }));
  for (const [id, option] of Object.entries(chosen)) localStorage.setItem(`${prefix}.chosen.${id}`, JSON.stringify(option));
}

/** Let this tab reply, too, as the first module of the portal does. */
function reply() {
  const channel = new BroadcastChannel("portal.unsent");
  channel.onmessage = ({ data }) => data === "count" && channel.postMessage(unsent());
}

/** Sign out, and decline when asked. Resolves to the question. */
async function declined() {
  const service = new Service();
  reply();
  await open("/practice", { as: candidate(), service });
  const left = leave();
  const dialog = await screen.findByRole("dialog", { name: "Sign out now?" });
  const text = dialog.textContent;
  click(within(dialog).getByRole("button", { name: "Cancel" }));
  await left;
  equal(service.sent(LOGOUT), []);
  ok(sessionStorage.getItem("portal.session"));
  return text;
}

/** Keep this document when the page loads another one. Returns the paths of those. @returns {string[]} */
function keepDocument() {
  /** @type {string[]} */
  const paths = [];
  /** @type {any} */ (globalThis).navigation.addEventListener("navigate", (/** @type {any} */ event) => {
    if (event.destination.sameDocument) return;
    event.preventDefault();
    paths.push(new URL(event.destination.url).pathname);
  });
  return paths;
}

/** Open another tab, which handles no messages. A tab has this lock as long as it is open. */
const openTab = () => void navigator.locks.request("portal.tab", { mode: "shared" }, () => new Promise(() => {}));

/** Keep an image of a paper. */
async function keepImage() {
  await caches.delete(IMAGES);
  await (await caches.open(IMAGES)).put("/x", new Response("x"));
}

test("signing out asks before it deletes an answer that only this device has", async () => {
  store({ 101: "B", 102: "C" });
  // A stored exam that can't be read does not prevent signing out.
  localStorage.setItem(`exam.999.${USER}.paper`, "{");
  ok((await declined()).includes("One of your answers in an exam is saved on this device only."));
  ok(localStorage.getItem(`exam.7.${USER}.chosen.102`));
});

test("on an own device, such an answer stays when the candidate signs out, and nothing is asked", async () => {
  keepDocument();
  reply();
  store({ 101: "B", 102: "C" }, false);
  localStorage.setItem("device.shared", "0");
  localStorage.setItem(`exam.7.${USER}.clock`, JSON.stringify({ until: new Date().toISOString() }));
  const service = new Service({ [LOGOUT]: new Reply(204) });
  await open("/practice", { as: candidate(), service });
  await leave();
  equal([service.sent(LOGOUT).length, screen.queryByRole("dialog")], [1, null]);
  equal(localStorage.getItem(`exam.7.${USER}.chosen.102`), '"C"');
});

test("only the answers of the candidate who is signed in are named", async () => {
  await open("/practice", { as: candidate(), service: new Service() });
  for (const user of ["another", USER]) {
    const kept = new Store(7, user, sessionStorage);
    kept.set("paper", { questions: [{ id: 101 }] });
    kept.set("chosen.101", "B");
    new Sitting({ service: /** @type {any} */ ({}), check: async () => null, exam: 7, user, storage: sessionStorage });
  }
  equal([...new Set(unsent())], [`exam.7.${USER}.chosen.101`]);
});

test("signing out of the console in the same tab keeps a candidate's exam", async () => {
  const paths = keepDocument();
  await open("/console/account", { as: staff(), service: new Service({ [LOGOUT]: new Reply(204) }) });
  new Store(7, "another", sessionStorage).set("used", true);
  sessionStorage.setItem("draft.x", "1");
  await signOut();
  equal([Object.keys(sessionStorage), paths], [["exam.7.another.used"], ["/console/"]]);
});

test("signing out asks if another tab does not respond", async () => {
  openTab();
  store({ 101: "B" });
  const text = await declined();
  ok(text.includes("Another tab of this site does not respond.") && !text.includes("on this device only"));
});

test("forgetting an exam signs out if the browser forbids storage", async () => {
  const paths = keepDocument();
  reply();
  const forbid = () => {
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
    // A phone, because without storage nothing else says that this is no shared computer.
    const { matchMedia } = globalThis;
    globalThis.matchMedia = (query) => (query === "(pointer: coarse)" ? /** @type {any} */ ({ matches: true }) : matchMedia(query));
  };
  const it = await opened({ prepare: forbid, replies: { [LOGOUT]: new Reply(204) } });
  it.choose("B");
  await it.passes(3);
  await it.submit();
  await it.reads("The league has received your answer");
  click(await it.shows("button", "Forget on this device"));
  await it.until(() => paths.length, "the page is left");
  equal([it.service.sent(LOGOUT).length, paths[0], it.exam.submitted], [1, "/", "B"]);
});

test("signing out deletes the images of papers, also those that an exam needs", async () => {
  const paths = keepDocument();
  // The blank document has no worker to register.
  delete (/** @type {any} */ (Navigator.prototype)).serviceWorker;
  const service = new Service({ [LOGOUT]: new Reply(204) });
  await keepImage();
  store({ 101: "B" });
  await open("/exams", { as: candidate(), service, frame: true });
  click(await screen.findByRole("button", { name: "Sign out" }));
  await waitFor(async () => equal([await caches.has(IMAGES), paths], [false, ["/"]]));
  equal(Object.keys(localStorage).filter((each) => each.startsWith("exam.")), []);
});

test("a page of the portal deletes the images of papers that no exam needs", async () => {
  delete (/** @type {any} */ (Navigator.prototype)).serviceWorker;
  await keepImage();
  await open("/", { service: new Service(), frame: true });
  await waitFor(async () => equal(await caches.has(IMAGES), false));
});

for (const [what, prepare, stays] of /** @type {[string, () => void, boolean][]} */ ([
  ["an exam on this device needs them", () => store({ 101: "B" }), true],
  // On a shared computer, each tab has its own storage.
  ["the exam of another tab may need them", openTab, true],
  ["no exam needs them", () => {}, false],
])) {
  test(`images of papers ${stays ? "stay" : "are deleted"}: ${what}`, async () => {
    await keepImage();
    await open("/practice", { as: candidate(), service: new Service() });
    prepare();
    await forgetOthers();
    equal(await caches.has(IMAGES), stays);
  });
}
