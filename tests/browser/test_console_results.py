"""The results of an exam in the console: scores, questions, saved answers, and regrades."""

import re

import pytest
from playwright.sync_api import expect

from competition.testing.exam_day import make_exam, publish, score_by_hand, score_of, season, take
from tests.support.browser import PHONE, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

KEY = "ABCD"
# The key of the third question is C, but the best candidates chose B.
SHEETS = ["ABBD"] * 12 + ["ABBC"] * 4 + ["DCCA"] * 4 + ["D CB", "CACA"] * 2
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


def test_the_scores_can_be_sorted_and_searched(site, admin, exam):
    exam_id, people = exam
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results")
    page.get_by_text("24 scores found").wait_for()
    page.get_by_role("button", name=re.compile("^Score$")).click()
    page.get_by_role("columnheader", name="Score", exact=False).first.get_by_role("button").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("75.00")
    page.get_by_role("searchbox").fill(people[-1].email)
    page.get_by_text("One score found").wait_for()


def test_an_exam_that_is_over_leads_to_its_leaderboard_until_it_is_published(site, admin, exam):
    site.tolerate(r"404.*leaderboard/")
    exam_id, _ = exam
    page = site.signed_in(admin, "/console/exams")
    page.get_by_text("One exam is over, and its results are not published yet.").wait_for()
    page.goto(f"/console/exams/{exam_id}/results")
    page.get_by_role("link", name="Publish the leaderboard").click()
    page.get_by_role("heading", name="Publish leaderboards", level=1).wait_for()
    expect(page.get_by_role("checkbox").first).to_be_checked()
    publish(site.service, admin)
    # The dashboard may be a minute old.
    site.service.clock.advance(minutes=1)
    with page.expect_response("**/dashboard/staff/"):
        page.goto("/console/exams")
    page.get_by_text("No exam is open or planned.").wait_for()
    expect(page.get_by_text("not published yet")).to_have_count(0)


def test_the_list_of_exams_explains_that_the_dashboard_could_not_be_read(site, admin):
    site.tolerate("status of 500")
    page = site.signed_in(admin, "/console/account")
    page.route("**/dashboard/staff/", lambda route: route.fulfill(status=500, body=""))
    page.goto("/console/exams")
    page.locator("main").get_by_role("button", name="Try again").wait_for()
    page.unroute("**/dashboard/staff/")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Try again").wait_for(state="detached")
    page.get_by_text("No exam is open or planned.").wait_for()


@pytest.mark.essential
def test_an_alarm_leads_to_a_regrade_that_is_previewed_applied_and_reverted(site, admin, exam):
    exam_id, people = exam
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results?tab=analysis")
    suspected = page.get_by_role("table", name="One question may have a wrong key")
    suspected.get_by_role("link", name="Question 3").click()
    page.get_by_role("heading", name="Correct question 3").wait_for()
    page.get_by_role("textbox", name="Reason").fill(REASON)
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("These options already count as right. Choose others.").last.wait_for()
    page.get_by_role("checkbox", name=re.compile("^B")).check()
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("16 of 24 scores change: up 16, down 0.").wait_for()
    page.get_by_text("75.00 → 100.00").first.wait_for()
    assert score_of(site.service, people[0], exam_id) == 75
    page.get_by_role("button", name="Apply to 16 scores").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(REASON).wait_for()
    dialog.get_by_role("button", name="Apply to 16 scores").click()
    page.get_by_text("The correction was applied. 16 scores have changed.").wait_for()
    assert score_of(site.service, people[0], exam_id) == 100
    page.get_by_role("button", name="Revert").click()
    page.get_by_role("button", name="Revert for 16 scores").click()
    page.get_by_text("The correction was reverted.").wait_for()
    assert score_of(site.service, people[0], exam_id) == 75
    page.get_by_role("link", name="Regrades").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("Question 3: accept B, C")
    expect(page.get_by_role("row").nth(1)).to_contain_text("Reverted")


