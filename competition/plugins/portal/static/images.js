// The images of a paper, which the exam's page stores for a reload without a connection.

/** The name of the cache. The service worker answers from it. */
export const IMAGES = "exam-images";

/** Delete the images on this device. */
export async function forgetImages() {
  try {
    await caches.delete(IMAGES);
  } catch {
    // The browser has no cache, so it has no images either.
  }
}
