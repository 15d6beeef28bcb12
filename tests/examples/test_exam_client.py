"""`examples/exam-client/exam_client.py`, as a program."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.sittings.models import Submission
from competition.testing.exam_day import answers, make_exam, submit, take
from competition.testing.service import PASSWORD
from competition.testing.waiting import PATIENCE, wait_until
from tests.support.repository import REPOSITORY
from tests.support.served import served

PROGRAM = REPOSITORY / "examples" / "exam-client" / "exam_client.py"
KEY = "ABCDABCDABCD"

# Each run of the program is a process.
pytestmark = pytest.mark.long


@pytest.fixture
def live(live_with):
    # The program submits at a random time in the first half of the grace period.
    return live_with({"competition.sittings.grace_minutes": "1"})


@pytest.fixture
def requests():
    """The requests of the program, for example "GET /v1/exams/7/receipt/"."""
    return []


@pytest.fixture
def first():
    """Functions that run before the program's next request of this kind, for example of
    "GET /v1/exams/7/time/"."""
    return {}


@pytest.fixture
def address(live, requests, first):
    def app(environ, start_response):
        request = f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
        requests.append(request)
        if request in first:
            first.pop(request)()
        return live.http.app(environ, start_response)

    with served(app) as url:
        yield f"{url}/v1"


@pytest.fixture
def run(live, address, tmp_path):
    """``run(candidate, exam, typed, device)``: run the program and return its result with the
    output."""

    def run(candidate, exam_id, typed, device):
        folder = tmp_path / device
        folder.mkdir(exist_ok=True)
        return subprocess.run(
            [sys.executable, PROGRAM, address, live.key, str(exam_id), candidate.email],
            input=typed,
            cwd=folder,
            env={**os.environ, "PASSWORD": PASSWORD},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    return run


def test_answers_survive_the_end_of_the_program_and_another_device(live, run):
    exam_id, ada = make_exam(live, live.staff("admin"), KEY), live.candidate()
    # The program ends before it has saved all answers.
    ended = run(ada, exam_id, "1 b\n12 D\n", "phone")
    assert ended.returncode != 0 and "EOFError" in ended.stderr
    done = run(ada, exam_id, "2 c\n2 A\ndone\n", "phone")
    assert done.returncode == 0, done.stderr
    assert "The receipt is genuine." in done.stdout and "saved before the end" not in done.stdout
    with begin(live.runtime) as work:
        assert work.db.scalars(select(Submission.answers)).all() == ["BA---------D"]
    # This device has no answers. The receipt covers the answers from the other device.
    elsewhere = run(ada, exam_id, "", "laptop")
    assert elsewhere.returncode == 0, elsewhere.stderr
    assert "It covers only the answers that were saved before the end." in elsewhere.stdout


def test_announcements_and_answers_are_shown_once(live, run):
    admin, ada, ben = live.staff("admin"), live.candidate(), live.candidate()
    exam_id = make_exam(live, admin, KEY)
    announcements = f"/exams/{exam_id}/announcements/"
    admin.post(announcements, {"text": "Question 3: round up."}, status=201)
    for person in (ada, ben):
        take(person, exam_id, status=200)
        path, body = f"/exams/{exam_id}/clarifications/", {"text": f"I am {person.email}"}
        asked = person.post(path, body, status=201).json["id"]
        body = {"answer": f"For {person.email}.", "public": person is ben}
        admin.post(f"/clarifications/{asked}/answer/", body, status=200)
    first = run(ada, exam_id, "", "phone").stdout
    assert "Announcement: Question 3: round up." in first
    assert f"Answer to “I am {ada.email}”: For {ada.email}." in first
    assert f"Answer: For {ben.email}." in first and f"I am {ben.email}" not in first
    admin.post(announcements, {"text": "Five minutes left."}, status=201)
    second = run(ada, exam_id, "", "phone").stdout
    assert "Announcement: Five minutes left." in second and "round up" not in second


def test_a_program_without_answers_leaves_the_submission_to_other_devices(live, run, requests):
    exam_id, ada = make_exam(live, live.staff("admin"), KEY), live.candidate()
    take(ada, exam_id, status=200)
    live.clock.advance(minutes=60.5)
    with ThreadPoolExecutor() as pool:
        program = pool.submit(run, ada, exam_id, "", "laptop")
        wait_until(lambda: f"GET /v1/exams/{exam_id}/receipt/" in requests)
        submit(ada, exam_id, answers(live, exam_id, "BC"), status=201)
    assert program.result().returncode == 0, program.result().stderr
    assert "The receipt is genuine." in program.result().stdout
    assert f"POST /v1/exams/{exam_id}/submit-exam-answers/" not in requests


def test_answers_that_another_device_saves_at_the_deadline_are_submitted(live, run, first):
    exam_id, ada = make_exam(live, live.staff("admin"), KEY), live.candidate()
    run(ada, exam_id, "1 B\n", "laptop")
    live.clock.advance(minutes=60.5)

    def save_elsewhere():
        draft = {"sequence": 100, **answers(live, exam_id, "BA")}
        assert ada.put(f"/exams/{exam_id}/draft/", draft, status=200).json["applied"]

    # The program has opened the paper, and asks whether the time is over before it submits.
    first[f"GET /v1/exams/{exam_id}/time/"] = save_elsewhere
    done = run(ada, exam_id, "", "laptop")
    assert done.returncode == 0, done.stderr
    assert not first and "saved before the end" not in done.stdout
    with begin(live.runtime) as work:
        assert work.db.scalars(select(Submission.answers)).all() == ["BA----------"]
