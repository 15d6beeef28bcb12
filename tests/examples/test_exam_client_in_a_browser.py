"""`examples/exam-client` in Debian's Chromium, with the problems that may occur during an exam."""

import mimetypes

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import make_exam
from competition.testing.service import PASSWORD
from tests.plugins.questions.test_images_in_questions import add, shows, upload
from tests.support.browser import Line, closing_contexts, wait_for
from tests.support.programs import CHROMIUM, needs_program
from tests.support.repository import REPOSITORY
from tests.support.served import served

pytestmark = needs_program(CHROMIUM)

FILES = REPOSITORY / "examples" / "exam-client"
PLACE = "/exam-client/"
# The exam has more than nine questions, because a receipt sorts their numbers as strings.
KEY = "ABCDABCDABCD"
SAVED = "All answers are saved."
COMPLETE = "It covers all answers on this page"
# Makes random pauses 0.
IN_NO_TIME = "Math.random = () => 0"


def beside(app):
    """An application that serves the API and the files of the client."""

    def either(environ, start_response):
        path = environ["PATH_INFO"]
        if not path.startswith(PLACE):
            return app(environ, start_response)
        file = FILES / (path.removeprefix(PLACE) or "index.html")
        kind, _ = mimetypes.guess_type(file)
        start_response("200 OK", [("Content-Type", kind)])
        return [file.read_bytes()]

    return either


@pytest.fixture
def line(live):
    return Line(live.http.app)


@pytest.fixture
def address(line):
    with served(beside(line)) as url:
        yield url


@pytest.fixture
def browser(address, chromium):
    with closing_contexts(chromium) as browser:
        yield browser


