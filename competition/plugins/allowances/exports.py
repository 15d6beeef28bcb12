"""The export of the extra time in an exam."""

from dataclasses import replace
from typing import Any

from sqlalchemy import (
    DateTime,
    Integer,
    Select,
    String,
    and_,
    case,
    func,
    literal,
    or_,
    select,
    union_all,
)

from competition.core.exports import Table
from competition.core.lists import Query
from competition.core.users import affiliations
from competition.core.users.models import USERS, Candidate
from competition.core.work import Work
from competition.plugins.allowances.models import Allowance, CandidateAllowance
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import eligibility, rows
from competition.plugins.sittings.models import ATTEMPTS, ExtraPercent

GIVERS = USERS.alias("giver")
GIVEN_BY = (GIVERS.c.first_name + " " + GIVERS.c.last_name).label("given_by")


def allowances(work: Work, query: Query, exam_id: int) -> Table:
    """Export the extra time in an exam: to whom it was given, why and by whom, the latest first.

    The file has a line for each allowance in the exam, for a candidate, a school or everyone. It
    also has a line for each candidate who gets a percentage of extra time in all exams, if the
    candidate has started this exam or can take it. If the season of the exam is closed, these are
    the candidates who could take it at the season's end.
    """
    exam = rows.get(work, exam_id)
    given = union_all(_in_this_exam(exam), _in_every_exam(exam)).subquery()
    return Table(
        select(*given.c),
        order=(given.c.created_at.desc().nulls_last(), given.c.candidate_id),
        subject=f"exam {exam_id}",
    )


def _in_this_exam(exam: Exam) -> Select[*tuple[Any, ...]]:
    given_to = case(
        (Allowance.candidate_id.is_not(None), "candidate"),
        (Allowance.school.is_not(None), "school"),
        else_="everyone",
    )
    then = affiliations.of_exam(exam)
    served = replace(then, school=func.coalesce(Allowance.school, then.school)).candidate
    found = (
        select(
            given_to.label("given_to"),
            *served,
            Allowance.extra_minutes,
            Allowance.lost_from,
            Allowance.lost_until,
            literal(None, Integer).label("percent"),
            Allowance.reason,
            GIVEN_BY,
            Allowance.created_at,
        )
        .select_from(Allowance)
        .outerjoin(USERS, USERS.c.id == Allowance.candidate_id)
        .outerjoin(GIVERS, GIVERS.c.id == Allowance.created_by_id)
        .where(Allowance.exam_id == exam.id)
    )
    return then.join(found)


def _in_every_exam(exam: Exam) -> Select[*tuple[Any, ...]]:
    """SELECT of the candidates with an extra percentage in this exam, with the percentage.

    For candidates who have started the exam, it is the percentage that they had then.
    """
    percent = func.coalesce(ATTEMPTS.c.extra_percent, ExtraPercent.percent)
    is_meant = eligibility.could_take(exam, Candidate)
    of_exam = and_(ATTEMPTS.c.exam_id == exam.id, ATTEMPTS.c.candidate_id == USERS.c.id)
    then = affiliations.of_exam(exam)
    found = (
        select(
            literal("candidate", String).label("given_to"),
            *then.candidate,
            literal(None, Integer).label("extra_minutes"),
            literal(None, DateTime(timezone=True)).label("lost_from"),
            literal(None, DateTime(timezone=True)).label("lost_until"),
            percent.label("percent"),
            CandidateAllowance.reason,
            GIVEN_BY,
            CandidateAllowance.updated_at.label("created_at"),
        )
        .select_from(USERS)
        .outerjoin(ATTEMPTS, of_exam)
        .outerjoin(ExtraPercent, ExtraPercent.candidate_id == USERS.c.id)
        .outerjoin(CandidateAllowance, CandidateAllowance.candidate_id == USERS.c.id)
        .outerjoin(GIVERS, GIVERS.c.id == CandidateAllowance.updated_by_id)
        .where(percent > 0, or_(ATTEMPTS.c.exam_id.is_not(None), is_meant))
    )
    return then.join(found)
