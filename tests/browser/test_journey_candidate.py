"""One candidate's whole way through the portal on a phone: from registering to an answered appeal.

The candidate starts at the first page, and then uses only what the pages show: links, buttons, and
the names of fields. A manager at a desk decides on the documents, publishes, and answers the appeal
in the console.
"""

import re

import pytest
from playwright.sync_api import expect

from competition.core.work import begin
from competition.plugins.dashboards.services.dashboards import NUMBERS
from competition.testing.exam_day import make_exam
from competition.testing.identity_papers import PDF, photograph
from competition.testing.waiting import PATIENCE
from tests.support.acting import Mouse
from tests.support.browser import PHONE, faults
from tests.support.programs import CHROMIUM, needs_program

pytestmark = needs_program(CHROMIUM)

CONSENT = "I am the parent or guardian of this pupil.\nI agree that the pupil takes part."
EMAIL = "emmy@school.example"
SECRET = "seven green bicycles sing"
KEY = "BCDAB"
# The user agent of the phone, as the service records it.
DEVICE = "a phone"


@pytest.fixture
def sockets(sockets_with):
    return sockets_with(
        {
            "competition.privacy.consent_text": CONSENT,
            "competition.notifications.on": "documents boards appeals",
        }
    )


@pytest.fixture
def phone(site):
    """The first page, on a phone that nobody has used yet."""
    context = site.device(viewport=PHONE, has_touch=True, is_mobile=True, user_agent=DEVICE)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto("/")
    return page


@pytest.fixture
def desk(site):
    """The console, with a manager who acts with the mouse."""
    page = site.signed_in(site.service.staff("manager"), "/console/", user_agent="a desk")
    page.context.set_default_timeout(PATIENCE * 1000)
    return Mouse(page)


def heading(page, name):
    page.get_by_role("heading", name=name, exact=True).wait_for()


def seen(page):
    """Check the page for faults."""
    assert faults(page) == []


def press(page, name, role="button"):
    page.get_by_role("main").get_by_role(role, name=name).first.click()


def open_menu(page, name):
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("link", name=name, exact=True).click()
    page.get_by_role("dialog").wait_for(state="detached")


def register(page, service):
    page.get_by_text("Registration is open.").wait_for()
    seen(page)
    press(page, "Register", "link")
    heading(page, "Register")
    # The form shows its rules before anything is typed.
    page.get_by_text("At least 8 characters.").wait_for()
    page.get_by_text("Write your name as it is on your identity card.").wait_for()
    page.get_by_label("First name").fill("Emmy")
    page.get_by_label("Last name").fill("Noether")
    page.get_by_label("School", exact=True).fill("Hillside School")
    page.get_by_label("Email address", exact=True).fill(EMAIL)
    page.get_by_label("Phone number").fill("+49 9131 1882")
    page.get_by_label("Choose a password").fill(SECRET)
    page.get_by_label("The same password again").fill(SECRET)
    press(page, "Create your account")
    # Without the consent of a parent, there is no account.
    page.get_by_role("link", name="I agree to this text: Please tick this box.").wait_for()
    assert service.mails(EMAIL) == []
    page.get_by_text("I agree that the pupil takes part.").wait_for()
    page.get_by_label("Name of your parent or guardian").fill("Max Noether")
    page.get_by_label("Email address of your parent").fill("max@home.example")
    page.get_by_label("I am the parent or guardian, and I agree").check()
    seen(page)
    press(page, "Create your account")
    heading(page, "Confirm your email address")
    page.get_by_text(f"We sent a code to {EMAIL}").wait_for()
    seen(page)
    code = service.otp(EMAIL)
    page.get_by_label("Code").fill(f"{code[:3]} {code[3:]}")
    press(page, re.compile("^Confirm$"))
    heading(page, "Hello, Emmy")
    page.get_by_text("Your email address is confirmed.").wait_for()


def send_documents(page):
    press(page, "Send your documents", "link")
    heading(page, "Documents")
    picture = {"name": "a.png", "mimeType": "image/png", "buffer": photograph("PNG")}
    letter = {"name": "letter.pdf", "mimeType": "application/pdf", "buffer": PDF}
    for label, file in (
        ("A picture of your face", picture),
        ("Your identity card", picture),
        ("A document that shows your school", letter),
    ):
        page.get_by_label(f"Choose a file ({label})").set_input_files(file)
    page.get_by_role("img", name="Your identity card, as it will be sent").wait_for()
    page.get_by_text("letter.pdf").wait_for()
    seen(page)
    press(page, "Send three documents")
    page.get_by_text("We have received your documents.").wait_for()
    page.get_by_text("We are checking your documents.").wait_for()
    seen(page)
    open_menu(page, "Home")
    heading(page, "We are checking your documents")
    seen(page)


def counted(service):
    """Count what waits for staff, as a process does twice a minute. Pages hear of it at once."""
    with begin(service.runtime) as work:
        NUMBERS.refresh(work)


def approve(desk, service):
    counted(service)
    desk.press("link", "Review one person's documents")
    heading(desk.page, "Emmy Noether")
    desk.press("button", re.compile("^Approve"))
    heading(desk.page, "Documents")
    # Wait until the decision is sent. Until then, the manager can undo it.
    desk.page.get_by_text("Approving Emmy Noether.").wait_for(state="detached")


