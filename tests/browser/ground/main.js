// The page of examples: a front-end that uses every shared piece. Only tests serve it. A piece that is missing here
// fails `test_the_examples_show_every_shared_piece`.

import { api } from "../../pages/static/ground/api.js";
import { h, html, useEffect, useState } from "../../pages/static/ground/html.js";
import { nextPage } from "../../pages/static/ground/next.js";
import { usePoll, useRead } from "../../pages/static/ground/poll.js";
import { go } from "../../pages/static/ground/router.js";
import * as session from "../../pages/static/ground/session.js";
import { catalogue } from "../../pages/static/ground/texts.js";
import { Bars, Line, Meter, Shares } from "../../pages/static/pieces/charts.js";
import { Act, confirm } from "../../pages/static/pieces/dialog.js";
import { Check, Code, DateTime, FileField } from "../../pages/static/pieces/fields.js";
import { Choice, Select } from "../../pages/static/pieces/choices.js";
import { Field, Form, Password } from "../../pages/static/pieces/form.js";
import { ActOnRows } from "../../pages/static/pieces/each.js";
import { KeyList, useKeys } from "../../pages/static/pieces/keys.js";
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
import { Unread } from "../../pages/static/pieces/readings.js";
import { signOut, start } from "../../pages/static/pieces/start.js";
import { AsOf, Copy, Empty, Failed, loaded, Loading, Progress } from "../../pages/static/pieces/states.js";
import { Theirs } from "../../pages/static/pieces/theirs.js";

const t = catalogue({ en: () => import("./texts.en.js"), fr: () => import("./texts.fr.js") });

const Home = () =>
  h(Page, { title: "Home", lead: t("hello", { name: session.user()?.user.first_name ?? "you" }) }, html`
    ${h(Tabs, { label: "Parts", tabs: [{ value: "one", text: "One" }, { value: "two", text: "Two", count: 3 }] })}
    <p><a href="/form">The form</a> <a href="/people?search=a">People named a</a> <a href="/broken">Broken</a></p>
    ${h(Facts, { facts: [["School", "Hillside School"], ["Joined", h(When, { at: "2026-12-12T10:00:00Z" })], ["Phone", null]] })}
    <p class="acts">${h(Tag, { kind: "ok" }, "Approved")} ${h(Tag, { kind: "warn" }, "Waiting")} ${h(Tag, { kind: "bad" }, "Rejected")} ${h(Tag, { kind: "info" }, "New")} ${h(Tag, {}, "Nothing sent")}</p>
    ${h(Note, { kind: "warn" }, "The exam begins in five minutes.")}
    ${h(Section, { title: "A table" }, table({ caption: "Schools", id: (row) => row.name, rows: [{ name: "Hillside", candidates: 38 }, { name: "Lakeside", candidates: 1204 }],
      columns: [{ title: "School", cell: (row) => row.name }, { title: "Candidates", cell: (row) => row.candidates, end: true }] }))}
    <p id="count">${t("candidates", { count: 1 })}, ${t("candidates", { count: 1204 })}</p>`);

const People = () => {
  const [version, set] = useState(0);
  return h(Page, { title: "Candidates", lead: "2,417 candidates from 86 schools", crumbs: [{ href: "/", text: "Home" }], actions: html`<button type="button" class="button first">Import</button>` },
    list({
      name: "Candidates",
      version,
      call: (query) => /** @type {any} */ (api).get("/people/", query),
      id: (row) => row.id,
      filters: [{ name: "search", label: "Search name, email, school" }, { name: "stage", label: "Stage", options: [["screening", "Screening"], ["league", "League"]] }],
      columns: [
        { title: "Name", sort: "name", cell: (row) => html`<a href=${`/people/${row.id}`}>${row.name}</a><span class="small muted">${row.email}</span>` },
        { title: "School", cell: () => "Hillside School" },
        { title: "Identity", cell: () => h(Tag, { kind: "warn" }, "Waiting") },
        { title: "Joined", cell: () => "12 Oct 2026", sort: "joined", end: true },
      ],
      empty: "Candidates appear here when they register.",
      found: (count) => t("candidates", { count }),
      select: ({ count, all, keys, clear }) => html`<button type="button" class="button first" onClick=${async () => {
        const done = await confirm({ title: "Assign a stage", what: `This assigns the stage to ${count} candidates.`, items: keys, count, verb: `Assign to ${count}`, danger: true,
          act: (key) => api.post(/** @type {any} */ ("/assign/"), {}, /** @type {any} */ ({ all, keys }), { key }) });
        if (!done) return;
        clear();
        set(version + 1);
        notice({ text: `Assigned to ${count} candidates.`, undo: async () => {} });
      }}>Assign to ${count}</button>`,
    }));
};

