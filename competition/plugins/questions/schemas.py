from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    Integer,
    Schema,
    Text,
    Uuid,
    array,
    node,
    partial,
)
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.questions.models import Answer, Difficulty
from competition.plugins.questions.services import ORDERING


class AllTexts(Schema):
    text = node(Text(1, 10_000, lines=True))
    option_a = node(Text(1, 2_000, lines=True))
    option_b = node(Text(1, 2_000, lines=True))
    option_c = node(Text(1, 2_000, lines=True))
    option_d = node(Text(1, 2_000, lines=True))


class NewQuestion(AllTexts):
    correct_answer = node(Choice(Answer, fold="upper"))
    difficulty = node(Choice(Difficulty), missing="moderate")


TextsToRender = partial(AllTexts, "TextsToRender")
QuestionChanges = partial(NewQuestion, "QuestionChanges")


class WholeQuestion(QuestionChanges):  # type: ignore[misc, valid-type]  # made by a function
    """Body of PUT. `difficulty` may be left out and then stays as it is; the rest is required."""

    text = node(Text(1, 10_000, lines=True))
    option_a = node(Text(1, 2_000, lines=True))
    option_b = node(Text(1, 2_000, lines=True))
    option_c = node(Text(1, 2_000, lines=True))
    option_d = node(Text(1, 2_000, lines=True))
    correct_answer = node(Choice(Answer, fold="upper"))


class ArchiveList(Schema):
    question_ids = array(node(Integer(1, LARGEST_ID)), 500, shortest=1)


class QuestionFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    difficulty = node(
        Choice(Difficulty), missing=None, description="Only questions of this difficulty."
    )
    search = searched("the text")
    created_by = node(
        Uuid(), missing=None, description="Only questions that this member of staff created."
    )
    archived = node(
        Boolean(),
        missing=False,
        description="True for archived questions only, false for questions in the bank only.",
    )
