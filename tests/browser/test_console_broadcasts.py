"""Broadcasts in the console: written, sent after the number is confirmed, and followed.

`tests/pages/console/broadcasts` has what the pages show for which reply.
"""

from playwright.sync_api import expect

from tests.support.browser import PHONE, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

SUBJECT = "The final in Wolfeschlegelsteinhausenbergerdorff is on Saturday"
MESSAGE = "Dear all,\n\nThe final begins at 10:00.\n\nGood luck!"


def test_a_broadcast_is_sent_to_the_number_of_people_that_was_confirmed(site):
    # The account of a fourth candidate is deactivated.
    site.service.candidate("final", is_active=False)
    finalists = [site.service.candidate("final") for _ in range(3)]
    page = site.signed_in(site.service.staff("manager"), "/console/broadcasts", viewport=PHONE)
    page.get_by_role("link", name="New broadcast").click()
    page.get_by_role("checkbox", name="Final: 3").check()
    page.get_by_role("textbox", name="Subject").fill(SUBJECT)
    page.get_by_role("textbox", name="Text").fill(MESSAGE)
    # What was typed survives a reload.
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_role("textbox", name="Text")).to_have_value(MESSAGE)
    every_view(
        page, "console-broadcasts-new", lambda it: it.get_by_role("figure").nth(1).wait_for()
    )
    page.get_by_role("button", name="Send to 3 people").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("3 people get this now (Email, On the platform).").wait_for()
    assert site.service.mails() == []
    dialog.get_by_role("button", name="Send to 3 people").click()
    arrived(page, SUBJECT)
    site.service.run_jobs()
    page.get_by_text("Recipients on all channels: 6 of 6").wait_for()
    page.get_by_text("Emails sent: 3 of 3").wait_for()
    assert {each["To"] for each in site.service.mails()} == {each.email for each in finalists}
    every_view(page, "console-broadcasts-one", lambda it: it.get_by_role("table").wait_for())
    page.get_by_role("link", name="Broadcasts", exact=True).first.click()
    page.get_by_role("link", name=SUBJECT).wait_for()
    every_view(page, "console-broadcasts-list", lambda it: it.get_by_text("Saturday").wait_for())
