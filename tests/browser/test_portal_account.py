"""Registering, signing in, and the candidate's own account."""

import json
import re
from zipfile import ZipFile

import pytest
from sqlalchemy import select

from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.identity_papers import photograph
from competition.testing.service import PASSWORD, text_of
from tests.support.browser import PHONE, SIGNING_OUT, arrived, every_view, faults
from tests.support.programs import CHROMIUM, needs_program
from tests.support.reflow import LONG

pytestmark = needs_program(CHROMIUM)

NEW = "seven green bicycles sing"
CONSENT = "I am the parent or guardian of this pupil.\nI agree that the pupil takes part."


def fill(page, **values):
    for label, value in values.items():
        page.get_by_label(label.replace("_", " ")).fill(value)


def sign_in(page, email, password=PASSWORD):
    arrived(page, "Sign in")
    fill(page, Email_or_login=email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


@pytest.fixture
def sockets(sockets_with):
    return sockets_with(
        {
            "competition.privacy.consent_text": f"{CONSENT}\n{LONG}",
            "competition.verification.review_changes": "true",
        }
    )


def test_a_pupil_registers_and_confirms_the_address(site):
    page = site.visit("/register", viewport=PHONE, has_touch=True)
    arrived(page, "Register")
    every_view(page, "portal-account-register", lambda page: page.locator("blockquote").wait_for())
    fill(page, First_name="Emmy", Last_name="Noether")
    page.get_by_label("School", exact=True).fill("Hillside School")
    page.get_by_label("Email address", exact=True).fill("emmy@school.example")
    fill(page, Phone_number="+49 9131 1882", Choose_a_password=NEW)
    fill(page, The_same_password_again=NEW, Name_of_your_parent="Max Noether")
    fill(page, Email_address_of_your_parent="max@home.example")
    page.get_by_label("I am the parent or guardian, and I agree").check()
    page.get_by_role("button", name="Create your account").click()
    arrived(page, "Confirm your email address")
    every_view(page, "portal-account-verify", lambda page: page.locator(".code").wait_for())
    code = site.service.otp("emmy@school.example")
    page.get_by_label("Code").fill(f"{code[:3]} {code[3:]}")
    page.get_by_role("button", name="Confirm", exact=True).click()
    arrived(page, "Hello, Emmy")
    page.get_by_text("Your email address is confirmed.").wait_for()
    with begin(site.service.runtime) as work:
        user = work.db.scalars(select(User).where(User.email == "emmy@school.example")).one()
        assert (user.full_name, user.is_email_verified) == ("Emmy Noether", True)


def test_signing_in_leads_to_the_page_that_was_wanted(site):
    person = site.service.candidate()
    page = site.visit("/inbox", viewport=PHONE)
    arrived(page, "Sign in")
    every_view(page, "portal-account-sign-in", lambda page: page.locator("form").wait_for())
    sign_in(page, person.email)
    arrived(page, "Notifications")


def test_a_forgotten_password_is_replaced_with_a_code(site):
    person = site.service.candidate(email=f"{LONG.lower()}@school.example")
    page = site.visit("/password", viewport=PHONE)
    arrived(page, "Choose a new password")
    every_view(page, "portal-account-password", lambda page: page.locator("form").wait_for())
    fill(page, Email_address=person.email)
    page.get_by_role("button", name="Send the code").click()
    page.get_by_text("a code is on its way").wait_for()
    assert faults(page) == []
    page.get_by_label("Code").fill(site.service.otp(person.email))
    fill(page, Choose_a_password=NEW, The_same_password_again=NEW)
    page.get_by_role("button", name="Set the new password").click()
    page.get_by_text("Your password is changed.").wait_for()
    sign_in(page, person.email, NEW)
    arrived(page, "Hello, Ada")


def test_a_candidate_changes_details_picture_and_sessions_and_downloads_the_data(site):
    site.tolerate(SIGNING_OUT)
    service, person = site.service, site.service.candidate(school=f"School of {LONG}")
    service.new_session(person)
    page = site.signed_in(person, "/account", viewport=PHONE)
    arrived(page, "Account")
    every_view(
        page, "portal-account-account", lambda page: page.locator("tbody tr").nth(2).wait_for()
    )
    page.get_by_label("School").fill("Lakeside School")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The league checks the new name or school first.").wait_for()
    page.get_by_text(f"School of {LONG} becomes Lakeside School").wait_for()
    page.get_by_label("Choose a picture").set_input_files(
        {"name": "me.png", "mimeType": "image/png", "buffer": photograph("PNG")}
    )
    page.get_by_role("img", name="The picture that you have chosen").wait_for()
    page.get_by_role("button", name="Use this picture").click()
    page.get_by_role("img", name="Your picture").wait_for()
    page.get_by_role("button", name=re.compile("Sign out 2 other devices")).click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out 2 other devices").click()
    page.get_by_text("2 devices are signed out.").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Download my data").click()
    page.get_by_text("You will get an email with a link.").wait_for()
    [mail] = service.mails(person.email)
    link = re.search(r"http\S+", text_of(mail))[0]
    with page.expect_download() as saved:
        page.evaluate("link => { location.href = link; }", link)
    with ZipFile(saved.value.path()) as zipped:
        data = json.loads(zipped.read("data.json"))
    assert data["account"]["user"]["email"] == person.email
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    assert page.context.request.get(link).status == 404


def test_a_candidate_deletes_the_account_and_cancels_that(site):
    site.tolerate(SIGNING_OUT)
    service, person = site.service, site.service.candidate()
    page = site.signed_in(person, "/account", viewport=PHONE)
    page.get_by_role("button", name="Delete my account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Delete my account").click()
    arrived(page, "Sign in")
    page.get_by_text("Your account will be erased on").wait_for()
    [mail] = [each for each in service.mails(person.email) if "delet" in each["Subject"]]
    code = re.search(r"\S{20,}", text_of(mail))[0]
    sign_in(page, person.email)
    page.get_by_role("link", name="Cancel the deletion").click()
    arrived(page, "Cancel the deletion")
    every_view(page, "portal-account-restore", lambda page: page.locator("form").wait_for())
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Cancel the deletion").click()
    page.get_by_text("Your account will not be deleted.").wait_for()
    with begin(service.runtime) as work:
        assert work.db.get_one(User, person.id).is_active
