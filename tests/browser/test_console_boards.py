"""Leaderboards in the console: published now or at a set time, and read with their earlier
versions."""

import re

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, publish, score_by_hand, season
from tests.support.browser import PHONE, PICTURES, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

SHEETS = ["ABCD", "ABC ", "AB  ", "A   ", "    "]
NOT_PUBLISHED = r"404.*leaderboard/"


def over(site, admin, **exam):
    """An exam that is over, with five submissions and scores."""
    found = season(site.service, admin, SHEETS, key="ABCD", **exam)
    site.service.clock.advance(minutes=6)
    site.service.run_jobs()
    return found


@pytest.mark.essential
def test_an_exam_that_is_over_is_published_after_the_number_is_confirmed(site):
    site.tolerate(NOT_PUBLISHED)
    admin = site.service.staff("admin")
    over(site, admin, title="The first round")
    page = site.signed_in(admin, "/console/boards", viewport=PHONE)
    page.get_by_text("Nothing has been published yet.").wait_for()
    ready = page.get_by_role("table", name="Ready to publish")
    expect(ready.get_by_role("row").nth(1)).to_contain_text("The first round")
    expect(ready.get_by_role("row").nth(1)).to_contain_text("5")
    ready.get_by_role("link", name="Publish").click()
    expect(page.get_by_role("checkbox", name=re.compile("The first round"))).to_be_checked()
    page.get_by_role("button", name="Check and publish").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("5 results are ranked.").wait_for()
    dialog.get_by_text("The first round: 5 results").wait_for()
    dialog.get_by_role("button", name="Publish one leaderboard").click()
    page.get_by_text("The leaderboard is being published.").wait_for()
    planned = page.get_by_role("table", name="Planned")
    planned.get_by_role("progressbar", name="Being published").wait_for()
    site.service.run_jobs()
    # Also for screen readers, and without an action of the user.
    page.get_by_role("status").get_by_text("“The first round” is published.").wait_for()
    published = page.get_by_role("table", name="Published")
    published.get_by_role("link", name="The first round").click()
    page.get_by_role("heading", name="The first round", level=1).wait_for()
    expect(page.get_by_role("table", name="First three").get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("table", name="All others").get_by_role("row")).to_have_count(3)


def test_a_publication_is_planned_for_a_time_and_withdrawn(site):
    site.tolerate(NOT_PUBLISHED)
    admin = site.service.staff("admin")
    over(site, admin, title="The first round")
    make_exam(site.service, admin, "ABCD", title="The open round", round=2)
    page = site.signed_in(admin, "/console/boards/publish")
    first = page.get_by_role("checkbox").first
    expect(first).to_have_accessible_name(re.compile("The first round"))
    first.check()
    page.get_by_role("radio", name="At a set time").check()
    page.get_by_role("button", name="Check and publish").click()
    page.get_by_role("link", name="Publish at: ").wait_for()
    page.get_by_label("Date").fill("2030-12-14")
    page.get_by_label("Time", exact=True).fill("18:00")
    page.get_by_role("button", name="Check and publish").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("from Sat 14 Dec 2030").wait_for()
    dialog.get_by_role("button", name="Plan one leaderboard").click()
    planned = page.get_by_role("table", name="Planned")
    expect(planned.get_by_role("row").nth(1)).to_contain_text("The first round")
    expect(page.get_by_role("table", name="Ready to publish")).to_have_count(0)
    planned.get_by_role("button", name="Withdraw").click()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    page.get_by_text("The publication of “The first round” was withdrawn.").wait_for()
    page.get_by_role("table", name="Ready to publish").wait_for()
    [row] = admin.get("/leaderboard/publications/").json["results"]
    assert row["status"] == "cancelled"


