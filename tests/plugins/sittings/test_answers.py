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
    found = refused.value.errors["answers"]
    said = {place: str(*each["question"]) for place, each in found.items()}
    assert [*said] == ["1", "2", "3"]
    assert "not in the paper" in said["1"] and said["3"] == said["1"]
    assert "more than once" in said["2"]
