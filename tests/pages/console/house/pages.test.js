import { t } from "../../../../competition/plugins/console/static/house/words.js";
import { equal, ok, test } from "../../kit/cases.js";
import { example } from "../../kit/examples.js";
import { drawn, open, staff } from "../../kit/front-end.js";
import { says, saysNo, words } from "../../kit/said.js";
import { choose, click, fill, screen, waitFor, within } from "../../kit/screen.js";
import { page, refused, Reply, Service } from "../../kit/service.js";

const boss = staff("superadmin");
const RETRY = "POST /jobs/{job_id}/retry/";
const RESEND = "POST /mails/{mail_id}/resend/";

test("a service that is unavailable shows which part has failed", async () => {
  const report = { status: "unavailable", timestamp: "2026-03-01T09:00:00Z", checks: [{ name: "database", status: "failed", message: "It does not answer." }] };
  await open("/console/house/service", { as: staff("moderator"), service: new Service({ "GET /ready/": new Reply(503, report, { "Retry-After": "90" }) }) });
  const row = await screen.findByRole("row", { name: new RegExp(t("house.database")) });
  ok(words(row).includes(t("house.failed")) && words(row).includes("It does not answer."));
  await says(t("house.unavailable"));
});

test("moderators see the health alone, admins also the checks of exams", async () => {
  const upcoming = example("GET /dashboard/staff/", { upcoming_exams: [example("UpcomingExam", { id: 7, title: "Round 2" })] });
  const checks = [{ level: "error", message: "It has no questions." }, { level: "warning" }, { level: "ok" }].map((each) => example("CheckReport", each));
  const service = new Service({ "GET /dashboard/staff/": upcoming, "GET /exams/{exam_id}/preflight/": { ready: false, checks } });
  await open("/console/house/service", { as: staff("admin"), service });
  const row = await screen.findByRole("row", { name: /Round 2/ });
  await waitFor(() => ok([t("house.errors", { count: 1 }), t("house.warnings", { count: 1 }), "It has no questions."].every((each) => words(row).includes(each)), words(row)));
  equal(service.sent("GET /backups/").length, 0);
});

test("moderators see neither checks of exams nor backups", async () => {
  const service = new Service();
  await open("/console/house/service", { as: staff("moderator"), service });
  await screen.findByRole("table", { name: t("house.parts") }).catch(() => screen.findByText(t("house.ready")));
  equal([t("house.preflight"), t("house.backups")].filter((name) => screen.queryByRole("heading", { name })), []);
});

test("the entries of some days are those of the league's time zone, and both days count", async () => {
  const service = new Service({ "GET /audit/": page([example("AuditItem", { subject: "score_publication" })]) });
  await open("/console/house/audit?from=2026-03-10&until=2026-03-11", { as: boss, service });
  await screen.findByRole("row", { name: /score_publication/ });
  const query = service.sent("GET /audit/")[0]?.query;
  equal([query?.get("created_after"), query?.get("created_before")], ["2026-03-09T23:00:00.000Z", "2026-03-11T22:59:59.999Z"]);
});

test("the audit trail is filtered by a person, whom a search finds", async () => {
  const amara = "8f14e45f-ceea-467f-a1d5-d1b1c3b3a077";
  const service = new Service({ "GET /user/list/": example("GET /user/list/", page([example("UserItem", { id: amara, first_name: "Amara", last_name: "Obi" })])) });
  await open("/console/house/audit?page=3", { as: boss, service });
  fill(await screen.findByLabelText(t("house.person")), "Amara");
  click(await screen.findByRole("button", { name: /Amara Obi/ }));
  await waitFor(() => equal(service.sent("GET /audit/").at(-1)?.query.get("target_id"), amara));
  equal(location.search, `?target_id=${amara}`);
  ok(await screen.findByRole("link", { name: t("house.everybody") }));
});

test("the changes of an entry are shown, long ones after a click, and actions in words", async () => {
  const entries = [
    example("AuditItem", { id: 1, action: "exam.create", old: { user_role: "screening" }, new: { user_role: "league" }, hash: "abc" }),
    example("AuditItem", { id: 2, action: "plugin.act", old: null, new: { a: 1, b: [1, 2], c: { d: 1 }, e: true } }),
  ];
  await open("/console/house/audit", { as: boss, service: new Service({ "GET /audit/": page(entries) }) });
  const first = await screen.findByRole("row", { name: new RegExp(t("audit.exam.create")) });
  ok(words(first).includes("user role: screening → league") && words(first).includes(t("house.sealed")), words(first));
  const other = screen.getByRole("row", { name: /plugin.act/ });
  ok(words(other).includes(t("house.fields", { count: 4 })) && words(other).includes("b: 1, 2") && words(other).includes("c: d: 1") && words(other).includes("e: yes"), words(other));
  ok(words(other).includes(t("house.notSealed")) && !words(other).includes("audit.plugin.act"));
});

