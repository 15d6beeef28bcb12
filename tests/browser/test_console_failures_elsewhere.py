"""Requests that fail before the user is signed in or verified, and in dialogs that need
preparation.

`test_console_failures.py` has all other requests of the console.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyotp
import pytest
from playwright.sync_api import expect

from competition.testing.identity_papers import documents, image
from competition.testing.service import PASSWORD, text_of
from tests.support.console_requests import BROKEN, CUT, ELSEWHERE, FIELDS, LIMITED, Requests
from tests.support.programs import CHROMIUM, needs_program

pytestmark = [needs_program(CHROMIUM), pytest.mark.long]

NEW_PASSWORD = "seven quiet lanterns"
STORED = "() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])"
PAPERS = ("A photo of your face", "Your identity card", "A document that shows where you work")


class Sender:
    """Presses buttons whose request fails in each way, before it succeeds."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests = Requests(page)
        self.sent: set[str] = set()

    def press(self, scope: Any, name: str, request: str, *secrets: str) -> None:
        """Press the button `name` in `scope`: it sends `request`, such as "POST /auth/login/".

        Checks that each failure is explained, that the fields keep their values, and that the
        browser never stores `secrets`.
        """
        button = scope.get_by_role("button", name=name, exact=True)
        self.requests.settle()
        before = Counter(self.page.evaluate(FIELDS))
        method, path = request.split()
        pattern = method + " " + path.replace("{image_id}", r"\d+")
        for failure in (BROKEN, CUT, LIMITED):
            with self.requests.fail(pattern, failure):
                button.click()
                alert = scope.get_by_role("alert")
                for text in failure.texts:
                    expect(alert).to_contain_text(text)
                expect(button).not_to_have_attribute("aria-disabled", "true")
                assert self.requests.failed
            assert before - Counter(self.page.evaluate(FIELDS)) == Counter()
            stored = self.page.evaluate(STORED)
            assert [each for each in secrets if each in stored] == []
        button.click()
        self.sent.add(request)


@pytest.fixture
def senders(site: Any) -> Any:
    """Creates the sender of a page. After the test, it must have sent all requests of a group of
    ELSEWHERE."""
    site.tolerate("Failed to load resource")

    @contextmanager
    def senders(page: Any, group: str) -> Iterator[Sender]:
        sender = Sender(page)
        yield sender
        assert sender.sent == ELSEWHERE[group]

    return senders


def heading(page: Any, name: str) -> None:
    page.get_by_role("heading", name=name, exact=True).first.wait_for()


def set_up(page: Any) -> pyotp.TOTP:
    """Begin to set up an authenticator app, and return the app."""
    page.get_by_role("button", name="Set up an authenticator app").click()
    page.get_by_role("img", name="QR code").wait_for()
    secret = page.get_by_role("dialog").locator("code").inner_text().replace(" ", "")
    app = pyotp.TOTP(secret)
    page.get_by_label("Code", exact=True).fill(app.now())
    return app


def test_a_login_that_fails_says_what_to_do_and_keeps_what_was_typed(site, senders):
    ada = site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    set_up(page)
    page.get_by_role("button", name="Use this app from now on").click()
    heading(page, "Your recovery codes")
    recovery = page.locator("main ol code").first.inner_text()
    page = site.visit("/console/sign-in")
    main = page.get_by_role("main")
    with senders(page, "of users who are not signed in") as sender:
        page.get_by_role("link", name="I have forgotten my password").click()
        page.get_by_text("Step 1 of 3").wait_for()
        page.get_by_label("Email address").fill(ada.email)
        sender.press(main, "Send a code", "POST /auth/password-change/request/")
        page.get_by_text("Step 2 of 3").wait_for()
        sender.press(main, "Send a new code", "POST /auth/password-change/resend-otp/")
        page.get_by_text(f"A new code has been sent to {ada.email}").wait_for()
        code = site.service.otp(ada.email)
        page.get_by_label("Code", exact=True).fill(code)
        sender.press(main, "Continue", "POST /auth/password-change/confirm-otp/", code)
        page.get_by_text("Step 3 of 3").wait_for()
        page.get_by_label("New password").fill(NEW_PASSWORD)
        page.get_by_label("The same password again").fill(NEW_PASSWORD)
        change = "POST /auth/password-change/"
        sender.press(main, "Change the password", change, code, NEW_PASSWORD)
        page.get_by_text("Your password has been changed.").wait_for()
        page.get_by_label("Email address").fill(ada.email)
        page.get_by_label("Password", exact=True).fill(NEW_PASSWORD)
        sender.press(main, "Sign in", "POST /auth/login/", NEW_PASSWORD)
        heading(page, "Enter your code")
        second = "POST /auth/login/second-factor/"
        page.get_by_role("button", name="use a recovery code").click()
        page.get_by_label("Recovery code").fill(recovery)
        sender.press(main, "Sign in", second, NEW_PASSWORD, recovery)
        heading(page, "Home")


