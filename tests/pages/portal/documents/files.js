// Files as phones make them.

// What stands before the place in the Exif of a picture.
export const EXIF = "Exif\0\0";

/** @param {number} width @param {number} height @param {string} [type] */
export async function photograph(width, height, type = "image/jpeg") {
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "navy";
  context.fillRect(0, 0, width, height / 2);
  return canvas.convertToBlob({ type });
}

/** A picture that says where it was taken. */
export async function located() {
  const picture = new Uint8Array(await (await photograph(200, 100)).arrayBuffer());
  const exif = new TextEncoder().encode(`${EXIF}MM\0*\0\0\0\b\0\0`);
  // The segment APP1 is right after the first marker.
  const segment = new Uint8Array([0xff, 0xe1, 0, exif.length + 2, ...exif]);
  return new Blob([picture.slice(0, 2), segment, picture.slice(2)], { type: "image/jpeg" });
}

/** @param {Blob} blob */
export const bytes = async (blob) => [...new Uint8Array(await blob.arrayBuffer())].map((each) => String.fromCharCode(each)).join("");

/** @param {Blob} blob */
export async function size(blob) {
  const { width, height } = await createImageBitmap(blob);
  return [width, height];
}

/** @param {number} kilobytes */
export const pdf = (kilobytes = 1) => new File(["%PDF-1.7\n", "x".repeat(kilobytes * 1024)], "card.pdf", { type: "application/pdf" });