test("a value that was removed does not read like one that was set", async () => {
  const date = "2026-03-10T08:00:00Z";
  const entries = [
    example("AuditItem", { id: 1, action: "exam.change", old: { scheduled_date: date }, new: { scheduled_date: null } }),
    example("AuditItem", { id: 2, action: "exam.create", old: { scheduled_date: null }, new: { scheduled_date: date } }),
    example("AuditItem", { id: 3, action: "exam.delete", old: { title: "Rings" }, new: null }),
  ];
  await open("/console/house/audit", { as: boss, service: new Service({ "GET /audit/": page(entries) }) });
  await screen.findByRole("row", { name: new RegExp(t("audit.exam.create")) });
  const shown = screen.getAllByRole("list").filter((each) => each.matches(".bare.break")).map(words);
  equal(shown, [`scheduled date: ${t("house.removed", { value: date })}`, `scheduled date: ${date}`, "title: Rings"]);
});

test("a feature is switched after its effect is confirmed", async () => {
  let enabled = true;
  const flag = () => example("Flag", { name: "candidate_registration", enabled });
  const service = new Service({
    "GET /flags/": () => [flag()],
    "PUT /flags/{name}/": ({ body }) => {
      enabled = body.enabled;
      return flag();
    },
  });
  await open("/console/house/flags", { as: boss, service });
  const name = t("house.flag.candidate_registration");
  click(await screen.findByRole("button", { name: new RegExp(`${t("house.turnOff")} ${name}`) }));
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes(t("house.offWhat")));
  equal(service.sent("PUT /flags/{name}/").length, 0);
  click(within(dialog).getByRole("button", { name: t("house.off") }));
  await says(t("house.isOff", { name }));
  ok(await screen.findByRole("button", { name: new RegExp(`${t("house.turnOn")} ${name}`) }));
});

test("an API key is shown once, and says what it is for", async () => {
  const rates = [example("KeyRates", { name: "bulk" })];
  const service = new Service({ "GET /api-keys/rates/": rates, "POST /api-keys/": () => new Reply(201, example("NewApiKey", { key: "the-secret" })) });
  await open("/console/house/keys", { as: boss, service });
  click(await screen.findByRole("button", { name: t("house.newKey") }));
  const dialog = await screen.findByRole("dialog");
  fill(within(dialog).getByLabelText(t("house.keyName")), "Backup script");
  click(within(dialog).getByLabelText(t("house.scope.webhook")));
  choose(await within(dialog).findByLabelText(new RegExp(t("house.rates"))), t("house.rateOption", { name: "bulk", rates: "" }).trim());
  await drawn();
  click(within(dialog).getByRole("button", { name: t("house.createKey") }));
  await says("the-secret");
  equal(service.sent("POST /api-keys/")[0]?.body, { name: "Backup script", scopes: ["client", "webhook"], rates: "bulk", days: 365 });
  ok(service.sent("POST /api-keys/")[0]?.headers.get("Idempotency-Key"));
  click(screen.getByRole("button", { name: t("house.copied") }));
  await saysNo("the-secret");
});

test("keys say whether they are valid, and a valid one is revoked", async () => {
  const keys = [
    example("ApiKey", { id: 1, name: "pages 0a1b2c3d" }),
    example("ApiKey", { id: 2, name: "old", expires_at: "2020-01-01T00:00:00Z" }),
    example("ApiKey", { id: 3, name: "gone", revoked_at: "2020-01-01T00:00:00Z" }),
  ];
  const service = new Service({ "GET /api-keys/": page(keys), "DELETE /api-keys/{key_id}/": () => undefined });
  await open("/console/house/keys", { as: boss, service });
  const row = (/** @type {string} */ name) => screen.findByRole("row", { name: new RegExp(name) });
  ok(words(await row("pages")).includes(t("house.valid")) && words(await row("pages")).includes(t("house.ofPages")));
  ok(words(await row("old")).includes(t("house.expired")));
  ok(words(await row("gone")).includes(t("house.revoked")));
  equal(within(await row("gone")).queryByRole("button"), null);
  click(within(await row("pages")).getByRole("button", { name: new RegExp(t("house.revoke")) }));
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes(t("house.revokePages", { name: "pages 0a1b2c3d" })));
  click(within(dialog).getByRole("button", { name: t("house.revokeOne", { name: "pages 0a1b2c3d" }) }));
  await says(t("house.revokedNow", { name: "pages 0a1b2c3d" }));
  equal(service.sent("DELETE /api-keys/{key_id}/")[0]?.params.key_id, "1");
});

