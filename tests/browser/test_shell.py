"""The documents of the front-ends in Debian's Chromium."""

import pytest

from tests.support.browser import PHONE, SCREEN, faults, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


@pytest.mark.parametrize(
    "path", ["/", pytest.param("/console/exams/7/day", marks=pytest.mark.essential)]
)
def test_a_front_end_starts_under_its_policy(site, path):
    for viewport, scheme in ((PHONE, "light"), (SCREEN, "dark")):
        page = site.visit(path, viewport=viewport, color_scheme=scheme)
        page.get_by_role("heading", level=1).wait_for()
        assert faults(page) == []


@pytest.mark.essential
def test_a_breach_of_the_policy_is_rejected_and_reported(site):
    page = site.visit("/")
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate("document.body.appendChild(new Image()).src = 'http://elsewhere.example/'")
    with pytest.raises(Exception, match="requires 'TrustedHTML' assignment"):
        page.evaluate("document.body.firstElementChild.innerHTML = '<b>x</b>'")
    wait_for(page, lambda: any("img-src" in each for each in site.complaints))
    with pytest.raises(AssertionError, match=r"policy: img-src http://elsewhere\.example/"):
        site.check()
    site.complaints.clear()
    page.evaluate("document.body.append(document.createElement('h1'))")
    assert "the page has 2 h1" in faults(page)


def test_the_portal_can_be_installed(site):
    page = site.visit("/")
    page.get_by_role("heading", level=1).wait_for()
    debugger = page.context.new_cdp_session(page)
    manifest = debugger.send("Page.getAppManifest")
    assert manifest["errors"] == [] and manifest["url"].endswith("/app.webmanifest")
    found = debugger.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # This error is expected, because Playwright's devices are like private windows, and no page can
    # be installed from those.
    assert {each["errorId"] for each in found} <= {"in-incognito"}
