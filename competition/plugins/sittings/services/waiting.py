"""Answers that the service still has to submit itself, when the time of an exam is over.

Only the plugins that store such answers know whether there are any. Each of these plugins declares
a check:

    @waiting_answers("drafts")
    def has_waiting_drafts(work: Work, exam_id: int) -> bool: ...
"""

from collections.abc import Callable
from dataclasses import dataclass

from competition.core.catalogue import OwnName, declaration
from competition.core.work import Work
from competition.plugins.exams.models import Exam
from competition.plugins.sittings.services import sealing

Check = Callable[[Work, int], bool]


@dataclass(frozen=True)
class WaitingAnswers(OwnName):
    """A plugin's check: whether the plugin has answers to an exam that it still has to submit."""

    name: str
    check: Check


def waiting_answers(name: str) -> Callable[[Check], Check]:
    """Declare that the decorated function checks for answers that the service still has to submit.
    A scan of the function's module registers the check."""
    return declaration(WaitingAnswers, name, lambda check: WaitingAnswers(name, check))


def is_over_for_good(work: Work, exam: Exam) -> bool:
    """Whether nobody can submit any longer, and the service has submitted the answers that it had.

    This takes no lock, so staff can still give extra time.
    """
    if exam.sealed_at is not None:
        return True
    checks = work.runtime.catalogue[WaitingAnswers].values()
    return sealing.looks_over(work, exam) and not any(each.check(work, exam.id) for each in checks)