@pytest.fixture
def device(live, browser, address):
    """``device(candidate, exam)``: a new browser context, in which the candidate has logged in and
    started."""
    complaints = []

    def start(candidate, exam_id, **options):
        context = browser.new_context(**options)
        context.add_init_script(IN_NO_TIME)
        context.on("weberror", lambda each: complaints.append(str(each.error)))
        page = context.new_page()
        page.goto(f"{address}{PLACE}?service={address}/v1&key={live.key}&exam={exam_id}")
        page.get_by_label("Email").fill(candidate.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Start").click()
        page.locator("fieldset").first.wait_for()
        return page

    yield start
    assert complaints == []


def cut_off(page, line):
    """Disconnect the page. Chromium disconnects its processes one after another, so wait until
    requests fail. Requests that a page sends while it closes are not blocked, but `line` drops
    them."""
    line.cut.add("phone")
    page.context.set_offline(True)
    page.wait_for_function(
        "fetch('/v1/health/', {cache: 'no-store'}).then(() => false, () => true)", polling=50
    )


def connect(page, line):
    line.cut.clear()
    page.context.set_offline(False)


def choose(page, question, letter):
    page.locator("fieldset").nth(question - 1).locator(f"input[value='{letter}']").check()


def shown(page):
    """One letter per question, up to the last answered question."""
    values = page.locator("input:checked").evaluate_all("all => all.map(each => each.value || '.')")
    return "".join(values).rstrip(".")


def says(page, text):
    page.get_by_text(text).wait_for()


def stored(live, model, exam_id):
    """The answers of each candidate, from the database."""
    with begin(live.runtime) as work:
        rows = work.db.scalars(select(model.answers).where(model.exam_id == exam_id))
        return [answers.rstrip("-").replace("-", ".") for answers in rows]


def test_no_answer_is_lost_offline_in_other_tabs_or_on_other_devices(live, device, line):
    exam_id, ada = make_exam(live, live.staff("admin"), KEY), live.candidate()
    phone = device(ada, exam_id, user_agent="phone")
    choose(phone, 1, "B")
    says(phone, SAVED)
    phone.evaluate("navigator.serviceWorker.ready.then(() => null)")

    cut_off(phone, line)
    choose(phone, 2, "C")
    says(phone, "No connection: 1 answers are stored")
    phone.reload()
    says(phone, "No connection: 1 answers are stored")
    assert shown(phone) == "BC"
    choose(phone, 3, "D")
    tab = phone.context.new_page()
    tab.goto(phone.url)
    says(tab, "No connection: 2 answers are stored")
    choose(tab, 4, "A")
    says(phone, "No connection: 3 answers are stored")
    assert shown(phone) == shown(tab) == "BCDA"

    laptop = device(ada, exam_id, user_agent="laptop")
    assert shown(laptop) == "B"
    choose(laptop, 1, "A")
    choose(laptop, 5, "B")
    says(laptop, SAVED)
    assert stored(live, Draft, exam_id) == ["A...B"]

    # The later choices on the laptop stay, and so do answers to other questions.
    connect(phone, line)
    for page in (phone, tab):
        says(page, SAVED)
        assert shown(page) == "ACDAB"
    assert stored(live, Draft, exam_id) == ["ACDAB"]

    cut_off(phone, line)
    choose(phone, 6, "C")
    phone.get_by_role("button", name="Submit").click()
    says(tab, "Your answers are being submitted.")
    tab.reload()
    says(phone, "Your answers are being submitted.")
    connect(phone, line)
    for page in (phone, tab):
        says(page, COMPLETE)
    assert stored(live, Submission, exam_id) == ["ACDABC"]
    # The other device gets the reply that the exam is submitted.
    laptop.reload()
    says(laptop, "it covers only the answers that were saved before the end")


def test_a_request_whose_reply_was_lost_is_repeated(live, device):
    exam_id, ada = make_exam(live, live.staff("admin"), KEY), live.candidate()
    page = device(ada, exam_id, service_workers="block")
    replies = {"draft": [], "submit-exam-answers": []}

    # After a single lost reply, the page does not call the connection lost.
    lost = {"draft": 2, "submit-exam-answers": 1}

    def lose_the_first(route):
        path = route.request.url.split("/")[-2]
        replies[path].append(route.fetch())
        if len(replies[path]) > lost[path]:
            route.fulfill(response=replies[path][-1])
        else:
            route.abort()

    page.route("**/draft/", lose_the_first)
    page.route("**/submit-exam-answers/", lose_the_first)
    choose(page, 1, "B")
    page.evaluate("dispatchEvent(new Event('online'))")
    says(page, "No connection")
    # The repeated request is unchanged, although there is another answer to save.
    choose(page, 2, "C")
    says(page, SAVED)
    first, *again, more = (each.json() for each in replies["draft"])
    assert {(each["applied"], each["sequence"]) for each in again} == {(True, first["sequence"])}
    assert (more["sequence"], more["answered"]) == (first["sequence"] + 1, 2)
    page.get_by_role("button", name="Submit").click()
    says(page, COMPLETE)
    first, again = (each.json() for each in replies["submit-exam-answers"])
    assert first["receipt"] == again["receipt"]
    assert stored(live, Submission, exam_id) == ["BC"]


def test_the_page_shows_the_questions_the_news_and_the_services_clock(live, device, address):
    live.runtime.public_url, live.runtime.api_url = address, f"{address}/v1"
    admin, ada = live.staff("admin"), live.candidate()
    image = upload(admin, "A navy rectangle")
    texts = {"text": rf"Is \(\frac{{1}}{{2}}\) of {shows(image)} < 1?", "option_c": r"\(\sqrt{2}\)"}
    exam_id = make_exam(live, admin, questions=[add(admin, **texts)["id"]])
    announcements = f"/exams/{exam_id}/announcements/"
    admin.post(announcements, {"text": "Question 3: <b>round up</b>."}, status=201)
    page = device(ada, exam_id)
    question = page.locator("fieldset")
    for element, text in (("mfrac", "12"), ("msqrt", "2")):
        found = question.locator(element)
        assert found.text_content() == text
        assert found.evaluate("each => each.namespaceURI.endsWith('MathML')")
        assert found.bounding_box()["height"] > 0
    # The option is shown as a formula, without remains of its source.
    assert question.locator("label").nth(2).locator("math").count() == 1
    assert not {"\\", "["} & {*question.text_content()}
    picture = question.get_by_role("img", name="A navy rectangle")
    picture.wait_for()
    wait_for(page, lambda: picture.evaluate("each => each.naturalWidth") == 8)

    # The text of an announcement is no HTML.
    says(page, "Announcement — Question 3: <b>round up</b>.")
    page.get_by_label("Ask the staff what is unclear").fill("Why?")
    page.get_by_role("button", name="Ask", exact=True).click()
    says(page, "Your question has been sent.")
    [asked] = admin.get(f"/exams/{exam_id}/clarifications/").json["results"]
    answer = {"answer": "Because.", "public": False}
    admin.post(f"/clarifications/{asked['id']}/answer/", answer, status=200)
    page.reload()
    says(page, "The exam: Why? — Because.")
    assert page.locator("#news li").count() == 2

    # The page shows the time that the service gives.
    choose(page, 1, "B")
    says(page, SAVED)
    live.clock.advance(minutes=30)
    choose(page, 1, "C")
    says(page, "Time left: 29:")
    # At the end the page submits automatically.
    live.clock.advance(minutes=30)
    choose(page, 1, "D")
    says(page, COMPLETE)
    assert stored(live, Submission, exam_id) == ["D"]
