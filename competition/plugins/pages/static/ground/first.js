// The first module of each document. It imports nothing, so it arrives even if others don't: if one of them can't be
// loaded, it loads the front-end again. If that does not help either, the document itself says so (`release.py`).

// The pauses before the front-end is loaded again, in milliseconds.
const PAUSES = [1_000, 3_000, 9_000];

const main = document.querySelector("script")?.dataset.main ?? "";

for (let failures = 0; ; failures++) {
  try {
    await import(main);
    break;
  } catch (error) {
    const pause = PAUSES[failures];
    // A front-end that has begun shows its errors itself.
    if (pause === undefined || document.getElementById("page")?.hasChildNodes()) throw error;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

export {};
