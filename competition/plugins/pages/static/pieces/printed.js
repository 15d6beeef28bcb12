// Printing with the browser's own command. It is in a module of its own, because the page of an exam has to stay small.

import { useEffect, useRef } from "../ground/html.js";
import { lay } from "./print.js";

/** @import { Children } from "../ground/html.js" */

/**
 * While the calling component is shown, the browser's own command prints this content instead of the page.
 *
 * @param {() => Children} content Returns nothing if the page itself is to be printed.
 */
export function usePrinted(content) {
  const latest = useRef(content);
  latest.current = content;
  useEffect(() => {
    const before = () => {
      const found = document.querySelector("body > .print") ? null : latest.current();
      if (found) lay(found);
    };
    addEventListener("beforeprint", before);
    return () => removeEventListener("beforeprint", before);
  }, []);
}
