"""Results, with the paper and the receipt, in the portal."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.exams.models import ExamQuestion
from competition.plugins.notifications import NotificationSettings
from competition.testing.exam_day import make_exam, publish, season, sit
from tests.support.browser import PHONE, PICTURES, every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)
MATCHES = "The receipt is genuine and matches your answers."


def held(site, sheets, **exam):
    """An exam that is over and published. Returns its id and the candidates."""
    admin = site.service.staff("admin")
    exam_id, people = season(site.service, admin, sheets, **exam)
    publish(site.service, admin)
    return exam_id, people


def question(page, number):
    heading = page.get_by_role("heading", name=f"Question {number}", exact=True)
    return page.locator(".sheet").filter(has=heading)


@pytest.mark.essential
def test_a_candidate_reads_a_result_and_verifies_its_receipt(site):
    exam_id, [person, _] = held(site, ["AB A", "ABCD"], key="ABCD")
    page = site.signed_in(person, "/results", viewport=PHONE)
    page.get_by_role("link", name="Screening").click()
    page.get_by_role("heading", name="Screening", level=1).wait_for()
    page.get_by_text("50%").first.wait_for()
    page.get_by_text("2 of 2").wait_for()
    page.get_by_text(MATCHES).wait_for()
    question(page, 3).get_by_text("Not answered").wait_for()
    question(page, 4).get_by_text("Wrong", exact=True).wait_for()
    assert question(page, 4).get_by_role("radio", name="A, 1").is_checked()
    page.get_by_role("link", name="Wrong or blank").click()
    question(page, 1).wait_for(state="detached")
    page.get_by_role("link", name="Appeal against question 4").wait_for()

    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the receipt").click()
    receipt = json.loads(Path(saved.value.path()).read_text())
    assert receipt == person.get(f"/exams/{exam_id}/receipt/").json


def test_a_printed_receipt_has_what_is_needed_to_verify_it(site):
    exam_id, [person] = held(site, ["AB"], key="AB")
    page = site.signed_in(person, "/exams")
    page.context.add_init_script("window.print = () => {}")
    page.goto(f"/results/{exam_id}")
    page.get_by_text(MATCHES).wait_for()
    page.get_by_role("button", name="Print the receipt").click()
    page.emulate_media(media="print")
    sheet = page.locator(".print-sheet")
    sheet.get_by_role("heading", name="Receipt: Screening").wait_for()
    receipt = person.get(f"/exams/{exam_id}/receipt/").json
    for name in ("signature", "digest", "salt", "key_id"):
        sheet.get_by_text(receipt[name]).wait_for()
    assert page.get_by_role("button", name="Print the receipt").count() == 0
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / "portal-results-print.png", full_page=True)


def test_a_browser_without_ed25519_lets_the_service_verify_the_receipt(site):
    exam_id, [person] = held(site, ["AB"], key="AB")
    page = site.signed_in(person, "/exams")
    page.context.add_init_script("crypto.subtle.generateKey = () => Promise.reject(new Error())")
    with page.expect_response("**/receipts/verify/"):
        page.goto(f"/results/{exam_id}")
    page.get_by_text(MATCHES).wait_for()


def test_a_changed_receipt_is_not_genuine(site):
    exam_id, [person] = held(site, ["AB"], key="AB")
    page = site.signed_in(person, "/exams")

    def change(route):
        receipt = route.fetch()
        route.fulfill(response=receipt, json={**receipt.json(), "answered": 1})

    page.route("**/receipt/", change)
    page.goto(f"/results/{exam_id}")
    page.get_by_text("The signature of this receipt is not valid.").wait_for()


def test_until_the_embargo_ends_there_are_answers_and_no_score(site):
    service, admin = site.service, site.service.staff("admin")
    fields = {"key": "AB", "scores_visible": "at_publication"}
    exam_id, [person] = season(service, admin, ["AC"], **fields)
    service.run_jobs()
    # No leaderboard is published yet, so the API returns 404.
    site.tolerate("404")
    runtime = service.runtime
    runtime.settings = runtime.settings.replace(NotificationSettings, on=("boards",))
    page = site.signed_in(person, f"/results/{exam_id}")
    page.get_by_text("The league has not released the scores of this exam yet.").wait_for()
    page.get_by_text("The correct answers appear here when").wait_for()
    assert question(page, 2).get_by_role("radio", name="C, 3").is_checked()
    assert page.get_by_text("Correct", exact=True).count() == 0
    assert page.get_by_role("link", name="Appeal against").count() == 0
    # The socket reports the publication.
    page.get_by_text("Live", exact=True).wait_for()
    publish(service, admin)
    page.get_by_text("1 of 1").wait_for()
    question(page, 2).get_by_text("Wrong", exact=True).wait_for()


def test_while_others_can_submit_there_is_only_the_receipt(site):
    service, admin = site.service, site.service.staff("admin")
    exam_id, person = make_exam(service, admin, "AB"), service.candidate()
    sit(service, person, exam_id, "AB")
    page = site.signed_in(person, f"/results/{exam_id}")
    page.get_by_text(
        "You can read your answers when the exam is over for all candidates."
    ).wait_for()
    page.get_by_text("The receipt is genuine.").wait_for()
    assert page.get_by_role("radio").count() == 0


def test_an_answer_that_another_exam_needs_is_withheld_in_words(site):
    service, admin = site.service, site.service.staff("admin")
    exam_id, [person] = season(service, admin, ["AB"], key="AB")
    with begin(service.runtime) as work:
        statement = select(ExamQuestion.question_id).where(ExamQuestion.exam_id == exam_id)
        first = work.db.scalars(statement.order_by(ExamQuestion.position)).first()
    other = make_exam(service, admin, key="", round=2, questions=[first])
    assert other != exam_id
    publish(service, admin)
    page = site.signed_in(person, f"/results/{exam_id}")
    page.get_by_text("The correct answer to one question is withheld").wait_for()
    question(page, 1).get_by_text("Correct answer withheld").wait_for()
    question(page, 2).get_by_text("Correct", exact=True).first.wait_for()


def test_a_result_of_another_candidate_is_not_shown(site):
    exam_id, _ = held(site, ["AB"], key="AB")
    page = site.signed_in(site.service.candidate(), f"/results/{exam_id}")
    page.get_by_text("You have no result in this exam.").wait_for()
    site.tolerate("404")


TEXTS = [
    r"Which number is the largest prime factor of \(2^{10} - 1\)?",
    r"The numbers \(x\) and \(y\) satisfy \(x + y = 10\) and \(xy = 24\). What is \(x^2 + y^2\)?",
    r"What is \(\frac{1}{2} + \frac{1}{3}\)?",
]


def fill(site):
    """Questions with formulas, as a candidate would see them."""
    service, admin = site.service, site.service.staff("admin")
    options = {
        "option_a": r"\(\frac{5}{6}\)",
        "option_b": "52",
        "option_c": r"\(50 + \sqrt{2}\)",
        "option_d": "None of these",
        "correct_answer": "B",
    }
    ids = [
        admin.post("/questions/", {"text": text, **options}, status=201).json["id"]
        for text in TEXTS
    ]
    exam_id = make_exam(service, admin, key="", title="Number theory", questions=ids)
    person = service.candidate(first_name="Amara", last_name="Bello")
    for one, sheet in ((person, "BA "), (service.candidate(), "BBB")):
        sit(service, one, exam_id, sheet)
    admin.post(f"/exams/{exam_id}/conclude/")
    publish(service, admin)
    # A second exam, whose scores are visible only after its publication.
    held_back = {"key": "AB", "title": "Geometry", "round": 2, "scores_visible": "at_publication"}
    closed = make_exam(service, admin, **held_back)
    sit(service, person, closed, "AB")
    admin.post(f"/exams/{closed}/conclude/")
    return exam_id, person


def test_the_results_look_right_everywhere(site):
    exam_id, person = fill(site)
    page = site.signed_in(person, "/results")
    every_view(page, "portal-results-list", lambda each: each.get_by_text("Geometry").wait_for())
    page.goto(f"/results/{exam_id}")
    every_view(page, "portal-results-one", lambda each: each.locator(".note.ok").wait_for())
