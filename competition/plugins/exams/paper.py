"""A frozen paper, as it is worked with."""

from dataclasses import dataclass
from typing import TypedDict

from competition.plugins.exams.models import Paper


class PaperQuestion(TypedDict):
    """What a candidate sees: neither the answer nor the difficulty."""

    id: int
    text: str
    option_a: str
    option_b: str
    option_c: str
    option_d: str


@dataclass(frozen=True)
class FrozenPaper:
    """`answer_key` is a character a question; `positions` are of question ids in it and in every
    row of answers."""

    questions: list[PaperQuestion]
    answer_key: str
    positions: dict[int, int]

    def __len__(self) -> int:
        return len(self.answer_key)


def read(row: Paper) -> FrozenPaper:
    return FrozenPaper(
        questions=row.questions,
        answer_key=row.answer_key,
        positions={question_id: index for index, question_id in enumerate(row.question_ids)},
    )
