from dataclasses import dataclass

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
