import colander

from competition.core.schemas import (
    LARGEST_ID,
    Boolean,
    Choice,
    Integer,
    Schema,
    Text,
    Uuid,
    array,
    drop,
    node,
    partial,
)
from competition.core.web.forms import FormFile, Upload
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.questions.models import Answer, Difficulty
from competition.plugins.questions.services import ORDERING
from competition.plugins.questions.services.images import ORDERING as IMAGE_ORDERING
from competition.plugins.questions.services.pictures import LARGEST, LONGEST_SIDE

IMAGE = (Upload("file", LARGEST, longest_side=LONGEST_SIDE),)


class AllTexts(Schema):
    text = node(Text(1, 10_000, lines=True))
    option_a = node(Text(1, 2_000, lines=True))
    option_b = node(Text(1, 2_000, lines=True))
    option_c = node(Text(1, 2_000, lines=True))
    option_d = node(Text(1, 2_000, lines=True))


class NewQuestion(AllTexts):
    correct_answer = node(Choice(Answer))
    difficulty = node(Choice(Difficulty), missing="moderate")


class PreviewedTexts(AllTexts):
    show_mistakes = node(Boolean())


TextsToRender = partial(PreviewedTexts, "TextsToRender")
QuestionChanges = partial(NewQuestion, "QuestionChanges")


class WholeQuestion(NewQuestion):
    """Body of PUT. `difficulty` may be left out and then stays as it is; all other fields are
    required."""

    difficulty = node(Choice(Difficulty), missing=drop)


class NewImage(Schema):
    is_form = True
    file = node(FormFile())
    alt = node(Text(1, 500))


class ImageChanges(Schema):
    alt = node(Text(1, 500))


class ImageFilters(ListQuery):
    ordering = ordered_by(IMAGE_ORDERING)
    search = searched("the alternative text")


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
    used = node(
        Boolean(),
        missing=None,
        description="true: only questions that an exam or a draft of an exam asks; false: only"
        " questions that no exam asks.",
    )
    with_image = node(
        Boolean(),
        missing=None,
        description="true: only questions that show an image; false: only questions without one.",
    )
    archived = node(
        Boolean(),
        missing=False,
        description="True for archived questions only, false for questions in the bank only.",
    )


class DifficultyCell(Choice):
    """A difficulty in a table, in English or French. `medium` is an old name of `moderate`."""

    def __init__(self) -> None:
        super().__init__(Difficulty)
        self.by_lower_case |= {
            "medium": "moderate",
            "facile": "easy",
            "moyen": "moderate",
            "moyenne": "moderate",
            "difficile": "hard",
        }


def _option(letter: str, example: str) -> colander.SchemaNode:
    return node(
        Text(1, 2_000, lines=True),
        headers=(
            *(letter, f"Option {letter}", f"Answer {letter}", f"Choice {letter}"),
            *(f"Choix {letter}", f"Réponse {letter}"),
        ),
        example=example,
    )


class QuestionRow(Schema):
    text = node(
        Text(1, 10_000, lines=True),
        headers=("Question", "Question text", "Énoncé", "Texte"),
        example=r"What is \(\frac{1}{2} + \frac{1}{3}\)?",
        description="The question. Formulas are TeX between \\( and \\).",
    )
    option_a = _option("A", r"\(\frac{5}{6}\)")
    option_b = _option("B", r"\(\frac{2}{5}\)")
    option_c = _option("C", r"\(\frac{1}{6}\)")
    option_d = _option("D", "1")
    correct_answer = node(
        Text(1, 2_000, lines=True),
        headers=("Key", "Answer", "Correct", "Right answer", "Clé", "Réponse", "Bonne réponse"),
        example="A",
        description="A to D, 1 to 4, or the text of one option.",
    )
    difficulty = node(
        DifficultyCell(),
        missing=drop,
        headers=("Level", "Niveau", "Difficulté"),
        example="moderate",
        description="easy, moderate or hard.",
    )
