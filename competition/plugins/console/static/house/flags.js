// The page on which superadmins switch features of the service on and off.

import { h, html } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { confirm } from "../../../pages/static/pieces/dialog.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { useReturn } from "../../../pages/static/pieces/readings.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Flag } from "./calls.js" */

const FLAGS = /** @type {const} */ (["candidate_registration", "staff_registration", "leaderboard_visible", "score_publication"]);

export function Flags() {
  const reading = useRead(calls.flags, []);
  useReturn(reading.again);
  /** @param {Flag} flag */
  const turn = async (flag) => {
    const { enabled } = flag;
    const { name, description } = flagWords(flag);
    const done = await confirm({
      title: enabled ? t("house.switchOff", { name }) : t("house.switchOn", { name }),
      what: html`${description} ${enabled ? t("house.offWhat") : t("house.onWhat")}`,
      verb: enabled ? t("house.off") : t("house.on"),
      danger: enabled,
      act: () => calls.switchFlag(flag.name, !enabled),
    });
    if (!done) return;
    reading.again();
    notice({ text: enabled ? t("house.isOff", { name }) : t("house.isOn", { name }) });
  };
  return h(Page, { title: t("nav.flags"), lead: t("house.flagsLead") }, loaded(reading, (flags) => table({
    caption: t("nav.flags"),
    id: (flag) => flag.name,
    rows: flags,
    columns: [
      { title: t("house.feature"), cell: (flag) => html`${flagWords(flag).name} <span class="small muted">${flagWords(flag).description}</span>` },
      { title: t("house.state"), cell: (flag) => h(Tag, { kind: flag.enabled ? "ok" : "" }, flag.enabled ? t("house.on") : t("house.off")) },
      { title: t("house.default"), cell: (flag) => (flag.default ? t("house.on") : t("house.off")) },
      { title: t("house.do"), cell: (flag) => h(Act, { act: () => turn(flag) }, flag.enabled ? t("house.turnOff") : t("house.turnOn"), html` <span class="hide">${flagWords(flag).name}</span>`) },
    ],
  }), { empty: (flags) => flags.length === 0, nothing: h(Empty, {}, t("house.noFlags")) }));
}

/**
 * A feature in words. For features of third-party plugins, these are the words of the API.
 *
 * @param {Flag} flag
 */
function flagWords({ name, description }) {
  const known = FLAGS.find((each) => each === name);
  return known ? { name: t(`house.flag.${known}`), description: t(`house.flag.${known}.what`) } : { name, description };
}
