"""Forced colours, such as Windows' contrast themes. Browsers then replace all colours, so the
current choice and the focus must be shown in another way.
"""

from tests.support.browser import PHONE, SCREEN, arrived, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

# JavaScript: the width of an element's outline in pixels, 0 if it has none.
OUTLINE = """it => {
  const { outlineStyle, outlineWidth } = getComputedStyle(it);
  return outlineStyle === "none" ? 0 : parseFloat(outlineWidth);
}"""


def outline(locator):
    return locator.evaluate(OUTLINE)


def focus_is_visible(page):
    """Move the focus with the keyboard, and compare the outline of the element before and after."""
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    before = outline(focused)
    page.keyboard.press("Tab")
    return before > 1 and outline(page.locator(":focus")) > 1


def test_the_console_shows_the_current_page_and_the_focus(site):
    person = site.service.staff("moderator")
    page = site.signed_in(person, "/console/exams", viewport=SCREEN, forced_colors="active")
    arrived(page, "Exams")
    menu = page.get_by_role("navigation", name="Console")
    assert outline(menu.get_by_role("link", name="Exams")) > 1
    assert outline(menu.get_by_role("link", name="Questions")) == 0
    assert focus_is_visible(page)
    assert faults(page) == []


def test_the_page_of_an_exam_shows_the_choice_and_the_focus(site, sit):
    page = sit(site.service.candidate(), viewport=PHONE, forced_colors="active")
    chosen, other = page.locator(".option").nth(1), page.locator(".option").nth(2)
    chosen.get_by_role("radio").check()
    page.get_by_text("saved at").first.wait_for()
    for viewport in (PHONE, SCREEN):
        page.set_viewport_size(viewport)
        assert outline(chosen) > 1
        assert outline(other) == 0
        assert outline(page.locator(".strip [aria-current]")) > 1
        assert faults(page) == []
    assert focus_is_visible(page)
