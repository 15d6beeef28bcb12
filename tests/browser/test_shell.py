"""The documents of the front-ends in Debian's Chromium."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.browser import PHONE, PICTURES, SCREEN, faults, wait_for
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


@pytest.mark.parametrize("path", ["/", "/console/"])
def test_without_javascript_the_page_says_so_with_the_address_of_support(site, path):
    page = site.visit(path, viewport=PHONE, java_script_enabled=False)
    # Playwright finds no text in `noscript`.
    sentence = page.locator("noscript p")
    sentence.wait_for()
    support = site.service.http.get("/pages/config.json").json["support_email"]
    expect(sentence).to_have_text(
        "This site needs JavaScript. Please enable it in your browser. "
        f"If you need help, write to {support}."
    )


@pytest.mark.parametrize(
    "file", ["portal/static/frame.js", "pages/static/ground/router.js", "pages/static/texts/en.js"]
)
def test_a_module_that_fails_at_first_is_loaded_again(site, file):
    site.tolerate("Failed to load resource|blocked by Playwright")
    failed = []

    def fail_twice(route):
        failed.append(route.request.url)
        route.abort() if len(failed) <= 2 else route.continue_()

    page = site.device(service_workers="block").new_page()
    page.route(f"**/{file}", fail_twice)
    page.goto("/")
    page.get_by_role("heading", level=1).wait_for()
    assert len(failed) > 2
    assert not page.get_by_text("This page has not loaded yet.").is_visible()


@pytest.mark.parametrize(
    "file", ["portal/static/frame.js", "pages/static/ground/first.js", "pages/static/texts/en.js"]
)
def test_a_page_without_its_modules_says_so_and_can_be_loaded_again(site, file):
    site.tolerate("Failed to load resource|Failed to fetch|blocked by Playwright")
    page = site.device(service_workers="block", viewport=PHONE).new_page()
    page.route(f"**/{file}", lambda route: route.abort())
    page.goto("/practice")
    page.get_by_role("status").get_by_text("This page has not loaded yet.").wait_for()
    page.get_by_role("status").get_by_text(re.compile("Cette page n.est pas encore")).wait_for()
    page.screenshot(path=PICTURES / f"unloaded-{file.rpartition('/')[2]}.png")
    page.unroute_all()
    page.get_by_role("link", name="Load it again").click()
    page.get_by_role("heading", level=1).wait_for()
    assert faults(page) == []


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


def test_targets_that_are_too_small_are_faults(site):
    page = site.visit("/")
    page.get_by_role("heading", level=1).wait_for()
    assert faults(page) == []
    # A single small target may have space around it, but not a row of them.
    page.evaluate("""
        const row = document.createElement("p");
        document.querySelector("main").append(row);
        for (const name of "abc") {
          const button = document.createElement("button");
          button.textContent = name;
          Object.assign(button.style, { width: "16px", height: "16px", padding: 0, border: 0 });
          row.append(button);
        }
    """)
    assert any(each.startswith("target-size: ") for each in faults(page))