const Person = (/** @type {any} */ { params }) => h(Page, { title: `Candidate ${params.id}` }, "One candidate.");

const FormPage = () =>
  h(Page, { title: "A form" }, h(Form, {
    initial: { name: "Ada", email: "", at: "2026-12-12T10:00:00Z", kind: "", stages: [] },
    verb: "Save", draft: "demo", etag: '"1"',
    send: (values, options) => /** @type {any} */ (api).patch("/form/", {}, values, options),
    reread: async () => ({ values: { name: "Grace" }, etag: '"2"' }),
    done: async () => {
      await go("/");
      notice({ text: "Saved." });
    },
  },
  h(Field, { name: "name", label: "Name", required: true, autocomplete: "name" }),
  h(Field, { name: "email", label: "Email", type: "email", required: true, autocomplete: "email", hint: "We send a code to this address." }),
  h(Password, { name: "password", label: "Password", autocomplete: "new-password", required: false }),
  h(Code, { name: "otp", label: "Code", required: false }),
  h(Select, { name: "school", label: "School", options: [["1", "Hillside"], ["2", "Lakeside"]] }),
  h(Choice, { name: "kind", label: "Kind", options: [["a", "First"], ["b", "Second"]] }),
  h(Choice, { name: "stages", label: "Stages", many: true, options: [["x", "Screening"], ["y", "League"]] }),
  h(Check, { name: "agree", label: "I agree", required: true }),
  h(DateTime, { name: "at", label: "Begins", required: true }),
  h(FileField, { name: "file", label: "Document", accept: "image/png", largest: 1048576 }),
  h(Field, { name: "text", label: "Message", rows: 4 })));

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

const Question = () => {
  const [chosen, choose] = useState(/** @type {any} */ (null));
  const [listed, showKeys] = useState(false);
  useKeys({ a: { text: "Choose A", act: () => choose("A") }, "g h": { text: "Go home", act: () => void go("/") }, "?": { text: "Show the keys", act: () => showKeys(true) } });
  const sheet = () => h(PrintSheet, { title: "Screening 2", detail: "Hillside School" }, h(Options, { question, chosen: null }));
  return h(Page, { title: "A question", actions: h(PrintButton, { content: sheet }) }, html`
    ${h(Options, { question, chosen, choose, ...(chosen === "D" && { right: /** @type {any} */ (["B"]) }) })}
    ${h(Options, { question: wide, chosen: null })} ${listed && h(KeyList, { onClose: () => showKeys(false) })}`);
};

const Charts = () =>
  h(Page, { title: "Charts" }, html`
    ${h(Bars, { title: "Candidates by stage", points: [{ label: "Screening", value: 1204 }, { label: "League", value: 310 }, { label: "Final", value: 12 }] })}
    ${h(Shares, { title: "Answers", points: ["A", "B", "C", "D"].map((label, at) => ({ label, value: [8, 51, 23, 18][at] ?? 0 })) })}
    ${h(Line, { title: "Saves in the last hour", labels: Array.from({ length: 12 }, (_, at) => `10:${String(at * 5).padStart(2, "0")}`), series: [{ label: "Hillside", values: [3, 5, 8, null, 9, 12, 15, 14, 2, 1, 0, 3] }, { label: "Lakeside", values: [1, 2, 2, 3, 5, 6, 6, 7, 9, 9, 9, 9] }] })}
    ${h(Line, { title: "Silent in the last hour", labels: ["10:00", "10:05"], series: [{ label: "Hillside", values: [0, 1] }] })}
    ${h(Meter, { label: "Verified", value: 1240, of: 2000 })}`);

