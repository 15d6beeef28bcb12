"""The review of identity documents in the console."""

from PIL import Image, ImageDraw
from playwright.sync_api import expect

from competition.plugins.verification import VerificationSettings
from competition.testing.identity_papers import PDF, documents, encoded, submit
from tests.support.browser import arrived, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff-Montmorency"


def picture(text, size=(900, 600), colour="lightsteelblue"):
    drawn = Image.new("RGB", size, colour)
    ImageDraw.Draw(drawn).text((60, 60), text, fill="black", font_size=48)
    return encoded(drawn, "PNG")


def waiting(site, first_name, last_name, **files):
    person = site.service.candidate(
        first_name=first_name, last_name=last_name, verification="not_submitted"
    )
    sent = {
        "face_id": ("face.png", picture("face", (600, 800), "burlywood")),
        "id_card": ("card.png", picture(f"IDENTITY CARD\n\n{first_name} {last_name}")),
        "verification_document": ("letter.png", picture("Hillside School", (700, 990), "white")),
    }
    submit(person, documents(**{**sent, **files}))
    site.service.clock.advance(minutes=1)
    return person


def becomes(page, site, person, state):
    """Wait until the service has the decision."""
    wait_for(page, lambda: site.service.user(person).verification == state)


def test_the_lists_of_documents_lead_to_a_review_whose_decision_can_be_undone(site):
    runtime = site.service.runtime
    runtime.settings = runtime.settings.replace(VerificationSettings, review_changes=True)
    boss = site.service.staff("manager", first_name="Maria", last_name="Okafor")
    people = [
        waiting(site, first, last)
        for first, last in (
            ("Dayo", "Bello"),
            ("Ezra", LONG_NAME),
            ("Amara", LONG_NAME),
            ("Ben", "Carter"),
        )
    ]
    dayo, ezra, amara, ben = people
    rejection = {"is_rejected": True, "rejection_reason": "Too dark."}
    for person, body in ((dayo, {"is_approved": True}), (ezra, rejection)):
        boss.post(f"/user/verification/action/{person.id}/", body, status=200)
    dayo.patch("/account-management/", {"last_name": LONG_NAME})
    page = site.signed_in(boss, "/console/documents")
    arrived(page, "Documents")
    every_view(
        page, "console-documents-list", lambda page: page.get_by_text("Ben Carter").wait_for()
    )
    for tab in ("changes", "approved", "rejected"):
        page.goto(f"/console/documents?tab={tab}")
        arrived(page, "Documents")
        every_view(
            page,
            f"console-documents-{tab}",
            lambda page: page.locator("tbody tr").first.wait_for(),
        )
    page.get_by_role("button", name="Start reviewing").click()
    arrived(page, f"Amara {LONG_NAME}")
    page.get_by_role("button", name="Approve").click()
    status = page.get_by_role("status").filter(has_text="Approving Amara")
    status.get_by_role("button", name="Undo").click()
    arrived(page, f"Amara {LONG_NAME}")
    page.keyboard.press("a")
    # The next person is shown before the decision is sent.
    arrived(page, "Ben Carter")
    assert site.service.user(amara).verification == "pending"
    # Leaving the review sends it.
    page.get_by_role("link", name="Candidates").click()
    becomes(page, site, amara, "approved")
    arrived(page, "Candidates")
    assert site.service.user(ben).verification == "pending"


def test_documents_are_rejected_sent_again_and_approved_by_keyboard(site):
    # The browser's PDF viewer requests its own files.
    site.tolerate("request: chrome(-extension)?://")
    amara = waiting(site, "Amara", "Obi", verification_document=("letter.pdf", PDF))
    boss = site.service.staff("manager", first_name="Maria", last_name="Okafor")
    page = site.signed_in(boss, f"/console/documents/{amara.id}")
    arrived(page, "Amara Obi")
    page.locator("iframe[title='School letter']").wait_for()
    every_view(
        page,
        "console-documents-review",
        lambda page: page.locator("svg[role=img]").nth(1).wait_for(),
    )
    page.keyboard.press("r")
    page.get_by_role("alert").get_by_text("Choose a reason before you reject.").wait_for()
    page.keyboard.press("Space")
    page.get_by_label("More for the person").fill("Take the picture by daylight.")
    page.keyboard.press("Tab")
    page.keyboard.press("r")
    arrived(page, "Documents")
    page.get_by_role("row", name="Amara Obi").get_by_text("about to be sent").wait_for()
    page.close(run_before_unload=True)
    page = site.signed_in(boss, "/console/documents")
    becomes(page, site, amara, "rejected")
    reason = amara.get("/user/verification/status/").json["rejection_reason"]
    assert reason == "The card can't be read. Take the picture by daylight."
    card = {"id_card": ("card.png", picture("IDENTITY CARD"))}
    amara.upload("PATCH", "/user/verification/upload/", card, status=200)
    page.goto(f"/console/documents/{amara.id}")
    arrived(page, "Amara Obi")
    expect(page.get_by_text(f"The reason: {reason}")).to_be_visible()
    page.keyboard.press("a")
    becomes(page, site, amara, "approved")
