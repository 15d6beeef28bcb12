import { t } from "../../../../competition/plugins/console/static/broadcasts/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { drawn, open, staff, visit } from "../../kit/front-end.js";
import { says, words } from "../../kit/said.js";
import { click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, Reply, Service } from "../../kit/service.js";

const PREVIEW = "POST /broadcasts/preview/";
const SEND = "POST /broadcasts/";
const manager = staff("manager");
const sent = (/** @type {Record<string, any>} */ values = {}) => example("Broadcast", { id: 4, subject: "The final", mediums: ["email", "platform"], target_roles: { candidate: ["final"] }, status: "sent", ...values });

/** @param {number} finalists */
const counting = (finalists) => (/** @type {any} */ { body }) => example("Affected", { affected: body.target_roles.candidate?.[0] === "final" ? finalists : 1 });

test("a broadcast is sent to the number of people that is counted again", async () => {
  const service = new Service({ [PREVIEW]: counting(3), [SEND]: () => new Reply(201, sent()), "GET /broadcasts/{broadcast_id}/": sent() });
  await open("/console/broadcasts/new", { as: manager, service });
  await says(t("broadcasts.nobodyChosen"));
  click(await screen.findByRole("button", { name: t("broadcasts.send") }));
  await says(t("broadcasts.chooseGroup"));
  click(screen.getByRole("checkbox", { name: t("broadcasts.group", { group: t("broadcasts.stage.final"), size: "3" }) }));
  await says(t("broadcasts.reach", { count: 3 }));
  fill(screen.getByLabelText(t("broadcasts.subject")), "The final");
  fill(screen.getByLabelText(t("broadcasts.text")), "It begins at 10:00.");
  await waitFor(() => equal(screen.getAllByRole("figure").length, 2));
  service.replies[PREVIEW] = counting(4);
  click(screen.getByRole("button", { name: t("broadcasts.sendTo", { count: 3 }) }));
  const dialog = await screen.findByRole("dialog", { name: "The final" });
  ok(words(dialog).includes(t("broadcasts.stage.final")));
  equal(service.sent(SEND).length, 0);
  click(within(dialog).getByRole("button", { name: t("broadcasts.sendTo", { count: 4 }) }));
  await says(t("broadcasts.isSending"));
  equal(location.pathname, "/console/broadcasts/4");
  equal(service.sent(SEND).map(({ body, headers }) => [body, headers.has("Idempotency-Key")]), [[{ subject: "The final", message: "It begins at 10:00.", mediums: ["email", "platform"], target_roles: { candidate: ["final"] } }, true]]);
});

test("a broadcast can go to those only who have not joined the season", async () => {
  const counted = (/** @type {any} */ { body }) => example("Affected", { affected: body.joined === false ? 5 : body.joined ? 30 : 1 });
  const one = sent({ target_roles: { candidate: ["screening"] }, joined: false });
  const service = new Service({ [PREVIEW]: counted, [SEND]: () => new Reply(201, one), "GET /broadcasts/{broadcast_id}/": one });
  await open("/console/broadcasts/new", { as: manager, service, plugins: ["seasons"] });
  click(await screen.findByRole("checkbox", { name: t("broadcasts.group", { group: t("broadcasts.stage.screening"), size: "35" }) }));
  await says(t("broadcasts.reach", { count: 35 }));
  click(screen.getByRole("radio", { name: t("broadcasts.joined.false") }));
  await says(t("broadcasts.reach", { count: 5 }));
  fill(screen.getByLabelText(t("broadcasts.subject")), "Come back");
  fill(screen.getByLabelText(t("broadcasts.text")), "It begins again.");
  await drawn();
  click(screen.getByRole("button", { name: t("broadcasts.sendTo", { count: 5 }) }));
  const dialog = await screen.findByRole("dialog", { name: "Come back" });
  const narrowed = t("broadcasts.narrowed.false", { group: t("broadcasts.stage.screening") });
  ok(words(dialog).includes(narrowed));
  click(within(dialog).getByRole("button", { name: t("broadcasts.sendTo", { count: 5 }) }));
  await says(t("broadcasts.isSending"));
  await says(narrowed);
  equal(service.sent(SEND).map(({ body }) => body.joined), [false]);
});