const States = () => {
  const failing = useRead(() => /** @type {any} */ (api).get("/failing/"), []);
  const count = usePoll(/** @type {any} */ ("/count/"), /** @type {any} */ ({}), 1);
  return h(Page, { title: "States" }, html`
    ${loaded(failing, () => "never")}
    ${h(Paced, {})}
    <p id="polled">${loaded(count, (/** @type {any} */ value) => html`<span class="value">${value.count}</span>`)}</p>
    ${h(Loading, {})} ${h(Progress, { label: "Import", done: 1240, total: 2000 })} ${h(Empty, { action: html`<a href="/">Invite</a>` }, "You are the only member of staff.")}
    ${h(Act, { act: () => api.post(/** @type {any} */ ("/assign/"), {}, /** @type {any} */ ({})) }, "Do it")} ${h(Tasks, {})}`);
};

// Rows that are no table. A row disappears while its dialog is still open.
const Tasks = () => {
  const [left, set] = useState(["dishes", "floors", "windows"]);
  const finish = (/** @type {string} */ task) => confirm({ title: "Finish", what: task, verb: "Finish it", act: () => set((before) => before.filter((each) => each !== task)) });
  return html`<ul>${left.map((task) => html`<li key=${task}>${h(Act, { act: () => finish(task) }, `Finish: ${task}`)}</li>`)}</ul>`;
};

// It polls more often while there is something to wait for.
const Paced = () => {
  const [every, pace] = useState(3600);
  const { value } = usePoll(/** @type {any} */ ("/paced/"), /** @type {any} */ ({}), every);
  useEffect(() => pace(value ? 1800 : 3600), [value]);
  return html`<p id="paced">${value && every}</p>`;
};

// Pieces of the page of one's own account, and of pages that are out of date.
const More = () => {
  const failing = useRead(() => /** @type {any} */ (api).get("/failing/"), []);
  const selection = /** @type {any} */ ({ count: 3 });
  return h(Page, { title: "More" }, html`
    ${h(MailLanguagePart, { language: "fr", save: async () => {}, saved: () => {} })} ${h(OwnData, { request: async () => {} })}
    ${h(Theirs, { theirs: { name: "Grace" }, before: { name: "Ada" }, values: { name: "Mary" }, labels: { name: "Name" }, shows: {}, take: () => {}, keep: () => {} })}
    ${h(Unread, { readings: [failing] })} ${Boolean(failing.error) && h(Failed, { error: failing.error, again: failing.again })}
    <p>${h(AsOf, { at: 1_800_000_000_000 })} ${h(Copy, { text: "8c1f0a" })}</p> <p>${h(Maths, { of: question })}</p>
    <p class="acts">${h(ActOnRows, { selection, act: async () => {}, text: "Archive 3" })}</p>`);
};

const SignIn = () =>
  h(Page, { title: "Sign in" }, h(Sheet, {}, h(Form, {
    initial: { email: "", password: "" }, verb: "Sign in", stays: true,
    send: (values) => api.post("/auth/login/", {}, /** @type {any} */ (values)),
    done: (reply) => {
      session.open(reply);
      void go(nextPage("/"), { replace: true });
    },
  }, h(Field, { name: "email", label: "Email", required: true, autocomplete: "email" }), h(Password, { name: "password", label: "Password", autocomplete: "current-password" }))));

const page = (/** @type {any} */ component) => async () => component;
void start({
  name: "demo",
  title: () => t("demo"),
  prefix: "/",
  signIn: "/sign-in",
  frame: ({ children }) => h(Frame, {
    name: "Mathematics league", home: "/", label: "Demo",
    groups: [{ links: [{ href: "/", text: "Home", count: 6 }] }, { title: "People", links: [{ href: "/people", text: "Candidates" }, { href: "/form", text: "Form" }] }, { title: "More", links: [{ href: "/question", text: "Question" }, { href: "/charts", text: "Charts" }, { href: "/states", text: "States" }] }],
    aside: h(Connection, {}),
    foot: html`${h(Language, {})} ${session.user() && h(Act, { act: signOut }, "Sign out")}`,
  }, children),
  routes: [
    { path: "/", load: page(Home) },
    { path: "/people", load: page(People) },
    { path: "/people/:id", load: page(Person) },
    { path: "/form", load: page(FormPage) },
    { path: "/question", load: page(Question) },
    { path: "/charts", load: page(Charts) },
    { path: "/states", load: page(States) },
    { path: "/more", load: page(More) },
    { path: "/broken", load: () => Promise.reject(new TypeError("Failed to fetch")) },
    { path: "/sign-in", load: page(SignIn), open: true },
  ],
});
