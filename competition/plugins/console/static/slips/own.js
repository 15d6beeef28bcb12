// The page on which a teacher issues login slips to the pupils of the teacher's school.

import { h, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { ask } from "../../../pages/static/pieces/dialog.js";
import { Field, Form } from "../../../pages/static/pieces/form.js";
import { notice } from "../../../pages/static/pieces/notice.js";
import { Page } from "../../../pages/static/pieces/page.js";
import { Empty, loaded } from "../../../pages/static/pieces/states.js";
import { takeChosen } from "../chosen.js";
import * as calls from "./calls.js";
import { Chosen, Issued, REPLACE_UNUSED, useSlips } from "./issuing.js";
import { t } from "./words.js";

export function OwnSlips() {
  const reading = useRead(calls.ownSchool, []);
  const [people, setPeople] = useState(takeChosen);
  const issuing = useSlips(calls.issueOfSchool);
  const [printed, setPrinted] = useState(0);
  const others = () => {
    setPeople([]);
    issuing.clear();
  };
  const finish = () => {
    setPrinted(issuing.slips.filter((each) => each.code !== null).length);
    others();
  };
  // Leave the page only after the codes are gone from it. Before that, the page would ask whether to leave.
  useEffect(() => {
    if (printed) void go("/console/school").then(() => notice({ text: t("slips.done", { count: printed }) }));
  }, [printed]);
  const forUnused = async (/** @type {string} */ group) => {
    const { found, listed } = await calls.neverSignedIn(group);
    if (!found.length) {
      notice({ kind: "warn", text: listed ? t("slips.nobodyLeft") : group ? t("slips.nobodyIn", { group }) : t("slips.nobodyWithout") });
      return null;
    }
    // Ask before codes are replaced, because slips with these codes may be printed and handed out.
    const having = found.filter((each) => each.has_code);
    const isSure = !having.length || await ask({
      title: t("slips.renewTitle", { count: having.length }), what: t("slips.renewsUnused"), items: having.map((each) => each.full_name), verb: t("slips.renewCount", { count: having.length }), danger: true,
    });
    if (!isSure) return null;
    // The service does not replace the code of a pupil who signs in at this moment.
    return issuing.issue(found, REPLACE_UNUSED);
  };
  return h(Page, { title: t("slips.title"), lead: t("slips.ownLead"), crumbs: [{ href: "/console/school", text: t("nav.school") }] }, loaded(reading, (school) => {
    if (!school) return null;
    if (issuing.hasBegun) return h(Issued, { school: school.name, issuing, done: finish });
    if (people.length) return h(Chosen, { people, issuing, others });
    return h(Form, {
      initial: { whose: "all", group: "" },
      verb: t("slips.issue"),
      stays: true,
      send: ({ whose, group }) => forUnused(whose === "group" ? String(group ?? "").trim() : ""),
      check: ({ whose, group }) => (whose === "group" && !String(group ?? "").trim() ? { group: t("slips.whichGroup") } : /** @type {Record<string, string>} */ ({})),
      done: () => {},
    }, h(Choice, { name: "whose", label: t("slips.whose"), required: true, hint: t("slips.whoseHint"), options: [["all", t("slips.allUnused")], ["group", t("slips.groupUnused")]] }),
      h(Field, { name: "group", label: t("slips.group"), maxlength: 50 }));
  }, { empty: (school) => school === null, nothing: h(Empty, {}, t("slips.noTeacher")) }));
}
