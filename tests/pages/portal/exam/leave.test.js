// Signing out deletes the exams on this device. Before that, it asks if answers would be lost.

import { leave } from "../../../../competition/plugins/portal/static/leave.js";
import { unsent } from "../../../../competition/plugins/portal/static/unsent.js";
import { equal, ok, test } from "../../kit/cases.js";
import { candidate, open } from "../../kit/front-end.js";
import { click, screen, within } from "../../kit/screen.js";
import { Service } from "../../kit/service.js";

const USER = candidate().user.id;

/** Store an exam of which the service has B for the first question. @param {Record<number, string>} chosen */
function store(chosen) {
  const prefix = `exam.7.${USER}`;
  localStorage.setItem(`${prefix}.paper`, JSON.stringify({ title: "Round 1", minutes: 60, questions: [{ id: 101 }, { id: 102 }] }));
  localStorage.setItem(`${prefix}.draft`, JSON.stringify({ sequence: 1, saved: { 101: "B" }, sent: null }));
  for (const [id, option] of Object.entries(chosen)) localStorage.setItem(`${prefix}.chosen.${id}`, JSON.stringify(option));
}

/** Sign out, and decline when asked. Resolves to the question. */
async function declined() {
  const service = new Service();
  // This tab replies too, as the first module of the portal lets it.
  const channel = new BroadcastChannel("portal.unsent");
  channel.onmessage = ({ data }) => data === "count" && channel.postMessage(unsent());
  await open("/practice", { as: candidate(), service });
  const left = leave();
  const dialog = await screen.findByRole("dialog", { name: "Sign out now?" });
  const text = dialog.textContent;
  click(within(dialog).getByRole("button", { name: "Cancel" }));
  await left;
  equal(service.sent("POST /auth/logout/"), []);
  ok(sessionStorage.getItem("portal.session"));
  return text;
}

test("signing out asks before it deletes an answer that only this device has", async () => {
  store({ 101: "B", 102: "C" });
  // A stored exam that can't be read does not prevent signing out.
  localStorage.setItem(`exam.999.${USER}.paper`, "{");
  ok((await declined()).includes("One of your answers in an exam is saved on this device only."));
  ok(localStorage.getItem(`exam.7.${USER}.chosen.102`));
});

test("signing out asks if another tab does not respond", async () => {
  // A tab has this lock as long as it is open. This one handles no messages.
  void navigator.locks.request("portal.tab", { mode: "shared" }, () => new Promise(() => {}));
  store({ 101: "B" });
  const text = await declined();
  ok(text.includes("Another tab of this site does not respond.") && !text.includes("on this device only"));
});
