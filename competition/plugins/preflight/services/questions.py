"""Checks of the questions of an exam."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from unicodedata import normalize

from sqlalchemy import or_, select

from competition.core.exam_checks import Finding, preflight_check
from competition.core.messages import Message, joined
from competition.core.work import Work
from competition.plugins.exams.models import Exam, ExamQuestion, Paper
from competition.plugins.preflight.services.checks import about
from competition.plugins.preflight.services.papers import as_seen
from competition.plugins.questions.models import Question
from competition.plugins.questions.presenters import PaperQuestion
from competition.plugins.questions.services import warnings
from competition.plugins.sittings.services import withholding

# Punctuation that does not change the meaning of a text. A mark before a digit stays, because "1.5"
# is not "15". "!" stays too, because "n!" is not "n".
PUNCTUATION = re.compile(r"""[.,;:?…"“”„«»](?!\d)""")


@preflight_check("questions", level="error")
def there_are_questions(work: Work, exam_id: int) -> Finding:
    count = len(as_seen(work, exam_id).question_ids)
    return Finding(count > 0, Message("The paper has ${count} questions.", count=count))


@preflight_check("archived", level="error")
def none_is_archived(work: Work, exam_id: int) -> Finding:
    """Whether the draft has no archived questions. Freezing leaves them out, so the paper would be
    shorter than planned. A frozen paper keeps all its questions."""
    archived = work.db.scalars(
        select(ExamQuestion.question_id)
        .join(Question, Question.id == ExamQuestion.question_id)
        .where(ExamQuestion.exam_id == exam_id, Question.archived_at.is_not(None))
        .where(ExamQuestion.exam_id.not_in(select(Paper.exam_id)))
        .order_by(ExamQuestion.position)
    ).all()
    return _about(archived, Message("Archived questions are left out of the paper."))


@preflight_check("duplicates", level="warning")
def questions_and_options_differ(work: Work, exam_id: int) -> Finding:
    """Whether the texts of all questions differ, and within each question the options.

    Options also have to differ when they are read aloud. Case, spacing and punctuation of written
    texts are ignored.
    """
    asked: defaultdict[str, list[Message]] = defaultdict(list)
    found = []
    for question in as_seen(work, exam_id).questions:
        name = _name(question["id"])
        asked[_plain(question["text"])].append(name)
        options = [_plain(option) for option in _options(question)]
        if len({*options}) < len(options):
            found.append(Message("${question}: options are alike", question=name))
        elif warnings.same_words(question, question["spoken"]):
            found.append(Message("${question}: options are read in the same words", question=name))
    found += [
        Message("${questions}: texts are alike", questions=names)
        for names in asked.values()
        if names[1:]
    ]
    return about(found, Message("Some questions or options are alike."))


@preflight_check("formulas", level="warning")
def formulas_have_delimiters(work: Work, exam_id: int) -> Finding:
    """Whether all formulas have delimiters. Plain text that looks like a formula in a question or
    an option is reported."""
    found = [
        Message("${part}: ${source}", part=_part(question["id"], name), source=each.source)
        for question in as_seen(work, exam_id).questions
        for name, each in warnings.unmarked_formulas(question)
    ]
    return about(
        found,
        Message(
            "Candidates see some formulas as they are typed. Put each formula between \\( and \\)."
        ),
    )


def _options(question: PaperQuestion) -> Iterator[str]:
    yield question["option_a"]
    yield question["option_b"]
    yield question["option_c"]
    yield question["option_d"]


def _plain(text: str) -> str:
    """The text in lower case, with single spaces and without the punctuation of sentences, so that
    a copy of the text can be recognised. Mathematical signs stay."""
    return " ".join(PUNCTUATION.sub(" ", normalize("NFC", text)).split()).casefold()


@preflight_check("key", level="warning")
def answers_differ(work: Work, exam_id: int) -> Finding:
    key = as_seen(work, exam_id).answer_key
    if len(key) < 2 or len({*key}) > 1:
        return Finding(True)
    message = Message("The correct answer to every question is ${option}.", option=key[0])
    return Finding(False, message)


@preflight_check("shared_questions", level="warning")
def no_other_exam_asks_the_same(work: Work, exam_id: int) -> Finding:
    """Whether all questions are new. Candidates of another exam with the same questions could pass
    them on, and the answer keys of published exams are known."""
    shared = withholding.still_asked(work, exam_id) | _copied(work, exam_id)
    published = _published(work, exam_id)
    messages = []
    if shared:
        messages.append(
            Message(
                "Another exam with the same questions is scheduled, running or not published yet."
            )
        )
    if published:
        messages.append(Message("The answers to some questions were published with another exam."))
    return _about(sorted(shared | published), joined(messages))


@preflight_check("known_questions", level="warning")
def no_right_answer_is_public(work: Work, exam_id: int) -> Finding:
    """Whether none of the questions was in an exam whose leaderboard is published, also as a copy
    with the same text.

    Published leaderboards show the right answers.
    """
    return _about(
        sorted(_published(work, exam_id)),
        Message("A published leaderboard already shows the right answers to some questions."),
    )


def _copied(work: Work, exam_id: int) -> set[int]:
    """The ids of the questions of which a scheduled or open exam has a copy with the same text."""
    is_ahead = or_(Exam.has_status("scheduled", work.now), Exam.has_status("ongoing", work.now))
    asked = work.db.scalars(
        select(Question.text)
        .join(ExamQuestion, ExamQuestion.question_id == Question.id)
        .join(Exam, Exam.id == ExamQuestion.exam_id)
        .where(Exam.id != exam_id, Exam.deleted_at.is_(None), is_ahead)
    )
    return _with_text(work, exam_id, asked)


def _with_text(work: Work, exam_id: int, texts: Iterable[str]) -> set[int]:
    """The ids of the questions of an exam that have one of these texts."""
    found = {_plain(text) for text in texts}
    return {
        question["id"]
        for question in as_seen(work, exam_id).questions
        if _plain(question["text"]) in found
    }


def _published(work: Work, exam_id: int) -> set[int]:
    """The ids of the questions that were in a published exam, also as a copy with the same text."""
    papers = work.db.scalars(
        select(Paper)
        .join(Exam, Exam.id == Paper.exam_id)
        .where(Exam.published_at.is_not(None), Exam.id != exam_id)
    ).all()
    ids = {question_id for paper in papers for question_id in paper.question_ids}
    asked = (question["text"] for paper in papers for question in paper.questions)
    same = ids.intersection(as_seen(work, exam_id).question_ids)
    return same | _with_text(work, exam_id, asked)


def _about(question_ids: Iterable[int], message: str) -> Finding:
    return about([_name(question_id) for question_id in question_ids], message)


def _part(question_id: int, field: str) -> Message:
    if field == "text":
        return _name(question_id)
    option = warnings.letter(field)
    return Message("question ${id}, option ${option}", id=question_id, option=option)


def _name(question_id: int) -> Message:
    return Message("question ${id}", id=question_id)
