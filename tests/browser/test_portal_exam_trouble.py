"""The page of an exam when something is killed: the api, or the tab of the page.

After each test, `proof` compares the answers that the page has called saved with those that the
service has.
"""

import re
import signal
from http.client import HTTPConnection, HTTPException

import pytest

from competition.core.auth.keyring import SigningSettings
from competition.core.database import DatabaseSettings
from competition.core.runtime import RedisSettings
from competition.plugins.drafts.models import Draft
from competition.plugins.sittings.models import Submission
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.exam_page import (
    ALL_SAVED,
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
    # The process has the system's clock, so pages and the other half of the service need it too.
    clock = site.service.clock
    clock.advance(milliseconds=-clock.milliseconds_ahead)
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


def test_an_api_that_is_killed_and_started_again_has_every_answer(site, api, sit, exam_id):
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
    ends(page, "matches the answers on this device")
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
