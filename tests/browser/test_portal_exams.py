"""The list of exams, and the check of the device, in the portal."""

from datetime import timedelta

from competition.testing.exam_day import make_exam, sit
from tests.support.browser import PHONE, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)


def test_each_exam_of_a_candidate_is_in_its_section_and_leads_to_its_page(site):
    service, admin = site.service, site.service.staff("admin")
    person = service.candidate()
    missed = make_exam(service, admin, title="Autumn warm-up", round=1)
    admin.post(f"/exams/{missed}/conclude/")
    service.clock.advance(minutes=30)
    taken = make_exam(service, admin, title="Number theory", round=2)
    sit(service, person, taken, "ABCD")
    make_exam(service, admin, title=f"Geometry of {LONG}", round=3)
    later = (service.clock.now + timedelta(days=3)).isoformat()
    make_exam(service, admin, title="Second chance", round=4, scheduled_date=later)
    page = site.signed_in(person, "/exams", viewport=PHONE)
    arrived(page, "Exams")

    def section(name):
        return page.locator("section").filter(has=page.get_by_role("heading", name=name, level=2))

    every_view(page, "portal-exams-list", lambda each: each.get_by_text("Second chance").wait_for())
    section("Open now").get_by_text("Submitted", exact=True).wait_for()
    section("Upcoming").get_by_role("link", name="Second chance").wait_for()
    section("Past").get_by_text("Missed").wait_for()
    section("Open now").get_by_role("link", name=f"Geometry of {LONG}").click()
    page.get_by_role("button", name="Start").wait_for()


def test_a_device_without_problems_is_ready(site):
    page = site.signed_in(site.service.candidate(), "/device", viewport=PHONE)
    page.get_by_text("This device is ready for the exam.").wait_for()
    assert page.get_by_text("Fine", exact=True).count() == 5
    every_view(page, "portal-device", lambda each: each.locator(".note").wait_for())
