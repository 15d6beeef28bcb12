// Files: upload them with progress, and download them with the session's token.

import { headers, refused, address, respond, Unreachable } from "./api.js";
import * as session from "./session.js";

/** @typedef {(loaded: number, total: number | null) => void} Progress In bytes. */

// How long an upload, and a download, may take, in milliseconds.
const UPLOAD = 120_000;
const DOWNLOAD = 120_000;

/**
 * Upload a form. It uses XMLHttpRequest, because fetch shows no progress of an upload. It is never sent again
 * automatically.
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
 * Download a file, and save it under the name that the service gives it.
 *
 * @param {string} path
 * @param {Record<string, any>} [params]
 * @param {{ progress?: Progress, signal?: AbortSignal, method?: "get" | "post", body?: unknown, name?: string }} [options]
 */
export async function download(path, params, { progress, signal, method = "get", body, name } = {}) {
  const response = await respond(method, path, params, body, { timeout: DOWNLOAD, ...(signal && { signal }) });
  const total = Number(response.headers.get("Content-Length")) || null;
  // Content-Length counts the compressed bytes, but the stream has the decompressed ones.
  const known = response.headers.has("Content-Encoding") ? null : total;
  /** @type {BlobPart[]} */
  const parts = [];
  let loaded = 0;
  try {
    for (const reader = response.body?.getReader(); reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      loaded += value.length;
      progress?.(loaded, known);
    }
  } catch (cause) {
    throw new Unreachable("The reply was interrupted.", { cause });
  }
  const type = response.headers.get("Content-Type") ?? "application/octet-stream";
  save(new Blob(parts, { type }), name ?? fileName(response.headers.get("Content-Disposition")) ?? "download");
}

/**
 * Read a file by a link that the API has given. The link is the permission, so the token is not sent.
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

/**
 * The name in a Content-Disposition, or null.
 *
 * @param {string | null} header
 */
export function fileName(header) {
  const encoded = header?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  return encoded ? decodeURIComponent(encoded) : (header?.match(/filename="?([^";]+)/i)?.[1] ?? null);
}

/**
 * Let the user save a file.
 *
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Browsers may begin to read the blob later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
