"""Appeals in the console, with the question and the candidate's answer beside them."""

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.exams.models import ExamQuestion
from competition.testing.exam_day import make_exam, publish, season
from tests.support.browser import PHONE, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

TEXT = "Zero is an even number, so B is right, too."


@pytest.fixture
def admin(site):
    return site.service.staff("admin")


@pytest.fixture
def appeals(site, admin):
    """An open appeal about the second question, and an open one about the whole result."""
    app = site.service
    exam_id, [amara, ben] = season(app, admin, ["AA", "A "], key="AB", title="The first round")
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
    page.get_by_role("row").filter(has_text=TEXT).get_by_text("Question 2").wait_for()
    page.get_by_role("row").filter(has_text=TEXT).get_by_role("link").click()
    page.get_by_role("heading", name=f"Appeal of {name}", level=1).wait_for()
    page.get_by_text("Question 2 of 2").wait_for()
    choices = page.get_by_role("listitem").filter(has=page.locator("kbd"))
    expect(choices.nth(0)).to_contain_text("Candidate's answer")
    expect(choices.nth(1)).to_contain_text("Correct")
    page.get_by_role("radio", name="Reject: the result stands").check()
    page.get_by_role("textbox", name="Your answer").fill("Zero is not in the set.")
    page.get_by_role("button", name="Check and send").click()
    page.get_by_role("dialog").get_by_text(f"{name} is notified that the appeal").wait_for()
    page.get_by_role("button", name="Reject one appeal").click()
    page.get_by_text(f"{name} was notified of your answer.").wait_for()
    page.get_by_text("One appeal").wait_for()
    page.get_by_role("link", name="All", exact=True).click()
    page.get_by_role("row").filter(has_text=TEXT).get_by_text("Rejected", exact=True).wait_for()
    page.get_by_role("link", name="Rejected").click()
    page.get_by_role("row").filter(has_text=TEXT).get_by_role("link").click()
    page.get_by_text("Zero is not in the set.").wait_for()
    page.get_by_role("link", name=name).click()
    own = page.get_by_role("table", name="Appeals")
    own.get_by_role("row").filter(has_text=TEXT).get_by_text("Rejected").wait_for()
    # The other candidate's appeal is not there.
    expect(own.get_by_role("row")).to_have_count(2)


def test_an_accepted_appeal_names_the_correction_that_followed(site, admin, appeals):
    [row] = [each for each in admin.get("/appeals/").json["results"] if each["text"] == TEXT]
    exam = row["exam"]
    question = admin.get(f"/exams/{exam}/questions/").json[1]["id"]
    change = {"changes": [{"question": question, "accept": ["A", "B"]}], "reason": "Zero is even."}
    regrade = admin.post(f"/exams/{exam}/regrades/", change, status=201).json["id"]
    admin.post(f"/exams/{exam}/regrades/{regrade}/apply/", status=200)
    page = site.signed_in(admin, f"/console/appeals/{row['id']}")
    page.get_by_role("radio", name="Accept: the candidate is right").check()
    page.get_by_role("textbox", name="Your answer").fill("You are right.")
    corrections = page.get_by_role("combobox", name="Correction that followed")
    corrections.select_option(label=corrections.locator("option").nth(1).inner_text())
    page.get_by_role("button", name="Check and send").click()
    page.get_by_role("button", name="Accept one appeal").click()
    page.get_by_text("was notified of your answer.").wait_for()
    found = admin.get(f"/appeals/{row['id']}/").json
    assert (found["status"], found["regrade"]) == ("accepted", regrade)
    page.goto(f"/console/appeals/{row['id']}")
    page.get_by_role("link", name=f"Correction {regrade} of the answer key").click()
    page.get_by_text("Question 2: accept A, B").first.wait_for()


def test_hidden_answers_say_which_exam_hides_them_and_until_when(site, admin, appeals):
    with begin(site.service.runtime) as work:
        second = work.db.scalar(select(ExamQuestion.question_id).filter_by(position=1))
    make_exam(site.service, admin, key="", title="The second round", round=2, questions=[second])
    page = site.signed_in(admin, "/console/appeals")
    page.get_by_role("row").filter(has_text=TEXT).get_by_role("link").click()
    page.get_by_text("You see them when that exam is over and its results are published").wait_for()
    page.get_by_role("listitem").filter(has_text="The second round, opens or opened").wait_for()


def test_an_answer_of_another_person_is_noticed_and_what_was_typed_stays(site, admin, appeals):
    page = site.signed_in(admin, "/console/appeals")
    site.tolerate("400.*answer/")
    page.get_by_role("row").filter(has_text=TEXT).get_by_role("link").click()
    page.get_by_role("radio", name="Accept: the candidate is right").check()
    page.get_by_role("textbox", name="Your answer").fill("You are right.")
    [row] = [each for each in admin.get("/appeals/").json["results"] if each["text"] == TEXT]
    admin.post(f"/appeals/{row['id']}/answer/", {"answer": "No.", "status": "rejected"})
    page.get_by_role("button", name="Check and send").click()
    page.get_by_role("button", name="Accept one appeal").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("This appeal has already been answered.").wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("textbox", name="Your answer")).to_have_value("You are right.")


def test_moderators_read_appeals_but_do_not_answer_them(site, appeals):
    page = site.signed_in(site.service.staff("moderator"), "/console/appeals")
    page.get_by_role("row").filter(has_text=TEXT).get_by_role("link").click()
    page.get_by_text("Admins answer appeals.").wait_for()
    page.get_by_text("Question 2 of 2").wait_for()
    expect(page.get_by_role("button", name="Check and send")).to_have_count(0)


def test_the_pages_in_every_view(site, admin, appeals):
    page = site.signed_in(admin, "/console/appeals")
    every_view(page, "console-appeals-list", lambda page: page.get_by_text(TEXT).wait_for())
    page.get_by_role("row").filter(has_text=TEXT).get_by_role("link").click()
    every_view(page, "console-appeals-one", lambda page: page.locator("kbd").nth(3).wait_for())
