"""The uses of questions in other plugins.

The bank can be filtered by whether a question is used, but only the plugins that use questions know
this. Each of them declares an SQL condition about `Question`:

    @question_use("exams")
    def in_an_exam() -> ColumnElement[bool]:
        return select(ExamQuestion).where(ExamQuestion.question_id == Question.id).exists()
"""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, false, or_

from competition.core.catalogue import declaration
from competition.core.work import Work

Condition = Callable[[], ColumnElement[bool]]


@dataclass(frozen=True)
class QuestionUse:
    """One way in which a plugin uses questions, such as in exams.

    `condition` returns an SQL condition on Question: whether the question is used in this way.
    """

    name: str
    condition: Condition


def question_use(name: str) -> Callable[[Condition], Condition]:
    """Decorator: register a function that returns an SQL condition on Question, which holds if this
    plugin uses the question. `name` identifies the condition, such as "exams"."""
    return declaration(QuestionUse, name, lambda condition: QuestionUse(name, condition))


def is_used(work: Work) -> ColumnElement[bool]:
    """SQL condition: whether any plugin uses the question."""
    uses = work.runtime.catalogue[QuestionUse].values()
    return or_(false(), *(each.condition() for each in uses))
