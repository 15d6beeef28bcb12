"""Registering, signing in, and the candidate's own account."""

import json
import re
from zipfile import ZipFile

import pyotp
import pytest

from competition.core.users.models import User
from competition.core.work import begin
from competition.testing.identity_papers import photograph
from competition.testing.service import PASSWORD, text_of
from competition.testing.waiting import wait_until
from tests.support.browser import PHONE, SIGNING_OUT, every_view, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

NEW = "seven green bicycles sing"
CONSENT = "I am the parent or guardian of this pupil.\nI agree that the pupil takes part."


def heading(page, name, level=1, exact=True):
    page.get_by_role("heading", name=name, level=level, exact=exact).wait_for()


def fill(page, **values):
    for label, value in values.items():
        page.get_by_label(label.replace("_", " ")).fill(value)


def sign_in(page, email, password=PASSWORD):
    fill(page, Email_address=email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


def stored(page, storage):
    return page.evaluate(f"{storage}.getItem('device.shared')")


# Note that a page has asked the browser not to delete what the site has stored.
NOTE_PERSIST = """if (navigator.storage) navigator.storage.persist = async () => {
  sessionStorage.setItem("asked", "1");
  return true;
}"""


def asked_to_keep(page):
    return page.evaluate("sessionStorage.getItem('asked') === '1'")


@pytest.fixture
def sockets(sockets_with):
    return sockets_with(
        {
            "competition.privacy.consent_text": CONSENT,
            "competition.verification.review_changes": "true",
        }
    )


@pytest.mark.essential
def test_a_pupil_registers_and_is_signed_in_after_the_code(site):
    site.prepare.append(lambda device: device.add_init_script(NOTE_PERSIST))
    page = site.visit("/register", viewport=PHONE, has_touch=True)
    heading(page, "Register")
    assert page.get_by_label("My own device").is_checked()
    page.get_by_text("At least 8 characters.").wait_for()
    fill(page, First_name="Emmy", Last_name="Noether")
    page.get_by_label("School", exact=True).fill("Hillside School")
    page.get_by_label("Email address", exact=True).fill("emmy@school.example")
    fill(page, Phone_number="+49 9131 1882", Choose_a_password=NEW)
    fill(page, The_same_password_again="another one")
    page.get_by_role("button", name="Create your account").click()
    page.get_by_role("link", name="The two passwords are different.").wait_for()
    fill(page, The_same_password_again=NEW, Name_of_your_parent="Max Noether")
    fill(page, Email_address_of_your_parent="max@home.example")
    page.get_by_label("I am the parent or guardian, and I agree").check()
    page.get_by_role("button", name="Create your account").click()
    heading(page, "Confirm your email address")
    assert stored(page, "localStorage") == stored(page, "sessionStorage") == "0"
    assert asked_to_keep(page)
    assert faults(page) == []
    code = site.service.otp("emmy@school.example")
    page.get_by_label("Code").fill(f"{code[:3]} {code[3:]}")
    page.get_by_role("button", name="Confirm", exact=True).click()
    heading(page, "Hello, Emmy")
    page.get_by_text("Your email address is confirmed.").wait_for()
    page.get_by_role("link", name="Send your documents").wait_for()


def test_names_of_schools_are_suggested_and_any_other_can_be_typed(site):
    for _ in range(3):
        site.service.candidate(school="Hillside School")
    page = site.visit("/register")
    field = page.get_by_label("School", exact=True)
    field.press_sequentially("hill")
    names = page.locator("datalist option")
    names.wait_for(state="attached")
    assert names.evaluate_all("all => all.map((each) => each.value)") == ["Hillside School"]
    # Without suggestions, the field is an ordinary text field.
    page.route("**/v1/schools/names/**", lambda route: route.abort())
    field.fill("Riverside School")
    assert field.input_value() == "Riverside School"


def test_an_address_that_has_an_account_is_named_and_the_form_stays_filled(site):
    site.tolerate("400 \\(Bad Request\\)")
    person = site.service.candidate()
    page = site.visit("/register")
    fill(page, First_name="Emmy", Last_name="Noether")
    page.get_by_label("School", exact=True).fill("Hillside School")
    page.get_by_label("Email address", exact=True).fill(person.email)
    fill(page, Phone_number="+49 9131 1882", Choose_a_password=NEW, The_same_password_again=NEW)
    fill(page, Name_of_your_parent="Max", Email_address_of_your_parent="max@home.example")
    page.get_by_label("I am the parent or guardian, and I agree").check()
    page.get_by_role("button", name="Create your account").click()
    page.get_by_text("Is this your address?").wait_for()
    assert page.get_by_label("First name").input_value() == "Emmy"
    assert faults(page) == []


def test_the_page_for_registering_in_every_view(site):
    page = site.visit("/register")
    ready = lambda page: page.locator("blockquote").wait_for()  # noqa: E731  # short
    every_view(page, "portal-account-register", ready)


@pytest.mark.essential
def test_signing_in_leads_to_the_page_that_was_wanted_and_remembers_whose_device_it_is(site):
    person = site.service.candidate()
    site.prepare.append(lambda device: device.add_init_script(NOTE_PERSIST))
    page = site.visit("/inbox", viewport=PHONE)
    heading(page, "Sign in")
    assert page.get_by_label("A shared computer").is_checked()
    assert faults(page) == []
    sign_in(page, person.email)
    heading(page, "Notifications")
    assert stored(page, "localStorage") == stored(page, "sessionStorage") == "1"
    assert not asked_to_keep(page)


def test_a_phone_counts_as_a_private_device_unless_the_candidate_says_otherwise(site):
    person = site.service.candidate()
    site.prepare.append(lambda device: device.add_init_script(NOTE_PERSIST))
    page = site.visit("/sign-in", viewport=PHONE, has_touch=True, is_mobile=True)
    heading(page, "Sign in")
    assert page.get_by_label("My own device").is_checked()
    sign_in(page, person.email)
    heading(page, "Hello, ", exact=False)
    assert stored(page, "localStorage") == stored(page, "sessionStorage") == "0"
    assert asked_to_keep(page)


def test_a_candidate_who_has_not_verified_the_address_verifies_it_after_signing_in(site):
    site.tolerate("400 \\(Bad Request\\)")
    person = site.service.candidate(is_email_verified=False)
    page = site.visit("/sign-in")
    sign_in(page, person.email)
    heading(page, "Confirm your email address")
    page.get_by_role("button", name="Send a new code").click()
    page.get_by_text("you can ask for another one in").wait_for()
    code = site.service.otp(person.email)
    page.get_by_label("Code").fill(f"{(int(code) + 1) % 10**6:06}")
    page.get_by_role("button", name="Confirm", exact=True).click()
    page.get_by_text("This code is wrong").wait_for()
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Confirm", exact=True).click()
    heading(page, "Hello, Ada")


def test_staff_are_led_to_the_console(site):
    page = site.visit("/sign-in")
    sign_in(page, site.service.staff("moderator").email)
    page.get_by_role("link", name="Go to the console").wait_for()
    assert page.evaluate("sessionStorage.getItem('portal.session')") is None


def test_an_account_with_a_second_factor_is_asked_for_a_code(site):
    site.tolerate("40[01] \\(")
    person = site.service.staff("moderator")
    secret = pyotp.TOTP(person.post("/auth/second-factor/", status=201).json["secret"])
    code = secret.at(site.service.clock.now.timestamp())
    codes = person.post("/auth/second-factor/confirm/", {"code": code}).json["recovery_codes"]
    page = site.visit("/sign-in", viewport=PHONE)
    sign_in(page, person.email)
    heading(page, "Enter your code")
    assert faults(page) == []
    page.get_by_label("Code").fill("000-000")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("This code is wrong").wait_for()
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Go to the console").wait_for()


def test_a_forgotten_password_is_replaced_with_a_code(site):
    person = site.service.candidate()
    page = site.visit("/sign-in", viewport=PHONE)
    page.get_by_role("link", name="Forgotten your password?").click()
    heading(page, "Choose a new password")
    fill(page, Email_address=person.email)
    page.get_by_role("button", name="Send the code").click()
    page.get_by_text("a code is on its way").wait_for()
    assert faults(page) == []
    page.get_by_label("Code").fill(site.service.otp(person.email))
    fill(page, Choose_a_password=NEW, The_same_password_again=NEW)
    page.get_by_role("button", name="Set the new password").click()
    page.get_by_text("Your password is changed.").wait_for()
    sign_in(page, person.email, NEW)
    heading(page, "Hello, Ada")


def test_the_language_of_emails_is_chosen(site):
    person = site.service.candidate()
    page = site.signed_in(person, "/account")
    page.get_by_label("Language").select_option("Français")
    page.get_by_role("button", name="Use this language").click()
    page.get_by_text("Emails to you are in this language from now on.").wait_for()
    assert site.service.user(person).language == "fr"
    page.get_by_label("Language").select_option("The league's language")
    page.get_by_role("button", name="Use this language").click()
    wait_until(lambda: site.service.user(person).language is None)


def test_typed_text_stays_when_another_part_of_the_account_is_saved(site):
    # The version that the form is based on is no longer the latest one.
    site.tolerate("status of 412")
    page = site.signed_in(site.service.candidate(phone="+491234567"), "/account")
    page.get_by_label("Phone number").fill("+49 9131 1882")
    page.get_by_label("Language of your emails").select_option("fr")
    page.get_by_role("button", name="Use this language").click()
    page.get_by_text("Emails to you are in this language from now on.").wait_for()
    assert page.get_by_label("Phone number").input_value() == "+49 9131 1882"
    # The first form can still be saved, because the change of another part is not a conflict.
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Your details are saved.").wait_for()


def test_a_candidate_changes_details_picture_and_sessions(site):
    service, person = site.service, site.service.candidate()
    service.new_session(person)
    page = site.signed_in(person, "/account", viewport=PHONE)
    page.get_by_label("School").fill("Lakeside School")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The league checks the new name or school first.").wait_for()
    page.get_by_text("Hillside School becomes Lakeside School").wait_for()
    page.get_by_label("Choose a picture").set_input_files(
        {"name": "me.png", "mimeType": "image/png", "buffer": photograph("PNG")}
    )
    page.get_by_role("img", name="The picture that you have chosen").wait_for()
    assert page.locator(".button.first:visible").all_inner_texts() == ["Save"]
    page.get_by_role("button", name="Use this picture").click()
    page.get_by_role("img", name="Your picture").wait_for()
    page.get_by_role("button", name=re.compile("Sign out 2 other devices")).click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out 2 other devices").click()
    page.get_by_text("2 devices are signed out.").wait_for()
    page.get_by_role("button", name="Download my data").click()
    page.get_by_text("We are collecting your data.").wait_for()
    assert faults(page) == []


def test_a_candidate_downloads_their_own_data_until_they_sign_out(site):
    site.tolerate(SIGNING_OUT)
    service, person = site.service, site.service.candidate()
    page = site.signed_in(person, "/account")
    page.get_by_role("button", name="Download my data").click()
    page.get_by_text("You will get an email with a link.").wait_for()
    [mail] = service.mails(person.email)
    link = re.search(r"http\S+", text_of(mail))[0]
    with page.expect_download() as saved:
        page.evaluate("link => { location.href = link; }", link)
    with ZipFile(saved.value.path()) as zipped:
        data = json.loads(zipped.read("data.json"))
    assert data["account"]["user"]["email"] == person.email
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    assert page.context.request.get(link).status == 404


def test_a_candidate_deletes_the_account_and_cancels_that(site):
    site.tolerate("40[01] \\(")
    service, person = site.service, site.service.candidate()
    page = site.signed_in(person, "/account")
    button = page.get_by_role("button", name="Delete my account")
    before = button.get_attribute("class")
    button.click()
    dialog = page.get_by_role("dialog")
    # What can't be undone looks the same on the page and in its dialog.
    assert dialog.get_by_role("button", name="Delete my account").get_attribute("class") == before
    assert dialog.get_by_role("button", name="Keep").get_attribute("class") != before
    dialog.get_by_label("Password").fill("wrong password")
    dialog.get_by_role("button", name="Delete my account").click()
    dialog.get_by_role("link", name="The password is incorrect.").wait_for()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Delete my account").click()
    page.get_by_text("Your account will be erased on").wait_for()
    heading(page, "Sign in")
    [mail] = [each for each in service.mails(person.email) if "delet" in each["Subject"]]
    code = re.search(r"\S{20,}", mail.get_body(("plain",)).get_content())[0]
    page.get_by_role("link", name="Cancel the deletion").click()
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Cancel the deletion").click()
    page.get_by_text("Your account will not be deleted.").wait_for()
    with begin(service.runtime) as work:
        assert work.db.get_one(User, person.id).is_active


@pytest.mark.parametrize("path", ["sign-in", "password", "restore", "verify"])
def test_each_page_of_signing_in_in_every_view(site, path):
    page = site.visit(f"/{path}")
    every_view(page, f"portal-account-{path}", lambda page: page.locator("form").wait_for())


def test_the_account_in_every_view(site):
    service, person = site.service, site.service.candidate()
    service.new_session(person)
    page = site.signed_in(person, "/account")
    ready = lambda page: page.locator("tbody tr").nth(1).wait_for()  # noqa: E731  # short
    every_view(page, "portal-account-account", ready)
