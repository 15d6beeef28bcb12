from collections.abc import Sequence
from datetime import datetime
from typing import NotRequired, TypedDict

from competition.core.errors import ApiError, ErrorBody
from competition.core.messages import Message
from competition.plugins.exams.models import ExamStatus


class BlockerShape(TypedDict):
    """Something that has to be finished before the next season. `kind` says what it is, and `id`
    and `title` name it.

    An exam also has its `status`. A publication also has `exam`, the id of its exam, and
    `expected_at`.
    """

    kind: str
    id: int
    title: str
    status: NotRequired[ExamStatus]
    exam: NotRequired[int]
    expected_at: NotRequired[datetime]


class BlockedBody(ErrorBody):
    blockers: NotRequired[list[BlockerShape]]


class SeasonOpen(ApiError):
    status = 400
    code = "season_open"
    advice = "Show `blockers`, with a link to each, and open the season when they are finished."
    detail = Message("The current season is not finished. Finish what is in `blockers` first.")
    shape = BlockedBody

    def __init__(self, blockers: Sequence[BlockerShape] = ()) -> None:
        self.blockers = list(blockers)
        super().__init__()

    @property
    def body(self) -> BlockedBody:
        return BlockedBody(**super().body, blockers=self.blockers)
