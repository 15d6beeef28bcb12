"""Two ways to act on a page: with the mouse, or with the keyboard alone. A test that gets the way
as an argument can be run with both.

    act = Keyboard(page)
    act.press("link", "Exams")
    act.write("Title", "Screening")
    act.press("button", "Create the exam")

`name` is the accessible name, a string or a regular expression. `within` is a locator, such as a
table or a dialog, if the page has the name twice.
"""

import re
from datetime import datetime
from typing import Any

Name = str | re.Pattern[str]

# JavaScript: where the focus is, relative to an element. It may be on the element, on another
# option of its group, or on an element before or after it. A group of radio buttons has one stop
# for the Tab key.
WHERE = """element => {
  const active = document.activeElement;
  if (active === element) return "here";
  const isGroup = element.type === "radio" && active?.type === "radio";
  if (isGroup && active.name === element.name && active.form === element.form) return "group";
  const position = active.compareDocumentPosition(element);
  return position & Node.DOCUMENT_POSITION_PRECEDING ? "behind" : "ahead";
}"""
# JavaScript: the reason why users can't see that the element has the focus, or "".
HIDDEN = """element => {
  const marked = [element, element.closest("label")].filter(Boolean);
  const isMarked = marked.some(each => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  });
  if (!isMarked) return "nothing marks it";
  const { left, right, top, bottom } = marked.at(-1).getBoundingClientRect();
  const [x0, x1] = [Math.max(left, 0), Math.min(right, innerWidth)];
  const [y0, y1] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
  if (x0 >= x1 || y0 >= y1) return "it is outside the window";
  // WCAG 2.4.11: it may be covered in part.
  for (const x of [0.1, 0.5, 0.9]) for (const y of [0.1, 0.5, 0.9]) {
    const top = document.elementFromPoint(x0 + x * (x1 - x0), y0 + y * (y1 - y0));
    if (top && marked.some(each => each.contains(top) || top.contains(each))) return "";
  }
  return "it is covered";
}"""
# How often to press Tab at most. No page has this many stops.
MOST_STOPS = 400


class Mouse:
    """Acts with clicks, and types text into the field that was clicked."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def find(self, role: str, name: Name, within: Any = None) -> Any:
        exact = isinstance(name, str)
        found = (within or self.page).get_by_role(role, name=name, exact=exact).first
        found.wait_for()
        return found

    def press(self, role: str, name: Name, within: Any = None) -> None:
        """Activate a link, a button or a summary."""
        self.find(role, name, within).click()

    def tick(self, role: str, name: Name, within: Any = None) -> None:
        """Select a checkbox or a radio button."""
        self.find(role, name, within).click()

    def write(self, name: Name, text: str, within: Any = None, role: str = "textbox") -> None:
        """Replace the text of a field."""
        self.find(role, name, within).click()
        self._type(text)

    def set_moment(self, moment: datetime) -> None:
        """Fill in the only date and time of the page."""
        self.page.get_by_label("Date", exact=True).fill(f"{moment:%Y-%m-%d}")
        self.page.get_by_label("Time", exact=True).fill(f"{moment:%H:%M}")

    def _type(self, text: str) -> None:
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)


class Keyboard(Mouse):
    """Acts with the keys of a keyboard, and nothing else. Raises AssertionError if the Tab key does
    not reach an element, or if the page does not show that the element has the focus."""

    def press(self, role: str, name: Name, within: Any = None) -> None:
        self._reach(self.find(role, name, within), name)
        # Space and Enter press buttons, but only Enter follows links.
        self.page.keyboard.press("Space" if role == "button" else "Enter")

    def tick(self, role: str, name: Name, within: Any = None) -> None:
        target = self.find(role, name, within)
        self._reach(target, name)
        # In a group, the arrow key has chosen it.
        if not target.is_checked():
            self.page.keyboard.press("Space")

    def write(self, name: Name, text: str, within: Any = None, role: str = "textbox") -> None:
        self._reach(self.find(role, name, within), name)
        self._type(text)

    def set_moment(self, moment: datetime) -> None:
        dates = [moment.strftime(order) for order in ("%m%d%Y", "%d%m%Y", "%Y%m%d")]
        self._type_parts("Date", f"{moment:%Y-%m-%d}", dates)
        self._type_parts("Time", f"{moment:%H:%M}", [f"{moment:%I%M%p}", f"{moment:%H%M}"])

    def _type_parts(self, label: str, value: str, orders: list[str]) -> None:
        """Type a date or time. The browser's language decides the order of its parts."""
        field = self.page.get_by_label(label, exact=True)
        for keys in orders:
            self._reach(field, label)
            for _ in range(3):
                self.page.keyboard.press("ArrowLeft")
            self.page.keyboard.type(keys)
            if field.input_value() == value:
                return
        raise AssertionError(f"{label} is {field.input_value()!r}, not {value!r}")

    def _reach(self, target: Any, name: Name) -> None:
        """Press Tab, or Shift and Tab, until the element has the focus."""
        keyboard = self.page.keyboard
        for _ in range(MOST_STOPS):
            where = target.evaluate(WHERE)
            if where == "here":
                break
            if where == "group":
                keyboard.press("ArrowDown")
            else:
                keyboard.press("Shift+Tab" if where == "behind" else "Tab")
        else:
            raise AssertionError(f"The Tab key does not reach {name!r}.")
        problem = target.evaluate(HIDDEN)
        assert not problem, f"The focus on {name!r} is not visible: {problem}."
