"""The first page of the portal, and the candidate's home page."""

from datetime import timedelta

import pytest

from competition.core.work import begin
from competition.plugins.notifications import services as notifications
from competition.testing import exam_day
from competition.testing.identity_papers import submit
from tests.support.browser import PHONE, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def sockets(sockets_with):
    # Decisions arrive as notifications.
    return sockets_with({"competition.notifications.on": "documents"})


def test_the_first_page_leads_to_registration(site):
    page = site.visit("/", viewport=PHONE)
    page.get_by_text("Registration is open.").wait_for()
    every_view(page, "portal-start-start", lambda page: page.locator(".note.ok").wait_for())
    page.get_by_role("main").get_by_role("link", name="Register").click()
    arrived(page, "Register")


def test_the_home_page_names_the_one_next_step(site):
    service, admin = site.service, site.service.staff("admin")
    person = service.candidate(verification="not_submitted", first_name=LONG)
    page = site.signed_in(person, "/home", viewport=PHONE)
    page.get_by_role("link", name="Send your documents").wait_for()
    every_view(
        page, "portal-start-new", lambda page: page.locator(".home .steps").wait_for(), data=[LONG]
    )
    submit(person)
    page.reload()
    page.get_by_role("heading", name="We are checking your documents").wait_for()
    # The decision arrives over the socket.
    decision = {"is_rejected": True, "rejection_reason": "The card is too dark."}
    service.staff("manager").post(f"/user/verification/action/{person.id}/", decision)
    page.get_by_role("heading", name="Send your documents again").wait_for()
    page.get_by_text("The card is too dark.").wait_for()

    _, (person, _) = exam_day.season(
        service, admin, ["ABCDABCDAA", "ABCD"], title=f"Screening of {LONG}"
    )
    service.run_jobs()
    exam_day.publish(service, admin)
    opens = (service.clock.now + timedelta(hours=5)).isoformat()
    exam_day.make_exam(service, admin, title=f"Final of {LONG}", round=2, scheduled_date=opens)
    for subject in (f"The second round of {LONG}", "Bring your student card"):
        with begin(service.runtime) as work:
            notifications.notify(work, [person.id], subject, "Read the page of the exam.")
    page = site.signed_in(person, "/home", viewport=PHONE)
    page.get_by_role("heading", name="Get ready for the exam").wait_for()
    page.get_by_role("timer").get_by_text("Opens in 4:59:").wait_for()
    every_view(
        page,
        "portal-start-home",
        lambda page: page.locator(".home .home-news li").nth(1).wait_for(),
    )
