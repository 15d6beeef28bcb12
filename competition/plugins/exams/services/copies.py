"""Recognise copies: questions of the bank that ask the same under another id."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import select

from competition.core.work import Work
from competition.plugins.exams.models import ExamQuestion, Paper
from competition.plugins.questions.models import Question

# A question of a paper or of the bank, by the names of its fields.
Asked = Mapping[str, Any]
OPTIONS = ("option_a", "option_b", "option_c", "option_d")
FIELDS = (Question.id, Question.text, *(getattr(Question, name) for name in OPTIONS))


def plain(text: str) -> str:
    """A text without what copies differ in: case and spacing."""
    return " ".join(text.split()).casefold()


class Questions:
    """A set of questions that knows its members under other ids too.

    A copy has the same text, and at least one option of the other question, at any letter. The
    options matter because many questions have a text such as "Which statement is true?".
    """

    def __init__(self, questions: Iterable[Asked]) -> None:
        self._ids: set[int] = set()
        self._options: defaultdict[str, set[str]] = defaultdict(set)
        for question in questions:
            self._ids.add(question["id"])
            self._options[plain(question["text"])] |= _options(question)

    def __contains__(self, question: Asked) -> bool:
        if question["id"] in self._ids:
            return True
        known = self._options.get(plain(question["text"]))
        return known is not None and bool(known & _options(question))


def _options(question: Asked) -> set[str]:
    return {plain(question[name]) for name in OPTIONS}


def asked_in(work: Work, exam_ids: Collection[int]) -> dict[int, list[Asked]]:
    """The questions of each of these exams: of its frozen paper or, without one, of its draft,
    archived ones included."""
    found: dict[int, list[Asked]] = {exam_id: [] for exam_id in exam_ids}
    papers = select(Paper.exam_id, Paper.questions).where(Paper.exam_id.in_(exam_ids))
    for exam_id, questions in work.db.execute(papers):
        found[exam_id].extend(questions)
    if drafts := [exam_id for exam_id, questions in found.items() if not questions]:
        in_drafts = (
            select(ExamQuestion.exam_id, *FIELDS)
            .join(Question, Question.id == ExamQuestion.question_id)
            .where(ExamQuestion.exam_id.in_(drafts))
        )
        for row in work.db.execute(in_drafts):
            found[row.exam_id].append(row._asdict())
    return found
