// The images of a paper, which the exam's page stores for a reload without a connection.

/** The name of the cache. The service worker answers from it. */
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
