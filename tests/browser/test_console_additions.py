"""Additions of other plugins to the console: pages, navigation, and words in each language.

The example plugin adds them.
"""

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import publish, season
from tests.support.browser import PHONE, every_view
from tests.support.programs import CHROMIUM, needs_program

pytest.importorskip("competition_certificates", reason="`make test` builds the example.")
pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def admin(site):
    return site.service.staff("admin")


@pytest.fixture
def best(site, admin):
    """A candidate with a certificate."""
    _, [person] = season(site.service, admin, ["ABCD"], title="The first round")
    publish(site.service, admin)
    site.service.run_jobs()
    return person


@pytest.mark.essential
def test_a_page_of_a_plugin_is_in_the_navigation_in_the_readers_language(site, admin, best):
    page = site.signed_in(admin, "/console/certificates")
    menu = page.get_by_role("navigation", name="Console")
    expect(menu.get_by_role("link", name="Certificates")).to_have_attribute("aria-current", "page")
    page.get_by_role("button", name="Français").click()
    page.get_by_role("navigation").get_by_role("link", name="Diplômes").wait_for()
    page.get_by_role("heading", name="Diplômes", level=1).wait_for()


def test_an_entry_of_a_plugin_is_hidden_below_its_rank(site):
    page = site.signed_in(site.service.staff("moderator"), "/console/account")
    menu = page.get_by_role("navigation", name="Console")
    menu.get_by_role("link", name="Leaderboards").wait_for()
    expect(menu.get_by_role("link", name="Certificates")).to_have_count(0)


def test_a_page_of_a_plugin_asks_before_it_acts(site, admin, best):
    name = site.service.user(best).full_name
    page = site.signed_in(admin, "/console/certificates", viewport=PHONE)
    page.get_by_role("link", name=name).click()
    page.get_by_role("heading", name=f"Certificates of {name}").wait_for()
    page.get_by_role("button", name="Revoke").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The first round").wait_for()
    dialog.get_by_role("button", name="Revoke one certificate").click()
    page.get_by_text("The certificate was revoked.").wait_for()
    page.get_by_text("This candidate has no certificate.").wait_for()
    assert best.get("/certificates/").json["results"] == []


def test_a_page_of_a_plugin_in_every_view(site, admin, best):
    page = site.signed_in(admin, f"/console/certificates/{best.id}")
    every_view(page, "console-additions-one", lambda page: page.get_by_text("first").wait_for())
