// Where a candidate's exam is kept on the device: the storages of the browser, and the cache of the paper's images,
// which the exam's page fills for a reload without a connection. `exam/sitting/store.js` knows what is in the storages.

// The storage key of the user's answer to whose device this is: "1" for a shared computer, "0" for the user's own.
const SHARED = "device.shared";

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
 * Whether this is a shared computer, on which nothing may stay after the exam. The last answer of its user decides.
 * Without an answer, only phones and tablets count as private. Some phones claim that they can hover, so don't query
 * that.
 */
export const isShared = () =>
  (storages().map((each) => each.getItem(SHARED)).find(Boolean) ?? (matchMedia("(pointer: coarse)").matches ? "0" : "1")) === "1";

/** Store whose device this is. @param {string} answer "1" for a shared computer, "0" for the user's own device. */
export function setShared(answer) {
  for (const each of storages()) {
    try {
      each.setItem(SHARED, answer);
    } catch {
      // The browser forbids storage. The next form shows the default again.
    }
  }
}

/** The storage for answers. On a shared computer, it lasts only until the tab is closed. @returns {Storage | null} */
export function examStorage() {
  try {
    return isShared() ? sessionStorage : localStorage;
  } catch {
    return null; // The browser forbids storage.
  }
}

/** The name of the cache of images. The service worker answers from it, and has the same name. */
export const IMAGES = "exam-images";

/**
 * Delete images from this device: all, or those with these addresses.
 *
 * @param {string[]} [addresses]
 */
export async function forgetImages(addresses) {
  try {
    if (!addresses) await caches.delete(IMAGES);
    else if (await caches.has(IMAGES)) {
      const cache = await caches.open(IMAGES);
      await Promise.all(addresses.map((each) => cache.delete(each)));
    }
  } catch {
    // The browser has no cache, so it has no images either.
  }
}
