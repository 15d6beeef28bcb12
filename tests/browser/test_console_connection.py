"""Pages of the console without a connection, and after the work of colleagues: they read what is
new without a click."""

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import publish, season
from tests.support.browser import wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

# The longest time between two readings of the number of open appeals, in milliseconds.
POLLED = 72_000


@pytest.fixture
def admin(site):
    return site.service.staff("admin")


def test_a_lost_connection_is_shown_and_the_page_is_read_when_it_is_back(site, admin):
    ada = site.service.candidate(first_name="Ada", last_name="Obi")
    site.tolerate("Failed to load resource")
    # Without a socket, the page knows the state of the connection from its requests.
    site.prepare.append(
        lambda device: device.route_web_socket("**/notifications/**", lambda each: each.close())
    )
    page = site.signed_in(admin, "/console/candidates", user_agent="desk")
    row = page.get_by_role("row").filter(has_text="Ada Obi")
    row.wait_for()
    site.line.cut.add("desk")
    page.get_by_role("link", name="Ada Obi").click()
    page.get_by_role("alert").get_by_text("There is no connection to the league.").wait_for()
    page.get_by_role("status").get_by_text("No connection", exact=True).wait_for()
    site.line.cut.clear()
    page.get_by_role("heading", name="Ada Obi", level=1).wait_for()
    page.get_by_text(site.service.user(ada).email).wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_list_is_read_again_when_its_tab_is_shown_again(site, admin):
    site.service.candidate(first_name="Ada", last_name="Obi")
    page = site.signed_in(admin, "/console/candidates")
    page.get_by_role("row").filter(has_text="Ada Obi").wait_for()
    site.service.candidate(first_name="Ben", last_name="Carter")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("row").filter(has_text="Ben Carter").wait_for()


def test_appeals_that_arrive_are_shown_after_a_click(site, admin):
    app = site.service
    exam_id, [amara, ben] = season(app, admin, ["AA", "A "], key="AB", title="The first round")
    app.clock.advance(minutes=6)
    publish(app, admin)
    amara.post(f"/exams/{exam_id}/appeals/", {"text": "B is right."}, status=201)
    site.prepare.append(lambda device: device.clock.install())
    page = site.signed_in(app.staff("moderator"), "/console/appeals")
    page.get_by_text("One appeal", exact=True).wait_for()
    # The page has counted the appeals once.
    wait_for(page, lambda: any("page_size=1: 200" in each for each in site.recent))
    ben.post(f"/exams/{exam_id}/appeals/", {"text": "I gave two answers."}, status=201)
    page.clock.fast_forward(POLLED)
    page.get_by_text("One more appeal has arrived.").wait_for()
    expect(page.get_by_role("row").filter(has_text="I gave two answers.")).to_have_count(0)
    page.get_by_role("button", name="Show").click()
    page.get_by_role("row").filter(has_text="I gave two answers.").wait_for()
