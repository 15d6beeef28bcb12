"""The rules of the question bank. Editing a question never changes a frozen paper."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Integer, Row, Select, Text, cast, func, literal, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import joinedload

from competition.core import audit, repeats, versions
from competition.core.errors import Invalid, NotFound, existing
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.work import Work
from competition.plugins.questions.mathematics import rendering
from competition.plugins.questions.mathematics.rendering import (
    FIELDS,
    QuestionTexts,
    Rendered,
)
from competition.plugins.questions.mathematics.segments import Unreadable
from competition.plugins.questions.models import QUESTIONS, Question, TextMistake
from competition.plugins.questions.services import images
from competition.plugins.questions.services.uses import is_used

CREATE = "question.create"
QUESTION_MISSING = Message("Question not found or archived")
WITH_PEOPLE = (joinedload(Question.created_by), joinedload(Question.updated_by))
ORDERING = {
    name: QUESTIONS.c[name]
    for name in ("id", "text", "difficulty", "correct_answer", "created_at", "updated_at")
}


# Whether a question, archived or not, shows an image. "<img" can only be an image, because rendered
# texts escape every "<" that an author typed. Questions with neither formulas nor images have no
# rendered texts.
SHOWS_IMAGE = func.coalesce(cast(QUESTIONS.c.rendered, Text), "").contains("<img")

IN_BANK = (
    select(QUESTIONS.c.difficulty, func.count().label("questions"))
    .where(QUESTIONS.c.archived_at.is_(None))
    .group_by(QUESTIONS.c.difficulty)
    .subquery()
)
# SQL expression for the numbers of questions in the bank, by difficulty; NULL if there are none.
# Archived questions are no longer in the bank.
BANK_COUNTS = select(
    func.jsonb_object_agg(IN_BANK.c.difficulty, IN_BANK.c.questions, type_=JSONB)
).scalar_subquery()


def bank_counts(work: Work) -> dict[str, int]:
    """How many questions of each difficulty the bank has, without archived questions."""
    return work.db.scalar(select(BANK_COUNTS)) or {}


def page_of_questions(work: Work, query: Query) -> tuple[Page[Row[Any]], dict[str, int]]:
    """A page of the bank, or of archived questions, and the counts of the bank. The editors'
    accounts are not loaded."""
    page = paginate(
        work,
        found_questions(work, query, (*QUESTIONS.c, BANK_COUNTS.label("bank_counts"))),
        query,
        key=QUESTIONS.c.id,
        created=QUESTIONS.c.created_at,
        ordering=ORDERING,
    )
    # An empty page has no row to read the counts from.
    return page, (page.items[0].bank_counts or {}) if page.items else bank_counts(work)


def found_questions(work: Work, query: Query, columns: Iterable[Any]) -> Select[*tuple[Any, ...]]:
    """SELECT of these columns, with one row per question that matches the filters of the query."""
    found = select(*columns).where(*contains_every_word(query["search"], QUESTIONS.c.text))
    is_archived = QUESTIONS.c.archived_at.is_not(None)
    found = found.where(is_archived if query["archived"] else ~is_archived)
    if query["difficulty"]:
        found = found.where(QUESTIONS.c.difficulty == query["difficulty"])
    if query["created_by"]:
        found = found.where(QUESTIONS.c.created_by_id == query["created_by"])
    if query["used"] is not None:
        found = found.where(is_used(work) if query["used"] else ~is_used(work))
    if query["with_image"] is not None:
        found = found.where(SHOWS_IMAGE if query["with_image"] else ~SHOWS_IMAGE)
    return found


def get(work: Work, question_id: int) -> Question:
    """The question, archived or not. Raises NotFound if there is none with this id."""
    question = work.db.scalar(
        select(Question)
        .where(Question.id == question_id)
        .options(*WITH_PEOPLE)
        .execution_options(populate_existing=True)
    )
    if question is None:
        raise NotFound
    return question


def of_ids(work: Work, question_ids: Sequence[int]) -> Sequence[Question]:
    """The questions with these ids, in the order of the ids, archived or not."""
    return work.db.scalars(_of_ids(question_ids).order_by(_place_in(question_ids))).all()


def page_of_ids(
    work: Work, question_ids: Sequence[int], query: Query, *, size: int
) -> Page[Question]:
    """A page of the questions with these ids, by default in the order of the ids.

    Raises NotFound if there is no such page.
    """
    return paginate(
        work,
        _of_ids(question_ids).where(*contains_every_word(query["search"], Question.text)),
        query,
        key=Question.id,
        created=Question.created_at,
        ordering=ORDERING,
        default=[_place_in(question_ids)],
        size=size,
    )


def _of_ids(question_ids: Sequence[int]) -> Select[Question]:
    return select(Question).where(Question.id.in_(question_ids)).options(*WITH_PEOPLE)


def _place_in(question_ids: Sequence[int]) -> ColumnElement[int]:
    return func.array_position(literal(question_ids, ARRAY(Integer)), Question.id)


def difficulties(work: Work, question_ids: Sequence[int]) -> Counter[str]:
    """How many of these questions have each difficulty."""
    found = select(Question.difficulty).where(Question.id.in_(question_ids))
    return Counter(work.db.scalars(found))


def locked_in_bank(work: Work, question_ids: Collection[int]) -> set[int]:
    """Lock the questions, and return the ids of those that are in the bank.

    Until the commit, no other transaction can archive them.
    """
    return set(
        work.db.scalars(
            select(Question.id)
            .where(Question.id.in_(question_ids), Question.archived_at.is_(None))
            .order_by(Question.id)
            .with_for_update(read=True)
        )
    )


def render(
    work: Work, fields: Mapping[str, Any], old: Question | None = None
) -> tuple[QuestionTexts, QuestionTexts] | tuple[None, None]:
    """Render the texts of a question, as HTML and in words. Both results are None if the texts have
    neither formulas nor images.

    Texts that are not in `fields` are taken from the old question as they are.

    Raises Invalid if a formula can't be read or an image does not exist; the error names the field.
    """
    texts = {name: fields[name] for name in FIELDS if name in fields}
    found = _read(work, texts)
    if old is not None:
        texts = {name: getattr(old, name) for name in FIELDS} | texts
        found = {name: _as_it_was(old, name) for name in FIELDS} | found
    return _written(texts, found)


def preview(
    work: Work, texts: Mapping[str, str]
) -> tuple[QuestionTexts | None, QuestionTexts | None, list[TextMistake]]:
    """Render these texts of a question for its author, even if they have mistakes.

    Returns the texts as HTML, the texts in words, and the mistakes. HTML and words are None if no
    text has a formula or an image.
    """
    known = images.known(work, texts.values())
    found: dict[str, Rendered] = {}
    mistakes: list[TextMistake] = []
    for name in FIELDS:
        if name in texts:
            found[name], messages = rendering.render_readable(texts[name], known)
            mistakes += [TextMistake(name, message) for message in messages]
    return *_written(texts, found), mistakes


def _written(
    texts: Mapping[str, str], found: Mapping[str, Rendered]
) -> tuple[QuestionTexts, QuestionTexts] | tuple[None, None]:
    """Rendered texts, as HTML and in words. Fields without a text are empty. Both results are None
    if the texts have neither formulas nor images."""
    if all(each.html == rendering.plain(texts[name]) for name, each in found.items()):
        return None, None
    nothing = Rendered("", "")
    html = {name: found.get(name, nothing).html for name in FIELDS}
    words = {name: found.get(name, nothing).words for name in FIELDS}
    return QuestionTexts(**html), QuestionTexts(**words)  # type: ignore[typeddict-item]  # every field


def _read(work: Work, texts: Mapping[str, str]) -> dict[str, Rendered]:
    known = images.known(work, texts.values())
    read, errors = {}, {}
    for name, text in texts.items():
        try:
            read[name] = rendering.render(text, known)
        except Unreadable as unreadable:
            errors[name] = [unreadable.message]
    if errors:
        raise Invalid(
            Message(
                "Some texts can't be read. Correct the formulas and images that `errors` names."
            ),
            errors=errors,
        )
    return read


def _as_it_was(question: Question, name: str) -> Rendered:
    text: str = getattr(question, name)
    if question.rendered is None or question.spoken is None:
        return Rendered(rendering.plain(text), text)
    return Rendered(question.rendered[name], question.spoken[name])  # type: ignore[literal-required]  # a field


def create(work: Work, fields: Mapping[str, Any], idempotency_key: str | None = None) -> Question:
    """Create a question. A repeated request with the same idempotency key returns the question of
    the first request.

    Raises Invalid if a text can't be rendered, and IdempotencyKeyReused if the key was used for
    another question.
    """
    question_id: int = repeats.once(
        work, CREATE, idempotency_key, fields, lambda: add(work, fields).id
    )
    return get(work, question_id)


def add(work: Work, fields: Mapping[str, Any]) -> Question:
    """Add a question to the bank. Raises Invalid if a text can't be rendered."""
    rendered, spoken = render(work, fields)
    question = Question(
        **fields,
        rendered=rendered,
        spoken=spoken,
        created_by_id=work.identity.user_id,
        updated_by_id=work.identity.user_id,
        created_at=work.now,
        updated_at=work.now,
    )
    work.db.add(question)
    work.db.flush()
    images.store_uses(work, question)
    audit.record(work, CREATE, subject=_named(question.id))
    return question


