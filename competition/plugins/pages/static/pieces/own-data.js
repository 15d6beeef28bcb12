// The part with which users request a copy of their own data, for the page of the user's own account in both
// front-ends. The page passes the function that sends the request.

import { settingOf } from "../ground/config.js";
import { span } from "../ground/dates.js";
import { h, html } from "../ground/html.js";
import { t } from "./more/words.js";
import { Act } from "./act.js";
import { notice } from "./notice.js";
import { Section } from "./page.js";

/** @param {{ request: () => Promise<unknown> }} props `request` asks the service for the copy. */
export function OwnData({ request }) {
  const act = async () => {
    await request();
    notice({ text: t("data.sent") });
    scrollTo(0, 0);
  };
  return h(Section, { title: t("data.title") },
    html`<p>${t("data.why", { span: span(settingOf("privacy.export_hours") * 3600) })}</p><div class="acts">${h(Act, { act }, t("data.download"))}</div>`);
}
