"""How many candidates sit exams now, and how they stand, for those who watch the service."""

from collections import Counter
from datetime import timedelta

from sqlalchemy import select

from competition.core.monitoring.metrics import gauge
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.invigilation.models import State
from competition.plugins.invigilation.services import watching

# The longest extra time that one allowance gives.
AFTER_CLOSING = timedelta(days=1)


@gauge("invigilation_sitting", "Candidates who sit an exam and were seen lately.")
def sitting(work: Work) -> float:
    return _counts(work)["sitting"]


@gauge(
    "invigilation_silent",
    "Candidates who sit an exam and were not seen lately, or whose time is over and of whom"
    " nothing is handed in.",
)
def silent(work: Work) -> float:
    return _counts(work)["silent"]


@gauge("invigilation_submitted", "Candidates who handed in, of exams that are on.")
def submitted(work: Work) -> float:
    return _counts(work)["submitted"]


@gauge("invigilation_handed_in", "Candidates for whom the service handed in, of exams that are on.")
def handed_in(work: Work) -> float:
    return _counts(work)["handed_in"]


def _counts(work: Work) -> Counter[State]:
    """Of all exams that are on, or were until a day ago and are not sealed."""
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