def change(work: Work, question_id: int, changes: Mapping[str, Any]) -> Question:
    """Change fields of a question.

    Raises NotFound if there is no such question, and Invalid if a text can't be rendered.
    """
    question = locked(work, question_id)
    old = {name: getattr(question, name) for name in changes}
    question.rendered, question.spoken = render(work, changes, question)
    for name, value in changes.items():
        setattr(question, name, value)
    question.updated_by_id = work.identity.user_id
    question.updated_at = work.now
    audit.record_change(work, "question.change", _named(question_id), old, changes)
    work.db.flush()
    images.store_uses(work, question)
    return get(work, question_id)


def archive(work: Work, question_id: int) -> None:
    """Archive a question, which removes it from the bank.

    Raises NotFound if there is no such question, or if it is already archived (decisions G12).
    """
    question = locked(work, question_id)
    if question.is_archived:
        raise NotFound
    _archive(work, question)
    work.db.flush()
    images.delete_uses(work, [question_id])


def archive_in_bulk(
    work: Work, question_ids: Iterable[int]
) -> tuple[list[int], list[tuple[int, str]]]:
    """Archive several questions.

    Returns the ids of the archived questions, and pairs of the other ids with the reason.
    """
    wanted = list(dict.fromkeys(question_ids))
    # Lock the rows in the order of their ids, so that two such calls can't deadlock.
    found = work.db.scalars(
        select(Question)
        .where(Question.id.in_(wanted), Question.archived_at.is_(None))
        .order_by(Question.id)
        .with_for_update()
    ).all()
    for question in found:
        _archive(work, question)
    work.db.flush()
    archived = [question.id for question in found]
    images.delete_uses(work, archived)
    return archived, [(each, QUESTION_MISSING) for each in wanted if each not in archived]


def _archive(work: Work, question: Question) -> None:
    question.archived_at = question.updated_at = work.now
    question.updated_by_id = work.identity.user_id
    audit.record(work, "question.archive", subject=_named(question.id))


def _named(question_id: int) -> str:
    return f"question {question_id}"


def locked(work: Work, question_id: int, if_match: str | None = None) -> Question:
    """The question, locked and read again.

    Raises NotFound if there is no such question, and PreconditionFailed if `if_match` names an
    earlier version.
    """
    question = existing(
        work.db.get(Question, question_id, with_for_update=True, populate_existing=True)
    )
    versions.check(question.updated_at, if_match)
    return question
