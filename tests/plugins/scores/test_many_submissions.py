"""Scoring an exam with thousands of submissions that are not in PostgreSQL's statistics yet."""

import pytest
from sqlalchemy import text

from competition.core.work import begin
from competition.plugins.scores.events import ScoresRecorded
from competition.plugins.scores.services import ending, scoring, standings
from competition.testing.exam_day import make_exam, sit
from tests.support.many import analyze_once, explained, hand_in, mislead

SUBMISSIONS = 3_000


@pytest.fixture
def exam_id(live):
    """An exam with submissions. Its tables were last analyzed when they were empty."""
    admin = live.staff("admin")
    exam_id = make_exam(live, admin, "AB")
    sit(live, live.candidate(), exam_id, "AB")
    with begin(live.runtime) as work:
        work.db.execute(text("delete from job"))
    analyze_once(live)
    with begin(live.runtime) as work:
        hand_in(work, exam_id, ["AA"] * SUBMISSIONS)
    admin.post(f"/exams/{exam_id}/conclude/")
    live.clock.advance(minutes=6)
    return exam_id


@pytest.fixture
def recorded(live, monkeypatch):
    """A list with the number of candidates in each event about new scores."""
    monkeypatch.setattr(scoring, "CHUNK", 1_000)
    counts = []

    def count(event):
        counts.append(len(event.candidate_ids))

    registry = live.http.app.registry
    registry.registerHandler(count, [ScoresRecorded])
    yield counts
    registry.unregisterHandler(count, [ScoresRecorded])


def scans(work):
    """How many sequential scans of each table this transaction made."""
    rows = work.db.execute(
        text(
            "select relname, seq_scan from pg_stat_xact_user_tables"
            " where relname in ('score', 'submission', 'attempt')"
        )
    )
    return {table: count for table, count in rows}


def test_no_table_is_read_once_for_each_submission(live, exam_id, recorded):
    with begin(live.runtime) as work:
        assert [exam.id for exam in ending.seal_and_score(work)] == [exam_id]
        assert max(scans(work).values()) < 20
    assert sum(recorded) == SUBMISSIONS + 1


def test_scoring_an_exam_emits_events_in_chunks(live, exam_id, recorded):
    with begin(live.runtime) as work:
        scoring.score_submissions(work, exam_id)
    assert recorded == [1_000, 1_000, 1_000, 1]


def test_scoring_given_candidates_emits_events_in_chunks(live, exam_id, recorded):
    with begin(live.runtime) as work:
        ids = work.db.scalars(text("select candidate_id from submission limit 1500")).all()
        scoring.score_submissions(work, exam_id, ids)
    assert recorded == [1_000, 500]


DIFFERENT = """
insert into score (exam_id, candidate_id, value, is_auto, recorded_at)
select exam_id, candidate_id, 0.01 * row_number() over (), true, now() from submission
"""
SAVED = f"""
with taken_back as (
    delete from submission where candidate_id in (
        select candidate_id from submission where answers = 'AA' limit {SUBMISSIONS // 2}
    ) returning exam_id, candidate_id, answers
)
insert into draft (exam_id, candidate_id, sequence, answers, changes, saved_at)
select exam_id, candidate_id, 1, answers, answers, now() from taken_back
"""


def test_computing_ranks_takes_time_proportional_to_the_candidates(live, exam_id):
    with begin(live.runtime) as work, explained(work) as rows:
        work.db.execute(text(DIFFERENT))
        mislead(work)
        # The second refresh also looks for totals to delete.
        for _ in range(2):
            standings.refresh(work)
    busiest = max(rows, key=rows.__getitem__)
    assert SUBMISSIONS <= rows[busiest] < 10 * SUBMISSIONS, busiest


def test_sealing_with_unsubmitted_drafts_takes_time_proportional_to_the_candidates(live, exam_id):
    """The service submits the drafts of half of the candidates."""
    with begin(live.runtime) as work, explained(work) as rows:
        work.db.execute(text(SAVED))
        mislead(work)
        assert ending.seal_and_score(work)
        assert work.db.scalar(text("select count(*) from score")) == SUBMISSIONS + 1
    busiest = max(rows, key=rows.__getitem__)
    assert SUBMISSIONS / 2 <= rows[busiest] < 10 * SUBMISSIONS, busiest
