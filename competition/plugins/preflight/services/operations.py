"""What may be wrong with what the service stands on."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from sqlalchemy import exists, or_, select, text

from competition.core.errors import StorageUnavailable
from competition.core.jobs.models import Job
from competition.core.limits.counters import RateLimitSettings
from competition.core.mail.transport import Transport, TransportUnreachable
from competition.core.preflight import Finding, preflight_check
from competition.core.runtime import ServerSettings, check_redis, most_connections
from competition.core.storage import files
from competition.core.work import Work
from competition.plugins.preflight.services.planning import eligible

WORKER_SILENT_AFTER = timedelta(minutes=1)
# Looked at for a sign of a worker; periodic tasks alone make some each minute.
LATEST_JOBS = 1000
# A key as those of files, which nothing has.
NO_FILE = f"preflight/{'0' * 32}.txt"
# All of them come within so many seconds.
RUSH = 60
# What each of them asks for at the start.
OPENING = "/exams/{exam_id}/take-exam/"

CONNECTIONS = text("""
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - count(*) filter (where datname is distinct from current_database() or state <> 'idle')
    from pg_stat_activity where backend_type = 'client backend'
""")
LISTENING = text("""
    select count(*) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'
""")


@preflight_check("worker", level="error")
def a_worker_works(work: Work, exam_id: int) -> Finding:
    latest = select(Job).order_by(Job.id.desc()).limit(LATEST_JOBS).subquery()
    is_taken = select(
        exists().where(
            or_(
                latest.c.finished_at >= work.now - WORKER_SILENT_AFTER,
                latest.c.lease_until >= work.now,
            )
        )
    )
    is_fine = work.db.scalars(is_taken).one()
    return Finding(is_fine, "" if is_fine else "No worker took a job within a minute.")


@preflight_check("mail", level="warning")
def mails_can_leave(work: Work, exam_id: int) -> Finding:
    try:
        with work.runtime[Transport].open():
            return Finding(True)
    except TransportUnreachable as error:
        return Finding(False, f"The mail server does not answer: {error.reason}.")


@preflight_check("sockets", level="warning")
def somebody_pushes(work: Work, exam_id: int) -> Finding:
    """A socket process listens on a connection of its own, on whichever machine."""
    count = work.db.execute(LISTENING).scalar_one()
    return Finding(count > 0, f"Socket processes that listen: {count}.")


@preflight_check("redis", level="warning")
def redis_answers(work: Work, exam_id: int) -> Finding:
    problem = check_redis(work)
    return Finding(problem is None, problem or "")


@preflight_check("storage", level="warning")
def the_storage_answers(work: Work, exam_id: int) -> Finding:
    try:
        files.exists(work, NO_FILE)
    except StorageUnavailable:
        return Finding(False, "The storage of files does not answer.")
    return Finding(True)


@preflight_check("capacity", level="warning")
def all_can_start_at_once(work: Work, exam_id: int) -> Finding:
    """Whether PostgreSQL has enough connections for this machine's server, and whether the server
    opens a paper for every verified candidate within a minute, if each of its processes is as quick
    as this one has been so far."""
    server = work.settings[ServerSettings]
    free = work.db.execute(CONNECTIONS).scalar_one()
    wanted = server.workers * most_connections(work.settings, server.threads)
    starts, _ = eligible(work, exam_id)
    seconds = measured_seconds(work.runtime.metrics.request_seconds.collect())
    possible = None if seconds is None else round(RUSH * server.workers / seconds)
    items = [
        f"connections: {free} free, {wanted} wanted",
        f"starts within {RUSH} seconds: {starts} expected, "
        + ("none measured" if possible is None else f"{possible} possible as measured"),
    ]
    is_fine = free >= wanted and (possible is None or possible >= starts)
    return Finding(is_fine, "" if is_fine else "This may be too much at once.", items)


def measured_seconds(families: Iterable[Any]) -> float | None:
    """How long opening a paper has taken, on average; None before it was."""
    opened = {"route": OPENING, "status": "200"}
    seconds = count = 0.0
    for sample in (sample for family in families for sample in family.samples):
        if opened.items() <= sample.labels.items():
            seconds += sample.value if sample.name.endswith("_sum") else 0
            count += sample.value if sample.name.endswith("_count") else 0
    return seconds / count if count else None


@preflight_check("limits", level="warning")
def schools_are_let_in(work: Work, exam_id: int) -> Finding:
    limits = work.settings[RateLimitSettings]
    problems = []
    if not limits.enabled:
        problems.append("Requests are not counted.")
    elif limits.preset == "development":
        problems.append("The limits are those of a laptop.")
    elif not limits.networks:
        problems.append("No network of a school is named: a class may be taken for one client.")
    networks = [f"{network}" for network, _ in limits.networks]
    return Finding(not problems, " ".join(problems), networks)
