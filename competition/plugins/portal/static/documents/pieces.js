// A form field for a document. The candidate takes a picture or chooses a file, and sees it before it is sent.

import { h, html, useEffect, useState } from "../../../pages/static/ground/html.js";
import { useForm } from "../../../pages/static/pieces/form.js";
import { NotAPicture, smaller } from "../../../pages/static/pieces/pictures.js";
import { Tag } from "../../../pages/static/pieces/page.js";
import { config } from "../../../pages/static/pieces/start.js";
import { t } from "./words.js";

const PDF = "application/pdf";
// The longest side of a picture, in pixels. It is enough to read the text on a card, and keeps the file small.
const LONGEST = 2000;

/** The documents, in the order of the form. `camera` is the camera of a phone that takes the picture. */
export const DOCUMENTS = /** @type {const} */ ([
  { name: "face_id", camera: "user" },
  { name: "id_card", camera: "environment" },
  { name: "verification_document", camera: "environment" },
]);

/** @param {number} bytes */
const mebibytes = (bytes) => Math.floor(bytes / 2 ** 20);

/**
 * @param {{ name: "face_id" | "id_card" | "verification_document", camera: string, isRejected: boolean }} props
 */
export function Document({ name, camera, isRejected }) {
  const { values, errors, set, id, named } = useForm();
  const label = t(`documents.${name}`);
  named(name, label);
  const own = id(name);
  const wrong = errors[name];
  const rule = config().files[name] ?? { largest_bytes: 2 ** 21, types: ["image/jpeg", "image/png"] };
  // Don't accept image/*, because iPhones would then send HEIC.
  const accept = ["image/jpeg", "image/png", ...(rule.types.includes(PDF) ? [PDF] : [])].join(",");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  /** @type {Blob | undefined} */
  const file = values[name];

  const take = async (/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => {
    const chosen = currentTarget.files?.[0];
    currentTarget.value = "";
    if (!chosen) return;
    setProblem("");
    setBusy(true);
    try {
      if (chosen.type !== PDF) set(name, await smaller(chosen, { longest: LONGEST, largest: rule.largest_bytes }));
      else if (!rule.types.includes(PDF)) setProblem(t("documents.noPdf"));
      else if (chosen.size > rule.largest_bytes) setProblem(t("documents.large", { count: mebibytes(rule.largest_bytes) }));
      else set(name, chosen);
    } catch (error) {
      if (!(error instanceof NotAPicture)) throw error;
      setProblem(t("documents.noPicture"));
    } finally {
      setBusy(false);
    }
  };
  const described = [`${own}-hint`, wrong && `${own}-error`].filter(Boolean).join(" ");
  /** @param {Record<string, any>} attributes */
  const input = (attributes) => html`<input class="hide" type="file" accept=${accept} aria-describedby=${described} aria-invalid=${wrong ? "true" : undefined} onChange=${take} ...${attributes} />`;
  return html`<div class=${`document sheet pad flow ${wrong || (isRejected && !file) ? "wrong" : ""}`}>
    <div class="head"><h2>${label}</h2>${isRejected && !file && h(Tag, { kind: "bad" }, t("documents.isRejected"))}</div>
    <p class="small muted" id=${`${own}-hint`}>${t(`documents.${name}.hint`)} ${rule.types.includes(PDF) ? t("documents.orPdf", { count: mebibytes(rule.largest_bytes) }) : t("documents.picturesOnly")}</p>
    ${wrong && html`<p class="error small" id=${`${own}-error`}>${wrong.join(" ")}</p>`}
    ${file && h(Preview, { file, label })}
    <p role="status" class=${problem ? "error small" : "small"}>${problem || (busy && t("documents.reading"))}</p>
    <div class="acts">
      ${matchMedia("(pointer: coarse)").matches && html`<label class="button">${input({ capture: camera })}${file ? t("documents.takeAgain") : t("documents.take")}<span class="hide"> (${label})</span></label>`}
      <label class="button">${input({ id: own })}${file ? t("documents.chooseOther") : t("documents.choose")}<span class="hide"> (${label})</span></label>
      ${file && html`<button type="button" class="button plain" onClick=${() => set(name, undefined)}>${t("documents.remove")}<span class="hide"> (${label})</span></button>`}
    </div>
  </div>`;
}

/**
 * The document before it is sent.
 *
 * @param {{ file: Blob, label: string }} props
 */
function Preview({ file, label }) {
  const [url, show] = useState("");
  useEffect(() => {
    const own = URL.createObjectURL(file);
    show(own);
    return () => URL.revokeObjectURL(own);
  }, [file]);
  const size = Math.max(1, Math.round(file.size / 1024));
  if (file.type === PDF) return html`<p><strong>${file instanceof File ? file.name : "PDF"}</strong> <span class="muted small">${t("documents.size", { count: size })}</span></p>`;
  return html`<figure class="document-figure">
    ${url && html`<img class="document-picture" src=${url} alt=${t("documents.preview", { label })} />`}
    <p class="small muted">${t("documents.look")} ${t("documents.size", { count: size })}</p>
  </figure>`;
}
