"""What an exam leaves on a shared computer: nothing after the submission. The images of a paper are
requested slowly.
"""

import io
import re
import threading

import pytest
from PIL import Image

from competition.testing.exam_day import make_exam
from competition.testing.waiting import PATIENCE
from tests.plugins.questions.test_images_in_questions import IMAGES, add, shows
from tests.support.browser import faults, wait_for
from tests.support.exam_page import ALL_SAVED, choose, ends, says, submit
from tests.support.programs import CHROMIUM, needs_program

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

COLOURS = ("navy", "teal", "olive", "maroon")
# The paths of the cached images, and whether there is a cache.
CACHED = """caches.has('exam-images').then(has => !has ? [] : caches.open('exam-images')
  .then(cache => cache.keys()).then(keys => keys.map(each => new URL(each.url).pathname)))"""

NOTE_BEFOREUNLOAD = """(add => {
  window.addEventListener = (name, ...others) => {
    if (name === "beforeunload") window.asks = true;
    add(name, ...others);
  };
})(window.addEventListener.bind(window))"""


@pytest.fixture
def images(site):
    """One image per question of the exam."""
    site.service.runtime.public_url = site.address
    admin, found = site.service.staff("admin"), []
    for colour in COLOURS:
        buffer = io.BytesIO()
        Image.new("RGB", (8, 6), colour).save(buffer, "PNG")
        form = {"file": (f"{colour}.png", buffer.getvalue()), "alt": colour}
        found.append(admin.upload("POST", IMAGES, form, status=201).json)
    return found


@pytest.fixture
def exam_id(site, images):
    site.tolerate(r"Failed to load resource|bad HTTP response code \(50[24]\)")
    admin = site.service.staff("admin")
    questions = [add(admin, f"What is {shows(each)}?")["id"] for each in images]
    return make_exam(site.service, admin, questions=questions, title="Screening, round 1")


def kept(page):
    """The keys under which the browser has stored exams, for this tab or permanently."""
    names = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
    return page.evaluate(f"{names}.filter(each => each.startsWith('exam.'))")


def test_on_a_shared_computer_an_exam_and_its_images_go_with_the_receipt(
    site, sit, exam_id, images
):
    requested, first = [], threading.Event()
    paths = [re.sub(r"^https?://[^/]+", "", each["url"]) for each in images]

    def hold(called):
        path = called.removeprefix("GET ")
        if path in paths:
            requested.append(path)
        if path == paths[0]:
            first.wait(PATIENCE)

    site.line.after.append(hold)
    site.prepare.append(lambda device: device.add_init_script(NOTE_BEFOREUNLOAD))
    page = sit(site.service.candidate(), has_touch=False)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    # The page requests the images that it shows now and next. All others wait for their turn.
    assert set(requested) <= set(paths[:2])
    first.set()
    wait_for(page, lambda: page.evaluate(CACHED) == paths)
    # An exam has nothing to lose, and browsers keep a page without this listener for Back.
    assert page.evaluate("'asks' in window") is False
    submit(page)
    ends(page, "matches the answers on this device")
    wait_for(page, lambda: page.evaluate(CACHED) == [])
    # A reload does not leave the receipt.
    page.reload()
    ends(page, "matches the answers on this device")
    page.get_by_text("when you leave this page, your answers are deleted here").wait_for()
    assert faults(page) == []
    page.get_by_role("link", name="Results").click()
    page.wait_for_url(re.compile("/results/"))
    wait_for(page, lambda: kept(page) == [])
    # The candidate is still signed in.
    page.get_by_role("button", name="Menu").wait_for()
    page.goto(f"/exams/{exam_id}")
    ends(page, "The league has received your answer to one of 4 questions.")
