// The page that reviews identity documents, one person after another. It sends no decision itself: `deciding.js` does
// so, a moment later.

import { Unreachable } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import * as dates from "../../../pages/static/ground/dates.js";
import { h, html, useEffect, useId, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { go } from "../../../pages/static/ground/router.js";
import * as session from "../../../pages/static/ground/session.js";
import { number } from "../../../pages/static/ground/texts.js";
import { Act } from "../../../pages/static/pieces/act.js";
import { KeyList, useKeys } from "../../../pages/static/pieces/keys.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Page, whenInWords } from "../../../pages/static/pieces/page.js";
import { Unread } from "../../../pages/static/pieces/readings.js";
import { Failed, loaded, Loading } from "../../../pages/static/pieces/states.js";
import { table } from "../../../pages/static/pieces/table.js";
import * as calls from "./calls.js";
import * as deciding from "./deciding.js";
import { ALL, Decisions, nextOf, reviewer, roleOf } from "./pieces.js";
import { t } from "./words.js";

/** @import { PageProps } from "../../../pages/static/ground/router.js" */
/** @import { Name, Account, Verification } from "./calls.js" */

/** @typedef {{ zoom: number, turn: number }} View How a picture is shown: how large, and by how many quarter turns it is rotated. */
/** @typedef {{ choice: string, details: string }} Reason */

/**
 * A document that has been read. `kind` says how it is shown: as a picture, as a PDF in the browser's viewer, or as a
 * link, if the page can neither read the file nor show it as a picture.
 *
 * @typedef {{ src: string, kind: "picture" | "pdf" | "link", width: number, height: number }} Read
 */

const ZOOMS = [1, 1.5, 2, 3, 4, 6];

/** @type {View} */
const FIT = { zoom: 1, turn: 0 };

const REASONS = /** @type {const} */ (["unreadable", "name", "face", "letter", "wrong"]);
const CHANGE_REASONS = /** @type {const} */ (["name", "proof"]);

/** @param {PageProps} props */
export function Review({ params }) {
  const id = params.id ?? "";
  const account = useRead(() => calls.account(id), [id]);
  const verification = calls.useVerification(id);
  const queue = useRead(calls.queue, [id]);
  const profile = account.value?.profile;
  const record = verification.value;
  const name = profile ? `${profile.user.first_name} ${profile.user.last_name}` : "";
  const waits = record !== undefined && (record.is_pending || Boolean(record.changes?.length));
  const [hasWaited, setWaited] = useState(expected === id);
  const isOwn = id === session.user()?.user.id;
  useEffect(() => {
    if (waits && !isOwn) setWaited(true);
  }, [waits]);

  const isHere = useRef(true);
  useEffect(() => () => {
    isHere.current = false;
  }, []);
  const move = async () => {
    // If the queue can't be read, go to the list, which says why.
    const { items } = queue.value ?? (await calls.queue().catch(() => ({ items: [] })));
    // The user may have opened another page in the meantime.
    if (!isHere.current) return;
    const next = nextOf(items.filter((each) => each.user_id !== id));
    expected = next?.user_id ?? "";
    await go(next ? `${ALL}/${next.user_id}` : ALL);
  };
  const gone = record !== undefined && !waits;
  useEffect(() => {
    // Another manager has decided while this page was shown, or just before. Show the decision, and open the next
    // review.
    if (!gone || !hasWaited || !profile) return;
    let isShown = true;
    deciding.skip(id);
    void calls
      .request(id)
      .catch(() => null)
      .then((found) => {
        deciding.say({ id, kind: "info", text: deciding.decidedByOther({ name, isApproved: record.is_approved, by: found && reviewer(found) }) });
        if (isShown) void move();
      });
    return () => {
      isShown = false;
    };
  }, [gone, hasWaited, profile === undefined]);

  const items = (queue.value?.items ?? []).filter((each) => each.user_id === id || !deciding.isDone(each.user_id));
  const at = items.findIndex((each) => each.user_id === id);
  const count = Math.max(items.length, (queue.value?.count ?? 0) - ((queue.value?.items.length ?? 0) - items.length));
  return h(
    Page,
    {
      title: name || t("documents.review"),
      crumbs: [{ href: ALL, text: t("documents.title") }],
      lead: profile && html`${[profile.school || profile.occupation, profile.user.email, t("documents.registered", { day: dates.day(profile.user.date_joined) })].filter(Boolean).join(" · ")}
        ${waits && at >= 0 && html` · <strong class="numbers">${t("documents.position", { at: at + 1, count })}</strong>`}`,
      actions: profile && (profile.profile_type === "candidate"
        ? html`<a class="button" href=${`/console/candidates/${id}`}>${t("documents.open")}</a>`
        : html`<a class="button" href=${`/console/staff/${id}`}>${t("documents.openStaff")}</a>`),
    },
    h(Decisions, {}),
    account.error !== null && profile ? h(Failed, { error: account.error, again: account.again }) : null,
    loaded(account, (found) => loaded(verification, () => html`${h(Unread, { readings: [queue] })}${h(Case, { id, name, ...found, record: /** @type {calls.Verification} */ (record), waits, isOwn, move, again: account.again })}`)),
  );
}

/** @param {View} view */
const larger = (view) => ({ ...view, zoom: ZOOMS.find((each) => each > view.zoom) ?? view.zoom });

/** @param {View} view */
const smaller = (view) => ({ ...view, zoom: ZOOMS.findLast((each) => each < view.zoom) ?? view.zoom });

/** @param {View} view */
const turned = (view) => ({ ...view, turn: (view.turn + 1) % 4 });

/** @param {{ accounts: NonNullable<Verification["similar_accounts"]> }} props */
const Similar = ({ accounts }) =>
  accounts.length > 0 &&
  h(Note, { kind: "warn" }, html`<p><strong>${t("documents.similar")}</strong></p>
    <ul>${accounts.map((each) => html`<li key=${each.id}><a href=${`/console/documents/${each.id}`}><bdi>${each.full_name}</bdi></a>: ${each.reasons.map((reason) => t(`documents.same.${reason}`)).join(", ")}</li>`)}</ul>`);

/**
 * A rejection, and what staff can do if it was a mistake.
 *
 * @param {{ name: string, email: string, reason: string | null }} props
 */
const Rejected = ({ name, email, reason }) => html`<p>${reason ? t("documents.isRejected", { reason }) : t("documents.isRejectedOnly")}</p>
  <p>${t("documents.ifMistake", { name })} <a href=${`mailto:${encodeURIComponent(email).replace("%40", "@")}`}>${email}</a></p>`;

/**
 * The rejection after which a person has sent documents again.
 *
 * @param {{ decision: NonNullable<Verification["earlier_decision"]> }} props
 */
function Earlier({ decision: { rejection_reason: reason, reviewed_by: by, reviewed_at: at } }) {
  const when = whenInWords(at, dates.when);
  return h(Note, { kind: "warn" }, html`<p><strong>${by ? t("documents.earlierBy", { by: `${by.user.first_name} ${by.user.last_name}`, when }) : t("documents.earlier", { when })}</strong>
    ${" "}${reason ? t("people.reasonWas", { reason }) : t("documents.noReason")}</p>`);
}

/** @param {{ changes: NonNullable<Verification["changes"]> }} props */
const Changes = ({ changes }) => html`<p>${t("documents.wants")}</p>
  ${table({
    caption: t("documents.wants"),
    rows: changes,
    id: (row) => row.field,
    columns: [
      { title: t("documents.field"), cell: (row) => t(`documents.field.${row.field}`) },
      { title: t("documents.old"), cell: (row) => row.old },
      { title: t("documents.newValue"), cell: (row) => html`<strong>${row.new}</strong>` },
    ],
  })}`;

/**
 * The three documents beside each other. The active document is larger.
 *
 * @param {{ profile: Account, name: string, active: Name, activate: (name: Name) => void, views: Partial<Record<Name, View>>, look: (change: (view: View) => View, name: Name) => void, again: () => void }} props
 */
function Papers({ profile, name: person, active, activate, views, look, again }) {
  const [kinds, note] = useState(/** @type {Partial<Record<Name, Read["kind"]>>} */ ({}));
  return html`<div class=${`doc-papers active-${active}`}>
  ${calls.DOCUMENTS.map((name, at) => html`<section key=${name} class="doc-paper" aria-label=${t(`documents.${name}`)}>
    <div class="doc-head"><button type="button" class="button doc-which" aria-pressed=${name === active} onClick=${() => activate(name)}><kbd aria-hidden="true">${at + 1}</kbd> ${t(`documents.${name}`)}</button>
      ${kinds[name] === "picture" && h(Tools, { name, look: (change) => look(change, name) })}</div>
    <p class="doc-check small">${check(name, profile, person)}</p>
    ${h(Document, { name, link: profile[name], view: views[name] ?? FIT, again, is: (kind) => note((all) => ({ ...all, [name]: kind })) })}
  </section>`)}
</div>`;
}

/**
 * The buttons for a picture.
 *
 * @param {{ name: Name, look: (change: (view: View) => View) => void }} props
 */
function Tools({ name, look }) {
  /**
   * @param {string} text
   * @param {(view: View) => View} change
   */
  const button = (text, change) => html`<button type="button" class="button small" aria-label=${t("documents.of", { action: text, document: t(`documents.${name}`) })} onClick=${() => look(change)}>${text}</button>`;
  return html`<div class="doc-tools acts">${button(t("documents.smaller"), smaller)} ${button(t("documents.larger"), larger)} ${button(t("documents.fit"), () => FIT)} ${button(t("documents.rotate"), turned)}</div>`;
}

/**
 * The facts that the reviewer compares with a document.
 *
 * @param {Name} name
 * @param {Account} profile
 * @param {string} person
 */
function check(name, profile, person) {
  if (name === "face_id") return t("documents.checkFace");
  if (name === "id_card") return html`<strong>${person}</strong> ${t("documents.checkCard")}`;
  return profile.profile_type === "candidate" ? html`<strong><bdi>${profile.school}</bdi></strong> ${t("documents.checkLetter")}` : html`<strong>${profile.occupation}</strong> ${t("documents.checkProof")}`;
}

/** @param {{ name: Name, link: string | null, view: View, again: () => void, is: (kind: Read["kind"]) => void }} props */
function Document({ name, link, view, again, is }) {
  const [state, set] = useState(/** @type {{ read?: Read, error?: unknown }} */ ({}));
  useEffect(() => {
    if (!link) return;
    const abort = new AbortController();
    let src = "";
    set({});
    read(link, abort.signal).then(
      (found) => {
        src = found.src;
        if (abort.signal.aborted) URL.revokeObjectURL(src);
        else {
          set({ read: found });
          is(found.kind);
        }
      },
      (error) => abort.signal.aborted || set({ error }),
    );
    return () => {
      abort.abort();
      if (src) URL.revokeObjectURL(src);
    };
  }, [link]);
  const title = t(`documents.${name}`);
  if (!link) return html`<p class="doc-view doc-missing muted">${t("documents.missing")}</p>`;
  if (state.error) return h(Failed, { error: state.error, again });
  if (!state.read) return html`<div class="doc-view doc-missing">${h(Loading, {})}</div>`;
  const { src, kind, width, height } = state.read;
  if (kind === "link") return html`<p class="doc-view doc-missing"><a href=${src} target="_blank" rel="noopener">${t("documents.newTab")}</a></p>`;
  if (kind === "pdf") return h(Pdf, { src, title });
  const { zoom, turn } = view;
  const isUpright = turn % 2 === 0;
  const [across, down] = isUpright ? [width, height] : [height, width];
  const place = ["", `translate(${height} 0) `, `translate(${width} ${height}) `, `translate(0 ${width}) `][turn];
  return html`<div class="doc-view" tabindex="0" role="group" aria-label=${t("documents.picture", { document: title, percent: number(zoom, { style: "percent" }) })}>
      <svg role="img" aria-label=${title} width=${`${zoom * 100}%`} height=${`${zoom * 100}%`} viewBox=${`0 0 ${across} ${down}`}>
        <image href=${src} width=${width} height=${height} transform=${`${place}rotate(${turn * 90})`} />
      </svg>
    </div>`;
}

/**
 * A PDF in the browser's own viewer. Some viewers take the focus when they have loaded, so that keys no longer
 * reach the page. So the page takes the focus back, unless the reviewer has moved it to the viewer by the pointer or
 * the Tab key.
 *
 * @param {{ src: string, title: string }} props
 */
function Pdf({ src, title }) {
  const frame = useRef(/** @type {HTMLIFrameElement | null} */ (null));
  useEffect(() => {
    let isTab = false;
    /** @type {Element | null} */
    let before = document.activeElement;
    const pressed = (/** @type {KeyboardEvent} */ event) => {
      isTab = event.key === "Tab";
    };
    const focused = (/** @type {FocusEvent} */ { target }) => {
      if (target instanceof Element && target !== frame.current) before = target;
    };
    // Browsers move the focus only after the event.
    const left = () => setTimeout(goBack);
    const goBack = () => {
      if (isTab || document.activeElement !== frame.current || frame.current?.matches(":hover")) return;
      frame.current?.blur();
      if (before instanceof HTMLElement && before !== frame.current) before.focus({ preventScroll: true });
    };
    addEventListener("keydown", pressed, true);
    addEventListener("focusin", focused);
    addEventListener("blur", left);
    return () => {
      removeEventListener("keydown", pressed, true);
      removeEventListener("focusin", focused);
      removeEventListener("blur", left);
    };
  }, []);
  return html`<div class="acts"><a class="button small" href=${src} target="_blank">${t("documents.newTab")}</a></div>
    <iframe class="doc-view" ref=${frame} src=${src} title=${title}></iframe>`;
}

/**
 * @param {string} link
 * @param {AbortSignal} signal
 * @returns {Promise<Read>}
 */
async function read(link, signal) {
  let src;
  try {
    const blob = await calls.read(link, signal);
    src = URL.createObjectURL(blob);
    if (blob.type === "application/pdf") return { src, kind: "pdf", width: 0, height: 0 };
  } catch (error) {
    const { files_origin: origin } = config();
    // A bucket may forbid pages to read its files. Pictures can still be shown.
    if (!(error instanceof Unreachable) || !origin || !link.startsWith(`${origin}/`)) throw error;
    src = link;
  }
  const size = await sizeOf(src);
  return size ? { src, kind: "picture", ...size } : { src, kind: "link", width: 0, height: 0 };
}

/**
 * @param {string} src
 * @returns {Promise<{ width: number, height: number } | null>}
 */
const sizeOf = (src) =>
  new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight });
    image.onerror = () => resolve(null);
    image.src = src;
  });

