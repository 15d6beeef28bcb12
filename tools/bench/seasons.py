"""Exams with 1,000, 10,000 and 100,000 submissions, for measuring work on their results."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from sqlalchemy import create_engine, text

from competition.cli.ini import Ini
from competition.core.auth.identity import Identity
from competition.core.runtime import Runtime, database_url
from competition.core.work import Work, begin
from competition.plugins.exams.models import Exam
from tools.bench.processes import cpu

SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 40
ADMIN = Identity(
    UUID("00000000-0000-4000-8000-000000000001"), "staff", "admin", "Emmy Noether", True
)
PERSON = """
insert into "user" (
    id, kind, email, password_hash, password_is_generated, first_name, last_name, phone, role,
    is_active, is_email_verified, is_invited, verification, permissions, date_joined, updated_at,
    number, school, occupation
)
"""
STAFF = f"""{PERSON}
select '{ADMIN.user_id}', 'staff', 'admin@school.example', 'x', false, 'Emmy', 'Noether', '+49123',
    'admin', true, true, false, 'approved', '{{}}', now(), now(), null, null, 'Teacher'
"""
PEOPLE = f"""{PERSON}
select gen_random_uuid(), 'candidate', 'pupil' || n || '@school' || :size || '.example', 'x', false,
    'Ada', 'Surname' || n, '+49123', 'screening', true, true, false, 'approved', '{{}}', now(),
    now(), nextval('candidate_number'), 'School of the town ' || n % 500, null
from generate_series(1, :size) n
"""
BANK = """
insert into question (text, option_a, option_b, option_c, option_d, correct_answer, difficulty,
    created_at, updated_at)
select 'Question ' || n, '1', '2', '3', '4', 'A', 'easy', now(), now()
from generate_series(1, :questions) n returning id
"""
PAPER = """
insert into paper (exam_id, question_ids, questions, answer_key, frozen_at)
select :exam_id, :ids, jsonb_agg(jsonb_build_object('id', id, 'text', 'Question', 'option_a', '1',
        'option_b', '2', 'option_c', '3', 'option_d', '4', 'rendered', null, 'spoken', null)),
    repeat('A', :questions), now()
from unnest(cast(:ids as integer[])) id
"""
ATTEMPTS = """
insert into attempt (exam_id, candidate_id, started_at, extra_percent, is_opened)
select :exam_id, id, now() - interval '2 days', 0, true from "user"
where email like '%@school' || :size || '.example'
"""
# Two thirds of the answers are right. A hash determines the letters, so that all runs are equal.
SUBMISSIONS = """
insert into submission (exam_id, candidate_id, answers, submitted_at, handed_in_by)
select exam_id, candidate_id, (
    select string_agg(
        (array['A', 'A', 'A', 'A', 'B', 'C'])[
            1 + abs(hashtext(candidate_id::text || exam_id || '-' || n)::bigint) % 6], '')
    from generate_series(1, :questions) n
), started_at + interval '1 hour', 'candidate'
from attempt where exam_id = :exam_id
"""


def seasons(ini: Ini, runtime: Runtime, rounds: int) -> Iterator[tuple[int, list[int]]]:
    """Yield each number of candidates, with the ids of the `rounds` exams that all of them have
    taken.
    """
    with begin(runtime) as work:
        work.db.execute(text(STAFF))
    for size in SIZES:
        # These statements insert rows that a real service would receive over hours.
        with begin(runtime) as work:
            work.db.execute(text("set local statement_timeout = 0"))
            work.db.execute(text(PEOPLE), {"size": size})
            exams = [_exam(work, size, round) for round in range(1, 1 + rounds)]
        analyze(ini)
        yield size, exams


def _exam(work: Work, size: int, round: int) -> int:
    long_ago = work.now.replace(year=work.now.year - 1)
    exam = Exam(
        title=f"An exam of {size}",
        stage="screening",
        round=size + round,
        description="",
        countdown_minutes=60,
        open_duration_hours=12,
        is_active=True,
        scheduled_date=long_ago,
        closes_at=long_ago,
        created_at=work.now,
        updated_at=work.now,
        first_started_at=work.now,
    )
    work.db.add(exam)
    work.db.flush()
    of_exam = {"exam_id": exam.id, "size": size, "questions": QUESTIONS}
    ids = work.db.scalars(text(BANK), of_exam).all()
    work.db.execute(text(PAPER), {**of_exam, "ids": [*ids]})
    work.db.execute(text(ATTEMPTS), of_exam)
    work.db.execute(text(SUBMISSIONS), of_exam)
    return exam.id


def analyze(ini: Ini) -> None:
    """Vacuum and analyse the tables. In a real service autovacuum has done this before results are
    computed."""
    with create_engine(database_url(ini.settings())).connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.execute(text("vacuum analyze"))


@contextmanager
def timed(runtime: Runtime, size: int, what: str) -> Iterator[Work]:
    """Context manager: a transaction of an admin. Print how long it took, including the commit, and
    the CPU time of PostgreSQL and of this process. On a busy machine, the CPU time is more
    reliable."""
    begun, own = time.perf_counter(), time.process_time()
    with begin(runtime) as work:
        work.actor = ADMIN
        backend = work.db.scalars(text("select pg_backend_pid()")).one()
        of_backend = cpu(backend)
        yield work
    spent = cpu(backend) - of_backend + time.process_time() - own
    took = time.perf_counter() - begun
    print(f"{size:7,} candidates {took:6.2f} s, {spent:5.2f} s CPU  {what}", flush=True)
