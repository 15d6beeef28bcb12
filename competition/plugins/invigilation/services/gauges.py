"""Gauges for operators: how many candidates of the running exams are in each state."""

from collections import Counter
from datetime import timedelta

from sqlalchemy import select

from competition.core.monitoring.metrics import gauge
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.invigilation.models import State
from competition.plugins.invigilation.services import watching

# How long exams are still counted after they have closed: the longest extra time that a single
# allowance can give.
AFTER_CLOSING = timedelta(days=1)


@gauge("invigilation_sitting", "Candidates who are taking an exam and were seen recently.")
def sitting(work: Work) -> float:
    return _counts(work)["sitting"]


@gauge(
    "invigilation_silent",
    "Candidates who are taking an exam and were not seen recently, or whose time is over without a"
    " submission.",
)
def silent(work: Work) -> float:
    return _counts(work)["silent"]


@gauge("invigilation_submitted", "Candidates of running exams who have submitted their answers.")
def submitted(work: Work) -> float:
    return _counts(work)["submitted"]


@gauge(
    "invigilation_handed_in",
    "Candidates of running exams whose answers the service has submitted automatically.",
)
def handed_in(work: Work) -> float:
    return _counts(work)["handed_in"]


def _counts(work: Work) -> Counter[State]:
    """The number of candidates in each state, over all started exams that are not sealed, except
    those that closed more than a day ago."""
    exams = work.db.scalars(
        select(Exam).where(
            Exam.first_started_at.is_not(None),
            Exam.sealed_at.is_(None),
            Exam.deleted_at.is_(None),
            Exam.closes_at > work.now - AFTER_CLOSING,
        )
    )
    found: Counter[State] = Counter()
    for exam in exams:
        found.update(watching.counts(work, exam))
    return found
