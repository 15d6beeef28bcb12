// What a page says. Texts are compared without the elements that they are in, and without line breaks.
//
//     await says(t("people.gave", { name: "Amara Obi", count: 10 }));
//     await says("One session ends:", screen.getByRole("dialog"));

import { frame, screen, waitFor, within } from "./screen.js";

/** @param {Element} where */
export const words = (where = document.body) => (where.textContent ?? "").replace(/\s+/g, " ");

/**
 * Wait until the page says a text.
 *
 * @param {string} text
 * @param {Element} [where]
 */
export const says = (text, where) =>
  waitFor(() => {
    if (!words(where).includes(text.replace(/\s+/g, " "))) throw new Error(`The page does not say “${text}”: ${words(where)}`);
  });

/**
 * Wait until the page no longer says a text.
 *
 * @param {string} text
 * @param {Element} [where]
 */
export const saysNo = (text, where) =>
  waitFor(() => {
    if (words(where).includes(text.replace(/\s+/g, " "))) throw new Error(`The page says “${text}”.`);
  });

/** Wait for a page by its heading, and until it listens to what the user does. @param {string} name */
export async function arrived(name) {
  await screen.findByRole("heading", { name, level: 1 });
  await frame();
}

/**
 * The names of all elements with this role, in their order.
 *
 * @param {string} role
 * @param {Element} [where]
 */
export const named = (role, where = document.body) =>
  [...within(where).queryAllByRole(role)].map((each) => each.getAttribute("aria-label") ?? words(each).trim());
