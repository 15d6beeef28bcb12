"""Signing in to the console, a forgotten password, and the user's own account."""

import re

import pyotp
import pytest

from competition.testing.identity_papers import documents, image
from competition.testing.service import PASSWORD, text_of
from competition.testing.waiting import wait_until
from tests.support.browser import PHONE, SIGNING_OUT, every_view, wait_for
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

# A part of the message that Chromium logs for each rejected request.
REJECTED = "the server responded with a status of 4"
# JavaScript: the first modules of a QR code in the first row that has dark ones. It begins with a
# light margin, the upper edge of a finder pattern, and a light module.
FIRST_MODULES = """canvas => {
  const { width } = canvas;
  const row = [...canvas.getContext("2d").getImageData(0, 4, width, 1).data];
  const dark = row.filter((_, at) => at % 4 === 0).map((red, at) =>
    row[4 * at + 3] === 255 && red === 0 ? "1" : "0").join("");
  return [dark.slice(0, 4), dark.slice(4, 11), dark.slice(11, 12)];
}"""
NEW_PASSWORD = "seven quiet lanterns"


def heading(page, name):
    page.get_by_role("heading", name=name, exact=True).first.wait_for()


def sign_in(page, email, password=PASSWORD):
    page.get_by_label("Email address").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


def set_up(page):
    """Set up an authenticator app, and return the recovery codes that the page shows."""
    page.get_by_role("button", name="Set up an authenticator app").click()
    page.get_by_role("img", name="QR code").wait_for()
    secret = page.get_by_role("dialog").locator("code").inner_text().replace(" ", "")
    page.get_by_label("Code", exact=True).fill(pyotp.TOTP(secret).now())
    page.get_by_role("button", name="Use this app from now on").click()
    heading(page, "Your recovery codes")
    codes = page.locator("main ol code").all_inner_texts()
    page.get_by_role("button", name="I have kept the codes").click()
    return codes


def test_typed_text_stays_when_another_part_of_the_account_is_saved(site):
    # The version that the form is based on is no longer the latest one.
    site.tolerate("status of 412")
    page = site.signed_in(site.service.staff("admin"), "/console/account")
    page.get_by_label("Occupation").fill("Teacher of chemistry")
    page.get_by_label("Language of your emails").select_option("fr")
    page.get_by_role("button", name="Use this language").click()
    page.get_by_text("Emails to you are in this language from now on.").wait_for()
    assert page.get_by_label("Occupation").input_value() == "Teacher of chemistry"
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Another person").wait_for(state="detached")
    wait_until(lambda: page.get_by_role("status").filter(has_text="updated").count())


@pytest.mark.essential
def test_signing_in_leads_to_the_page_that_was_wanted(site):
    site.tolerate(REJECTED)
    ada = site.service.staff("superadmin")
    page = site.visit("/console/house/flags", viewport=PHONE)
    heading(page, "Sign in")
    sign_in(page, ada.email, "wrong")
    page.get_by_role("alert").wait_for()
    assert page.get_by_label("Email address").input_value() == ada.email
    sign_in(page, ada.email)
    heading(page, "Features")
    assert page.url.endswith("/console/house/flags")


def test_a_candidate_who_signs_in_is_sent_to_the_portal(site):
    page = site.visit("/console/sign-in")
    sign_in(page, site.service.candidate().email)
    heading(page, "This is the page for staff")
    assert page.get_by_role("link", name="Go to the portal").get_attribute("href") == "/"
    page.get_by_role("button", name="Sign in with another account").click()
    sign_in(page, site.service.staff("volunteer").email)
    heading(page, "Home")


def test_a_second_factor_is_set_up_and_a_recovery_code_signs_in_once(site):
    site.tolerate(SIGNING_OUT)
    site.tolerate(REJECTED)
    ada = site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    codes = set_up(page)
    assert len(codes) == 10
    page.get_by_role("button", name="Sign out", exact=True).click()
    sign_in(page, ada.email)
    heading(page, "Enter your code")
    page.get_by_role("button", name="use a recovery code").click()
    page.get_by_label("Recovery code").fill(codes[0].lower())
    page.get_by_role("button", name="Sign in").click()
    heading(page, "Home")
    page.goto("/console/account")
    page.get_by_text("You have 9 unused recovery codes.").wait_for()
    page.get_by_role("button", name="New recovery codes").click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Code from your app, or a recovery code").fill(codes[0])
    page.get_by_role("button", name="Replace the old codes").click()
    page.get_by_role("dialog").get_by_text("The code is invalid or has expired.").wait_for()
    page.get_by_label("Code from your app, or a recovery code").fill(codes[1])
    page.get_by_role("button", name="Replace the old codes").click()
    heading(page, "Your recovery codes")
    page.get_by_role("link", name="Home", exact=True).click()
    dialog = page.get_by_role("dialog", name="Have you kept the codes?")
    dialog.get_by_role("button", name="Back to the codes").click()
    assert not {*page.locator("main ol code").all_inner_texts()} & {*codes}


