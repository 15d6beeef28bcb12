// The storages of the browser.

/** The storages in which a candidate's exams may be. A browser may reject them. */
export function storages() {
  return [() => sessionStorage, () => localStorage].flatMap((each) => {
    try {
      return [each()];
    } catch {
      return [];
    }
  });
}
