"""A candidate's notifications."""

from competition.core.work import begin
from competition.plugins.notifications import services as notifications
from tests.support.browser import PHONE, every_view, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


def notify(site, person, *subjects):
    for subject in subjects:
        with begin(site.service.runtime) as work:
            notifications.notify(work, [person.id], subject, "It begins on Saturday at ten.")


def test_notifications_arrive_while_the_page_is_open_and_are_marked_as_read(site):
    person = site.service.candidate()
    page = site.signed_in(person, "/inbox", viewport=PHONE)
    page.get_by_text("You have no notifications yet.").wait_for()
    page.locator(".connection.live").wait_for(state="attached")
    notify(site, person, "The first round", "The second round", "The third round")
    page.get_by_role("heading", name="The third round").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Mark as read (The first round)").click()
    page.get_by_role("heading", name="Unread (2)").wait_for()
    # The message that had the focus has left the list.
    page.locator("button:focus").get_by_text("(The second round)").wait_for(state="attached")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Notifications 2").wait_for()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("rowheader", name="The first round").wait_for()
    page.get_by_role("button", name="Mark 2 as read").click()
    page.get_by_text("You have read everything.").wait_for()
    page.locator("h1:focus").wait_for()
    page.get_by_role("rowheader", name="The third round").wait_for()
    assert faults(page) == []


def test_the_number_of_unread_notifications_follows_what_arrives_and_what_is_read(site):
    person = site.service.candidate()
    page = site.signed_in(person, "/results")
    page.locator(".connection.live").wait_for(state="attached")
    link = page.get_by_role("navigation").get_by_role("link", name="Notifications", exact=True)
    link.wait_for()
    notify(site, person, "The first round", "The second round")
    page.get_by_role("link", name="Notifications 2").click()
    page.get_by_role("button", name="Mark 2 as read").click()
    link.wait_for()


def test_the_page_in_every_view(site):
    person = site.service.candidate()
    notify(site, person, "The first round", "The second round", "The third round")
    first = person.get("/notifications/").json["results"][-1]["id"]
    person.patch(f"/notifications/{first}/mark-as-read/")
    page = site.signed_in(person, "/inbox")
    every_view(page, "portal-inbox-inbox", lambda page: page.locator("tbody tr").wait_for())
