"""A candidate's identity documents: sent, rejected, replaced."""

import pytest

from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.identity_papers import PDF, photograph
from tests.support.browser import PHONE, every_view
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)

FACE = "Choose a file (A picture of your face)"
CARD = "Choose a file (Your identity card)"
LETTER = "Choose a file (A document that shows your school)"


@pytest.fixture
def sockets(sockets_with):
    # Decisions arrive as notifications.
    return sockets_with({"competition.notifications.on": "documents"})


def choose(page, label, name, kind, content):
    page.get_by_label(label).set_input_files({"name": name, "mimeType": kind, "buffer": content})


def test_three_documents_are_sent_rejected_and_replaced(site):
    service, person = site.service, site.service.candidate(verification="not_submitted")
    page = site.signed_in(person, "/documents", viewport=PHONE)
    choose(page, FACE, "face.png", "image/png", photograph("PNG"))
    page.get_by_role("img", name="A picture of your face, as it will be sent").wait_for()
    choose(page, CARD, f"{LONG}.pdf", "application/pdf", PDF)
    page.get_by_text(f"{LONG}.pdf").wait_for()
    every_view(
        page, "portal-documents-send", lambda page: page.locator(".document-picture").wait_for()
    )
    choose(page, LETTER, "letter.png", "image/png", photograph("PNG"))
    page.get_by_role("img", name="A document that shows your school").wait_for()
    page.get_by_role("button", name="Send three documents").click()
    page.get_by_text("We have received your documents.").wait_for()
    page.get_by_text("We are checking your documents.").wait_for()
    every_view(
        page, "portal-documents-wait", lambda page: page.locator(".document-list").wait_for()
    )
    with begin(service.runtime) as work:
        before = work.db.get_one(User, person.id).id_card
    decision = {"is_rejected": True, "rejection_reason": f"The card of {LONG} is too dark."}
    service.staff("manager").post(f"/user/verification/action/{person.id}/", decision)
    page.get_by_text(decision["rejection_reason"]).wait_for()
    choose(page, CARD, "card.png", "image/png", photograph("PNG"))
    page.get_by_role("img", name="Your identity card").wait_for()
    page.get_by_role("button", name="Send the chosen documents").click()
    page.get_by_text("We are checking your documents.").wait_for()
    with begin(service.runtime) as work:
        user = work.db.get_one(User, person.id)
        assert user.verification == "pending" and user.id_card != before and user.face_id
