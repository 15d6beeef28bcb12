"""The pages of the console about the service itself.

`tests/pages/console/house` has what the pages show for which reply.
"""

from datetime import timedelta

from sqlalchemy import select, update

from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.testing.exam_day import make_exam
from tests.support.browser import PHONE, every_view, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

LONG = "Wolfeschlegelsteinhausenbergerdorff"
BACKUP = {"status": "success", "environment": "prod", "backup_filename": "league-2026-03-01.dump"}
FAILURE = {**BACKUP, "status": "final_failure", "error_message": f"no {LONG}"}


def failed_job(service):
    with begin(service.runtime) as work:
        jobs.enqueue(work, "leaderboard.publish")
        work.db.flush()
        work.db.execute(
            update(Job)
            .where(Job.name == "leaderboard.publish")
            .values(state="failed", finished_at=work.now, last_error="No connection.", attempts=5)
        )


def failed_mail(service, recipient):
    with begin(service.runtime) as work:
        mails.send(work, "accounts.email_code", recipient)
        work.db.execute(update(Mail).values(state="failed", last_error="No connection.", tries=9))


def row(page, text):
    return page.get_by_role("row").filter(has_text=text)


def planned(service, boss):
    later = (service.clock.now + timedelta(days=2)).isoformat()
    return make_exam(service, boss, key="", title=f"Screening of {LONG}", scheduled_date=later)


def reported(service):
    for number, report in enumerate((BACKUP, FAILURE)):
        at = (service.clock.now - timedelta(days=number)).isoformat()
        service.anonymous.post("/webhooks/db-backup/", {**report, "timestamp": at})


def rows(page):
    page.locator("tbody tr").first.wait_for()


def test_the_service_shows_its_health_the_checks_of_exams_and_backups(site):
    boss = site.service.staff("superadmin")
    planned(site.service, boss)
    reported(site.service)
    page = site.signed_in(boss, "/console/house/service")
    page.get_by_role("row", name="Database works").first.wait_for()
    row(page, f"Screening of {LONG}").get_by_text("error").first.wait_for()
    row(page, f"no {LONG}").get_by_text("failed", exact=True).wait_for()
    every_view(page, "console-house-service", rows)


def test_the_audit_trail_is_filtered_by_action_actor_and_person(site):
    app = site.service
    boss = app.staff("superadmin", first_name="Maria", last_name=LONG)
    amara = app.candidate(first_name="Amara", last_name="Obi")
    boss.put(f"/candidates/{amara.id}/roles/assign/", {"role": "league"})
    boss.put("/flags/score_publication/", {"enabled": True})
    app.run_task("core.seal_audit")
    page = site.signed_in(boss, "/console/house/audit")
    row(page, "flag.switch").get_by_text(f"Maria {LONG}").wait_for()
    row(page, "flag.switch").get_by_text("in the chain").wait_for()
    every_view(page, "console-house-audit", rows)
    page.get_by_label("Person concerned").fill("Amara")
    page.get_by_role("button", name="Amara Obi").click()
    row(page, "screening → league").wait_for()
    row(page, "flag.switch").wait_for(state="detached")
    page.get_by_role("link", name="Show all people").click()
    row(page, "flag.switch").wait_for()
    page.get_by_label("Done by").select_option(f"Maria {LONG}")
    page.get_by_label("Action or subject").fill("flag")
    row(page, "screening → league").wait_for(state="detached")
    row(page, "flag.switch").wait_for()


def test_a_feature_is_switched_after_its_effect_is_confirmed(site):
    page = site.signed_in(site.service.staff("superadmin"), "/console/house/flags", viewport=PHONE)
    every_view(page, "console-house-flags", rows)
    page.get_by_role("button", name="Switch off Registration of candidates").click()
    page.get_by_role("dialog").get_by_role("button", name="Off").click()
    page.get_by_role("button", name="Switch on Registration of candidates").wait_for()
    assert site.service.anonymous.get("/registration/").json["is_candidate_reg_open"] is False


def test_an_api_key_is_shown_once_and_revoked(site):
    boss = site.service.staff("superadmin")
    page = site.signed_in(boss, "/console/house/keys")
    page.get_by_role("button", name="New API key").click()
    page.get_by_role("dialog").get_by_label("Name").fill(LONG)
    page.get_by_label("reports of backups").check()
    page.get_by_label("Rate limits").select_option("pages")
    page.get_by_role("button", name="Create the key").click()
    secret = page.get_by_role("alert").locator("code").inner_text()
    row(page, LONG).get_by_text("pages", exact=True).wait_for()
    client = site.service.client()
    client.key = secret
    client.get("/receipts/keys/", status=200)
    page.reload()
    every_view(page, "console-house-keys", rows)
    row(page, LONG).get_by_role("button", name="Revoke").click()
    assert page.get_by_text(secret).count() == 0
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    row(page, LONG).get_by_text("revoked", exact=True).wait_for()


def test_failed_jobs_are_run_again_together(site):
    for _ in range(2):
        failed_job(site.service)
    page = site.signed_in(site.service.staff("superadmin"), "/console/house/jobs")
    every_view(page, "console-house-jobs", rows)
    page.get_by_role("button", name="Select this page").click()
    page.get_by_role("button", name="Run 2 jobs again").click()
    page.get_by_role("dialog").get_by_role("button", name="Run 2 jobs again").click()
    page.get_by_text("No job has failed.").wait_for()
    with begin(site.service.runtime) as work:
        states = set(work.db.scalars(select(Job.state).where(Job.name == "leaderboard.publish")))
    assert states == {"pending"}


def test_emails_that_failed_are_sent_again_together(site):
    app = site.service
    people = [
        app.candidate(email=f"{name}@{LONG.lower()}.example", is_email_verified=False)
        for name in ("ada", "ben")
    ]
    for each in people:
        failed_mail(app, each.email)
    page = site.signed_in(app.staff("superadmin"), "/console/house/mails?state=failed")
    page.get_by_text("2 found").wait_for()
    every_view(page, "console-house-mails", rows)
    page.get_by_role("button", name="Select this page").click()
    page.get_by_role("button", name="Send 2 emails").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(f"Code to confirm the address, to {people[1].email}").wait_for()
    assert faults(page) == []
    dialog.get_by_role("button", name="Send 2 emails").click()
    page.get_by_text("2 emails will be sent in a moment.").wait_for()
    app.run_jobs()
    assert [len(app.mails(each.email)) for each in people] == [1, 1]