def test_the_qr_code_is_drawn_and_the_recovery_codes_are_printed(site):
    # Chromium advises against looking several times.
    site.tolerate("willReadFrequently")
    page = site.signed_in(site.service.staff("admin"), "/console/account")
    # Do not open the print dialog of the browser, which would wait for a person.
    page.evaluate("window.print = () => {}")
    page.get_by_role("button", name="Set up an authenticator app").click()
    code = page.get_by_role("img", name="QR code")
    code.wait_for()
    wait_for(page, lambda: code.evaluate(FIRST_MODULES) == ["0000", "1111111", "0"])
    secret = page.get_by_role("dialog").locator("code").inner_text().replace(" ", "")
    page.get_by_label("Code", exact=True).fill(pyotp.TOTP(secret).now())
    page.get_by_role("button", name="Use this app from now on").click()
    heading(page, "Your recovery codes")
    codes = page.locator("main ol code").all_inner_texts()
    page.get_by_role("button", name="Print", exact=True).click()
    sheet = page.locator(".print-sheet")
    sheet.wait_for(state="attached")
    assert codes
    assert sheet.locator("code").all_inner_texts() == codes


def test_a_second_factor_needs_the_password_again_after_an_old_login(site):
    site.tolerate(REJECTED)
    page = site.signed_in(site.service.staff("admin"), "/console/account")
    site.service.clock.advance(minutes=6)
    page.get_by_role("button", name="Set up an authenticator app").click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("img", name="QR code").wait_for()


# A phone may reload the page while the user reads the email.
@pytest.mark.parametrize("reloads", [True, False])
def test_a_forgotten_password_is_replaced_in_three_steps(site, reloads):
    site.tolerate(REJECTED)
    ada = site.service.staff("admin")
    page = site.visit("/console/sign-in", viewport=PHONE)
    page.get_by_role("link", name="I have forgotten my password").click()
    page.get_by_text("Step 1 of 3").wait_for()
    page.get_by_label("Email address").fill(ada.email)
    page.get_by_role("button", name="Send a code").click()
    page.get_by_text("Step 2 of 3").wait_for()
    if reloads:
        page.reload()
        page.get_by_label("Email address").fill(ada.email)
    page.get_by_label("Code", exact=True).fill(site.service.otp(ada.email))
    page.get_by_role("button", name="Continue").click()
    new = page.get_by_label("New password")
    new.fill(NEW_PASSWORD)
    page.get_by_label("The same password again").fill("another")
    page.get_by_role("button", name="Change the password").click()
    page.get_by_text("The two passwords are different.").first.wait_for()
    page.get_by_label("The same password again").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    page.get_by_text("Your password has been changed.").wait_for()
    sign_in(page, ada.email, NEW_PASSWORD)
    heading(page, "Home")


def test_the_profile_is_changed_and_a_picture_is_added_and_removed(site):
    # The version that the form is based on is no longer the latest one.
    site.tolerate("status of 412")
    ada = site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    page.get_by_label("First name").fill("Grace")
    file = {"name": "me.png", "mimeType": "image/png", "buffer": image()}
    page.get_by_label("New picture").set_input_files(file)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("img", name="Your picture").wait_for()
    assert site.service.user(ada).first_name == "Grace"
    page.get_by_role("button", name="Remove the picture").click()
    page.get_by_role("img", name="Your picture").wait_for(state="detached")
    assert site.service.user(ada).profile_picture is None
    # The form now has the version of the last change, so it can be saved.
    page.get_by_label("Last name").fill("Hopper")
    page.get_by_role("button", name="Save", exact=True).click()
    wait_for(page, lambda: site.service.user(ada).last_name == "Hopper")


def test_the_language_of_emails_is_chosen(site):
    person = site.service.staff("admin")
    page = site.signed_in(person, "/console/account")
    page.get_by_label("Language").select_option("Français")
    page.get_by_role("button", name="Use this language").click()
    page.get_by_text("Emails to you are in this language from now on.").wait_for()
    assert site.service.user(person).language == "fr"
    page.get_by_label("Language").select_option("The league's language")
    page.get_by_role("button", name="Use this language").click()
    wait_until(lambda: site.service.user(person).language is None)


