"""Appeals in the console, with the question and the candidate's answer beside them.

`tests/pages/console/appeals` has what the pages show for which reply.
"""

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.exams.models import ExamQuestion
from competition.testing.exam_day import publish, season
from tests.support.browser import PHONE, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

LONG = "The first round of Wolfeschlegelsteinhausenbergerdorff"
TEXT = "Zero is an even number, so B is right, too."


@pytest.fixture
def admin(site):
    return site.service.staff("admin")


@pytest.fixture
def appeals(site, admin):
    """An open appeal about the second question, and an open one about the whole result."""
    app = site.service
    exam_id, [amara, ben] = season(app, admin, ["AA", "A "], key="AB", title=LONG)
    app.clock.advance(minutes=6)
    publish(app, admin)
    with begin(app.runtime) as work:
        second = work.db.scalar(
            select(ExamQuestion.question_id).filter_by(exam_id=exam_id, position=1)
        )
    body = {"question": second, "text": TEXT}
    amara.post(f"/exams/{exam_id}/appeals/", body, status=201)
    ben.post(f"/exams/{exam_id}/appeals/", {"text": "I gave two answers."}, status=201)
    return amara, ben


def test_an_appeal_is_answered_beside_the_question_and_the_answer(site, admin, appeals):
    amara, _ = appeals
    name = site.service.user(amara).full_name
    page = site.signed_in(admin, "/console/appeals", viewport=PHONE)
    page.get_by_text("2 appeals").wait_for()
    every_view(page, "console-appeals-list", lambda it: it.get_by_text(TEXT).wait_for())
    page.get_by_role("row").filter(has_text=TEXT).get_by_role("link").click()
    arrived(page, f"Appeal of {name}")
    choices = page.get_by_role("listitem").filter(has=page.locator("kbd"))
    expect(choices.nth(0)).to_contain_text("Candidate's answer")
    expect(choices.nth(1)).to_contain_text("Correct")
    every_view(page, "console-appeals-one", lambda it: it.locator("kbd").nth(3).wait_for())
    page.get_by_role("radio", name="Reject: the result stands").check()
    page.get_by_role("textbox", name="Your answer").fill("Zero is not in the set.")
    page.get_by_role("button", name="Check and send").click()
    page.get_by_role("button", name="Reject one appeal").click()
    page.get_by_text(f"{name} was notified of your answer.").wait_for()
    page.get_by_text("One appeal").wait_for()
    page.get_by_role("link", name="Rejected").click()
    page.get_by_role("row").filter(has_text=TEXT).get_by_role("link").click()
    page.get_by_text("Zero is not in the set.").wait_for()
    page.get_by_role("link", name=name).click()
    own = page.get_by_role("table", name="Appeals")
    own.get_by_role("row").filter(has_text=TEXT).get_by_text("Rejected").wait_for()
    # The other candidate's appeal is not there.
    expect(own.get_by_role("row")).to_have_count(2)
