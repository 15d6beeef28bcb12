"""The list of exams, and the check of the device, in the portal."""

from datetime import timedelta

import pytest

from competition.testing.exam_day import make_exam, sit
from tests.support.browser import PHONE, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


def make_season(site):
    """A candidate with a past, an open, a submitted and an upcoming exam."""
    service, admin = site.service, site.service.staff("admin")
    person = service.candidate()
    missed = make_exam(service, admin, title="Autumn warm-up", round=1)
    admin.post(f"/exams/{missed}/conclude/")
    service.clock.advance(minutes=30)
    taken = make_exam(service, admin, title="Number theory", round=2)
    sit(service, person, taken, "ABCD")
    make_exam(service, admin, title="Geometry of circles", round=3)
    later = (service.clock.now + timedelta(days=3)).isoformat()
    make_exam(service, admin, title="Second chance", round=4, scheduled_date=later)
    return person


@pytest.mark.essential
def test_each_exam_of_a_candidate_is_in_its_section_and_leads_to_its_page(site):
    person = make_season(site)
    page = site.signed_in(person, "/exams", viewport=PHONE)

    def section(name):
        return page.locator("section").filter(has=page.get_by_role("heading", name=name, level=2))

    link = section("Open now").get_by_role("link", name="Geometry of circles")
    link.wait_for()
    assert link.get_attribute("href").startswith("/exams/")
    section("Open now").get_by_text("Closes", exact=True).first.wait_for()
    section("Open now").get_by_text("Submitted", exact=True).wait_for()
    section("Upcoming").get_by_role("link", name="Second chance").wait_for()
    section("Past").get_by_text("Missed").wait_for()


def test_a_new_candidate_reads_what_will_be_here(site):
    page = site.signed_in(site.service.candidate(), "/exams")
    page.get_by_text("No exam is planned for you yet.").wait_for()


def test_a_candidate_with_an_open_exam_reads_that_no_other_one_is_planned(site):
    make_exam(site.service, site.service.staff("admin"), "ABCD", title="Geometry of circles")
    page = site.signed_in(site.service.candidate(), "/exams")
    page.get_by_text("No other exam is planned yet.").wait_for()
    assert page.get_by_text("No exam is planned").count() == 0


def test_a_candidate_who_is_not_approved_sees_the_exams_time(site):
    """The page must not request the candidate's own time, because the API would reject that, and
    the browser would log the error.
    """
    admin = site.service.staff("admin")
    later = (site.service.clock.now + timedelta(days=3)).isoformat()
    make_exam(site.service, admin, title="Second chance", scheduled_date=later)
    page = site.signed_in(site.service.candidate(verification="not_submitted"), "/exams")
    page.get_by_role("link", name="Second chance").wait_for()
    page.get_by_text("60 minutes", exact=True).wait_for()


def test_a_device_without_problems_is_ready(site):
    page = site.signed_in(site.service.candidate(), "/device")
    page.get_by_text("This device is ready for the exam.").wait_for()
    assert page.get_by_text("Fine", exact=True).count() == 5


def test_a_wrong_clock_and_a_lost_connection_are_named(site):
    site.service.clock.advance(hours=1)
    page = site.visit("/device", viewport=PHONE)
    page.get_by_text("clock is 1 hr behind.").wait_for()
    page.get_by_text("You can take the exam on this device.").wait_for()
    site.tolerate("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.get_by_role("button", name="Check again").click()
    page.get_by_text("This device is not ready for the exam.").wait_for()
    page.get_by_text("be reached. Check your internet connection").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="Check again").click()
    page.get_by_text("You can take the exam on this device.").wait_for()


def test_the_exams_look_right_everywhere(site):
    page = site.signed_in(make_season(site), "/exams")
    every_view(page, "portal-exams-list", lambda each: each.get_by_text("Second chance").wait_for())


def test_the_check_of_the_device_looks_right_everywhere(site):
    page = site.visit("/device")
    every_view(page, "portal-device", lambda each: each.locator(".note").wait_for())
