// The storages of the browser, and which of them may keep a candidate's exam.

/** The name under which the user's answer is stored: "1" for a shared computer, "0" for an own device. */
export const SHARED = "device.shared";

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

/**
 * Whether this is a shared computer, on which nothing may stay after the exam: the last answer of its user. Without an
 * answer, only phones and tablets count as private. Some phones claim that they can hover, so don't query that.
 */
export const isShared = () =>
  (storages().map((each) => each.getItem(SHARED)).find(Boolean) ?? (matchMedia("(pointer: coarse)").matches ? "0" : "1")) === "1";

/** The storage for answers. On a shared computer, it lasts only until the tab is closed. @returns {Storage | null} */
export function examStorage() {
  try {
    return isShared() ? sessionStorage : localStorage;
  } catch {
    return null; // The browser rejects storage.
  }
}
