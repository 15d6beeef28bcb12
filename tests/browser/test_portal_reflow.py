"""Every page of the portal on a small screen. People who enlarge the text see the same (WCAG
1.4.10)."""

import re

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, publish, season, take
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import ZOOMED, cut_off
from tests.support.repository import REPOSITORY

pytestmark = needs_program(CHROMIUM)

ROUTES = REPOSITORY / "competition/plugins/portal/static/routes.js"
LONG = "Wolfeschlegelsteinhausenbergerdorff"


def league(app, boss):
    """Hold an exam and publish its results. Returns a candidate with something on every page, and
    the paths of all pages."""
    over, [ada, _] = season(app, boss, ["ABBD", "ABCD"], key="ABCD", title=f"Screening of {LONG}")
    app.clock.advance(minutes=6)
    publish(app, boss)
    ada.post(f"/exams/{over}/appeals/", {"text": f"B is right, too: {LONG}."}, status=201)
    running = make_exam(app, boss, "ABCD", title=f"Final of {LONG}", description=LONG, round=2)
    take(ada, running, status=200)
    ready = make_exam(app, boss, "ABCD", title=f"Final of {LONG}", description=LONG, round=3)
    text = {"text": f"Question 3 has a misprint: {LONG}."}
    boss.post(f"/exams/{running}/announcements/", text, status=201)
    app.run_jobs()
    paths = re.findall(r'path: "([^"]+)"', ROUTES.read_text())
    values = {":id": ready, ":exam": over, ":stage": "screening", ":round": 1}
    paths = [re.sub(r":\w+", lambda found: str(values[found[0]]), each) for each in paths]
    return ada, [*paths, f"/exams/{running}", f"/exams/{running}#all", "/results/0"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_page_scrolls_sideways_or_hides_words_on_a_small_screen(site, language):
    site.tolerate("status of 404")
    ada, paths = league(site.service, site.service.staff("superadmin"))
    options = {"viewport": ZOOMED[0], "reduced_motion": "reduce"}
    open_pages = ("/register", "/verify", "/sign-in", "/password", "/restore", "/practice", "/")
    stranger = site.visit("/", **options)
    page = site.signed_in(ada, "/home", **options)
    found = []
    for shown in (stranger, page):
        shown.evaluate("language => localStorage.setItem('language', language)", language)
    for path in paths:
        shown = stranger if path in open_pages else page
        shown.goto(path)
        shown.locator("h1").first.wait_for()
        expect(shown.locator(".loading")).to_have_count(0)
        found += [f"{path} {each}" for each in cut_off(shown)]
    assert found == [], "\n".join(found)
