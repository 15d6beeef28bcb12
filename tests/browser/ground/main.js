// The page of examples: a front-end that shows every shared piece in each of its states. Only tests serve it. A piece
// that is missing here fails `test_the_examples_show_every_shared_piece`. What a piece shows only after a press, the
// places show because they press it themselves.

import { api, Unreachable } from "../../pages/static/ground/api.js";
import { day } from "../../pages/static/ground/dates.js";
import { h, html, useEffect, useState } from "../../pages/static/ground/html.js";
import { nextPage } from "../../pages/static/ground/next.js";
import { usePoll, useRead } from "../../pages/static/ground/poll.js";
import { go } from "../../pages/static/ground/router.js";
import * as session from "../../pages/static/ground/session.js";
import { number } from "../../pages/static/ground/texts.js";
import { Act } from "../../pages/static/pieces/act.js";
import { Bars, Line, Meter, Shares } from "../../pages/static/pieces/charts.js";
import { ask, confirm } from "../../pages/static/pieces/dialog.js";
import { Check, Code, DateTime, FileField } from "../../pages/static/pieces/fields.js";
import { Choice, Select } from "../../pages/static/pieces/choices.js";
import { Field, Form, Password } from "../../pages/static/pieces/form.js";
import { ActOnRows, confirmEach, reportFailures } from "../../pages/static/pieces/each.js";
import { KeyList, switchKeys, useKeys } from "../../pages/static/pieces/keys.js";
import { list } from "../../pages/static/pieces/list.js";
import { MailLanguagePart } from "../../pages/static/pieces/mail-language.js";
import { Maths, Options } from "../../pages/static/pieces/maths.js";
import { Note, notice } from "../../pages/static/pieces/notice.js";
import { Connection, Frame, Language } from "../../pages/static/pieces/frame.js";
import { OwnData } from "../../pages/static/pieces/own-data.js";
import { Facts, Page, Section, Sheet, Tag } from "../../pages/static/pieces/page.js";
import { When } from "../../pages/static/pieces/when.js";
import { table } from "../../pages/static/pieces/table.js";
import { Tabs } from "../../pages/static/pieces/tabs.js";
import { PrintButton, PrintSheet } from "../../pages/static/pieces/print.js";
import { Progress } from "../../pages/static/pieces/progress.js";
import { Unread } from "../../pages/static/pieces/readings.js";
import { signOut, start } from "../../pages/static/pieces/start.js";
import { AsOf, Copy, Empty, Failed, loaded, Loading } from "../../pages/static/pieces/states.js";
import { Theirs } from "../../pages/static/pieces/theirs.js";
import { Fields, Forms } from "./forms.js";
import { AllSelected, FILTERED, Lists } from "./lists.js";
import { press, Pressed, refused, t, unanswered } from "./shown.js";

const Home = () =>
  h(Page, { title: t("home.title"), lead: t("hello", { name: session.user()?.user.first_name ?? "you" }) }, html`
    ${h(Tabs, { label: t("home.parts"), tabs: [{ value: "one", text: t("home.one") }, { value: "two", text: t("home.two"), count: 3 }] })}
    <p><a href="/form">${t("home.form")}</a> <a href="/people?search=a">${t("home.named")}</a> <a href="/broken">${t("home.broken")}</a></p>
    ${h(Facts, { facts: [[t("school"), "Hillside School"], [t("joined"), h(When, { at: "2026-12-12T10:00:00Z" })], [t("home.seen"), h(When, { at: null, none: t("never") })], [t("home.phone"), null]] })}
    <p class="acts">${h(Tag, { kind: "ok" }, t("home.approved"))} ${h(Tag, { kind: "warn" }, t("home.waiting"))} ${h(Tag, { kind: "bad" }, t("home.rejected"))} ${h(Tag, { kind: "info" }, t("home.new"))} ${h(Tag, {}, t("home.nothing"))}</p>
    ${h(Section, { title: t("home.notes"), actions: html`<a class="button" href="/more">${t("home.more")}</a>` }, html`
      ${h(Note, { kind: "warn" }, t("home.soon"))} ${h(Note, { kind: "ok" }, t("home.passed"))} ${h(Note, {}, t("home.tomorrow"))} ${h(Note, { kind: "bad", alert: true }, t("home.closed"))}`)}
    ${h(Section, { title: t("home.table") }, table({ caption: t("home.schools"), id: (row) => row.name, rows: [{ name: "Hillside", candidates: 38, at: "2026-12-12T10:00:00Z" }, { name: "Lakeside", candidates: 1204, at: null }, { name: "Seaside", candidates: 2, at: "2026-12-12T23:30:00Z" }],
      columns: [{ title: t("school"), cell: (row) => row.name }, { title: t("joined"), cell: (row) => h(When, { at: row.at }) }, { title: t("home.candidates"), cell: (row) => number(row.candidates), end: true }] }))}
    <p id="count">${t("candidates", { count: 1 })}, ${t("candidates", { count: 1204 })}</p>`);

