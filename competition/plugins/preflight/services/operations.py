"""Checks of the infrastructure: worker, email, sockets, Redis, storage, capacity and limits."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from sqlalchemy import exists, or_, select, text

from competition.core.errors import StorageUnavailable
from competition.core.exam_checks import Finding, preflight_check
from competition.core.jobs.models import Job
from competition.core.limits.counters import RateLimitSettings
from competition.core.mail.transport import Transport, TransportUnreachable
from competition.core.messages import Message
from competition.core.push.notify import LISTENER
from competition.core.runtime import ServerSettings, check_redis, most_connections
from competition.core.storage import files
from competition.core.storage.backends import check_folder, is_folder
from competition.core.storage.contract import StorageSettings
from competition.core.work import Work
from competition.plugins.preflight.services.planning import eligible

WORKER_SILENT_AFTER = timedelta(minutes=1)
# How many of the latest jobs are searched for a job that a worker has run. Periodic tasks alone
# create several per minute.
LATEST_JOBS = 1000
# The key of a file that does not exist.
NO_FILE = f"preflight/{'0' * 32}.txt"
# The time within which all candidates are expected to start, in seconds.
RUSH = 60
# The path that each candidate requests to start.
OPENING = "/exams/{exam_id}/take-exam/"

CONNECTIONS = text("""
    select current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - count(*) filter (where datname is distinct from current_database() or state <> 'idle')
    from pg_stat_activity where backend_type = 'client backend'
""")
LISTENING = text("""
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name = :name
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
    return Finding(
        is_fine, "" if is_fine else Message("No worker has run a job in the last minute.")
    )


@preflight_check("mail", level="warning")
def mails_can_leave(work: Work, exam_id: int) -> Finding:
    try:
        with work.runtime[Transport].open():
            return Finding(True)
    except TransportUnreachable as error:
        return Finding(
            False, Message("The mail server does not respond: ${reason}.", reason=error.reason)
        )


@preflight_check("sockets", level="warning")
def a_socket_process_listens(work: Work, exam_id: int) -> Finding:
    """Whether a socket process runs, on any machine. Each of them has a PostgreSQL connection that
    listens for notifications."""
    count = work.db.execute(LISTENING, {"name": LISTENER}).scalar_one()
    return Finding(count > 0, Message("Running socket processes: ${count}.", count=count))


@preflight_check("redis", level="warning")
def redis_answers(work: Work, exam_id: int) -> Finding:
    problem = check_redis(work)
    return Finding(problem is None, problem or "")


@preflight_check("storage", level="warning")
def the_storage_answers(work: Work, exam_id: int) -> Finding:
    if is_folder(work.settings[StorageSettings]):
        # The folder need not exist yet, because the first upload creates it.
        problem = check_folder(work)
        return Finding(problem is None, problem or "")
    try:
        files.exists(work, NO_FILE)
    except StorageUnavailable:
        return Finding(False, Message("The file storage does not respond."))
    return Finding(True)


@preflight_check("capacity", level="warning")
def all_can_start_at_once(work: Work, exam_id: int) -> Finding:
    """Whether PostgreSQL has enough free connections for the api on this machine, and whether the
    api can open the paper for every verified candidate within a minute. The estimate assumes that
    each api process is as fast as this process has been so far."""
    server = work.settings[ServerSettings]
    free = work.db.execute(CONNECTIONS).scalar_one()
    wanted = server.workers * most_connections(work.settings, server.threads)
    starts = eligible(work, exam_id).verified
    seconds = measured_seconds(work.runtime.metrics.request_seconds.collect())
    # An estimate, which the message shows as a whole number.
    possible = None if seconds is None else round(RUSH * server.workers / seconds)
    connections = Message("connections: ${free} free, ${wanted} needed", free=free, wanted=wanted)
    if possible is None:
        rush = Message(
            "starts within ${seconds} seconds: ${starts} expected, none measured",
            seconds=RUSH,
            starts=starts,
        )
    else:
        rush = Message(
            "starts within ${seconds} seconds: ${starts} expected, ${possible} possible at the"
            " measured speed",
            seconds=RUSH,
            starts=starts,
            possible=possible,
        )
    is_fine = free >= wanted and (possible is None or possible >= starts)
    return Finding(
        is_fine,
        "" if is_fine else Message("The service may be too slow if all candidates start at once."),
        [connections, rush],
    )


def measured_seconds(families: Iterable[Any]) -> float | None:
    """How long opening a paper has taken on average, in seconds; None if none was opened."""
    opened = {"route": OPENING, "status": "200"}
    seconds = count = 0.0
    for sample in (sample for family in families for sample in family.samples):
        if opened.items() <= sample.labels.items():
            seconds += sample.value if sample.name.endswith("_sum") else 0
            count += sample.value if sample.name.endswith("_count") else 0
    return seconds / count if count else None


@preflight_check("limits", level="warning")
def limits_let_schools_in(work: Work, exam_id: int) -> Finding:
    limits = work.settings[RateLimitSettings]
    problem = None
    if not limits.enabled:
        problem = Message("Rate limits are disabled.")
    elif limits.preset == "development":
        problem = Message("The rate limits are those for development.")
    elif not limits.networks:
        problem = Message(
            "No school network is configured. The rate limits may treat a whole class as one"
            " client."
        )
    networks = [f"{network}" for network, _ in limits.networks]
    return Finding(problem is None, problem or "", networks)
