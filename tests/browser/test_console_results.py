"""The results of an exam in the console: regrades, printed papers, and saved answers.

`tests/pages/console/results` has what the pages show for which reply.
"""

import re

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, score_of, season, take
from tests.support.browser import arrived, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

KEY = "ABCD"
# The key of the third question is C, but the best candidates chose B.
SHEETS = ["ABBD"] * 12 + ["ABBC"] * 4 + ["DCCA"] * 4 + ["D CB", "CACA"] * 2
SCHOOL = "Wolfeschlegelsteinhausenbergerdorff School"
REASON = "The third question has two right answers."


@pytest.fixture
def admin(site):
    return site.service.staff("admin")


@pytest.fixture
def exam(site, admin):
    """The id of an exam that is over and scored, and its candidates."""
    exam_id, people = season(site.service, admin, SHEETS, key=KEY)
    site.service.clock.advance(minutes=6)
    site.service.run_jobs()
    return exam_id, people


def table(page):
    page.get_by_role("table").first.wait_for()


def test_an_alarm_leads_to_a_regrade_that_is_previewed_applied_and_reverted(site, admin, exam):
    exam_id, people = exam
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results?tab=analysis")
    suspected = page.get_by_role("table", name="One question may have a wrong key")
    suspected.wait_for()
    every_view(page, "console-results-analysis", lambda it: it.locator("svg").first.wait_for())
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download as a table").click()
    download = saved.value
    expected = admin.get(f"/exams/{exam_id}/analysis/?format=csv").body
    assert download.path().read_bytes() == expected
    # The link works once: if it is used again, the download fails, and the page stays.
    page.route("**/v1/downloads/links/", lambda route: route.fulfill(json={"url": download.url}))
    with page.expect_download() as failed:
        page.get_by_role("button", name="Download as a table").click()
    assert failed.value.failure() is not None
    suspected.get_by_role("link", name="Question 3").click()
    arrived(page, "Correct question 3")
    every_view(page, "console-results-new", lambda it: it.locator("textarea").wait_for())
    page.get_by_role("textbox", name="Reason").fill(REASON)
    page.get_by_role("checkbox", name=re.compile("^B")).check()
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("16 of 24 scores change: up 16, down 0.").wait_for()
    page.get_by_text("75.00 → 100.00").first.wait_for()
    every_view(page, "console-results-regrade", table)
    assert score_of(site.service, people[0], exam_id) == 75
    page.get_by_role("button", name="Apply to 16 scores").click()
    page.get_by_role("dialog").get_by_role("button", name="Apply to 16 scores").click()
    page.get_by_text("The correction was applied. 16 scores have changed.").wait_for()
    assert score_of(site.service, people[0], exam_id) == 100
    page.get_by_role("button", name="Revert").click()
    page.get_by_role("button", name="Revert for 16 scores").click()
    page.get_by_text("The correction was reverted.").wait_for()
    assert score_of(site.service, people[0], exam_id) == 75
    page.get_by_role("link", name="Corrections").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("Reverted")
    every_view(page, "console-results-regrades", table)
    page.get_by_role("link", name="Correct a question").first.click()
    every_view(page, "console-results-choose", table)


def test_the_saved_answers_of_a_candidate_are_shown(site, admin):
    exam_id = make_exam(site.service, admin, KEY)
    person = site.service.candidate(first_name="Ada", last_name="Obi", school=SCHOOL)
    take(person, exam_id, status=200)
    question = admin.get(f"/exams/{exam_id}/questions/").json[1]["id"]
    body = {"sequence": 1, "answers": [{"question": question, "selected_option": "D"}]}
    person.put(f"/exams/{exam_id}/draft/", body, status=200)
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results/{person.id}")
    arrived(page, "Saved answers of Ada Obi")
    expect(page.get_by_role("row").nth(2)).to_contain_text("D")
    expect(page.get_by_role("row").nth(1)).to_contain_text("none")
    every_view(page, "console-results-answers", lambda it: it.get_by_role("row").nth(4).wait_for())


def test_scores_of_printed_papers_are_recorded_by_keyboard_alone(site, admin):
    app = site.service
    exam_id = make_exam(app, admin, KEY)
    ada = app.candidate(first_name="Ada", last_name="Obi", school=SCHOOL)
    ben = app.candidate(first_name="Ben", last_name="Carter", school=SCHOOL)
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results")
    page.get_by_role("link", name="Record printed papers").click()
    page.get_by_text("No candidate has a score yet.").wait_for()
    keys = page.keyboard
    page.get_by_role("searchbox", name="Candidate").focus()
    keys.type("wolfe")
    keys.press("Enter")
    expect(page.locator(":focus")).to_contain_text("Ben Carter")
    keys.press("Enter")
    expect(page.get_by_label("Right answers, at most 4")).to_be_focused()
    keys.type("3")
    keys.press("Enter")
    page.get_by_text("Recorded: Ben Carter, 75.00.").wait_for()
    keys.type("ada obi")
    keys.press("Enter")
    expect(page.get_by_label("Right answers, at most 4")).to_be_focused()
    page.get_by_label("The score in percent").check()
    page.get_by_label("Score in percent").last.fill("71,25")
    keys.press("Enter")
    page.get_by_text("Recorded: Ada Obi, 71.25.").wait_for()
    expect(page.get_by_role("searchbox", name="Candidate")).to_be_focused()
    expect(page.get_by_role("row").nth(1)).to_contain_text("Ada Obi")
    assert score_of(app, ben, exam_id) == 75
    assert score_of(app, ada, exam_id) == 71.25
    every_view(page, "console-results-printed", table)
    page.goto(f"/console/exams/{exam_id}/results")
    every_view(page, "console-results-scores", table)
