// Forms. Fields are addressed by name, and the errors of the API appear at their fields. A form does not know its
// request: the caller passes `send`.
//
//     h(Form, { initial: { first_name: "" }, send: (values) => api.patch("/…/", {}, values), verb: t("save"), done },
//       h(Field, { name: "first_name", label: t("firstName"), autocomplete: "given-name" }))

import { newKey, Refused } from "../ground/api.js";
import { createContext, h, html, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from "../ground/html.js";
import { guard } from "../ground/router.js";
import { ask, useAsking, verbClass } from "./dialog.js";
import { setTitle } from "./page.js";
import { Failed } from "./states.js";
import { t } from "./words.js";

/** @import { Children } from "../ground/html.js" */
/** @import { Theirs } from "./theirs.js" */
/** @typedef {Record<string, any>} FormValues The values of the fields, by name. */
/**
 * @typedef {object} Shared The values and functions that a form passes to its fields.
 * @property {FormValues} values
 * @property {Record<string, string[]>} errors
 * @property {(name: string, value: any) => void} set
 * @property {(name: string) => string} id
 * @property {(name: string, label: string, shown?: (value: any) => string) => void} named Sets the label of a
 *   field. `shown` returns the text that the field shows for a value, if that is not the value itself.
 */
/** @typedef {{ name: string, label: string, hint?: Children, required?: boolean }} Common The properties of all fields. */

const Fields = createContext(/** @type {Shared | null} */ (null));

/** The values and errors of the form, for components in it. */
export function useForm() {
  const form = useContext(Fields);
  if (!form) throw new Error("A field must be in a form.");
  return form;
}

/**
 * The errors of the API by path: { "answers.1.selected_option": ["…"] }.
 *
 * @param {Record<string, any>} errors
 * @param {string} [above]
 * @returns {Record<string, string[]>}
 */
export function byPath(errors, above = "") {
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const [name, value] of Object.entries(errors)) {
    const path = above + name;
    if (typeof value === "string") found[path] = [value];
    else if (Array.isArray(value) && value.every((each) => typeof each === "string")) found[path] = value;
    else if (value && typeof value === "object") Object.assign(found, byPath(value, `${path}.`));
  }
  return found;
}

/**
 * A form. It keeps the typed values if sending fails, and asks before the user leaves it with changes.
 *
 * @param {object} props
 * @param {FormValues} props.initial The values at the beginning, by the names of the fields.
 * @param {(values: FormValues, options: { key: string, ifMatch?: string }) => Promise<any>} props.send `key` is
 *   an Idempotency-Key, the same until the values change. It resolves to null if it has sent nothing, because
 *   the user has declined a confirmation.
 * @param {(reply: any, values: FormValues) => unknown} props.done Called when the service has the data.
 * @param {string} props.verb The text of the button.
 * @param {boolean} [props.danger] Whether sending can't be undone. The button then looks like that of a `confirm`
 *   with `danger`.
 * @param {(values: FormValues) => Record<string, string>} [props.check] Returns the errors that the page finds
 *   without the service, by the names of fields: for example, two passwords that differ.
 * @param {string} [props.draft] A name under which the typed values are stored until the service has them.
 *   Passwords and files are not stored.
 * @param {string | null} [props.etag] The ETag of the version that the initial values are from. With it, the
 *   form shows a change by another person, and never overwrites that change without asking. If the form stays
 *   on the page after saving, set it to the ETag of the saved version.
 * @param {() => Promise<{ values: FormValues, etag: string | null }>} [props.reread] Reads the values again, if
 *   another person has changed them.
 * @param {boolean} [props.quiet] Whether the button is plain, because another button of the page is filled.
 * @param {Children} [props.actions] Other buttons.
 * @param {boolean} [props.stays] Don't ask before the user leaves.
 * @param {Children} [props.children]
 */
