"""Signing in to the console, a forgotten password, and the user's own account."""

import re

import pyotp

from competition.testing.identity_papers import documents, image
from competition.testing.service import PASSWORD, text_of
from tests.support.browser import PHONE, SIGNING_OUT, arrived, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

# A part of the message that Chromium logs for each rejected request.
REJECTED = "the server responded with a status of 4"
NEW_PASSWORD = "seven quiet lanterns"


def sign_in(page, email, password=PASSWORD):
    page.get_by_label("Email address").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


def code_of(site, secret):
    return pyotp.TOTP(secret).at(site.service.clock.now)


def test_signing_in_with_a_second_factor_leads_to_the_page_that_was_wanted(site):
    site.tolerate(REJECTED)
    ada = site.service.staff("superadmin")
    secret = ada.post("/auth/second-factor/", {}).json["secret"]
    confirmed = ada.post("/auth/second-factor/confirm/", {"code": code_of(site, secret)})
    page = site.visit("/console/house/flags", viewport=PHONE)
    arrived(page, "Sign in")
    every_view(page, "console-account-sign-in", lambda it: it.locator("[name=password]").wait_for())
    sign_in(page, ada.email, "wrong")
    page.get_by_role("alert").wait_for()
    assert page.get_by_label("Email address").input_value() == ada.email
    sign_in(page, ada.email)
    arrived(page, "Enter your code")
    every_view(page, "console-account-code", lambda it: it.locator("[name=code]").wait_for())
    page.get_by_role("button", name="use a recovery code").click()
    page.get_by_label("Recovery code").fill(confirmed.json["recovery_codes"][0].lower())
    page.get_by_role("button", name="Sign in").click()
    arrived(page, "Features")
    assert page.url.endswith("/console/house/flags")


def test_a_forgotten_password_is_replaced_in_three_steps(site):
    ada = site.service.staff("admin")
    page = site.visit("/console/sign-in", viewport=PHONE)
    page.get_by_role("link", name="I have forgotten my password").click()
    arrived(page, "New password")
    every_view(page, "console-account-password", lambda it: it.locator("[name=email]").wait_for())
    page.get_by_label("Email address").fill(ada.email)
    page.get_by_role("button", name="Send a code").click()
    page.get_by_text("Step 2 of 3").wait_for()
    # A phone may reload the page while the user reads the email.
    page.reload()
    page.get_by_text("Step 2 of 3").wait_for()
    page.get_by_label("Email address").fill(ada.email)
    page.get_by_label("Code", exact=True).fill(site.service.otp(ada.email))
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Step 3 of 3").wait_for()
    page.get_by_label("New password").fill(NEW_PASSWORD)
    page.get_by_label("The same password again").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    arrived(page, "Sign in")
    sign_in(page, ada.email, NEW_PASSWORD)
    arrived(page, "Home")


def test_the_account_is_changed_and_its_second_factor_and_sessions(site):
    site.tolerate(SIGNING_OUT)
    # Chromium advises against reading a canvas several times.
    site.tolerate("willReadFrequently")
    ada = site.service.staff("admin", first_name="Maria", last_name="Okafor")
    page = site.signed_in(ada, "/console/account")
    arrived(page, "Your account")
    every_view(page, "console-account-account", lambda it: it.locator("tbody tr").first.wait_for())
    page.get_by_label("First name").fill("Grace")
    file = {"name": "me.png", "mimeType": "image/png", "buffer": image()}
    page.get_by_label("New picture").set_input_files(file)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("img", name="Your picture").wait_for()
    assert site.service.user(ada).first_name == "Grace"
    page.get_by_label("Language").select_option("Français")
    page.get_by_role("button", name="Use this language").click()
    page.get_by_text("in this language from now on").wait_for()
    assert site.service.user(ada).language == "fr"
    row = page.get_by_role("row").filter(has_text="Unknown device")
    row.get_by_role("button", name="Sign out").click()
    page.get_by_text("You have no other sessions.").wait_for()
    ada.get("/auth/sessions/", status=401)
    page.get_by_role("button", name="Set up an authenticator app").click()
    page.get_by_role("img", name="QR code").wait_for()
    secret = page.get_by_role("dialog").locator("code").inner_text().replace(" ", "")
    page.get_by_label("Code", exact=True).fill(code_of(site, secret))
    page.get_by_role("button", name="Use this app from now on").click()
    page.get_by_role("heading", name="Your recovery codes").wait_for()
    assert page.locator("main ol code").count() == 10
    page.get_by_role("button", name="I have kept the codes").click()
    site.service.new_session(ada)
    page.reload()
    page.get_by_role("button", name="Sign out everywhere").click()
    page.get_by_role("button", name="Sign out 2 devices").click()
    arrived(page, "Sign in")


def test_staff_get_their_data_delete_their_account_and_cancel_the_deletion(site):
    site.tolerate(SIGNING_OUT)
    service, ada = site.service, site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    arrived(page, "Your account")
    page.get_by_role("button", name="Download my data").click()
    page.get_by_text("You will get an email with a link.").wait_for()
    assert [each["Subject"] for each in service.mails(ada.email) if "your data" in each["Subject"]]
    page.get_by_role("button", name="Delete my account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name="Delete my account").click()
    page.get_by_text("Your account will be erased on").wait_for()
    arrived(page, "Sign in")
    assert not service.user(ada).is_active
    [mail] = [each for each in service.mails(ada.email) if "delet" in each["Subject"]]
    code, link = re.findall(r"^    (\S{32})$|(http\S+)", text_of(mail), re.MULTILINE)
    page.goto(link[1])
    arrived(page, "Cancel the deletion")
    every_view(page, "console-account-restore", lambda it: it.locator("[name=code]").wait_for())
    page.get_by_label("Code").fill(code[0])
    page.get_by_role("button", name="Cancel the deletion").click()
    page.get_by_text("Your account will not be deleted.").wait_for()
    assert service.user(ada).is_active


def test_invited_staff_confirm_their_address_and_send_their_documents(site):
    site.tolerate(REJECTED)
    ada = site.service.staff("admin", is_email_verified=False, verification="not_submitted")
    page = site.signed_in(ada, "/console/")
    arrived(page, "Home")
    page.get_by_role("link", name="Go to your account").click()
    arrived(page, "Your account")
    page.get_by_role("button", name="Send a new code").click()
    page.get_by_text(re.compile("A new code has been sent")).wait_for()
    page.get_by_label("Code", exact=True).fill(site.service.otp(ada.email))
    page.get_by_role("button", name="Confirm the address").click()
    page.get_by_text("Your email address is confirmed.").wait_for()
    labels = ("A photo of your face", "Your identity card", "A document that shows where you work")
    for label, (name, content) in zip(labels, documents().values(), strict=True):
        file = {"name": name, "mimeType": "image/png", "buffer": content}
        page.get_by_label(label).set_input_files(file)
    page.get_by_role("button", name="Send the documents").click()
    wait_for(page, lambda: site.service.user(ada).verification == "pending")
