from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from competition.core.work import Work


@dataclass(frozen=True)
class SeasonOpened:
    """A season was opened, and the previous season was closed. This event is emitted before the
    candidates' roles change. Subscribers must not lock accounts."""

    work: Work
    season_id: int
    closed_id: int


@dataclass(frozen=True)
class SeasonUndone:
    """The opening of a season was undone. The previous season, `season_id`, is current again, and
    has the exams of the undone season. The row of the undone season is deleted after this event."""

    work: Work
    season_id: int
    undone_id: int


@dataclass(frozen=True)
class CandidateJoined:
    """A candidate has joined the current season by a request, or has confirmed in one that they
    have joined it automatically. `contributed` has the values of the fields that plugins have added
    to this request."""

    work: Work
    user_id: UUID
    contributed: Mapping[str, Any]
