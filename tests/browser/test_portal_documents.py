"""A candidate's identity documents: sent, rejected, replaced."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from competition.core.storage.contract import Storage
from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.identity_papers import PDF, encoded, photograph, submit
from tests.support.browser import PHONE, every_view, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


@pytest.fixture
def sockets(sockets_with):
    # Decisions arrive as notifications.
    return sockets_with({"competition.notifications.on": "documents"})


UPLOAD = "/v1/user/verification/upload/"
# The part of Exif that has the place where a picture was taken.
GPS = 0x8825
FACE = "Choose a file (A picture of your face)"
CARD = "Choose a file (Your identity card)"
LETTER = "Choose a file (A document that shows your school)"


def choose(page, label, name, kind, content):
    page.get_by_label(label).set_input_files({"name": name, "mimeType": kind, "buffer": content})


def reject(site, person, reason):
    body = {"is_rejected": True, "rejection_reason": reason}
    site.service.staff("manager").post(f"/user/verification/action/{person.id}/", body)


@pytest.mark.essential
def test_three_documents_are_shown_sent_rejected_and_replaced(site):
    service, person = site.service, site.service.candidate(verification="not_submitted")
    page = site.signed_in(person, "/documents", viewport=PHONE)
    page.get_by_role("button", name="Send three documents").click()
    page.get_by_role("link", name="A picture of your face: This document is missing.").wait_for()
    assert faults(page) == []
    choose(page, FACE, "notes.txt.jpg", "image/jpeg", b"no picture")
    page.get_by_text(re.compile("Your browser can.t read this picture")).wait_for()
    choose(page, FACE, "face.png", "image/png", photograph("PNG"))
    page.get_by_role("img", name="A picture of your face, as it will be sent").wait_for()
    choose(page, CARD, "card.pdf", "application/pdf", PDF)
    page.get_by_text("card.pdf").wait_for()
    choose(page, LETTER, "letter.png", "image/png", photograph("PNG"))
    page.get_by_role("img", name="A document that shows your school").wait_for()
    # No picture is called missing.
    assert page.get_by_text("This document is missing.", exact=True).count() == 0
    assert faults(page) == []
    page.get_by_role("button", name="Send three documents").click()
    page.get_by_text("We have received your documents.").wait_for()
    page.get_by_text("We are checking your documents.").wait_for()
    with begin(service.runtime) as work:
        before = work.db.get_one(User, person.id).id_card
    reject(site, person, "The card is too dark.")
    page.get_by_text("The card is too dark.").wait_for()
    choose(page, CARD, "card.png", "image/png", photograph("PNG"))
    page.get_by_role("img", name="Your identity card").wait_for()
    page.get_by_role("button", name="Send the chosen documents").click()
    page.get_by_text("We are checking your documents.").wait_for()
    with begin(service.runtime) as work:
        user = work.db.get_one(User, person.id)
        assert user.verification == "pending" and user.id_card != before and user.face_id


def test_a_large_picture_is_made_smaller_before_it_is_sent(site):
    service, person = site.service, site.service.candidate(verification="not_submitted")
    camera = Image.effect_noise((4000, 3000), 60).convert("RGB")
    original = encoded(camera, "JPEG")
    page = site.signed_in(person, "/documents", viewport=PHONE)
    choose(page, FACE, "face.jpg", "image/jpeg", original)
    page.get_by_role("img", name="A picture of your face, as it will be sent").wait_for()
    for label in (CARD, LETTER):
        choose(page, label, "other.pdf", "application/pdf", PDF)
    page.get_by_role("button", name="Send three documents").click()
    page.get_by_text("We have received your documents.").wait_for()
    with begin(service.runtime) as work:
        key = work.db.get_one(User, person.id).face_id
    with service.runtime[Storage].open(key) as file:
        sent = file.read()
    assert Image.open(io.BytesIO(sent)).size == (2000, 1500)
    assert len(sent) < len(original) / 2


def test_a_picture_is_sent_without_the_place_where_it_was_taken(site):
    service, person = site.service, site.service.candidate(verification="not_submitted")
    exif = Image.Exif()
    exif.get_ifd(GPS)[29] = "2026:11:26"
    buffer = io.BytesIO()
    Image.new("RGB", (200, 200), "navy").save(buffer, "JPEG", exif=exif)
    assert GPS in Image.open(buffer).getexif()
    page = site.signed_in(person, "/documents", viewport=PHONE)
    for label in (FACE, CARD, LETTER):
        choose(page, label, "taken.jpg", "image/jpeg", buffer.getvalue())
    expect(page.get_by_role("img", name="as it will be sent")).to_have_count(3)
    page.get_by_role("button", name="Send three documents").click()
    page.get_by_text("We have received your documents.").wait_for()
    with begin(service.runtime) as work:
        user = work.db.get_one(User, person.id)
        keys = [user.face_id, user.id_card, user.verification_document]
    for key in keys:
        with service.runtime[Storage].open(key) as file:
            sent = Image.open(io.BytesIO(file.read()))
        assert (sent.size, dict(sent.getexif())) == ((200, 200), {})


def test_an_upload_without_a_reply_is_not_sent_again(site):
    site.tolerate("Failed to load resource")
    sent = []
    site.line.after.append(lambda called: sent.append(called) if UPLOAD in called else None)
    site.line.lost.add(f"POST {UPLOAD}")
    person = site.service.candidate(verification="not_submitted")
    page = site.signed_in(person, "/documents", viewport=PHONE)
    for label in (FACE, CARD, LETTER):
        choose(page, label, "picture.png", "image/png", photograph("PNG"))
    expect(page.get_by_role("img", name="as it will be sent")).to_have_count(3)
    page.get_by_role("button", name="Send three documents").click()
    # The page reports a failure only after its last attempt.
    page.get_by_role("alert").wait_for()
    assert sent == [f"POST {UPLOAD}"]


def test_a_phone_offers_its_camera(site):
    person = site.service.candidate(verification="not_submitted")
    page = site.signed_in(person, "/documents", viewport=PHONE, has_touch=True, is_mobile=True)
    camera = page.get_by_label("Take a picture (A picture of your face)")
    assert camera.get_attribute("capture") == "user"
    assert camera.get_attribute("accept") == "image/jpeg,image/png"


def test_an_approved_candidate_has_nothing_to_send(site):
    page = site.signed_in(site.service.candidate(), "/documents")
    page.get_by_text("Your identity is approved.").wait_for()
    assert page.get_by_role("button", name="Send").count() == 0


def test_the_page_in_every_view(site):
    person = site.service.candidate(verification="not_submitted")
    page = site.signed_in(person, "/documents")

    def ready(page):
        page.locator(".document").nth(2).wait_for()
        picture = {"name": "a.png", "mimeType": "image/png", "buffer": photograph("PNG")}
        page.locator("input[type=file]").first.set_input_files(picture)
        page.locator(".document-picture").wait_for()

    every_view(page, "portal-documents-send", ready)


def test_the_page_of_a_candidate_who_waits_in_every_view(site):
    person = site.service.candidate(verification="not_submitted")
    submit(person)
    page = site.signed_in(person, "/documents")
    every_view(
        page, "portal-documents-wait", lambda page: page.locator(".document-list").wait_for()
    )