export function Form(props) {
  const { initial, send, done, verb, danger = false, check, draft, reread, actions, quiet = false, stays = false, children } = props;
  const id = useId();
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const summary = useRef(/** @type {HTMLElement | null} */ (null));
  const labels = useRef(/** @type {Record<string, string>} */ ({}));
  const shows = useRef(/** @type {Record<string, (value: any) => string>} */ ({}));
  const key = useRef("");
  const etag = useRef(props.etag ?? null);
  // The values of the version `etag`.
  const base = useRef(initial);
  const [values, setValues] = useState(() => ({ ...initial, ...stored(draft) }));
  // The errors when the form was last sent, and the names of those that `check` found.
  const [found, setErrors] = useState(/** @type {Record<string, string[]>} */ ({}));
  const checked = useRef(/** @type {string[]} */ ([]));
  // The fields that the user has changed since the form was last sent.
  const touched = useRef(/** @type {Set<string>} */ (new Set()));
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const [theirs, setTheirs] = useState(/** @type {{ Theirs: typeof Theirs, values: FormValues, before: FormValues } | null} */ (null));
  // The module that shows another person's change is loaded with the form, and only if the form can need it.
  const conflict = useRef(/** @type {Promise<{ Theirs: typeof Theirs }> | null} */ (null));
  useEffect(() => {
    if (!reread) return;
    conflict.current = import("./theirs.js");
    // A form without a conflict works without the module.
    conflict.current.catch(() => {});
  }, []);
  const [busy, setBusy] = useState(false);
  const asking = useAsking();
  const [failures, setFailures] = useState(0);
  const [isChanged, setChanged] = useState(() => Boolean(stored(draft)));

  // After saving, the form continues with the version that was saved.
  useLayoutEffect(() => {
    etag.current = props.etag ?? null;
  }, [props.etag]);

  // The guard is set before the browser paints, because a fast user leaves right after typing.
  useLayoutEffect(() => (isChanged && !stays ? guard(mayLeave) : undefined), [isChanged, stays]);
  // The summary takes the focus after each failure, so that nobody misses it.
  useEffect(() => {
    if (failures) summary.current?.focus();
  }, [failures]);

  // An error disappears as soon as its field is changed. An error that `check` has found disappears when `check` no
  // longer finds it.
  const still = checked.current.length ? check?.(values) : undefined;
  const errors = Object.fromEntries(Object.entries(found).filter(([name]) =>
    checked.current.includes(name) ? still && name in still : ![...touched.current].some((each) => name === each || name.startsWith(`${each}.`))));
  const isMended = Object.keys(found).length > 0 && Object.keys(errors).length === 0;
  useEffect(() => {
    if (isMended) setTitle({ failed: false });
  }, [isMended]);

  /**
   * @param {string} name
   * @param {any} value
   */
  const set = (name, value) => {
    key.current = "";
    touched.current.add(name);
    setChanged(true);
    setValues((before) => {
      const after = { ...before, [name]: value };
      if (draft) store(draft, after, form.current);
      return after;
    });
  };

  /** @param {unknown} failure */
  const fail = (failure) => {
    setTitle({ failed: true });
    setErrors(failure instanceof Refused ? byPath(failure.errors) : {});
    setError(failure);
    setFailures((before) => before + 1);
    setBusy(false);
  };

  /** @param {Event} [event] */
  const submit = async (event) => {
    event?.preventDefault();
    if (busy) return;
    setTheirs(null);
    const rules = check?.(values) ?? {};
    const wrong = { ...missing(form.current), ...rules };
    checked.current = Object.keys(rules);
    touched.current.clear();
    if (Object.keys(wrong).length) {
      setTitle({ failed: true });
      setError(null);
      setErrors(Object.fromEntries(Object.entries(wrong).map(([name, text]) => [name, [text]])));
      setFailures((before) => before + 1);
      return;
    }
    setBusy(true);
    setError(null);
    setErrors({});
    setTitle({ failed: false });
    key.current ||= newKey();
    let reply;
    try {
      reply = await send(values, { key: key.current, ...(etag.current && { ifMatch: etag.current }) });
    } catch (failure) {
      if (!(failure instanceof Refused && failure.status === 412 && reread && conflict.current)) return fail(failure);
      try {
        const now = await reread();
        etag.current = now.etag;
        if (Object.keys(now.values).every((name) => isSame(now.values[name], base.current[name]))) {
          // Another part of the object has changed, such as the picture of an account. That is no conflict.
          setBusy(false);
          return submit();
        }
        setTheirs({ ...(await conflict.current), values: now.values, before: base.current });
        // Fields that only the other person has changed are no conflict. The user keeps working on the new values.
        setValues({ ...values, ...only(now.values, (name) => isSame(values[name], base.current[name])) });
        base.current = { ...base.current, ...now.values };
        setFailures((before) => before + 1);
        setBusy(false);
      } catch (again) {
        fail(again);
      }
      return;
    }
    if (reply === null) return setBusy(false);
    if (draft) store(draft, null, null);
    base.current = values;
    setChanged(false);
    setBusy(false);
    key.current = "";
    // Call `done` after the effects, so that the guard no longer asks whether to leave the page.
    setTimeout(() => done(reply, values));
  };

  /** @type {Shared} */
  const shared = {
    values,
    errors,
    set,
    id: (name) => `${id}-${name}`,
    named: (name, label, shown = (value) => String(value ?? "")) => {
      labels.current[name] = label;
      shows.current[name] = shown;
    },
  };
  return html`<form class="form" ref=${form} noValidate onSubmit=${submit}>
    <div ref=${summary} tabindex="-1" class="summary">
      ${Object.keys(errors).length > 0 && html`<div class="note bad" role="alert">
        <p><strong>${t("form.errors", { count: Object.keys(errors).length })}</strong></p>
        <ul>${Object.entries(errors).map(([name, texts]) => html`<li>${name in labels.current
          ? html`<a href=${`#${id}-${name}`} onClick=${(/** @type {Event} */ event) => jump(event, `${id}-${name}`)}>${t("page.labelled", { label: labels.current[name] ?? "", text: texts.join(" ") })}</a>`
          : `${name.replace(/^detail$/, "")} ${texts.join(" ")}`}</li>`)}</ul>
      </div>`}
      ${Boolean(error) && !Object.keys(found).length && h(Failed, { error })}
      ${theirs && h(theirs.Theirs, { ...theirs, theirs: theirs.values, values, labels: labels.current, shows: shows.current, take: (after) => { setValues(after); setTheirs(null); }, keep: () => submit() })}
    </div>
    ${h(Fields.Provider, { value: shared, children })}
    <div class="acts">
      <button class=${quiet ? "button" : verbClass(danger)} aria-disabled=${busy}>${busy && !asking ? t("form.busy") : verb}</button>
      ${actions}
    </div>
  </form>`;
}

