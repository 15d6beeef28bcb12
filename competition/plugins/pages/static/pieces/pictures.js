// Pictures from cameras: upright, small enough to send, and without the place where they were taken. This module shows
// and sends nothing.

/** The browser can't read the file as a picture, or the picture can't be made small enough. */
export class NotAPicture extends Error {}

// The attempts, in this order, until the file is small enough: the longest side as a share of the allowed one,
// and the quality of the JPEG.
const TRIES = /** @type {const} */ ([[1, 0.85], [1, 0.7], [0.7, 0.7], [0.5, 0.6], [0.3, 0.5]]);

/**
 * A smaller copy of a picture, as a JPEG. Rejects with NotAPicture if that is impossible.
 *
 * @param {Blob} file
 * @param {{ longest: number, largest: number }} limits `longest` is the longest side in pixels, and `largest` in
 *   bytes.
 */
export async function smaller(file, { longest, largest }) {
  const bitmap = await createImageBitmap(file).catch((cause) => Promise.reject(new NotAPicture("This is not a picture.", { cause })));
  try {
    for (const [part, quality] of TRIES) {
      const copy = await drawn(bitmap, longest * part, quality);
      if (copy.size <= largest) return copy;
    }
  } finally {
    bitmap.close();
  }
  throw new NotAPicture("The picture can't be made small enough.");
}

/**
 * @param {ImageBitmap} bitmap
 * @param {number} longest
 * @param {number} quality
 * @returns {Promise<Blob>}
 */
function drawn(bitmap, longest, quality) {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new NotAPicture("The browser can't draw pictures.");
  // A JPEG has no transparent parts: they would become black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new NotAPicture("The picture could not be written."))), "image/jpeg", quality));
}
