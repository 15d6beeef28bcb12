// The page of API keys. It shows a new key once, and does not store it.

import { span } from "../../../pages/static/ground/dates.js";
import { h, html, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { Choice, Select } from "../../../pages/static/pieces/choices.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { Check } from "../../../pages/static/pieces/fields.js";
import { Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { list } from "../../../pages/static/pieces/list.js";
import { Note, notice } from "../../../pages/static/pieces/notice.js";
import { Page, Tag } from "../../../pages/static/pieces/page.js";
import { When } from "../../../pages/static/pieces/when.js";
import { Copy, loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { ApiKey, KeyRateLimits } from "./calls.js" */

const SCOPES = /** @type {const} */ (["client", "webhook", "metrics"]);

export function Keys() {
  const [isOpen, open] = useState(false);
  const [secret, show] = useState("");
  const [version, change] = useState(0);
  const again = () => change((before) => before + 1);
  /** @param {string} created */
  const created = (created) => {
    open(false);
    show(created);
    again();
  };
  /** @param {ApiKey} key */
  const revoke = async (key) => {
    const done = await confirm({
      title: t("house.revoke"),
      what: isOfPages(key) ? t("house.revokePages", { name: key.name }) : t("house.revokeWhat", { name: key.name }),
      verb: t("house.revokeOne", { name: key.name }),
      danger: true,
      act: async () => {
        await calls.revokeKey(key.id);
        return true;
      },
    });
    if (!done) return;
    again();
    notice({ text: t("house.revokedNow", { name: key.name }) });
  };
  return h(Page, { title: t("nav.keys"), lead: t("house.keysLead"), actions: html`<button type="button" class="button first" onClick=${() => open(true)}>${t("house.newKey")}</button>` },
    isOpen && h(Dialog, { title: t("house.newKey"), onClose: () => open(false) }, h(NewKey, { created, close: () => open(false) })),
    secret && h(Note, { kind: "ok", alert: true }, html`<p><strong>${t("house.created")}</strong> ${t("house.copyNow")}</p>
      ${h(Copy, { text: secret })}
      <button type="button" class="button" onClick=${() => show("")}>${t("house.copied")}</button>`),
    list({
      name: t("nav.keys"),
      id: (key) => key.id,
      call: calls.keys,
      version,
      empty: t("house.noKeys"),
      filters: [{ name: "search", label: t("house.keyName") }],
      columns: [
        { title: t("house.keyName"), cell: (key) => html`${key.name} <span class="small muted">${isOfPages(key) ? t("house.ofPages") : t("house.begins", { prefix: key.prefix })}</span>` },
        { title: t("house.state"), cell: keyState },
        { title: t("house.scopes"), cell: (key) => key.scopes.map((each) => t(`house.scope.${each}`)).join(", ") },
        { title: t("house.rates"), cell: (key) => key.rates ?? t("house.usualRates") },
        { title: t("house.createdAt"), sort: "created_at", cell: (key) => h(When, { at: key.created_at }) },
        { title: t("house.ends"), cell: (key) => h(When, { at: key.revoked_at ?? key.expires_at, none: t("house.never") }) },
        { title: t("house.do"), cell: (key) => !key.revoked_at && h(Act, { act: () => revoke(key) }, t("house.revoke"), html` <span class="hide">${key.name}</span>`) },
      ],
    }));
}

/**
 * The form for a new API key.
 *
 * @param {{ created: (secret: string) => void, close: () => void }} props
 */
const NewKey = ({ created, close }) => h(Form, {
  initial: { name: "", scopes: ["client"], rates: "", expires: true, days: "365" },
  verb: t("house.createKey"),
  send: ({ name, scopes, rates, expires, days }, { key }) =>
    calls.createKey({ name, scopes, rates: rates || null, days: expires ? Number(days) : null }, key),
  done: (reply) => created(reply.key),
  actions: html`<button type="button" class="button" onClick=${close}>${t("house.cancel")}</button>`,
},
h(Field, { name: "name", label: t("house.keyName"), hint: t("house.keyNameHint"), required: true, maxlength: 100 }),
h(Choice, { name: "scopes", label: t("house.scopes"), required: true, many: true, options: SCOPES.map((each) => /** @type {[string, string]} */ ([each, t(`house.scope.${each}`)])) }),
h(KeyRates, {}),
h(Check, { name: "expires", label: t("house.expires") }),
h(Days, {}));

/** The rate limits of the new key. */
function KeyRates() {
  const reading = useRead(calls.keyRates, []);
  return loaded(reading, (all) => h(Select, {
    name: "rates",
    label: t("house.rates"),
    hint: t("house.ratesHint"),
    options: [["", t("house.usualRates")], ...all.map(rateOption)],
  }));
}

/** @param {KeyRateLimits} rates @returns {[value: string, text: string]} */
const rateOption = ({ name, authenticated }) => [
  name,
  t("house.rateOption", { name, rates: authenticated.map(({ limit, seconds }) => t("house.rate", { limit, time: span(seconds) })).join(", ") }),
];

function Days() {
  const { values } = useForm();
  return values.expires ? h(Field, { name: "days", label: t("house.days"), type: "number", required: true, inputmode: "numeric" }) : html``;
}

/** @param {ApiKey} key */
function keyState({ revoked_at: revoked, expires_at: expires }) {
  if (revoked) return h(Tag, {}, t("house.revoked"));
  if (expires && new Date(expires).getTime() <= Date.now()) return h(Tag, {}, t("house.expired"));
  return h(Tag, { kind: "ok" }, t("house.valid"));
}

/** Whether the portal and the console use the key. The service creates these keys itself. @param {ApiKey} key */
const isOfPages = ({ name }) => /^pages [0-9a-f]{8}$/.test(name);