/** @type {() => Promise<boolean>} */
const mayLeave = () => ask({ title: t("form.leave"), what: t("form.unsaved"), verb: t("form.discard"), danger: true, cancel: t("form.stay") });

/**
 * @param {Event} event
 * @param {string} id
 */
function jump(event, id) {
  event.preventDefault();
  event.stopPropagation();
  const field = document.getElementById(id);
  // A group of options can't take the focus, so focus its first input.
  (field?.matches("fieldset") ? field.querySelector("input") : field)?.focus();
}

/**
 * Required fields that are empty.
 *
 * @param {HTMLFormElement | null} form
 * @returns {Record<string, string>}
 */
function missing(form) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const each of form?.elements ?? []) {
    if (!(each instanceof HTMLInputElement || each instanceof HTMLSelectElement || each instanceof HTMLTextAreaElement)) continue;
    const name = each.dataset.name ?? each.name;
    if (each.validity.valueMissing) found[name] = t(each.type === "checkbox" ? "form.requiredTick" : each.type === "radio" ? "form.requiredChoice" : "form.required");
    else if (each.validity.badInput || each.validity.patternMismatch) found[name] = t("form.wrong");
  }
  return found;
}

/**
 * @param {string | undefined} draft
 * @returns {FormValues | null}
 */
