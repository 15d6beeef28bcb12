"""Housekeeping deletes expired rows after their retention, and nothing else."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select, text

from competition.core.jobs import jobs
from competition.core.jobs.housekeeping import Retention
from competition.core.jobs.models import Job
from competition.core.mail.models import Mail
from competition.core.users import callers, sessions
from competition.core.users.credentials import AuthSession
from competition.core.users.personal_data import ERASED
from competition.core.work import begin
from competition.plugins.leaderboard.services import publishing
from competition.testing.exam_day import make_exam, sit
from tests.support.many import analyze_once, explained, hand_in, mislead

CANDIDATES = 1_000


@pytest.fixture
def run_housekeeping(app):
    def run():
        with begin(app.runtime) as work:
            jobs.enqueue(work, "core.housekeeping")
        app.run_jobs()

    return run


def add(app, row):
    with begin(app.runtime) as work:
        work.db.add(row)
        work.db.flush()
        return row.id


def job(app, state, days_ago):
    then = app.clock.now - timedelta(days=days_ago)
    finished = then if state in ("done", "failed") else None
    values = {"run_after": then, "created_at": then, "finished_at": finished}
    return Job(name="tests.none", args={}, state=state, request_id="-", **values)


def mail(app, state, days_ago):
    then = app.clock.now - timedelta(days=days_ago)
    return Mail(
        batch=uuid4(),
        sending=uuid4(),
        template="none",
        recipient="a@b.example",
        args={},
        state=state,
        created_at=then,
        try_after=then,
    )


def left(app, kind, ids):
    with begin(app.runtime) as work:
        return set(work.db.scalars(select(kind.id).where(kind.id.in_(ids))))


def test_old_jobs_are_deleted_and_open_jobs_stay(app, run_housekeeping):
    gone = [add(app, job(app, "done", 7.1)), add(app, job(app, "failed", 90.1))]
    stay = [
        add(app, job(app, "done", 6.9)),
        add(app, job(app, "failed", 89.9)),
        add(app, job(app, "pending", 400)),
        add(app, job(app, "running", 400)),
    ]
    run_housekeeping()
    assert left(app, Job, gone + stay) == set(stay)


def test_old_emails_are_deleted_and_waiting_emails_stay(app, run_housekeeping):
    gone = [add(app, mail(app, state, 90.1)) for state in ("sent", "skipped", "failed")]
    stay = [add(app, mail(app, "sent", 89.9)), add(app, mail(app, "pending", 400))]
    run_housekeeping()
    assert left(app, Mail, gone + stay) == set(stay)


def test_sessions_are_deleted_some_time_after_they_ended(app, run_housekeeping):
    person = app.candidate()

    def session(refreshed_days_ago, revoked_days_ago=None):
        refreshed = app.clock.now - timedelta(days=refreshed_days_ago)
        revoked = revoked_days_ago and app.clock.now - timedelta(days=revoked_days_ago)
        return add(
            app,
            AuthSession(
                user_id=person.id,
                refresh_jti=uuid4(),
                created_at=refreshed,
                refreshed_at=refreshed,
                revoked_at=revoked,
            ),
        )

    # A refresh token is valid for 7 days, and its session is retained for another 30 days.
    gone = [session(37.1), session(31, revoked_days_ago=30.1)]
    stay = [session(36.9), session(31, revoked_days_ago=29.9)]
    run_housekeeping()
    assert left(app, AuthSession, gone + stay) == set(stay)
    with begin(app.runtime) as work:
        work.actor = callers.identify(work, person.client.token)
        assert len(sessions.listing(work, person.id)) == 1


KEPT = """
insert into job (name, args, key, state, run_after, attempts, created_at, finished_at, request_id)
select 'tests.none', '{}', '', 'done', now(), 1, now(), now(), '-' from submission;
insert into mail (batch, sending, template, recipient, args, state, tries, try_after, created_at)
select gen_random_uuid(), gen_random_uuid(), 'none', 'a@b.example', '{}', 'sent', 1, now(), now()
from submission;
insert into session (id, user_id, refresh_jti, created_at, refreshed_at, second_factor)
select gen_random_uuid(), candidate_id, gen_random_uuid(), now(), now(), false from submission;
insert into draft (exam_id, candidate_id, sequence, answers, changes, saved_at, closed_at)
select exam_id, candidate_id, 1, answers, answers, now(), now() from submission
"""


def test_no_retention_rule_scans_a_table_once_per_row(live_with):
    """The exam has thousands of candidates, and PostgreSQL has no statistics about them yet."""
    live = live_with({"competition.names.kept_days": "30"})
    admin, person = live.staff("admin"), live.candidate()
    exam_id = make_exam(live, admin, "AB")
    sit(live, person, exam_id, "AB")
    analyze_once(live)
    with begin(live.runtime) as work:
        hand_in(work, exam_id, ["AB"] * CANDIDATES)
    admin.post(f"/exams/{exam_id}/conclude/", status=200)
    live.clock.advance(minutes=6)
    live.run_jobs()
    with begin(live.runtime) as work:
        # Publish without the endpoint, which would also create one job per candidate.
        publishing.publish_exams(work, {exam_id})
        for statement in KEPT.split(";"):
            work.db.execute(text(statement))
    live.clock.advance(days=400)
    with begin(live.runtime) as work, explained(work) as rows:
        mislead(work)
        for rule in work.runtime.catalogue[Retention].values():
            rule.forget(work)
    busiest = max(rows, key=rows.__getitem__)
    assert CANDIDATES <= rows[busiest] < 10 * CANDIDATES, busiest
    with begin(live.runtime) as work:
        for table in ("mail", "session", "draft"):
            assert work.db.scalar(text(f"select count(*) from {table}")) == 0
        [name] = work.db.scalars(text("select distinct full_name from board_entry"))
    assert name == ERASED