const People = () => {
  const [version, set] = useState(0);
  return h(Page, { title: t("people.title"), lead: t("people.lead"), crumbs: [{ href: "/", text: t("home.title") }], actions: html`<button type="button" class="button first">${t("people.import")}</button>` },
    list({
      name: t("people.title"),
      version,
      call: (query) => /** @type {any} */ (api).get("/people/", query),
      id: (row) => row.id,
      filters: [{ name: "search", label: t("people.search") }, { name: "stage", label: t("stage"), options: [["screening", t("screening")], ["league", t("league")]] }],
      columns: [
        { title: t("name"), sort: "name", cell: (row) => html`<a href=${`/people/${row.id}`}>${row.name}</a><span class="small muted">${row.email}</span>` },
        { title: t("school"), cell: () => "Hillside School" },
        { title: t("people.identity"), cell: () => h(Tag, { kind: "warn" }, t("home.waiting")) },
        { title: t("joined"), cell: () => day("2026-10-12T10:00:00Z"), sort: "joined", end: true },
      ],
      empty: t("people.empty"),
      found: (count) => t("candidates", { count }),
      select: ({ count, all, keys, clear }) => html`<button type="button" class="button first" onClick=${async () => {
        const done = await confirm({ title: t("people.assign"), what: t("people.assigns", { count }), items: keys, count, verb: t("people.assignTo", { count }), danger: true,
          act: (key) => api.post(/** @type {any} */ ("/assign/"), {}, /** @type {any} */ ({ all, keys }), { key }) });
        if (!done) return;
        clear();
        set(version + 1);
        notice({ text: t("people.assigned", { count }), undo: async () => {} });
      }}>${t("people.assignTo", { count })}</button>`,
    }));
};

const Person = (/** @type {any} */ { params }) => h(Page, { title: t("person.title", { id: params.id }) }, t("person.one"));

const FormPage = () =>
  h(Page, { title: t("form.title") }, h(Form, {
    initial: { name: "Ada", email: "", at: "2026-12-12T10:00:00Z", kind: "", stages: [] },
    verb: t("save"), draft: "demo", etag: '"1"',
    send: (values, options) => /** @type {any} */ (api).patch("/form/", {}, values, options),
    reread: async () => ({ values: { name: "Grace" }, etag: '"2"' }),
    done: async () => {
      await go("/");
      notice({ text: t("saved") });
    },
  },
  h(Field, { name: "name", label: t("name"), required: true, autocomplete: "name" }),
  h(Field, { name: "email", label: t("email"), type: "email", required: true, autocomplete: "email", hint: t("form.code") }),
  h(Password, { name: "password", label: t("password"), autocomplete: "new-password", required: false }),
  h(Code, { name: "otp", label: t("code"), required: false }),
  h(Select, { name: "school", label: t("school"), options: [["1", "Hillside"], ["2", "Lakeside"]] }),
  h(Choice, { name: "kind", label: t("kind"), options: [["a", t("first")], ["b", t("second")]] }),
  h(Choice, { name: "stages", label: t("form.stages"), many: true, options: [["x", t("screening")], ["y", t("league")]] }),
  h(Check, { name: "agree", label: t("form.agree"), required: true }),
  h(DateTime, { name: "at", label: t("form.begins"), required: true }),
  h(FileField, { name: "file", label: t("form.document"), accept: "image/png", largest: 1048576 }),
  h(Field, { name: "text", label: t("form.message"), rows: 4 })));

