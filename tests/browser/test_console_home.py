"""The first page of the console."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect
from sqlalchemy import update

from competition.core.jobs import jobs
from competition.core.jobs.models import Job
from competition.core.mail import mails
from competition.core.mail.models import Mail
from competition.core.work import begin
from competition.plugins.backups.models import BackupReport
from competition.plugins.dashboards.services.dashboards import NUMBERS
from competition.plugins.notifications.services import notify
from competition.testing.exam_day import make_exam, publish, score, sit
from competition.testing.identity_papers import submit
from tests.support.browser import NO_POLLS, PHONE, SIGNING_OUT, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

ADDITION = """
export default { todos: { "imports.rows": {
  text: (todo) => `Look at ${todo.count} rows`, href: "/console/imports" } } };
"""


def season(site):
    """An open exam, an exam without questions, a person to verify and an email that could not be
    sent.
    """
    app, boss = site.service, site.service.staff("superadmin", first_name="Maria")
    make_exam(app, boss, title="Screening, round 1")
    later = (app.clock.now + timedelta(days=18)).isoformat()
    make_exam(app, boss, key="", title="Screening, round 2", scheduled_date=later)
    submit(app.candidate(verification="not_submitted"))
    with begin(app.runtime) as work:
        mails.send(work, "accounts.email_code", app.candidate(is_email_verified=False).email)
        work.db.execute(update(Mail).values(state="failed", last_error="No connection."))
        notify(work, [boss.id], "Screening, round 1", "The exam is open.")
    app.run_task("dashboards.season")
    return boss


def tell(site, person, *subjects):
    with begin(site.service.runtime) as work:
        for subject in subjects:
            notify(work, [person.id], subject, "Please come at nine.")


@pytest.mark.essential
def test_the_first_view_is_small_and_leads_to_the_day_of_an_open_exam(site):
    boss = season(site)
    device, loaded = site.device(), []
    device.on("requestfinished", lambda request: loaded.append((request.url, request.sizes())))
    page = site.signed_in(boss, "/console/", context=device)
    page.get_by_role("navigation").get_by_role("link", name="Exam day 1").wait_for()
    page.get_by_role("link", name="Watch the exam Screening, round 1").wait_for()
    sizes = {url: each["responseBodySize"] for url, each in loaded if "/v1/" not in url}
    # The limit is for the compressed files, with the icon.
    assert sum(sizes.values()) <= 120 * 1024, sorted(sizes.items(), key=lambda each: -each[1])
    page.get_by_role("link", name="Exam day 1").click()
    page.get_by_role("heading", name="Exam days").wait_for()


def test_an_organiser_of_a_new_league_sees_where_to_begin(site):
    manager = site.service.staff("manager")
    site.service.run_task("dashboards.season")
    page = site.signed_in(manager, "/console/")
    page.get_by_text("This league has no exam yet.").wait_for()
    for name in ("Invite your colleagues", "Write questions", site.address):
        page.get_by_role("main").get_by_role("link", name=name).wait_for()
    page.get_by_role("link", name="Plan the first exam").click()
    page.get_by_role("heading", name="Plan an exam").wait_for()
    make_exam(site.service, site.service.staff("admin"))
    site.service.run_task("dashboards.season")
    page.goto("/console/")
    page.get_by_role("link", name="Watch the exam").wait_for()
    assert page.get_by_text("This league has no exam yet.").count() == 0


def test_each_to_do_links_to_the_page_where_it_is_done(site):
    page = site.signed_in(season(site), "/console/", viewport=PHONE)
    page.get_by_role("link", name="Review one person's documents").wait_for()
    page.get_by_role("link", name="Choose the questions of one exam").wait_for()
    step = page.get_by_role("link", name="Watch the exam Screening, round 1")
    assert step.get_attribute("href").endswith("/day")
    page.get_by_role("link", name="One email could not be sent").click()
    page.get_by_role("heading", name="Emails", level=1).wait_for()
    page.get_by_text("No connection.").wait_for()


def test_the_navigation_counts_what_waits_and_failures_of_the_service_are_to_dos(site):
    app, boss = site.service, site.service.staff("superadmin")
    soon = (app.clock.now + timedelta(hours=1)).isoformat()
    empty = make_exam(app, boss, key="", title="Screening, round 2", scheduled_date=soon)
    exam_id = make_exam(app, boss, key="A", title="Screening, round 1")
    asks = app.candidate()
    sit(app, asks, exam_id, "A")
    boss.post(f"/exams/{exam_id}/conclude/", status=200)
    app.run_jobs()
    publish(app, boss)
    asks.post(f"/exams/{exam_id}/appeals/", {"text": "I gave two answers."}, status=201)
    for _ in range(2):
        submit(app.candidate(verification="not_submitted"))
    report = {"status": "success", "environment": "prod", "backup_filename": "league.dump"}
    now = app.clock.now
    app.anonymous.post("/webhooks/db-backup/", {**report, "timestamp": now.isoformat()})
    with begin(app.runtime) as work:
        work.db.execute(update(BackupReport).values(received_at=now - timedelta(days=3)))
        jobs.enqueue(work, "leaderboard.publish")
        work.db.flush()
        waits = (Job.name == "leaderboard.publish", Job.state != "done")
        work.db.execute(update(Job).where(*waits).values(state="failed", finished_at=now))
    app.run_task("dashboards.season")
    page = site.signed_in(boss, "/console/")
    todos = page.get_by_role("main").get_by_role("listitem")
    for name, address in (
        ("One exam is not ready: a check fails", f"/console/exams/{empty}?step=checks"),
        ("One job of the service has failed", "/console/house/jobs"),
        ("The backups are late", "/console/house/service"),
    ):
        link = todos.get_by_role("link", name=name)
        assert link.get_attribute("href") == address
    todos.filter(has_text="The backups are late").get_by_text("last success 3 days ago").wait_for()
    menu = page.get_by_role("navigation", name="Console")
    for name in (f"Home {page.locator('.todos a').count()}", "Documents 2", "Appeals 1"):
        menu.get_by_role("link", name=name, exact=True).wait_for()


def test_a_new_to_do_appears_without_waiting_for_the_poll(site):
    app = site.service
    manager = app.staff("manager")
    app.run_task("dashboards.season")
    page = site.signed_in(manager, "/console/")
    page.add_init_script(NO_POLLS)
    page.reload()
    page.get_by_text("This league has no exam yet.").wait_for()
    page.locator(".connection.live").wait_for(state="attached")
    submit(app.candidate(verification="not_submitted"))
    with begin(app.runtime) as work:
        NUMBERS.refresh(work)
    page.get_by_role("link", name="Review one person's documents").wait_for()


def test_the_last_thirty_days_are_a_picture_and_a_table(site):
    app = site.service
    for ago in (0, 1, 1):
        app.candidate(date_joined=app.clock.now - timedelta(days=ago))
    app.run_task("dashboards.season")
    page = site.signed_in(app.staff("moderator"), "/console/")
    figure = page.get_by_role("figure", name="The last 30 days")
    figure.get_by_role("img", name="The last 30 days").wait_for()
    figure.get_by_text("Show the numbers").click()
    rows = figure.get_by_role("row").all_inner_texts()
    assert len(rows) == 31
    assert [each.split("\t")[1] for each in rows[-2:]] == ["2", "1"]


def test_other_plugins_give_their_kinds_of_to_dos_words_and_an_address(site):
    page = site.signed_in(site.service.staff("admin"), "/console/account")

    def with_module(route):
        config = route.fetch().json()
        config["modules"] = {"console": ["/static/addition.js"]}
        route.fulfill(json=config)

    def with_todos(route):
        found = route.fetch().json()
        known = {"kind": "imports.rows", "count": 3, "oldest": None, "link": "elsewhere"}
        unknown = {"kind": "other.kind", "count": 2, "oldest": None, "link": "other/page"}
        route.fulfill(json={**found, "todo": [known, unknown]})

    page.route("**/pages/config.json", with_module)
    page.route("**/v1/dashboard/staff/", with_todos)
    page.route(
        "**/static/addition.js",
        lambda route: route.fulfill(body=ADDITION, content_type="text/javascript"),
    )
    page.goto("/console/")
    own = page.get_by_role("link", name="Look at 3 rows")
    assert own.get_attribute("href") == "/console/imports"
    other = page.get_by_role("link", name="other.kind: 2")
    assert other.get_attribute("href") == "/console/other/page"


def test_the_first_page_shows_only_actions_that_the_rank_allows(site):
    site.tolerate(SIGNING_OUT)
    app = site.service
    volunteer = app.staff("volunteer")
    tell(site, volunteer, "Saturday")
    page = site.signed_in(volunteer, "/console/")
    page.get_by_text("Please come at nine.").wait_for()
    page.get_by_role("button", name="Mark one as read").click()
    page.get_by_role("button", name="Mark one as read").wait_for(state="detached")
    assert page.get_by_role("heading", name="To do").count() == 0
    page = site.signed_in(app.staff("moderator"), "/console/")
    page.get_by_text("Nothing to do right now.").wait_for()
    page.get_by_role("heading", name="Numbers").wait_for()
    page = site.signed_in(app.staff("sponsor"), "/console/")
    page.get_by_text("There is nothing for sponsors here yet.").wait_for()
    page = site.signed_in(app.candidate(), "/console/")
    page.get_by_role("link", name="Go to the portal").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("heading", name="Sign in").wait_for()


def test_the_first_page_in_every_view(site):
    boss = season(site)
    for number in range(30):
        site.service.candidate(("screening", "league", "final")[number % 3])
    exam = make_exam(site.service, boss, title="League, round 1", stage="league")
    score(site.service, boss, exam, site.service.candidate("league"), 71.25)
    site.service.run_task("dashboards.season")
    page = site.signed_in(boss, "/console/")
    every_view(page, "console-home-home", lambda it: it.locator("figure").first.wait_for())
    volunteer = site.service.staff("volunteer")
    page = site.signed_in(volunteer, "/console/")
    every_view(page, "console-home-volunteer", lambda it: it.locator(".empty").wait_for())
    tell(site, volunteer, "Friday", "Saturday")
    first = volunteer.get("/notifications/").json["results"][-1]["id"]
    volunteer.patch(f"/notifications/{first}/mark-as-read/", status=200)
    page.goto("/console/notifications")
    every_view(page, "console-home-notifications", lambda it: it.get_by_role("table").wait_for())


def test_all_notifications_are_read_on_a_page_of_their_own(site):
    site.tolerate("status of 404")
    volunteer = site.service.staff("volunteer")
    tell(site, volunteer, "Friday")
    page = site.signed_in(volunteer, "/console/")
    page.get_by_role("button", name="Mark one as read").wait_for()
    tell(site, volunteer, *(f"Saturday {number}" for number in range(21)))
    page.reload()
    page.get_by_text("Saturday 20").wait_for()
    # The page shows five of them.
    expect(page.get_by_role("button", name="Mark")).to_have_count(0)
    page.get_by_role("link", name="All notifications").click()
    page.get_by_text("22 notifications").wait_for()
    page.locator(".connection.live").wait_for(state="attached")
    tell(site, volunteer, "Sunday")
    page.get_by_role("button", name="Mark as read (Sunday)").click()
    page.get_by_role("button", name="Mark 22 as read").wait_for()
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("rowheader", name="Friday").get_by_text("Please come at nine.").wait_for()
    page.get_by_label("State").select_option("Unread")
    page.get_by_role("link", name="Next page").click()
    page.get_by_role("button", name="Mark as read (Friday)").click()
    page.get_by_role("button", name="Mark as read (Saturday 0)").click()
    # The second page has lost its rows.
    page.get_by_text("1 to 20 of 20").wait_for()
    page.get_by_role("button", name="Mark 20 as read").click()
    page.get_by_text("20 notifications are marked as read.").wait_for()
    page.get_by_text("Nothing matches these filters: State: Unread.").wait_for()
    page.get_by_role("button", name="Clear filters").first.click()
    page.get_by_text("23 notifications").wait_for()
