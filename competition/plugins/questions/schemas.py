from competition.core.pagination import ListQuery
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

DIFFICULTIES = ("easy", "moderate", "hard")


class NewQuestion(Schema):
    text = node(Text(1, 10_000, lines=True))
    option_a = node(Text(1, 2_000, lines=True))
    option_b = node(Text(1, 2_000, lines=True))
    option_c = node(Text(1, 2_000, lines=True))
    option_d = node(Text(1, 2_000, lines=True))
    correct_answer = node(Choice("ABCD", fold="upper"))
    difficulty = node(Choice(DIFFICULTIES), missing="moderate")


QuestionChanges = partial(NewQuestion, "QuestionChanges")


class ArchiveList(Schema):
    question_ids = array(node(Integer(1, LARGEST_ID)), 500, shortest=1)


class QuestionFilters(ListQuery):
    difficulty = node(Choice(DIFFICULTIES), missing=None)
    search = node(Text(0, 255), missing="")
    created_by = node(Uuid(), missing=None)
    archived = node(Boolean(), missing=False)
