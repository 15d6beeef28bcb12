"""The documents of the front-ends in Debian's Chromium."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE, SCREEN, arrived, faults, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

FIRST_PAGE = re.compile(".")
# JavaScript: add a row of targets that are too small. A single one may have space around it.
SMALL_TARGETS = """
const row = document.createElement("p");
document.querySelector("main").append(row);
for (const name of "abc") {
  const button = document.createElement("button");
  button.textContent = name;
  Object.assign(button.style, { width: "16px", height: "16px", padding: 0, border: 0 });
  row.append(button);
}
"""


def test_a_front_end_starts_under_its_policy_and_breaches_and_faults_are_reported(site):
    page = site.visit("/", viewport=PHONE)
    arrived(page, FIRST_PAGE)
    for viewport in (PHONE, SCREEN):
        page.set_viewport_size(viewport)
        assert faults(page) == []
    page.evaluate("document.body.appendChild(new Image()).src = 'http://elsewhere.example/'")
    with pytest.raises(Exception, match="requires 'TrustedHTML' assignment"):
        page.evaluate("document.body.firstElementChild.innerHTML = '<b>x</b>'")
    wait_for(page, lambda: any("img-src" in each for each in site.complaints))
    with pytest.raises(AssertionError, match=r"policy: img-src http://elsewhere\.example/"):
        site.check()
    site.complaints.clear()
    page.evaluate("document.body.append(document.createElement('h1'))")
    page.evaluate(SMALL_TARGETS)
    found = faults(page)
    assert "the page has 2 h1" in found
    assert any(each.startswith("target-size: ") for each in found)


def test_without_javascript_the_page_says_so_with_the_address_of_support(site):
    page = site.visit("/", viewport=PHONE, java_script_enabled=False)
    # Playwright finds no text in `noscript`.
    sentence = page.locator("noscript p")
    support = site.service.http.get("/pages/config.json").json["support_email"]
    expect(sentence).to_contain_text(f"write to {support}.")
    expect(sentence).to_be_visible()


def test_a_module_that_fails_is_loaded_again_and_without_it_the_page_says_so(site):
    site.tolerate("Failed to load resource|Failed to fetch|blocked by Playwright")
    page = site.device(service_workers="block", viewport=PHONE).new_page()
    unloaded = page.get_by_role("status").get_by_text("This page has not loaded yet.")
    failed = []

    def fail_twice(route):
        failed.append(route.request.url)
        route.abort() if len(failed) <= 2 else route.continue_()

    # A module that the first one imports, and a catalogue of texts.
    for file in ("portal/static/frame.js", "pages/static/texts/en.js"):
        failed.clear()
        page.route(f"**/{file}", fail_twice)
        page.goto("/practice")
        arrived(page, FIRST_PAGE)
        assert len(failed) > 2
        expect(unloaded).to_be_hidden()
        page.unroute_all()
    # Without these, no script of the page can say it.
    for file in ("pages/static/ground/first.js", "pages/static/texts/en.js"):
        page.route(f"**/{file}", lambda route: route.abort())
        page.goto("/practice")
        unloaded.wait_for()
        page.get_by_role("status").get_by_text(re.compile("Cette page n.est pas encore")).wait_for()
        page.unroute_all()
        page.get_by_role("link", name="Load it again").click()
        arrived(page, FIRST_PAGE)
    assert faults(page) == []


def test_the_portal_can_be_installed(site):
    page = site.visit("/")
    arrived(page, FIRST_PAGE)
    debugger = page.context.new_cdp_session(page)
    manifest = debugger.send("Page.getAppManifest")
    assert manifest["errors"] == [] and manifest["url"].endswith("/app.webmanifest")
    found = debugger.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # This error is expected, because Playwright's devices are like private windows, and no page can
    # be installed from those.
    assert {each["errorId"] for each in found} <= {"in-incognito"}
