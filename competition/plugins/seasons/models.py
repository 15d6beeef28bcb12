from dataclasses import dataclass
from datetime import datetime

from competition.core.messages import Message
from competition.core.seasons.models import Season


@dataclass(frozen=True)
class Counted:
    """A season, with the numbers of its exams and of the candidates who have joined it."""

    season: Season
    exams: int
    candidates: int


@dataclass(frozen=True)
class Numbers:
    """How many candidates there are, how many of them get the role screening, and how many count
    as joined, if a season is opened now."""

    all: int
    moved: int
    joined: int


@dataclass(frozen=True)
class Undoing:
    """Until when the opening of the current season can be undone, why it can't be undone now, and
    how many candidates have joined the season since."""

    until: datetime
    refusal: Message | None
    confirmed: int
