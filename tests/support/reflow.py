"""Pages on a small screen. People who enlarge the text see the same (WCAG 1.4.10).

A window 1280 pixels wide is 320 CSS pixels wide at a zoom of 400 %, and 640 at 200 %.
"""

from typing import Any

# The size of a window of 1280 x 1024 pixels at 400 % and at 200 %, in CSS pixels.
ZOOMED = ({"width": 320, "height": 256}, {"width": 640, "height": 512})
# A name that can't be broken. One in the data of a page shows whether its words are cut off.
LONG = "Wolfeschlegelsteinhausenbergerdorff"
# JavaScript: the elements that reach beyond the screen and can't be scrolled to, and the buttons
# that hide a part of their words.
CUT = """() => {
  const scrolls = (each) => {
    for (let at = each; at && at !== document.body; at = at.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(at).overflowX)) return true;
    return false;
  };
  const isHidden = (each) => each.closest(".hide, .skip, [hidden], svg, math") ||
    getComputedStyle(each).clipPath !== "none" || !each.getClientRects().length;
  // Marks that the style adds, such as that of a flagged question, may stand out. Words may not.
  const standOut = (each) => {
    const words = document.createRange();
    words.selectNodeContents(each);
    const inside = each.getBoundingClientRect().left + each.clientLeft + each.clientWidth;
    return words.getBoundingClientRect().right > inside + 1;
  };
  const found = [];
  const named = (kind, each) => `${kind}: ${each.outerHTML.slice(0, 200)}`;
  for (const each of document.querySelectorAll("body *")) {
    if (isHidden(each)) continue;
    const { left, right } = each.getBoundingClientRect();
    const isBeyond = left < -1 || right > innerWidth + 1;
    if (isBeyond && !scrolls(each)) found.push(named("beyond", each));
    const isInline = getComputedStyle(each).display === "inline";
    const isWide = each.scrollWidth > each.clientWidth + 1 && standOut(each);
    if (each.matches("button, a, .tag") && isWide && !isInline) found.push(named("cut", each));
  }
  return [...new Set(found)].slice(0, 5);
}"""


def cut_off(page: Any) -> list[str]:
    """Describe what scrolls sideways, reaches beyond the screen, or hides a part of its words, when
    the user enlarges this page to 400 % and to 200 %.
    """
    found = []
    for size in ZOOMED:
        page.set_viewport_size(size)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > size["width"]:
            found.append(f"at {size['width']} is {wide} wide")
        found += [f"at {size['width']}: {each}" for each in page.evaluate(CUT)]
    return found
