"""Checks of an exam's times and of the candidates who can take it."""

from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, or_, select

from competition.core.exam_checks import Finding, preflight_check
from competition.core.messages import Message
from competition.core.users.models import Candidate
from competition.core.work import Work
from competition.plugins.exams.models import Exam, status_of
from competition.plugins.exams.services import eligibility
from competition.plugins.preflight.services.checks import about


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
    others = _others_of_stage(
        work,
        exam,
        or_(Exam.has_status("scheduled", work.now), Exam.has_status("ongoing", work.now)),
        Exam.scheduled_date < exam.closes_at,
        Exam.closes_at > exam.scheduled_date,
    )
    return about(others, Message("Other exams of this stage are open at the same time."))


@preflight_check("round", level="warning")
def no_other_exam_has_the_round(work: Work, exam_id: int) -> Finding:
    """Whether no other exam of the season has the same stage and round. The leaderboard of the
    later exam would replace that of the earlier one (decisions G6)."""
    exam = work.db.get_one(Exam, exam_id)
    others = _others_of_stage(
        work,
        exam,
        Exam.round == exam.round,
        or_(Exam.is_active, Exam.published_at.is_not(None)),
    )
    return about(
        others,
        Message(
            "Other exams have the same stage and round. Readers find the leaderboard of the latest"
            " exam there: it replaces the others."
        ),
    )


def _others_of_stage(work: Work, exam: Exam, *wanted: ColumnElement[bool]) -> list[Message]:
    """The other exams of the season and stage for which these conditions are true, each as a text,
    by date."""
    others = work.db.scalars(
        select(Exam)
        .where(
            Exam.id != exam.id,
            Exam.deleted_at.is_(None),
            Exam.season_id == exam.season_id,
            Exam.stage == exam.stage,
            *wanted,
        )
        .order_by(Exam.scheduled_date, Exam.id)
    )
    return [Message("exam ${id}: ${title}", id=each.id, title=each.title) for each in others]


@preflight_check("candidates", level="warning")
def candidates_can_take_it(work: Work, exam_id: int) -> Finding:
    """Whether a candidate can take the exam. The items say why the other candidates of the stage
    can't, and how many they are."""
    found = eligible(work, exam_id)
    items = []
    if found.not_joined:
        items.append(Message("not joined the season yet: ${count}", count=found.not_joined))
    if found.unverified:
        items.append(Message("identity not approved yet: ${count}", count=found.unverified))
    if not any(found):
        return Finding(False, Message("No candidate has reached the stage of this exam yet."))
    if found.verified + found.unverified == 0:
        message = Message("No candidate of the stage takes part in the season yet.")
        return Finding(False, message, items)
    return Finding(
        found.verified > 0,
        Message(
            "Candidates of the stage: ${verified} verified, ${others} not verified.",
            verified=found.verified,
            others=found.unverified,
        ),
        items,
    )


class Eligible(NamedTuple):
    """The numbers of active candidates of an exam's stage: those who can take the exam, those who
    take part in the season and are not verified, and those who have not joined the season."""

    verified: int
    unverified: int
    not_joined: int


def eligible(work: Work, exam_id: int) -> Eligible:
    """Count the active candidates of the exam's stage, by whether they can take the exam.

    Two checks use these numbers, so they are counted once.
    """
    made: dict[int, Eligible] = work.made.setdefault(Eligible, {})
    if exam_id not in made:
        can_take = eligibility.is_eligible(Exam, Candidate)
        has_joined = eligibility.has_joined(Exam, Candidate)
        counted = select(
            func.count().filter(can_take),
            func.count().filter(has_joined, ~can_take),
            func.count().filter(~has_joined),
        )
        of_stage = counted.select_from(Exam).join(Candidate, Candidate.role == Exam.stage)
        row = work.db.execute(of_stage.where(Exam.id == exam_id, Candidate.is_active)).one()
        made[exam_id] = Eligible(*row)
    return made[exam_id]
