"""Leaderboards in the console: published, and read.

`tests/pages/console/boards` has what the pages show for which reply.
"""

import re

from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, season
from tests.support.browser import PHONE, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

SHEETS = ["ABCD", "ABC ", "AB  ", "A   ", "    "]
LONG = "The first round of Wolfeschlegelsteinhausenbergerdorff"


def over(site, admin, **exam):
    """An exam that is over, with five submissions and scores."""
    found = season(site.service, admin, SHEETS, key="ABCD", **exam)
    site.service.clock.advance(minutes=6)
    site.service.run_jobs()
    return found


def test_an_exam_that_is_over_is_published_after_the_number_is_confirmed(site):
    site.tolerate(r"404.*leaderboard/")
    admin = site.service.staff("admin")
    over(site, admin, title=LONG)
    make_exam(site.service, admin, "ABCD", title="The open round", round=2)
    page = site.signed_in(admin, "/console/boards", viewport=PHONE)
    ready = page.get_by_role("table", name="Ready to publish")
    ready.get_by_role("link", name="Publish").click()
    arrived(page, "Publish leaderboards")
    expect(page.get_by_role("checkbox", name=re.compile(LONG))).to_be_checked()
    every_view(page, "console-boards-publish", lambda it: it.get_by_text("open round").wait_for())
    page.get_by_role("button", name="Check and publish").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("5 results are ranked.").wait_for()
    dialog.get_by_role("button", name="Publish one leaderboard").click()
    planned = page.get_by_role("table", name="Planned")
    planned.get_by_role("progressbar", name="Being published").wait_for()
    site.service.run_jobs()
    # Also for screen readers, and without an action of the user.
    page.get_by_role("status").get_by_text(f"“{LONG}” is published.").wait_for()
    published = page.get_by_role("table", name="Published")
    published.get_by_role("link", name=LONG).wait_for()
    every_view(page, "console-boards-list", lambda it: it.get_by_role("table").first.wait_for())
    published.get_by_role("link", name=LONG).click()
    arrived(page, LONG)
    expect(page.get_by_role("table", name="First three").get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("table", name="All others").get_by_role("row")).to_have_count(3)
    every_view(page, "console-boards-board", lambda it: it.get_by_text("100").first.wait_for())
