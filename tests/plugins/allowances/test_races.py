"""Extra time given while a candidate starts or submits, or while the exam is scored or sealed."""

import pytest
from sqlalchemy import select

from competition.core.work import begin
from competition.plugins.allowances.services import giving
from competition.plugins.exams.services import rows
from competition.plugins.scores.models import Score
from competition.plugins.scores.services import ending, scoring
from competition.plugins.sittings.models import ExtraTime, Submission
from competition.testing.exam_day import make_exam, take
from competition.testing.races import overtaken, together

ALL = {"candidate_id": None, "school": None, "lost": None, "extra_minutes": 60, "reason": "Power."}


@pytest.fixture
def boss(live):
    return live.staff("admin")


def give(exam_id):
    return lambda work: giving.give(work, rows.locked(work, exam_id), ALL)


def post(boss, exam_id, status=201):
    body = {"everyone": True, "extra_minutes": 60, "reason": "Power."}
    return boss.post(f"/exams/{exam_id}/allowances/", body, status=status).json


def given(live, exam_id):
    with begin(live.runtime) as work:
        of_exam = select(ExtraTime.candidate_id).where(ExtraTime.exam_id == exam_id)
        return sorted(work.db.scalars(of_exam))


def test_a_candidate_who_starts_while_time_is_given_gets_it_once(live, boss):
    first, second = live.candidate(), live.candidate()
    fresh, started = make_exam(live, boss, "A"), make_exam(live, boss, "A")
    take(first, started)
    for exam_id in (fresh, started):
        # The allowance comes first, and is committed while the start waits.
        paper = overtaken(live, boss, give(exam_id), lambda: take(second, exam_id).json)  # noqa: B023
        assert paper["extra_minutes"] == 60
    many, exam_id = [live.candidate() for _ in range(4)], make_exam(live, boss, "A")
    acts = [lambda: post(boss, exam_id), *(lambda p=p: take(p, exam_id) for p in many)]
    together(5, lambda index: acts[index]())
    assert given(live, exam_id) == sorted(person.id for person in many)


def test_a_submission_reopened_during_scoring_has_no_score(live, boss):
    ada, exam_id = live.candidate(), make_exam(live, boss, "A")
    take(ada, exam_id)
    live.clock.advance(minutes=66)
    with begin(live.runtime) as work:
        work.db.add(
            Submission(
                exam_id=exam_id,
                candidate_id=ada.id,
                answers="A",
                submitted_at=work.now,
                handed_in_by="service",
            )
        )

    def score(work):
        scoring.score_submissions(work, exam_id)

    def scored():
        with begin(live.runtime) as work:
            score(work)

    # Score while the request for the allowance waits. Then give the allowance while scoring waits.
    assert overtaken(live, boss, score, lambda: post(boss, exam_id))["affected"] == 1
    overtaken(live, boss, give(exam_id), scored)
    with begin(live.runtime) as work:
        assert work.db.scalars(select(Score)).all() == []


def test_either_extra_time_is_given_or_the_exam_is_sealed(live, boss):
    ada, first, second = live.candidate(), make_exam(live, boss, "A"), make_exam(live, boss, "A")
    live.clock.advance(hours=10, minutes=30)
    ada, boss_again = live.new_session(ada), live.new_session(boss)
    for exam_id in (first, second):
        take(ada, exam_id)
    live.clock.advance(minutes=36)

    def seal():
        with begin(live.runtime) as work:
            return [exam.id for exam in ending.seal_and_score(work)]

    boss.client.token = boss_again.token
    assert overtaken(live, boss, give(first), seal) == [second]
    live.clock.advance(minutes=61)
    refused = overtaken(live, boss, ending.seal_and_score, lambda: post(boss, first, status=400))
    assert refused["code"] == "invalid"
