"""The frames of the portal and the console, for visitors with and without a login."""

import pytest

from tests.support.browser import PHONE, PICTURES, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


@pytest.mark.parametrize("path", ["/console/nowhere", "/nowhere"])
def test_a_page_that_does_not_exist_says_so(site, path):
    site.tolerate("status of 404")
    person = site.service.staff("manager") if "console" in path else site.service.candidate()
    page = site.signed_in(person, path, viewport=PHONE)
    page.get_by_role("heading", name="This page does not exist", level=1).wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Documents").wait_for()


@pytest.mark.parametrize("path", ["/console/nowhere", "/nowhere"])
def test_a_visitor_without_a_login_is_told_that_a_page_does_not_exist(site, path):
    site.tolerate("status of 404")
    page = site.visit(path, viewport=PHONE)
    page.get_by_role("heading", name="This page does not exist", level=1).wait_for()
    assert faults(page) == []
    page.screenshot(path=PICTURES / f"missing-{path.count('/')}.png")
    page.get_by_role("link", name="Go to the first page").wait_for()