def test_a_code_of_the_app_that_does_not_arrive_can_be_sent_again(site):
    site.tolerate("Failed to load resource")
    ada = site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    app = set_up(page)
    page.get_by_role("button", name="Use this app from now on").click()
    heading(page, "Your recovery codes")
    page = site.visit("/console/sign-in")
    page.get_by_label("Email address").fill(ada.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    # The code that has set up the app can't be used again.
    site.service.clock.advance(seconds=30)
    code = app.at(site.service.clock.now)
    page.get_by_label("Code from your authenticator app").fill(code)
    request = "POST /auth/login/second-factor/"
    Sender(page).press(page.get_by_role("main"), "Sign in", request, PASSWORD, code)
    heading(page, "Home")


def test_a_deletion_of_the_own_account_and_its_end_can_be_sent_again(site, senders):
    service, ada = site.service, site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    dialog, main = page.get_by_role("dialog"), page.get_by_role("main")
    with senders(page, "of staff who leave") as sender:
        page.get_by_role("button", name="Delete my account").click()
        dialog.get_by_label("Password", exact=True).fill(PASSWORD)
        sender.press(dialog, "Delete my account", "DELETE /users/me/", PASSWORD)
        page.get_by_text("Your account will be erased on").wait_for()
        [mail] = [each for each in service.mails(ada.email) if "delet" in each["Subject"]]
        code, link = re.findall(r"^    (\S+)|(http\S+)", text_of(mail), re.MULTILINE)
        page.goto(link[1])
        page.get_by_label("Code").fill(code[0])
        sender.press(main, "Cancel the deletion", "POST /users/restore/")
        page.get_by_text("Your account will not be deleted.").wait_for()
    assert service.user(ada).is_active


def test_a_second_factor_that_fails_to_change_keeps_what_was_typed(site, senders):
    page = site.signed_in(site.service.staff("admin"), "/console/account")
    dialog = page.get_by_role("dialog")
    with senders(page, "with a second factor") as sender:
        set_up(page)
        confirm = "POST /auth/second-factor/confirm/"
        sender.press(dialog, "Use this app from now on", confirm)
        heading(page, "Your recovery codes")
        codes = page.locator("main ol code").all_inner_texts()
        page.get_by_role("button", name="I have kept the codes").click()
        page.get_by_role("button", name="New recovery codes").click()
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Code from your app, or a recovery code").fill(codes[0])
        renew = "POST /auth/second-factor/recovery-codes/"
        sender.press(dialog, "Replace the old codes", renew, PASSWORD, codes[0])
        heading(page, "Your recovery codes")
        codes = page.locator("main ol code").all_inner_texts()
        page.get_by_role("button", name="I have kept the codes").click()
        page.get_by_role("button", name="Remove the second factor").click()
        page.get_by_label("Code from your app, or a recovery code").fill(codes[0])
        remove = "DELETE /auth/second-factor/"
        sender.press(dialog, "Remove it", remove, codes[0])
        page.get_by_role("button", name="Set up an authenticator app").wait_for()


def send_documents(page: Any, sender: Sender, request: str) -> None:
    for label, (name, content) in zip(PAPERS, documents().values(), strict=True):
        file = {"name": name, "mimeType": "image/png", "buffer": content}
        page.get_by_label(label).set_input_files(file)
    sender.press(page.get_by_role("main"), "Send the documents", request)
    page.get_by_text("A manager will look at your documents.").wait_for()


def test_invited_staff_whose_requests_fail_keep_what_they_typed_and_chose(site, senders):
    ada = site.service.staff("admin", is_email_verified=False, verification="not_submitted")
    page = site.signed_in(ada, "/console/account")
    main = page.get_by_role("main")
    with senders(page, "of staff whose account is not verified") as sender:
        sender.press(main, "Send a new code", "POST /send-email-otp/")
        page.get_by_text("A new code has been sent").wait_for()
        code = site.service.otp(ada.email)
        page.get_by_label("Code", exact=True).fill(code)
        sender.press(main, "Confirm the address", "POST /verify-email-otp/", code)
        page.get_by_text("Your email address is confirmed.").wait_for()
        send_documents(page, sender, "POST /user/verification/upload/")
        reason = {"is_rejected": True, "rejection_reason": "The photo is too dark."}
        site.service.staff("manager").post(
            f"/user/verification/action/{ada.id}/", reason, status=200
        )
        page.reload()
        page.get_by_text("The photo is too dark.").wait_for()
        send_documents(page, sender, "PATCH /user/verification/upload/")


def test_an_image_that_fails_to_change_keeps_what_was_typed(site, senders):
    moderator = site.service.staff("moderator")
    file = {"alt": "A circle", "file": ("circle.png", image())}
    moderator.upload("POST", "/questions/images/", file, status=201)
    page = site.signed_in(moderator, "/console/questions/new")
    page.get_by_role("button", name="Insert an image").click()
    dialog = page.get_by_role("dialog").last
    with senders(page, "in the dialog with images") as sender:
        page.get_by_role("button", name="Describe: A circle").click()
        page.get_by_label("Description of the image").last.fill("A ring")
        sender.press(dialog, "Save the description", "PATCH /questions/images/{image_id}/")
        page.get_by_text("The description is saved.").wait_for()
        page.get_by_role("button", name="Delete: A ring").click()
        deletion = page.get_by_role("dialog", name="Delete this image?")
        sender.press(deletion, "Delete one image", "DELETE /questions/images/{image_id}/")
        page.get_by_text("The image is deleted: A ring").wait_for()
