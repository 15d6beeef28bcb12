"""The page of an exam with problems around it: a killed api or tab, a wrong clock, no connection
before the start, a slow connection, a service that is busy, a full device, and a browser that
lacks features.

After each test, `proof` compares the answers that the page has called saved with those that the
service has.
"""

import re
import signal
from datetime import timedelta
from http.client import HTTPConnection, HTTPException
from threading import Event

import pytest

from competition.core.auth.keyring import SigningSettings
from competition.core.database import DatabaseSettings
from competition.core.runtime import RedisSettings
from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import make_exam
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.browser import PAUSE, PHONE, faults, wait_for
from tests.support.exam_page import (
    ALL_SAVED,
    DRAFT,
    IN_NO_TIME,
    SUBMIT,
    TAKE,
    choose,
    ends,
    says,
    shown,
    sign_in,
    stored,
    submit,
)
from tests.support.ports import free_port
from tests.support.processes import Launcher, competition, environment, is_healthy
from tests.support.programs import CHROMIUM, needs_program
from tests.support.repository import DEVELOPMENT_INI

pytestmark = [needs_program(CHROMIUM), pytest.mark.usefixtures("proof")]

RENEWAL = "POST /v1/auth/token/refresh/"
# Simulates a device with a wrong clock. The page's own clock, `performance.now()`, counts from the
# start of the page, so it is not affected.
WRONG_CLOCK = """
const Right = Date;
globalThis.Date = class extends Right {{
  constructor(...given) {{ super(...(given.length ? given : [Right.now() + {ahead}])); }}
  static now() {{ return Right.now() + {ahead}; }}
}};
"""
# Removes features that some browsers lack.
WITHOUT_FEATURES = """
delete window.WebSocket;
const missing = ["serviceWorker", "clipboard", "wakeLock", "locks"];
for (const name of missing) delete Navigator.prototype[name];
delete Element.prototype.setHTML;
const { importKey } = crypto.subtle ?? {};
if (importKey) SubtleCrypto.prototype.importKey = function (format, key, algorithm, ...others) {
  if (algorithm === "Ed25519") throw new DOMException("unknown", "NotSupportedError");
  return importKey.call(this, format, key, algorithm, ...others);
};
"""

# Note the wake locks that the page gets, in `wakeLocks`.
WATCH_WAKE_LOCKS = """
window.wakeLocks = [];
// The empty page has no wake locks.
const { request } = window.WakeLock?.prototype ?? {};
if (request) WakeLock.prototype.request = async function (...given) {
  const lock = await request.apply(this, given);
  wakeLocks.push(lock);
  return lock;
};
"""
HELD_WAKE_LOCKS = "wakeLocks.filter(each => !each.released).length"


class Held:
    """The replies to a request ("GET /v1/exams/7/time/") wait for `release`."""

    def __init__(self, site, request):
        self.is_held = False
        self._request, self._released = request, Event()
        site.line.after.append(self._wait)

    def release(self):
        self._released.set()

    def _wait(self, called):
        if called == self._request and not self._released.is_set():
            self.is_held = True
            self._released.wait(PATIENCE)


class ApiProcess:
    """A process `competition api`, which answers the requests for the API in place of the
    application in the test's process. The test's server passes the requests on, so the address
    stays the same for browsers.
    """

    def __init__(self, launcher, application):
        self._launcher, self._application = launcher, application
        self._port = free_port()
        self._process = None

    def start(self):
        command = competition("api", str(DEVELOPMENT_INI))
        self._process = self._launcher.start(command, COMPETITION_SERVER_PORT=str(self._port))
        wait_until(lambda: is_healthy(f"http://127.0.0.1:{self._port}/v1"))

    def kill(self):
        self._process.end(signal.SIGKILL)

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"]
        if not path.startswith("/v1/"):
            return self._application(environ, start_response)
        headers = {
            name.removeprefix("HTTP_").replace("_", "-"): value
            for name, value in environ.items()
            if value and (name.startswith("HTTP_") or name == "CONTENT_TYPE")
        }
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            target = f"{path}?{environ['QUERY_STRING']}"
            connection.request(environ["REQUEST_METHOD"], target, body or None, headers)
            reply = connection.getresponse()
            content = reply.read()
        except (OSError, HTTPException):
            start_response("502 Bad Gateway", [("Content-Type", "text/html")])
            return [b"<h1>502 Bad Gateway</h1>"]
        finally:
            connection.close()
        kept = ("connection", "transfer-encoding", "keep-alive", "server", "date")
        found = [each for each in reply.getheaders() if each[0].lower() not in kept]
        start_response(f"{reply.status} {reply.reason}", found)
        return [content]