function stored(draft) {
  try {
    return draft ? JSON.parse(sessionStorage.getItem(`draft.${draft}`) ?? "null") : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} draft
 * @param {FormValues | null} values
 * @param {HTMLFormElement | null} form
 */
function store(draft, values, form) {
  try {
    if (!values) return sessionStorage.removeItem(`draft.${draft}`);
    const secret = new Set([...(form?.querySelectorAll("[data-secret]") ?? [])].map((each) => /** @type {HTMLInputElement} */ (each).name));
    const entries = Object.entries(values).filter(([name, value]) => !secret.has(name) && !(value instanceof Blob));
    sessionStorage.setItem(`draft.${draft}`, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // Without storage, the typed text is lost when the page is closed.
  }
}

/** @param {any} one @param {any} other */
const isSame = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * The values with these names.
 *
 * @param {FormValues} values
 * @param {(name: string) => boolean} wanted
 */
const only = (values, wanted) => Object.fromEntries(Object.entries(values).filter(([name]) => wanted(name)));

/**
 * The label, the hint and the errors of a field, around its input.
 *
 * @param {Common} common
 * @param {(attributes: Record<string, any>) => Children} input
 * @param {(value: any) => string} [shown] See `named` in Shared.
 */
export function around({ name, label, hint, required = false }, input, shown) {
  const { errors, id, named } = useForm();
  named(name, label, shown);
  const own = id(name);
  const wrong = errors[name];
  const described = [hint && `${own}-hint`, wrong && `${own}-error`].filter(Boolean).join(" ");
  return html`<div class=${`row ${wrong ? "wrong" : ""}`}>
    <label for=${own}>${label}${!required && html` <span class="muted small">${t("form.optional")}</span>`}</label>
    ${hint && html`<div class="small muted" id=${`${own}-hint`}>${hint}</div>`}
    ${wrong && html`<p class="error small" id=${`${own}-error`}>${wrong.join(" ")}</p>`}
    ${input({ id: own, name, required, "aria-invalid": wrong ? "true" : undefined, "aria-describedby": described || undefined })}
  </div>`;
}

/**
 * A field for text. `autocomplete` and `type` are as in HTML. With `rows` it has several lines.
 *
 * @param {Common & { type?: "text" | "email" | "tel" | "number" | "url" | "search", autocomplete?: string, inputmode?: string, rows?: number, maxlength?: number, suggestions?: string[] }} props
 */
export function Field({ type = "text", autocomplete = "off", inputmode, rows, maxlength, suggestions, ...common }) {
  const { values, set } = useForm();
  const options = useId();
  return around(common, (attributes) => {
    const all = {
      ...attributes,
      class: "field",
      value: values[common.name] ?? "",
      autocomplete,
      inputmode,
      maxlength,
      onInput: (/** @type {any} */ event) => set(common.name, event.currentTarget.value),
    };
    if (rows) return html`<textarea ...${all} rows=${rows}></textarea>`;
    return html`<input ...${all} type=${type} list=${suggestions ? options : undefined} />
      ${suggestions && html`<datalist id=${options}>${suggestions.map((each) => html`<option value=${each}></option>`)}</datalist>`}`;
  });
}

/**
 * A field for a password, with a button that shows the password.
 *
 * @param {Common & { autocomplete: "current-password" | "new-password" }} props
 */
export function Password({ autocomplete, ...common }) {
  const { values, set } = useForm();
  const [shown, show] = useState(false);
  return around({ required: true, ...common }, (attributes) => html`<div class="joined">
    <input ...${attributes} class="field" data-secret type=${shown ? "text" : "password"} autocomplete=${autocomplete} autocapitalize="off" spellcheck=${false}
      value=${values[common.name] ?? ""} onInput=${(/** @type {any} */ event) => set(common.name, event.currentTarget.value)} />
    <button type="button" class="button" aria-pressed=${shown} onClick=${() => show(!shown)}>${t("form.show")}</button></div>`);
}
