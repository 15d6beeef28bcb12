"""A candidate's notifications."""

from competition.core.work import begin
from competition.plugins.notifications import services as notifications
from tests.support.browser import PHONE, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)


def test_notifications_arrive_while_the_page_is_open_and_are_marked_as_read(site):
    person = site.service.candidate()
    page = site.signed_in(person, "/inbox", viewport=PHONE)
    page.get_by_text("You have no notifications yet.").wait_for()
    page.locator(".connection.live").wait_for(state="attached")
    for subject in ("The first round", f"The round of {LONG}", "The third round"):
        with begin(site.service.runtime) as work:
            notifications.notify(work, [person.id], subject, f"It begins in {LONG}.")
    page.get_by_role("heading", name="The third round").wait_for()
    page.get_by_role("button", name="Mark as read (The first round)").click()
    page.get_by_role("rowheader", name="The first round").wait_for()
    every_view(page, "portal-inbox-inbox", lambda page: page.locator("tbody tr").wait_for())
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Notifications 2").wait_for()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Mark 2 as read").click()
    page.get_by_text("You have read everything.").wait_for()
    wait_for(page, lambda: person.get("/notifications/").json["stats"]["unread_count"] == 0)