/** @param {boolean} isChange */
const reasonsOf = (isChange) => (isChange ? CHANGE_REASONS : REASONS);

/**
 * The reason as the person will read it. Empty if no reason is given yet.
 *
 * @param {Reason} reason
 * @param {boolean} isChange
 */
function reasonOf({ choice, details }, isChange) {
  const chosen = reasonsOf(isChange).find((each) => each === choice);
  return [chosen && t(`documents.reason.${chosen}`), details.trim()].filter(Boolean).join(" ");
}

/**
 * The choice of the reason for a rejection. The person will read the reason.
 *
 * @param {{ value: Reason, set: (value: Reason) => void, isMissing: boolean, isChange: boolean }} props
 */
function Reasons({ value, set, isMissing, isChange }) {
  const id = useId();
  const options = [...reasonsOf(isChange), /** @type {const} */ ("other")];
  return html`<fieldset class=${`row doc-reasons ${isMissing ? "wrong" : ""}`} aria-describedby=${isMissing ? `${id}-error` : undefined}>
    <legend>${t("documents.reason")}</legend>
    <p class="small muted">${t("documents.reasonHint")}</p>
    ${isMissing && html`<p class="error small" id=${`${id}-error`} role="alert">${t("documents.reasonMissing")}</p>`}
    <div class="doc-choices">${options.map((each) => html`<label class="choice" key=${each}><input type="radio" name=${id} value=${each} checked=${value.choice === each} onChange=${() => set({ ...value, choice: each })} /><span>${t(`documents.reason.${each}`)}</span></label>`)}</div>
    <label class="small" for=${`${id}-details`}>${value.choice === "other" ? t("documents.otherDetails") : t("documents.details")}</label>
    <textarea id=${`${id}-details`} class="field" rows="2" maxlength="500" value=${value.details} onInput=${(/** @type {any} */ event) => set({ ...value, details: event.currentTarget.value })}></textarea>
  </fieldset>`;
}

