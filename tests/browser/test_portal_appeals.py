"""Appeals in the portal."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.testing.exam_day import publish, season
from tests.support.browser import PHONE, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)
REASONS = "Option C is right as well: zero is an even number."


def held(site):
    """A published exam. Returns its id, the candidate and an admin."""
    admin = site.service.staff("admin")
    exam_id, [person] = season(site.service, admin, ["AB"], key="AC", title="Number theory")
    publish(site.service, admin)
    return exam_id, person, admin


def appeal(page, reasons):
    page.get_by_label("Your reasons").fill(reasons)
    page.get_by_role("button", name="Send the appeal").click()


@pytest.mark.essential
def test_a_candidate_appeals_from_a_wrong_answer_and_reads_the_reply(site):
    exam_id, person, admin = held(site)
    page = site.signed_in(person, f"/results/{exam_id}", viewport=PHONE)
    page.get_by_role("link", name="Appeal against question 2").click()
    page.get_by_label("What is the appeal about?").wait_for()
    assert page.get_by_role("radio", name="B, 2").is_checked()
    appeal(page, REASONS)
    page.get_by_text("The league has received your appeal.").wait_for()
    page.get_by_text("Waiting for a reply").wait_for()

    [made] = person.get(f"/exams/{exam_id}/appeals/").json["results"]
    reply = {"answer": "You are right.", "status": "accepted"}
    admin.post(f"/appeals/{made['id']}/answer/", reply)
    page.reload()
    page.get_by_text("You are right.").wait_for()
    page.get_by_text("Accepted", exact=True).wait_for()
    page.get_by_role("link", name="Question 2").wait_for()


def test_a_rejected_appeal_keeps_what_was_typed(site):
    exam_id, person, _ = held(site)
    person.post(f"/exams/{exam_id}/appeals/", {"question": None, "text": "-"})
    page = site.signed_in(person, f"/appeals/new?exam={exam_id}")
    page.get_by_label("Your reasons").wait_for()
    site.tolerate("400")
    appeal(page, REASONS)
    page.get_by_role("alert").get_by_text("You have already appealed about this").wait_for()
    assert page.get_by_label("Your reasons").input_value() == REASONS
    with begin(site.service.runtime) as work:
        earlier = work.now - timedelta(days=8)
        work.db.execute(update(Exam).where(Exam.id == exam_id).values(published_at=earlier))
    site.tolerate("403")
    page.get_by_label("What is the appeal about?").select_option("Question 1")
    page.get_by_role("button", name="Send the appeal").click()
    page.get_by_text("appeal against this result. It is not published").wait_for()


def test_a_candidate_who_has_taken_no_exam_reads_when_they_can_appeal(site):
    page = site.signed_in(site.service.candidate(), "/appeals")
    page.get_by_text("You have not taken an exam yet").wait_for()


def test_the_appeals_look_right_everywhere(site):
    exam_id, person, admin = held(site)
    path = f"/exams/{exam_id}/appeals/"
    made = person.post(path, {"question": first_question(person, exam_id), "text": REASONS}).json
    reply = {"answer": "You are right, and both options count now.", "status": "accepted"}
    admin.post(f"/appeals/{made['id']}/answer/", reply)
    person.post(path, {"question": None, "text": "My paper was read as another one."})
    page = site.signed_in(person, "/appeals")
    every_view(page, "portal-appeals-list", lambda each: each.locator(".note").wait_for())
    page.goto(f"/appeals/new?exam={exam_id}&question={first_question(person, exam_id)}")
    every_view(page, "portal-appeals-new", lambda each: each.locator("textarea").wait_for())


def first_question(person, exam_id):
    return person.get(f"/exams/{exam_id}/submitted-answers/").json["answers"][0]["question_id"]