const question = {
  text: "The numbers x and y satisfy x+y=10. What is x^2?", option_a: "48", option_b: "1/2", option_c: "sqrt 2", option_d: "None of these",
  rendered: {
    text: 'The numbers satisfy <math alttext="x+y=10" display="inline"><mrow><mi>x</mi><mo>+</mo><mi>y</mi><mo>=</mo><mn>10</mn></mrow></math>.<br>What is <math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math>?',
    option_a: "48",
    option_b: '<math alttext="\\frac12"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>',
    option_c: '<math alttext="\\sqrt2"><msqrt><mn>2</mn></msqrt></math><script>alert(1)</script>',
    option_d: null,
  },
  spoken: { text: "The numbers satisfy x plus y equals 10. What is x squared?", option_a: "48", option_b: "one half", option_c: "the square root of 2", option_d: null },
};
const wide = { text: "", rendered: { text: `<math display="block" alttext="wide"><mrow>${"<mi>x</mi><mo>+</mo>".repeat(80)}<mn>1</mn></mrow></math>` } };

const pictured = () => ({
  text: "",
  rendered: { text: `<img src="/static/x/pages/static/icon.svg" width="80" height="80" alt="${t("question.figure")}">`, option_a: `<img src="/static/x/demo/static/nothing.png" alt="${t("question.unread")}">` },
  ...{ option_a: t("question.unread"), option_b: "48\n49", option_c: "50", option_d: "51" },
});

const Question = () => {
  const [chosen, choose] = useState(/** @type {any} */ (null));
  const [listed, showKeys] = useState(false);
  useKeys({ a: { text: t("question.chooseA"), act: () => choose("A") }, "g h": { text: t("question.home"), act: () => void go("/") }, "?": { text: t("question.keys"), act: () => showKeys(true) } });
  const sheet = () => h(PrintSheet, { title: "Screening 2", detail: "Hillside School" }, h(Options, { question, chosen: null }));
  return h(Page, { title: t("question.title"), actions: h(PrintButton, { content: sheet }) }, html`
    ${h(Options, { question, chosen, choose, ...(chosen === "D" && { right: /** @type {any} */ (["B"]) }) })}
    ${h(Options, { question: wide, chosen: null })}
    ${h(Section, { title: t("question.right") }, h(Options, { question, chosen: "B", right: ["B"] }))}
    ${h(Section, { title: t("question.wrong") }, h(Options, { question, chosen: "D", right: ["B", "C"] }))}
    ${h(Section, { title: t("question.pictures") }, h(Options, { question: pictured(), chosen: "A", choose: () => {} }))}
    ${listed && h(KeyList, { onClose: () => showKeys(false) })}`);
};

const points = (/** @type {string[]} */ labels) => labels.map((label, at) => ({ label, value: [8, 51, 23, 18, 4, 2][at] ?? 0 }));
const percent = (/** @type {number} */ value) => number(value, { style: "percent" });

