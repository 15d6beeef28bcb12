// Files of the service: upload them with progress, and let the browser download them. Callers name the paths of files.
// This module names only the path that returns links for downloads.

import { address, api, headers, refused, request, target, Unreachable } from "./api.js";
import { start } from "./save.js";
import * as session from "./session.js";

/**
 * @typedef {(loaded: number, total: number | null) => void} Progress Called with the number of bytes sent so
 *   far, and the total.
 */

// How long an upload, and a download, may take, in milliseconds.
const UPLOAD = 120_000;
const DOWNLOAD = 120_000;

/**
 * Upload a form by XMLHttpRequest, because fetch can't report the progress of an upload. A failed upload is never
 * retried automatically.
 *
 * @param {string} path
 * @param {Record<string, any>} params
 * @param {FormData} form
 * @param {{ method?: "POST" | "PATCH", progress?: Progress, signal?: AbortSignal, key?: string }} [options]
 * @returns {Promise<any>} The body of the reply.
 */
export async function upload(path, params, form, { method = "POST", progress, signal, key } = {}) {
  let response = await sent();
  if (response.status === 401 && (await session.renew())) response = await sent();
  if (!response.ok) throw await refused(response);
  return response.status === 204 ? undefined : response.json();

  /** @returns {Promise<Response>} */
  async function sent() {
    const token = await session.token();
    return new Promise((resolve, reject) => {
      const xhr = new XMLHttpRequest();
      xhr.open(method, address(path, params));
      xhr.timeout = UPLOAD;
      xhr.responseType = "blob";
      for (const [name, value] of Object.entries(headers(token))) xhr.setRequestHeader(name, value);
      if (key) xhr.setRequestHeader("Idempotency-Key", key);
      xhr.upload.onprogress = (event) => progress?.(event.loaded, event.lengthComputable ? event.total : null);
      xhr.onload = () => resolve(new Response(xhr.status === 204 ? null : xhr.response, { status: xhr.status, headers: named(xhr) }));
      xhr.onerror = xhr.ontimeout = () => reject(new Unreachable("There was no reply."));
      xhr.onabort = () => reject(signal?.reason);
      signal?.addEventListener("abort", () => xhr.abort());
      xhr.send(form);
    });
  }
}

/** @param {XMLHttpRequest} xhr */
const named = (xhr) =>
  new Headers(
    xhr
      .getAllResponseHeaders()
      .trim()
      .split("\r\n")
      .map((line) => /** @type {[string, string]} */ ([line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()])),
  );

/**
 * Let the browser download the reply to a GET, by a link that works once. The browser shows the progress, and
 * the page does not load the file into its memory. If the reply is an error, the browser reports a failed
 * download, and the page stays as it is.
 *
 * @param {string} path
 * @param {Record<string, any>} [params]
 */
export async function download(path, params) {
  const { url } = await api.post("/downloads/links/", {}, { path: target(path, params) }, { retry: true });
  const { pathname, search } = new URL(url);
  // The link needs the page's own origin, because browsers ignore the attribute `download` for other origins.
  // The API has the same origin.
  start(pathname + search, "");
}

/**
 * Read a file that the API writes for this request, with the name that the service gives it. While the service writes
 * another file, it rejects the request with 503, and the request is repeated.
 *
 * @param {string} path
 * @param {Record<string, any>} params
 * @returns {Promise<{ blob: Blob, name: string }>}
 */
export async function fetched(path, params) {
  const { response } = await request("get", path, params, undefined, { timeout: DOWNLOAD });
  const name = response.headers.get("Content-Disposition")?.match(/filename="([^"]+)"/)?.[1] ?? "export";
  try {
    return { blob: await response.blob(), name };
  } catch (cause) {
    throw new Unreachable("The file was interrupted.", { cause });
  }
}

/**
 * Read a file by a link that the API has given. The link itself grants access, so the token is not sent.
 *
 * @param {string} link
 * @param {{ signal?: AbortSignal }} [options]
 * @returns {Promise<Blob>}
 */
export async function follow(link, { signal } = {}) {
  let response;
  try {
    const signals = [AbortSignal.timeout(DOWNLOAD), ...[signal ?? []].flat()];
    response = await fetch(link, { cache: "no-store", credentials: "omit", signal: AbortSignal.any(signals) });
    if (response.ok) return await response.blob();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new Unreachable("There was no reply.", { cause });
  }
  throw await refused(response);
}