@pytest.mark.parametrize(
    ("how", "named", "effect", "scores"),
    [
        (
            "Everyone gets the credit, also for a blank answer",
            "Question 3: credit for everyone",
            "16 of 24 scores change: up 16, down 0.",
            (100, 25),
        ),
        (
            "The question no longer counts",
            "Question 3: no longer counts",
            "24 of 24 scores change: up 16, down 8.",
            (100, 0),
        ),
    ],
)
def test_a_question_is_credited_to_everyone_or_left_out(
    site, admin, exam, how, named, effect, scores
):
    exam_id, people = exam
    page = site.signed_in(admin, f"/console/exams/{exam_id}/regrades/new")
    page.get_by_role("link", name="Question 3").click()
    page.get_by_role("radio", name=how).check()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    page.get_by_role("textbox", name="Reason").fill(REASON)
    page.get_by_role("button", name="Preview").click()
    page.get_by_text(effect).wait_for()
    page.get_by_role("button", name=re.compile("^Apply to")).click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Apply to")).click()
    page.get_by_text("The correction was applied.").wait_for()
    # Candidate 0 chose B. Candidate 16 chose C, which was right, and has no other right answer.
    assert tuple(score_of(site.service, people[at], exam_id) for at in (0, 16)) == scores
    page.get_by_role("link", name="Regrades").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text(named)


def test_the_browser_downloads_the_analysis_by_a_link_that_works_once(site, admin, exam):
    exam_id, _ = exam
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results?tab=analysis")
    button = page.get_by_role("button", name="Download as a table")
    with page.expect_download() as saved:
        button.click()
    download = saved.value
    assert "?format=csv&ticket=" in download.url
    assert download.suggested_filename.endswith(".csv")
    expected = admin.get(f"/exams/{exam_id}/analysis/?format=csv").body
    assert download.path().read_bytes() == expected
    # A used link is rejected: the download fails, and the page stays.
    page.route("**/v1/downloads/links/", lambda route: route.fulfill(json={"url": download.url}))
    with page.expect_download() as failed:
        button.click()
    assert failed.value.failure() is not None
    button.wait_for()


def test_an_outdated_preview_is_not_applied_and_can_be_made_again(site, admin, exam):
    exam_id, _ = exam
    questions = admin.get(f"/exams/{exam_id}/questions/").json
    first, second = (
        admin.post(
            f"/exams/{exam_id}/regrades/",
            {"changes": [{"question": questions[at]["id"], "credit_all": True}], "reason": REASON},
            status=201,
        ).json
        for at in (2, 3)
    )
    page = site.signed_in(admin, f"/console/exams/{exam_id}/regrades/{first['id']}")
    page.get_by_role("button", name=re.compile("^Apply to")).wait_for()
    admin.post(f"/exams/{exam_id}/regrades/{second['id']}/apply/", status=200)
    site.tolerate("status of 400")
    page.get_by_role("button", name=re.compile("^Apply to")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=re.compile("^Apply to")).click()
    dialog.get_by_text("Nothing was applied.").wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Preview again").click()
    page.wait_for_url(re.compile(f"/regrades/(?!{first['id']}$)"))
    page.get_by_role("button", name=re.compile("^Apply to")).click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Apply to")).click()
    page.get_by_text("The correction was applied.").wait_for()


def test_the_saved_answers_of_a_candidate_are_shown(site, admin):
    exam_id = make_exam(site.service, admin, KEY)
    person = site.service.candidate(first_name="Ada", last_name="Obi")
    take(person, exam_id, status=200)
    question = admin.get(f"/exams/{exam_id}/questions/").json[1]["id"]
    body = {"sequence": 1, "answers": [{"question": question, "selected_option": "D"}]}
    person.put(f"/exams/{exam_id}/draft/", body, status=200)
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results/{person.id}")
    page.get_by_role("heading", name="Saved answers of Ada Obi").wait_for()
    page.get_by_text("1 of 4 questions").wait_for()
    expect(page.get_by_role("row").nth(2)).to_contain_text("D")
    expect(page.get_by_role("row").nth(1)).to_contain_text("none")
    every_view(
        page, "console-results-answers", lambda page: page.get_by_role("row").nth(4).wait_for()
    )


