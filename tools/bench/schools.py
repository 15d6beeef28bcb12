"""Measure what schools cost: the page of a teacher's pupils relative to a page of candidates, names
of schools relative to `health`, and a merge of two schools with 5,000 candidates each while
people sign in."""

import json
import os
import time
from collections.abc import Callable
from statistics import median
from threading import Event, Thread
from typing import Any
from urllib.parse import quote
from uuid import UUID

from sqlalchemy import text
from webob import Request

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.auth import hashing
from competition.core.runtime import API_PREFIX, Runtime
from competition.core.users import api_keys, sessions
from competition.core.users.models import User
from competition.core.work import begin
from tools.bench.processes import cpu
from tools.bench.seasons import PERSON, analyze
from tools.bench.world import PASSWORD

PUPILS, MERGED, SCHOOLS, ALIASES, OTHERS = 500, 10_000, 5_000, 4, 5_000
# The limit for each cost, relative to its baseline, and for the duration of a merge, in seconds.
MOST_IN_BASELINE, MOST_SECONDS = 2, 5
ROUNDS, REQUESTS = 10, 50
TEACHER = UUID("00000000-0000-4000-8000-000000000001")
ADMIN = UUID("00000000-0000-4000-8000-000000000002")
STAFF = f"""{PERSON}
select cast(:id as uuid), 'staff', :role || '@school.example', 'x', false, 'Emmy', 'Noether',
    '+49123', :role, true, true, false, 'approved', '{{}}', now(), now(), null, null, 'Teacher'
"""
CANDIDATES = f"""{PERSON}
select gen_random_uuid(), 'candidate', :place || n || '@school.example', :hash, false, 'Ada',
    'Surname' || n, '+49123', 'screening', true, true, false, 'approved', '{{}}', now(), now(),
    nextval('candidate_number'),
    :school || case when :spread > 1 then n % :spread || '' else '' end, null
from generate_series(1, :size) n
"""
# The names have only letters and digits, so this is their key. A trigger adds the schools.
KEYS = "update \"user\" set school_key = lower(school) where kind = 'candidate'"
LISTED = """
insert into school (name, key, is_listed)
select 'School of the town ' || n, 'school of the town ' || n, true
from generate_series(1, :schools) n
"""
OTHER_NAMES = """
insert into school_alias (school_id, name, key)
select id, 'Name ' || n || ' of ' || name, 'name ' || n || ' of ' || key
from school cross join generate_series(1, :aliases) n where is_listed
"""
LINK = """
insert into teacher (user_id, school_id, created_at)
select cast(:id as uuid), id, now() from school where name = 'West'
"""
TIES = """
insert into pupil (user_id, school_id, tie, is_entered, changed_at)
select "user".id, school.id, 'ours', true, now()
from "user" join school on school.name = "user".school where school.name = 'West'
"""
Ask = Callable[..., Any]


def main(ini: Ini) -> bool:
    """Measure, and say whether the costs keep their limits. Rate limits have to be off."""
    database.upgrade(ini)
    with ini.config(has_endpoints=True) as config:
        runtime: Runtime = config.registry.runtime
        tokens = _fill(runtime)
        analyze(ini)
        ask = _asking(config.make_wsgi_app(), tokens)
        pupils = _relative(
            "pupils of a school, in a page of candidates",
            lambda number: ask("GET", "/school/candidates/", TEACHER),
            lambda number: ask("GET", "/candidates/", ADMIN),
        )
        names = _relative(
            "names of schools, in health",
            lambda number: ask("GET", f"/schools/names/?search={quote(f'town {number}')}"),
            lambda number: ask("GET", "/health/"),
        )
        merged = _merge(ask)
        return max(pupils, names) <= MOST_IN_BASELINE and merged <= MOST_SECONDS


