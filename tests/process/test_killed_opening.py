"""Kill a process with SIGKILL while it opens a season: the earlier season goes on, unchanged."""

import signal
import sys
from datetime import UTC, datetime

from competition.testing.races import waits_for_a_lock
from competition.testing.waiting import wait_until
from tests.support.repository import DEVELOPMENT_INI

OPEN = """
import sys
from pathlib import Path
from uuid import UUID
from competition.cli.ini import Ini
from competition.core.auth.identity import Identity
from competition.core.work import begin
from competition.plugins.seasons.services import opening
with Ini(Path(sys.argv[1])).runtime() as runtime, begin(runtime) as work:
    work.actor = Identity(UUID(sys.argv[2]), "staff", "superadmin", "Emmy Noether", True)
    opening.open_season(work, "The next year", "confirm", None)
"""


def test_a_killed_opening_leaves_the_old_season(live, on_live, sessions):
    live.clock.now = datetime.now(UTC)
    superadmin, person = live.staff("superadmin"), live.candidate("league")
    draft = superadmin.post("/exams/", {"title": "Rings", "stage": "league"}, status=201).json
    [old] = superadmin.get("/seasons/").json["results"]
    blocker, watcher = sessions
    # The roles are changed last, after the seasons and the exams. This lock stops only that: rows
    # that refer to the account can still be inserted.
    blocker.execute('select 1 from "user" where id = %s for no key update', [person.id])
    command = [sys.executable, "-c", OPEN, str(DEVELOPMENT_INI), str(superadmin.id)]
    opening = on_live.start(command)
    wait_until(lambda: opening.says("") and waits_for_a_lock(watcher, 'select "user".id'))
    opening.end(signal.SIGKILL)
    blocker.rollback()
    assert superadmin.get("/seasons/").json["results"] == [old]
    assert superadmin.get(f"/exams/{draft['id']}/").json["season"] == old["id"]
    me = person.get("/candidates/me/").json
    assert (me["role"], me["current_season"]["joined"]) == ("league", True)
    new = superadmin.post("/seasons/", {"name": "The next year"}, status=201).json
    assert person.get("/candidates/me/").json["role"] == "screening"
    [past] = superadmin.get(f"/candidates/{person.id}/").json["seasons"]
    assert (past["season"], past["stage"]) == (old["id"], "league")
    assert superadmin.get(f"/exams/{draft['id']}/").json["season"] == new["id"]
