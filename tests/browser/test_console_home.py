"""The first page of the console, and the notifications."""

from datetime import timedelta

from sqlalchemy import update

from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.plugins.dashboards.services.dashboards import NUMBERS
from competition.plugins.notifications.services import notify
from competition.testing.exam_day import make_exam, score
from competition.testing.identity_papers import submit
from tests.support.browser import NO_POLLS, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

LONG_TITLE = "Screening of the northern regions, second sitting for late registrations"


def season(site):
    """An open exam, an exam without questions, candidates of each stage, a score, and an email
    that could not be sent.
    """
    app, boss = site.service, site.service.staff("superadmin", first_name="Maria")
    make_exam(app, boss, title="Screening, round 1")
    later = (app.clock.now + timedelta(days=18)).isoformat()
    make_exam(app, boss, key="", title=LONG_TITLE, scheduled_date=later)
    with begin(app.runtime) as work:
        mails.send(work, "accounts.email_code", app.candidate(is_email_verified=False).email)
        work.db.execute(update(Mail).values(state="failed", last_error="No connection."))
        notify(work, [boss.id], "Screening, round 1", "The exam is open.")
    for number in range(6):
        app.candidate(("screening", "league", "final")[number % 3])
    exam = make_exam(app, boss, title="League, round 1", stage="league")
    score(app, boss, exam, app.candidate("league"), 71.25)
    app.run_task("dashboards.season")
    return boss


def tell(site, person, *subjects):
    with begin(site.service.runtime) as work:
        for subject in subjects:
            notify(work, [person.id], subject, "Please come at nine.")


def test_the_first_view_leads_to_what_waits_as_soon_as_it_waits(site):
    app, boss = site.service, season(site)
    device = site.device()
    device.add_init_script(NO_POLLS)
    page = site.signed_in(boss, "/console/", context=device)
    arrived(page, "Home")
    page.get_by_role("link", name="Watch the exam Screening, round 1").wait_for()
    page.locator(".connection.live").wait_for(state="attached")
    submit(app.candidate(verification="not_submitted"))
    with begin(app.runtime) as work:
        NUMBERS.refresh(work)
    page.get_by_role("link", name="Review one person's documents").wait_for()
    every_view(page, "console-home-home", lambda it: it.locator("figure").first.wait_for())
    page.get_by_role("link", name="One email could not be sent").click()
    arrived(page, "Emails")
    page.get_by_text("No connection.").wait_for()
    page.get_by_role("navigation").get_by_role("link", name="Exam day 2").click()
    arrived(page, "Exam days")


def test_a_volunteer_reads_notifications_as_they_arrive(site):
    site.tolerate("status of 404")
    volunteer = site.service.staff("volunteer")
    page = site.signed_in(volunteer, "/console/")
    arrived(page, "Home")
    every_view(page, "console-home-volunteer", lambda it: it.locator(".empty").wait_for())
    tell(site, volunteer, "Friday", *(f"Saturday {number}" for number in range(21)))
    page.reload()
    page.get_by_role("link", name="All notifications").click()
    arrived(page, "Notifications")
    page.locator(".connection.live").wait_for(state="attached")
    tell(site, volunteer, "Sunday")
    page.get_by_role("button", name="Mark as read (Sunday)").click()
    page.get_by_role("button", name="Mark 22 as read").wait_for()
    every_view(page, "console-home-notifications", lambda it: it.get_by_role("table").wait_for())
    page.get_by_label("State").select_option("Unread")
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("button", name="Mark as read (Friday)").click()
    page.get_by_role("button", name="Mark as read (Saturday 0)").click()
    # The second page has lost its rows.
    page.get_by_text("1 to 20 of 20").wait_for()
    page.get_by_role("button", name="Mark 20 as read").click()
    page.get_by_text("20 notifications are marked as read.").wait_for()
    unread = volunteer.get("/notifications/", status=200).json["stats"]["unread_count"]
    assert unread == 0