def _fill(runtime: Runtime) -> dict[UUID | None, dict[str, str]]:
    """Create schools and people. Returns the headers of requests by the user's id. The key None is
    for requests without a user."""
    with begin(runtime) as work:
        work.db.execute(text("set local statement_timeout = 0"))
        work.db.execute(text(LISTED), {"schools": SCHOOLS})
        work.db.execute(text(OTHER_NAMES), {"aliases": ALIASES})
        hashed = hashing.hash_password(PASSWORD)
        for place, school, size, spread in (
            ("west", "West", PUPILS, 1),
            ("north", "North ", MERGED, 2),
            ("town", "School of the town ", OTHERS, 500),
        ):
            values = {"place": place, "school": school, "size": size, "spread": spread}
            work.db.execute(text(CANDIDATES), {**values, "hash": hashed})
        work.db.execute(text(KEYS))
        for user_id, role in ((TEACHER, "volunteer"), (ADMIN, "admin")):
            work.db.execute(text(STAFF), {"id": user_id, "role": role})
        work.db.execute(text(LINK), {"id": TEACHER})
        work.db.execute(text(TIES))
    with begin(runtime) as work:
        headers: dict[UUID | None, dict[str, str]] = {
            None: {"X-Api-Key": api_keys.create(work, "benchmark")}
        }
        for user_id in (TEACHER, ADMIN):
            access = sessions.start(work, work.db.get_one(User, user_id)).access
            headers[user_id] = {**headers[None], "Authorization": f"Bearer {access}"}
    return headers


def _asking(application: Any, headers: dict[UUID | None, dict[str, str]]) -> Ask:
    """A function that sends a request to the application. Raises RuntimeError for an error."""

    def ask(method: str, path: str, caller: UUID | None = None, body: Any = None) -> Any:
        sent = Request.blank(f"{API_PREFIX}{path}", method=method, headers=headers[caller])
        if body is not None:
            sent.content_type, sent.text = "application/json", json.dumps(body)
        reply = sent.get_response(application)
        if reply.status_int != 200:
            raise RuntimeError(f"{path}: {reply.status} {reply.text}")
        return reply.json

    return ask


def _relative(what: str, own: Callable[[int], Any], baseline: Callable[[int], Any]) -> float:
    """The CPU time of a request relative to that of its baseline, of this process, PostgreSQL and
    Valkey. Rounds of both alternate, because another program may disturb a while."""
    taken: dict[Any, list[float]] = {own: [], baseline: []}
    for _ in range(ROUNDS):
        for request, seconds in taken.items():
            begun = cpu(os.getpid())
            for number in range(REQUESTS):
                request(number)
            seconds.append((cpu(os.getpid()) - begun) / REQUESTS)
    each, other = (1000 * median(seconds) for seconds in taken.values())
    print(f"{each / other:6.2f} times, {each:5.1f} ms, {other:5.1f} ms  {what}", flush=True)
    return each / other


def _merge(ask: Ask) -> float:
    """How long the merge of two schools takes, in seconds, while candidates of both sign in."""
    [first, second] = ask("GET", "/schools/?search=north", ADMIN)["results"]
    is_over, waited = Event(), []

    def sign_in() -> None:
        number = 0
        while not is_over.is_set():
            number += 1
            begun = time.perf_counter()
            credentials = {"email": f"north{number}@school.example", "password": PASSWORD}
            ask("POST", "/auth/login/", body=credentials)
            waited.append(time.perf_counter() - begun)

    signing_in = Thread(target=sign_in)
    signing_in.start()
    begun = time.perf_counter()
    try:
        order = {"names": [second["name"]], "reason": "one school"}
        merged = ask("POST", f"/schools/{first['id']}/merge/", ADMIN, order)
    finally:
        seconds = time.perf_counter() - begun
        is_over.set()
        signing_in.join()
    what = f"merge of {merged['candidates']:,} candidates, {len(waited)} of whom signed in"
    print(f"{seconds:6.2f} s, a login at most {max(waited):.2f} s  {what}", flush=True)
    return seconds
