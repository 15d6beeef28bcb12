// Save something of the page as a file. This module knows neither the API nor the session. It is apart from `files.js`,
// because the page of an exam needs only this part, and must stay small.

/**
 * Let the user save a file.
 *
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  start(url, name);
  // The browser may read the blob some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Start a download.
 *
 * @param {string} url
 * @param {string} name The name of the file. If it is empty, the service's name is used.
 */
export function start(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
