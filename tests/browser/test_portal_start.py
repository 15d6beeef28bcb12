"""The first page of the portal, and the candidate's home page."""

from datetime import timedelta

import pytest

from competition.core import flags
from competition.core.work import begin
from competition.plugins.notifications import services as notifications
from competition.testing import exam_day
from competition.testing.identity_papers import submit
from tests.support.browser import PHONE, every_view, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def sockets(sockets_with):
    # Decisions arrive as notifications.
    return sockets_with({"competition.notifications.on": "documents"})


def heading(page, name, level=1):
    page.get_by_role("heading", name=name, level=level, exact=True).wait_for()


def notify(site, person, *subjects):
    for subject in subjects:
        with begin(site.service.runtime) as work:
            notifications.notify(work, [person.id], subject, "Read the page of the exam.")


def close_registration(site):
    with begin(site.service.runtime) as work:
        flags.switch(work, "candidate_registration", False)


def test_the_first_page_leads_to_registration_only_while_it_is_open(site):
    page = site.visit("/", viewport=PHONE)
    page.get_by_text("Registration is open.").wait_for()
    page.get_by_role("main").get_by_role("link", name="Register").wait_for()
    close_registration(site)
    page.reload()
    page.get_by_text("Registration is closed.").wait_for()
    assert page.get_by_role("main").get_by_role("link", name="Register").count() == 0
    page.goto("/register")
    page.get_by_text("Registration is closed.").wait_for()
    assert faults(page) == []


@pytest.mark.essential
def test_the_home_page_names_the_one_next_step(site):
    person = site.service.candidate(verification="not_submitted")
    page = site.signed_in(person, "/home", viewport=PHONE)
    page.get_by_role("link", name="Send your documents").wait_for()
    submit(person)
    page.reload()
    heading(page, "We are checking your documents", 2)
    manager = site.service.staff("manager")
    decision = {"is_rejected": True, "rejection_reason": "The card is too dark."}
    manager.post(f"/user/verification/action/{person.id}/", decision)
    # The decision arrives over the socket.
    heading(page, "Send your documents again", 2)
    page.get_by_text("The card is too dark.").wait_for()
    assert faults(page) == []


def test_the_home_page_says_that_an_exam_that_was_started_is_running(site):
    service, person = site.service, site.service.candidate()
    exam_id = exam_day.make_exam(service, service.staff("admin"), title="Round two")
    page = site.signed_in(person, "/home", viewport=PHONE)
    page.get_by_text("Your 60 minutes begin when you press Start on the next page.").wait_for()
    person.get(f"/exams/{exam_id}/take-exam/", status=200)
    page.reload()
    heading(page, "Your exam is running: Round two", 2)
    page.get_by_role("link", name="Go on with the exam").wait_for()
    service.clock.advance(minutes=61)
    page.reload()
    heading(page, "Your time is over: Round two", 2)


def test_the_home_page_counts_down_to_the_next_exam_by_the_clock_of_the_service(site):
    service, person = site.service, site.service.candidate()
    # Only the service's clock moves, so the device's clock is now three hours behind.
    service.clock.advance(hours=3)
    opens = service.clock.now + timedelta(hours=2)
    exam_id = exam_day.make_exam(
        service, service.staff("admin"), title="Round two", scheduled_date=opens.isoformat()
    )
    page = site.signed_in(service.candidate(), "/home")
    page.get_by_role("timer").get_by_text("Opens in 1:59:").wait_for()
    assert page.get_by_role("link", name="Round two").get_attribute("href") == f"/exams/{exam_id}"
    assert person.number


def test_the_first_page_in_every_view(site):
    page = site.visit("/")
    every_view(page, "portal-start-start", lambda page: page.locator(".note.ok").wait_for())


def test_the_home_page_in_every_view(site):
    service, admin = site.service, site.service.staff("admin")
    _, (person, _) = exam_day.season(
        service, admin, ["ABCDABCDAA", "ABCD"], title="Screening, round 1"
    )
    service.run_jobs()
    exam_day.publish(service, admin)
    opens = service.clock.now + timedelta(hours=5)
    exam_day.make_exam(
        service, admin, title="Screening, round 2", round=2, scheduled_date=opens.isoformat()
    )
    notify(site, person, "The second round", "Bring your student card")
    page = site.signed_in(person, "/home")
    every_view(
        page,
        "portal-start-home",
        lambda page: page.locator(".home .home-news li").nth(1).wait_for(),
    )


def test_the_home_page_of_a_new_candidate_in_every_view(site):
    person = site.service.candidate(verification="not_submitted")
    page = site.signed_in(person, "/home")
    every_view(page, "portal-start-new", lambda page: page.locator(".home .steps").wait_for())
