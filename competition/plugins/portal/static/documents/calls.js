// The requests of the page about identity documents. No other module of this folder names paths of the API.

import { upload } from "../../../pages/static/ground/files.js";
import { usePoll } from "../../../pages/static/ground/poll.js";

/** @import { Progress } from "../../../pages/static/ground/files.js" */
/** @import { components } from "../../../pages/static/types/api.js" */
/** @typedef {components["schemas"]["VerificationRecord"]} Verification */

export const useStatus = () => usePoll("/user/verification/status/", {}, 60);

/**
 * Send documents. The first time, all three are required. Later, send only the documents to replace.
 *
 * @param {Record<string, Blob>} documents The files, by the name of their field.
 * @param {{ isFirst: boolean, progress: Progress }} options
 */
export function send(documents, { isFirst, progress }) {
  const form = new FormData();
  for (const [name, file] of Object.entries(documents)) form.append(name, file, file.type === "application/pdf" ? `${name}.pdf` : `${name}.jpg`);
  return upload("/user/verification/upload/", {}, form, { method: isFirst ? "POST" : "PATCH", progress });
}
