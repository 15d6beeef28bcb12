"""The values that rules pass to presenters. This plugin has no tables."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from competition.core.users.models import Candidate
from competition.plugins.sittings.models import HandedInBy

State = Literal["not_started", "sitting", "silent", "submitted", "handed_in"]


@dataclass(frozen=True)
class Seat:
    """A candidate who can take an exam or has started it, and their progress. `school` is the
    candidate's school in the season of the exam."""

    candidate: Candidate
    school: str
    state: State
    started_at: datetime | None
    deadline: datetime | None
    extra: timedelta
    last_seen_at: datetime | None
    submitted_at: datetime | None
    handed_in_by: HandedInBy | None
