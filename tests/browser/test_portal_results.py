"""Results, with the paper and the receipt, in the portal."""

import json
from pathlib import Path

from competition.testing.exam_day import make_exam, publish, sit
from tests.support.browser import PHONE, arrived, every_view
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)
MATCHES = "matches your answers"
TITLE = f"Number theory of {LONG}"
TEXTS = [
    r"Which number is the largest prime factor of \(2^{10} - 1\)?",
    r"The numbers \(x\) and \(y\) satisfy \(x + y = 10\) and \(xy = 24\). What is \(x^2 + y^2\)?",
    r"What is \(\frac{1}{2} + \frac{1}{3}\)?",
]


def hold(site):
    """Publish an exam whose questions have formulas. Returns its id and its candidate, who has also
    taken an exam whose score is held back."""
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
    exam_id = make_exam(service, admin, key="", title=TITLE, questions=ids)
    person = service.candidate(first_name="Amara", last_name="Bello")
    for one, sheet in ((person, "BA "), (service.candidate(), "BBB")):
        sit(service, one, exam_id, sheet)
    admin.post(f"/exams/{exam_id}/conclude/")
    publish(service, admin)
    held_back = {"key": "AB", "title": "Geometry", "round": 2, "scores_visible": "at_publication"}
    closed = make_exam(service, admin, **held_back)
    sit(service, person, closed, "AB")
    admin.post(f"/exams/{closed}/conclude/")
    return exam_id, person


def test_a_candidate_reads_a_result_and_verifies_its_receipt(site):
    exam_id, person = hold(site)
    page = site.signed_in(person, "/results", viewport=PHONE)
    arrived(page, "Results")
    every_view(page, "portal-results-list", lambda each: each.get_by_text("Geometry").wait_for())
    page.get_by_role("link", name=TITLE).click()
    arrived(page, TITLE)
    page.get_by_text("33.33%").first.wait_for()
    page.get_by_text("2 of 2").wait_for()
    page.get_by_text(MATCHES).wait_for()
    every_view(page, "portal-results-one", lambda each: each.locator(".note.ok").wait_for())

    receipt = person.get(f"/exams/{exam_id}/receipt/").json
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the receipt").click()
    assert json.loads(Path(saved.value.path()).read_text()) == receipt
    page.evaluate("window.print = () => {}")
    page.get_by_role("button", name="Print the receipt").click()
    page.emulate_media(media="print")
    page.locator(".print-sheet").get_by_text(receipt["signature"]).wait_for()
    assert page.get_by_role("button", name="Print the receipt").count() == 0
