"""The frames of the portal and the console, for visitors with and without a login."""

import pytest

from tests.support.browser import PHONE, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


@pytest.mark.parametrize("path", ["/console/nowhere", "/nowhere"])
def test_a_page_that_does_not_exist_says_so(site, path):
    person = site.service.staff("manager") if "console" in path else site.service.candidate()
    page = site.signed_in(person, path, viewport=PHONE)
    page.get_by_role("heading", name="This page does not exist", level=1).wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Documents").wait_for()
