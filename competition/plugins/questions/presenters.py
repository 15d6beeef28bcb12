from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

from sqlalchemy import Row

from competition.core.lists import Page, Pagination
from competition.core.messages import ENGLISH, Language
from competition.core.slots import Contributed, spread
from competition.core.users.profiles import StaffProfile, editor_profile, editor_profiles
from competition.core.work import Work
from competition.plugins.dashboards.offered_slots import Count
from competition.plugins.questions import models
from competition.plugins.questions.mathematics import rendering
from competition.plugins.questions.mathematics.rendering import QuestionTexts, words
from competition.plugins.questions.models import Answer, Difficulty
from competition.plugins.questions.offered_slots import QUESTION_IN_BANK


class QuestionPoolData(TypedDict):
    total_questions: int
    hard_questions_count: int
    moderate_questions_count: int
    easy_questions_count: int


class RenderedTexts(TypedDict):
    """The texts of a question with their formulas and images, as safe HTML in `rendered` and in
    words in `spoken`. Both are null if there is neither a formula nor an image."""

    rendered: QuestionTexts | None
    spoken: QuestionTexts | None


class TextMistake(TypedDict):
    """Why a formula or an image of a text can't be shown. `field` is the text's name."""

    field: str
    message: str


class TextWarning(TypedDict):
    """A part of the text `field` that the author of a question probably did not mean, for example a
    formula without its delimiters. `formula` is that formula as HTML, or null if there is none or
    if it can't be read."""

    field: str
    message: str
    formula: str | None


class PreviewedTexts(RenderedTexts):
    """The texts of a question that is not saved. With `show_mistakes`, `mistakes` lists the
    mistakes in the order of the texts; otherwise it is empty. `warnings` do not keep the texts from
    being saved."""

    mistakes: list[TextMistake]
    warnings: list[TextWarning]


class PaperQuestion(RenderedTexts):
    """A question as candidates see it, without the correct answer and the difficulty."""

    id: int
    text: str
    option_a: str
    option_b: str
    option_c: str
    option_d: str


class Question(PaperQuestion):
    correct_answer: Answer
    difficulty: Difficulty
    created_at: datetime
    updated_at: datetime
    created_by: StaffProfile | None
    updated_by: StaffProfile | None
    is_archived: bool
    archived_at: datetime | None


class QuestionInBank(Question):
    contributed: NotRequired[Annotated[Contributed, QUESTION_IN_BANK]]


class QuestionList(TypedDict):
    question_pool_data: QuestionPoolData
    results: list[QuestionInBank]
    pagination: Pagination


class Image(TypedDict):
    """An image that questions can show: `[image:7]` in a text stands for the image with id 7."""

    id: int
    alt: str
    url: str
    width: int
    height: int
    used_by: int


class ImageList(TypedDict):
    results: list[Image]
    pagination: Pagination


class FailedQuestion(TypedDict):
    question_id: int
    reason: str


class ArchiveSummary(TypedDict):
    total_questions: int
    successful_archives: int
    failed_archives: int


class ArchiveDetails(TypedDict):
    archived: list[int]
    failed: list[FailedQuestion]


class ArchiveReport(TypedDict):
    summary: ArchiveSummary
    details: ArchiveDetails


class CountsByDifficulty(TypedDict):
    easy: Count
    moderate: Count
    hard: Count


class QuestionNumbers(TypedDict):
    """How many questions the bank has, without archived questions."""

    total: int
    by_difficulty: CountsByDifficulty


def question_numbers(counts: Mapping[str, int]) -> QuestionNumbers:
    """The size of the bank, from the number of questions of each difficulty."""
    return QuestionNumbers(
        total=sum(counts.values()),
        by_difficulty=CountsByDifficulty(
            easy=Count(count=counts.get("easy", 0)),
            moderate=Count(count=counts.get("moderate", 0)),
            hard=Count(count=counts.get("hard", 0)),
        ),
    )


def pool_data(counts: Mapping[str, int]) -> QuestionPoolData:
    """The counts shown above a list of questions, computed from the number of questions of each
    difficulty."""
    return QuestionPoolData(
        total_questions=sum(counts.values()),
        hard_questions_count=counts.get("hard", 0),
        moderate_questions_count=counts.get("moderate", 0),
        easy_questions_count=counts.get("easy", 0),
    )


def paper_question(row: models.Question | Row[Any]) -> PaperQuestion:
    """A question in the form in which papers store it. `addressed` then completes the addresses of
    its images."""
    return PaperQuestion(
        id=row.id,
        text=row.text,
        option_a=row.option_a,
        option_b=row.option_b,
        option_c=row.option_c,
        option_d=row.option_d,
        rendered=row.rendered,
        spoken=row.spoken,
    )


