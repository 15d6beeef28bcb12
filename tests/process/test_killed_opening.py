"""Kill a process with SIGKILL while it opens a season, or undoes that: everything is as before."""

import signal
from multiprocessing import get_context

import pytest

from competition.testing.exam_day import make_exam, publish, sit
from competition.testing.races import waits_for_a_lock
from competition.testing.waiting import wait_until

# Python warns of a fork if there are other threads, such as that of pytest-xdist. They hold no lock
# that the forked process needs.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

OPEN_TRANSACTIONS = (
    "select 1 from pg_stat_activity where datname = current_database()"
    " and backend_type = 'client backend' and xact_start is not null and pid <> pg_backend_pid()"
)


@pytest.fixture
def kill(live, sessions):
    """Function that lets another process call `act`, and kills it in the middle of the transaction:
    when it is about to change the role of the candidate."""
    blocker, watcher = sessions

    def kill(act, candidate):
        # Roles are changed last. Rows that refer to the account can still be inserted.
        blocker.execute('select 1 from "user" where id = %s for no key update', [candidate.id])
        # A forked process must not inherit connections.
        live.runtime.database.dispose()
        process = get_context("fork").Process(target=act)
        process.start()

        def waits():
            assert process.is_alive()
            return waits_for_a_lock(watcher, 'select "user".id')

        wait_until(waits)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        blocker.rollback()
        wait_until(lambda: watcher.execute(OPEN_TRANSACTIONS).fetchone() is None)

    return kill


def test_a_killed_process_leaves_the_old_or_the_new_season(live, kill):
    superadmin, admin = live.staff("superadmin"), live.staff("admin")
    taken, finalist = make_exam(live, admin, "AB"), live.candidate("final")
    sit(live, live.candidate(), taken, "AB")
    admin.post(f"/exams/{taken}/conclude/", status=200)
    live.clock.advance(minutes=6)
    publish(live, admin)
    draft = admin.post("/exams/", {"title": "Rings", "stage": "league"}, status=201).json["id"]

    def found():
        """What shows which year it is."""
        exams = admin.get("/exams/").json["results"]
        board = finalist.get("/leaderboard/", status="any")
        me = finalist.get("/candidates/me/").json
        return {
            "seasons": superadmin.get("/seasons/").json["results"],
            "exams": {each["id"]: each["season"] for each in exams},
            "boards": board.json.get("available_leaderboards"),
            "candidate": (me["role"], me["season"], me["current_season"]),
            "past": admin.get(f"/candidates/{finalist.id}/").json["seasons"],
            "notifications": finalist.get("/notifications/").json["results"],
            "totals": superadmin.get("/dashboard/staff/").json["exams"],
            "audit": superadmin.get("/audit/").json["results"][0],
        }

    def open_season():
        superadmin.post("/seasons/", {"name": "The next year"}, status=201)

    def undo():
        superadmin.post("/seasons/undo/", {}, status=200)

    before = found()
    assert [*before["exams"]] == [draft, taken]
    kill(open_season, finalist)
    live.run_jobs()
    assert found() == before
    open_season()
    live.run_jobs()
    after = found()
    assert ([*after["exams"]], after["candidate"][0]) == ([draft], "screening")
    assert after["boards"] is None
    kill(undo, finalist)
    live.run_jobs()
    assert found() == after
    undo()
    again = found()
    for name in ("seasons", "exams", "boards", "candidate", "past", "totals"):
        assert again[name] == before[name], name
