"""How many SQL statements each operation executes, without BEGIN and COMMIT.

An operation that needs more statements than the limit is listed here, with the reason.
"""

import pytest

from competition.core.work import begin
from competition.plugins.notifications.services import notify
from competition.testing.exam_day import answers, make_exam, publish, sit
from competition.testing.statements import executed
from tests.support.every_operation import World, every_operation, is_an_end
from tests.support.statements import above

# They send requests to every operation, which takes long.
pytestmark = pytest.mark.long

# The limit for operations that only read, including the slots that plugins fill. One of the
# statements identifies the caller.
MOST_TO_READ = 8
MORE_TO_READ = {
    # Each check takes one statement.
    "GET /ready/": 9,
    # Each check takes one or two statements.
    "GET /exams/{exam_id}/preflight/": 30,
    # The statements read the exam, its author, its questions, and the data of other plugins about
    # it.
    "GET /exams/{exam_id}/": 9,
    # The statements read the account with the data that plugins show to staff, and add an entry to
    # the audit trail.
    "GET /candidates/{candidate_id}/": 12,
    # Two of the statements set planner options for the joins.
    "GET /advancement/{plan_id}/preview/": 9,
    # The guard and the snapshot read the plan with its exams, so that the check comes before that
    # of the query. The others read the ranking, set planner options, and add an audit entry.
    "GET /exports/advancement/{plan_id}/": 13,
    # The guard and the snapshot read the school, the exam and whether results can be seen, so that
    # the check comes before that of the query. The others read the board and add an audit entry.
    "GET /exports/school/exams/{exam_id}/results/": 11,
}
# The limit for operations that change something. The requests have an empty body, so this counts
# the statements until the body is rejected.
MOST_UNTIL_REJECTED = 9
# The limits for requests that thousands of candidates send in the same minute, with warm caches.
OF_CANDIDATES = {
    # One statement reads the current season.
    "/candidates/me/": 2,
    "/leaderboard/": 2,
    "/leaderboard/?stage=screening&round=1": 2,
    "/dashboard/candidate/": 4,
    "/notifications/": 2,
}
OF_STAFF = {
    "/staff/me/": 1,
    "/candidates/": 2,
    "/candidates/?search=nobody": 2,
    "/questions/": 3,
    "/dashboard/staff/": 3,
}
LOGIN = 4
TAKE_EXAM = 3
SAVE_DRAFT = 3
SUBMIT = 6
EXAM_TIME = 3


@pytest.fixture
def cost(live, monkeypatch):
    """The number of statements that the last request executed."""
    send, counted = live.http.request, []

    def send_and_count(*args, **options):
        with executed(live.runtime.database.engines) as statements:
            reply = send(*args, **options)
        counted[:] = [len(statements)]
        return reply

    monkeypatch.setattr(live.http, "request", send_and_count)
    return lambda: counted[0]


def test_an_operation_that_reads_executes_few_statements(live, cost):
    world = World(live)
    for operation in (each for each in every_operation() if each.method == "GET"):
        # The first request fills the caches of the process.
        for _ in range(2):
            world.send(operation)
        assert cost() <= MORE_TO_READ.get(str(operation), MOST_TO_READ), str(operation)


def test_a_rejected_request_executes_few_statements(live, cost):
    world = World(live)
    # Operations that end sessions, or delete objects that other operations need, come last.
    changing = [each for each in every_operation() if each.method != "GET"]
    for operation in sorted(changing, key=is_an_end):
        reply = world.send(operation, {} if operation.content_types else None)
        if reply.status_int >= 400:
            assert cost() <= MOST_UNTIL_REJECTED, str(operation)


def test_polled_operations_execute_few_statements(live, cost):
    boss, candidate = live.staff("superadmin"), live.candidate()
    exam_id = make_exam(live, boss, key="AB")
    sit(live, candidate, exam_id, "AB")
    boss.post(f"/exams/{exam_id}/conclude/")
    publish(live, boss)
    with begin(live.runtime) as work:
        notify(work, [candidate.id], "Round 2", "It starts at nine.")
    found = {}
    for person, paths in ((candidate, OF_CANDIDATES), (boss, OF_STAFF)):
        for path in paths:
            for _ in range(3):
                person.get(path, status=200)
            found[path] = cost()
    live.log_in(candidate.email, status=200)
    found["login"] = cost()
    assert above({**OF_CANDIDATES, **OF_STAFF, "login": LOGIN}, found) == {}


def test_operations_of_an_exam_execute_few_statements(live, cost):
    """Open the paper again, read the clock, save an existing draft, and submit it."""
    boss, first, second = live.staff("superadmin"), live.candidate(), live.candidate()
    exam_id = make_exam(live, boss, key="AB")
    for candidate in (first, second):
        candidate.get(f"/exams/{exam_id}/take-exam/")
    body = answers(live, exam_id, "AB")
    first.post(f"/exams/{exam_id}/submit-exam-answers/", body)
    found = {}
    for _ in range(2):
        second.get(f"/exams/{exam_id}/take-exam/")
    found["take-exam"] = cost()
    second.get(f"/exams/{exam_id}/time/")
    found["time"] = cost()
    for sequence in (1, 2, 3):
        second.put(f"/exams/{exam_id}/draft/", {"sequence": sequence, **body}, status=200)
    found["draft"] = cost()
    second.post(f"/exams/{exam_id}/submit-exam-answers/", body)
    found["submit"] = cost()
    limits = {
        "take-exam": TAKE_EXAM,
        "time": EXAM_TIME,
        "draft": SAVE_DRAFT,
        "submit": SUBMIT,
    }
    assert above(limits, found) == {}
