"""The caller, as loaded once a request: detached from the database, so that it can't go stale
half way through a transaction."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

Kind = Literal["candidate", "staff"]


@dataclass(frozen=True)
class Identity:
    user_id: UUID
    kind: Kind
    role: str
    full_name: str
    is_verified: bool
    # Named rights beside the rank (`competition.core.auth.access`).
    permissions: frozenset[str] = frozenset()
    # The rank wants a second factor, and the session was opened without one.
    lacks_second_factor: bool = False
    session_id: UUID | None = None
    # When the access token ends.
    expires_at: datetime | None = None
    # The API key of the application that they use.
    api_key_id: int | None = None
