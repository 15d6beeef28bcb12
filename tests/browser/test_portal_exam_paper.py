"""The paper on the page of an exam: proves that its images are shown, also without a connection.

After each test, `proof` compares the answers that the page has called saved with those that the
service has.
"""

import io
import re

import pytest
from PIL import Image

from competition.testing.exam_day import make_exam
from tests.plugins.questions.test_images_in_questions import IMAGES, add
from tests.support.browser import PHONE, SCREEN, faults, wait_for
from tests.support.exam_page import ALL_SAVED, IN_NO_TIME, choose, ends, says, submit
from tests.support.programs import CHROMIUM, needs_program

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

# The size of a phone's page if the user enlarges it to 200 %.
PHONE_ZOOMED = {"width": PHONE["width"] // 2, "height": PHONE["height"] // 2}
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