def test_an_exam_without_submissions_says_what_will_come(site, admin):
    exam_id = make_exam(site.service, admin, KEY)
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results")
    page.get_by_text("A score appears here a moment after each submission.").wait_for()
    site.tolerate("status of 404")
    page.get_by_role("link", name="Questions").last.click()
    page.get_by_text("appear here after the first submission").wait_for()


def test_every_view_of_the_results(site, admin, exam):
    exam_id, _ = exam
    questions = admin.get(f"/exams/{exam_id}/questions/").json
    body = {
        "changes": [{"question": questions[2]["id"], "accept": ["B", "C"]}],
        "reason": REASON,
    }
    regrade = admin.post(f"/exams/{exam_id}/regrades/", body, status=201).json
    start = f"/console/exams/{exam_id}"
    page = site.signed_in(admin, f"{start}/results", viewport=PHONE)

    def table(page):
        page.get_by_role("table").first.wait_for()

    def form(page):
        page.locator("textarea").wait_for()

    for path, name, ready in (
        ("results", "scores", table),
        ("results?tab=analysis", "analysis", lambda page: page.locator("svg").first.wait_for()),
        ("regrades", "regrades", table),
        ("regrades/new", "choose", table),
        (
            f"regrades/new?question={questions[2]['id']}",
            "new",
            form,
        ),
        (f"regrades/{regrade['id']}", "regrade", table),
        ("printed", "printed", table),
    ):
        page.goto(f"{start}/{path}")
        every_view(page, f"console-results-{name}", ready)


def test_scores_of_printed_papers_are_recorded_by_keyboard_alone(site, admin):
    app = site.service
    exam_id = make_exam(app, admin, KEY)
    ada = app.candidate(first_name="Ada", last_name="Obi", school="Hillside School")
    ben = app.candidate(first_name="Ben", last_name="Carter", school="Hillside School")
    page = site.signed_in(admin, f"/console/exams/{exam_id}/results")
    page.get_by_role("link", name="Record printed papers").click()
    page.get_by_text("No candidate has a score yet.").wait_for()
    keys = page.keyboard
    page.get_by_role("searchbox", name="Candidate").focus()
    keys.type("hillside")
    keys.press("Enter")
    expect(page.locator(":focus")).to_contain_text("Ben Carter")
    keys.press("Enter")
    right = page.get_by_label("Right answers, at most 4")
    expect(right).to_be_focused()
    keys.type("5")
    keys.press("Enter")
    page.get_by_text("Write a whole number from 0 to 4.").last.wait_for()
    right.fill("3")
    page.get_by_text("Ben Carter gets 75.00 of 100 points in “Screening”.").wait_for()
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


def test_a_score_is_not_replaced_without_asking(site, admin):
    app = site.service
    exam_id = make_exam(app, admin, KEY)
    ada = app.candidate(first_name="Ada", last_name="Obi")
    page = site.signed_in(admin, f"/console/exams/{exam_id}/printed", viewport=PHONE)
    search = page.get_by_role("searchbox", name="Candidate")
    search.fill("Ada Obi")
    search.press("Enter")
    # A colleague records the same paper first.
    page.get_by_label("Right answers, at most 4").fill("4")
    score_by_hand(admin, exam_id, ada, 50, status=200)
    page.get_by_role("button", name="Record the score").click()
    dialog = page.get_by_role("dialog", name="Replace the score of Ada Obi?")
    dialog.get_by_role("button", name="Cancel").click()
    assert score_of(app, ada, exam_id) == 50
    expect(page.get_by_label("Right answers, at most 4")).to_have_value("4")
    page.get_by_role("button", name="Record the score").click()
    dialog.get_by_role("button", name="Replace 50.00 by 100.00").click()
    page.get_by_text("Recorded: Ada Obi, 100.00.").wait_for()
    assert score_of(app, ada, exam_id) == 100
    search.fill("Ada Obi")
    page.get_by_role("button", name="has 100.00").click()
    page.get_by_text("Ada Obi has the score 100.00 in this exam.").wait_for()
    search.wait_for(state="detached")
    page.get_by_role("button", name="Choose another candidate").click()
    expect(search).to_be_focused()
    search.fill("nobody")
    page.get_by_text("No candidate has this name.").wait_for()
