"""What every operation costs at PostgreSQL: a new one is measured the day it is written. One that
needs more statements than others is named here, with a reason that a reviewer takes."""

import pytest

from competition.bench.statements import Tap
from competition.testing.exam_day import answers, make_exam, publish, sit
from tests.support.every_operation import OPERATIONS, World, is_an_end

# Of one that only reads, besides whatever its plugins' slots add; the identity is one of them.
MOST_STATEMENTS = 7
MORE = {
    # Each of its checks is one, and the question whether workers live is a savepoint.
    "GET /ready/": 8,
    # Each of its checks is one or two.
    "GET /exams/{exam_id}/preflight/": 30,
    # The exam, who made it, its questions, and what other plugins know of it.
    "GET /exams/{exam_id}/": 8,
    # The account with all that plugins know of it, for staff.
    "GET /candidates/{candidate_id}/": 10,
    # Two of them tell PostgreSQL how to join.
    "GET /advancement/{plan_id}/preview/": 8,
}
# They have a transaction though they only read.
WITH_TRANSACTION = ("/ready/", "/exams/{exam_id}/preflight/", "/advancement/{plan_id}/preview/")
# Of one that changes something, until it refuses an empty body.
MOST_UNTIL_REFUSED = 8
AROUND_CHANGES = 2
# With what all plugins add.
MOST_TO_OPEN = 1
MOST_TO_HAND_IN = 4
# And nothing around it.
MOST_TO_LOG_IN = 2
MOST_TO_SAVE_A_DRAFT = 1
# What is asked again and again.
OF_CANDIDATES = {
    "/candidates/me/": 1,
    "/leaderboard/": 1,
    "/leaderboard/?stage=screening&round=1": 1,
    "/dashboard/candidate/": 1,
    "/notifications/": 1,
}
OF_STAFF = {
    "/staff/me/": 1,
    "/candidates/": 2,
    "/candidates/?search=nobody": 2,
    "/questions/": 3,
    "/dashboard/staff/": 1,
}


@pytest.fixture
def cost(live, monkeypatch):
    """What the last request sent to PostgreSQL."""
    send, traffic = live.http.request, []

    def send_and_count(*args, **options):
        with tap.counting() as counted:
            reply = send(*args, **options)
        traffic[:] = [counted]
        return reply

    with Tap(live.runtime.database.bind) as tap:
        monkeypatch.setattr(live.http, "request", send_and_count)
        yield lambda: traffic[0]


def test_what_reads_sends_few_statements_and_nothing_else(live, cost):
    world = World(live)
    for operation in (each for each in OPERATIONS if each.method == "GET"):
        # The first time a process reads what it keeps.
        for _ in range(2):
            world.send(operation)
        found = cost()
        assert found.statements <= MORE.get(str(operation), MOST_STATEMENTS), str(operation)
        if operation.path not in WITH_TRANSACTION:
            assert found.round_trips == found.statements, str(operation)


def test_what_is_refused_has_cost_little(live, cost):
    world = World(live)
    # What ends sessions, and what others need, comes last.
    changing = [each for each in OPERATIONS if each.method != "GET"]
    for operation in sorted(changing, key=is_an_end):
        reply = world.send(operation, {} if operation.content_types else None)
        found = cost()
        if reply.status_int >= 400:
            assert found.statements <= MOST_UNTIL_REFUSED, str(operation)
        assert found.round_trips <= found.statements + AROUND_CHANGES, str(operation)


def test_what_is_asked_again_and_again(live, cost):
    boss, candidate = live.staff("superadmin"), live.candidate()
    exam_id = make_exam(live, boss, key="AB")
    sit(live, candidate, exam_id, "AB")
    boss.post(f"/exams/{exam_id}/conclude/")
    publish(live, boss)
    for person, most in ((candidate, OF_CANDIDATES), (boss, OF_STAFF)):
        for path in most:
            # Totals are computed by the first, and kept for a second by the next.
            for _ in range(3):
                person.get(path, status=200)
            found = cost()
            assert found.round_trips == found.statements <= most[path], path
    live.log_in(candidate.email, status=200)
    found = cost()
    assert found.round_trips == found.statements <= MOST_TO_LOG_IN


def test_the_minute_in_which_thousands_come(live, cost):
    """Opening the paper again, saving a draft that there is, and handing it in."""
    boss, first, second = live.staff("superadmin"), live.candidate(), live.candidate()
    exam_id = make_exam(live, boss, key="AB")
    for candidate in (first, second):
        candidate.get(f"/exams/{exam_id}/take-exam/")
    body = answers(live, exam_id, "AB")
    paths = f"/exams/{exam_id}/take-exam/", f"/exams/{exam_id}/submit-exam-answers/"
    first.post(paths[1], body)
    second.get(paths[0])
    second.get(paths[0])
    opened = cost()
    for sequence in (1, 2, 3):
        second.put(f"/exams/{exam_id}/draft/", {"sequence": sequence, **body}, status=200)
    saved = cost()
    second.post(paths[1], body)
    handed_in = cost()
    assert opened.round_trips == opened.statements <= MOST_TO_OPEN
    assert saved.round_trips == saved.statements == MOST_TO_SAVE_A_DRAFT
    assert handed_in.round_trips == handed_in.statements + AROUND_CHANGES
    assert handed_in.statements <= MOST_TO_HAND_IN