def test_an_earlier_version_says_so_and_leads_to_the_latest(site):
    admin = site.service.staff("admin")
    exam_id, people = over(site, admin, title="The first round")
    publish(site.service, admin)
    score_by_hand(admin, exam_id, people[-1], 90)
    publish(site.service, admin)
    page = site.signed_in(admin, "/console/boards")
    page.get_by_role("link", name="Earlier versions").click()
    page.get_by_text("2 publications").wait_for()
    page.get_by_role("link", name="The first round").last.click()
    page.get_by_text("This is an earlier version, published on").wait_for()
    name = site.service.user(people[-1]).full_name
    last = page.get_by_role("table", name="All others").get_by_role("row").last
    expect(last).to_contain_text(name)
    # The earlier version is printed with its own time and ranks.
    page.evaluate("window.print = () => { document.title = 'printed'; }")
    page.get_by_role("button", name="Print the leaderboard").click()
    wait_for(page, lambda: page.title() == "printed")
    page.emulate_media(media="print")
    sheet = page.locator(".print")
    expect(sheet.get_by_role("row")).to_have_count(6)
    expect(sheet.get_by_role("row").last).to_contain_text(name)
    expect(sheet).to_contain_text("Screening, round 1. Published on")
    expect(page.locator("main").filter(visible=True)).to_have_count(0)
    page.pdf(path=PICTURES / "console-boards-printed.pdf")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    page.get_by_role("link", name="Show the latest version").click()
    expect(page.get_by_role("table", name="First three")).to_contain_text(name)


def test_a_leaderboard_with_many_versions_leads_to_all_of_them(site):
    admin = site.service.staff("admin")
    over(site, admin, title="The first round")
    for _ in range(2):
        publish(site.service, admin)
    page = site.signed_in(admin, "/console/boards")
    page.get_by_role("link", name="The first round").wait_for()

    def with_more(route):
        # The page gets the latest version, as if there were too many.
        found = route.fetch().json()
        results = found["results"][:1] * 2
        pagination = {**found["pagination"], "count": 120, "has_next": True}
        route.fulfill(json={**found, "results": results, "pagination": pagination})

    page.route(re.compile("/v1/leaderboard/snapshots/.*exam_id="), with_more)
    page.get_by_role("link", name="The first round").click()
    page.get_by_text("Only the latest 2 of 120 versions are shown.").wait_for()
    page.get_by_role("button", name="Print the leaderboard").wait_for()
    page.get_by_role("link", name="All earlier versions").click()
    page.get_by_text("2 publications").wait_for()
    expect(page.get_by_label("Title of an exam")).to_have_value("The first round")
    # The page of the leaderboard doesn't know the time of this version.
    page.get_by_role("link", name="The first round").last.click()
    page.get_by_text("This is an earlier version.").wait_for()
    page.get_by_text("Only the latest 2 of 120 versions are shown.").wait_for()
    expect(page.get_by_role("button", name="Print the leaderboard")).to_have_count(0)


def test_moderators_read_leaderboards_but_publish_nothing(site):
    admin = site.service.staff("admin")
    over(site, admin, title="The first round")
    publish(site.service, admin)
    page = site.signed_in(site.service.staff("moderator"), "/console/boards")
    page.get_by_role("link", name="The first round").wait_for()
    expect(page.get_by_role("link", name="Publish leaderboards")).to_have_count(0)


def test_the_pages_in_every_view(site):
    admin = site.service.staff("admin")
    exam_id, _ = over(site, admin, title="The first round")
    publish(site.service, admin)
    over(site, admin, title="The second round", round=2)
    later, _ = over(site, admin, title="The third round", round=3)
    make_exam(site.service, admin, title="The fourth round", round=4)
    at = "2030-12-14T18:00:00Z"
    admin.post("/leaderboard/publish/", {"exams": [later], "publish_at": at}, status=202)
    page = site.signed_in(admin, "/console/boards")
    every_view(page, "console-boards-list", lambda page: page.get_by_text("2030").wait_for())
    page.goto("/console/boards/publish")
    every_view(page, "console-boards-publish", lambda page: page.get_by_text("fourth").wait_for())
    publish(site.service, admin)
    page.goto("/console/boards/screening/1")
    every_view(page, "console-boards-board", lambda page: page.get_by_text("100").first.wait_for())
    assert exam_id
