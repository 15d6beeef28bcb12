"""The paper on the page of an exam: proves that its images are shown, also without a connection,
and that candidates can answer and move with keys, see all questions, and hide the clock.

After each test, `proof` compares the answers that the page has called saved with those that the
service has.
"""

import io
import re

import pytest
from PIL import Image

from competition.plugins.drafts.models import Draft
from competition.testing.exam_day import make_exam
from tests.browser.test_portal_exam import PHONE_ZOOMED
from tests.plugins.questions.test_images_in_questions import IMAGES, add
from tests.support.browser import PHONE, PICTURES, SCREEN, faults, wait_for
from tests.support.exam_page import ALL_SAVED, IN_NO_TIME, choose, ends, says, shown, stored, submit
from tests.support.programs import CHROMIUM, needs_program

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

WIDTH, HEIGHT = 1600, 400
# JavaScript: the addresses of the images that the page keeps.
KEPT_IMAGES = """
caches.has("exam-images").then(has => has ? caches.open("exam-images") : null)
  .then(cache => cache?.keys() ?? []).then(keys => keys.map(each => each.url))
"""


def upload(person, alt):
    """Upload an image that is wider than a phone."""
    buffer = io.BytesIO()
    Image.new("RGB", (WIDTH, HEIGHT), "navy").save(buffer, "PNG")
    form = {"file": ("figure.png", buffer.getvalue()), "alt": alt}
    return person.upload("POST", IMAGES, form, status=201).json


def picture(page, name):
    """The image with this alternative text, when the browser has loaded it."""
    image = page.get_by_role("img", name=name)
    image.wait_for()
    wait_for(page, lambda: image.evaluate("each => each.naturalWidth") == WIDTH)
    return image


def test_images_of_a_paper_are_shown_and_stay_without_a_connection_until_they_are_forgotten(
    site, proof
):
    site.tolerate("Failed to load resource|Cache.addAll")
    admin, ada = site.service.staff("admin"), site.service.candidate()
    images = [upload(admin, f"Figure {number}") for number in (1, 2, 3, 4)]
    questions = [
        add(admin, f"How wide is [image:{image['id']}]?")["id"] for image in images[:3]
    ] + [add(admin, "Which is the widest?", option_c=f"[image:{images[3]['id']}]")["id"]]
    exam_id = make_exam(site.service, admin, questions=questions)
    proof.expect(exam_id, ada)
    device = site.device(viewport=PHONE, has_touch=True, user_agent="phone")
    device.add_init_script(IN_NO_TIME)
    page = site.signed_in(ada, f"/exams/{exam_id}", context=device)
    page.get_by_role("button", name="Start").click()
    for viewport in (SCREEN, PHONE_ZOOMED, PHONE):
        page.set_viewport_size(viewport)
        box = picture(page, "Figure 1").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"]
        assert box["width"] / box["height"] == pytest.approx(WIDTH / HEIGHT, rel=0.02)
    assert faults(page) == []
    page.screenshot(path=PICTURES / "portal-exam-image.png")
    wait_for(page, lambda: len(page.evaluate(KEPT_IMAGES)) == len(images))
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    picture(page, "Figure 1")
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.cut.add("phone")
    # The browser keeps images too. Only those that the page keeps are sure to be there.
    device.new_cdp_session(page).send("Network.clearBrowserCache")
    page.reload()
    for number in (4, 3, 2, 1):
        page.get_by_role("link", name=re.compile(f"^Question {number}:")).first.click()
        picture(page, f"Figure {number}")
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    site.line.cut.clear()
    says(page, "All 2 answers saved at")
    submit(page)
    ends(page, "The league has received your answers to 2 of 4 questions.")
    page.get_by_role("button", name="Forget on this device").click()
    page.wait_for_url(re.compile("/home$"))
    wait_for(page, lambda: page.evaluate(KEPT_IMAGES) == [])


def is_at(page, number):
    """Wait until this question is shown, and has the focus for screen readers."""
    page.get_by_role("heading", level=1, name=f"Question {number} of 12").wait_for()
    wait_for(page, lambda: page.url.endswith(f"#{number}"))


