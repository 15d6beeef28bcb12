"""The review of identity documents in the console."""

import re

from PIL import Image, ImageDraw
from playwright.sync_api import expect

from competition.plugins.verification import VerificationSettings
from competition.testing.identity_papers import PDF, documents, encoded, submit
from competition.testing.waiting import wait_until
from tests.support.browser import every_view
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)


def picture(text, size=(900, 600), colour="lightsteelblue"):
    drawn = Image.new("RGB", size, colour)
    ImageDraw.Draw(drawn).text((60, 60), text, fill="black", font_size=48)
    return encoded(drawn, "PNG")


def waiting(site, first_name, last_name="Obi", **files):
    person = site.service.candidate(
        first_name=first_name, last_name=last_name, verification="not_submitted"
    )
    face = picture("face", (600, 800), "burlywood")
    card = picture(f"IDENTITY CARD\n\n{first_name} {last_name}")
    letter = picture("Hillside School\n\nTo whom it\nmay concern", (700, 990), "white")
    sent = {
        "face_id": ("face.png", face),
        "id_card": ("card.png", card),
        "verification_document": ("letter.png", letter),
    }
    submit(person, documents(**{**sent, **files}))
    site.service.clock.advance(minutes=1)
    return person


def manager(site, first_name="Maria", last_name="Okafor"):
    return site.service.staff("manager", first_name=first_name, last_name=last_name)


def heading(page, name):
    page.get_by_role("heading", name=name, level=1).wait_for()


def becomes(site, person, state):
    """Wait until the service has the decision."""
    wait_until(lambda: site.service.user(person).verification == state)


def test_an_approval_can_be_undone_until_it_is_sent(site):
    amara = waiting(site, "Amara")
    ben = waiting(site, "Ben", "Carter")
    page = site.signed_in(manager(site), "/console/documents")
    page.get_by_role("button", name="Start reviewing").click()
    heading(page, "Amara Obi")
    page.get_by_text("1 of 2 waiting").wait_for()
    page.get_by_role("img", name="Identity card").wait_for()
    page.get_by_role("button", name="Approve").click()
    # Without other steps before it, because the button disappears after four seconds.
    status = page.get_by_role("status").filter(has_text="Approving Amara Obi.")
    status.get_by_role("button", name="Undo").click()
    heading(page, "Amara Obi")
    page.wait_for_timeout(4_500)
    assert site.service.user(amara).verification == "pending"
    page.keyboard.press("a")
    # The next person is shown before the decision is sent.
    heading(page, "Ben Carter")
    status.wait_for()
    status.wait_for(state="detached")
    becomes(site, amara, "approved")
    assert site.service.user(ben).verification == "pending"


def test_a_rejection_by_keyboard_needs_a_reason_and_leaving_sends_it(site):
    amara = waiting(site, "Amara")
    page = site.signed_in(manager(site), f"/console/documents/{amara.id}")
    page.get_by_role("img", name="Identity card").wait_for()
    page.keyboard.press("r")
    page.get_by_role("alert").get_by_text("Choose a reason before you reject.").wait_for()
    page.keyboard.press("Space")
    page.get_by_label("More for the person").fill("Take the picture by daylight.")
    page.keyboard.press("Tab")
    page.keyboard.press("r")
    heading(page, "Documents")
    page.get_by_role("row", name="Amara Obi").get_by_text("about to be sent").wait_for()
    assert site.service.user(amara).verification == "pending"
    page.get_by_role("link", name="Candidates").click()
    heading(page, "Candidates")
    becomes(site, amara, "rejected")
    status = amara.get("/user/verification/status/").json
    reason = "The card can't be read. Take the picture by daylight."
    assert status["rejection_reason"] == reason


def test_skipped_people_are_shown_again(site):
    waiting(site, "Amara")
    waiting(site, "Ben", "Carter")
    page = site.signed_in(manager(site), "/console/documents")
    page.get_by_role("button", name="Start reviewing").click()
    for name in ("Amara Obi", "Ben Carter"):
        heading(page, name)
        page.get_by_role("img", name="Face").wait_for()
        page.keyboard.press("s")
    heading(page, "Documents")
    page.get_by_role("button", name="Start reviewing").click()
    heading(page, "Amara Obi")
    page.get_by_role("button", name="Approve").click()
    heading(page, "Ben Carter")
    page.get_by_role("status").filter(has_text="Approving Amara Obi.").wait_for()
    page.keyboard.press("u")
    heading(page, "Amara Obi")


def test_closing_the_page_sends_the_decision(site):
    amara = waiting(site, "Amara")
    page = site.signed_in(manager(site), f"/console/documents/{amara.id}")
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("status").filter(has_text="Approving Amara Obi.").wait_for()
    page.close(run_before_unload=True)
    becomes(site, amara, "approved")