def publish(desk, service):
    desk.page.goto("/console/")
    desk.press("link", "Publish the results of one exam")
    heading(desk.page, "Publish leaderboards")
    desk.press("button", "Check and publish")
    dialog = desk.page.get_by_role("dialog")
    # The other candidate has saved nothing, so nothing was submitted for them.
    dialog.get_by_text("One result is ranked.").wait_for()
    desk.press("button", "Publish one leaderboard", dialog)
    desk.page.get_by_text("The leaderboard is being published.").wait_for()
    service.run_jobs()
    desk.page.get_by_role("table", name="Published").get_by_text("Round one").wait_for()


def reply(desk, service, text):
    counted(service)
    desk.page.goto("/console/")
    desk.press("link", "Answer one appeal")
    heading(desk.page, "Appeal of Emmy Noether")
    desk.page.get_by_text("Option A is right as well.").wait_for()
    desk.tick("radio", "Reject: the result stands")
    desk.write("Your answer", text)
    desk.press("button", "Check and send")
    desk.press("button", "Reject one appeal", desk.page.get_by_role("dialog"))
    desk.page.get_by_text("Emmy Noether was notified of your answer.").wait_for()


def answer(page, letters, first):
    """Answer questions from number `first` on, one after the other, by tapping."""
    for at, letter in enumerate(letters):
        page.get_by_text(f"Question {first + at} of {len(KEY)}").wait_for()
        page.get_by_role("radio", name=re.compile(f"^{letter}, ")).click()
        if first + at < len(KEY):
            page.get_by_role("button", name="Next").click()


def says(page, text):
    page.locator(".bar").get_by_text(text).wait_for()


def sit(page, line):
    press(page, "Go to the exam", "link")
    heading(page, "The exam is open")
    page.get_by_role("main").get_by_text("Your 60 minutes begin when you press Start.").wait_for()
    seen(page)
    press(page, "Start")
    answer(page, "BC", first=1)
    says(page, "All 2 answers saved at")
    seen(page)
    line.cut.add(DEVICE)
    answer(page, "AC", first=3)
    says(page, "No connection.")
    says(page, "2 answers saved on this device only. Carry on.")
    seen(page)
    line.cut.clear()
    says(page, "All 4 answers saved at")
    # The fifth question stays blank.
    page.get_by_role("link", name="Finish").click()
    page.get_by_text("4 of 5 answered.").wait_for()
    page.get_by_text("Not answered: 5.").wait_for()
    seen(page)
    page.get_by_role("button", name="Submit now").click()
    dialog = page.get_by_role("dialog", name="Submit now?")
    dialog.get_by_text("You have not answered question 5.").wait_for()
    dialog.get_by_role("button", name="Submit 4 answers").click()
    main = page.get_by_role("main")
    main.get_by_text("The league has received your answers to 4 of 5 questions.").wait_for()
    main.get_by_text("matches the answers on this device").wait_for()
    seen(page)
    with page.expect_download() as saved:
        press(page, "Save the receipt")
    assert '"answered": 4' in saved.value.path().read_text()
    press(page, "Results", "link")
    heading(page, "Round one")
    page.get_by_text("when the exam is over for all candidates").wait_for()
    seen(page)


def appeal(page, desk, service):
    press(page, "Appeal against question 3", "link")
    heading(page, "New appeal")
    expect(page.get_by_label("What is the appeal about?")).to_have_value(re.compile("."))
    seen(page)
    press(page, "Send the appeal")
    page.get_by_role("link", name="Your reasons: Please fill in this field.").wait_for()
    page.get_by_label("Your reasons").fill("Option A is right as well.")
    press(page, "Send the appeal")
    page.get_by_text("The league has received your appeal.").wait_for()
    page.get_by_text("Waiting for a reply").wait_for()
    reply(desk, service, "It is, but only for even numbers.")
    service.run_jobs()
    # The reply appears on the open page.
    page.get_by_text("It is, but only for even numbers.").wait_for()
    page.get_by_text("Rejected", exact=True).wait_for()
    seen(page)


def test_a_candidate_goes_from_registering_to_an_answered_appeal(site, phone, desk):
    # Chromium's PDF viewer, which shows the document of the school, requests its own files.
    site.tolerate(r"request: chrome(-extension)?://")
    # The test cuts the connection, and moves the clock, so that tokens expire.
    site.tolerate(r"Failed to load resource|bad HTTP response code \(504\)")
    service, admin, page = site.service, site.service.staff("admin"), phone
    opens = service.clock.now.replace(microsecond=0)
    exam_id = make_exam(
        service, admin, KEY, title="Round one", scheduled_date=f"{opens.isoformat()}"
    )
    register(page, service)
    send_documents(page)
    approve(desk, service)
    service.run_jobs()
    # The decision arrives on the open page.
    heading(page, "The exam is open: Round one")
    seen(page)
    sit(page, site.line)
    other = service.candidate()
    other.get(f"/exams/{exam_id}/take-exam/", status=200)
    admin.post(f"/exams/{exam_id}/conclude/")
    service.clock.advance(minutes=90)
    service.run_task("drafts.hand_in")
    service.run_jobs()
    publish(desk, service)
    open_menu(page, "Home")
    heading(page, "Last result")
    page.get_by_role("main").get_by_text("40%").wait_for()
    seen(page)
    press(page, "All results", "link")
    heading(page, "Results")
    press(page, "Round one", "link")
    heading(page, "Round one")
    expect(page.get_by_role("main")).to_contain_text("40%")
    press(page, "Wrong or blank", "link")
    heading(page, "Question 3")
    seen(page)
    appeal(page, desk, service)
