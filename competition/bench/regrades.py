"""A regrade of an exam that 1,000, 10,000 and 100,000 sat: its preview, and applying it."""

import time
from uuid import UUID

from sqlalchemy import create_engine, text

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.auth.identity import Identity
from competition.core.runtime import Runtime, database_url
from competition.core.work import Work, begin
from competition.plugins.exams.models import Exam
from competition.plugins.leaderboard.services import publishing
from competition.plugins.regrades.services import applying, reading

SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 40
ADMIN = UUID("00000000-0000-4000-8000-000000000001")
PERSON = """
insert into "user" (
    id, kind, email, password_hash, password_is_generated, first_name, last_name, phone, role,
    is_active, is_email_verified, is_invited, verification, permissions, date_joined, updated_at,
    number, school, occupation
)
"""
STAFF = f"""{PERSON}
select '{ADMIN}', 'staff', 'admin@school.example', 'x', false, 'Emmy', 'Noether', '+49123', 'admin',
    true, true, false, 'approved', '{{}}', now(), now(), null, null, 'Teacher'
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
values (:exam_id, :ids, '[]', :key, now())
"""
ATTEMPTS = """
insert into attempt (exam_id, candidate_id, started_at)
select :exam_id, id, now() - interval '2 days' from "user"
where email like '%@school' || :size || '.example'
"""
# Two of three answers are right; the letters are those of a hash, so that every run has the same.
SUBMISSIONS = """
insert into submission (exam_id, candidate_id, answers, submitted_at)
select exam_id, candidate_id, (
    select string_agg(
        (array['A', 'A', 'A', 'A', 'B', 'C'])[
            1 + abs(hashtext(candidate_id::text || n)::bigint) % 6], '')
    from generate_series(1, :questions) n
), started_at + interval '1 hour'
from attempt where exam_id = :exam_id
"""


def season(work: Work, size: int) -> int:
    """An exam that so many sat, and that is published; its id."""
    work.db.execute(text(PEOPLE), {"size": size})
    ids = work.db.scalars(text(BANK), {"questions": QUESTIONS}).all()
    exam = Exam(
        title=f"An exam of {size}",
        stage="screening",
        round=size,
        description="",
        countdown_minutes=60,
        open_duration_hours=12,
        is_active=True,
        scheduled_date=work.now.replace(year=work.now.year - 1),
        closes_at=work.now.replace(year=work.now.year - 1),
        created_at=work.now,
        updated_at=work.now,
        first_started_at=work.now,
    )
    work.db.add(exam)
    work.db.flush()
    of_exam = {"exam_id": exam.id, "size": size, "questions": QUESTIONS}
    work.db.execute(text(PAPER), {"exam_id": exam.id, "ids": [*ids], "key": "A" * QUESTIONS})
    work.db.execute(text(ATTEMPTS), of_exam)
    work.db.execute(text(SUBMISSIONS), of_exam)
    return exam.id


def measure(runtime: Runtime, exam_id: int) -> tuple[float, float, int]:
    """Seconds of the preview and of applying it, each with its commit, and how many scores
    changed."""
    begun = time.perf_counter()
    with begin(runtime) as work:
        work.actor = Identity(ADMIN, "staff", "admin", "Emmy Noether", True, True)
        paper = work.db.execute(
            text("select question_ids[1] from paper where exam_id = :id"), {"id": exam_id}
        )
        change = {"question": paper.scalar_one(), "accept": ["A", "B"]}
        exam = applying.sealed(work, exam_id)
        regrade_id = applying.preview(work, exam, [change], "Both are right.").id
    previewed = time.perf_counter()
    with begin(runtime) as work:
        work.actor = Identity(ADMIN, "staff", "admin", "Emmy Noether", True, True)
        regrade = reading.get(work, exam_id, regrade_id)
        applying.apply(work, regrade)
        changed = regrade.scores_changed
    return previewed - begun, time.perf_counter() - previewed, changed


def analyze(ini: Ini) -> None:
    """What autovacuum does long before somebody asks for a regrade."""
    with create_engine(database_url(ini.settings())).connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.execute(text("vacuum analyze"))


def main(ini: Ini) -> None:
    database.upgrade(ini)
    with ini.runtime() as runtime:
        with begin(runtime) as work:
            work.db.execute(text(STAFF))
        for size in SIZES:
            # What is made at once here came in over hours.
            with begin(runtime) as work:
                work.db.execute(text("set local statement_timeout = 0"))
                exam_id = season(work, size)
            analyze(ini)
            with begin(runtime) as work:
                work.db.execute(text("set local statement_timeout = 0"))
                assert publishing.publish_exams(work, {exam_id})
            analyze(ini)
            preview, apply, changed = measure(runtime, exam_id)
            print(
                f"{size:7,} submissions: preview {preview:5.2f} s, apply {apply:5.2f} s,"
                f" {changed:,} scores changed",
                flush=True,
            )
