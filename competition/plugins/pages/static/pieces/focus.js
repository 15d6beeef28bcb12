// Keep the focus on a page whose rows come and go. This module knows no page: it finds rows in the document by their
// tags.

/**
 * When the element with the focus disappears, also because another user has dealt with its row, move the focus: within
 * the row, or to the next row, or to the row before, or to the heading of the page. A dialog returns the focus to the
 * element that had it before, so elements in dialogs don't count. Returns a function that stops moving the focus.
 */
export function keepFocus() {
  /** @type {{ element: Element, row: Element | null, rows: HTMLCollection | undefined, at: number } | null} */
  let last = null;
  const remember = (/** @type {FocusEvent} */ { target }) => {
    const element = /** @type {Element} */ (target);
    if (element.closest("dialog")) return;
    const row = element.closest("tr, li, article");
    const rows = row?.parentElement?.children;
    last = { element, row, rows, at: row && rows ? [...rows].indexOf(row) : 0 };
  };
  const forget = (/** @type {PointerEvent} */ { target }) => {
    const pressed = /** @type {Element} */ (target);
    if (!pressed.closest("dialog") && !last?.element.contains(pressed)) last = null;
  };
  const observer = new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const { row, rows, at } = last;
    const near = row?.isConnected ? [row] : [rows?.[at], rows?.[at - 1]];
    const controls = near.map((each) => each?.isConnected && (each.querySelector("th a[href]") ?? each.querySelector("a[href], button, input, select")));
    const target = controls.find(Boolean) || document.querySelector("h1");
    if (target instanceof HTMLElement) target.focus();
  });
  addEventListener("focusin", remember);
  addEventListener("pointerdown", forget);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener("focusin", remember);
    removeEventListener("pointerdown", forget);
    observer.disconnect();
  };
}
