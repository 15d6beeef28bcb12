"""A candidate sits an exam in Firefox, and in WebKit, the engine of Safari."""

import pytest

from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import make_exam
from competition.testing.service import PASSWORD
from competition.testing.waiting import wait_until
from tests.browser.test_console_questions import FORMULA
from tests.plugins.questions.test_images_in_questions import add
from tests.support.engines import Page, firefox, webkit
from tests.support.exam_page import stored
from tests.support.programs import CHROMIUM, FIREFOX, WEBKIT_DRIVER, XVFB, needs_program

# The fixture `site` starts Chromium too.
pytestmark = needs_program(CHROMIUM)

# JavaScript: whether a fraction is drawn as one, and not as two numbers in a line.
DRAWS_FRACTIONS = """
const [fraction, numerator] = ["mfrac", "mfrac mn"].map(each => document.querySelector(each));
return fraction.getBoundingClientRect().height > 1.5 * numerator.getBoundingClientRect().height;
"""


@pytest.mark.parametrize(
    "browser",
    [
        pytest.param(firefox, marks=needs_program(FIREFOX)),
        pytest.param(webkit, marks=[needs_program(WEBKIT_DRIVER), needs_program(XVFB)]),
    ],
)
def test_a_candidate_sits_an_exam_in_another_browser(site, tmp_path, browser):
    admin, ada = site.service.staff("admin"), site.service.candidate()
    questions = [add(admin, **FORMULA)["id"], add(admin, "Which number is even?")["id"]]
    exam_id = make_exam(site.service, admin, questions=questions)
    # The pages must verify the receipt themselves.
    site.line.rejected.add("POST /v1/receipts/verify/")
    with browser(tmp_path) as engine:
        page = Page(engine)
        engine.open(f"{site.address}/sign-in")
        page.write("[name=email]", ada.email)
        page.write("[type=password]", PASSWORD)
        page.press("button", "Sign in")
        page.shows("Hello", "h1")

        engine.open(f"{site.address}/exams/{exam_id}")
        page.press("button", "Start")
        page.press(".option", "B")
        page.shows("Your answer is saved at", ".bar")
        assert stored(site, Draft, exam_id) == ["B"]
        assert engine.run(DRAWS_FRACTIONS)

        def is_kept():
            """Reload, and return whether the service worker has the page from now on."""
            engine.open(f"{site.address}/exams/{exam_id}")
            page.shows("Your answer is saved at", ".bar")
            return engine.run("return navigator.serviceWorker.controller !== null")

        wait_until(is_kept)
        site.line.cut.add(engine.run("return navigator.userAgent"))
        page.press("button", "Next")
        page.shows("Question 2 of 2", "h1")
        page.press(".option", "C")
        page.shows("One answer saved on this device only.", ".bar")
        engine.open(f"{site.address}/exams/{exam_id}")
        page.shows("One answer saved on this device only.", ".bar")
        site.line.cut.clear()
        page.shows("All 2 answers saved at", ".bar")
        assert stored(site, Draft, exam_id) == ["BC"]

        page.press("a", "All questions")
        page.press("button", "Submit now")
        page.press("dialog button", "Submit 2 answers")
        page.shows("matches the answers on this device", "main")
        assert stored(site, Submission, exam_id) == ["BC"]
        engine.open(f"{site.address}/results/{exam_id}")
        page.shows("The receipt is genuine", "main .note")