@pytest.fixture
def api(site, tmp_path):
    settings = site.service.runtime.settings
    launcher = Launcher(
        tmp_path,
        environment(
            tmp_path / "api",
            COMPETITION_DATABASE_URL=settings[DatabaseSettings].url,
            COMPETITION_REDIS_URL=settings[RedisSettings].url,
            COMPETITION_SIGNING_KEYS=" ".join(settings[SigningSettings].keys),
        ),
    )
    api = ApiProcess(launcher, site.line.app)
    api.start()
    site.line.app = api
    yield api
    launcher.end_all()


def test_an_api_that_is_killed_and_started_again_has_every_answer(site, sit, exam_id, api):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    api.kill()
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    choose(page, 1, "A")
    says(page, "2 answers saved on this device only.")
    api.start()
    says(page, "All 2 answers saved at")
    assert stored(site, Draft, exam_id) == ["AC"]
    api.kill()
    submit(page)
    ends(page, "No connection. This page will submit your answers")
    api.start()
    ends(page, "The league has received your answers to 2 of 12 questions.")
    ends(page, "The receipt is genuine and matches the answers on this device.")
    assert stored(site, Submission, exam_id) == ["AC"]


def test_a_tab_that_is_killed_leaves_its_answers_on_the_device(site, sit, exam_id):
    ada = site.service.candidate()
    page = sit(ada)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.cut.add("phone")
    choose(page, 2, "C")
    says(page, "One answer saved on this device only.")
    choose(page, 3, "D")
    with pytest.raises(Exception, match="crash"):
        page.goto("chrome://crash")
    device = page.context
    page.close()
    page = device.new_page()
    page.goto(f"/exams/{exam_id}")
    says(page, "2 answers saved on this device only.")
    assert shown(page) == "BCD"
    site.line.cut.clear()
    # The session was stored in the closed tab only, so the candidate has to sign in again.
    page.locator(".bar").get_by_role("button", name="Sign in").click()
    sign_in(page, ada.email)
    says(page, "All 3 answers saved at")
    choose(page, 4, "A")
    # `close` runs no handlers of the page, so the page can't send the answer.
    page.close()
    page = device.new_page()
    page.goto(f"/exams/{exam_id}")
    page.get_by_role("link", name=re.compile("^Question 4: A")).wait_for()
    page.locator(".bar").get_by_role("button", name="Sign in").click()
    sign_in(page, ada.email)
    says(page, "All 4 answers saved at")
    assert stored(site, Draft, exam_id) == ["BCDA"]


