// The parts that the pages of questions share: the editor with its images, and difficulties in words. The editor itself
// sends the requests for its preview and for images. The page passes the request that saves the question.

import { Refused } from "../../../pages/static/ground/api.js";
import { config } from "../../../pages/static/ground/config.js";
import { h, html, useEffect, useRef, useState } from "../../../pages/static/ground/html.js";
import { useRead } from "../../../pages/static/ground/poll.js";
import { Choice } from "../../../pages/static/pieces/choices.js";
import { confirm, Dialog } from "../../../pages/static/pieces/dialog.js";
import { FileField } from "../../../pages/static/pieces/fields.js";
import { byPath, Field, Form, useForm } from "../../../pages/static/pieces/form.js";
import { LETTERS, loadAgain, Maths, Options } from "../../../pages/static/pieces/maths.js";
import { Note } from "../../../pages/static/pieces/notice.js";
import { Progress } from "../../../pages/static/pieces/progress.js";
import { Empty, Failed, loaded } from "../../../pages/static/pieces/states.js";
import * as calls from "./calls.js";
import { t } from "./words.js";

/** @import { Image, NewQuestion, Question, TextWarning } from "./calls.js" */
/** @import { Part, Parts } from "../../../pages/static/pieces/maths.js" */

// How long to wait after the last key press before the preview is rendered, in milliseconds.
const TYPING = 400;
const PARTS = /** @type {const} */ (["text", "option_a", "option_b", "option_c", "option_d"]);
const DIFFICULTIES = /** @type {const} */ (["easy", "moderate", "hard"]);

/** @type {() => [string, string][]} */
export const difficulties = () => DIFFICULTIES.map((each) => [each, t(`questions.${each}`)]);

/** @type {() => [string, string][]} */
export const uses = () => [["true", t("questions.used")], ["false", t("questions.neverUsed")]];

/** @param {import("../../../pages/static/types/api.js").components["schemas"]["StaffProfile"] | null} staff */
export const author = (staff) => (staff ? `${staff.user.first_name} ${staff.user.last_name}` : t("questions.nobody"));

/** The fields of a question. @param {{ insert: (name: Part, at: number, set: (name: string, value: any) => void, values: Record<string, any>) => void }} props */
function Fields({ insert }) {
  const { values, set } = useForm();
  const [place, setPlace] = useState({ name: /** @type {Part} */ ("text"), at: /** @type {number | null} */ (null) });
  /** @param {{ target: EventTarget | null }} event */
  const note = ({ target }) => {
    if (target instanceof HTMLTextAreaElement) setPlace({ name: /** @type {Part} */ (target.name), at: target.selectionEnd });
  };
  const open = () => insert(place.name, place.at ?? String(values[place.name] ?? "").length, set, values);
  return html`<div class="flow" onFocusIn=${note} onKeyUp=${note} onPointerUp=${note}>
    ${h(Field, { name: "text", label: t("questions.text"), rows: 6, required: true, maxlength: 10_000, hint: t("questions.textHint") })}
    ${LETTERS.map((letter) => h(Field, { name: `option_${letter.toLowerCase()}`, label: t("questions.option", { letter }), rows: 2, required: true, maxlength: 2_000 }))}
    <div class="acts"><button type="button" class="button" onClick=${open}>${t("questions.insert")}</button>
      <span class="small muted">${t("questions.insertInto", { field: partName(place.name) })}</span></div>
    <div class="editor-choices">
    ${h(Choice, { name: "correct_answer", label: t("questions.correct"), required: true, options: LETTERS.map((letter) => /** @type {[string, string]} */ ([letter, t("questions.option", { letter })])) })}
    ${h(Choice, { name: "difficulty", label: t("questions.difficulty"), required: true, options: difficulties() })}
    </div>
  </div>`;
}

/** @param {string} part */
const partName = (part) => (part === "text" ? t("questions.text") : t("questions.option", { letter: part.slice(-1).toUpperCase() }));

/**
 * The question as candidates see it, updated a moment after the author types.
 *
 * @param {{ saved: Question | null, version: number }} props The saved question is shown until the author
 *   types. `version` changes when an image has a new description.
 */
