import { t } from "../../../../competition/plugins/console/static/people/words.js";
import { when } from "../../../../competition/plugins/pages/static/ground/dates.js";
import { whenInWords } from "../../../../competition/plugins/pages/static/pieces/page.js";
import { equal, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { open, staff } from "../../kit/front-end.js";
import { words } from "../../kit/said.js";
import { screen, within } from "../../kit/screen.js";
import { page, Service } from "../../kit/service.js";

const AMARA = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a002";
const OTHER = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a003";
const user = { id: AMARA, first_name: "Amara", last_name: "Obi" };
const maria = staff("manager");

/**
 * The cells of the history's rows: the action, the change, the person and the time.
 *
 * @param {Record<string, any>[]} entries
 */
async function history(...entries) {
  const service = new Service({
    "GET /candidates/{candidate_id}/": example("CandidateDetail", { user }),
    "GET /audit/": page(entries.map((each, at) => example("AuditItem", { id: at + 1, action: "account.edit", subject: "", ...each }))),
  });
  await open(`/console/candidates/${AMARA}`, { as: maria, service });
  const table = await screen.findByRole("table", { name: t("people.history") });
  equal(service.sent("GET /audit/")[0]?.query.get("target_id"), AMARA);
  return within(table).getAllByRole("row").slice(1).map((/** @type {Element} */ row) => [...row.children].map((each) => words(each).trim()));
}

test("an entry names who has acted", async () => {
  const rows = await history(
    { actor_id: maria.user.id, actor_name: "Maria Okafor" },
    { actor_id: AMARA, actor_name: "Amara Oby" },
    { actor_id: OTHER, actor_name: "Tunde Bello" },
    { actor_id: OTHER },
    {},
  );
  equal(rows.map((each) => each[2]), [t("people.you"), "Amara Obi", "Tunde Bello", t("people.formerStaff"), t("people.operator")]);
});

test("a change names its fields and values in words", async () => {
  const [details, stage, answer, percent, erased, switched, on, unknown, none, nested] = await history(
    { old: { last_name: "Oby", id: 3, exam_id: 5 }, new: { last_name: "Obi", id: 3, exam_id: 6 } },
    { old: "screening", new: "league" },
    { old: { public: false, answer: null }, new: { public: true, answer: "It is not." } },
    { old: null, new: { percent: 25, reason: "Letter of 3 Nov" } },
    { old: null, new: { erase_at: "2026-03-24T10:00:00Z" } },
    { old: true, new: false },
    { old: false, new: true },
    { old: { seat_number: 3 }, new: { seat_number: 4 } },
    { old: { public: false }, new: { public: false } },
    { old: null, new: { seats: { row_number: 3, reason: "Light" } } },
  );
  const change = (/** @type {any} */ field, /** @type {string} */ text) => t("people.changed", { field: t(field), change: text });
  equal(details?.[1], change("people.lastName", "Oby → Obi"));
  equal(stage?.[1], `${t("people.stage.screening")} → ${t("people.stage.league")}`);
  equal(answer?.[1], change("people.field.public", `${t("people.value.no")} → ${t("people.value.yes")}`) + change("people.field.answer", "It is not."));
  equal(percent?.[1], change("people.field.percent", "25") + change("people.reason", "Letter of 3 Nov"));
  equal(erased?.[1], change("people.field.erased", whenInWords("2026-03-24T10:00:00Z", when)));
  equal(switched?.[1], `${t("people.state.active")} → ${t("people.state.deactivated")}`);
  equal(on?.[1], `${t("people.state.deactivated")} → ${t("people.state.active")}`);
  equal(unknown?.[1], t("people.changed", { field: "seat number", change: "3 → 4" }));
  equal(none?.[1], "");
  equal(nested?.[1], t("people.changed", { field: "seats", change: `${t("people.changed", { field: "row number", change: "3" })}, ${t("people.changed", { field: t("people.reason"), change: "Light" })}` }));
});

test("an entry names its action and subject in words", async () => {
  const rows = await history({ action: "document.link", subject: "id_card face_id" }, { action: "allowance.create", subject: "exam 5" }, { action: "other.action", subject: "x" });
  equal(rows.map((each) => each[0]), [
    `${t("audit.document.link")} ${t("people.value.card")}, ${t("people.value.face")}`,
    `allowance.create ${t("people.examNumber", { id: "5" })}`,
    "other.action x",
  ]);
});
