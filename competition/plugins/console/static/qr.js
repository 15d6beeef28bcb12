// QR codes. The library is loaded only for pages that show one. No other module knows it.

import { h, html, useEffect, useRef, useState } from "../../pages/static/ground/html.js";
import { Failed } from "../../pages/static/pieces/states.js";

/**
 * Load the library, and return a function that draws a text on a canvas as a QR code.
 *
 * @returns {Promise<(text: string, canvas: HTMLCanvasElement) => void>}
 */
export async function drawing() {
  const { generate } = await import("../../pages/static/vendor/lean-qr.js");
  // Scanners need a light margin, also if the page has dark colours.
  return (text, canvas) => generate(text).toCanvas(canvas, { on: [0, 0, 0, 255], off: [255, 255, 255, 255], pad: 4 });
}

/** @param {{ text: string, label: string }} props */
export function QrCode({ text, label }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const [error, fail] = useState(/** @type {unknown} */ (null));
  useEffect(() => {
    const draw = async () => {
      const code = await drawing();
      if (canvas.current) code(text, canvas.current);
    };
    draw().catch(fail);
  }, [text]);
  return error ? h(Failed, { error }) : html`<canvas ref=${canvas} class="qr" role="img" aria-label=${label}></canvas>`;
}