test("a failed job is run again, and others can't be selected", async () => {
  let state = "failed";
  const service = new Service({
    "GET /jobs/": ({ query }) => page(!query.has("state") || query.get("state") === state ? [example("Job", { id: 4, name: "leaderboard.publish", state })] : []),
    [RETRY]: () => {
      state = "pending";
      return new Reply(202, example("Job"));
    },
  });
  await open("/console/house/jobs", { as: boss, service });
  click(await screen.findByRole("button", { name: new RegExp(`${t("house.retry")} leaderboard.publish`) }));
  await says(t("house.retried", { name: "leaderboard.publish" }));
  equal(service.sent(RETRY)[0]?.params.job_id, "4");
  await saysNo(t("house.attempts", { count: 1 }));
  click(screen.getByRole("link", { name: t("house.allJobs") }));
  await screen.findByRole("row", { name: /leaderboard.publish/ });
  equal(screen.queryAllByRole("checkbox").length, 0);
});

test("a list whose last page is gone shows the last page that is left", async () => {
  let count = 41;
  const of = (/** @type {number} */ at) => page([example("Job", { id: at, state: "failed" })], { pagination: { ...page([]).pagination, count, page: at, total_pages: Math.ceil(count / 20), has_previous: at > 1 } });
  const service = new Service({
    "GET /jobs/": ({ query }) => (Number(query.get("page") ?? 1) > Math.ceil(count / 20) ? refused(404, "not_found") : of(Number(query.get("page") ?? 1))),
    [RETRY]: () => {
      count = 40;
      return new Reply(202, example("Job"));
    },
  });
  await open("/console/house/jobs?page=3", { as: boss, service });
  click(await screen.findByRole("button", { name: new RegExp(t("house.retry")) }));
  await waitFor(() => equal(location.search, "?page=2"));
  await says("21 to 40 of 40");
});

const mail = (/** @type {number} */ id, state = "failed") => example("Mail", { id, state, template: "accounts.email_code", recipient: `user${id}@example.org`, last_error: "No connection." });

test("an email that failed is found by its recipient and sent again", async () => {
  const service = new Service({ "GET /mails/": page([mail(1)]), [RESEND]: () => new Reply(202, mail(1, "pending")) });
  await open("/console/house/mails", { as: boss, service });
  fill(await screen.findByLabelText(t("house.wholeAddress")), "user1@example.org");
  await waitFor(() => equal(service.sent("GET /mails/").at(-1)?.query.get("recipient"), "user1@example.org"));
  click(await screen.findByRole("button", { name: new RegExp(`${t("house.resend")} user1`) }));
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes(t("house.mail.emailCode")) && words(dialog).includes(t("house.resendWhat", { recipient: "user1@example.org" })));
  click(within(dialog).getByRole("button", { name: t("house.resendOne", { count: 1 }) }));
  await says(t("house.resent", { recipient: "user1@example.org" }));
});

test("emails are sent again together: one that could not be is named, and after an outage the rest goes on", async () => {
  let isAway = true;
  const service = new Service({
    "GET /mails/": page([mail(1), mail(2), mail(3)]),
    [RESEND]: ({ params }) => {
      if (params.mail_id === "1") return refused(400, "invalid", "It was sent.");
      if (params.mail_id === "2" && isAway) return refused(500, "server_error");
      return new Reply(202, mail(2, "pending"));
    },
  });
  await open("/console/house/mails?state=failed", { as: boss, service });
  for (const each of await screen.findAllByRole("checkbox")) click(each), await drawn();
  click(screen.getByRole("button", { name: t("house.resendOne", { count: 3 }) }));
  const dialog = await screen.findByRole("dialog");
  ok(words(dialog).includes(t("house.mailTo", { subject: t("house.mail.emailCode"), recipient: "user2@example.org" })));
  click(within(dialog).getByRole("button", { name: t("house.resendOne", { count: 3 }) }));
  await within(dialog).findByRole("alert");
  isAway = false;
  click(within(dialog).getByRole("button", { name: t("house.resendOne", { count: 3 }) }));
  await says(t("house.resentThem", { count: 2 }));
  await says("user1@example.org”: It was sent.");
  equal(service.sent(RESEND).map(({ params }) => params.mail_id), ["1", "2", "2", "3"]);
});