const Charts = () =>
  h(Page, { title: t("charts.title") }, html`
    ${h(Bars, { title: t("charts.byStage"), points: [{ label: t("screening"), value: 1204 }, { label: t("league"), value: 310 }, { label: t("final"), value: 12 }] })}
    ${h(Shares, { title: t("charts.answers"), points: points(["A", "B", "C", "D"]) })}
    ${h(Line, { title: t("charts.saves"), labels: Array.from({ length: 12 }, (_, at) => `10:${String(at * 5).padStart(2, "0")}`), series: [{ label: "Hillside", values: [3, 5, 8, null, 9, 12, 15, 14, 2, 1, 0, 3] }, { label: "Lakeside", values: [1, 2, 2, 3, 5, 6, 6, 7, 9, 9, 9, 9] }] })}
    ${h(Line, { title: t("charts.silent"), labels: ["10:00", "10:05"], series: [{ label: "Hillside", values: [0, 1] }] })}
    ${h(Meter, { label: t("charts.verified"), value: 1240, of: 2000 })}
    ${h(Section, { title: t("charts.much") }, h(Pressed, { on: ["summary"] },
      h(Shares, { title: t("charts.answers"), points: points(["A", "B", "C", "D", "E", "F"]) }),
      h(Bars, { title: t("charts.verified"), points: [{ label: t("charts.name"), value: 0.625 }, { label: "Lakeside", value: 1 }], unit: "%", write: percent }),
      h(Line, { title: t("charts.verified"), labels: ["1", "2", "3"], series: points(["A", "B", "C", "D", "E", "F"]).map(({ label, value }) => ({ label, values: [0.3, value / 60, value / 100] })), write: percent }),
      h(Meter, { label: t("charts.verified"), value: 2000, of: 2000 })))}
    ${h(Section, { title: t("charts.little") }, html`
      ${h(Bars, { title: t("charts.byStage"), points: [{ label: t("final"), value: 0 }] })}
      ${h(Shares, { title: t("charts.answers"), points: points(["A"]) })}
      ${h(Line, { title: t("charts.saves"), labels: ["10:00"], series: [{ label: "Hillside", values: [3] }] })}`)}
    ${h(Section, { title: t("charts.nothing") }, html`
      ${h(Bars, { title: t("charts.byStage"), points: [] })}
      ${h(Shares, { title: t("charts.answers"), points: [] })}
      ${h(Line, { title: t("charts.saves"), labels: ["10:00", "10:05"], series: [{ label: "Hillside", values: [null, null] }] })}
      ${h(Meter, { label: t("charts.verified"), value: 0, of: 0 })}`)}`);

const States = () => {
  const failing = useRead(() => /** @type {any} */ (api).get("/failing/"), []);
  const count = usePoll(/** @type {any} */ ("/count/"), /** @type {any} */ ({}), 1);
  return h(Page, { title: t("states.title") }, html`
    ${loaded(failing, () => "never")}
    ${h(Paced, {})}
    <p id="polled">${loaded(count, (/** @type {any} */ value) => html`<span class="value">${value.count}</span>`)}</p>
    ${h(Loading, {})} ${h(Progress, { label: t("states.import"), done: 1240, total: 2000 })} ${h(Empty, { action: html`<a href="/">${t("states.invite")}</a>` }, t("states.alone"))}
    ${h(Progress, { label: t("states.count"), done: 1240, total: null })} ${h(Empty, {}, t("states.none"))}
    ${h(Act, { act: () => api.post(/** @type {any} */ ("/assign/"), {}, /** @type {any} */ ({})) }, t("states.do"))} ${h(Tasks, {})}
    <p class="acts">${h(Act, { kind: "first", act: async () => {} }, t("states.start"))} ${h(Act, { kind: "bad", act: async () => {} }, t("states.delete"))}</p>
    ${h(Pressed, { on: ["button"] }, h(Act, { act: unanswered }, t("states.wait")))}
    ${h(Pressed, { on: ["button"] }, h(Act, { act: () => Promise.reject(refused(409, { code: "other", detail: t("rejected") })) }, t("states.fail")))}
    ${h(Section, { title: t("states.slow") }, h(Timers, { set: (act) => after(act, 0) }), h(Loading, {}), h(Timers, { set: after }))}
    ${h(Section, { title: t("states.copied") }, h(Pressed, { on: [".copy button"] }, h(Copy, { text: "8c1f0a" })))}`);
};

// For a piece between two of these, no time has to pass: effects run in the order of the components.
const after = /** @type {any} */ (globalThis.setTimeout);
const Timers = (/** @type {{ set: (act: () => void) => any }} */ { set }) => {
  useEffect(() => {
    globalThis.setTimeout = /** @type {any} */ (set);
  }, []);
  return null;
};