def test_other_sessions_are_listed_and_ended(site):
    site.tolerate(SIGNING_OUT)
    ada = site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    row = page.get_by_role("row").filter(has_text="Unknown device")
    row.get_by_role("button", name="Sign out").click()
    page.get_by_text("You have no other sessions.").wait_for()
    ada.get("/auth/sessions/", status=401)
    site.service.new_session(ada)
    page.reload()
    page.get_by_role("button", name="Sign out everywhere").click()
    page.get_by_role("button", name="Sign out 2 devices").click()
    heading(page, "Sign in")


def test_staff_get_their_data_and_delete_their_account_with_the_second_factor(site):
    site.tolerate(REJECTED)
    service, ada = site.service, site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    page.get_by_role("button", name="Download my data").click()
    page.get_by_text("You will get an email with a link.").wait_for()
    assert [each["Subject"] for each in service.mails(ada.email) if "your data" in each["Subject"]]
    codes = set_up(page)
    page.get_by_role("button", name="Delete my account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("After 14 days, your account and your documents are erased.").wait_for()
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_label("Code from your app, or a recovery code").fill("000000")
    dialog.get_by_role("button", name="Delete my account").click()
    dialog.get_by_text("The code is invalid or has expired.").wait_for()
    dialog.get_by_label("Code from your app, or a recovery code").fill(codes[0])
    dialog.get_by_role("button", name="Delete my account").click()
    page.get_by_text("Your account will be erased on").wait_for()
    heading(page, "Sign in")
    assert not service.user(ada).is_active
    [mail] = [each for each in service.mails(ada.email) if "delet" in each["Subject"]]
    code, link = re.findall(r"^    (\S+)|(http\S+)", text_of(mail), re.MULTILINE)
    page.get_by_role("link", name="Cancel the deletion of your account").click()
    heading(page, "Cancel the deletion")
    assert page.url == link[1]
    page.goto(link[1])
    page.get_by_label("Code").fill(code[0])
    page.get_by_role("button", name="Cancel the deletion").click()
    page.get_by_text("Your account will not be deleted.").wait_for()
    assert service.user(ada).is_active


@pytest.mark.parametrize("path", ["/console/sign-in", "/sign-in"])
def test_without_the_plugin_privacy_no_sign_in_page_offers_to_cancel_a_deletion(site, path):
    page, runtime = site.visit(path), site.service.runtime
    link = page.get_by_role("link", name="Cancel the deletion of your account")
    link.wait_for()
    runtime.packages = {
        package: name for package, name in runtime.packages.items() if name != "privacy"
    }
    page.reload()
    page.get_by_role("button", name="Sign in").wait_for()
    assert link.count() == 0


def test_superadmins_cannot_delete_their_account_here(site):
    page = site.signed_in(site.service.staff("superadmin"), "/console/account")
    page.get_by_text("Only an operator can delete the account of a superadmin.").wait_for()
    page.get_by_role("button", name="Download my data").wait_for()
    assert page.get_by_role("button", name="Delete my account").count() == 0


def test_invited_staff_confirm_their_address_and_send_their_documents(site):
    site.tolerate(REJECTED)
    ada = site.service.staff("admin", is_email_verified=False, verification="not_submitted")
    page = site.signed_in(ada, "/console/")
    page.get_by_text("You can't work here yet").wait_for()
    page.get_by_role("link", name="Go to your account").click()
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
    page.get_by_text("A manager will look at your documents.").wait_for()
    assert site.service.user(ada).verification == "pending"


def test_the_pages_of_the_account_in_every_view(site):
    site.tolerate(REJECTED)
    ada = site.service.staff("admin", first_name="Maria", last_name="Okafor")
    page = site.visit("/console/sign-in")
    every_view(page, "console-account-sign-in", lambda it: it.locator("[name=password]").wait_for())
    page.goto("/console/password")
    every_view(page, "console-account-password", lambda it: it.locator("[name=email]").wait_for())
    page.goto("/console/restore")
    every_view(page, "console-account-restore", lambda it: it.locator("[name=code]").wait_for())
    page = site.signed_in(ada, "/console/account")
    every_view(page, "console-account-account", lambda it: it.locator("tbody tr").first.wait_for())


def test_the_step_for_the_code_in_every_view(site):
    site.tolerate(REJECTED)
    ada = site.service.staff("admin")
    page = site.signed_in(ada, "/console/account")
    set_up(page)
    page = site.visit("/console/sign-in")

    def ready(page):
        page.locator("[name=email]").fill(ada.email)
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("[name=password]").press("Enter")
        page.locator("[name=code]").wait_for()

    every_view(page, "console-account-code", ready)
