"""Broadcasts in the console: written, sent after the number is confirmed, and followed."""

import pytest
from playwright.sync_api import expect
from sqlalchemy import update

from competition.core.mail.models import Mail
from competition.core.work import begin
from tests.support.browser import PHONE, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

BODY = {
    "subject": "The final is on Saturday",
    "message": "Dear all,\n\nThe final begins at 10:00.\n\nGood luck!",
    "mediums": ["email", "platform"],
    "target_roles": {"candidate": ["final"], "staff": ["volunteer"]},
}


@pytest.fixture
def manager(site):
    return site.service.staff("manager")


@pytest.fixture
def finalists(site):
    """Three candidates of the final. The account of a fourth one is deactivated."""
    site.service.candidate("final", is_active=False)
    return [site.service.candidate("final") for _ in range(3)]


def test_a_broadcast_is_sent_to_the_number_of_people_that_was_confirmed(site, manager, finalists):
    page = site.signed_in(manager, "/console/broadcasts", viewport=PHONE)
    page.get_by_text("You have not sent any broadcasts yet.").wait_for()
    page.get_by_role("link", name="New broadcast").click()
    page.get_by_text("Nobody is chosen yet.").wait_for()
    page.get_by_role("button", name="Check and send").click()
    page.get_by_text("Choose at least one group of candidates or staff.").first.wait_for()
    page.get_by_role("checkbox", name="Final: 3").check()
    page.get_by_text("3 people now.").wait_for()
    page.get_by_role("textbox", name="Subject").fill(BODY["subject"])
    page.get_by_role("textbox", name="Text").fill(BODY["message"])
    expect(page.get_by_role("figure")).to_have_count(2)
    button = page.get_by_role("button", name="Send to 3 people")
    before = button.get_attribute("class")
    button.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("3 people get this now (Email, On the platform).").wait_for()
    assert site.service.mails() == []
    assert dialog.get_by_role("button", name="Send to 3 people").get_attribute("class") == before
    dialog.get_by_role("button", name="Send to 3 people").click()
    page.get_by_role("heading", name=BODY["subject"], level=1).wait_for()
    site.service.run_jobs()
    page.get_by_text("Recipients on all channels: 6 of 6").wait_for()
    page.get_by_text("Emails sent: 3 of 3").wait_for()
    assert {each["To"] for each in site.service.mails()} == {each.email for each in finalists}
    page.get_by_role("link", name="Broadcasts", exact=True).first.click()
    page.get_by_role("link", name=BODY["subject"]).wait_for()


def test_a_message_survives_a_reload(site, manager):
    page = site.signed_in(manager, "/console/broadcasts/new")
    page.get_by_role("textbox", name="Text").fill("Dear all,")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_role("textbox", name="Text")).to_have_value("Dear all,")


def test_emails_that_failed_are_counted_with_what_to_do(site, manager, finalists):
    row = manager.post("/broadcasts/", BODY, status=201).json
    site.service.run_jobs()
    with begin(site.service.runtime) as work:
        work.db.execute(update(Mail).values(state="failed"))
    page = site.signed_in(manager, f"/console/broadcasts/{row['id']}")
    page.get_by_text("3 emails could not be sent.").wait_for()
    page.get_by_text("A superadmin can send them again.").wait_for()
    page = site.signed_in(site.service.staff("superadmin"), f"/console/broadcasts/{row['id']}")
    page.get_by_role("link", name="Show the emails and send them again").wait_for()


def test_emails_that_wait_are_not_shown_as_sent(site, manager, finalists):
    row = manager.post("/broadcasts/", BODY, status=201).json
    site.service.run_jobs()
    with begin(site.service.runtime) as work:
        work.db.execute(update(Mail).values(state="pending"))
    page = site.signed_in(manager, f"/console/broadcasts/{row['id']}")
    page.get_by_text("Emails sent: 0 of 3").wait_for()
    email = page.get_by_role("row", name="Final Email")
    expect(email).to_contain_text("Being sent")
    expect(email).to_contain_text("0 sent, 3 waiting, 0 failed.")
    expect(email).not_to_contain_text("Sent to")
    expect(page.get_by_role("row", name="Final On the platform")).not_to_contain_text("Being sent")


def test_the_pages_in_every_view(site, manager, finalists):
    row = manager.post("/broadcasts/", BODY, status=201).json
    site.service.run_jobs()
    page = site.signed_in(manager, "/console/broadcasts")
    every_view(
        page, "console-broadcasts-list", lambda page: page.get_by_text("Saturday").wait_for()
    )
    page.goto("/console/broadcasts/new")
    page.get_by_role("checkbox", name="Final: 3").check()
    page.get_by_role("textbox", name="Subject").fill(BODY["subject"])
    page.get_by_role("textbox", name="Text").fill(BODY["message"])
    page.on("dialog", lambda dialog: dialog.accept())
    every_view(
        page, "console-broadcasts-new", lambda page: page.get_by_role("figure").nth(1).wait_for()
    )
    page.goto(f"/console/broadcasts/{row['id']}")
    every_view(page, "console-broadcasts-one", lambda page: page.get_by_role("table").wait_for())