// Rows that are no table. A row disappears while its dialog is still open.
const Tasks = () => {
  const [left, set] = useState(/** @type {const} */ (["dishes", "floors", "windows"]).slice());
  const finish = (/** @type {(typeof left)[number]} */ task) => confirm({ title: t("states.finish"), what: t(`states.${task}`), verb: t("states.finishIt"), act: () => set((before) => before.filter((each) => each !== task)) });
  return html`<ul class="items">${left.map((task) => html`<li key=${task}>${h(Act, { act: () => finish(task) }, t("states.finishThis", { task: t(`states.${task}`) }))}</li>`)}</ul>`;
};

// It polls more often while there is something to wait for.
const Paced = () => {
  const [every, pace] = useState(3600);
  const { value } = usePoll(/** @type {any} */ ("/paced/"), /** @type {any} */ ({}), every);
  useEffect(() => pace(value ? 1800 : 3600), [value]);
  return html`<p id="paced">${value && every}</p>`;
};

// Each kind of error in words. The last one is a mistake in a page, which is also logged.
const Failures = () => {
  const errors = [refused(401, { code: "other", detail: t("rejected") }), refused(404), refused(418), refused(429, { code: "throttle_exceeded" }, { "Retry-After": "30" }), refused(500, { code: "server_error" }), new Unreachable(), new TypeError("An example of a mistake")];
  const old = { value: 7, error: refused(503, { code: "service_unavailable" }), at: 1_800_000_000_000, busy: false, again: () => {} };
  return h(Page, { title: t("failures.title") }, errors.map((error) => h(Failed, { error, again: () => {} })),
    h(Section, { title: t("failures.stale") }, loaded(old, () => html`<p>${t("failures.value")}</p>`)));
};

// Dialogs that are open at once. An action of theirs has failed, or goes on.
/** @type {Record<string, { open?: () => unknown, on?: string[] }>} */
const dialogs = {
  plain: { open: () => ask({ title: t("dialogs.plain"), what: t("dialogs.plainWhat"), verb: t("states.finishIt") }) },
  danger: {
    open: () => confirm({
      title: t("dialogs.danger"), what: t("dialogs.dangerWhat", { count: 240 }), items: Array.from({ length: 12 }, (_, at) => `Person ${at}`), count: 240,
      verb: t("dialogs.dangerVerb", { count: 240 }), danger: true, cancel: t("dialogs.keep"), act: () => Promise.reject(refused(500, { code: "server_error" })),
    }),
    on: ["dialog .button"],
  },
  each: {
    open: () => confirmEach({
      title: t("dialogs.each"), what: t("dialogs.eachWhat"), verb: t("dialogs.eachVerb", { count: 3 }), items: ["Ada", "Grace", "Mary"], name: (each) => each,
      act: async (each) => each === "Ada" || unanswered(), done: (count) => t("people.assigned", { count }),
    }),
    on: ["dialog .button"],
  },
  keys: { open: () => switchKeys(true) },
  "keys-off": { open: () => switchKeys(false) },
  // The navigation of a small screen.
  menu: { on: [".menu"] },
};

const OneDialog = (/** @type {any} */ { params }) => {
  const [listed, showKeys] = useState(false);
  useKeys({ a: { text: t("question.chooseA"), act: () => {} }, "g h": { text: t("question.home"), act: () => void go("/") } });
  useEffect(() => {
    const { open, on = [] } = dialogs[params.kind] ?? {};
    void open?.();
    showKeys(params.kind.startsWith("keys"));
    return press(document.body, on);
  }, []);
  return h(Page, { title: t("dialogs.title") }, html`<p>${t("dialogs.below")}</p> <p>${Object.keys(dialogs).map((kind) => html`<a href=${`/dialogs/${kind}`}>${kind}</a> `)}</p> ${listed && h(KeyList, { onClose: () => showKeys(false) })}`);
};