def test_the_keys_choose_and_turn_pages_and_the_address_keeps_the_place(site, sit, exam_id):
    page = sit(site.service.candidate(), viewport=SCREEN)
    keys = page.keyboard
    for number, (key, turn) in enumerate(zip("4b2a", ["n", "PageDown", "n", "n"], strict=True), 1):
        is_at(page, number) if number > 1 else None
        keys.press(key)
        page.get_by_role("link", name=re.compile(f"^Question {number}: [A-D]")).wait_for()
        keys.press(turn)
    is_at(page, 5)
    keys.press("p")
    is_at(page, 4)
    keys.press("PageUp")
    is_at(page, 3)
    # The arrows choose among the options, as in every group of radio buttons.
    page.get_by_role("radio", name=re.compile("^B, ")).focus()
    keys.press("ArrowDown")
    page.get_by_role("link", name=re.compile("^Question 3: C")).wait_for()
    # The first page and the last one have no neighbour.
    page.get_by_role("link", name=re.compile("^Question 12:")).first.click()
    is_at(page, 12)
    keys.press("n")
    page.reload()
    is_at(page, 12)
    page.go_back()
    is_at(page, 3)
    says(page, "All 4 answers saved at")
    assert shown(page) == "DBCA"
    assert stored(site, Draft, exam_id) == ["DBCA"]
    # A user of other keys can switch these off.
    keys.press("?")
    dialog = page.get_by_role("dialog")
    for action in ("Choose D", "Next", "Back", "Flag"):
        dialog.get_by_text(action, exact=True).first.wait_for()
    dialog.get_by_role("checkbox").uncheck()
    dialog.get_by_role("button", name="Close").click()
    keys.press("d")
    keys.press("n")
    page.get_by_role("button", name="Next").click()
    is_at(page, 4)
    assert shown(page) == "DBCA"


def test_a_candidate_sees_all_questions_on_one_page_and_goes_to_one_of_them(site, sit, exam_id):
    page = sit(site.service.candidate(), viewport=SCREEN)
    assert page.get_by_role("radio").count() == 4
    page.get_by_role("button", name="All questions on one page").click()
    question = page.get_by_role("region", name="Question 9")
    question.wait_for()
    assert page.get_by_role("radio").count() == 4 * 12
    page.get_by_role("link", name=re.compile("^Question 9:")).first.click()
    wait_for(page, lambda: question.evaluate("it => it.getBoundingClientRect().top < innerHeight"))
    question.get_by_role("radio", name=re.compile("^B, ")).click()
    says(page, ALL_SAVED)
    # The keys act on the question that has the focus, not on the one in the address.
    page.get_by_role("region", name="Question 3").get_by_role(
        "radio", name=re.compile("^A, ")
    ).focus()
    page.keyboard.press("c")
    page.get_by_role("link", name=re.compile("^Question 3: C")).wait_for()
    # The device remembers the choice.
    page.reload()
    page.get_by_role("button", name="One question at a time").click()
    wait_for(page, lambda: page.get_by_role("radio").count() == 4)
    is_at(page, 9)
    says(page, ALL_SAVED)
    assert stored(site, Draft, exam_id) == ["..C.....B"]


def test_a_hidden_clock_stays_hidden_until_the_last_five_minutes(site, sit, exam_id):
    page = sit(site.service.candidate())
    timer = page.get_by_role("timer")
    page.get_by_role("button", name="Hide", exact=True).click()
    page.get_by_role("button", name="Show", exact=True).wait_for()
    assert timer.count() == 0
    page.reload()
    page.get_by_role("button", name="Show", exact=True).wait_for()
    assert timer.count() == 0
    site.service.clock.advance(minutes=55, seconds=30)
    choose(page, 1, "B")
    timer.get_by_text(re.compile("^04:")).wait_for()
    assert page.get_by_role("button", name="Show", exact=True).count() == 0
    assert faults(page) == []
