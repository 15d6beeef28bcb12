"""Leaderboards in the portal."""

import pytest
from playwright.sync_api import expect

from competition.core import flags
from competition.core.work import begin
from competition.testing.exam_day import publish, score, season
from tests.support.browser import PHONE, PICTURES, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


def fill(site, count, **exam):
    """Publish a leaderboard with `count` candidates, and return the candidate in the last place."""
    service, admin = site.service, site.service.staff("admin")
    exam_id, people = season(service, admin, ["ABC", "AB"], title="Number theory", **exam)
    for at in range(count - 2):
        names = {"first_name": "Chidi", "last_name": f"Okafor {at}", "school": "Riverside College"}
        people.append(service.candidate(**names))
        score(service, admin, exam_id, people[-1], 90 - at)
    publish(service, admin)
    return people[-1]


@pytest.mark.essential
def test_a_candidate_finds_their_own_row_on_a_long_leaderboard(site):
    last = fill(site, 28)
    page = site.signed_in(last, "/boards", viewport=PHONE)
    page.get_by_role("link", name="Screening, round 1").click()
    own = page.get_by_text("You have rank")
    own.wait_for()
    assert page.get_by_text("You", exact=True).count() == 0
    page.get_by_text("1 to 23 of 28").wait_for()
    page.get_by_role("link", name="Go to rank").click()
    page.get_by_text("You", exact=True).wait_for()
    page.get_by_text("24 to 28 of 28").wait_for()
    assert "page=2" in page.url
    # All pages are printed, and nothing else.
    page.evaluate("window.print = () => { document.title = 'printed'; }")
    page.get_by_role("button", name="Print the leaderboard").click()
    wait_for(page, lambda: page.title() == "printed")
    page.emulate_media(media="print")
    rows = page.locator(".print").get_by_role("row")
    expect(rows).to_have_count(29)
    # On paper, which may be as narrow as a phone, rows are no cards.
    assert rows.last.evaluate("each => getComputedStyle(each).display") == "table-row"
    expect(rows.filter(has_text=site.service.user(last).full_name)).to_have_count(1)
    expect(page.get_by_role("heading", level=1, name="Screening, round 1")).to_have_count(1)
    expect(page.get_by_text("You", exact=True).filter(visible=True)).to_have_count(0)
    page.pdf(path=PICTURES / "portal-boards-printed.pdf")


def test_a_candidate_who_is_not_approved_is_told_what_is_missing(site):
    site.tolerate("status of 403")
    page = site.signed_in(site.service.candidate(verification="not_submitted"), "/boards")
    page.get_by_text("when the league has approved your identity").wait_for()
    page.get_by_role("main").get_by_role("link", name="Documents").click()
    page.get_by_role("heading", name="Documents").wait_for()


def test_without_a_leaderboard_the_page_says_when_there_will_be_one(site):
    person = site.service.candidate()
    page = site.signed_in(person, "/boards")
    page.get_by_text("No leaderboard is published yet.").wait_for()
    site.tolerate("404")


def test_hidden_leaderboards_are_explained_and_no_error(site):
    person = fill(site, 3)
    with begin(site.service.runtime) as work:
        flags.switch(work, "leaderboard_visible", False)
    page = site.signed_in(person, "/boards/screening/1")
    site.tolerate("403")
    page.get_by_text("The league does not show the leaderboards at the moment.").wait_for()


def test_the_leaderboards_look_right_everywhere(site):
    person = fill(site, 9)
    page = site.signed_in(person, "/boards")
    every_view(page, "portal-boards-list", lambda each: each.get_by_text("Number").wait_for())
    page.goto("/boards/screening/1")
    every_view(page, "portal-boards-one", lambda each: each.locator("td .tag, th .tag").wait_for())
