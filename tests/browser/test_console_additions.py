"""Additions of other plugins to the console: pages, navigation, and words in each language.

The example plugin adds them. `tests/pages/console/additions.test.js` has the rules of the console.
"""

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import publish, season
from tests.support.browser import arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytest.importorskip("competition_certificates", reason="`make test` builds the example.")
pytestmark = needs_program(CHROMIUM)


def test_a_page_of_a_plugin_is_in_the_navigation_and_asks_before_it_acts(site):
    admin = site.service.staff("admin")
    _, [best] = season(site.service, admin, ["ABCD"], title="The first round")
    publish(site.service, admin)
    site.service.run_jobs()
    name = site.service.user(best).full_name
    page = site.signed_in(admin, "/console/certificates")
    menu = page.get_by_role("navigation", name="Console")
    expect(menu.get_by_role("link", name="Certificates")).to_have_attribute("aria-current", "page")
    page.get_by_role("button", name="Français").click()
    page.get_by_role("navigation").get_by_role("link", name="Diplômes").wait_for()
    arrived(page, "Diplômes")
    page.get_by_role("button", name="English").click()
    page.get_by_role("link", name=name).click()
    arrived(page, f"Certificates of {name}")
    every_view(page, "console-additions-one", lambda it: it.get_by_text("first").wait_for())
    page.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke one certificate").click()
    page.get_by_text("This candidate has no certificate.").wait_for()
    assert best.get("/certificates/").json["results"] == []
