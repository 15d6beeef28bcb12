"""Eligibility: which candidates can take an exam (decisions G16).

Python code and SQL queries use the same rule. The functions below take an exam and a candidate,
each as an object, a row, or a table of a query, because `==` works for all of them.
"""

from typing import Any, Literal

from sqlalchemy import ColumnElement, and_, exists, not_, or_

from competition.core.seasons.models import PastSeason

# Why an exam is not for a candidate.
Reason = Literal["stage", "season_not_joined", "year_unknown", "year"]


def is_for(exam: Any, candidate: Any) -> Any:
    """Whether the exam is for this candidate, whose identity may still have to be verified."""
    return (candidate.role == exam.stage) & has_joined(exam, candidate)


def has_joined(exam: Any, candidate: Any) -> Any:
    """Whether the candidate has joined the exam's season or a later one."""
    return candidate.season >= exam.season_id


def reason(exam: Any, candidate: Any) -> Reason | None:
    """Why the exam is not for this candidate, or None if it is. Takes objects or rows, but no
    tables of a query."""
    if candidate.role != exam.stage:
        return "stage"
    return None if has_joined(exam, candidate) else "season_not_joined"


def is_eligible(exam: Any, candidate: Any) -> ColumnElement[bool]:
    """SQL condition: whether a candidate can take an exam.

    The exam must be for the candidate and of the current season, because a candidate's role is that
    of the current season. The candidate must be verified and active. A candidate who has started
    the exam can finish it, eligible or not.
    """
    condition: ColumnElement[bool] = is_for(exam, candidate)
    return and_(condition, exam.is_current, candidate.status == "active")


def was_eligible(exam: Any, candidate: Any) -> ColumnElement[bool]:
    """SQL condition: whether a candidate could take an exam of a closed season.

    The candidate had joined the season and had this stage at its end. Since then, a new season has
    changed the candidate's stage. The service does not store who was verified at that time, so the
    candidate must be verified and active now.
    """
    had_stage = (
        exists()
        .where(
            PastSeason.candidate_id == candidate.id,
            PastSeason.season_id == exam.season_id,
            PastSeason.stage == exam.stage,
            PastSeason.had_joined,
        )
        .correlate_except(PastSeason)
    )
    return and_(had_stage, candidate.status == "active")


def could_take(exam: Any, candidate: Any) -> ColumnElement[bool]:
    """SQL condition: whether an exam of any season is or was for a candidate: `is_eligible` for an
    exam of the current season, and `was_eligible` for one of a closed season.

    If `exam` is a table of a query, PostgreSQL reads no PastSeason for exams of the current season.
    """
    if isinstance(exam.is_current, bool):
        return (is_eligible if exam.is_current else was_eligible)(exam, candidate)
    in_closed_season = and_(not_(exam.is_current), was_eligible(exam, candidate))
    return or_(is_eligible(exam, candidate), in_closed_season)