function Preview({ saved, version }) {
  const { values } = useForm();
  const texts = Object.fromEntries(PARTS.map((each) => [each, String(values[each] ?? "")]));
  const key = JSON.stringify(texts);
  const [shown, show] = useState({ texts, rendered: /** @type {Parts | null} */ (saved?.rendered ?? null), spoken: /** @type {Parts | null} */ (saved?.spoken ?? null), mistakes: /** @type {{ field: string, message: string }[]} */ ([]), warnings: /** @type {TextWarning[]} */ ([]), error: /** @type {unknown} */ (null) });
  useEffect(() => {
    const written = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim()));
    if (!Object.keys(written).length) return show({ texts, rendered: null, spoken: null, mistakes: [], warnings: [], error: null });
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        show({ texts, ...(await calls.render(written, abort.signal)), error: null });
      } catch (error) {
        if (!abort.signal.aborted) show({ texts, rendered: null, spoken: null, mistakes: [], warnings: [], error });
      }
    }, TYPING);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key, version]);
  const refused = shown.error instanceof Refused ? byPath(shown.error.errors) : {};
  const wrong = [...Object.entries(refused).map(([name, messages]) => [name, messages.join(" ")]), ...shown.mistakes.map((each) => [each.field, each.message])];
  return html`<aside class="sheet pad flow" aria-label=${t("questions.preview")}>
    <h2>${t("questions.preview")}</h2>
    <div role="status">${wrong.length > 0 && h(Note, { kind: "warn" }, html`<p>${t("questions.unreadable")}</p>
      <ul>${wrong.map(([name = "", why = ""]) => html`<li>${t("questions.partAndWhy", { part: partName(name), why })}</li>`)}</ul>`)}
      ${shown.warnings.length > 0 && h(Note, { kind: "info" }, html`<p>${t("questions.doubtful")}</p>
      <ul>${shown.warnings.map(({ field, message, formula }) => html`<li>${t("questions.partAndWhy", { part: partName(field), why: message })} ${formula && h(Maths, { of: { rendered: { text: formula } } })}</li>`)}</ul>`)}</div>
    ${Boolean(shown.error) && !wrong.length && h(Failed, { error: shown.error })}
    ${Object.values(shown.texts).some((each) => each.trim())
      ? h(Options, { question: { ...shown.texts, rendered: shown.rendered, spoken: shown.spoken }, chosen: null, right: values.correct_answer ? [values.correct_answer] : [] })
      : html`<p class="muted">${t("questions.previewEmpty")}</p>`}
  </aside>`;
}

/**
 * Choose an image of the bank, or upload one. Users can also change an image's description here, or delete the image.
 *
 * @param {{ onClose: () => void, choose: (image: Image) => void, changed: () => void }} props
 */
function Images({ onClose, choose, changed }) {
  const [search, setSearch] = useState("");
  const [asked, ask] = useState("");
  const [page, setPage] = useState(1);
  const [progress, setProgress] = useState(/** @type {{ done: number, total: number | null } | null} */ (null));
  const [said, say] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => (ask(search.trim()), setPage(1)), TYPING);
    return () => clearTimeout(timer);
  }, [search]);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const reading = useRead(() => calls.images(asked, page), [asked, page]);
  const described = () => {
    say(t("questions.altSaved"));
    reading.again();
    changed();
  };
  /** @param {string} alt */
  const deleted = (alt) => {
    say(t("questions.imageDeleted", { alt }));
    // Move the focus, because the button that had it disappears.
    input.current?.focus();
    // A page without images does not exist, so show the page before.
    if (page > 1 && reading.value?.results.length === 1) setPage(page - 1);
    else reading.again();
    changed();
  };
  const rule = config().files.file ?? { largest_bytes: 0, types: [] };
  /** @param {Record<string, any>} values */
  const send = async (values) => {
    try {
      return await calls.addImage(values.file, values.alt, (done, total) => setProgress({ done, total }));
    } finally {
      setProgress(null);
    }
  };
  return h(Dialog, { title: t("questions.insert"), onClose }, html`<div class="flow">
    <h3>${t("questions.upload")}</h3>
    ${h(Form, { initial: { file: null, alt: "" }, verb: t("questions.uploadIt"), send, done: choose, stays: true },
      h(FileField, { name: "file", label: t("questions.file"), required: true, accept: rule.types.join(","), largest: rule.largest_bytes, hint: t("questions.fileHint") }),
      h(Field, { name: "alt", label: t("questions.alt"), required: true, maxlength: 500, hint: t("questions.altHint") }),
      progress && h(Progress, { label: t("questions.uploading"), ...progress }))}
    <h3>${t("questions.images")}</h3>
    <div><label class="small muted" for="image-search">${t("questions.altSearch")}</label>
    <input id="image-search" ref=${input} class="field" type="search" autocomplete="off" value=${search} onInput=${(/** @type {any} */ event) => setSearch(event.currentTarget.value)} /></div>
    <p role="status">${said}</p>
    ${loaded(reading, ({ results, pagination }) => html`<ul class="question-images">${results.map((each) => h(OneImage, { key: each.id, image: each, choose, described, deleted }))}</ul>
      <div class="acts">${pagination.has_previous && html`<button type="button" class="button" onClick=${() => setPage(page - 1)}>${t("questions.newer")}</button>`}
      ${pagination.has_next && html`<button type="button" class="button" onClick=${() => setPage(page + 1)}>${t("questions.older")}</button>`}</div>`,
      { empty: (value) => !value.results.length, nothing: h(Empty, {}, asked ? t("questions.noImageFound") : t("questions.noImages")) })}
    <div class="acts"><button type="button" class="button" onClick=${onClose}>${t("questions.close")}</button></div>
  </div>`);
}