def addressed(question: PaperQuestion, api_url: str) -> PaperQuestion:
    """The question with the current addresses of its images, of which only the paths are stored.
    `api_url` is the current address of the service's API."""
    # List every field, so that replies have them in this order: PostgreSQL stores them in another.
    return PaperQuestion(
        id=question["id"],
        text=question["text"],
        option_a=question["option_a"],
        option_b=question["option_b"],
        option_c=question["option_c"],
        option_d=question["option_d"],
        rendered=rendering.addressed(question["rendered"], api_url),
        spoken=question["spoken"],
    )


def in_language(question: PaperQuestion, language: Language) -> PaperQuestion:
    """The question with `spoken` in this language.

    The words are derived from `rendered`, so that the words of a frozen paper don't change.
    """
    rendered = question["rendered"]
    if language == ENGLISH or rendered is None:
        return question
    spoken = QuestionTexts(
        text=words(rendered["text"], language),
        option_a=words(rendered["option_a"], language),
        option_b=words(rendered["option_b"], language),
        option_c=words(rendered["option_c"], language),
        option_d=words(rendered["option_d"], language),
    )
    return {**question, "spoken": spoken}


def rendered_texts(question: RenderedTexts) -> RenderedTexts:
    return RenderedTexts(rendered=question["rendered"], spoken=question["spoken"])


def question(work: Work, row: models.Question) -> Question:
    created_by, updated_by = (
        editor_profile(work, each) for each in (row.created_by, row.updated_by)
    )
    return _question(work, row, created_by, updated_by)


def _question(
    work: Work,
    row: models.Question | Row[Any],
    created_by: StaffProfile | None,
    updated_by: StaffProfile | None,
) -> Question:
    return Question(
        **addressed(paper_question(row), work.runtime.api_url),
        correct_answer=row.correct_answer,
        difficulty=row.difficulty,
        created_at=row.created_at,
        updated_at=row.updated_at,
        created_by=created_by,
        updated_by=updated_by,
        is_archived=row.archived_at is not None,
        archived_at=row.archived_at,
    )


def question_list(
    work: Work, page: Page[Row[Any]], counts: Mapping[str, int], url: str
) -> QuestionList:
    editors = editor_profiles(
        work, (each for row in page.items for each in (row.created_by_id, row.updated_by_id))
    )
    added = QUESTION_IN_BANK.load(work, [row.id for row in page.items])
    return QuestionList(
        question_pool_data=pool_data(counts),
        results=[
            spread(
                QuestionInBank(
                    **_question(
                        work, row, editors.get(row.created_by_id), editors.get(row.updated_by_id)
                    ),
                    contributed=fields,
                )
            )
            for row, fields in zip(page.items, added, strict=True)
        ],
        pagination=page.pagination(url),
    )


def previewed_texts(
    work: Work,
    rendered: QuestionTexts | None,
    spoken: QuestionTexts | None,
    warnings: Iterable[models.TextWarning],
    mistakes: Iterable[models.TextMistake] = (),
) -> PreviewedTexts:
    """The reply with the texts of a question that were rendered for a preview, but not saved."""
    return PreviewedTexts(
        rendered=rendering.addressed(rendered, work.runtime.api_url),
        spoken=spoken,
        mistakes=[TextMistake(field=each.field, message=each.message) for each in mistakes],
        warnings=[
            TextWarning(field=each.field, message=each.message, formula=each.formula)
            for each in warnings
        ],
    )


def image(work: Work, row: models.QuestionImage) -> Image:
    return Image(
        id=row.id,
        alt=row.alt,
        url=f"{work.runtime.api_url}{row.path}",
        width=row.width,
        height=row.height,
        used_by=row.used_by,
    )


def image_list(work: Work, page: Page[models.QuestionImage], url: str) -> ImageList:
    return ImageList(
        results=[image(work, row) for row in page.items], pagination=page.pagination(url)
    )


def question_failures(failures: Iterable[tuple[int, str]]) -> list[FailedQuestion]:
    return [FailedQuestion(question_id=each, reason=reason) for each, reason in failures]


def archive_report(archived: list[int], failed: list[tuple[int, str]]) -> ArchiveReport:
    return ArchiveReport(
        summary=ArchiveSummary(
            total_questions=len(archived) + len(failed),
            successful_archives=len(archived),
            failed_archives=len(failed),
        ),
        details=ArchiveDetails(archived=archived, failed=question_failures(failed)),
    )
