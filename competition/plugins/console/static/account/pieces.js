// The parts that the pages for signing in and for a new password share: the focus in each step, and the address of the
// page for signing in. This module sends no requests.

import { useEffect, useRef } from "../../../pages/static/ground/html.js";

/**
 * Move the focus to the heading when a page goes on to its next step, so that screen readers read it.
 *
 * @param {unknown} step
 */
export function useStep(step) {
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step) document.querySelector("h1")?.focus();
    before.current = step;
  }, [step]);
}

export const SIGN_IN = "/console/sign-in";