def test_the_decision_of_another_manager_is_shown_and_the_review_continues(site):
    amara, ben = waiting(site, "Amara"), waiting(site, "Ben", "Carter")
    chloe = waiting(site, "Chloé", "Martin")
    tunde = manager(site, "Tunde", "Bello")
    page = site.signed_in(manager(site), f"/console/documents/{amara.id}")
    page.get_by_text("1 of 3 waiting").wait_for()
    for person in (amara, ben):
        tunde.post(f"/user/verification/action/{person.id}/", {"is_approved": True})
    page.keyboard.press("a")
    # Ben was next, but another manager has decided on him too.
    heading(page, "Chloé Martin")
    page.get_by_text("Tunde Bello has approved Ben Carter before you.").wait_for()
    page.get_by_text("Tunde Bello has approved Amara Obi before you.").wait_for()
    assert site.service.user(chloe).verification == "pending"
    site.tolerate("400 .*/user/verification/action/")


def test_documents_that_were_replaced_during_the_review_are_not_approved(site):
    amara = waiting(site, "Amara")
    page = site.signed_in(manager(site), f"/console/documents/{amara.id}")
    page.get_by_role("img", name="Identity card").wait_for()
    other = {"id_card": ("card.png", picture("IDENTITY CARD\n\nAnother Person"))}
    amara.upload("PATCH", "/user/verification/upload/", other, status=200)
    page.keyboard.press("a")
    failed = page.get_by_role("alert").filter(has_text="Amara Obi")
    failed.get_by_text("Another person has changed this in the meantime.").wait_for()
    assert site.service.user(amara).verification == "pending"
    failed.get_by_role("link", name="Open again").click()
    heading(page, "Amara Obi")
    page.get_by_role("img", name="Identity card").wait_for()
    page.keyboard.press("a")
    becomes(site, amara, "approved")
    site.tolerate("412 .*/user/verification/action/")


def test_the_decision_of_another_manager_appears_in_the_list_of_decisions(site):
    amara = waiting(site, "Amara")
    page = site.signed_in(manager(site), "/console/documents?tab=approved")
    page.get_by_text("There is no such decision yet.").wait_for()
    action = f"/user/verification/action/{amara.id}/"
    manager(site, "Tunde", "Bello").post(action, {"is_approved": True})
    # This makes the page poll now. Otherwise, the next poll would be a minute later.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("row").filter(has_text="Amara Obi").get_by_text("Tunde Bello").wait_for()


def test_a_lost_decision_comes_back_with_the_reason_of_the_failure(site):
    amara = waiting(site, "Amara")
    ben = waiting(site, "Ben", "Carter")
    page = site.signed_in(manager(site), f"/console/documents/{amara.id}")
    page.route("**/user/verification/action/**", lambda route: route.fulfill(status=500, body=""))
    page.get_by_role("button", name="Approve").click()
    heading(page, "Ben Carter")
    page.get_by_text("Amara Obi is not approved:").wait_for()
    page.unroute_all()
    page.get_by_role("link", name="Open again").click()
    heading(page, "Amara Obi")
    assert {site.service.user(each).verification for each in (amara, ben)} == {"pending"}
    site.tolerate("500 .*/user/verification/action/")


def test_pictures_are_enlarged_and_turned_and_a_pdf_is_framed(site):
    amara = waiting(site, "Amara", id_card=("card.pdf", PDF))
    page = site.signed_in(manager(site), f"/console/documents/{amara.id}")
    frame = page.locator("iframe[title='Identity card']")
    frame.wait_for()
    assert frame.get_attribute("src").startswith("blob:")
    face = page.get_by_role("img", name="Face")
    face.wait_for()
    # The browser's PDF viewer may take the focus when it has loaded.
    page.wait_for_timeout(1_500)
    page.keyboard.press("1")
    page.keyboard.press("+")
    page.get_by_role("group", name="Face, shown at 150%").wait_for()
    assert face.get_attribute("viewBox") == "0 0 600 800"
    page.get_by_role("button", name="Rotate: Face").click()
    page.locator("svg[viewBox='0 0 800 600']").wait_for()
    page.get_by_role("button", name="Fit: Face").click()
    page.locator("svg[viewBox='0 0 600 800']").wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_text("Approve").wait_for()
    # The browser's PDF viewer requests its own files.
    site.tolerate("request: chrome(-extension)?://")


