"""Leaderboards in the portal."""

from playwright.sync_api import expect

from competition.testing.exam_day import publish, score, season
from tests.support.browser import PHONE, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)


def test_a_candidate_finds_their_own_row_on_a_long_leaderboard(site):
    service, admin = site.service, site.service.staff("admin")
    exam_id, people = season(service, admin, ["ABC", "AB"], title=f"Theory of {LONG}")
    for at in range(26):
        names = {"first_name": "Chidi", "last_name": f"Okafor {at}", "school": f"{LONG} College"}
        people.append(service.candidate(**names))
        score(service, admin, exam_id, people[-1], 90 - at)
    publish(service, admin)
    page = site.signed_in(people[-1], "/boards", viewport=PHONE)
    every_view(page, "portal-boards-list", lambda each: each.get_by_text(LONG).wait_for())
    page.get_by_role("link", name="Screening, round 1").click()
    page.get_by_text("You have rank").wait_for()
    page.get_by_role("link", name="Go to rank").click()
    page.get_by_text("You", exact=True).wait_for()
    page.get_by_text("24 to 28 of 28").wait_for()
    every_view(page, "portal-boards-one", lambda each: each.locator("td .tag, th .tag").wait_for())
    # All pages are printed, and nothing else.
    page.evaluate("window.print = () => { document.title = 'printed'; }")
    page.get_by_role("button", name="Print the leaderboard").click()
    wait_for(page, lambda: page.title() == "printed")
    page.emulate_media(media="print")
    rows = page.locator(".print").get_by_role("row")
    expect(rows).to_have_count(29)
    # On paper, which may be as narrow as a phone, rows are no cards.
    assert rows.last.evaluate("each => getComputedStyle(each).display") == "table-row"
    expect(page.get_by_role("heading", level=1, name="Screening, round 1")).to_have_count(1)
    expect(page.get_by_text("You", exact=True).filter(visible=True)).to_have_count(0)
