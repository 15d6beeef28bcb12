"""The live ranking, computed from the stored scores."""

from collections import defaultdict
from decimal import Decimal
from typing import get_args

from sqlalchemy import select

from competition.core.users.models import User
from competition.core.work import begin
from competition.plugins.exams.models import Exam
from competition.plugins.scores.models import Score, Standing
from competition.plugins.scores.services import standings
from competition.plugins.scores.services.visibility import Audience


def make_exam(work, stage="screening"):
    exam = Exam(
        title="Rings",
        stage=stage,
        round=1,
        description="",
        countdown_minutes=60,
        open_duration_hours=1,
        is_active=True,
        created_at=work.now,
        updated_at=work.now,
    )
    work.db.add(exam)
    work.db.flush()
    return exam.id


def give(work, exam_id, person, value):
    score = Score(
        exam_id=exam_id,
        candidate_id=person.id,
        value=Decimal(value),
        is_auto=True,
        recorded_at=work.now,
    )
    work.db.add(score)
    work.db.flush()


def ladder(work):
    """The stage, the total, and the rank of the next lower total, for each total in each stage.
    Candidates can see all scores of these tests, so the ranks for them are the same as for staff.
    """
    standings.refresh(work)
    rows = work.db.scalars(select(Standing).order_by(Standing.stage, Standing.total.desc()))
    found = defaultdict(list)
    for row in rows:
        found[row.audience].append((row.stage, float(row.total), row.next_rank))
    of_staff, of_candidates = (found[audience] for audience in get_args(Audience))
    assert of_staff == of_candidates
    return of_staff


def test_equal_totals_are_one_row_and_the_next_rank_skips_the_tie(app):
    people = [app.candidate() for _ in range(4)]
    with begin(app.runtime) as work:
        first, second = make_exam(work), make_exam(work)
        give(work, first, people[0], "50")
        give(work, second, people[0], "40")
        give(work, first, people[1], "90")
        give(work, first, people[2], "60")
        assert ladder(work) == [("screening", 90.0, 3), ("screening", 60.0, 4)]


def test_a_total_that_no_candidate_has_is_deleted(app):
    person = app.candidate()
    with begin(app.runtime) as work:
        exam_id = make_exam(work)
        give(work, exam_id, person, "50")
        assert ladder(work) == [("screening", 50.0, 2)]
        work.db.get_one(Score, (exam_id, person.id)).value = Decimal(70)
        assert ladder(work) == [("screening", 70.0, 2)]
        work.db.get_one(User, person.id).is_active = False
        assert ladder(work) == []


def test_each_stage_ranks_its_own_candidates_by_its_own_exams(app):
    league, screening, promoted = app.candidate("league"), app.candidate(), app.candidate("league")
    with begin(app.runtime) as work:
        exams = {stage: make_exam(work, stage) for stage in ("screening", "league")}
        give(work, exams["screening"], screening, "10")
        give(work, exams["screening"], promoted, "99")
        give(work, exams["league"], league, "20")
        assert ladder(work) == [("league", 20.0, 2), ("screening", 10.0, 2)]