test("a channel is needed, and the preview follows the channels", async () => {
  const service = new Service({ [PREVIEW]: counting(3) });
  await open("/console/broadcasts/new", { as: manager, service });
  fill(await screen.findByLabelText(t("broadcasts.subject")), "The final");
  click(screen.getByLabelText(t("broadcasts.by.email")));
  await waitFor(() => equal(screen.getAllByRole("figure").length, 1));
  click(screen.getByLabelText(t("broadcasts.by.platform")));
  await drawn();
  click(screen.getByRole("button", { name: t("broadcasts.send") }));
  await says(t("broadcasts.chooseChannel"));
});

test("staff who are chosen are counted as at most so many", async () => {
  await open("/console/broadcasts/new", { as: manager, service: new Service({ [PREVIEW]: counting(3) }) });
  click((await screen.findAllByRole("checkbox", { name: new RegExp(t("broadcasts.rank.volunteer")) }))[0]);
  await says(t("broadcasts.reachAtMost", { count: 1 }));
});

test("a message survives leaving the page, as a draft", async () => {
  await open("/console/broadcasts/new", { as: manager, service: new Service({ [PREVIEW]: counting(3) }) });
  fill(await screen.findByLabelText(t("broadcasts.text")), "Dear all,");
  await visit("/console/broadcasts/new");
  equal((await screen.findByLabelText(t("broadcasts.text"))).value, "Dear all,");
});

const logs = ["email", "platform"].map((medium, at) => example("BroadcastLog", { id: at, medium, target_role: "final", status: "sent", message: `Sent by ${medium}.` }));

test("emails that failed are counted with what to do", async () => {
  const failed = sent({ logs, mails: { waiting: 0, sent: 1, failed: 3 } });
  await open("/console/broadcasts/4", { as: manager, service: new Service({ "GET /broadcasts/{broadcast_id}/": failed }) });
  await says(t("broadcasts.mailsFailed", { count: 3 }));
  await says(t("broadcasts.askSuperadmin"));
  equal(screen.queryByRole("link", { name: t("broadcasts.toMails") }), null);
});

test("a superadmin is led to the emails that failed", async () => {
  await open("/console/broadcasts/4", { as: staff("superadmin"), service: new Service({ "GET /broadcasts/{broadcast_id}/": sent({ logs, mails: { waiting: 0, sent: 1, failed: 3 } }) }) });
  equal((await screen.findByRole("link", { name: t("broadcasts.toMails") })).getAttribute("href"), "/console/house/mails?state=failed");
});

test("emails that wait are not shown as sent", async () => {
  await open("/console/broadcasts/4", { as: manager, service: new Service({ "GET /broadcasts/{broadcast_id}/": sent({ logs, mails: { waiting: 3, sent: 0, failed: 0 } }) }) });
  const [, email = "", platform = ""] = (await screen.findAllByRole("row")).map(words);
  ok(email.includes(t("broadcasts.status.pending")) && email.includes(t("broadcasts.mailsNow", { waiting: 3, sent: 0, failed: 0 })) && !email.includes("Sent by"), email);
  ok(!platform.includes(t("broadcasts.status.pending")) && platform.includes("Sent by platform."), platform);
});

test("the list names groups, channels and the author", async () => {
  await open("/console/broadcasts", { as: manager, service: new Service({ "GET /broadcasts/": example("GET /broadcasts/", page([example("BroadcastSummary", { subject: "The final", mediums: ["email"], target_roles: { candidate: ["final"] }, created_by: { user: { first_name: "Maria", last_name: "Okafor" } } })])) }) });
  const row = words(await screen.findByRole("row", { name: /The final/ }));
  ok([t("broadcasts.stage.final"), t("broadcasts.channel.email"), "Maria Okafor"].every((each) => row.includes(each)), row);
});
