"""The pages of the console about the service itself."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect
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

BACKUP = {"status": "success", "environment": "prod", "backup_filename": "league-2026-03-01.dump"}
FAILURE = {**BACKUP, "status": "final_failure", "error_message": "disk full"}


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
    return make_exam(service, boss, key="", title="Screening, round 2", scheduled_date=later)


def reported(service):
    for number, report in enumerate((BACKUP, FAILURE)):
        at = (service.clock.now - timedelta(days=number)).isoformat()
        service.anonymous.post("/webhooks/db-backup/", {**report, "timestamp": at})


@pytest.mark.essential
def test_the_service_shows_its_health_the_checks_of_exams_and_backups(site):
    boss = site.service.staff("superadmin")
    planned(site.service, boss)
    reported(site.service)
    page = site.signed_in(boss, "/console/house/service")
    page.get_by_role("row", name="Database works").first.wait_for()
    row(page, "Screening, round 2").get_by_text("error").first.wait_for()
    row(page, "disk full").get_by_text("failed", exact=True).wait_for()
    page = site.signed_in(site.service.staff("moderator"), "/console/house/service")
    page.get_by_role("row", name="Database works").first.wait_for()
    assert page.get_by_role("heading", name="Backups").count() == 0


def test_a_service_that_is_unavailable_shows_which_part_has_failed(site):
    site.tolerate("status of 503")
    page = site.signed_in(site.service.staff("admin"), "/console/account")
    report = {
        "status": "unavailable",
        "timestamp": "2026-03-01T09:00:00Z",
        "checks": [{"name": "database", "status": "failed", "message": "It does not answer."}],
    }
    page.route("**/v1/ready/", lambda route: route.fulfill(status=503, json=report))
    page.goto("/console/house/service")
    row(page, "It does not answer.").get_by_text("has failed").wait_for()


def test_the_audit_trail_is_filtered_by_action_actor_and_person(site):
    app = site.service
    boss = app.staff("superadmin", first_name="Maria", last_name="Okafor")
    amara = app.candidate(first_name="Amara", last_name="Obi")
    boss.put(f"/candidates/{amara.id}/roles/assign/", {"role": "league"})
    boss.put("/flags/score_publication/", {"enabled": True})
    app.run_task("core.seal_audit")
    page = site.signed_in(boss, "/console/house/audit")
    row(page, "flag.switch").get_by_text("Maria Okafor").wait_for()
    row(page, "flag.switch").get_by_text("in the chain").wait_for()
    page.get_by_label("Person concerned").fill("Amara")
    page.get_by_role("button", name="Amara Obi").click()
    row(page, "screening → league").wait_for()
    row(page, "flag.switch").wait_for(state="detached")
    assert f"target_id={amara.id}" in page.url
    page.get_by_role("link", name="Show all people").click()
    row(page, "flag.switch").wait_for()
    page.get_by_label("Action or subject").fill("flag")
    row(page, "screening → league").wait_for(state="detached")
    page.get_by_label("Done by").select_option("Maria Okafor")
    row(page, "flag.switch").wait_for()


def test_the_audit_trail_shows_the_entries_of_some_days(site):
    app = site.service
    first = app.clock.now.date().isoformat()
    app.staff("superadmin").put("/flags/score_publication/", {"enabled": True})
    app.clock.advance(days=3)
    second = app.clock.now.date().isoformat()
    boss = app.staff("superadmin")
    boss.put("/flags/leaderboard_visible/", {"enabled": False})
    page = site.signed_in(boss, f"/console/house/audit?from={second}")
    row(page, "leaderboard_visible").wait_for()
    expect(row(page, "score_publication")).to_have_count(0)
    expect(page.get_by_label("From this day")).to_have_value(second)
    page.get_by_label("From this day").fill(first)
    row(page, "score_publication").wait_for()
    # The last day counts too.
    page.get_by_label("Until this day").fill(first)
    expect(row(page, "leaderboard_visible")).to_have_count(0)
    row(page, "score_publication").wait_for()
    assert f"from={first}&until={first}" in page.url


def test_a_feature_is_switched_after_its_effect_is_confirmed(site):
    page = site.signed_in(site.service.staff("superadmin"), "/console/house/flags", viewport=PHONE)
    page.get_by_role("button", name="Switch off Registration of candidates").click()
    page.get_by_role("dialog").get_by_role("button", name="Off").click()
    page.get_by_role("button", name="Switch on Registration of candidates").wait_for()
    assert site.service.anonymous.get("/registration/").json["is_candidate_reg_open"] is False


def test_an_api_key_is_shown_once_and_revoked(site):
    boss = site.service.staff("superadmin")
    page = site.signed_in(boss, "/console/house/keys")
    page.get_by_role("button", name="New API key").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Backup script")
    page.get_by_label("reports of backups").check()
    page.get_by_label("Rate limits").select_option("pages")
    page.get_by_role("button", name="Create the key").click()
    secret = page.get_by_role("alert").locator("code").inner_text()
    row(page, "Backup script").get_by_text("pages", exact=True).wait_for()
    client = site.service.client()
    client.key = secret
    client.get("/receipts/keys/", status=200)
    page.reload()
    row(page, "Backup script").get_by_role("button", name="Revoke").click()
    assert page.get_by_text(secret).count() == 0
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    row(page, "Backup script").get_by_text("revoked", exact=True).wait_for()


def test_a_failed_job_is_run_again(site):
    failed_job(site.service)
    page = site.signed_in(site.service.staff("superadmin"), "/console/house/jobs")
    row(page, "leaderboard.publish").get_by_role("button", name="Run again").click()
    page.get_by_text("No job has failed.").wait_for()
    with begin(site.service.runtime) as work:
        state = work.db.scalar(select(Job.state).where(Job.name == "leaderboard.publish"))
    assert state == "pending"


def test_an_email_that_failed_is_found_by_its_recipient_and_sent_again(site):
    ada = site.service.candidate(is_email_verified=False)
    failed_mail(site.service, ada.email)
    page = site.signed_in(site.service.staff("superadmin"), "/console/house/mails")
    page.get_by_label("Recipient: the whole address").fill(ada.email)
    page.wait_for_url("**recipient**")
    row(page, "No connection.").get_by_role("button", name="Send again").click()
    page.get_by_role("button", name="Send one email").click()
    page.get_by_text(
        f"The email to {ada.email} will be sent in a moment. If it is not needed any more"
    ).wait_for()
    assert len(site.service.mails(ada.email)) == 1


def test_emails_that_failed_are_sent_again_together_and_those_that_can_not_be_are_named(site):
    app = site.service
    ada, ben, carla = (app.candidate(is_email_verified=False) for _ in range(3))
    for each in (ada, ben, carla):
        failed_mail(app, each.email)
    boss = app.staff("superadmin")
    page = site.signed_in(boss, "/console/house/mails?state=failed")
    page.get_by_text("3 found").wait_for()
    page.get_by_role("button", name="Select this page").click()
    page.get_by_role("button", name="Send 3 emails").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(f"Code to confirm the address, to {ben.email}").wait_for()
    assert faults(page) == []
    # In the meantime, a colleague sends one of them. Another one can't be sent at the first try.
    [sent, away] = (
        boss.get(f"/mails/?recipient={it.email}").json["results"][0] for it in (ada, ben)
    )
    boss.post(f"/mails/{sent['id']}/resend/", status=202)
    site.tolerate("status of (503|400)")
    page.route(f"**/mails/{away['id']}/resend/", lambda route: route.fulfill(status=503), times=1)
    dialog.get_by_role("button", name="Send 3 emails").click()
    dialog.get_by_role("alert").wait_for()
    dialog.get_by_role("button", name="Send 3 emails").click()
    page.get_by_text("2 emails will be sent in a moment.").wait_for()
    page.get_by_text(f"“Code to confirm the address, to {ada.email}”: ").wait_for()
    page.get_by_text("Nothing matches these filters: State: failed.").wait_for()
    assert "state=failed" in page.url
    app.run_jobs()
    assert [len(app.mails(each.email)) for each in (ada, ben, carla)] == [1, 1, 1]


def test_failed_jobs_are_run_again_together(site):
    for _ in range(2):
        failed_job(site.service)
    page = site.signed_in(site.service.staff("superadmin"), "/console/house/jobs")
    page.get_by_role("button", name="Select this page").click()
    page.get_by_role("button", name="Run 2 jobs again").click()
    page.get_by_role("dialog").get_by_role("button", name="Run 2 jobs again").click()
    page.get_by_text("2 jobs will be run again in a moment.").wait_for()
    page.get_by_text("No job has failed.").wait_for()
    # Jobs that have not failed can't be selected.
    page.get_by_role("link", name="All", exact=True).click()
    row(page, "leaderboard.publish").first.wait_for()
    assert page.get_by_role("checkbox").count() == 0


def test_a_list_whose_last_page_is_gone_shows_the_last_page_that_is_left(site):
    site.tolerate("status of 404")
    for _ in range(41):
        failed_job(site.service)
    page = site.signed_in(site.service.staff("superadmin"), "/console/house/jobs?page=3")
    page.get_by_text("41 to 41 of 41").wait_for()
    page.get_by_role("button", name="Run again").click()
    page.get_by_text("21 to 40 of 40").wait_for()
    expect(page.get_by_text("could not be refreshed")).to_have_count(0)
    assert "page=2" in page.url
    # An old link.
    page.goto("/console/house/jobs?page=9&filter=1")
    page.get_by_text("1 to 20 of 40").wait_for()
    assert page.url.endswith("/console/house/jobs?filter=1")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_pages_of_the_house_in_every_view(site):
    app = site.service
    boss = app.staff("superadmin", first_name="Maria", last_name="Okafor")
    planned(app, boss)
    reported(app)
    failed_job(app)
    failed_mail(app, app.candidate(is_email_verified=False).email)
    amara = app.candidate(first_name="Amara", last_name="Obi")
    boss.put(f"/candidates/{amara.id}/roles/assign/", {"role": "league"})
    boss.post("/api-keys/", {"name": "Backup script", "scopes": ["webhook"], "days": 365})
    boss.put("/flags/score_publication/", {"enabled": True})
    for name in ("service", "audit", "flags", "keys", "jobs", "mails"):
        page = site.signed_in(boss, f"/console/house/{name}")
        every_view(
            page, f"console-house-{name}", lambda it: it.locator("tbody tr").first.wait_for()
        )
