"""The analysis of an exam with 100,000 submissions to 40 questions: how long it takes."""

import time

from sqlalchemy import create_engine, text

from competition.cli import database
from competition.cli.ini import Ini
from competition.core.runtime import database_url
from competition.core.work import begin
from competition.plugins.analysis import services
from competition.plugins.exams.models import Exam

# A candidate knows some questions, of the last ones fewer, and guesses at the others.
EXAM = """
with asked as (
    insert into question (text, option_a, option_b, option_c, option_d, correct_answer, difficulty,
        created_at, updated_at)
    select 'Question ' || n, '1', '2', '3', '4', 'A', 'easy', now(), now()
    from generate_series(1, 40) n returning id
), exam as (
    insert into exam (title, stage, round, description, countdown_minutes, open_duration_hours,
        is_active, created_at, updated_at)
    values ('Screening', 'screening', 1, '', 60, 12, true, now(), now()) returning id
), paper as (
    insert into paper (exam_id, question_ids, questions, answer_key, frozen_at)
    select exam.id, array_agg(asked.id),
        jsonb_agg(jsonb_build_object('id', asked.id, 'text', 'Question')), repeat('A', 40), now()
    from asked, exam group by exam.id returning exam_id
), candidate as (
    insert into "user" (id, kind, email, password_hash, password_is_generated, first_name,
        last_name, phone, role, is_active, is_email_verified, is_invited, verification, permissions,
        date_joined, updated_at, number, school)
    select gen_random_uuid(), 'candidate', 'many' || n || '@school.example', '', false, 'Ada',
        'Lovelace', '', 'screening', true, true, false, 'approved', '{}', now(), now(), n, ''
    from generate_series(1, 100000) n returning id, number
), attempt as (
    insert into attempt (exam_id, candidate_id, started_at)
    select exam_id, id, now() from candidate, paper
)
insert into submission (exam_id, candidate_id, answers, submitted_at)
select exam_id, id, (
    select string_agg(
        case when random() < (number / 100000.0) * (60 - question) / 60 then 'A'
        else substr('ABCD-', 1 + floor(random() * 5)::int, 1) end, '')
    from generate_series(1, 40) question
), now() from candidate, paper
"""


def main(ini: Ini) -> None:
    database.upgrade(ini)
    with create_engine(database_url(ini.settings())).connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.execute(text(EXAM))
        connection.execute(text("vacuum analyze"))
    with ini.runtime() as runtime:
        for _ in range(3):
            with begin(runtime) as work:
                exam = work.db.get_one(Exam, 1)
                begun, busy = time.perf_counter(), time.process_time()
                services.analyse(work, exam)
                took, own = time.perf_counter() - begun, time.process_time() - busy
            print(f"{1000 * took:7.1f} ms, {1000 * own:.0f} of them of the api's processor")