// The id of the person whom the review has opened next. If another manager decides before the page has read the case,
// the page shows that decision.
let expected = "";

/** @param {{ id: string, name: string, profile: calls.Account, version: string | null, record: calls.Verification, waits: boolean, isOwn: boolean, move: () => Promise<void>, again: () => void }} props */
function Case({ id, name, profile, version, record, waits, isOwn, move, again }) {
  const mayDecide = waits && !isOwn;
  const [before] = useState(() => deciding.takeUndone(id));
  const isChange = Boolean(record.changes?.length);
  const [active, activate] = useState(/** @type {Name} */ ("id_card"));
  const [views, setViews] = useState(/** @type {Partial<Record<Name, View>>} */ ({}));
  const [reason, setReason] = useState(before && !before.approve ? { choice: "other", details: before.reason } : { choice: "", details: "" });
  const [isMissing, setMissing] = useState(false);
  const [keys, showKeys] = useState(false);
  const reasons = useRef(/** @type {HTMLElement | null} */ (null));

  /** @param {(view: View) => View} change */
  const look = (change, own = active) => setViews((all) => ({ ...all, [own]: change(all[own] ?? FIT) }));
  /** @param {boolean} approve */
  const decide = (approve) => {
    if (!mayDecide) return;
    const text = approve ? "" : reasonOf(reason, isChange);
    if (!approve && !text) {
      setMissing(true);
      reasons.current?.querySelector("input")?.focus();
      return;
    }
    deciding.decide({ id, name, email: profile.user.email, approve, reason: text, version });
    void move();
  };
  const skip = () => {
    if (!mayDecide) return;
    deciding.skip(id);
    void move();
  };
  useKeys({
    a: { text: t("documents.approve"), act: () => decide(true) },
    r: { text: t("documents.reject"), act: () => decide(false) },
    s: { text: t("documents.skip"), act: skip },
    1: { text: t("documents.face_id"), act: () => activate("face_id") },
    2: { text: t("documents.id_card"), act: () => activate("id_card") },
    3: { text: t("documents.verification_document"), act: () => activate("verification_document") },
    "+": { text: t("documents.larger"), act: () => look(larger) },
    "-": { text: t("documents.smaller"), act: () => look(smaller) },
    f: { text: t("documents.fit"), act: () => look(() => FIT) },
    t: { text: t("documents.rotate"), act: () => look(turned) },
  });

  const isCandidate = profile.profile_type === "candidate";
  return html`
    ${!waits && h(Note, { kind: "info" }, record.is_approved ? t("documents.isApproved") : record.is_rejected ? h(Rejected, { name, email: profile.user.email, reason: record.rejection_reason }) : t("documents.isNothing"))}
    ${waits && isOwn && h(Note, { kind: "info" }, t("documents.isOwn"))}
    ${waits && record.earlier_decision && h(Earlier, { decision: record.earlier_decision })}
    ${h(Similar, { accounts: record.similar_accounts ?? [] })}
    ${isChange && h(Changes, { changes: record.changes ?? [] })}
    ${h(Papers, { profile, name, active, activate, views, look, again })}
    ${mayDecide && html`<div ref=${reasons}>${h(Reasons, { value: reason, set: (value) => { setReason(value); setMissing(false); }, isMissing, isChange })}</div>
      <p class="small muted">${isChange ? t("documents.thenChanged", { name }) : isCandidate ? t("documents.thenCandidate", { name, stage: roleOf(profile.role) }) : t("documents.thenStaff", { name, role: roleOf(profile.role) })} ${t("documents.mail")}</p>
      <div class="doc-acts acts">
        <button type="button" class="button" onClick=${() => decide(false)}>${t("documents.reject")} <kbd aria-hidden="true">R</kbd></button>
        <button type="button" class="button" onClick=${skip}>${t("documents.skip")} <kbd aria-hidden="true">S</kbd></button>
        <button type="button" class="button first" onClick=${() => decide(true)}>${t("documents.approve")} <kbd aria-hidden="true">A</kbd></button>
        <button type="button" class="button plain doc-keys" onClick=${() => showKeys(true)}>${t("documents.keys")} <kbd aria-hidden="true">?</kbd></button>
      </div>`}
    ${!mayDecide && html`<div class="acts">${h(Act, { act: move, kind: "first" }, t("documents.next"))}</div>`}
    ${keys && h(KeyList, { onClose: () => showKeys(false) })}`;
}
