// Dialogs that ask before an action, and buttons whose action takes a moment.

import { Refused } from "../../../../competition/plugins/pages/static/ground/api.js";
import { h, html, useState } from "../../../../competition/plugins/pages/static/ground/html.js";
import { Act } from "../../../../competition/plugins/pages/static/pieces/act.js";
import { ask, confirm } from "../../../../competition/plugins/pages/static/pieces/dialog.js";
import { keepFocus } from "../../../../competition/plugins/pages/static/pieces/focus.js";
import { t } from "../../../../competition/plugins/pages/static/pieces/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { show } from "../../kit/pieces.js";
import { click, drawn, fireEvent, screen, waitFor, within } from "../../kit/screen.js";

const failure = () => new Refused(500, { code: "other", detail: "The service has failed." }, new Headers({ "X-Request-Id": "8c1f0a" }));
const items = Array.from({ length: 12 }, (_, at) => `Person ${at}`);

test("a dialog names the action and ten of the people, and stays if the action fails", async () => {
  await show(() => "Here.");
  /** @type {string[]} */
  const keys = [];
  const act = async (/** @type {string} */ key) => {
    keys.push(key);
    if (keys.length === 1) throw failure();
    return "done";
  };
  const result = confirm({ title: "Assign a stage", what: "This assigns the stage to 38 candidates.", items, count: 38, verb: "Assign to 38", act });
  const dialog = await screen.findByRole("dialog", { name: "Assign a stage" });
  equal(within(dialog).getAllByRole("listitem").map((/** @type {any} */ each) => each.textContent).slice(9), ["Person 9", t("dialog.more", { count: 28 })]);
  click(within(dialog).getByRole("button", { name: "Assign to 38" }));
  ok(await within(dialog).findByText("The service has failed."));
  ok(within(dialog).getByText("8c1f0a"));
  click(await within(dialog).findByRole("button", { name: "Assign to 38" }));
  equal(await result, "done");
  // Both tries have the same key, so that the service does the action once.
  equal([keys.length, new Set(keys).size], [2, 1]);
  equal(screen.queryAllByRole("dialog"), []);
});

test("an action is done once, and can't be cancelled while it runs", async () => {
  await show(() => "Here.");
  let count = 0;
  /** @type {(value: unknown) => void} */
  let finish = () => {};
  const act = () => {
    count += 1;
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  const result = confirm({ title: "Conclude", what: "It ends.", verb: "Conclude it", act });
  const button = await screen.findByRole("button", { name: "Conclude it" });
  click(button);
  await drawn();
  click(button);
  await screen.findByRole("button", { name: t("dialog.busy") });
  click(screen.getByRole("button", { name: t("dialog.cancel") }));
  fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));
  finish("done");
  equal([await result, count], ["done", 1]);
});

test("a dialog can be declined by its button and by Escape", async () => {
  await show(() => "Here.");
  for (const decline of [() => click(screen.getByRole("button", { name: "Stay" })), () => fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }))]) {
    const answer = ask({ title: "Leave?", what: "It is not saved.", verb: "Leave", cancel: "Stay", danger: true });
    await screen.findByRole("dialog", { name: "Leave?" });
    decline();
    equal(await answer, false);
  }
});

test("a button shows why its action has failed, and tries it again with the same key", async () => {
  /** @type {string[]} */
  const keys = [];
  const act = async (/** @type {string} */ key) => {
    keys.push(key);
    if (keys.length === 1) throw failure();
  };
  await show(() => h(Act, { act }, "Do it"));
  click(await screen.findByRole("button", { name: "Do it" }));
  ok(within(await screen.findByRole("alert")).getByText("The service has failed."));
  click(screen.getByRole("button", { name: "Do it" }));
  await waitFor(() => equal(screen.queryAllByRole("alert"), []));
  equal([keys.length, new Set(keys).size], [2, 1]);
});

// Rows that are no table. A row disappears while its dialog is still open.
const Tasks = () => {
  const [left, set] = useState(["dishes", "floors", "windows"]);
  const finish = (/** @type {string} */ task) => confirm({ title: "Finish", what: task, verb: "Finish it", act: () => set((before) => before.filter((each) => each !== task)) });
  return html`<ul>${left.map((task) => html`<li key=${task}>${h(Act, { act: () => finish(task) }, `Finish: ${task}`)}</li>`)}</ul>`;
};

test("the focus goes on when a dialog removes the row of its button", async () => {
  await show(Tasks);
  keepFocus();
  const isFocused = (/** @type {any} */ role, /** @type {string} */ name) => waitFor(() => ok(document.activeElement === screen.getByRole(role, { name }), document.activeElement?.outerHTML));
  const finish = async (/** @type {string} */ task) => {
    click(await screen.findByRole("button", { name: `Finish: ${task}` }));
    click(await screen.findByRole("button", { name: "Finish it" }));
    await waitFor(() => equal(screen.queryByRole("button", { name: `Finish: ${task}` }), null));
  };
  await finish("floors");
  await isFocused("button", "Finish: windows");
  await finish("windows");
  await isFocused("button", "Finish: dishes");
  // If no row is left, it is the heading of the page.
  await finish("dishes");
  await isFocused("heading", "Here");
});