def test_lost_replies_to_a_renewal_do_not_sign_the_candidate_out(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    renewals = []
    site.line.after.append(lambda called: called == RENEWAL and renewals.append(called))
    # A page that is loaded again renews its tokens.
    site.line.lost.add(RENEWAL)
    page.reload()
    wait_for(page, lambda: renewals)
    # The old token alone may be repeated for ten seconds only.
    site.service.clock.advance(minutes=10)
    page.reload()
    renewals.clear()
    wait_for(page, lambda: renewals)
    choose(page, 2, "C")
    site.line.lost.clear()
    says(page, "All 2 answers saved at")
    assert not page.locator(".bar").get_by_role("button", name="Sign in").is_visible()
    page.reload()
    choose(page, 3, "D")
    says(page, "All 3 answers saved at")
    submit(page)
    ends(page, "The league has received your answers to 3 of 12 questions.")
    assert stored(site, Submission, exam_id) == ["BCD"]


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_wrong_clock_of_the_device_changes_nothing(site, proof, hours):
    opens = site.service.clock.now + timedelta(minutes=10)
    admin = site.service.staff("admin")
    exam_id = make_exam(site.service, admin, scheduled_date=opens.isoformat())
    ada = site.service.candidate()
    proof.expect(exam_id, ada)
    device = site.device(viewport=PHONE, has_touch=True)
    device.add_init_script(WRONG_CLOCK.format(ahead=hours * 3_600_000))
    device.add_init_script(IN_NO_TIME)
    page = site.signed_in(ada, f"/exams/{exam_id}", context=device)
    page.get_by_role("timer").get_by_text(re.compile("^09:")).wait_for()
    site.service.clock.advance(minutes=10)
    page.reload()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("timer").get_by_text(re.compile("^59:")).wait_for()
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    page.get_by_role("timer").get_by_text(re.compile("^59:")).wait_for()
    choose(page, 2, "C")
    site.service.clock.advance(minutes=61)
    ends(page, "The league has received your answers to 2 of 10 questions.")
    assert stored(site, Submission, exam_id) == ["BC"]


def test_the_countdown_goes_on_without_a_connection_and_follows_a_start_that_is_moved(site):
    site.tolerate(r"Failed to load resource")
    service = site.service
    admin = service.staff("admin")
    opens = service.clock.now + timedelta(minutes=5)
    exam_id = make_exam(service, admin, scheduled_date=opens.isoformat())
    page = site.signed_in(
        service.candidate(), f"/exams/{exam_id}", viewport=PHONE, has_touch=True, user_agent="phone"
    )
    timer = page.get_by_role("timer")
    timer.get_by_text(re.compile("^04:")).wait_for()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    timer.get_by_text(re.compile("^04:")).wait_for()
    site.line.cut.add("phone")
    page.reload()
    timer.get_by_text(re.compile("^04:")).wait_for()
    page.get_by_text("No connection. This page tries again automatically.").wait_for()
    assert faults(page) == []

    def move(**by):
        moved = {"scheduled_date": (service.clock.now + timedelta(**by)).isoformat()}
        admin.patch(f"/exams/{exam_id}/", moved, status=200)
        page.evaluate("dispatchEvent(new Event('online'))")

    site.line.cut.clear()
    move(minutes=20)
    timer.get_by_text(re.compile("^19:")).wait_for()
    assert page.get_by_text("No connection.").count() == 0
    move(minutes=-1)
    page.get_by_role("button", name="Start").click()
    choose(page, 1, "B")
    says(page, ALL_SAVED)


def test_a_page_of_an_exam_that_is_switched_off_says_so_until_it_is_back(site, exam_id):
    admin = site.service.staff("admin")
    page = site.signed_in(site.service.candidate(), f"/exams/{exam_id}", viewport=PHONE)
    start = page.get_by_role("button", name="Start")
    start.wait_for()

    def switch(on):
        admin.patch(f"/exams/{exam_id}/", {"is_active": on}, status=200)
        page.evaluate("dispatchEvent(new Event('online'))")

    switch(False)
    page.get_by_role("paragraph").get_by_text("This exam is not open. This page tries").wait_for()
    assert start.count() == 0
    switch(True)
    start.wait_for()


def test_on_a_slow_connection_the_page_says_that_it_is_saving(site, sit, exam_id):
    page = sit(site.service.candidate())
    site.line.delay = 2
    choose(page, 1, "B")
    says(page, "Saving…")
    choose(page, 2, "C")
    says(page, "All 2 answers saved at")
    submit(page)
    ends(page, "Submitting 2 answers. Keep this page open.")
    ends(page, "The league has received your answers to 2 of 12 questions.")
    assert stored(site, Submission, exam_id) == ["BC"]


def test_a_rejected_save_has_a_number_and_is_sent_again_with_the_next_choice(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    site.line.rejected.add(DRAFT)
    choose(page, 2, "C")
    says(page, "Saving failed. Your latest answers are saved on this device only.")
    says(page, re.compile(r"Show your teacher this number: \S"))
    assert faults(page) == []
    assert stored(site, Draft, exam_id) == ["B"]
    site.line.rejected.clear()
    choose(page, 3, "D")
    says(page, "All 3 answers saved at")
    assert stored(site, Draft, exam_id) == ["BCD"]


def test_without_sockets_clipboard_service_worker_and_ed25519_only_convenience_is_lost(
    site, exam_id, proof
):
    ada = site.service.candidate()
    proof.expect(exam_id, ada)
    device = site.device(viewport=PHONE, has_touch=True)
    device.add_init_script(WITHOUT_FEATURES)
    page = site.signed_in(ada, f"/exams/{exam_id}", context=device)
    page.get_by_role("button", name="Start").click()
    announcement = {"text": "Question 3 has a new picture."}
    site.service.staff("admin").post(f"/exams/{exam_id}/announcements/", announcement, status=201)
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    says(page, "Question 3 has a new picture.")
    submit(page)
    ends(page, "The league has received your answer to one of 12 questions.")
    ends(page, "The receipt is genuine and matches the answers on this device.")
    assert faults(page) == []


def test_the_start_button_stays_under_the_finger_that_presses_it(site, exam_id):
    ada = site.service.candidate()
    reply = Held(site, "GET /v1/dashboard/candidate/")
    page = site.signed_in(ada, f"/exams/{exam_id}", viewport=PHONE)
    start = page.get_by_role("button", name="Start")
    start.hover()
    page.mouse.down()
    with page.expect_response(re.compile("/own-time/")):
        reply.release()
    page.wait_for_timeout(100)
    page.mouse.up()
    page.get_by_role("navigation", name="Questions").wait_for()


def test_an_old_reply_does_not_take_the_paper_away(site, exam_id):
    ada = site.service.candidate()
    page = site.signed_in(ada, f"/exams/{exam_id}", viewport=PHONE)
    start = page.get_by_role("button", name="Start")
    start.wait_for()
    reply = Held(site, f"GET /v1/exams/{exam_id}/time/")
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_for(page, lambda: reply.is_held)
    start.click()
    running = page.get_by_role("navigation", name="Questions")
    running.wait_for()
    with page.expect_response(re.compile("/time/")):
        reply.release()
    page.wait_for_timeout(100)
    assert running.is_visible()


# Simulates a page without timers: it does only what events of the browser make it do.
WITHOUT_TIMERS = "globalThis.setTimeout = () => 0"
# Fills the storage of this origin, until not one more character fits.
FILL = """
for (let size = 2 ** 22; size >= 1;) {
  try {
    localStorage.setItem(`filled.${localStorage.length}`, "x".repeat(size));
  } catch {
    size /= 2;
  }
}
"""
EMPTY = """
for (const each of Object.keys(localStorage)) {
  if (each.startsWith("filled.")) localStorage.removeItem(each);
}
"""


def sent(page, name):
    """When the page has sent each request for this resource of the exam, in seconds."""
    requests = "performance.getEntriesByType('resource')"
    matches = f"each => each.name.endsWith('/{name}/')"
    return page.evaluate(f"{requests}.filter({matches}).map(each => each.startTime / 1000)")


def test_a_busy_service_gets_the_pause_that_it_asks_for_and_then_every_answer(site, exam_id, proof):
    ada = site.service.candidate()
    proof.expect(exam_id, ada)
    busy = site.line.busy
    busy.update((TAKE, DRAFT, SUBMIT))
    device = site.device(viewport=PHONE, has_touch=True)
    device.add_init_script(IN_NO_TIME)
    page = site.signed_in(ada, f"/exams/{exam_id}", context=device)
    page.get_by_role("button", name="Start").click()
    ends(page, "No connection. This page keeps trying.")
    wait_for(page, lambda: len(sent(page, "take-exam")) == 2)
    busy.remove(TAKE)
    choose(page, 1, "B")
    says(page, "One answer saved on this device only.")
    wait_for(page, lambda: len(sent(page, "draft")) == 2)
    busy.remove(DRAFT)
    says(page, ALL_SAVED)
    choose(page, 2, "C")
    submit(page)
    ends(page, "No connection. This page will submit your answers")
    wait_for(page, lambda: len(sent(page, "submit-exam-answers")) == 2)
    busy.remove(SUBMIT)
    ends(page, "The league has received your answers to 2 of 12 questions.")
    assert stored(site, Submission, exam_id) == ["BC"]
    for name in ("take-exam", "draft", "submit-exam-answers"):
        first, second = sent(page, name)[:2]
        assert second - first >= PAUSE, name


def test_a_device_that_gets_full_during_the_exam_loses_no_answer(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    page.evaluate(FILL)
    choose(page, 2, "C")
    says(page, re.compile("this browser can.t keep answers"))
    says(page, "All 2 answers saved at")
    # After a reload, the page has the answers of the service.
    page.reload()
    choose(page, 3, "D")
    says(page, re.compile("this browser can.t keep answers"))
    says(page, "All 3 answers saved at")
    assert shown(page) == "BCD"
    assert stored(site, Draft, exam_id) == ["BCD"]
    assert faults(page) == []
    page.evaluate(EMPTY)
    page.reload()
    choose(page, 4, "A")
    says(page, "All 4 answers saved at")
    assert page.get_by_text(re.compile("this browser can.t keep answers")).count() == 0
    assert stored(site, Draft, exam_id) == ["BCDA"]


# The browser stores everything but choices, as if there was no room for just these.
NO_ROOM_FOR_CHOICES = """
const store = Storage.prototype.setItem;
Storage.prototype.setItem = function (name, value) {
  if (name.includes(".chosen.")) throw new DOMException("full", "QuotaExceededError");
  store.call(this, name, value);
};
null
"""


def test_choices_that_the_browser_could_not_store_come_back_from_the_service(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    choose(page, 4, "B")
    says(page, "All 2 answers saved at")
    page.evaluate(NO_ROOM_FOR_CHOICES)
    choose(page, 1, "A")
    choose(page, 2, "C")
    says(page, "All 3 answers saved at")
    wait_for(page, lambda: stored(site, Draft, exam_id) == ["AC.B"])
    page.reload()
    choose(page, 3, "D")
    says(page, "All 4 answers saved at")
    assert shown(page) == "ACDB"
    assert stored(site, Draft, exam_id) == ["ACDB"]
    # They do not look as if another device had changed them.
    assert page.get_by_text("another device").count() == 0
    # Without a connection, too, the page has them after a reload.
    page.evaluate(NO_ROOM_FOR_CHOICES)
    choose(page, 2, "B")
    says(page, "All 4 answers saved at")
    wait_for(page, lambda: stored(site, Draft, exam_id) == ["ABDB"])
    site.line.cut.add("phone")
    page.reload()
    choose(page, 5, "C")
    assert shown(page) == "ABDBC"
    site.line.cut.clear()
    says(page, "All 5 answers saved at")
    assert stored(site, Draft, exam_id) == ["ABDBC"]


def test_a_choice_just_before_the_page_is_hidden_or_left_reaches_the_service(site, sit, exam_id):
    page = sit(site.service.candidate())
    choose(page, 1, "B")
    says(page, ALL_SAVED)
    page.evaluate(WITHOUT_TIMERS)
    choose(page, 2, "C")
    page.get_by_role("link", name="Question 2: C, here only").wait_for()
    assert stored(site, Draft, exam_id) == ["B"]
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {configurable: true, get: () => true});"
        "document.dispatchEvent(new Event('visibilitychange'));"
        "delete document.hidden"
    )
    wait_for(page, lambda: stored(site, Draft, exam_id) == ["BC"])
    page.reload()
    says(page, ALL_SAVED)
    page.evaluate(WITHOUT_TIMERS)
    choose(page, 3, "D")
    page.get_by_role("link", name="Question 3: D, here only").wait_for()
    # Not by leaving the page: a busy browser gives it half a second, and then ends it.
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    wait_for(page, lambda: stored(site, Draft, exam_id) == ["BCD"])


def test_the_screen_stays_on_during_the_exam_also_after_a_return_to_the_page(site, sit):
    site.prepare.append(lambda device: device.add_init_script(WATCH_WAKE_LOCKS))
    page = sit(site.service.candidate())
    wait_for(page, lambda: page.evaluate(HELD_WAKE_LOCKS) == 1)
    # Browsers release the lock when they hide the page.
    page.evaluate("wakeLocks[0].release()")
    assert page.evaluate(HELD_WAKE_LOCKS) == 0
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_for(page, lambda: page.evaluate(HELD_WAKE_LOCKS) == 1)
    submit(page)
    ends(page, "The league has received your answers")
    wait_for(page, lambda: page.evaluate(HELD_WAKE_LOCKS) == 0)
