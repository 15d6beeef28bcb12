"""The keys that work on all pages of the console."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def page(site):
    for name in ("Ada", "Ben"):
        site.service.candidate(first_name=name, last_name="Obi")
    page = site.signed_in(site.service.staff("manager"), "/console/candidates?ordering=last_name")
    page.get_by_role("link", name="Ada Obi").wait_for()
    return page


def test_keys_search_move_between_rows_and_go_to_pages(page):
    press = page.keyboard.press
    press("j")
    first = page.locator("tbody th a").first
    expect(first).to_be_focused()
    press("j")
    second = page.locator("tbody th a").nth(1)
    expect(second).to_be_focused()
    press("j")
    expect(second).to_be_focused()
    press("k")
    expect(first).to_be_focused()
    name = first.inner_text()
    press("Enter")
    page.get_by_role("heading", name=name, level=1).wait_for()
    for key, heading in (("d", "Documents"), ("x", "Exams"), ("h", "Home"), ("c", "Candidates")):
        press("g")
        press(key)
        page.get_by_role("heading", name=heading, level=1).wait_for()
    page.get_by_role("link", name="Ada Obi").wait_for()
    press("/")
    expect(page.get_by_role("searchbox").first).to_be_focused()
    page.keyboard.type("gd?jk/ ada")
    expect(page.get_by_role("searchbox").first).to_have_value("gd?jk/ ada")
    assert page.get_by_role("dialog").count() == 0


def test_the_list_of_keys_switches_them_off_and_on(page):
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    dialog.get_by_text("Go to “Documents”").wait_for()
    assert faults(page) == []
    # No key works while a dialog is open, also after a click on its text.
    page.keyboard.press("j")
    dialog.get_by_text("Go to “Documents”").click()
    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(page).to_have_url(re.compile("/console/candidates"))
    dialog.get_by_label("Use these keys").uncheck()
    dialog.get_by_role("button", name="Close").click()
    page.keyboard.press("j")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").count() == 0
    page.reload()
    page.get_by_role("link", name="Ada Obi").wait_for()
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="Ada Obi")).not_to_be_focused()
    # The list can still be opened without a key.
    page.get_by_role("navigation").get_by_role("button", name="Keys").click()
    dialog.get_by_label("Use these keys").check()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator("tbody th a").first).to_be_focused()


def test_the_list_has_only_pages_that_the_role_may_open(site):
    volunteer = site.signed_in(site.service.staff("volunteer"), "/console/")
    volunteer.get_by_role("heading", name="Home").wait_for()
    volunteer.keyboard.press("?")
    dialog = volunteer.get_by_role("dialog", name="Keys")
    dialog.get_by_text("Go to “Home”").wait_for()
    assert dialog.get_by_text("Go to “Documents”").count() == 0