// Pieces of the page of one's own account, and of pages that are out of date. Above them, notices of each kind.
const More = () => {
  const failing = useRead(() => /** @type {any} */ (api).get("/failing/"), []);
  const selection = /** @type {any} */ ({ count: 3 });
  const theirs = { labels: { name: t("name") }, shows: { name: String }, take: () => {}, keep: () => {} };
  useEffect(() => {
    notice({ text: t("more.removed"), undo: async () => {} });
    notice({ text: t("saved") });
    notice({ kind: "info", text: t("more.next") });
    notice({ kind: "bad", text: t("more.lost") });
    reportFailures([{ name: "Ada", reason: t("rejected") }, { name: "Grace", reason: t("failed") }]);
  }, []);
  return h(Page, { title: t("more.title") }, html`
    ${h(MailLanguagePart, { language: "fr", save: async () => {}, saved: () => {} })} ${h(MailLanguagePart, { language: null, save: async () => {}, saved: () => {} })} ${h(OwnData, { request: async () => {} })}
    ${h(Theirs, { ...theirs, theirs: { name: "Grace" }, before: { name: "Ada" }, values: { name: "Mary" } })}
    ${h(Theirs, { ...theirs, theirs: { name: "Grace" }, before: { name: "Ada" }, values: { name: "Grace" } })}
    ${h(Unread, { readings: [failing] })} ${Boolean(failing.error) && h(Failed, { error: failing.error, again: failing.again })}
    <p>${h(AsOf, { at: 1_800_000_000_000 })} ${h(Copy, { text: "8c1f0a" })}</p> <p>${h(Maths, { of: question })}</p>
    <p class="acts">${h(ActOnRows, { selection, act: async () => {}, text: t("more.archive", { count: 3 }) })}</p>`);
};

const SignIn = () =>
  h(Page, { title: t("signIn") }, h(Sheet, {}, h(Form, {
    initial: { email: "", password: "" }, verb: t("signIn"), stays: true,
    send: (values) => api.post("/auth/login/", {}, /** @type {any} */ (values)),
    done: (reply) => {
      session.open(reply);
      void go(nextPage("/"), { replace: true });
    },
  }, h(Field, { name: "email", label: t("email"), required: true, autocomplete: "email" }), h(Password, { name: "password", label: t("password"), autocomplete: "current-password" }))));

const link = (/** @type {string} */ href, /** @type {string} */ text) => ({ href, text });
const navigation = () => [
  { links: [{ href: "/", text: t("home.title"), count: 6 }] },
  { title: t("nav.people"), links: [link("/people", t("people.title")), { ...link(FILTERED, t("lists.title")), marks: /^\/lists/ }, link("/form", t("form.title")), link("/fields", t("fields.title")), link("/forms", t("forms.title"))] },
  { title: t("nav.more"), links: [
    link("/question", t("question.title")), link("/charts", t("charts.title")), link("/states", t("states.title")), link("/failures", t("failures.title")),
    { ...link("/dialogs/plain", t("dialogs.title")), marks: /^\/dialogs\// }, link("/more", t("more.title")),
  ] },
];

const page = (/** @type {any} */ component) => async () => component;
void start({
  name: "demo",
  title: () => t("demo"),
  prefix: "/",
  signIn: "/sign-in",
  frame: ({ children }) => h(Frame, {
    name: "Mathematics league", home: "/", label: t("demo"),
    // The page for signing in has no navigation.
    groups: location.pathname === "/sign-in" ? [] : navigation(),
    aside: h(Connection, {}),
    foot: html`${h(Language, {})} ${session.user() && h(Act, { act: signOut }, t("signOut"))}`,
  }, children),
  routes: [
    { path: "/", load: page(Home) },
    { path: "/people", load: page(People) },
    { path: "/people/:id", load: page(Person) },
    { path: "/lists", load: page(Lists) },
    { path: "/lists/all", load: page(AllSelected) },
    { path: "/form", load: page(FormPage) },
    { path: "/fields", load: page(Fields) },
    { path: "/forms", load: page(Forms) },
    { path: "/question", load: page(Question) },
    { path: "/charts", load: page(Charts) },
    { path: "/states", load: page(States) },
    { path: "/failures", load: page(Failures) },
    { path: "/dialogs/:kind", load: page(OneDialog) },
    { path: "/more", load: page(More) },
    { path: "/broken", load: () => Promise.reject(new TypeError("Failed to fetch")) },
    { path: "/sign-in", load: page(SignIn), open: true },
  ],
});
