"""The form in which a candidate's answers are stored."""

import pytest

from competition.core.errors import Invalid
from competition.plugins.exams.models import FrozenPaper
from competition.plugins.sittings.services.answers import pack

PAPER = FrozenPaper(7, [30, 10, 20, 40], [], "ABCD", None, "")


@pytest.mark.parametrize(
    ("answers", "packed"),
    [
        ([(30, "A"), (10, "B"), (20, "C"), (40, "D")], "ABCD"),
        ([(40, "D"), (30, "A")], "A--D"),
        ([(20, "")], "----"),
        ([], "----"),
    ],
)
def test_answers_are_one_character_per_question_in_paper_order(answers, packed):
    assert pack(PAPER, answers) == packed


def test_unknown_and_repeated_questions_are_named():
    with pytest.raises(Invalid) as refused:
        pack(PAPER, [(30, "A"), (99, "B"), (30, "C"), (98, "")])
    assert refused.value.errors == {
        "answers": {
            "1": {
                "question": ["This question is not in the paper. Choose a question of this exam."]
            },
            "2": {"question": ["This question appears more than once. Answer each question once."]},
            "3": {
                "question": ["This question is not in the paper. Choose a question of this exam."]
            },
        }
    }
