// The first module of each document. It loads the front-end's `main.js`, and tries again if a module can't be loaded.
// It has no imports of its own, so that it runs even then. If all tries fail, the document shows a message
// (`release.py`). This module does not know which front-end it loads: the document has the address.

// The pauses before the front-end is loaded again, in milliseconds.
const PAUSES = [1_000, 3_000, 9_000];

const main = document.querySelector("script")?.dataset.main ?? "";

for (let failures = 0; ; failures++) {
  try {
    await import(main);
    break;
  } catch (error) {
    const pause = PAUSES[failures];
    // A front-end that has drawn something shows its errors itself.
    if (pause === undefined || document.getElementById("page")?.hasChildNodes()) throw error;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

export {};