/**
 * An image of the bank, with buttons to insert it, change its description, and delete it.
 *
 * @param {{ image: Image, choose: (image: Image) => void, described: () => void, deleted: (alt: string) => void }} props
 */
function OneImage({ image, choose, described, deleted }) {
  const { id, alt, url, used_by: uses } = image;
  // Undefined until the form is opened for the first time.
  const [editing, edit] = useState(/** @type {boolean | undefined} */ (undefined));
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => {
    if (editing === false) button.current?.focus();
  }, [editing]);
  const remove = async () => {
    const removed = await confirm({
      title: t("questions.deleteImage"), what: t("questions.deletesImage"), items: [alt], verb: t("questions.deleteOne"), danger: true,
      act: async () => {
        await calls.removeImage(id);
        return true;
      },
    });
    if (removed) deleted(alt);
  };
  return html`<li><img src=${url} alt="" loading="lazy" onError=${loadAgain} />
    <div class="flow"><p>${alt} <span class="small muted">${uses ? t("questions.usedBy", { count: uses }) : t("questions.notUsed")}</span></p>
    ${editing
      ? h(Form, {
          initial: { alt },
          verb: t("questions.saveAlt"),
          stays: true,
          send: (values) => calls.describe(id, values.alt),
          done: () => {
            edit(false);
            described();
          },
          actions: html`<button type="button" class="button" onClick=${() => edit(false)}>${t("questions.cancel")}</button>`,
        }, h(Description, { uses }))
      : html`<div class="acts">
          <button type="button" class="button" aria-label=${t("questions.insertThis", { alt })} onClick=${() => choose(image)}>${t("questions.insertIt")}</button>
          <button type="button" class="button" ref=${button} aria-label=${t("questions.describeThis", { alt })} onClick=${() => edit(true)}>${t("questions.describe")}</button>
          <button type="button" class="button" aria-label=${t("questions.deleteThis", { alt })} onClick=${remove}>${t("questions.delete")}</button></div>`}
    </div></li>`;
}

/**
 * The field for another description. It takes the focus.
 *
 * @param {{ uses: number }} props `uses` is the number of questions that get the description too.
 */
function Description({ uses }) {
  const { id } = useForm();
  useEffect(() => document.getElementById(id("alt"))?.focus(), []);
  const hint = `${uses ? t("questions.altChanges", { count: uses }) : ""} ${t("questions.altFrozen")}`;
  return h(Field, { name: "alt", label: t("questions.alt"), required: true, maxlength: 500, hint });
}

export const BANK = "/console/questions";

/** @param {Question} question */
export const values = ({ text, option_a, option_b, option_c, option_d, correct_answer, difficulty }) => ({ text, option_a, option_b, option_c, option_d, correct_answer, difficulty });

/**
 * The fields of a question, with its preview beside them.
 *
 * @param {object} props
 * @param {string} [props.key]
 * @param {Question | null} props.original The question that the fields begin with.
 * @param {Record<string, string>} props.initial
 * @param {string} props.verb
 * @param {string} [props.draft]
 * @param {string | null} [props.etag]
 * @param {(values: NewQuestion, key: string, ifMatch: string | undefined) => Promise<Question>} props.send
 * @param {() => Promise<{ values: Record<string, any>, etag: string | null }>} [props.reread]
 * @param {(question: Question) => unknown} props.done
 */
export function Editor({ original, initial, verb, draft, etag = null, send, reread, done }) {
  const [version, setVersion] = useState(0);
  const [inserting, setInserting] = useState(/** @type {{ choose: (image: Image) => void } | null} */ (null));
  return html`<div class="editor">
    ${h(Form, {
      initial, verb, etag,
      ...(draft && { draft }),
      ...(reread && { reread }),
      send: (typed, { key, ifMatch }) => send(/** @type {NewQuestion} */ (typed), key, ifMatch),
      done,
    }, html`<div class="editor-columns">
      ${h(Fields, {
        insert: (name, at, set, typed) => setInserting({
          choose: (image) => {
            const text = String(typed[name] ?? "");
            set(name, `${text.slice(0, at)}[image:${image.id}]${text.slice(at)}`);
            setInserting(null);
          },
        }),
      })}
      ${h(Preview, { saved: original, version })}
    </div>`)}
    ${inserting && h(Images, { onClose: () => setInserting(null), choose: inserting.choose, changed: () => setVersion((before) => before + 1) })}
  </div>`;
}