def test_a_changed_name_is_decided_on(site):
    runtime = site.service.runtime
    runtime.settings = runtime.settings.replace(VerificationSettings, review_changes=True)
    amara = site.service.candidate(first_name="Amara", last_name="Oby")
    submitted = waiting(site, "Amara", "Oby")
    boss = manager(site)
    boss.post(f"/user/verification/action/{submitted.id}/", {"is_approved": True})
    submitted.patch("/account-management/", {"last_name": "Obi"})
    page = site.signed_in(boss, "/console/documents?tab=changes")
    page.get_by_role("link", name="Amara Oby").click()
    page.get_by_role("row", name="Last name Oby Obi").wait_for()
    # The other account has the same name and school.
    page.get_by_text("Another account may belong to the same person.").wait_for()
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("link", name="Candidates").click()
    heading(page, "Candidates")
    # The list may have been read before the decision was stored.
    wait_until(lambda: site.service.user(submitted).last_name == "Obi")
    page.reload()
    page.get_by_role("row", name="Amara Obi").wait_for()
    assert site.service.user(amara).last_name == "Oby"


def test_managers_do_not_decide_on_their_own_changes(site):
    runtime = site.service.runtime
    runtime.settings = runtime.settings.replace(VerificationSettings, review_changes=True)
    maria = manager(site, "Maria", "Okafo")
    maria.patch("/account-management/", {"last_name": "Okafor"})
    page = site.signed_in(maria, "/console/documents?tab=changes")
    page.get_by_role("link", name="Maria Okafo").click()
    page.get_by_role("row", name="Last name Okafo Okafor").wait_for()
    page.get_by_text("Another manager decides on it.").wait_for()
    for name in ("Approve", "Reject", "Skip"):
        assert page.get_by_role("button", name=name).count() == 0
    # The key for approving does nothing either.
    page.keyboard.press("a")
    page.get_by_role("link", name="Candidates").click()
    heading(page, "Candidates")
    assert site.service.user(maria).last_name == "Okafo"


def test_a_similar_account_of_staff_is_opened(site):
    amara = waiting(site, "Amara")
    phone = site.service.user(amara).phone
    site.service.staff("volunteer", first_name="Femi", last_name="Ade", phone=phone)
    page = site.signed_in(manager(site), f"/console/documents/{amara.id}")
    page.get_by_role("link", name="Femi Ade").click()
    heading(page, "Femi Ade")
    page.get_by_role("link", name="Open the page of this member").wait_for()


def test_documents_in_every_view(site):
    amara = waiting(site, "Amara")
    waiting(site, "Ben", "Carter")
    waiting(site, "Chloé", "Martin")
    page = site.signed_in(manager(site), "/console/documents")
    every_view(
        page, "console-documents-list", lambda page: page.get_by_text("Ben Carter").wait_for()
    )
    page.goto(f"/console/documents/{amara.id}")
    every_view(
        page,
        "console-documents-review",
        lambda page: page.locator("svg[role=img]").nth(2).wait_for(),
    )


def test_documents_that_are_sent_again_show_the_earlier_rejection(site):
    amara = waiting(site, "Amara")
    boss = manager(site)
    rejection = {"is_rejected": True, "rejection_reason": "Too dark."}
    boss.post(f"/user/verification/action/{amara.id}/", rejection, status=200)
    page = site.signed_in(boss, f"/console/documents/{amara.id}")
    page.get_by_text("The documents were rejected. The reason: Too dark.").wait_for()
    page.get_by_text("If it was a mistake, ask Amara Obi to send one document again").wait_for()
    expect(page.locator("main").get_by_role("link", name=amara.email)).to_be_visible()
    files = {"face_id": ("face.png", picture("face", (600, 800), "burlywood"))}
    amara.upload("PATCH", "/user/verification/upload/", files, status=200)
    page.goto("/console/documents")
    page.get_by_role("link", name="Amara Obi").click()
    page.get_by_text(re.compile("Sent again after a rejection by .* on ")).wait_for()
    page.get_by_text("The reason: Too dark.").wait_for()
    page.get_by_role("button", name="Approve").wait_for()


def test_the_other_lists_of_documents_in_every_view(site):
    waiting(site, "Amara")
    decided = waiting(site, "Ben", "Carter"), waiting(site, "Chloé", "Martin")
    boss = manager(site)
    rejection = {"is_rejected": True, "rejection_reason": "Too dark."}
    for person, body in zip(decided, ({"is_approved": True}, rejection), strict=True):
        boss.post(f"/user/verification/action/{person.id}/", body, status=200)
    page = site.signed_in(boss, "/console/documents")
    for tab in ("changes", "approved", "rejected"):
        page.goto(f"/console/documents?tab={tab}")
        every_view(
            page,
            f"console-documents-{tab}",
            lambda page: page.locator("main .empty, tbody tr").first.wait_for(),
        )
