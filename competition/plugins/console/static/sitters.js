// The choice of a candidate by typing a part of the name. This module does not know who may be chosen: the page passes
// the search.

import { h, html, useEffect, useId, useRef, useState } from "../../pages/static/ground/html.js";
import { useRead } from "../../pages/static/ground/poll.js";
import { Failed } from "../../pages/static/pieces/states.js";
import { t } from "./words.js";

/** @import { Children } from "../../pages/static/ground/html.js" */
/** @typedef {{ id: string, name: string, school: string }} Sitter A candidate whom a search has found. */

// A search shows at most this many candidates.
const FOUND = 5;
// How long to wait after the last key press before a search begins, in milliseconds.
const TYPING = 300;

/**
 * Choose a candidate by typing a name. Enter chooses the candidate if only one is found. Otherwise, it moves
 * the focus to the first one. It can be part of a form, and never sends the form.
 *
 * @template {Sitter} S
 * @typedef {{ search: (typed: string, limit: number) => Promise<{ people: S[], count: number }>, choose: (sitter: S) => void, hint: string, focused: boolean, about: (sitter: S) => Children, missing?: (typed: string) => Children }} Search
 *   `hint` says what can be typed. `focused` puts the focus into the field at the beginning. `about` returns what is
 *   shown beside a candidate, such as the stage. `missing` returns what is shown if nobody is found.
 */

/**
 * The search for a candidate. It is a function, not a component, so that tsc knows the type of the candidates.
 *
 * @template {Sitter} S
 * @param {Search<S>} props
 */
export const candidateSearch = (props) => h(/** @type {any} */ (CandidateSearch), props);

/** @param {Search<any>} props */
function CandidateSearch({ search, choose, hint, focused, about, missing }) {
  const id = useId();
  const [typed, type] = useState("");
  const [asked, ask] = useState("");
  const [isEntered, enter] = useState(false);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const found = useRead(async () => ({ asked, ...(asked ? await search(asked, FOUND) : { people: [], count: 0 }) }), [asked]);
  const value = found.value?.asked === asked && asked ? found.value : null;
  useEffect(() => {
    if (focused) input.current?.focus();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => ask(typed.trim()), TYPING);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    if (!isEntered || !value || asked !== typed.trim()) return;
    enter(false);
    const [first, ...others] = value.people;
    if (first && !others.length) choose(first);
    else if (first) document.getElementById(`${id}-0`)?.focus();
  }, [isEntered, value]);
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    ask(typed.trim());
    enter(true);
  };
  return html`<div class="form" role="search">
    <div class="row"><label for=${id}>${t("sitters.candidate")}</label><div class="small muted" id=${`${id}-hint`}>${hint}</div>
      <input id=${id} ref=${input} class="field" type="search" autocomplete="off" aria-describedby=${`${id}-hint`} value=${typed} onKeyDown=${pressed}
        onInput=${(/** @type {any} */ event) => (enter(false), type(event.currentTarget.value))} /></div>
    <p role="status" class="small muted">${value && (value.people.length ? t("sitters.found", { count: value.count }) : t("sitters.nobody"))}</p>
    ${value && !value.people.length && missing?.(asked)}
    ${found.error ? h(Failed, { error: found.error, again: found.again }) : null}
    ${value && value.people.length > 0 && html`<ul class="sitters">${value.people.map((each, at) => html`<li key=${each.id}>
      <button type="button" class="button" id=${`${id}-${at}`} onClick=${() => choose(each)}><span><bdi>${each.name}</bdi> <span class="small muted"><bdi>${each.school}</bdi></span></span> ${about(each)}</button></li>`)}</ul>`}
  </div>`;
}
