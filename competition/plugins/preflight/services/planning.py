"""Checks of an exam's times and of the candidates who can take it."""

from datetime import timedelta

from sqlalchemy import func, or_, select

from competition.core.exam_checks import Finding, preflight_check
from competition.core.messages import Message
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam, status_of
from competition.plugins.exams.services import eligibility


@preflight_check("window", level="error")
def window_fits_countdown(work: Work, exam_id: int) -> Finding:
    exam = work.db.get_one(Exam, exam_id)
    if exam.scheduled_date is None or exam.closes_at is None:
        return Finding(False, Message("The exam has no date."))
    if status_of(exam, work.now) == "concluded":
        return Finding(False, Message("The exam is concluded."))
    if status_of(exam, work.now) == "cancelled":
        return Finding(False, Message("The exam is cancelled."))
    if exam.closes_at - exam.scheduled_date < timedelta(minutes=exam.countdown_minutes):
        return Finding(False, Message("The exam is open for less time than its countdown."))
    return Finding(True)


@preflight_check("overlap", level="warning")
def no_other_exam_overlaps(work: Work, exam_id: int) -> Finding:
    exam = work.db.get_one(Exam, exam_id)
    if exam.scheduled_date is None or exam.closes_at is None:
        return Finding(True)
    others = work.db.scalars(
        select(Exam)
        .where(
            Exam.id != exam_id,
            Exam.deleted_at.is_(None),
            Exam.season_id == exam.season_id,
            or_(Exam.has_status("scheduled", work.now), Exam.has_status("ongoing", work.now)),
            Exam.stage == exam.stage,
            Exam.scheduled_date < exam.closes_at,
            Exam.closes_at > exam.scheduled_date,
        )
        .order_by(Exam.scheduled_date, Exam.id)
    ).all()
    return Finding(
        not others,
        Message("Other exams of this stage are open at the same time.") if others else "",
        [Message("exam ${id}: ${title}", id=each.id, title=each.title) for each in others],
    )


@preflight_check("round", level="warning")
def no_other_exam_has_the_round(work: Work, exam_id: int) -> Finding:
    """Whether no other exam of the season has the same stage and round. The leaderboard of the
    later exam would replace that of the earlier one (decisions G6)."""
    exam = work.db.get_one(Exam, exam_id)
    others = work.db.scalars(
        select(Exam)
        .where(
            Exam.id != exam_id,
            Exam.deleted_at.is_(None),
            Exam.season_id == exam.season_id,
            Exam.stage == exam.stage,
            Exam.round == exam.round,
            or_(Exam.is_active, Exam.published_at.is_not(None)),
        )
        .order_by(Exam.scheduled_date, Exam.id)
    ).all()
    return Finding(
        not others,
        Message(
            "Other exams have the same stage and round. Readers find the leaderboard of the latest"
            " exam there: it replaces the others."
        )
        if others
        else "",
        [Message("exam ${id}: ${title}", id=each.id, title=each.title) for each in others],
    )


@preflight_check("candidates", level="warning")
def candidates_can_take_it(work: Work, exam_id: int) -> Finding:
    verified, others = eligible(work, exam_id)
    if verified + others == 0:
        return Finding(False, Message("No candidate of the stage takes part in the season yet."))
    return Finding(
        verified > 0,
        Message(
            "Candidates of the stage: ${verified} verified, ${others} not verified.",
            verified=verified,
            others=others,
        ),
    )


class Eligible(dict[int, tuple[int, int]]):
    """The results of the function `eligible` in one unit of work, by exam id."""


def eligible(work: Work, exam_id: int) -> tuple[int, int]:
    """The number of active candidates whom the exam is for: those who can take the exam, because
    they are verified, and those who are not verified yet.

    Two checks use these numbers, so they are counted once.
    """
    made = work.made.setdefault(Eligible, Eligible())
    if exam_id in made:
        found: tuple[int, int] = made[exam_id]
        return found
    can_take = eligibility.is_eligible(Exam, Candidate)
    counted = select(func.count().filter(can_take), func.count().filter(~can_take))
    of_exam = counted.select_from(Exam).join(Candidate, eligibility.is_for(Exam, Candidate))
    row = work.db.execute(of_exam.where(Exam.id == exam_id, Candidate.is_active)).one()
    made[exam_id] = (row[0], row[1])
    return row[0], row[1]
