// What the tests of the pages for registering and signing in share.

import { t } from "../../../../competition/plugins/portal/static/account/words.js";
import { example } from "../../kit/examples.js";
import { click, fill, screen } from "../../kit/screen.js";
import { Reply, tokens } from "../../kit/service.js";

export const PASSWORD = "seven green bicycles sing";

/** A candidate, as the service describes them. @param {Record<string, any>} [user] Fields of the user. */
export const amara = (user) => example("CandidateProfile", { has_email: true, user: { first_name: "Amara", last_name: "Obi", email: "amara@school.example", is_email_verified: true, ...user } });

/** The reply to a login. @param {any} [profile] */
export const login = (profile = amara()) => ({ ...tokens(), profile });

/** The reply to a request that creates something. @param {string} operation */
export const created = (operation) => new Reply(201, example(operation));

/** @param {string} label @param {string} text */
export const type = (label, text) => fill(screen.getByLabelText(label), text);

/** @param {string} name */
export const pressed = async (name) => click(await screen.findByRole("button", { name }));

/** The candidate's answer to the question whose device this is, in both storages. */
export const whose = () => [localStorage, sessionStorage].map((each) => each.getItem("device.shared"));

/** Note each time that a page asks the browser not to delete what it has stored. */
export function watchPersist() {
  const asked = { times: 0 };
  navigator.storage.persist = async () => {
    asked.times += 1;
    return true;
  };
  return asked;
}

/** Sign in on the page for it. @param {string} email @param {string} [password] */
export async function signIn(email, password = PASSWORD) {
  await screen.findByRole("heading", { name: t("signIn"), level: 1 });
  await type(t("account.emailOrLogin"), email);
  await type(t("account.password"), password);
  await pressed(t("signIn"));
}
